// SPDX-License-Identifier: BSD-3-Clause
// Two layouts are the same function, or the first thing in which they differ is named: ranks, sizes of modes, values.
#include "core/layout/same.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

std::string parts(const AnyLayout& a, const AnyLayout& b) {
  const std::optional<LayoutDifference> found = first_difference(a, b).value();
  return found ? to_string(*found) : "";
}

}  // namespace

TEST_CASE("how a mode is nested does not make another function") {
  CHECK(parts("(4,8):(8,1)"_layout, "((2,2),8):((8,16),1)"_layout).empty());
  CHECK(parts("(4,(2,4)):(2,(1,8))"_layout, "((4),(2,(2,2))):((2),(1,(8,16)))"_layout).empty());
  CHECK(parts("(4,8):(0,1)"_layout, "((2,2),8):((0,0),1)"_layout).empty());
}

TEST_CASE("the number and the sizes of the modes come before any value") {
  CHECK(parts("(4,8):(1,4)"_layout, "32:1"_layout) == "the first has 2 modes, the second 1");
  CHECK(parts("(4,8):(1,4)"_layout, "(8,4):(1,8)"_layout) == "mode 0 has 4 coordinates in the first and 8 in the second");
  // The values of the smaller one are those of the larger one there.
  CHECK(parts("(4,8):(1,4)"_layout, "(4,9):(1,4)"_layout) == "mode 1 has 8 coordinates in the first and 9 in the second");
  CHECK(parts("(4,9):(1,4)"_layout, "(4,8):(1,4)"_layout) == "mode 1 has 9 coordinates in the first and 8 in the second");
}

TEST_CASE("the first coordinate that differs is named, the first mode fastest") {
  CHECK(parts("(4,8):(8,1)"_layout, "(4,8):(9,1)"_layout) == "at (1,0) the first gives 8 and the second 9");
  CHECK(parts("(4,8):(8,1)"_layout, "(4,8):(8,2)"_layout) == "at (0,1) the first gives 1 and the second 2");
  CHECK(parts("(4,(2,4)):(2,(1,8))"_layout, "(4,(2,4)):(2,(1,9))"_layout) == "at (0,2) the first gives 8 and the second 9");
  CHECK(parts("8:1"_layout, "8:2"_layout) == "at 1 the first gives 1 and the second 2");
}

TEST_CASE("on some modes the others stay at 0") {
  const std::array<std::size_t, 1> first{0}, second{1};
  CHECK_FALSE(first_difference("(4,8):(8,1)"_layout, "(4,2):(8,5)"_layout, first).value());
  CHECK(first_difference("(4,8):(8,1)"_layout, "(4,8):(8,5)"_layout, second).value()->at == IntTuple::tuple({0, 1}));
}
