// SPDX-License-Identifier: BSD-3-Clause
// What is advised of bindings: each rule by a binding that breaks it and by one that does not.
#include "app/session/advice/advise.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

const DeviceModel kDevice = find_device_model("H200").value();

struct Named {
  std::string name, text;
  std::vector<std::size_t> block = {};
};

Advised advised(const std::vector<Named>& given) {
  static std::deque<Value> values;  // as long as what points to them
  values.clear();
  AdvisedProgram program;
  std::vector<AdvisedBinding>& bindings = program.bindings;
  for (const Named& each : given) {
    std::vector<Error> warnings;
    Result<Value> value = evaluate(each.text, {}, &warnings);
    AdvisedBinding& made = bindings.emplace_back();
    made.line = bindings.size();
    made.name = each.name;
    made.block = each.block;
    made.warnings = warnings;
    if (value) {
      values.push_back(std::move(*value));
      made.value = &values.back();
    } else {
      made.refusal = value.error().message;
    }
  }
  return advise(program, kDevice);
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const std::string kCopy = "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint32_t>, float>, (32,8):(8,1), 1)";  // 8 lanes along K

}  // namespace

TEST_CASE("a copy into conflicts is found with a layout that has none, and one without conflicts is said to be right") {
  const Advised broken = advised({{"copyA", kCopy}, {"sA", "(128,8):(1,129)"}});
  REQUIRE(broken.findings.size() == 1);
  const Advice& found = broken.findings[0];
  CHECK(found.weight == Advice::Weight::slow);
  CHECK(found.name == "sA");
  CHECK(found.line == 2);
  CHECK(found.times == 4);  // 4 lanes of a wavefront in each bank: m + 129 k, of 4 m and 8 k
  CHECK(has(found.finding, "128 wavefronts in 32 instructions of 8 warps where 32 would do"));
  // The layout that is named serves the same copy as well as can be.
  const std::string better = found.remedy.substr(0, found.remedy.find(": "));
  const Advised mended = advised({{"copyA", kCopy}, {"sA", better}});
  CHECK(mended.findings.empty());
  REQUIRE(mended.fine.size() == 1);
  CHECK(has(mended.fine[0].words, "copyA on sA: cp.async of 4 bytes: 32 wavefronts"));
}

TEST_CASE("a copy is held against what it may fill, and not against another operand, another block or no tile") {
  const std::string layout = "(128,8):(1,129)";
  CHECK(advised({{"copyA", kCopy}, {"sB", layout}}).findings.empty());
  CHECK(advised({{"copyA", kCopy, {1}}, {"sA", layout, {2}}}).findings.empty());
  CHECK(advised({{"copyA", kCopy, {1}}, {"sA", layout, {1, 2}}}).findings.size() == 1);
  CHECK(advised({{"copyA", kCopy}, {"sA", layout, {2}}}).findings.size() == 1);
  CHECK(advised({{"copy", kCopy}, {"sA", layout}, {"sB", layout}}).findings.size() == 2);
  CHECK(advised({{"copyA", kCopy}, {"rows", layout}}).findings.empty());           // nothing says shared memory
  CHECK(advised({{"copyA", kCopy}, {"sA", "(100,8):(1,101)"}}).findings.empty());  // its tiles do not divide it
  CHECK(advised({{"copyA", kCopy}, {"sA", "(128,8,3):(1,129,1032)"}}).findings.size() == 1);
}

