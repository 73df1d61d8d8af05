// SPDX-License-Identifier: BSD-3-Clause
// Many statements of C++, of Python and of our own notation: names bind, what has no value becomes a symbol, tensors go from link to link.
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

#include "core/lang/programs/explain_program.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

std::string value_of(const SnippetAnswer& answer, std::string_view name) {
  std::string text = "(none)";
  for (const StatementAnswer& each : answer.statements) {
    for (const auto& [bound, value] : each.values) {
      if (bound == name) text = to_string(value);
    }
  }
  return text;
}

std::string refusals_of(const SnippetAnswer& answer) {
  std::string text;
  for (const StatementAnswer& each : answer.statements) {
    if (each.refused) text += fmt::format("line {}: {}\n", each.statement.line, each.refused->message);
  }
  return text;
}

// One listing of a small GEMM on Volta's quad-pairs: everything a thread of the kernel sees. 64x16 and 96x16 tiles, sA padded, sB
// interleaved.
constexpr std::string_view kListing = R"(
#include <cute/tensor.hpp>
using namespace cute;
using TA = half_t; using TB = half_t; using TC = float;
auto M = Int<128>{}; auto N = Int<192>{}; auto K = Int<64>{};
auto bM = Int< 64>{};
auto bN = Int< 96>{};
auto bK = Int< 16>{};
auto cta_tiler = make_shape(bM, bN, bK);                       // (BLK_M, BLK_N, BLK_K)
Tensor mA = make_tensor(make_gmem_ptr<TA>(A), make_shape(M, K), make_stride(K, Int<1>{}));
Tensor mB = make_tensor(make_gmem_ptr<TB>(B), make_shape(N, K), make_stride(Int<1>{}, N));
Tensor mC = make_tensor(make_gmem_ptr<TC>(C), make_shape(M, N), make_stride(N, Int<1>{}));
auto cta_coord = make_coord(1, 1, _);
Tensor gA = local_tile(mA, cta_tiler, cta_coord, Step<_1, X,_1>{});  // (BLK_M,BLK_K,k)
Tensor gB = local_tile(mB, cta_tiler, cta_coord, Step< X,_1,_1>{});
Tensor gC = local_tile(mC, cta_tiler, cta_coord, Step<_1,_1, X>{});
auto sA_layout = make_layout(make_shape(bM, bK), make_stride(Int<1>{}, bM + Int<2>{}));
auto sB_layout = Layout<Shape<Shape<_4,_24>,_16>, Stride<Stride<_1,_64>,_4>>{};
__shared__ TA smemA[cosize_v<decltype(sA_layout)>];
__shared__ TB smemB[cosize_v<decltype(sB_layout)>];
Tensor sA = make_tensor(make_smem_ptr(smemA), sA_layout);
Tensor sB = make_tensor(make_smem_ptr(smemB), sB_layout);
TiledMMA mma = make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{});
ThrMMA thr_mma = mma.get_slice(17);
Tensor tCsA = thr_mma.partition_A(sA);
Tensor tCsB = thr_mma.partition_B(sB);
Tensor tCgC = thr_mma.partition_C(gC);
Tensor tCrA = thr_mma.make_fragment_A(tCsA);
Tensor tCrB = thr_mma.make_fragment_B(tCsB);
Tensor tCrC = thr_mma.make_fragment_C(tCgC);
clear(tCrC);
copy(tCsA, tCrA);
copy(tCsB, tCrB);
gemm(mma, tCrA, tCrB, tCrC);
axpby(1.0f, tCrC, 0.0f, tCgC);
)";

}  // namespace

