// SPDX-License-Identifier: BSD-3-Clause
// What a program says of itself: Python's collections, torch's tensors, objects that are given as arguments, launches, structs and their
// sizes. What is not said is not known: the other half of these tests.
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/lang/programs/explain_program.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/values/convert.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::string fate(const Explanation& made, std::string_view name) {
  std::string found = "none";
  for (const AccountEntry& each : made.account) {
    if (std::find(each.names.begin(), each.names.end(), name) == each.names.end()) continue;
    found = each.fate == AccountEntry::Fate::valued ? each.words : fmt::format("{}: {}", to_string(each.fate), each.words);
  }
  return found.substr(0, found.find("; with "));
}
std::string python(std::string_view source, std::string_view name) { return fate(explain(source, {}, Dialect::python), name); }
std::string cpp(std::string_view source, std::string_view name) { return fate(explain(source, {}, Dialect::cpp), name); }

}  // namespace

TEST_CASE("Python's sets and dictionaries are asked by their keys") {
  const std::string_view source =
      "kinds = {cutlass.Float16: {cutlass.Float16, cutlass.Float32}, cutlass.Float32: {cutlass.Float32}}\n"
      "a = cutlass.Float16 in kinds[cutlass.Float16]\n"
      "b = cutlass.Float16 not in kinds[cutlass.Float32]\n"
      "c = kinds[cutlass.Int8]\n"
      "d = {\"m\": 4, \"n\": 8}.get(\"k\", 2)\n"
      "e = [k for k in {\"m\": 4, \"m\": 8}.values()]\n"
      "f = cute.make_layout({\"m\": 4}[\"m\"])\n";
  CHECK(python(source, "a") == "true");
  CHECK(python(source, "b") == "true");
  CHECK(python(source, "c") == "refused: this dictionary has no key \"int8_t\"");
  CHECK(python(source, "d") == "2");
  CHECK(python(source, "e") == "(8)");
  CHECK(python(source, "f") == "4:1");
}

TEST_CASE("Python's comprehensions walk as its loops do, and its lambdas are functions") {
  const std::string_view source =
      "a = [x * x for x in range(5) if x % 2 == 0]\n"
      "b = tuple(i * j for i, (j, k) in enumerate(((1, 2), (3, 4))))\n"
      "c = [(i, j) for i in range(2) for j in range(i + 1)]\n"
      "f = lambda x, y: x + 2 * y\n"
      "d = f(1, 3)\n"
      "e = sum(v for v in (1, 2, 3))\n"
      "g = [cute.make_layout((m, 8)) for m in (4, 8)][1]\n"
      "x = 7\n"
      "h = [x for x in (1, 2)]\n"
      "i = x\n"
      "j = [a for a, b in ((1, 2, 3),)]\n";
  CHECK(python(source, "a") == "(0,4,16)");
  CHECK(python(source, "b") == "(0,3)");
  CHECK(python(source, "c") == "((0,0),(1,0),(1,1))");
  CHECK(python(source, "d") == "7");
  CHECK(python(source, "e") == "6");
  CHECK(python(source, "g") == "(8,8):(1,8)");
  CHECK(python(source, "i") == "7");  // a comprehension's names are its own
  CHECK(python(source, "j") == "refused: 2 names take the elements of a tuple of 3");
}

TEST_CASE("torch's tensors have the strides that torch gives them, and from_dlpack hands them on") {
  const std::string_view source =
      "a = torch.empty((2, 4, 8), dtype=torch.float16, device=\"cuda\").permute(1, 2, 0)\n"
      "b = a.stride()\n"
      "c = a.contiguous().stride()\n"
      "d = a.to(torch.float32).stride()\n"
      "e = a.numel() * a.element_size()\n"
      "t = from_dlpack(a)\n"
      "f = t.element_type\n"
      "g = utils.LayoutEnum.from_tensor(t)\n"
      "h = torch.empty(4, 8)[1]\n"
      "i = torch.empty(4, 8).T\n"
      "j = torch.empty(4, 8).unsqueeze(0).stride()\n"
      "k = torch.empty(4, 8).view(2, -1).shape\n";
  CHECK(python(source, "b") == "(8,1,32)");
  CHECK(python(source, "c") == "(16,2,1)");
  CHECK(python(source, "d") == "(8,1,32)");
  CHECK(python(source, "e") == "128");
  CHECK(python(source, "t") == "(4,8,2):(8,1,32)");
  CHECK(python(source, "f") == "\"half_t\"");
  CHECK(python(source, "g") == "\"ROW_MAJOR\"");
  CHECK(python(source, "h").starts_with("refused"));
  CHECK(python(source, "i").starts_with("refused"));
  CHECK(python(source, "j") == "(32,8,1)");
  CHECK(python(source, "k") == "(2,16)");
}

