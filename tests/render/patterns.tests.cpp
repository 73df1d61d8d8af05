// SPDX-License-Identifier: BSD-3-Clause
// Patterns and labels: no stroke goes through a label, in whatever type a renderer sets it.
#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

struct Box {
  double x0, y0, x1, y1;
};

// Does a stroke go through the inside of a box? Looked for at many of its points.
bool crosses(const Line& line, const Box& box) {
  constexpr int kSteps = 64;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = line.x0 + (line.x1 - line.x0) * i / kSteps, y = line.y0 + (line.y1 - line.y0) * i / kSteps;
    if (x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("patterns go around labels of one line and of two, and still tell colours apart", "[patterns]") {
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.objects.push_back(compact(tup({4, 8})));
  for (FigureSpec spec :
       {tv, figure(compact(tup({4, 8}))), figure(compact(tup({16, 64}))), figure(copy_atom("SM75_U32x1_LDSM_N", ValueType::f16))}) {
    spec.parameters["patterns"] = "yes";
    const Scene scene = make_figure(spec).value();
    std::size_t strokes = 0;
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      const double type = cell_type_size(scene, p);
      std::vector<Box> labels;
      each_cell(scene, p, [&](const CellView& cell) {
        const LabelLines lines = label_lines(cell.label);
        for (int i = 0; i < lines.count; ++i) {
          const double w = type * lines.size[i] * text_width(lines.line[i], lines.count > 1 && i == 0), h = 0.72 * type * lines.size[i];
          const double x = cell.x + cell.w / 2, y = cell.y + cell.h / 2 + type * lines.offset[i];
          labels.push_back({x - w / 2, y - h / 2, x + w / 2, y + h / 2});
        }
      });
      for (const Mark& mark : scene.panels[p].marks) {
        const auto* line = std::get_if<Line>(&mark);
        if (!line || line->color == kNoColor || line->role != StrokeRole::boundary) continue;
        ++strokes;
        CHECK(std::none_of(labels.begin(), labels.end(), [&](const Box& box) { return crosses(*line, box); }));
      }
    }
    CHECK(strokes > 16);
  }
}
