// SPDX-License-Identifier: BSD-3-Clause
// Lines that were cut out of a program: their commas and operators, the names that nobody gave a value, and what belongs to another
// library.
#include <fmt/format.h>
#include "tests/support/catch.hpp"

#include "core/lang/likely.hpp"
#include "core/lang/snippet.hpp"

namespace tessera {
namespace {

// "refused: ...", "passed over: ...", or the values with their names, "needs" behind them.
std::string answered(std::string_view text) {
  std::string made;
  const SnippetAnswer answer = evaluate_snippet(text);
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
  CHECK(answered("using WarpShape = cutlass::gemm::GemmShape<64, 64, 32>;") ==
        "passed over: a type of another library: cutlass::gemm::GemmShape");
  CHECK(answered("using Shape1 = cutlass::MatrixShape<4, 64>;") == "passed over: a type of another library: cutlass::MatrixShape");
  CHECK(answered("auto s = make_layout(helpers::pick_shape<4>(x));") == "passed over: a function of another library: helpers::pick_shape");
  CHECK(answered("s = cute.make_layout(sm90_utils.pick_shape(x))") == "passed over: a function of another library: sm90_utils.pick_shape");
  CHECK(answered("Tensor m = params.tma_load.get_tma_tensor(make_shape(M,N));").starts_with("passed over: a TMA copy"));
  // CuTe's own names keep their namespaces, and so do CUTLASS's types of numbers.
  CHECK(answered("auto s = cute::make_layout(cute::make_shape(cute::_4{}, cute::_8{}));") == "s = (4,8):(1,4)");
  CHECK(answered("auto n = cute::sizeof_bits_v<cutlass::half_t>;") == "n = 16");
  CHECK(answered("auto m = ::cutlass::gemm::detail::is_major<0, Stride<_1,_64>>();") == "m = true");
}

TEST_CASE("an atom takes its types from names, and a name without a value is asked for") {
  CHECK(answered("using T = half_t; auto mma = UniversalFMA<T, T, T, T>{};") ==
        "T = \"half_t\"; mma = UniversalFMA<half_t,half_t,half_t,half_t>");
  const SnippetAnswer answer = evaluate_snippet("auto copy = Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<TA>, TA>{};");
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
    const SnippetAnswer answer = evaluate_snippet(fmt::format("auto part = some_tensor({});", coord));
    REQUIRE(answer.statements.size() == 1);
    CHECK_FALSE(answer.statements[0].refused);
  }
  CHECK(is_likely_tensor("tCsA"));
  CHECK(is_likely_tensor("smem_layout"));
  CHECK_FALSE(is_likely_tensor("bM"));
}

}  // namespace tessera