TEST_CASE("what marks a tensor changes it, and so does another type for its elements") {
  const std::string_view source =
      "t = from_dlpack(torch.empty(4, 8, dtype=torch.uint8))\n"
      "t.element_type = cutlass.Float8E4M3FN\n"
      "a = t.element_type\n"
      "t.mark_layout_dynamic(leading_dim=1)\n"
      "b = cute.is_static(t)\n"
      "c = from_dlpack(torch.empty(4, 8)).mark_layout_dynamic(leading_dim=0)\n";
  CHECK(python(source, "a") == "\"float_e4m3_t\"");
  CHECK(python(source, "c").starts_with("refused: mark_layout_dynamic: mode 0 has the stride 8"));
}

TEST_CASE("an object that is an argument is called where the parameter is") {
  const std::string_view source =
      "class G:\n"
      "    def __init__(self, n):\n"
      "        self.n = n\n"
      "    def __call__(self, m):\n"
      "        x = cute.make_layout((m, self.n))\n"
      "def bmm(op, k):\n"
      "    op(2 * k)\n"
      "g = G(3)\n"
      "compiled = cute.compile(bmm, g, 4)\n";
  CHECK(python(source, "x") == "(8,3):(1,8)");
}

TEST_CASE("a method sees its object as it is where it is called") {
  const std::string_view source =
      "class G:\n"
      "    def __init__(self):\n"
      "        self.n = 1\n"
      "    def setup(self):\n"
      "        self.layout = cute.make_layout((self.m, self.n))\n"
      "    def __call__(self, m):\n"
      "        self.m = m\n"
      "        self.n = 2\n"
      "        self.setup()\n"
      "        x = self.layout\n"
      "g = G()\n"
      "g(8)\n";
  CHECK(python(source, "self.layout") == "(8,2):(1,8)");
  CHECK(python(source, "x") == "(8,2):(1,8)");
  const std::string_view unknown =
      "class G:\n"
      "    def __init__(self):\n"
      "        self.n = 1\n"
      "    def setup(self):\n"
      "        y = cute.make_layout(self.n)\n"
      "    def __call__(self, m):\n"
      "        self.n = other.unknown(m)\n"
      "        self.setup()\n"
      "g = G()\n"
      "g(8)\n";
  CHECK_FALSE(python(unknown, "y").starts_with("1:"));  // not what __init__ gave it
}

TEST_CASE("a function within a function is called with the names around it") {
  const std::string_view source =
      "def run(k):\n"
      "    def make(m):\n"
      "        return cute.make_layout((m, k))\n"
      "    a = make(4)\n"
      "    k = 3\n"
      "    b = make(4)\n"
      "run(2)\n"
      "c = make(4)\n";
  CHECK(python(source, "a") == "(4,2):(1,4)");
  CHECK(python(source, "b") == "(4,3):(1,4)");
  CHECK_FALSE(python(source, "c").starts_with("(4"));
}

