// SPDX-License-Identifier: BSD-3-Clause
// IntTuple as a value: what copies share, what is left behind by a move, and tuples that are filled in place.
#include <utility>

#include "core/layout/int_tuple.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

TEST_CASE("copies of a tuple share its modes, and a moved-from tuple is 0") {
  IntTuple t = "(4,(2,3))"_tuple;
  const IntTuple copy = t;
  CHECK(copy == t);
  CHECK(&copy[1] == &t[1]);
  t = t[1];  // a mode of itself
  CHECK(to_string(t) == "(2,3)");
  CHECK(to_string(copy) == "(4,(2,3))");
  const IntTuple taken = std::move(t);
  CHECK(to_string(taken) == "(2,3)");
  CHECK(t == IntTuple(0));
  t = "(5,6)"_tuple;
  const IntTuple& self = t;
  t = self;
  CHECK(to_string(t) == "(5,6)");
  CHECK(t.value() == 0);
  IntTuple basis = IntTuple::basis(3, {1, {2}});
  const IntTuple moved = std::move(basis);
  CHECK(to_string(moved) == "3@2");
  CHECK(basis == IntTuple(0));
}

TEST_CASE("zeros are filled in place, tuples within tuples too") {
  IntTuple t = IntTuple::zeros(2);
  CHECK(to_string(t) == "(0,0)");
  t.fill(0) = 7;
  t.fill(1) = IntTuple::zeros(1);
  t.fill(1).fill(0) = IntTuple::underscore();
  CHECK(to_string(t) == "(7,(_))");
  CHECK(IntTuple::zeros(0).rank() == 0);
}