TEST_CASE("a listing of a kernel gives every tensor in it, and each begins where the coordinates say") {
  const SnippetAnswer answer = evaluate_snippet(kListing);
  CHECK(refusals_of(answer).empty());
  CHECK(value_of(answer, "cta_tiler") == "(64,96,16)");
  // Row 64 of A begins 64 * 64 elements behind it, row 96 of B, whose rows are contiguous, at 96.
  CHECK(value_of(answer, "gA") == "make_tensor(gmem_ptr[16b](unset) + 4096, (64,16,4):(64,1,16))");
  CHECK(value_of(answer, "gB") == "make_tensor(gmem_ptr[16b](unset) + 96, (96,16,4):(1,192,3072))");
  CHECK(value_of(answer, "gC") == "make_tensor(gmem_ptr[32b](unset) + 12384, (64,96):(192,1))");
  CHECK(value_of(answer, "sA") == "(64,16):(1,66)");
  // The same partitions by functions of layouts alone.
  const std::string mma = "make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN, (2,2,1))";
  const auto layout = [](const std::string& text) {
    const auto made = evaluate(text);
    INFO(text << (made ? "" : made.error().message));
    REQUIRE(made.has_value());
    return std::get<Tensor>(made->any);
  };
  const Tensor part = layout(fmt::format("partition_C({}, (64,96):(192,1), 17)", mma));
  CHECK(value_of(answer, "tCgC") ==
        fmt::format("make_tensor(gmem_ptr[32b](unset) + {}, {})", 12384 + part.offset.value(), to_string(part.layout)));
  CHECK(value_of(answer, "tCrC") == to_string(Layout::make_compact(shape(part.layout)).value()));
  CHECK(answer.symbols.empty());  // the addresses A, B and C need no value
}

TEST_CASE("the tile of a tile is where both coordinates say, whatever the layout") {
  for (const std::string_view tensor : {"(64,32):(32,1)", "((8,8),32):((1,256),8)", "Sw<2,3,3> o 0 o (64,32):(32,1)", "(64,32):(1,72)"}) {
    for (int tile = 0; tile < 4; ++tile) {
      const std::string text = fmt::format(
          "let m = {}\nlet outer = local_tile(m, (32,16), ({},{}))\nlet inner = local_tile(outer, (8,8), (3,1))\ninner(5,6)\n"
          "m({},{})",
          tensor, tile / 2, tile % 2, 32 * (tile / 2) + 24 + 5, 16 * (tile % 2) + 8 + 6);
      const SnippetAnswer answer = evaluate_snippet(text);
      INFO(text << "\n" << refusals_of(answer));
      REQUIRE(answer.statements.size() == 5);
      REQUIRE(answer.statements[3].values.size() == 1);
      REQUIRE(answer.statements[4].values.size() == 1);
      CHECK(to_string(answer.statements[3].values[0].second) == to_string(answer.statements[4].values[0].second));
    }
  }
}

TEST_CASE("statements of three languages bind the same values") {
  const std::string_view cpp =
      "auto a = make_layout(make_shape(Int<8>{}, 4));  // (m,n) -> i\nusing B = Layout<Shape<_2,_2>>;\nauto [x, y] = "
      "make_shape(3, 5);\nprint(composition(a, B{}));\nstatic_assert(size(a) == 32);";
  const std::string_view python =
      "a = cute.make_layout((8, 4))  # (m,n) -> i\nB = cute.make_layout((2, 2))\nx, y = (3, 5)\nprint(cute."
      "composition(a, B))\nassert cute.size(a) == 32";
  const std::string_view own = "let a = (8,4):(1,8)\nlet B = (2,2):(1,2)\nlet x, y = (3,5)\ncomposition(a, B)\nassert size(a) == 32";
  for (const std::string_view text : {cpp, python, own}) {
    const SnippetAnswer answer = evaluate_snippet(text);
    INFO(text);
    CHECK(refusals_of(answer).empty());
    CHECK(value_of(answer, "a") == "(8,4):(1,8)");
    CHECK(value_of(answer, "B") == "(2,2):(1,2)");
    CHECK(value_of(answer, "y") == "5");
    REQUIRE(answer.last() != nullptr);
    CHECK(to_string(answer.last()->values.back().second) == "(2,2):(1,2)");
  }
}

