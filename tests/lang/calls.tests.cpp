// SPDX-License-Identifier: BSD-3-Clause
// A file's own calls say what the parameters of its functions and classes are; functions that return a value can be called.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/lang/programs/calls.hpp"
#include "core/lang/programs/explain_program.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// "64:1" of the last statement that binds the name; "waits: ..." and "refused: ..." where it has no certain value.
std::string fate(const Explanation& made, std::string_view name) {
  std::string found = "none";
  for (const AccountEntry& each : made.account) {
    if (std::find(each.names.begin(), each.names.end(), name) == each.names.end()) continue;
    found = each.fate == AccountEntry::Fate::valued ? each.words : fmt::format("{}: {}", to_string(each.fate), each.words);
  }
  return found;
}

std::string cpp(std::string_view source, std::string_view name, const std::vector<Entry>& entries = {}) {
  return fate(explain(source, {}, Dialect::cpp, {}, entries), name);
}
std::string python(std::string_view source, std::string_view name, const std::vector<Entry>& entries = {}) {
  return fate(explain(source, {}, Dialect::python, {}, entries), name);
}

// "f: 8,9 differ in m" of each function that is called.
std::string calls(std::string_view source, Dialect language, const std::vector<Entry>& entries = {}) {
  std::string text;
  for (const CalledFunction& each : explain(source, {}, language, {}, entries).called) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", each.path, fmt::join(each.calls, ","));
    if (!each.differs.empty()) text += fmt::format(" differ in {}", fmt::join(each.differs, ","));
    if (each.chosen > 0) text += fmt::format(" takes {}", each.chosen);
  }
  return text;
}

constexpr std::string_view kKernel = R"(template <class L>
__global__ void kernel(L l, int n) {
  auto x = make_layout(n);
  auto y = L{};
}
)";

}  // namespace

TEST_CASE("a function that is called once has the arguments of its call") {
  CHECK(cpp("void f(int m, int n = 2) {\n  auto x = make_layout(make_shape(m, n));\n}\nvoid g() { f(8); }\n", "x") ==
        "(8,2):(1,8); with m = 8, as in the call in line 4; with n = 2, its default in line 1");
  CHECK(cpp("template <int N, class T = half_t>\nvoid f() {\n  auto x = make_layout(Int<N>{});\n}\nint main() { f<16>(); }\n", "x") ==
        "16:1; with N = 16, as in the call in line 5");
  CHECK(python("def f(m, n=2):\n    x = cute.make_layout((m, n))\n\nf(n=4, m=8)\n", "x") ==
        "(8,4):(1,8); with m = 8, as in the call in line 4; with n = 4, as in the call in line 4");
  // What the call computes.
  CHECK(cpp("void f(int m) {\n  auto x = make_layout(m);\n}\nvoid g() {\n  constexpr int k = 4;\n  f(k * 8);\n}\n", "x") ==
        "32:1; with m = 32, as in the call in line 6");
  // One call gives what the next one hands on.
  CHECK(cpp("void f(int m) {\n  auto x = make_layout(m);\n}\nvoid g(int n) { f(n + 1); }\nvoid h() { g(7); }\n", "x") ==
        "8:1; with m = 8, as in the call in line 4; with n = 7, as in the call in line 5");
}

TEST_CASE("launches, names of kernels and launchers are calls") {
  const std::string text(kKernel);
  for (const std::string_view call :
       {"kernel<<<grid, 128>>>(make_layout(Int<4>{}), 8);", "kernel<Layout<_4>><<<grid, 128>>>(make_layout(Int<4>{}), 8);",
        "auto k = kernel<Layout<_4>>; k<<<1, 2>>>(make_layout(Int<4>{}), 8);",
        "void const* k = reinterpret_cast<void const*>(&kernel<Layout<_4>>); launch_kernel_on_cluster(params, k, make_layout(Int<4>{}), "
        "8);",
        "cudaLaunchKernelEx(&config, kernel<Layout<_4>>, make_layout(Int<4>{}), 8);"}) {
    CAPTURE(call);
    const std::string source = fmt::format("{}void run() {{ {} }}\n", text, call);
    CHECK(cpp(source, "x") == "8:1; with n = 8, as in the call in line 6");
    CHECK(cpp(source, "y").starts_with("4:1; with L = 4:1, as in the call in line 6"));
  }
  // What takes a kernel and something else is no launch.
  CHECK(cpp(text + "void run() { cudaFuncSetAttribute(kernel<Layout<_4>>, attribute, 8); }\n", "x").starts_with("waits: for n"));
}

