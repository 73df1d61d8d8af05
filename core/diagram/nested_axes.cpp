// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/nested_axes.hpp"

#include <algorithm>

#include "core/diagram/brackets.hpp"

namespace tessera {

namespace {

constexpr float kLevelAbove = 0.72f, kLevelLeft = 0.75f;  // of each further level
constexpr float kDigits = 0.22f;                          // of a number's digits, beside rows

// Extents of a mode's levels, the innermost first; those of one element have no numbers of their own.
std::vector<std::int64_t> levels_of(const Shape& mode) {
  std::vector<std::int64_t> levels;
  for (const std::int64_t extent : leaf_values(mode)) {
    if (extent > 1) levels.push_back(extent);
  }
  if (levels.empty()) levels.push_back(1);
  return levels;
}

}  // namespace

float nested_room_above(const Shape& col_mode) { return kLevelAbove * static_cast<float>(levels_of(col_mode).size() - 1); }

float nested_room_left(const Shape& row_mode) { return kLevelLeft * static_cast<float>(levels_of(row_mode).size() - 1); }

void add_nested_axes(Scene& scene, Panel& panel, const Frame& frame, const Shape& row_mode, const Shape& col_mode, float unit) {
  const auto number = [&](float x, float y, Anchor anchor, std::int64_t n) {
    panel.marks.push_back(Label{x, y, scene.intern(std::to_string(n)), LabelRole::axis, anchor, 0.36f * unit});
  };
  const auto side = [&](const std::vector<std::int64_t>& levels, std::int64_t extent, bool down) {
    for (std::int64_t i = 0; i < extent; ++i) {
      if (down)
        number(frame.x - 0.26f * unit, frame.y + static_cast<float>(i) + 0.5f, Anchor::right, i % levels.front());
      else
        number(frame.column(i) + frame.w / 2, frame.y - 0.38f * unit, Anchor::center, i % levels.front());
    }
    std::int64_t period = levels.front();
    const float digits = kDigits * static_cast<float>(std::to_string(levels.front() - 1).size());
    for (std::size_t level = 1; level < levels.size(); ++level) {
      const auto further = static_cast<float>(level - 1);
      for (std::int64_t i = 0; i < extent; i += period) {
        const std::string words = std::to_string(i / period % levels[level]);
        const std::int64_t end = std::min(i + period, extent);
        if (down)
          add_bracket(scene, panel, BracketAt::left, frame.y + static_cast<float>(i), frame.y + static_cast<float>(end),
                      frame.x - (0.14f + digits + kLevelLeft * further) * unit, words, unit);
        else
          add_bracket(scene, panel, BracketAt::above, frame.column(i), frame.column(end), frame.y - (0.5f + kLevelAbove * further) * unit,
                      words, unit);
      }
      period *= levels[level];
    }
  };
  side(levels_of(row_mode), frame.rows, true);
  side(levels_of(col_mode), frame.cols, false);
}

}  // namespace tessera