TEST_CASE("names without a value become symbols, and the likely values are of the kind that is needed") {
  const SnippetAnswer answer = evaluate_snippet(
      "auto sA = make_layout(make_shape(bM, bK));\nauto x = thr_mma.partition_C(gC);\nauto T = Layout<Shape<Int<kWide>>>{};");
  CHECK(refusals_of(answer).empty());
  REQUIRE(answer.symbols.size() == 5);
  CHECK(answer.symbols[0].name == "bM");
  CHECK(answer.symbols[4].name == "kWide");
  CHECK(answer.statements[0].needs == std::vector<std::string>{"bM", "bK"});
  // What is given is not guessed.
  SnippetOptions options;
  options.given = {{"bM", "96"}, {"bK", "8"}};
  const SnippetAnswer given = evaluate_snippet("auto sA = make_layout(make_shape(bM, bK));", options);
  CHECK(given.symbols.empty());
  CHECK(value_of(given, "sA") == "(96,8):(1,96)");
  options.guess = false;
  CHECK(refusals_of(evaluate_snippet("size(sA)", options)).find("sA is not defined") != std::string::npos);
}

TEST_CASE("what is not evaluated is passed over with a word and its line") {
  const SnippetAnswer answer = evaluate_snippet(
      "#include <cute/tensor.hpp>\ntemplate <class T>\n__global__ void kernel(T* a) {\n  auto x = 1;\n  for (;;) { }\n}\nauto y = 2;\nfor "
      "(int i = 0; "
      "i < 4; ++i) {\n  y = 3;\n}\nprint(y);");
  std::vector<std::string> words;
  for (const StatementAnswer& each : answer.statements) {
    if (each.statement.kind == Statement::Kind::passed_over)
      words.push_back(fmt::format("{} {}", each.statement.line, each.statement.reason));
  }
  CHECK(words == std::vector<std::string>{"1 an #include", "2 a kernel", "8 a loop"});
  CHECK(value_of(answer, "y") == "2");
}

TEST_CASE("an assertion that does not hold is refused, and a later use of a refused name says so") {
  const SnippetAnswer answer =
      evaluate_snippet("let a = (4,8):(8,1)\nassert size(a) == 33\nlet b = coalesce(nothing)\nlet c = size(b)", [] {
        SnippetOptions options;
        options.guess = false;
        return options;
      }());
  REQUIRE(answer.statements.size() == 4);
  REQUIRE(answer.statements[1].refused);
  CHECK(answer.statements[1].refused->message == "this does not hold: size(a) == 33");
  REQUIRE(answer.statements[3].refused);
  CHECK(answer.statements[3].refused->message.find("b has no value") != std::string::npos);
}

TEST_CASE("a function means what its names meant where it was written, and cannot call itself") {
  const SnippetAnswer answer =
      evaluate_snippet("let k = 4\nlet tile(m, n) = make_layout((m, n * k))\ntile(2, 3)\nlet loop(n) = loop(n)\nloop(1)", [] {
        SnippetOptions options;
        options.guess = false;
        return options;
      }());
  REQUIRE(answer.statements.size() == 5);
  REQUIRE(answer.statements[2].values.size() == 1);
  CHECK(to_string(answer.statements[2].values[0].second) == "(2,12):(1,2)");
  CHECK(answer.statements[4].refused.has_value());
}

TEST_CASE("explain finds the objects inside of functions") {
  const Explanation made = explain(
      "__global__ void k() {\n  auto sA = make_layout(make_shape(Int<128>{}, Int<64>{}), LayoutRight{});\n  auto sB = "
      "composition(Swizzle<3,3,3>{}, "
      "sA);\n  auto c = make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{}, "
      "Layout<Shape<_1,_8>>{});\n}\n");
  REQUIRE(made.objects.size() == 3);
  CHECK(made.objects[0].line == 2);
  CHECK(made.objects[2].name == "c");
  CHECK(made.uses.empty());
}