TEST_CASE("elements at one place, refused bindings and broken laws are wrong, and stand first") {
  const Advised made = advised({{"copyA", kCopy},
                                {"sA", "(128,8):(1,129)"},
                                {"smem_b", "(8,8):(1,4)"},
                                {"x", "composition((4,8):(8,1), 5"},
                                {"mma", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,(2,4,2,4):(1,8,0,2),16))"}});
  REQUIRE(made.findings.size() == 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(made.findings[i].weight == Advice::Weight::wrong);
  CHECK(made.findings[3].weight == Advice::Weight::slow);
  const auto says = [&](std::string_view name, std::string_view part) {
    return std::any_of(made.findings.begin(), made.findings.end(),
                       [&](const Advice& each) { return each.name == name && has(each.finding, part); });
  };
  CHECK(says("smem_b", "(4,0) and (0,1) both at 4"));
  CHECK(says("x", ""));
  CHECK(says("mma", "threads 0 and 64 both hold"));
}

TEST_CASE("a GEMM's accesses are those of its emulation, and its waves those of the device") {
  const std::string mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), (32,32,16))";
  const std::string tile = "gemm(m=4096, n=4096, k=4096, mma=" + mma + ", cta_tiler=(128,128,64), smem_copy_a=SM75_U32x4_LDSM_N, ";
  const Advised plain = advised({{"g", tile + "sA=(128,64):(64,1), sB=Sw<3,3,3> o 0 o (128,64):(64,1))"}});
  const auto reads =
      std::find_if(plain.findings.begin(), plain.findings.end(), [](const Advice& each) { return has(each.finding, "smem read of A"); });
  REQUIRE(reads != plain.findings.end());
  CHECK(reads->times == 8);  // eight rows of 128 bytes
  CHECK(reads->remedy == "find_smem_layout((128,64), bits=16, read=SM75_U32x4_LDSM_N)");
  const Advised swizzled = advised({{"g", tile + "sA=Sw<3,3,3> o 0 o (128,64):(64,1), sB=Sw<3,3,3> o 0 o (128,64):(64,1))"}});
  CHECK(
      std::none_of(swizzled.findings.begin(), swizzled.findings.end(), [](const Advice& each) { return has(each.finding, "read of A"); }));
  CHECK(
      std::any_of(swizzled.fine.begin(), swizzled.fine.end(), [](const FoundRight& each) { return has(each.words, "g, smem read of A"); }));
  const Advised few = advised({{"g", "gemm(m=128, n=128, k=64, mma=" + mma + ", cta_tiler=(128,128,64))"}});
  CHECK(std::any_of(few.findings.begin(), few.findings.end(), [](const Advice& each) { return has(each.finding, "1 tile on 132 SMs"); }));
}

TEST_CASE("a tile is held against the descriptors of the wgmma around it, and an MMA against wider stores") {
  const std::string mma = "make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>)";
  const Advised broken = advised({{"tiled_mma", mma}, {"sA", "Sw<3,4,3> o 0 o (64,64):(64,1)"}});
  REQUIRE(broken.findings.size() == 1);
  CHECK(broken.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(broken.findings[0].finding, "Sw<3,5,3> over bytes"));
  CHECK(has(broken.findings[0].remedy, "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64))"));
  const Advised right = advised({{"tiled_mma", mma}, {"sA", "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>, (64,64,4))"}});
  CHECK(right.findings.empty());
  REQUIRE(right.fine.size() == 1);
  CHECK(right.fine[0].words == "sA for tiled_mma: B128, stride 1024 bytes");
  CHECK(advised({{"tiled_mma", mma, {1}}, {"sA", "Sw<3,4,3> o 0 o (64,64):(64,1)", {2}}}).findings.empty());

  const Advised narrow = advised({{"mma", "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1))"}});
  REQUIRE(narrow.findings.size() == 1);
  CHECK(narrow.findings[0].weight == Advice::Weight::hint);
  CHECK(advised({{"mma", narrow.findings[0].remedy}}).findings.empty());
}

TEST_CASE("a copy that misses elements of its own tile is wrong, and nothing else is said of it") {
  const std::string twice = "make_tiled_copy_impl(Copy_Atom<UniversalCopy<half_t>, half_t>, ((8,4),4):((2,16),1), (16,8))";
  const Advised made = advised({{"cp", twice}, {"sA", "(16,8):(8,1)"}});
  REQUIRE(made.findings.size() == 1);
  CHECK(made.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(made.findings[0].finding, "62 of 128 elements are missed"));
  CHECK(made.fine.empty());
}

namespace {

// A source, with values for names that it does not define.
struct Source {
  Explanation read;
  Advised said;
  explicit Source(const std::string& text, const std::vector<std::pair<std::string, std::string>>& given = {})
      : read(explain(text, given)), said(advise(program_of(read), kDevice)) {}
};

bool finds(const Advised& said, std::size_t line, std::string_view words) {
  return std::any_of(said.findings.begin(), said.findings.end(),
                     [&](const Advice& each) { return each.line == line && has(each.finding, words); });
}

const std::string kTwoCopies =
    "auto fill = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>,Stride<_8,_1>>{}, "
    "Layout<Shape<_1,_8>>{});\n"
    "auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{});\n"
    "auto take = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);\n"
    "Tensor sX = make_tensor(make_smem_ptr((half_t*)p), Layout<Shape<_64,_64>,Stride<_64,_1>>{});\n";

}  // namespace

