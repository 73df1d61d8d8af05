// SPDX-License-Identifier: BSD-3-Clause
// What is left of a picture at a size: every place keeps its colour, and what cannot be read is gone and said.
#include "core/render/detail.hpp"

#include <cmath>

#include "core/diagram/figures.hpp"
#include "core/render/render.hpp"
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
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      count += cell && cell->label.length > 0 ? 1 : 0;
    }
  }
  return count;
}

// The colour at a point, of the cell drawn last.
std::optional<Rgb> color_at(const Scene& scene, float x, float y) {
  std::optional<Rgb> found;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (!cell || x < cell->x || y < cell->y || x >= cell->x + cell->w || y >= cell->y + cell->h) continue;
      found = cell->fill == kNoColor ? Rgb{255, 255, 255} : scene.palette[cell->fill].rgb;
    }
  }
  return found;
}

std::string note_of(const Scene& scene) {
  std::string found;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && label->role == LabelRole::note) (found += found.empty() ? "" : " ") += scene.text_of(label->text);
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
  CHECK(note_of(small).find("1024 labels are left out") != std::string::npos);
  CHECK(note_of(small).find("--labels all") != std::string::npos);
  CHECK(has_grid(small));
  CHECK(labels_in(at_size(scene, 7, true)) == 1024);
}

TEST_CASE("below 6 points a cell grids have no lines, neighbours of a colour are one shape, and every place keeps its colour") {
  for (const std::string color : {"row", "col", "offset", "bank", "none"}) {
    const Scene scene = drawn(24, 40, color), small = at_size(scene, 3);
    INFO(color);
    CHECK_FALSE(has_grid(small));
    for (float y = 0.5F; y < 24; ++y) {
      for (float x = 0.5F; x < 40; ++x) {
        REQUIRE(color_at(small, x, y) == color_at(scene, x, y));
        REQUIRE(color_at(small, x, y).has_value());
      }
    }
    CHECK(cell_count(small) <= cell_count(scene));
  }
  CHECK(cell_count(at_size(drawn(24, 40, "row"), 3)) == 24);
  CHECK(cell_count(at_size(drawn(24, 40, "col"), 3)) == 40);
  CHECK(cell_count(at_size(drawn(24, 40, "none"), 3)) == 1);
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

TEST_CASE("a note below a picture has as many lines as its width wants, and makes it no wider") {
  for (const int columns : {4, 16, 64}) {
    Scene scene;
    scene.panels.push_back({"p", {Cell{0, 0, static_cast<float>(columns), 1}}});
    const Bounds before = bounds(scene);
    const std::string text = "twelve words of which none is long are one note below each";
    add_note(scene, 12, text);
    INFO(columns);
    CHECK(note_of(scene) == text);
    CHECK(bounds(scene).width() == before.width());
    CHECK(bounds(scene).height() > before.height());
    CHECK(scene.panels.back().marks.size() == (columns == 4 ? 5 : columns == 16 ? 2 : 1));
  }
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
