// SPDX-License-Identifier: BSD-3-Clause
// What is left of a picture at a size: every place keeps its colour, and what cannot be read is gone and said.
#include "core/render/detail/detail.hpp"
#include "core/render/shared/fill_runs.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Scene drawn(std::int64_t rows, std::int64_t columns, const std::string& color = "row") {
  FigureSpec spec;
  spec.objects = {Layout::make_compact(IntTuple::tuple({rows, columns})).value()};
  spec.parameters = {{"color", color}};
  return make_figure(spec).value();
}

std::size_t labels_in(const Scene& scene) {
  std::size_t count = 0;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    if (scene.panels[p].id.ends_with("-opened")) continue;
    each_cell(scene, p, [&](const CellView& cell) { count += !cell.label.empty(); });
  }
  return count;
}

// The colour at a point, of the cell drawn last.
std::optional<Rgb> color_at(const Scene& scene, float x, float y) {
  std::optional<Rgb> found;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    each_cell(scene, p, [&](const CellView& cell) {
      if (x < cell.x || y < cell.y || x >= cell.x + cell.w || y >= cell.y + cell.h) return;
      found = cell.fill == kNoColor ? Rgb{255, 255, 255} : scene.palette[cell.fill];
    });
  }
  return found;
}

std::string note_of(const Scene& scene) {
  std::string found;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && label->role == LabelRole::note && panel.name.empty()) found += std::string(scene.text_of(label->text)) + " ";
    }
  }
  return found;
}

bool has_grid(const Scene& scene) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (outline && outline->grid) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("at a size that can be read a picture stays as it is") {
  const Scene scene = drawn(8, 8), same = at_size(scene, 28);
  CHECK(render_svg(same).value() == render_svg(scene).value());
}

TEST_CASE("labels below 4.5 points go with a word, and stay where all are asked for") {
  const Scene scene = drawn(32, 32);
  CHECK(labels_in(scene) == 1024);
  const Scene small = at_size(scene, 7);
  CHECK(labels_in(small) == 0);
  CHECK(small.left_out.find("1024 labels would be") != std::string::npos);  // to who draws it
  CHECK(small.left_out.find("--labels all") != std::string::npos);
  CHECK(note_of(small).find("Framed, and enlarged: rows 0-15, columns 0-") == 0);  // to who looks at it
  CHECK(note_of(small).find("--labels") == std::string::npos);
  CHECK(has_grid(small));
  CHECK(labels_in(at_size(scene, 7, {.all_labels = true})) == 1024);
}

TEST_CASE("below 6 points a cell grids have no lines, neighbours of a colour are one shape, and every place keeps its colour") {
  for (const std::string color : {"row", "col", "offset", "bank", "none"}) {
    const Scene scene = drawn(24, 40, color), small = at_size(scene, 3, {.all_labels = true});
    INFO(color);
    CHECK_FALSE(has_grid(small));
    for (float y = 0.5F; y < 24; ++y) {
      for (float x = 0.5F; x < 40; ++x) {
        REQUIRE(color_at(small, x, y) == color_at(scene, x, y));
        REQUIRE(color_at(small, x, y).has_value());
      }
    }
  }
}

TEST_CASE("neighbours of one colour are one shape, and every cell is in exactly one shape of its colour") {
  for (const std::string color : {"row", "col", "offset", "bank", "none"}) {
    INFO(color);
    const Scene scene = drawn(24, 40, color);
    const GridColumns& grid = *std::get<Grid>(scene.panels[0].marks[0]).of;
    std::vector<ColorIndex> painted(grid.size(), kNoColor);
    int before = -1;
    for (const FillRun& run : fill_runs(grid)) {
      CHECK(run.row * grid.cols + run.col > before);  // from the top left on
      before = run.row * grid.cols + run.col;
      for (int r = run.row; r < run.row + run.rows; ++r) {
        for (int c = run.col; c < run.col + run.cols; ++c) {
          ColorIndex& cell = painted[static_cast<std::size_t>(r * grid.cols + c)];
          CHECK(cell == kNoColor);
          cell = run.fill;
        }
      }
    }
    CHECK(painted == grid.fills);
  }
  const auto runs = [](const Scene& scene) { return fill_runs(*std::get<Grid>(scene.panels[0].marks[0]).of).size(); };
  CHECK(runs(drawn(24, 40, "row")) == 24);
  CHECK(runs(drawn(24, 40, "col")) == 40);
  CHECK(runs(drawn(24, 40, "none")) == 0);
}

TEST_CASE("a picture is as wide as it was asked to be") {
  const Scene scene = drawn(16, 16);
  const double cell = cell_for_width(scene, 240);
  RenderOptions options;
  options.cell_points = cell;
  const std::string svg = render_svg(scene, options).value();
  const std::size_t at = svg.find("width=\"") + 7;
  CHECK(std::abs(std::stod(svg.substr(at)) - 240) < 0.1);
}

TEST_CASE("widths are lengths or the names of columns, and others are refused") {
  CHECK(width_in_points("3.33in").value() == Approx(239.76));
  CHECK(width_in_points("columnwidth").value() == Approx(239.76));
  CHECK(width_in_points("25.4mm").value() == Approx(72));
  CHECK(width_in_points("2.54cm").value() == Approx(72));
  CHECK(width_in_points("240pt").value() == 240);
  for (const char* wrong : {"", "3", "in", "-3in", "0in", "3 in", "1e9in", "nanin", "3px", "widescreen"}) {
    INFO(wrong);
    CHECK_FALSE(width_in_points(wrong));
  }
}