TEST_CASE("in a source a copy is held against what its lines partition with it, and against nothing else") {
  CHECK(Source(kTwoCopies).said.findings.empty());  // which of the two meets sX?
  CHECK(Source(kTwoCopies).said.fine.empty());
  const Source reads(kTwoCopies + "auto thr = take.get_slice(threadIdx.x);\nauto part = thr.partition_S(sX);\n");
  REQUIRE(reads.said.findings.size() == 1);
  CHECK(reads.said.findings[0].line == 4);
  CHECK(has(reads.said.findings[0].finding, "take on sX: ldmatrix.x4"));
  CHECK(reads.said.findings[0].times == 8);
  CHECK(reads.said.supposed.empty());  // the thread is a guess, and is all the same for this
  const Source writes(kTwoCopies + "auto part = fill.get_thread_slice(threadIdx.x).partition_D(sX(_,_));\n");
  CHECK(writes.said.findings.empty());
  REQUIRE(writes.said.fine.size() == 1);
  CHECK(has(writes.said.fine[0].words, "fill on sX: STS.128"));
  const Source loads(kTwoCopies + "auto part = fill.get_thread_slice(threadIdx.x).partition_S(sX);\n");
  REQUIRE(loads.said.fine.size() == 1);
  CHECK(has(loads.said.fine[0].words, "fill on sX: LDS.128"));
}

TEST_CASE("what rests on a guessed number or type is said apart, and what rests on a guessed layout not at all") {
  const std::string text =
      "template <class TA> void f() {\n"
      "auto copyA = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<TA>, TA>{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{});\n"
      "auto sA = make_layout(make_shape(_128{}, _8{}), make_stride(_1{}, Int<129>{}));\n}\n";
  const Source guessed(text);
  CHECK(guessed.said.findings.empty());
  REQUIRE(guessed.said.supposed.size() == 1);
  CHECK(guessed.said.supposed[0].guesses == std::vector<std::string>{"TA is float"});
  CHECK(guessed.said.supposed[0].line == 3);
  const Source given(text, {{"TA", "float"}});
  CHECK(given.said.supposed.empty());
  REQUIRE(given.said.findings.size() == 1);
  CHECK(given.said.findings[0].finding == guessed.said.supposed[0].finding);
  const Source unknown(
      "void f() {\nauto sA = make_tensor(make_smem_ptr((half_t*)p), sA_layout);\nauto part = copy_a.get_slice(0).partition_D(sA);\n}\n");
  CHECK(unknown.said.findings.empty());
  CHECK(unknown.said.supposed.empty());
  CHECK(unknown.said.fine.empty());
}

TEST_CASE("a doubt is a guess: a name that a condition may change") {
  const std::string text =
      "int ld = 64;\nif (x) {\n  ld = 72;\n}\n" + kTwoCopies.substr(0, kTwoCopies.rfind("Tensor sX")) +
      "Tensor sX = make_tensor(make_smem_ptr((half_t*)p), make_layout(make_shape(_64{}, _64{}), make_stride(ld, _1{})));\n"
      "auto part = take.get_slice(0).partition_S(sX);\n";
  const Source made(text);
  CHECK(made.said.findings.empty());
  REQUIRE(made.said.fine.size() + made.said.supposed.size() == 1);
  const std::vector<std::string>& guesses = made.said.fine.empty() ? made.said.supposed[0].guesses : made.said.fine[0].guesses;
  REQUIRE(guesses.size() == 1);
  CHECK(has(guesses[0], "line 3 assigns it in a condition"));
}

TEST_CASE("a default is a guess: who calls may say another value") {
  const std::string text =
      "template <int Ld = 64>\nvoid f() {\n" + kTwoCopies.substr(0, kTwoCopies.rfind("Tensor sX")) +
      "Tensor sX = make_tensor(make_smem_ptr((half_t*)p), make_layout(make_shape(_64{}, _64{}), make_stride(Int<Ld>{}, _1{})));\n"
      "auto part = take.get_slice(0).partition_S(sX);\n}\n";
  const Source made(text);
  CHECK(made.said.findings.empty());
  REQUIRE(made.said.fine.size() + made.said.supposed.size() == 1);
  const std::vector<std::string>& guesses = made.said.fine.empty() ? made.said.supposed[0].guesses : made.said.fine[0].guesses;
  REQUIRE(guesses.size() == 1);
  CHECK(guesses[0] == "Ld = 64, its default in line 1");
}