TEST_CASE("a template's parameters are deduced from what is given") {
  CHECK(cpp("template <class TA, class AStride>\nvoid f(TA const* A, AStride dA) {\n  auto x = make_layout(make_shape(4, 8), AStride{});\n"
            "  using T = TA;\n}\nint main() {\n  thrust::device_vector<half_t> a(64);\n  f(a.data().get(), make_stride(8, 1));\n}\n",
            "x")
            .starts_with("(4,8):(8,1); with AStride = (8,1), as in the call in line 8"));
  CHECK(cpp("template <class TA>\nvoid f(TA const* A) {\n  using T = TA;\n}\nint main() {\n  thrust::device_vector<half_t> a(64);\n"
            "  f(a.data().get());\n}\n",
            "T") == "\"half_t\"; with TA = half_t, as in the call in line 7");
  // Of overloads the one whose types are those of the arguments.
  CHECK(cpp("void f(float const* A, int m) {\n  auto x = make_layout(m);\n}\nvoid f(half_t const* A, int m) {\n  auto y = "
            "make_layout(m);\n}\n"
            "int main() {\n  thrust::device_vector<half_t> a(64);\n  f(a.data().get(), 8);\n}\n",
            "y") == "8:1; with m = 8, as in the call in line 9");
}

TEST_CASE("of several calls that is used in which they agree, unless one is chosen") {
  constexpr std::string_view kTwo =
      "void f(int m, int n) {\n  auto x = make_layout(m);\n  auto y = make_layout(n);\n}\nvoid g() {\n  f(4, 8);\n  f(5, 8);\n}\n";
  CHECK(cpp(kTwo, "x").starts_with("waits: for m"));
  CHECK(cpp(kTwo, "y") == "8:1; with n = 8, as in all its calls");
  CHECK(calls(kTwo, Dialect::cpp) == "f: 6,7 differ in m");
  CHECK(cpp(kTwo, "x", {{"f", 7}}) == "5:1; with m = 5, as in the call in line 7");
  CHECK(calls(kTwo, Dialect::cpp, {{"f", 7}}) == "f: 6,7 takes 7");
  // A default that one call replaces is one of its values.
  CHECK(python("def f(m, n=2):\n    x = cute.make_layout(n)\n\nf(4)\nf(4, 5)\n", "x") == "2:1; with n = 2, its default in line 1");
  // A call whose argument is not known has no default in its place.
  CHECK(python("def f(n=2):\n    x = cute.make_layout(n)\n\nf(unknown())\n", "x").starts_with("waits: for n"));
}

TEST_CASE("a call in a branch that the other calls exclude does not count") {
  constexpr std::string_view kBranches =
      "void f(int m) {\n  auto x = make_layout(m);\n}\nvoid g(int n) {\n  if (n == 1) {\n    f(4);\n  } else {\n    f(5);\n  }\n}\n"
      "void h() { g(1); }\n";
  CHECK(cpp(kBranches, "x") == "4:1; with m = 4, as in the call in line 6");
  // Neither does one in a function that is only called there.
  CHECK(cpp("void f(int m) {\n  auto x = make_layout(m);\n}\nvoid a() { f(4); }\nvoid b() { f(5); }\nvoid g(int n) {\n  if (n == 1) {\n"
            "    a();\n  } else {\n    b();\n  }\n}\nvoid h() { g(2); }\n",
            "x") == "5:1; with m = 5, as in the call in line 5");
  // Neither does one in a function that nothing calls, where the program begins in main.
  CHECK(cpp("void f(int m) {\n  auto x = make_layout(m);\n}\nvoid a() { f(4); }\nvoid b() { f(5); }\nint main() { b(); }\n", "x") ==
        "5:1; with m = 5, as in the call in line 5");
  // What the branch assigns that holds is the value behind it.
  CHECK(cpp("void g(int n) {\n  int ld = 0;\n  if (n == 1) {\n    ld = 4;\n  } else if (n == 2) {\n    ld = 5;\n  } else {\n    ld = 6;\n  "
            "}\n"
            "  auto x = make_layout(ld);\n}\nvoid h() { g(2); }\n",
            "x") == "5:1; with n = 2, as in the call in line 12");
}