TEST_CASE("a kernel knows how it is launched") {
  const std::string_view source =
      "class G:\n"
      "    def kernel(self):\n"
      "        gx, gy, _ = cute.arch.grid_dim()\n"
      "        cx, cy, _ = cute.arch.cluster_dim()\n"
      "        bx, _, _ = cute.arch.block_dim()\n"
      "    def __call__(self):\n"
      "        self.kernel().launch(grid=(4, 3, 1), block=[128, 1, 1], cluster=(2, 1, 1))\n"
      "g = G()\ng()\n";
  CHECK(python(source, "gx") == "gx = 4; gy = 3");
  CHECK(python(source, "cx") == "cx = 2; cy = 3");
  CHECK(python(source, "bx") == "128");
  const std::string_view in_cpp =
      "__global__ void kernel(int n) {\n  auto x = make_layout(blockDim.x, n);\n  auto y = make_layout(gridDim.y);\n}\n"
      "int main() {\n  dim3 grid(4, 3);\n  kernel<<<grid, 256>>>(2);\n}\n";
  CHECK(cpp(in_cpp, "x") == "256:2");
  CHECK(cpp(in_cpp, "y") == "3:1");
  CHECK(cpp("__global__ void kernel() {\n  auto x = make_layout(blockDim.x);\n}\n", "x").starts_with("waits"));
}

TEST_CASE("a struct of the DSL has its members' types and size") {
  const std::string_view source =
      "@cute.struct\n"
      "class Storage:\n"
      "    bar: cute.struct.MemRange[cutlass.Int64, 2]\n"
      "    a: cute.struct.Align[cute.struct.MemRange[cutlass.Float16, 100], 128]\n"
      "    n: cutlass.Int32\n"
      "smem = cutlass.utils.SmemAllocator()\n"
      "storage = smem.allocate(Storage)\n"
      "size = Storage.size_in_bytes()\n"
      "sA = storage.a.get_tensor(cute.make_layout((10, 10)))\n"
      "t = sA.element_type\n";
  CHECK(python(source, "size") == "384");  // 16 bytes, a from 128 on to 328, n to 332, a multiple of 128
  CHECK(python(source, "t") == "\"half_t\"");
}

TEST_CASE("sizeof a class is that of its members, where each of them is known") {
  const std::string_view source =
      "template <class T, class L>\nstruct Storage {\n"
      "  alignas(128) cute::ArrayEngine<T, cute::cosize_v<L>> A;\n"
      "  cute::ArrayEngine<T, 3> B;\n"
      "  uint64_t barrier[2];\n"
      "  uint32_t last;\n"
      "  static constexpr int kN = 4;\n"
      "  using Element = T;\n"
      "};\n"
      "using L = Layout<Shape<_10, _10>>;\n"
      "int a = sizeof(Storage<half_t, L>);\n";
  CHECK(cpp(source, "a") == "256");  // 200 bytes to 208, B to 224, the barriers to 240, last to 244, a multiple of 128
  const std::string_view unknown = "template <class T>\nstruct Storage {\n  T x;\n  Other y;\n};\nint a = sizeof(Storage<half_t>);\n";
  CHECK(cpp(unknown, "a").find("its member y") != std::string::npos);
}

TEST_CASE("a struct in shared memory gives its arrays' types") {
  const std::string_view source =
      "template <class T>\nstruct Storage {\n"
      "  cute::ArrayEngine<T, 64> A;\n"
      "  auto tensor() { return make_tensor(make_smem_ptr(A.begin()), Layout<Shape<_8, _8>>{}); }\n};\n"
      "using S = Storage<half_t>;\n"
      "S& smem = *reinterpret_cast<S*>(memory);\n"
      "auto a = make_tensor(make_smem_ptr(smem.A.begin()), Layout<Shape<_8, _8>>{});\n"
      "int n = sizeof(make_tensor_like(a));\n"
      "auto b = smem.tensor();\n"
      "auto c = make_smem_ptr(smem.other);\n";
  CHECK(cpp(source, "n") == "128");
  CHECK(cpp(source, "b") == "(8,8):(1,8)");
  CHECK(cpp(source, "c") == "make_smem_ptr()");
}

TEST_CASE("a name that no type is likely to have is refused as a type, and no number stands for it") {
  CHECK(cpp("GPU_Clock timer;\n", "timer") == "refused: the type GPU_Clock is not known here");
  CHECK(cpp("template <class T>\nvoid f() {\n  T x{3};\n}\n", "x") == "3");
}