TEST_CASE("a doubt about an object itself is a guess of all that is said of it") {
  const Source made(
      "int rows = 16;\nif (x) {\n  rows = 8;\n}\n"
      "auto copy_a = make_tiled_copy_impl(Copy_Atom<UniversalCopy<half_t>, half_t>{}, make_layout(make_shape(make_shape(rows, 4), 4), "
      "make_stride(make_stride(2, 16), 1)), make_shape(16, 8));\n");
  CHECK(made.said.findings.empty());
  REQUIRE(made.said.supposed.size() == 1);
  CHECK(has(made.said.supposed[0].guesses.at(0), "line 3 assigns it in a condition"));
}

TEST_CASE("a default behind an object is a guess of all that is said of it") {
  const Source made(
      "template <int Rows = 8>\nvoid f() {\n"
      "auto copy_a = make_tiled_copy_impl(Copy_Atom<UniversalCopy<half_t>, half_t>{}, make_layout(make_shape(make_shape(Rows, 4), 4), "
      "make_stride(make_stride(2, 16), 1)), make_shape(16, 8));\n}\n");
  CHECK(made.said.findings.empty());
  REQUIRE(made.said.supposed.size() == 1);
  CHECK(made.said.supposed[0].guesses.at(0) == "Rows = 8, its default in line 1");
}

TEST_CASE("a pair that CuTe cannot cut into threads' parts is wrong, and never right") {
  const Source made(
      "using mma_t = decltype(make_tiled_mma(GMMA::ss_op_selector<half_t, half_t, float, Shape<_192, Int<96>, _64>>(), "
      "Layout<Shape<_1, _2, _1>>{}));\n"
      "auto store = make_tiled_copy_C(Copy_Atom<SM90_U32x4_STSM_N, half_t>{}, mma_t{});\n"
      "Tensor sC = make_tensor(make_smem_ptr((half_t*)nullptr), tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_192{}, "
      "_192{})));\n");
  REQUIRE(made.said.findings.size() == 1);
  CHECK(made.said.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(made.said.findings[0].finding, "must be a multiple of 64"));
  CHECK(made.said.fine.empty());
}

TEST_CASE("an operand is the one as which the source partitions it, whatever it is called") {
  const std::string text =
      "auto mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>{});\n"
      "Tensor sV = make_tensor(make_smem_ptr((half_t*)p), composition(Swizzle<3,4,3>{}, Layout<Shape<_64,_64>,Stride<_64,_1>>{}));\n";
  CHECK(Source(text).said.findings.empty());
  const Source made(text + "auto part = mma.get_slice(threadIdx.x).partition_B(sV);\n");
  CHECK(finds(made.said, 2, "mma cannot read it"));
}

TEST_CASE("lines that bind nothing are looked at too: copies and gemms of parts that do not meet, coordinates beyond, refused layouts") {
  const std::string text = kTwoCopies +
                           "Tensor sY = make_tensor(make_smem_ptr((half_t*)q), Layout<Shape<_128,_64>,Stride<_64,_1>>{});\n"
                           "auto thr = fill.get_slice(threadIdx.x);\n";
  CHECK(Source(text + "copy(fill, thr.partition_S(sX), thr.partition_D(sX));\n").said.findings.empty());
  CHECK(finds(Source(text + "copy(fill, thr.partition_S(sX), thr.partition_D(sY));\n").said, 7,
              "the source ((8,1),4,1) has 4 parts, and the destination ((8,1),8,1) has 8"));
  CHECK(finds(Source(text + "Tensor p = thr.partition_S(sX);\ncopy(fill, p(_,_,3), p(_,_,0));\n").said, 8, "in mode 2 there is no 3"));
  const std::string gemms =
      text + "Tensor tA = mma.get_slice(0).partition_fragment_A(sX);\nTensor tB = mma.get_slice(0).partition_fragment_B(sX);\n";
  CHECK(Source(gemms + "Tensor tC = partition_fragment_C(mma, Shape<_64,_64>{});\ngemm(mma, tA, tB, tC);\n").said.findings.empty());
  CHECK(finds(Source(gemms + "Tensor tC = partition_fragment_C(mma, Shape<_64,_32>{});\ngemm(mma, tA, tB, tC);\n").said, 10, "MMA_N of B"));
  CHECK(finds(Source("auto a = composition(Layout<Shape<_32,_16>,Stride<_1,_36>>{}, make_layout(Int<4>{}, Int<48>{}));\n").said, 1,
              "Stride Divisibility"));
  CHECK(Source("auto a = my_own_function(4);\n").said.findings.empty());  // what is not read is not wrong
}