TEST_CASE("a call sees no names of its caller") {
  CHECK(cpp("constexpr int n = 4;\nint f() { return n; }\nvoid g() {\n  int n = 9;\n  auto x = make_layout(f());\n}\n", "x") == "4:1");
  CHECK(cpp("int f() { return n; }\nvoid g() {\n  int n = 9;\n  auto x = make_layout(f());\n}\n", "x").starts_with("refused: in f: "));
}

TEST_CASE("functions return values") {
  CHECK(cpp("constexpr int up(int a, int b) { return (a + b - 1) / b; }\nauto x = make_layout(Int<up(10, 4)>{});\n", "x") == "3:1");
  CHECK(cpp("template <class T>\nconstexpr int lanes() { return 128 / sizeof_bits_v<T>; }\nauto x = make_layout(Int<lanes<half_t>()>{});\n",
            "x") == "8:1");
  CHECK(cpp("int f(int n) {\n  if (n > 4) return 1;\n  return 2;\n}\nint x = f(3);\n", "x") == "2");
  CHECK(cpp("int f(int n) {\n  if (n > 4) {\n    return 1;\n  }\n  return 2;\n}\nint x = f(5);\n", "x") == "1");
  CHECK(cpp("int f(int n) {\n  if (n > limit) {\n    return 1;\n  }\n  return 2;\n}\nint x = f(5);\n", "x") ==
        "refused: in f: line 3 returns in a condition or a loop that is not known");
  CHECK(cpp("int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) {\n    s += i;\n  }\n  return s;\n}\nint x = f(5);\n", "x")
            .starts_with("refused: in f: s: line 4 assigns it in a loop"));
  CHECK(cpp("int f(int n) { return n < 2 ? 1 : f(n - 1); }\nint x = f(5);\n", "x") ==
        "refused: in f: f in line 1 calls itself, which is not followed");
  CHECK(python("def f(m, n=2):\n    return cute.make_layout((m, n))\n\nx = f(4)\ny = f(n=3, m=5)\n", "y") == "(5,3):(1,5)");
  CHECK(python("def f(m):\n    return m, m + 1\n\na, b = f(4)\n", "b") == "a = 4; b = 5");
}

