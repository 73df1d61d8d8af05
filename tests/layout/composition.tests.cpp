// SPDX-License-Identifier: BSD-3-Clause
// composition: the refusals that make it trustworthy, and the cases that the formula must not lose.
#include "core/layout/algebra.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/layout/fit.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

bool mentions(const Error& error, std::string_view text) {
  if (error.message.find(text) != std::string::npos) return true;
  return std::any_of(error.notes.begin(), error.notes.end(), [&](const std::string& n) { return n.find(text) != std::string::npos; });
}

// The definition, written anew. A number is a coordinate as in C++: / and % toward zero, the last mode takes the rest.
std::int64_t by_definition(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& stride, std::int64_t x) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k + 1 < shape.size(); ++k) {
    sum += x % shape[k] * stride[k];
    x /= shape[k];
  }
  return sum + x * stride.back();
}

std::int64_t by_definition(const Layout& layout, std::int64_t x) {
  return by_definition(leaf_values(layout.shape()), leaf_values(layout.stride()), x);
}

// Flat layouts of one or two modes with these extents and strides.
std::vector<Layout> small_layouts(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides) {
  std::vector<Layout> modes, all;
  for (const std::int64_t s : extents) {
    for (const std::int64_t d : strides) modes.push_back(Layout::trusted(s, d));
  }
  all = modes;
  for (const Layout& first : modes) {
    for (const Layout& second : modes) all.push_back(make_layout({first, second}));
  }
  return all;
}

}  // namespace

TEST_CASE("Strides below zero compose as C++ divides, toward zero") {
  const std::pair<std::pair<Layout, Layout>, const char*> cases[] = {
      {{"(1,(2,4)):(0,(-1,512))"_layout, "2:-1"_layout}, "2:1"}, {{"(1,(2,4)):(0,(-1,512))"_layout, "4:-1"_layout}, "(2,2):(1,-512)"},
      {{"(4,4):(1,100)"_layout, "2:-1"_layout}, "2:-1"},         {{"(4,4):(1,100)"_layout, "4:-2"_layout}, "(2,2):(-2,-100)"},
      {{"(2,3):(2,1)"_layout, "6:-1"_layout}, "(2,3):(-2,-1)"},  {{"((6,4),(8,1)):((32,8),(1,8))"_layout, "2:-1"_layout}, "2:-32"},
  };
  for (const auto& [operands, expected] : cases) {
    INFO(expected);
    CHECK(to_string(must(composition(operands.first, operands.second))) == expected);
  }
}

TEST_CASE("A composition is CuTe's exactly where that equals A(B(i)), also below zero") {
  std::vector<Layout> as = small_layouts({2, 3, 4}, {1, -1, 5, 12});
  for (const char* text : {"(1,(2,4)):(0,(-1,512))", "((6,4),(8,1)):((32,8),(1,8))", "(2,3,4):(12,1,3)", "(4,2,2):(-1,64,8)"})
    as.push_back(must(Reader(text).layout()));
  const std::vector<Layout> bs = small_layouts({1, 2, 3, 4, 6}, {-12, -6, -5, -4, -2, -1, 0, 1, 2, 4});
  int right = 0, wrong = 0;
  for (const Layout& a : as) {
    for (const Layout& b : bs) {
      const auto cute = composition_unchecked(a, b);
      if (!cute) continue;
      bool holds = true;
      for (std::int64_t i = 0; i < b.size(); ++i) holds = holds && by_definition(*cute, i) == by_definition(a, by_definition(b, i));
      const auto answer = composition(a, b);
      if (answer.has_value() != holds || (answer && *answer != *cute)) {
        INFO(to_string(a) << " o " << to_string(b) << " is " << to_string(*cute));
        CHECK(answer.has_value() == holds);
      }
      ++(holds ? right : wrong);
    }
  }
  CHECK(right > 100000);
  CHECK(wrong > 10000);
}

TEST_CASE("A composition whose modes carry is refused at the first wrong coordinate") {
  const auto r = composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout);
  REQUIRE_FALSE(r.has_value());
  CHECK(r.error().code == ErrorCode::breaks_law);
  CHECK(mentions(r.error(), "at coordinate (2,1) that layout gives 7, but A(B) there is A(7) = 8"));
  CHECK(mentions(r.error(), "no layout of B's profile computes A(B(i))"));
}