TEST_CASE("arrays are as long as they were declared, and kernels have the threads that they are launched with") {
  const auto tensor = [](const std::string& array) {
    return "__shared__ half_t smem[" + array +
           "];\nTensor sA = make_tensor(make_smem_ptr(smem), Layout<Shape<_64,_64>,Stride<_64,_1>>{});\n";
  };
  CHECK(Source(tensor("64 * 64")).said.findings.empty());
  CHECK(Source(tensor("64][64")).said.findings.empty());
  CHECK(Source(tensor("")).said.findings.empty());
  CHECK(finds(Source(tensor("64 * 63")).said, 2, "reaches element 4095 of an array of 4032"));
  CHECK(finds(Source("__shared__ float f[1024];\nTensor sA = make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(f)), "
                     "Layout<Shape<_64,_64>,Stride<_64,_1>>{});\n")
                  .said,
              2, "reaches element 4095 of an array of 2048"));
  const auto kernel = [](const std::string& bound) {
    return "__global__ __launch_bounds__(" + bound + ") void k() {\n" + kTwoCopies +
           "auto part = fill.get_slice(threadIdx.x).partition_D(sX);\n}\n";
  };
  CHECK(Source(kernel("128")).said.findings.empty());
  CHECK(Source(kernel("kThreads")).said.findings.empty());
  CHECK(finds(Source(kernel("96, 2")).said, 6, "partitioned among 128 threads, and line 1 launches at most 96"));
}

TEST_CASE("a destination that broadcasts loses what is written, and what a predicate leaves out reaches beyond by intention") {
  const std::string tile =
      "Tensor gX = make_tensor(make_gmem_ptr((half_t*)g), Layout<Shape<_64,_64>,Stride<_0,_1>>{});\n"
      "Tensor r = make_tensor<half_t>(Shape<_64,_64>{});\n";
  CHECK(finds(Source(tile + "copy(r, gX);\n").said, 3, "has 64 elements at each place"));
  CHECK(Source(tile + "copy(gX, r);\n").said.findings.empty());
  const std::string beyond =
      "auto m = make_tensor(make_gmem_ptr((half_t*)g), Layout<Shape<Int<100>,_64>>{});\nauto t = local_tile(m, Shape<_64,_64>{}, "
      "make_coord(1, 0));\n";
  CHECK(finds(Source(beyond).said, 2, "reach beyond"));
  CHECK(Source(beyond + "copy_if(pred, t, r);\n").said.findings.empty());
}

TEST_CASE("a class is known by its other names, and the DSL's atoms of shared memory by their kinds") {
  const Explanation made = explain(
      "struct Traits { static constexpr int kM = 64; };\nusing Tr = Traits;\ntypedef Tr Other;\n"
      "auto a = make_layout(Int<Tr::kM>{});\nauto b = make_layout(Int<Other::kM>{});\n");
  REQUIRE(made.objects.size() == 2);
  CHECK(to_string(made.objects[0].value) == "64:1");
  CHECK(to_string(made.objects[1].value) == "64:1");
  CHECK(made.symbols.empty());
  const Explanation dsl = explain(
      "a = warpgroup.make_smem_layout_atom(cute.nvgpu.warpgroup.SmemLayoutAtomKind.K_SW128, cutlass.Float16)\n"
      "b = tcgen05.make_smem_layout_atom(tcgen05.SmemLayoutAtomKind.MN_INTER, cutlass.Float32)\n"
      "c = cute.make_fragment((4, 8), cutlass.Float32)\n");
  REQUIRE(dsl.objects.size() == 3);
  CHECK(to_string(dsl.objects[0].value) == "Sw<3,3,3> o 0 o (8,64):(64,1)");
  CHECK(to_string(dsl.objects[1].value) == "(4,8):(1,4)");
  CHECK(to_string(dsl.objects[2].value) == "(4,8):(1,4)");
  CHECK(dsl.objects[2].value.element.bits == 32);
}