TEST_CASE("calls in functions that nothing calls count where there are no others") {
  const std::string_view source =
      "template <class T>\nvoid kernel(T l) {\n  auto x = l;\n}\n"
      "void never() { kernel(make_layout(4)); }\n"
      "void perhaps(int n) { kernel(make_layout(8)); }\n"
      "int main(int argc, char** argv) {\n  int n = 1;\n  if (argc >= 2) n = atoi(argv[1]);\n  if (n == 2) {\n    perhaps(n);\n  }\n}\n";
  CHECK(cpp(source, "x") == "8:1");
}

TEST_CASE("a state of a pipeline goes on with each step, and in a loop it may be another one") {
  const std::string_view source =
      "s = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 2)\n"
      "a = s.index\n"
      "s.advance()\n"
      "b = s.index\n"
      "s.advance()\n"
      "c = s.phase\n"
      "for i in range(3):\n"
      "    d = s.index\n"
      "    s.advance()\n"
      "e = s.index\n";
  CHECK(python(source, "a") == "0");
  CHECK(python(source, "b") == "1");
  CHECK(python(source, "c") == "1");
  CHECK(python(source, "d").starts_with("waits"));
  CHECK(python(source, "e").starts_with("waits"));
  CHECK(cpp("auto s = cutlass::PipelineState<3>();\n++s;\nint i = s.index();\n", "i") == "1");
}

TEST_CASE("a header's class templates are made with the arguments of those who include it") {
  const IncludedText header(
      "template <class T, int kM = 2>\nstruct Traits {\n  using L = decltype(make_layout(Int<kM>{}));\n};\nconstexpr int kN = 4;\n",
      Dialect::cpp);
  const Scope scope = [&](std::string_view name) { return header.find(name); };
  const Explanation made =
      explain("using Tr = Traits<half_t, 8>;\nusing A = Tr::L;\nusing B = typename Traits<float>::L;\nauto c = make_layout(kN);\n", {},
              Dialect::cpp, scope);
  CHECK(fate(made, "A") == "8:1");
  CHECK(fate(made, "B") == "2:1");
  CHECK(fate(made, "c") == "4:1");
}

TEST_CASE("members of a base that do not need what is unknown are known") {
  const std::string_view source =
      "template <int kM, class T = half_t>\nstruct Base {\n  using Element = T;\n  static constexpr int kRows = kM;\n};\n"
      "template <int kM_, class B = Base<kM_>>\nstruct Derived : public B {\n  using E = typename B::Element;\n  static constexpr int kR = "
      "B::kRows;\n};\n";
  CHECK(cpp(source, "E") == "\"half_t\"");
  CHECK(cpp(source, "kR").starts_with("waits"));
}

TEST_CASE("numbers and words of Python stay what they are where a list that was made of them changes") {
  const std::string_view source =
      "n = 4\n"
      "xs = [n, 2]\n"
      "ys = xs\n"
      "xs.append(3)\n"
      "a = cute.make_layout(n)\n"
      "b = ys\n";
  CHECK(python(source, "a") == "4:1");
  CHECK(python(source, "b").starts_with("waits"));
}

TEST_CASE("tensors that are handed on side by side keep the types of their elements") {
  const std::string_view source =
      "a = cute.make_rmem_tensor((4, 8), cutlass.Float16)\n"
      "b = cute.make_rmem_tensor((2, 8), cutlass.Float32)\n"
      "a, b = b, a\n"
      "t = a.element_type\n";
  CHECK(python(source, "t") == "\"float\"");
}

TEST_CASE("a default is a parameter's value where a call leaves it out, and never where every call gives another") {
  const std::string_view source =
      "def build(cluster=(2, 1)):\n"
      "    lay = cute.make_layout(cluster)\n"
      "build((1, 1))\n";
  CHECK(python(source, "lay") == "(1,1):(0,0)");
  CHECK(python(std::string(source) + "build()\n", "lay") == "(2,1):(1,0)");
  CHECK(python(std::string(source) + "build((4, 4))\n", "lay") != "(2,1):(1,0)");
}
