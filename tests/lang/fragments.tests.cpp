// SPDX-License-Identifier: BSD-3-Clause
// Lines that were cut out of a program: their commas and operators, the names that nobody gave a value, and what belongs to another
// library.
#include <string>
#include <string_view>

#include <fmt/format.h>
#include "core/lang/syntax/naming.hpp"
#include "tests/support/catch.hpp"

#include "core/lang/programs/likely.hpp"
#include "core/lang/programs/snippet.hpp"

namespace tessera {
namespace {

// "refused: ...", "passed over: ...", or the values with their names, "needs" behind them.
std::string answered(std::string_view text) {
  std::string made;
  const tessera::SnippetAnswer answer = evaluate_snippet(text);
  for (const StatementAnswer& each : answer.statements) {
    if (!made.empty()) made += "; ";
    if (each.refused) made += "refused: " + each.refused->message;
    if (!each.statement.reason.empty()) made += "passed over: " + each.statement.reason;
    for (const auto& [name, value] : each.values) made += (name.empty() ? "" : name + " = ") + to_string(value);
    for (std::size_t i = 0; i < each.needs.size(); ++i) made += (i == 0 ? " needs " : ", ") + each.needs[i];
  }
  return made;
}

}  // namespace

TEST_CASE("a line of a Python call is read without the commas and operators that belong to its neighbours") {
  struct Fragment {
    std::string_view text, answer;
  };
  const Fragment fragments[] = {
      {"cute.size((4, 8)),", "32"},
      {"* cute.size((4, 8))", "32"},
      {"+ cute.cosize((4,8):(8,1)),", "32"},
      {") * cute.size((4, 8))", "32"},
      {"== cute.size((4, 8), mode=[1])", "8"},
      {"else cute.size((4, 8))", "32"},
      {"cute.size((4, 8)), cute.size(6)", "32; 6"},
      {"layout=cute.make_layout((8, 2)),", "layout = (8,2):(1,8)"},
      {"cute.size(4), stride=cute.make_layout(3)", "4; stride = 3:1"},
      {"grid = *cute.ceil_div((100, 60), (32, 32)), 1", "grid = (4,2,1)"},
      {"a, b = (4, 8)", "a = 4b = 8"},
      {"return cute.size((4, 8))", "32"},
      {"cute.size((4, 8))]", "32"},
  };
  for (const Fragment& each : fragments) {
    INFO(each.text);
    CHECK(answered(each.text) == each.answer);
  }
}

TEST_CASE("the rest of a C++ call is its arguments, one by one") {
  CHECK(answered("Layout<Shape<_32>>{},   // threads\n Layout<Shape<_1,_8>>{});") == "(32):(1); (1,8):(0,1)");
}

TEST_CASE("what belongs to another library is passed over with its name") {
  CHECK(answered("using Kernel = cutlass::gemm::kernel::GemmUniversal<A, B>;") ==
        "passed over: a type of another library: cutlass::gemm::kernel::GemmUniversal");
  CHECK(answered("auto s = make_layout(helpers::pick_shape<4>(x));") == "passed over: a function of another library: helpers::pick_shape");
  CHECK(answered("s = cute.make_layout(sm90_utils.pick_shape(x))") == "passed over: a function of another library: sm90_utils.pick_shape");
  CHECK(answered("auto t = make_tma_copy_im2col(op, x);").starts_with("passed over: a TMA copy that is not known here"));
  // CuTe's own names keep their namespaces, and so do CUTLASS's types of numbers.
  CHECK(answered("auto s = cute::make_layout(cute::make_shape(cute::_4{}, cute::_8{}));") == "s = (4,8):(1,4)");
  CHECK(answered("auto n = cute::sizeof_bits_v<cutlass::half_t>;") == "n = 16");
  CHECK(answered("auto m = ::cutlass::gemm::detail::is_major<0, Stride<_1,_64>>();") == "m = true");
}

TEST_CASE("CUTLASS's shapes are shapes, which a remark says, with members that are products of their extents") {
  const tessera::SnippetAnswer answer = evaluate_snippet("using WarpShape = cutlass::gemm::GemmShape<64, 32, 16>;");
  REQUIRE(answer.statements.size() == 1);
  REQUIRE(answer.statements[0].values.size() == 1);
  CHECK(to_string(answer.statements[0].values[0].second) == "(64,32,16)");
  REQUIRE(answer.statements[0].warnings.size() == 1);
  CHECK(answer.statements[0].warnings[0].message.find("a type of CUTLASS, read as the shape (64,32,16)") != std::string::npos);
  CHECK(answered("using R = cutlass::MatrixShape<4, 64>;") == "R = (4,64)");
  CHECK(answered("using P = cutlass::layout::PitchLinearShape<64, 4>; auto n = P::kContiguous - P::kStrided;") == "P = (64,4); n = 60");
  CHECK(answered("using G = cutlass::gemm::GemmShape<64, 32>;") == "G = (64,32,1)");  // extents that are left out are 1
  CHECK(answered("using M = cutlass::MatrixShape<4>;").starts_with("refused: "));
  struct Member {
    std::string_view name, value;
  };
  // Different extents, so that no two members have the same product.
  const Member members[] = {{"kM", "2"},   {"kN", "3"},   {"kK", "5"},    {"kMN", "6"},
                            {"kMK", "10"}, {"kKN", "15"}, {"kMNK", "30"}, {"kCount", "30"}};
  for (const Member& each : members)
    CHECK(answered(fmt::format("using G = cutlass::gemm::GemmShape<2,3,5>; auto n = G::{};", each.name)) ==
          fmt::format("G = (2,3,5); n = {}", each.value));
  CHECK(answered("using M = cutlass::MatrixShape<2,3>; auto n = (M::kRow, M::kColumn, M::kCount);") == "M = (2,3); n = (2,3,6)");
  CHECK(answered("auto n = Shape::kN;") == "n = 128 needs Shape");
  CHECK(answered("using M = cutlass::MatrixShape<2,3>; auto n = M::kK;").find("refused: ") != std::string::npos);
}

TEST_CASE("an element of a program's array is one name, which a value can be given to") {
  CHECK(answered("auto l = make_layout(make_shape(N, K, 1), stride_B_host.at(i));").ends_with(" needs N, K, stride_B_host.at(i)"));
  CHECK(answered("auto l = make_layout(make_shape(N, K, 1), stride_B_host[i]);").ends_with(" needs N, K, stride_B_host[i]"));
  SnippetOptions options;
  options.guess = false;
  options.given = {{"stride_B_host[i]", "(7,1)"}, {"strides.at(g+1)", "(1,9)"}};
  const auto given = [&](std::string_view text) {
    const tessera::SnippetAnswer answer = evaluate_snippet(text, options);
    const StatementAnswer& last = answer.statements.back();
    return last.refused ? "refused: " + last.refused->message : to_string(last.values[0].second);
  };
  CHECK(given("auto l = make_layout(make_shape(4, 5), stride_B_host[ i ]);") == "(4,5):(7,1)");
  CHECK(given("auto l = make_layout(make_shape(4, 5), strides.at(g + 1));") == "(4,5):(1,9)");
  CHECK(given("auto l = make_layout(make_shape(4, 5), stride_B_host[j]);").find("stride_B_host[j] is not defined") != std::string::npos);
  // What has a value is indexed, and a number is a mode's.
  CHECK(given("auto s = make_shape(4, 5); auto i = 1; auto x = s[i];") == "5");
  CHECK(answered("auto x = shape_of_it[0];").ends_with(" needs shape_of_it"));
}

TEST_CASE("an assertion is not guessed false where other likely values make it true") {
  const tessera::SnippetAnswer answer =
      evaluate_snippet("CUTE_STATIC_ASSERT_V(congruent(make_shape(M, K), dA));\nauto l = make_layout(make_shape(M, K), dA);");
  REQUIRE(answer.statements.size() == 2);
  CHECK(answer.statements[0].warnings.empty());
  REQUIRE(answer.symbols.size() == 3);
  CHECK(answer.symbols[2].name == "dA");
  CHECK(answer.symbols[2].likely == "(64,1)");  // of two modes, as the shape has
  CHECK(!answer.statements[1].refused);
  // None makes this true, and it is said with some of them.
  const SnippetAnswer never = evaluate_snippet("CUTE_STATIC_ASSERT_V(rank(dB) == Int<77>{});");
  REQUIRE(never.statements.size() == 1);
  CHECK(never.statements[0].warnings.size() == 1);
}

TEST_CASE("an atom takes its types from names, and a name without a value is asked for") {
  CHECK(answered("using T = half_t; auto mma = UniversalFMA<T, T, T, T>{};") ==
        "T = \"half_t\"; mma = UniversalFMA<half_t,half_t,half_t,half_t>");
  const tessera::SnippetAnswer answer = evaluate_snippet("auto copy = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<TA>, TA>{};");
  REQUIRE(answer.symbols.size() == 1);
  CHECK(answer.symbols[0].name == "TA");
  CHECK(answer.symbols[0].likely == "float");  // two bytes are no cp.async
  // A pointer is no extent, and a layout no origin of a tensor.
  CHECK(answered("auto s = make_shape(make_gmem_ptr(half_t), 4);").starts_with("refused: make_shape: "));
  CHECK(answered("auto t = make_tensor(make_gmem_ptr(half_t), make_shape(4, 8), 64:1);").starts_with("refused: "));
  CHECK(answered("auto c = UniversalCopy<uint_bit_t<8 * sizeof(half_t)>>{};") == "c = Copy_Traits<UniversalCopy<uint16_t>>");
}

TEST_CASE("every likely value has a value, and one fits tensors of up to seven modes") {
  CHECK(likely_values("x").size() > 30);
  for (int rank = 1; rank <= 7; ++rank) {
    std::string coord = "0";
    for (int i = 1; i < rank; ++i) coord += ",_";
    INFO(coord);
    const tessera::SnippetAnswer answer = evaluate_snippet(fmt::format("auto part = some_tensor({});", coord));
    REQUIRE(answer.statements.size() == 1);
    CHECK_FALSE(answer.statements[0].refused);
  }
  CHECK(names_a_tensor("tCsA"));
  CHECK(names_a_tensor("smem_layout"));
  CHECK_FALSE(names_a_tensor("bM"));
}

// Answers of CuTe itself, compiled for the host.
TEST_CASE("the registers for a part of a swizzled tensor follow whether its thread is known when it is compiled") {
  const auto fragment = [](std::string_view atom, std::string_view shape, std::string_view last) {
    const std::string text =
        "auto mma = make_tiled_mma(SM80_16x8x16_F16F16F16F16_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{});\n"
        "auto atom = composition(" +
        std::string(atom) +
        ");\n"
        "Tensor sA = make_tensor(make_smem_ptr((half_t*)nullptr), tile_to_shape(atom, " +
        std::string(shape) + "{}));\n" + std::string(last);
    const SnippetAnswer answer = evaluate_snippet(text);
    const StatementAnswer* made = answer.last();
    return made && !made->values.empty() ? to_string(made->values.back().second) : std::string("none");
  };
  constexpr const char* kSw128 = "Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}";
  constexpr const char* kSw64 = "Swizzle<2,3,3>{}, Layout<Shape<_8,_32>, Stride<_32,_1>>{}";
  CHECK(fragment(kSw128, "Shape<_128,_64>", "print(mma.get_slice(threadIdx.x).partition_fragment_A(sA).layout());") ==
        "((2,2,2),4,(2,2)):((1,2,4),8,(32,64))");
  CHECK(fragment(kSw128, "Shape<_128,_64>", "print(mma.get_slice(_0{}).partition_fragment_A(sA).layout());") ==
        "((2,2,2),4,4):((1,2,4),32,8)");
  CHECK(fragment(kSw128, "Shape<_128,_64>", "print(mma.get_slice(0).partition_fragment_B(sA).layout());") ==
        "((2,2),8,(2,2)):((1,2),4,(32,64))");
  CHECK(fragment(kSw64, "Shape<_128,_32>", "print(mma.get_slice(threadIdx.x).partition_fragment_A(sA).layout());") ==
        "((2,2,2),4,2):((1,2,4),8,32)");
  CHECK(fragment(kSw128, "Shape<_128,_64>",
                 "auto copy = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);\n"
                 "Tensor rA = mma.get_slice(threadIdx.x).partition_fragment_A(sA);\n"
                 "print(copy.get_slice(threadIdx.x).retile_D(rA).layout());") == "((8,1),4,4):((1,0),8,32)");
}

}  // namespace tessera
