// SPDX-License-Identifier: BSD-3-Clause
// A GEMM as a cube: as many tiles as the plan has, and of one of them what it needs of A and B.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

GemmPlan plan_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmSpec spec;
  spec.m = m, spec.n = n, spec.k = k;
  spec.mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})));
  spec.cta_tiler = tup({64, 32, 16});
  return lower(spec).value();
}

std::size_t cells_in(const Scene& scene) {
  const std::vector<Mark>& marks = scene.panels.front().marks;
  return static_cast<std::size_t>(
      std::count_if(marks.begin(), marks.end(), [](const Mark& mark) { return std::holds_alternative<Cell>(mark); }));
}

std::size_t with_text(const Scene& scene, const std::string& words) {
  const std::vector<std::string> texts = texts_of(scene, LabelRole::axis);
  return static_cast<std::size_t>(std::count(texts.begin(), texts.end(), words));
}

}  // namespace

TEST_CASE("a cube has the tiles of its plan, and its CTA a number for each k-tile of A and of B", "[cube]") {
  const Scene scene = drawn(figure(plan_of(192, 128, 80), FigureStyle::tessera, "cube"));
  CHECK(cells_in(scene) == 3 * 4);
  for (int k = 0; k < 5; ++k) CHECK(with_text(scene, std::to_string(k)) == 2);
  CHECK(with_text(scene, "5") == 0);
  CHECK(with_text(scene, "M = 192: 3 tiles of 64") == 1);
  CHECK(with_text(scene, "K = 80: 5 tiles of 16, to the back") == 1);
  const std::set<ColorIndex> fills = [&] {
    std::set<ColorIndex> met;
    for (const Mark& mark : scene.panels.front().marks) {
      if (const auto* cell = std::get_if<Cell>(&mark)) met.insert(cell->fill);
    }
    return met;
  }();
  CHECK(fills.size() == 2);
}

TEST_CASE("a cube of too many tiles is refused, and so is what is no GEMM", "[cube]") {
  CHECK(refusal(figure(plan_of(64 * 25, 32, 16), FigureStyle::tessera, "cube")).message.find("M has 25 tiles") != std::string::npos);
  CHECK(refusal(figure(lay(8, 1), FigureStyle::tessera, "cube")).message.find("this figure needs a GEMM") != std::string::npos);
}