TEST_CASE("explain says which tensors a source cuts into threads' parts, by what and how they were written") {
  const Explanation made = explain(R"(
auto copy = make_tiled_copy(Copy_Atom<UniversalCopy<half_t>, half_t>{}, Layout<Shape<_32,_8>>{});
auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{});
Tensor sX = make_tensor(make_smem_ptr((half_t*)p), make_layout(make_shape(_128{}, _64{}, _3{})));
auto thr = copy.get_slice(threadIdx.x);
Tensor a = thr.partition_D(sX(_,_,0));
Tensor b = mma.get_slice(0).partition_B(sX);
auto shape = partition_shape_C(mma, make_shape(_128{}, _128{}));
)");
  REQUIRE(made.uses.size() == 2);
  CHECK(made.uses[0].line == 6);
  CHECK(made.uses[0].what.part == 'D');
  CHECK(made.uses[0].what.tensor_text == "sX(_,_,0)");
  CHECK(std::holds_alternative<std::shared_ptr<const TiledCopy>>(made.uses[0].what.by.any));
  CHECK(made.uses[1].what.part == 'B');
  CHECK(made.uses[1].what.tensor_text == "sX");
  CHECK(std::get<std::shared_ptr<const TiledMma>>(made.uses[1].what.by.any) ==
        std::get<std::shared_ptr<const TiledMma>>(made.objects[1].value.any));
}

TEST_CASE("what a kernel asserts of its parameters decides what they are taken for") {
  // Each assertion is held by more than one kind of value; together they leave a block's tile, its layouts and strides of two modes.
  const Explanation made = explain(R"(
__global__ void k(ProblemShape shape_MNK, CtaTiler cta_tiler, TA const* A, AStride dA, CSmemLayout sC_layout, TiledCopyA copy_a, TiledMma mma) {
  CUTE_STATIC_ASSERT_V(rank(cta_tiler) == Int<3>{});
  CUTE_STATIC_ASSERT_V(size(copy_a) == size(mma));
  static_assert(is_static<CSmemLayout>::value);
  CUTE_STATIC_ASSERT_V(size<0>(CSmemLayout{}) == size<0>(cta_tiler));
  CUTE_STATIC_ASSERT_V(size<1>(CSmemLayout{}) == size<1>(cta_tiler));
  CUTE_STATIC_ASSERT_V(congruent(select<0,2>(shape_MNK), dA));
  Tensor mA = make_tensor(make_gmem_ptr(A), select<0,2>(shape_MNK), dA);
  Tensor gA = local_tile(mA, cta_tiler, make_coord(blockIdx.x, blockIdx.y, _), Step<_1, X,_1>{});
  Tensor tAgA = copy_a.get_slice(threadIdx.x).partition_S(gA);
}
)");
  CHECK(made.unexplained.empty());
  const auto likely = [&](std::string_view name) {
    for (const Symbol& symbol : made.symbols) {
      if (symbol.name == name) return symbol.likely;
    }
    return std::string("(none)");
  };
  CHECK(likely("dA") == "(64,1)");
  CHECK(likely("cta_tiler") == "(128,128,64)");
  CHECK(likely("CSmemLayout") == "(128,128):(1,128)");  // (128,64) satisfied its first assertions, and not the one of mode 1
  CHECK(likely("copy_a").starts_with("make_tiled_copy("));
  CHECK(likely("threadIdx.x") == "(none)");  // every kernel has a first thread: that is no guess
  REQUIRE(made.objects.size() == 3);
  CHECK(made.objects[2].stated == std::vector<std::string>{"blockIdx.x = 0, the first block", "blockIdx.y = 0, the first block",
                                                           "threadIdx.x = 0, the first thread"});
  CHECK(to_string(made.objects[0].value) == "(128,64):(64,1)");
}

TEST_CASE("explain makes another guess where later lines refuse the first one") {
  // The first two lines take a layout of two modes, the last one shows that it has a third: stages.
  const Explanation made = explain(R"(
__global__ void k(ASmemLayout sA_layout) {
  CUTE_STATIC_ASSERT_V(size<0>(sA_layout) == Int<128>{});
  Tensor sA = make_tensor(make_smem_ptr(smem), sA_layout);
  Tensor part = make_tensor_like(sA(_,_,0));
}
)");
  CHECK(made.unexplained.empty());
  REQUIRE(made.objects.size() == 2);
  CHECK(to_string(made.objects[0].value) == "(128,64,3):(64,1,8192)");
  CHECK(to_string(made.objects[1].value) == "make_tensor(make_rmem_ptr(), (128,64):(64,1))");
  CHECK(made.objects[1].needs == std::vector<std::string>{"sA_layout"});  // still a guess, and said to be one
}

}  // namespace tessera
