// SPDX-License-Identifier: BSD-3-Clause
// Grids project to stretches of cells, the words beside them to stretches of words.
#include "app/studio/paint/picture_map.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr float kAxisPixels = 11;                  // units: type of the numbers of rows and columns
constexpr float kLineHeight = 1.3f, kSign = 0.6f;  // of a text, in sizes of its type
constexpr float kGapSigns = 0.6f;                  // between words and the cells of the panel on their other side

struct Interval {
  float begin, end;
};

bool empty(const Bounds& b) { return b.x1 <= b.x0 && b.y1 <= b.y0; }

void extend(Bounds& b, float x0, float y0, float x1, float y1) {
  b = {std::min({b.x0, x0, x1}), std::min({b.y0, y0, y1}), std::max({b.x1, x0, x1}), std::max({b.y1, y0, y1})};
}

// The type that the figure's words are measured by: that of its numbers, or where it has none of its first words.
float type_of(const Scene& scene) {
  std::optional<float> other;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (!label) continue;
      if (label->role == LabelRole::axis) return type_size(*label);
      if (!other) other = type_size(*label);
    }
  }
  return other.value_or(0.36f);
}

std::vector<Interval> merged(std::vector<Interval> all) {
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> made;
  for (const Interval& each : all) {
    if (!made.empty() && each.begin <= made.back().end + 1e-4f)
      made.back().end = std::max(made.back().end, each.end);
    else
      made.push_back(each);
  }
  return made;
}

// What of [begin, end) words cover is theirs, the rest is empty.
void fill_gap(std::vector<AxisMap::Stretch>& into, float begin, float end, const std::vector<Interval>& words) {
  using Of = AxisMap::Stretch::Of;
  float at = begin;
  for (const Interval& each : words) {
    const float from = std::max(each.begin, at), to = std::min(each.end, end);
    if (to <= from) continue;
    if (from > at) into.push_back({Of::nothing, at, from});
    into.push_back({Of::words, from, to});
    at = to;
  }
  if (at < end) into.push_back({Of::nothing, at, end});
}

AxisMap axis_of(std::vector<Interval> cells, std::vector<Interval> words, float type) {
  cells = merged(std::move(cells));
  words = merged(std::move(words));
  std::vector<AxisMap::Stretch> stretches;
  for (const Interval& each : cells) {
    if (!stretches.empty()) fill_gap(stretches, stretches.back().end, each.begin, words);
    stretches.push_back({AxisMap::Stretch::Of::cells, each.begin, each.end});
  }
  return {std::move(stretches), type};
}

}  // namespace

bool is_corner(const Label& label, const Bounds& cells) {
  return label.role == LabelRole::legend && label.anchor == Anchor::right && label.x < cells.x0 && label.y < cells.y0;
}

std::vector<Bounds> drawn_bounds(const Scene& scene, const std::vector<Bounds>& cells) {
  constexpr float kFar = std::numeric_limits<float>::max();
  std::vector<Bounds> made;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    Bounds& box = made.emplace_back(Bounds{kFar, kFar, -kFar, -kFar});
    const Panel& panel = scene.panels[i];
    if (panel.name == kCaptionPanel) continue;
    const bool is_grid =
        std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
    if (is_grid) {
      box = cells[i];
      continue;
    }
    if (cells[i].x1 > cells[i].x0) box = cells[i];
    for (const Mark& mark : panel.marks) {
      if (const auto* line = std::get_if<Line>(&mark)) extend(box, line->x0, line->y0, line->x1, line->y1);
      if (const auto* arrow = std::get_if<Arrow>(&mark)) extend(box, arrow->x0, arrow->y0, arrow->x1, arrow->y1);
      if (const auto* outline = std::get_if<Outline>(&mark))
        extend(box, outline->x, outline->y, outline->x + outline->w, outline->y + outline->h);
    }
  }
  return made;
}

std::shared_ptr<const PictureMap> map_of(const Scene& scene, const std::vector<Bounds>& cells, const std::vector<Bounds>& drawn,
                                         float ui_scale) {
  const auto has_cells = [](const Bounds& box) { return box.x1 > box.x0; };
  const bool some_have = std::any_of(cells.begin(), cells.end(), has_cells);
  std::vector<Interval> cells_across, cells_down, words_across, words_down;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    const Bounds& box = drawn[i];
    if (box.x1 < box.x0 || empty(box) || (some_have && !has_cells(cells[i]))) continue;
    cells_across.push_back({box.x0, box.x1});
    cells_down.push_back({box.y0, box.y1});
    float left = box.x0, right = box.x1, top = box.y0, bottom = box.y1;
    for (const Mark& mark : scene.panels[i].marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (!label) continue;
      const float type = type_size(*label), height = kLineHeight * type;
      if (label->y < box.y0) top = std::min(top, label->y - height / 2 - 0.3f * type);
      if (label->y > box.y1) bottom = std::max(bottom, label->y + height / 2 + 0.3f * type);
      if (label->role == LabelRole::panel_name) continue;  // they stand over cells
      const bool is_left = label->x<box.x0, is_right = label->x> box.x1;
      if (!is_left && !is_right) continue;
      if (is_corner(*label, box)) continue;
      const float wide = (static_cast<float>(count_characters(scene.text_of(label->text))) * kSign + kGapSigns) * type;
      const float before = label->anchor == Anchor::left ? 0 : label->anchor == Anchor::right ? wide : wide / 2;
      if (is_left) left = std::min(left, label->x - before);
      if (is_right) right = std::max(right, label->x + wide - before);
    }
    words_across.push_back({left, box.x0});
    words_across.push_back({box.x1, right});
    words_down.push_back({top, box.y0});
    words_down.push_back({box.y1, bottom});
  }
  const float type = kAxisPixels * ui_scale / type_of(scene);
  auto map = std::make_shared<PictureMap>();
  map->type = type;
  map->across = axis_of(std::move(cells_across), std::move(words_across), type);
  map->down = axis_of(std::move(cells_down), std::move(words_down), type);
  return map;
}

}  // namespace tessera::studio
