// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/patterns.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/diagram/palette.hpp"

namespace tessera {
namespace {

constexpr std::size_t kPatterns = 8;
constexpr double kInkShare = 0.38;  // of a line's colour; the rest is the fill's

struct Stroke {
  float x0, y0, x1, y1;  // in a unit cell
};

// The strokes of a pattern; those of neighbouring cells go on in each other.
std::vector<Stroke> strokes(std::size_t pattern) {
  switch (pattern) {
    case 1: return {{0, 1, 1, 0}};
    case 2: return {{0, 0, 1, 1}};
    case 3: return {{0, 0.5f, 1, 0.5f}};
    case 4: return {{0.5f, 0, 0.5f, 1}};
    case 5: return {{0, 1, 1, 0}, {0, 0, 1, 1}};
    case 6: return {{0, 0.5f, 1, 0.5f}, {0.5f, 0, 0.5f, 1}};
    case 7: return {{0, 0.25f, 1, 0.25f}, {0, 0.75f, 1, 0.75f}};
    default: return {};
  }
}

// Which pattern each colour has that a grid uses.
std::map<ColorIndex, std::size_t> patterns_of(const Scene& scene) {
  std::set<ColorIndex> used;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) used.insert(grid->of->fills.begin(), grid->of->fills.end());
    }
  }
  used.erase(kNoColor);
  const std::size_t share = (used.size() + kPatterns - 1) / kPatterns;  // colours of one pattern
  std::map<ColorIndex, std::size_t> patterns;
  for (const ColorIndex color : used) patterns.emplace(color, patterns.size() / std::max<std::size_t>(share, 1));
  return patterns;
}

}  // namespace

Status add_patterns(Scene& scene) {
  if (const std::size_t cells = cell_count(scene); cells > kMostPatternCells) {
    return Error{ErrorCode::limit,
                 fmt::format("patterns are drawn on at most {} cells, and this figure has {}", kMostPatternCells, cells),
                 {},
                 {"crop it, or take a palette that prints apart: palette=greys"}};
  }
  const std::map<ColorIndex, std::size_t> patterns = patterns_of(scene);
  std::map<ColorIndex, ColorIndex> inks;
  for (const auto& [fill, pattern] : patterns)
    inks[fill] = scene.color(mix(scene.palette[fill], text_color(scene.palette[fill]), kInkShare));
  for (Panel& panel : scene.panels) {
    std::vector<Mark> marks;
    std::vector<ShownIn> shown;
    for (std::size_t m = 0; m < panel.marks.size(); ++m) {
      Mark& mark = panel.marks[m];
      const auto* found = std::get_if<Grid>(&mark);
      const std::optional<Grid> grid = found ? std::optional(*found) : std::nullopt;
      marks.push_back(std::move(mark));
      for (std::size_t i = 0; grid && i < grid->of->size(); ++i) {
        const CellView cell = view(*grid, i);
        if (cell.fill == kNoColor) continue;
        for (const Stroke& s : strokes(patterns.at(cell.fill)))
          marks.push_back(Line{cell.x + s.x0 * cell.w, cell.y + s.y0 * cell.h, cell.x + s.x1 * cell.w, cell.y + s.y1 * cell.h,
                               StrokeRole::boundary, inks.at(cell.fill)});
      }
      if (m < panel.shown.size()) shown.resize(marks.size(), panel.shown[m]);
    }
    panel.marks = std::move(marks);
    panel.shown = std::move(shown);
  }
  return Done{};
}

}  // namespace tessera