TEST_CASE("classes are made with the arguments that they are given") {
  constexpr std::string_view kTraits =
      "template <int M_ = 128, class T_ = half_t>\nstruct Traits {\n  static constexpr int kM = M_;\n  using T = T_;\n"
      "  enum { kTwice = 2 * M_, kMore };\n  using L = Layout<Int<M_>>;\n  static auto at(int k) { return make_layout(Int<M_>{}, k); "
      "}\n};\n";
  const std::string text(kTraits);
  CHECK(cpp(text + "using Tr = Traits<64>;\nauto x = typename Tr::L{};\n", "x") == "64:1");
  CHECK(cpp(text + "auto x = make_layout(Int<Traits<32, float>::kM>{});\n", "x") == "32:1");
  CHECK(cpp(text + "using A = Traits<64>;\nusing B = Traits<32>;\nauto x = make_layout(make_shape(A::kTwice, B::kMore));\n", "x") ==
        "(128,65):(1,128)");
  CHECK(cpp(text + "using Tr = Traits<64>;\nauto x = Tr::at(3);\n", "x") == "64:3");
  CHECK(cpp(text + "struct D : public Traits<16> {\n  static constexpr int kN = 3;\n};\nint x = D::kM + D::kN;\n", "x") == "19");
  CHECK(cpp(text + "template <class Tr>\nstruct User {\n  static constexpr int k = Tr::kM;\n};\nint x = User<Traits<8>>::k;\n", "x") ==
        "8");
  CHECK(
      cpp("struct Cfg {\n  static constexpr int kM = 48;\n};\ntemplate <class Tr>\nvoid f() {\n  auto x = make_layout(Int<Tr::kM>{});\n}\n"
          "void g() { f<Cfg>(); }\n",
          "x") == "48:1; with Tr = Cfg, as in the call in line 8");
  CHECK(cpp(text + "template <>\nstruct Traits<4> {\n  static constexpr int kM = 5;\n};\nint x = Traits<4>::kM;\n", "x")
            .starts_with("refused"));
}

TEST_CASE("an object of Python has what its class was made with") {
  constexpr std::string_view kClass = R"(class K:
    WARPS = 4
    def __init__(self, tile, stages=3):
        self.tile = tile
        self.threads = self.WARPS * 32
        self.lay = self._make(tile)
    def _make(self, n):
        return cute.make_layout((n, self.WARPS))
    @cute.jit
    def __call__(self, mA: cute.Tensor, n: cutlass.Constexpr):
        sA = cute.make_layout((self.tile, n))
        self.kernel(sA, k=n).launch(grid=(1, 1, 1), block=(self.threads, 1, 1))
    @cute.kernel
    def kernel(self, sl, k):
        x = cute.composition(sl, cute.make_layout(k))
)";
  const std::string text(kClass);
  CHECK(python(text, "self.threads") == "128");
  CHECK(python(text + "g = K(96)\n", "self.lay") == "(96,4):(1,96); with tile = 96, as in the call in line 16");
  CHECK(python(text + "g = K(96)\ng(a, 2)\n", "sA").starts_with("(96,2):(1,96)"));
  CHECK(python(text + "g = K(96)\ncute.compile(g, a, 2)\n", "x").starts_with("2:1; with "));
  CHECK(python(text + "a = K(96)\nb = K(64)\nz = b.tile\n", "z") == "64");
  CHECK(python(text + "b = K(64)\nz = b._make(5)\n", "z") == "(5,4):(1,5)");
}

TEST_CASE("what a method has of its object by a call does not stay when the call changes") {
  // Before build's own call is known, its default makes the object; setup is called with that, and must not hand it on for ever.
  const std::string text = R"(import cutlass.cute as cute
class Kernel:
    def __init__(self, two):
        self.two = two
    def setup(self):
        self.atoms = cute.make_layout(8 if self.two else 4)
    @cute.jit
    def __call__(self, a):
        self.setup()
        self.tiles = self.atoms
def build(a, two: bool = True):
    kernel = Kernel(two)
    kernel(a)
def run(two):
    build(1, two)
if __name__ == "__main__":
    run(False)
)";
  CHECK(python(text, "self.atoms").substr(0, 3) == "4:1");
  CHECK(python(text, "self.tiles").substr(0, 3) == "4:1");
}

TEST_CASE("what is asked of the command line has the program's own value without one") {
  CHECK(cpp("int main(int argc, char** argv) {\n  int m = 8;\n  if (argc >= 2)\n    sscanf(argv[1], \"%d\", &m);\n  auto x = "
            "make_layout(m);\n}\n",
            "x") == "8:1; with m = 8, unless the command line says another in line 3");
  CHECK(cpp("int main(int argc, char** argv) {\n  int m = 8;\n  if (argc > 1) {\n    m = atoi(argv[1]);\n  }\n  auto x = "
            "make_layout(m);\n}\n",
            "x") == "8:1; with m = 8, unless the command line says another in line 4");
  CHECK(python("import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument(\"--tile-m\", type=int, default=64)\n"
               "parser.add_argument(\"--fast\", action=\"store_true\")\nargs = parser.parse_args()\nx = cute.make_layout(args.tile_m)\n"
               "y = args.fast\n",
               "x") == "64:1; with args has the defaults of its options");
}

