// SPDX-License-Identifier: BSD-3-Clause
// Layout and IntTuple: what is well formed, what is refused and why, and what prints.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/layout.hpp"

#include "core/layout/algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

namespace {

ErrorCode refusal(std::string_view text) {
  const auto layout = Reader(text).layout();
  REQUIRE_FALSE(layout.has_value());
  CHECK(layout.error().message.size() > 10);
  return layout.error().code;
}

IntTuple nested(int depth) {
  IntTuple t = 2;
  for (int i = 0; i < depth; ++i) t = IntTuple::tuple({t});
  return t;
}

}  // namespace

TEST_CASE("Layouts print and evaluate colexicographically") {
  const Layout l = "(4,8):(8,1)"_layout;
  CHECK(to_string(l) == "(4,8):(8,1)");
  CHECK(l(2, 3) == 19);
  CHECK(l(1) == 8);
  CHECK(l(4) == 1);
  CHECK(l(32) == 8);  // the last mode is not reduced
  CHECK(l.size() == 32);
  CHECK(l.cosize() == 32);
  CHECK(l.rank() == 2);
  CHECK(l.depth() == 1);
  CHECK("(2,(2,2)):(4,(1,2))"_layout.depth() == 2);
}

TEST_CASE("An integer and a tuple of one integer are different values") {
  CHECK_FALSE(IntTuple(8) == "(8)"_tuple);
  CHECK(depth("(8)"_tuple) == 1);
  CHECK(rank("(8)"_tuple) == 1);
  CHECK_FALSE(congruent(8, "(8)"_tuple));
  CHECK(compatible(8, "(8)"_tuple));
  CHECK_FALSE(compatible("(8)"_tuple, 8));
}

TEST_CASE("An extent of 1 has stride 0 in compact layouts") {
  CHECK(to_string(must(Layout::make_compact("(4,1,2)"_tuple))) == "(4,1,2):(1,0,4)");
  CHECK(to_string(must(make_layout_row_major("(4,1,(2,3))"_tuple))) == "(4,1,(2,3)):(6,0,(3,1))");
}

TEST_CASE("What is no layout is refused with its rule") {
  CHECK(refusal("(4,8):(8)") == ErrorCode::not_congruent);
  CHECK(refusal("(4,8):8") == ErrorCode::not_congruent);
  CHECK(refusal("(4,0):(8,1)") == ErrorCode::bad_extent);
  CHECK(refusal("(4,-2):(8,1)") == ErrorCode::bad_extent);
  CHECK(refusal("():()") == ErrorCode::bad_extent);
  CHECK(refusal("(4,_):(8,1)") == ErrorCode::wrong_type);
  CHECK(refusal("(4,2):(8,_)") == ErrorCode::wrong_type);
  CHECK(refusal("(4611686018427387904,2):(0,0)") == ErrorCode::overflow);
  CHECK(refusal("(4,2):(4611686018427387904,1)") == ErrorCode::overflow);
  CHECK(refusal("(4,2):(1@0,1)") == ErrorCode::not_congruent);
  CHECK(refusal("(4,2):(1@0,1@1@0)") == ErrorCode::not_congruent);
  CHECK(refusal("(4,2):(1@1@0,1@0)") == ErrorCode::not_congruent);
}

TEST_CASE("Nesting is bounded and the bound is named") {
  CHECK(Layout::make(nested(kDeepestTuple), nested(kDeepestTuple)).has_value());
  const auto deeper = Layout::make(nested(kDeepestTuple + 1), nested(kDeepestTuple + 1));
  REQUIRE_FALSE(deeper.has_value());
  CHECK(deeper.error().code == ErrorCode::limit);
  CHECK(deeper.error().message.find("64") != std::string::npos);
  CHECK_FALSE(Layout::make_compact(nested(1000)).has_value());
}

TEST_CASE("Layouts into coordinates evaluate to coordinates") {
  const Layout identity = must(make_identity_layout("((2,2),3)"_tuple));
  CHECK(to_string(identity) == "((2,2),3):((1@0@0,1@1@0),1@1)");
  CHECK(to_string(evaluate(identity, 7)) == "((1,1),1)");
  CHECK(to_string(must(evaluate(identity, "((1,0),2)"_tuple))) == "((1,0),2)");
  CHECK(identity.cosize() == 12);
  CHECK_FALSE(make_identity_layout(nested(8)).has_value());
}

TEST_CASE("A coordinate that does not fit is refused") {
  const Layout l = "(4,(2,3)):(6,(3,1))"_layout;
  CHECK(to_string(must(evaluate(l, "(3,(1,2))"_tuple))) == "23");
  CHECK(to_string(must(evaluate(l, "(3,5)"_tuple))) == "23");
  CHECK_FALSE(evaluate(l, "(1,2,3)"_tuple).has_value());
  CHECK_FALSE(evaluate(l, "((1,1),0)"_tuple).has_value());
  CHECK_FALSE(evaluate(l, "(_,0)"_tuple).has_value());
  CHECK_FALSE(evaluate(l, "(9223372036854775807,0)"_tuple).has_value());
}

TEST_CASE("Slices that keep nothing, wrong ranks and wrong ranges are refused") {
  const Layout l = "(4,8):(8,1)"_layout;
  CHECK_FALSE(slice("(1,2)"_tuple, l).has_value());
  CHECK_FALSE(slice("(_,2,3)"_tuple, l).has_value());
  CHECK_FALSE(group(l, 1, 3).has_value());
  CHECK_FALSE(take(l, 1, 1).has_value());
  CHECK_FALSE(select(l, {2}).has_value());
  CHECK_FALSE(append(l, 1).has_value());
  CHECK_FALSE(append(l, 1'000'000'000).has_value());
  CHECK_FALSE(unflatten(l, "(1,(1,1))"_tuple).has_value());
}

TEST_CASE("Layouts of many modes need no more than their own memory") {
  std::vector<IntTuple> ones(40, IntTuple(1)), shape(40, IntTuple(2));
  shape[30] = 3;
  const Layout wide = must(Layout::make_compact(IntTuple::tuple(shape)));
  CHECK(to_string(coalesce(wide)) == std::to_string((std::int64_t{1} << 39) * 3) + ":1");
  CHECK(must(right_inverse(wide)).size() == wide.size());
}

TEST_CASE("Thread and value layouts make the layout of a tile") {
  const LayoutTV tv = must(make_layout_tv("(4,8):(8,1)"_layout, "(2,2):(2,1)"_layout));
  CHECK(to_string(tv.tiler_mn) == "(8,16)");
  CHECK(tv.layout_tv.size() == 128);
  CHECK(to_string(tv.layout_tv) == "((8,4),(2,2)):((16,2),(8,1))");
}
