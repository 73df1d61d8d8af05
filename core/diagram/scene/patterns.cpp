// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/scene/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/utf8.hpp"
#include "core/diagram/scene/palette.hpp"

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

// Where labels of a panel's cells stand, in a unit cell: strokes go around it. All cells spare the same, so that equal colours look alike.
Stroke label_box(const Grid& grid) {
  std::size_t signs = 0, lines = 0;
  for (std::size_t i = 0; i < grid.of->label_ends.size() && i < grid.of->size(); ++i) {
    std::string_view label = grid.of->label(i);
    if (label.empty()) continue;
    const std::size_t cut = label.find('\n');
    lines = std::max<std::size_t>(lines, cut == std::string_view::npos ? 1 : 2);
    signs = std::max(signs, count_characters(label.substr(0, cut)));
    if (cut != std::string_view::npos) signs = std::max(signs, count_characters(label.substr(cut + 1)));
  }
  if (lines == 0) return {};
  constexpr float kSign = 0.62f, kLine = 1.16f;       // in type sizes
  constexpr float kType = 0.40f, kTypeOfTwo = 0.35f;  // at most, of a cell's height
  constexpr float kRoom = 0.9f, kAround = 0.06f;      // of a cell's edge: that labels take, and free around them
  const float most = (lines > 1 ? kTypeOfTwo : kType) * grid.h, by_width = kRoom * grid.w / (kSign * static_cast<float>(signs));
  const float type = std::min(most, by_width);
  const float w = std::min(1.0f, kSign * type * static_cast<float>(signs) / grid.w + kAround);
  const float h = std::min(1.0f, kLine * type * static_cast<float>(lines) / grid.h + kAround);
  return {0.5f - w / 2, 0.5f - h / 2, 0.5f + w / 2, 0.5f + h / 2};
}

// What is left of a stroke outside of a box.
std::vector<Stroke> around(const Stroke& s, const Stroke& box) {
  constexpr float kShortest = 0.02f;
  float enter = 0, leave = 1;  // of the stroke's length
  const auto clip = [&](float from, float to, float least, float most) {
    const float d = to - from;
    if (std::abs(d) < 1e-6f) {
      if (from <= least || from >= most) leave = -1;
      return;
    }
    const float a = (least - from) / d, b = (most - from) / d;
    enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
  };
  clip(s.x0, s.x1, box.x0, box.x1);
  clip(s.y0, s.y1, box.y0, box.y1);
  if (leave <= enter) return {s};
  const auto at = [&](float part) { return std::pair{s.x0 + part * (s.x1 - s.x0), s.y0 + part * (s.y1 - s.y0)}; };
  std::vector<Stroke> left;
  if (enter > kShortest) left.push_back({s.x0, s.y0, at(enter).first, at(enter).second});
  if (1 - leave > kShortest) left.push_back({at(leave).first, at(leave).second, s.x1, s.y1});
  return left;
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
      const Stroke box = grid ? label_box(*grid) : Stroke{};
      for (std::size_t i = 0; grid && i < grid->of->size(); ++i) {
        const CellView cell = view(*grid, i);
        if (cell.fill == kNoColor) continue;
        for (const Stroke& whole : strokes(patterns.at(cell.fill))) {
          for (const Stroke& s : around(whole, box))
            marks.push_back(Line{cell.x + s.x0 * cell.w, cell.y + s.y0 * cell.h, cell.x + s.x1 * cell.w, cell.y + s.y1 * cell.h,
                                 StrokeRole::boundary, inks.at(cell.fill)});
        }
      }
      if (m < panel.shown.size()) shown.resize(marks.size(), panel.shown[m]);
    }
    panel.marks = std::move(marks);
    panel.shown = std::move(shown);
  }
  return Done{};
}

}  // namespace tessera
