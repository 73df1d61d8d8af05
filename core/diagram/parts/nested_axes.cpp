// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/nested_axes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/parts/brackets.hpp"

namespace tessera {

namespace {

constexpr float kLevelAbove = 0.72f, kLevelLeft = 0.75f;  // of each further level
constexpr float kDigits = 0.22f;                          // of a number's digits, beside rows

constexpr float kWordType = 0.34f * 0.57f;  // a bracket's character

// "rest 1", or the number alone where the bracket is too short for it.
std::string words_of(const NestedAxis& axis, std::size_t level, std::int64_t n, float room) {
  const std::string number = std::to_string(n);
  if (level + 1 < axis.levels.size() || axis.outermost.empty()) return number;
  std::string words = axis.outermost + " " + number;
  return kWordType * static_cast<float>(words.size()) <= room ? words : number;
}

}  // namespace

std::int64_t NestedAxis::extent() const {
  std::int64_t product = 1;
  for (const std::int64_t level : levels) product *= level;
  return product;
}

NestedAxis nested_axis(const Shape& mode) {
  NestedAxis axis;
  for (const std::int64_t extent : leaf_values(mode)) {
    if (extent > 1) axis.levels.push_back(extent);
  }
  if (axis.levels.empty()) axis.levels.push_back(1);
  return axis;
}

float nested_room_above(const NestedAxis& cols) { return kLevelAbove * static_cast<float>(cols.levels.size() - 1); }

float nested_room_left(const NestedAxis& rows) {
  if (rows.levels.size() < 2) return 0;
  const float words = rows.outermost.empty() ? 0 : kWordType * static_cast<float>(rows.outermost.size() + 1);
  return kLevelLeft * static_cast<float>(rows.levels.size() - 1) + words;
}

void add_nested_axes(Scene& scene, Panel& panel, const Frame& frame, const NestedAxis& rows, const NestedAxis& cols, float unit) {
  const auto number = [&](float x, float y, Anchor anchor, std::int64_t n) {
    panel.marks.push_back(Label{x, y, scene.intern(std::to_string(n)), LabelRole::axis, anchor, kAxisType * unit});
  };
  const auto side = [&](const NestedAxis& axis, std::int64_t extent, bool down) {
    const std::vector<std::int64_t>& levels = axis.levels;
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
        const std::int64_t end = std::min(i + period, extent);
        const float room = down ? 1e9f : (frame.column(end) - frame.column(i)) / unit;
        const std::string words = words_of(axis, level, i / period % levels[level], room);
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
  side(rows, frame.rows, true);
  side(cols, frame.cols, false);
}

}  // namespace tessera
