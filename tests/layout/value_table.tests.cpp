// SPDX-License-Identifier: BSD-3-Clause
// Tables of a layout's two modes: the same values as the layout has.
#include <cstdint>

#include "core/layout/value_table.hpp"

#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::literals;

TEST_CASE("a table of two modes has every value of its layout, behind swizzles and offsets too") {
  for (const char* text :
       {"(4,2):(2,1)", "((4,8),(2,(2,2))):((32,1),(16,(8,128)))", "(8,(4,2)):(0,(3,-5))", "(1,1):(0,0)", "Sw<3,3,3> o 0 o (8,64):(64,1)",
        "Sw<2,3,3> o 24 o ((4,2),32):((64,1),2)", "Sw<2,0,-2> o 5 o (4,8):(1,4)", "(4,8):(8,1) o 3 o (2,(3,2)):(3,(1,6))"}) {
    const AnyLayout layout = must(Reader(text).any_layout());
    const ValueTable table(layout);
    REQUIRE(table.size(0) == size(shape(layout)[0]));
    REQUIRE(table.size(1) == size(shape(layout)[1]));
    for (std::int64_t i = 0; i < table.size(0); ++i) {
      for (std::int64_t k = 0; k < table.size(1); ++k) {
        INFO(text << " at (" << i << "," << k << ")");
        REQUIRE(table(i, k) == evaluate(layout, i, k));
      }
    }
  }
}
