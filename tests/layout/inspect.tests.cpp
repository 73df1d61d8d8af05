// SPDX-License-Identifier: BSD-3-Clause
// Predicates and their reasons; printing for other tools; bit matrices.
#include <cstdint>
#include <vector>

#include "core/layout/inspect.hpp"

#include "core/layout/bit_matrix.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/print.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

TEST_CASE("An aliasing pair names two coordinates of one index") {
  const auto pair = must(aliasing_pair("(4,2):(1,3)"_layout));
  REQUIRE(pair.has_value());
  CHECK(to_string(pair->first_coord) == "(3,0)");
  CHECK(to_string(pair->second_coord) == "(0,1)");
  CHECK(to_string(pair->index) == "3");
  CHECK(must(is_injective("(4,2):(1,3)"_layout)).reason == "coordinates (3,0) and (0,1) both have index 3");
  CHECK_FALSE(must(aliasing_pair("(4,2):(1,4)"_layout)).has_value());
  CHECK(must(aliasing_pair("(4,2):(0,4)"_layout))->second == 1);
  CHECK_FALSE(must(aliasing_pair("Sw<2,0,2> o 0 o 16:1"_any)).has_value());
  CHECK_FALSE(must(aliasing_pair("(2,3):(1@0,1@1)"_layout)).has_value());
  CHECK(must(aliasing_pair("(2,3):(1@0,0)"_layout))->second == 2);
}

TEST_CASE("Injectivity of huge layouts is decided by strides or refused by its limit") {
  CHECK(must(is_injective("(1048576,1048576):(1048576,1)"_layout)).holds);
  CHECK_FALSE(must(is_injective("(1048576,1048576):(0,1)"_layout)).holds);
  const auto unknown = is_injective("(1048576,1048576):(3,5)"_layout);
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().code == ErrorCode::limit);
}

TEST_CASE("Surjectivity, contiguity, compactness and gaps come with reasons") {
  CHECK(must(is_surjective("(4,8):(8,1)"_layout, 32)).holds);
  CHECK(must(is_surjective("(4,2):(1,8)"_layout, 8)).reason == "no coordinate has index 4");
  CHECK_FALSE(must(is_surjective("(4,2):(1,8)"_layout)).holds);
  CHECK(must(is_surjective("(4,2):(1,3)"_layout)).holds);
  CHECK(must(is_surjective("4:1"_layout, 5)).reason == "4 coordinates cannot reach 5 indices");
  CHECK(is_contiguous("(4,8):(1,4)"_layout).holds);
  CHECK(is_contiguous("(4,8):(8,1)"_layout).reason == "coalesced it is (4,8):(8,1), not 32:1");
  CHECK(must(is_compact("(4,8):(8,1)"_layout)).holds);
  CHECK_FALSE(must(is_compact("(4,8):(9,1)"_layout)).holds);
  CHECK_FALSE(must(is_compact("(4,2):(1,3)"_layout)).holds);
  // Indices below 0 are none of 0 .. size-1.
  CHECK(must(is_compact("8:-1"_layout)).reason == "its indices go from -7 to 0, and begin below 0");
  CHECK_FALSE(must(is_compact("(2,4):(-1,2)"_layout)).holds);
  CHECK(must(is_surjective("8:-1"_layout)).reason == "its indices go from -7 to 0, and begin below 0");
  CHECK(must(is_compact("Sw<1,0,1> o 0 o 4:1"_any)).holds);
  const Gaps g = must(gaps("(4,2):(1,8)"_layout));
  CHECK(g.runs == std::vector<Gap>{{4, 8}});
  CHECK(g.missing == 4);
  CHECK(must(gaps("8:4"_layout, 2)).runs.size() == 2);
  CHECK(must(gaps("8:4"_layout, 2)).missing == 21);
}

TEST_CASE("Profiles that differ are compared down to the mode") {
  CHECK(is_congruent("(2,(3,4))"_tuple, "(1,(1,1))"_tuple).holds);
  CHECK(is_congruent("(2,(3,4))"_tuple, "(1,(1,(1,1)))"_tuple).reason == "at mode 1 of mode 1, 4 stands against (1,1)");
  CHECK(is_compatible("(4,6)"_tuple, "(4,(2,3))"_tuple).holds);
  CHECK(is_compatible("(4,6)"_tuple, "(4,(2,4))"_tuple).reason == "at mode 1, 6 stands against (2,4), whose size is 8");
}

TEST_CASE("Layouts print as CuTe, C++ and the DSL spell them") {
  const Layout l = "((4,8),100):((8,1),32)"_layout;
  CHECK(print(l, Spelling::tessera) == "((4,8),100):((8,1),32)");
  CHECK(print(l, Spelling::cute_print) == "((_4,_8),_100):((_8,_1),_32)");
  CHECK(print(l, Spelling::cute_cpp) == "Layout<Shape<Shape<_4,_8>,Int<100>>,Stride<Stride<_8,_1>,_32>>");
  CHECK(print("(4,8):(8,1)"_layout, Spelling::cute_cpp) == "Layout<Shape<_4,_8>,Stride<_8,_1>>");
  CHECK(print("(4,8):(8,1)"_layout, Spelling::cute_dsl) == "cute.make_layout((4, 8), stride=(8, 1))");
  CHECK(print("(8):(1)"_layout, Spelling::cute_dsl) == "cute.make_layout((8,), stride=(1,))");
}

TEST_CASE("Swizzled layouts and tilers print too") {
  const AnyLayout s = "Sw<3,4,3> o 0 o (8,64):(64,1)"_any;
  CHECK(print(s, Spelling::cute_print) == "Sw<3,4,3> o _0 o (_8,_64):(_64,_1)");
  CHECK(print(s, Spelling::cute_cpp) == "ComposedLayout<Swizzle<3,4,3>,_0,Layout<Shape<_8,_64>,Stride<_64,_1>>>");
  CHECK(print(s, Spelling::cute_dsl) ==
        "cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))");
  CHECK(print("(3:3,_,8)"_tiler, Spelling::cute_cpp) == "Tile<Layout<_3,_3>,Underscore,_8>");
  CHECK(print("(3:3,_,8)"_tiler, Spelling::cute_print) == "(_3:_3,_,_8)");
}

TEST_CASE("A layout over powers of two is a bit matrix and comes back") {
  const BitMatrix m = must(bit_matrix("Sw<1,0,1> o 0 o 4:1"_any));
  CHECK(m.columns == std::vector<std::int64_t>{1, 3});
  CHECK(to_string(m) == "01\n11");
  for (const char* text : {"Sw<1,0,1> o 0 o 4:1", "Sw<3,4,3> o 0 o 1024:1", "(4,8):(8,1)", "Sw<2,0,-2> o 0 o 16:1", "8:1"}) {
    INFO(text);
    const AnyLayout layout = must(Reader(text).any_layout());
    const AnyLayout back = must(from_bit_matrix(must(bit_matrix(layout))));
    REQUIRE(size(back) == size(layout));
    for (std::int64_t i = 0; i < size(layout); ++i) REQUIRE(evaluate(back, i) == evaluate(layout, i));
  }
  CHECK_FALSE(bit_matrix("6:1"_layout).has_value());
  CHECK_FALSE(bit_matrix("4:3"_layout).has_value());
  CHECK_FALSE(from_bit_matrix({{1, 2, 7}}).has_value());
}