TEST_CASE("no verdict is certain that rests on a guess or a doubt by another name") {
  const std::string kernel =
      "__global__ __launch_bounds__(kThreads) void k() {\n" + kTwoCopies + "auto part = fill.get_slice(threadIdx.x).partition_D(sX);\n}\n";
  CHECK(Source("constexpr int kThreads = kWarps * 32;\n" + kernel).said.findings.empty());
  CHECK_FALSE(Source("constexpr int kThreads = 3 * 32;\n" + kernel).said.findings.empty());
  const std::string doubted =
      "int n = 32;\nif (b) n = 4;\nTensor a = make_tensor<half_t>(make_layout(Int<8>{}));\n"
      "Tensor c = make_tensor<half_t>(make_layout(n));\ncopy(a, c);\n";
  CHECK(Source(doubted).said.findings.empty());
  const Source written(
      "void f() {\nTensor sA = make_tensor(make_smem_ptr((float*)p), Layout<Shape<_128,_8>,Stride<_8,_1>>{});\n"
      "auto part = local_partition(sA, make_layout(make_shape(bT, _8{})), threadIdx.x);\n}\n");
  CHECK(written.said.findings.empty());
  CHECK(std::none_of(written.said.fine.begin(), written.said.fine.end(), [](const FoundRight& each) { return each.guesses.empty(); }));
  // The same of a known type is certain, also where a guess said it before.
  const auto function = [](const std::string& name, const std::string& type) {
    return "template <class TA> void " + name + "() {\nauto copyA = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<" + type + ">, " +
           type +
           ">{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{});\nauto sA = make_layout(make_shape(_128{}, _8{}), make_stride(_1{}, "
           "Int<129>{}));\n}\n";
  };
  const Source both(function("f", "TA") + function("g", "float"));
  CHECK(both.said.supposed.size() == 1);
  CHECK(both.said.findings.size() == 1);
}

TEST_CASE(
    "what is right in CuTe is not wrong here: broadcasts that are read, other element types, steps backwards, atoms' parts together") {
  CHECK(Source("Tensor sBias = make_tensor(make_smem_ptr((half_t*)p), Layout<Shape<_64,_64>,Stride<_0,_1>>{});\n").said.findings.empty());
  CHECK(Source("Tensor gS = make_tensor(make_gmem_ptr((half_t*)g), Layout<Shape<_16,_4>,Stride<_0,_1>>{});\n"
               "Tensor sS = make_tensor(make_smem_ptr((half_t*)p), Layout<Shape<_16,_4>,Stride<_0,_1>>{});\ncopy(gS, sS);\n")
            .said.findings.empty());
  CHECK(Source("__shared__ uint128_t smem[256];\nTensor sA = make_tensor(make_smem_ptr<float>(smem), Layout<_1024>{});\n")
            .said.findings.empty());
  CHECK(finds(Source("__shared__ uint8_t smem[256];\nTensor sA = make_tensor(make_smem_ptr<float>(smem), Layout<Int<65>>{});\n").said, 2,
              "reaches element 64 of an array of 64"));
  CHECK(Source("__shared__ float smem[64];\nTensor sA = make_tensor(make_smem_ptr(smem + 63), make_layout(Int<64>{}, Int<-1>{}));\n")
            .said.findings.empty());
  const std::string copies =
      "Copy_Atom<UniversalCopy<half_t>, half_t> atom;\nTensor s = make_tensor<half_t>(Shape<_8,Shape<_2,_4>,_1>{});\n"
      "Tensor r = make_tensor<half_t>(Shape<_8,_2,_4>{});\nTensor f = make_tensor<half_t>(Shape<_16,_4>{});\n";
  CHECK(Source(copies + "copy(atom, s, r);\ncopy(AutoVectorizingCopy{}, s, f);\n").said.findings.empty());
}

TEST_CASE("another name of a class ends with its block, and with another meaning of the name") {
  const Explanation made = explain(
      "struct A { static constexpr int kM = 64; };\nvoid f() { using T = A; auto a = make_layout(Int<T::kM>{}); }\n"
      "void h() { auto c = make_layout(Int<T::kM>{}); }\n"
      "using T = A;\ntemplate <class T> void g() { auto b = make_layout(Int<T::kM>{}); }\n");
  REQUIRE(made.objects.size() == 3);
  CHECK(made.objects[0].needs.empty());
  CHECK_FALSE(made.objects[1].needs.empty());
  CHECK_FALSE(made.objects[2].needs.empty());
}

TEST_CASE("elements at one place are found in another stage, too") {
  const Source made("Tensor sA = make_tensor(make_smem_ptr((float*)p), Layout<Shape<_128,_8,_3>,Stride<_1,_132,_1024>>{});\n");
  REQUIRE(made.said.findings.size() == 1);
  CHECK(has(made.said.findings[0].finding, "(100,7,0) and (0,0,1) both at 1024"));
  CHECK(Source("Tensor sA = make_tensor(make_smem_ptr((float*)p), Layout<Shape<_128,_8,_3>,Stride<_1,_132,Int<1056>>>{});\n")
            .said.findings.empty());
}

