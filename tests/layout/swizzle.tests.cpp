// SPDX-License-Identifier: BSD-3-Clause
// Swizzles and composed layouts: the involution, slices that keep their function, and refusals.
#include <cstdint>

#include "core/layout/swizzle.hpp"

#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

TEST_CASE("A swizzle is its own inverse") {
  for (const char* text : {"Sw<3,4,3>", "Sw<1,0,1>", "Sw<2,0,-2>", "Sw<2,3,5>", "Sw<0,4,3>"}) {
    const Swizzle s = must(Reader(text).swizzle());
    for (std::int64_t i = 0; i < 4096; ++i) REQUIRE(s(s(i)) == i);
    CHECK(to_string(s) == text);
  }
}

TEST_CASE("Swizzles that read what they flip, or reach too far, are refused") {
  CHECK(Swizzle::make(3, 4, 2).error().code == ErrorCode::not_representable);
  CHECK(Swizzle::make(-1, 4, 2).error().code == ErrorCode::bad_extent);
  CHECK(Swizzle::make(1, -4, 2).error().code == ErrorCode::bad_extent);
  CHECK(Swizzle::make(10, 40, 30).error().code == ErrorCode::limit);
  CHECK(Swizzle::make(0, 2000000000, 2000000000).error().code == ErrorCode::limit);
}

TEST_CASE("In a composed layout the offset is added before the swizzle") {
  const AnyLayout l = "Sw<1,0,1> o 1 o 4:1"_any;
  CHECK(evaluate(l, 0) == 1);
  CHECK(evaluate(l, 1) == 3);  // Sw(2)
  CHECK(evaluate(l, 2) == 2);  // Sw(3)
  CHECK(to_string(must(evaluate(l, IntTuple(1)))) == "3");
}

TEST_CASE("Slices of swizzled layouts have the values of the whole") {
  for (const char* text : {"Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,3,3> o 24 o (8,32):(32,1)", "Sw<2,0,-2> o 5 o (4,8):(1,4)",
                           "Sw<3,0,3> o 0 o (8,8):(8,4)", "Sw<1,1,2> o 3 o (8,8):(8,1)", "Sw<0,4,3> o 8 o (8,8):(8,1)"}) {
    const AnyLayout whole = must(Reader(text).any_layout());
    const std::int64_t rows = size(shape(whole)[0]), columns = size(shape(whole)[1]);
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto part = must(slice_and_offset(IntTuple::tuple({r, IntTuple::underscore()}), whole));
      for (std::int64_t c = 0; c < columns; ++c) {
        INFO(text << " row " << r << " column " << c << ": " << to_string(part.layout));
        REQUIRE(part.offset.value() + evaluate(part.layout, c) == evaluate(whole, r, c));
      }
    }
  }
}

TEST_CASE("A slice of a swizzled layout is refused where CuTe refuses it: its strides do not split at the swizzle's bits") {
  const auto refusal = [](const char* layout) {
    const auto part = slice_and_offset(IntTuple::tuple({3, IntTuple::underscore()}), must(Reader(layout).any_layout()));
    REQUIRE_FALSE(part.has_value());
    CHECK(part.error().code == ErrorCode::not_divisible);
    return part.error().message;
  };
  CHECK(refusal("Sw<3,0,3> o 0 o (8,8):(9,1)").starts_with("Requires pow2 shape*stride"));
  CHECK(refusal("Sw<2,3,3> o 0 o (6,8):(8,1)").starts_with("Shape Divisibility Condition"));
  CHECK(refusal("Sw<2,3,3> o 0 o (8,6):(1,12)").starts_with("Stride Divisibility Condition"));
  CHECK(slice_and_offset(IntTuple::tuple({IntTuple::underscore(), IntTuple::underscore()}), "Sw<3,0,3> o 0 o (8,8):(9,1)"_any)
            .has_value());  // nothing is split
}

TEST_CASE("Swizzles of one shift merge unless one reads what the other flips") {
  CHECK(to_string(must(composition("Sw<1,2,3>"_swizzle, "Sw<2,3,3>"_swizzle))) == "Sw<3,2,3>");
  CHECK(must(composition("Sw<2,3,3>"_swizzle, "Sw<2,3,3>"_swizzle)).is_identity());
  CHECK_FALSE(composition("Sw<1,2,3>"_swizzle, "Sw<1,2,4>"_swizzle).has_value());
}

TEST_CASE("The identity swizzle vanishes, but not from a cast") {
  CHECK(to_string(must(flatten("Sw<0,4,3> o 0 o (4,(2,2)):(4,(2,1))"_any))) == "(4,2,2):(4,2,1)");
  CHECK(to_string(must(upcast("Sw<0,4,3> o 0 o (16,2):(2,1)"_any, 8))) == "Sw<0,1,3> o 0 o (4,1):(1,1)");
}

TEST_CASE("Operations need modes: a swizzle on the right has none") {
  const AnyLayout inverse = must(left_inverse("Sw<1,0,1> o 1 o 4:1"_any));
  CHECK(to_string(inverse) == "4:1 o -1 o Sw<1,0,1>");
  for (std::int64_t i = 0; i < 4; ++i) CHECK(evaluate(inverse, evaluate("Sw<1,0,1> o 1 o 4:1"_any, i)) == i);
  CHECK(flatten(inverse).error().code == ErrorCode::wrong_type);
}
