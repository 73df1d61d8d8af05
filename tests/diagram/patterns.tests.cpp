// SPDX-License-Identifier: BSD-3-Clause
// Patterns: colours that no grey print confuses.
#include "core/diagram/scene/patterns.hpp"

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// The strokes in a cell, as places in it.
using Strokes = std::set<std::array<int, 4>>;
std::map<std::pair<int, int>, Strokes> strokes_in(const Scene& scene) {
  std::map<std::pair<int, int>, Strokes> found;
  for (const Mark& mark : scene.panels[0].marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (!line || line->color == kNoColor) continue;
    const float x = std::floor((line->x0 + line->x1) / 2), y = std::floor((line->y0 + line->y1) / 2);
    const auto part = [](float v) { return static_cast<int>(std::lround(v * 100)); };
    found[{static_cast<int>(y), static_cast<int>(x)}].insert(
        {part(line->x0 - x), part(line->y0 - y), part(line->x1 - x), part(line->y1 - y)});
  }
  return found;
}

Scene made(const FigureObject& object, const std::string& color) {
  FigureSpec spec = figure(object);
  spec.parameters = {{"color", color}};
  Scene scene = make_figure(spec).value();
  REQUIRE(add_patterns(scene));
  return scene;
}

}  // namespace

TEST_CASE("cells of up to eight colours have one pattern exactly where they have one colour", "[patterns]") {
  for (const int cols : {2, 3, 5, 8}) {
    const Scene scene = made(compact(tup({4, cols})), "col");
    const auto strokes = strokes_in(scene);
    std::map<int, Strokes> of_column;
    for (int c = 0; c < cols; ++c) {
      for (int r = 0; r < 4; ++r) {
        const auto here = strokes.find({r, c});
        const Strokes set = here == strokes.end() ? Strokes{} : here->second;
        if (r == 0) of_column[c] = set;
        CHECK(set == of_column[c]);
      }
    }
    for (int a = 0; a < cols; ++a) {
      for (int b = 0; b < a; ++b) CHECK(of_column[a] != of_column[b]);
    }
  }
}

TEST_CASE("shades of one hue share a pattern", "[patterns]") {
  const auto strokes = strokes_in(made(compact(tup({1, 32})), "col"));
  for (int c = 0; c < 32; ++c) {
    const auto at = [&](int column) {
      const auto found = strokes.find({0, column});
      return found == strokes.end() ? Strokes{} : found->second;
    };
    CHECK(at(c) == at(c / 4 * 4));
    if (c >= 4) CHECK(at(c) != at(c - 4));
  }
}

TEST_CASE("patterns lie over the colours, under the frame, and are refused where they would be a haze", "[patterns]") {
  const Scene scene = made(compact(tup({4, 8})), "row");
  const std::vector<Mark>& marks = scene.panels[0].marks;
  REQUIRE(std::holds_alternative<Grid>(marks[0]));
  CHECK(std::holds_alternative<Line>(marks[1]));
  CHECK(cell_count(scene) == 32);
  Scene large = make_figure(figure(compact(tup({65, 64})))).value();
  const Status refused = add_patterns(large);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("4160") != std::string::npos);
}