TEST_CASE("a wide copy of values that do not lie together is wrong: CuTe does not narrow it") {
  const std::string rows = "Tensor sX = make_tensor(make_smem_ptr((half_t*)p), Layout<Shape<_64,_64>,Stride<_1,_64>>{});\n";
  const std::string text = kTwoCopies.substr(0, kTwoCopies.rfind("Tensor sX")) + rows + "auto part = fill.get_slice(0).partition_D(sX);\n";
  const Source made(text);
  REQUIRE(made.said.findings.size() == 1);
  CHECK(made.said.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(made.said.findings[0].finding, "moves 128 bits at once, which do not lie together here"));
}

TEST_CASE("a copy that could take the same with far fewer instructions is slow, with the one that does") {
  const auto source = [](const std::string& atom, const std::string& values) {
    return "auto c = make_tiled_copy(Copy_Atom<UniversalCopy<" + atom + ">, float>{}, Layout<Shape<_32,_8>>{}, Layout<Shape<" + values +
           ",_1>>{});\nTensor gA = make_tensor(make_gmem_ptr((float*)g), Layout<Shape<_128,_8>,Stride<_1,Int<4096>>>{});\n"
           "Tensor sA = make_tensor(make_smem_ptr((float*)p), Layout<Shape<_128,_8>>{});\nauto t = c.get_slice(threadIdx.x);\n"
           "auto a = t.partition_S(gA);\nauto b = t.partition_D(sA);\n";
  };
  CHECK(finds(Source(source("float", "_1")).said, 1, "c from gA to sA: 64 instructions where 16 would do"));
  CHECK(Source(source("uint128_t", "_4")).said.findings.empty());
}

TEST_CASE("parts of local_partition are looked at as their threads take them, one element after the other") {
  const auto source = [](const std::string& swizzle) {
    return "__shared__ float p[1024];\nTensor sM = make_tensor(make_smem_ptr(p), composition(" + swizzle +
           "{}, Layout<Shape<_32,_32>,Stride<_32,_1>>{}));\nauto thr = make_layout(make_shape(_32{}, _8{}));\n"
           "Tensor mine = local_partition(sM, thr, threadIdx.x);\n";
  };
  CHECK(finds(Source(source("Swizzle<3,2,3>")).said, 2, "threads thr on sM"));
  const Source right(source("Swizzle<5,0,5>"));
  CHECK(right.said.findings.empty());
  REQUIRE(right.said.fine.size() == 1);
  CHECK(has(right.said.fine[0].words, "threads thr on sM: STS: 32 wavefronts in 32 instructions"));
}

TEST_CASE("which thread or block runs is no guess on which a finding rests, in C++ and in the DSL") {
  const std::string dsl =
      "tidx, _, _ = cute.arch.thread_idx()\nbidx, bidy, _ = cute.arch.block_idx()\n"
      "atom = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128)\n"
      "c = cute.make_tiled_copy_tv(atom, cute.make_layout((32, 8)), cute.make_layout((1, 8)))\n"
      "mA = cute.make_tensor(cute.make_ptr(cutlass.Float16, 0, cute.AddressSpace.gmem), cute.make_layout((4096, 4096), stride=(4096, 1)))\n"
      "gA = cute.local_tile(mA, (32, 64), (bidx, bidy))\nthr = c.get_slice(tidx)\ntAgA = thr.partition_S(gA)\n";
  const Source made(dsl);
  CHECK(made.said.supposed.empty());
  REQUIRE(made.said.findings.size() == 1);
  CHECK(made.said.findings[0].line == 6);
  CHECK(has(made.said.findings[0].finding, "sectors"));
}

TEST_CASE("copies that find their width are as wide as the compiler makes them, and lanes take swizzled tiles in step") {
  const std::string thr_val = ", half_t>, (32,1):(1,0), (1,8))";
  for (const std::string& atom : {std::string("AutoVectorizingCopyWithAssumedAlignment<128>"), std::string("DefaultCopy")}) {
    const Advised plain = advised({{"copyA", "make_tiled_copy(Copy_Atom<" + atom + thr_val}, {"sA", "(32,64):(64,1)"}});
    REQUIRE(plain.findings.size() == 1);
    CHECK(has(plain.findings[0].finding, "STS.128: 256 wavefronts in 8 instructions"));
    const Advised swizzled = advised({{"copyA", "make_tiled_copy(Copy_Atom<" + atom + thr_val}, {"sA", "Sw<3,3,3> o 0 o (32,64):(64,1)"}});
    CHECK(swizzled.findings.empty());
    REQUIRE(swizzled.fine.size() == 1);
    CHECK(has(swizzled.fine[0].words, "STS.128: 32 wavefronts in 8 instructions"));
  }
}