TEST_CASE("A composition whose digits do not fit is refused, though each divisibility condition holds") {
  const auto r = composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout);
  REQUIRE_FALSE(r.has_value());
  CHECK(r.error().code == ErrorCode::breaks_law);
  CHECK(mentions(r.error(), "at coordinate 2 that layout gives 3, but A(B) there is A(6) = 7"));
}

TEST_CASE("Where a layout does compute the function it is offered") {
  // -5 is (-1,-1) in (4,4), and CuTe rounds -5/4 to -2; any two values make a layout
  const auto r = composition("(4,4):(1,100)"_layout, "2:-5"_layout);
  REQUIRE_FALSE(r.has_value());
  CHECK(mentions(r.error(), "at coordinate 1 that layout gives -200, but A(B) there is A(-5) = -101"));
  CHECK(mentions(r.error(), "does compute A(B(i))"));
}

TEST_CASE("What CuTe refuses to compile is refused by its condition in words") {
  const auto shape = composition("(2,16,1):(16,1,0)"_layout, "(5):(1)"_layout);
  REQUIRE_FALSE(shape.has_value());
  CHECK(shape.error().code == ErrorCode::not_divisible);
  CHECK(mentions(shape.error(), "Shape Divisibility Condition"));
  const auto stride = composition("(16,3,1):(3,1,48)"_layout, "(8):(24)"_layout);
  REQUIRE_FALSE(stride.has_value());
  CHECK(mentions(stride.error(), "Stride Divisibility Condition"));
}

TEST_CASE("Large compositions are proven from their digits, in no time") {
  const Layout a = "(1024,1024,1024):(1048576,1,1024)"_layout;
  const auto r = composition(a, "(4096,262144):(262144,1)"_layout);
  REQUIRE(r.has_value());
  CHECK(to_string(*r) == "(4096,(1024,256)):(256,(1048576,1))");
}

TEST_CASE("Large compositions that carry are refused with a coordinate, or as beyond what is compared") {
  const auto r = composition("(6,200000):(1,7)"_layout, "(3,200000):(2,3)"_layout);
  REQUIRE_FALSE(r.has_value());
  CHECK(r.error().code == ErrorCode::breaks_law);
}

TEST_CASE("Basis strides pick the mode of A that they name") {
  CHECK(to_string(must(composition("(4,(2,4)):(8,(4,1))"_layout, "(4,8):(1@0,1@1)"_layout))) == "(4,(2,4)):(8,(4,1))");
  CHECK(to_string(must(composition("(8,4):(1@0,1@1)"_layout, "(4,2):(8,1)"_layout))) == "(4,2):(1@1,1@0)");
  const auto beyond = composition("(4,2):(1,4)"_layout, "4:1@2"_layout);
  REQUIRE_FALSE(beyond.has_value());
  CHECK(beyond.error().code == ErrorCode::rank_mismatch);
}

TEST_CASE("A tiler acts mode by mode; modes beyond its rank are dropped") {
  const Layout a = "(8,16,2):(16,1,128)"_layout;
  CHECK(to_string(must(composition(a, "(2,4)"_tiler))) == "(2,4):(16,1)");
  CHECK(to_string(must(composition(a, "(_,4:2)"_tiler))) == "(8,4):(16,2)");
  CHECK_FALSE(composition(a, "(1,1,1,1)"_tiler).has_value());
}

TEST_CASE("Divides answer as CuTe does by default and refuse a broken law when asked") {
  const Layout a = "((2,4,2),12):((0,0,1),2)"_layout;
  CHECK(to_string(must(logical_divide(a, Tiler(6)))) == "(6,(2,24)):(0,(0,1))");
  const auto strict = logical_divide(a, Tiler(6), Law::checked);
  REQUIRE_FALSE(strict.has_value());
  CHECK(strict.error().code == ErrorCode::breaks_law);
}

TEST_CASE("A layout is read off its values when there is one") {
  CHECK(to_string(*fit_layout({0, 2, 1, 3}, 4)) == "(2,2):(2,1)");
  CHECK(to_string(*fit_layout({0, 1, 2, 10, 11, 12}, "(3,2)"_tuple)) == "(3,2):(1,10)");
  CHECK_FALSE(fit_layout({0, 1, 3, 4, 9}, 5).has_value());
  CHECK_FALSE(fit_layout({1, 2}, 2).has_value());
}

TEST_CASE("Strides that leave 64 bits are refused") {
  const auto r = composition("(4,4):(1,1152921504606846976)"_layout, "2:64"_layout);
  REQUIRE_FALSE(r.has_value());
  CHECK(r.error().code == ErrorCode::overflow);
}
