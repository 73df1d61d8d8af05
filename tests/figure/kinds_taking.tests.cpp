// SPDX-License-Identifier: BSD-3-Clause
// Which kinds of figure a value is offered.
#include "core/figure/kinds_taking.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/figure/figure.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a value is offered the kinds that draw it, and no other one") {
  for (const char* text : {"(4,8):(8,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "SM80_16x8x16_F32F16F16F32_TN", "SM75_U32x4_LDSM_N",
                           "make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>, (16,8):(8,1), (1,8))"}) {
    CAPTURE(text);
    const Value value = evaluate(text).value();
    const std::vector<std::string_view> kinds = kinds_taking(value);
    CHECK_FALSE(kinds.empty());
    for (const FigureKind& kind : figure_kinds()) {
      CAPTURE(kind.name);
      FigureOptions options;
      options.kind = kind.name;
      const bool offered = std::find(kinds.begin(), kinds.end(), kind.name) != kinds.end();
      CHECK(offered == static_cast<bool>(figure_of(value, text, options)));
    }
  }
  const std::vector<std::string_view> of_layout = kinds_taking(evaluate("(4,8):(8,1)").value());
  CHECK(std::count(of_layout.begin(), of_layout.end(), "layout") == 1);
  CHECK(std::count(of_layout.begin(), of_layout.end(), "tmem") == 0);
  CHECK(std::count(of_layout.begin(), of_layout.end(), "mma") == 0);
}