TEST_CASE("copies are held against global memory too, in sectors") {
  const std::string copy = "make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>, (4,32):(32,1))";
  const Advised slow = advised({{"copy_a", copy}, {"gA", "make_tensor(make_gmem_ptr(float), (64,64):(1,4096))"}});
  REQUIRE(slow.findings.size() == 1);
  CHECK(slow.findings[0].times == 8);
  CHECK(has(slow.findings[0].finding, "4096 sectors"));
  CHECK(advised({{"copy_a", copy}, {"gA", "make_tensor(make_gmem_ptr(float), (64,64):(4096,1))"}}).findings.empty());
}

TEST_CASE("an instruction that cannot take its operand's layout is wrong, a thread's part is no tile, and a name that hides is a hint") {
  const std::string async = "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, half_t>, (16,8):(8,1), (1,8))";
  const Advised broken = advised({{"copyA", async}, {"sA", "Sw<3,2,3> o 0 o (64,64):(64,1)"}});
  REQUIRE(broken.findings.size() == 1);
  CHECK(broken.findings[0].weight == Advice::Weight::wrong);
  CHECK(has(broken.findings[0].finding, "beside each other"));
  CHECK(advised({{"copyA", async}, {"tAsA", "make_tensor(make_smem_ptr(half_t), (64,64):(64,1))"}}).fine.empty());
  const Advised twice =
      advised({{"copyA", async}, {"sA_layout", "(64,64):(64,1)"}, {"sA", "make_tensor(make_smem_ptr(half_t), (64,64):(64,1))"}});
  CHECK(twice.findings.size() + twice.fine.size() == 1);
}

TEST_CASE("tensors of coordinates are no loads: no bank and no sector is told of them") {
  const std::string copies =
      "auto copyA = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>, Stride<_8,_1>>{}, "
      "Layout<Shape<_1,_8>>{});\nauto thr = copyA.get_slice(threadIdx.x);\n";
  for (const char* name : {"gA", "sA", "cA"}) {
    CAPTURE(name);
    const std::string tensor = std::string("auto ") + name + " = make_identity_tensor(make_shape(Int<128>{}, Int<64>{}));\n";
    for (const char* part : {"auto part = thr.partition_S(", "auto part = thr.partition_D("}) {
      const Source source(copies + tensor + part + name + ");\n");
      CHECK(source.said.findings.empty());
      CHECK(source.said.fine.empty());
    }
    const Source source(copies + tensor + "auto part = local_partition(" + name + ", Layout<Shape<_16,_8>>{}, threadIdx.x);\n");
    CHECK(source.said.findings.empty());
    CHECK(source.said.fine.empty());
  }
  CHECK(advised({{"copyA", "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8):(8,1), (1,8))"},
                 {"sA", "make_identity_tensor((128,64))"},
                 {"gA", "make_identity_tensor((128,64))"}})
            .fine.empty());
}

TEST_CASE("an automatic copy between two tiles is as wide as both allow, as check_copy says") {
  const auto source = [](const std::string& pitch) {
    return Source(
        "auto copyA = make_tiled_copy(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<128>, half_t>{}, Layout<Shape<_16,_8>, "
        "Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{});\n"
        "auto gA = make_tensor(make_gmem_ptr((half_t*)nullptr), Layout<Shape<_128,_64>, " +
        pitch +
        ">{});\n"
        "auto sA = make_tensor(make_smem_ptr((half_t*)nullptr), Layout<Shape<_128,_64>, Stride<_64,_1>>{});\n"
        "auto thr = copyA.get_slice(threadIdx.x);\nauto a = thr.partition_S(gA);\nauto b = thr.partition_D(sA);\n");
  };
  const auto told = [](const Source& of, std::string_view words) {
    return std::any_of(of.said.fine.begin(), of.said.fine.end(), [&](const FoundRight& each) { return has(each.words, words); }) ||
           std::any_of(of.said.findings.begin(), of.said.findings.end(), [&](const Advice& each) { return has(each.finding, words); });
  };
  CHECK(told(source("Stride<_64,_1>"), "copyA on gA: LDG.128"));
  CHECK(told(source("Stride<_1,_128>"), "copyA on gA: LDG.U16"));            // nothing in common
  CHECK(told(source("Stride<Int<65>,_1>"), "LDG.128 faults when it runs"));  // the next row of a thread is 16 on: 1040
}