TEST_CASE("enumerators have the values that C++ counts") {
  CHECK(cpp("enum class Mode { A = 3, B };\nint x = (int)Mode::B;\n", "x") == "4");
  CHECK(cpp("enum { zero, one };\nint x = one;\n", "x") == "1");
  CHECK(cpp("struct Tr {\n  enum { kPipe = 4 };\n};\nint x = Tr::kPipe;\n", "x") == "4");
}

TEST_CASE("what depends on the thread is shown for the first one") {
  CHECK(cpp("int x = threadIdx.x / 32;\n", "x") == "0; with threadIdx.x = 0, the first thread");
  CHECK(python("tidx, _, _ = cute.arch.thread_idx()\nx = tidx % 4\n", "x").ends_with("with arch.thread_idx = (0,0,0), the first thread"));
  CHECK(python("r = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())\nx = cute.make_layout((2, 4)).get_flat_coord(r)\n", "x")
            .ends_with("with arch.block_idx_in_cluster = 0, the first block"));
  // No condition is decided by that.
  CHECK(
      cpp("int n = 4;\nif (threadIdx.x == 0) {\n  n = 8;\n}\nauto x = make_layout(n);\n", "x").starts_with("waits: n: line 3 assigns it"));
}

TEST_CASE("a call that a person writes gives parameters their values, as given ones") {
  constexpr std::string_view kTraits =
      "template <int N, class T = half_t, class Base = Layout<Shape<Int<N>>>>\nstruct Traits {\n"
      "  using L = Layout<Shape<Int<N>, _2>>;\n  using M = Base;\n};\n";
  const Explanation made = explain(kTraits, {}, Dialect::cpp, {}, {{"Traits", 0, "Traits<8>"}});
  REQUIRE(made.objects.size() == 2);  // and none of the call itself
  CHECK(to_string(made.objects[0].value) == "(8,2):(1,8)");
  CHECK(made.objects[0].source == ValueSource::given);
  CHECK(made.objects[0].given == std::vector<std::string>{"N"});
  CHECK(to_string(made.objects[1].value) == "(8):(1)");
  CHECK(made.objects[1].source == ValueSource::given);
  for (const AccountEntry& each : made.account) CHECK(each.line <= 6);
  REQUIRE(made.called.size() == 1);
  CHECK(made.called[0].written == "Traits<8>");
  CHECK(made.called[0].calls.empty());
  // It comes before the text's own calls, and what these give stays as they say.
  constexpr std::string_view kCalled = "void f(int m) {\n  auto x = make_layout(m);\n}\nvoid g() { f(8); f(16); }";
  CHECK(cpp(kCalled, "x") == "waits: for m; with m = 128 it is 128:1");
  CHECK(cpp(kCalled, "x", {{"f", 0, "f(24)"}}) == "24:1; with m as given");
  // Python's classes are made by their names.
  CHECK(python("class Kernel:\n    def __init__(self, m, stages=2):\n        self.x = cute.make_layout((m, stages))\n", "self.x",
               {{"Kernel", 0, "Kernel(8)"}}) == "(8,2):(1,8); with stages = 2, its default in line 2; with m as given");
}

TEST_CASE("what a call hands on rests on what its arguments rest on") {
  const Explanation made =
      explain("template <int N>\nvoid f() {\n  auto x = make_layout(Int<N>{});\n}\nvoid g() { f<2 * M>(); }\n", {{"M", "4"}}, Dialect::cpp);
  REQUIRE(made.objects.size() == 1);
  CHECK(made.objects[0].source == ValueSource::given);
  CHECK(made.objects[0].given == std::vector<std::string>{"M"});
}
