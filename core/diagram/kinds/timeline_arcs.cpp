// SPDX-License-Identifier: BSD-3-Clause
// The arrows of a timeline: heads end at a bar's side; what arrives goes behind the bars of others, and what frees a stage, dashed, over
// them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/diagram/kinds/timeline_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

using Kind = TimelineArc::Kind;

constexpr float kHead = 0.4F;    // the last part of an arrow, which is drawn over bars
constexpr float kInside = 0.2F;  // of a bar's side, where an arrow meets its top

struct Point {
  float x = 0, y = 0;
};

// Is there room for an arrow's end before a bar, where nothing else of its line stands?
bool free_before(const std::vector<TimelineBar>& bars, const TimelineBar& bar) {
  return std::none_of(bars.begin(), bars.end(),
                      [&](const TimelineBar& other) { return other.y == bar.y && other.x0 < bar.x0 && other.x1 > bar.x0 - kHead; });
}

float middle(const TimelineBar& bar) { return bar.y + kLine / 2; }
// The side of a bar that is towards y.
float towards(const TimelineBar& bar, float y) { return y < middle(bar) ? bar.y + kBetween / 2 : bar.y + kLine - kBetween / 2; }

// The corners of an arc's way; its last part has the arrow's head.
std::vector<Point> way_of(const std::vector<TimelineBar>& bars, const TimelineArc& arc) {
  const TimelineBar &from = bars[arc.from], &to = bars[arc.to];
  if (arc.kind == Kind::wait) return {{from.x1, middle(from)}, {to.x1, towards(to, middle(from))}};
  const bool before = free_before(bars, to);
  const float down = to.x0 + std::min(kInside, (to.x1 - to.x0) / 2);
  const Point start{from.x1, middle(from)};
  if (before && from.x1 <= to.x0 - kHead) {  // along its own line, down or up, and into the bar's left side
    const float turn = to.x0 - kHead;
    return {start, {turn, start.y}, {turn, middle(to)}, {to.x0, middle(to)}};
  }
  const float side = towards(to, start.y);
  return {start, {down, start.y}, {down, start.y < side ? side - kHead : side + kHead}, {down, side}};
}

void add_dashes(Panel& panel, const Point& from, const Point& to, ColorIndex color) {
  constexpr float kDash = 0.22F, kGap = 0.16F;
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  for (float at = 0; at < length; at += kDash + kGap) {
    const float t0 = at / length, t1 = std::min(at + kDash, length) / length;
    panel.marks.push_back(Line{from.x + t0 * (to.x - from.x), from.y + t0 * (to.y - from.y), from.x + t1 * (to.x - from.x),
                               from.y + t1 * (to.y - from.y), StrokeRole::grid, color});
  }
}

}  // namespace

std::vector<ColorIndex> colors_of_arcs(Scene& scene, const Timeline& timeline, const std::vector<ColorIndex>& stages) {
  std::vector<ColorIndex> colors;
  for (const TimelineArc& arc : timeline.arcs) {
    const std::int64_t stage = timeline.bars[arc.kind == Kind::freed ? arc.to : arc.from].stage;
    colors.push_back(arc.kind == Kind::wait
                         ? kNoColor
                         : arrow_color(scene, stages[static_cast<std::size_t>(std::max<std::int64_t>(stage, 0)) % stages.size()]));
  }
  return colors;
}

void add_ways(Panel& panel, const Timeline& timeline, const std::vector<ColorIndex>& colors, TimelineMarks& marks) {
  for (std::size_t i = 0; i < timeline.arcs.size(); ++i) {
    // What frees a stage passes bars that it has to do with no more than others: it is drawn over them, or it would begin at one.
    if (timeline.arcs[i].kind == Kind::freed) continue;
    const std::vector<Point> way = way_of(timeline.bars, timeline.arcs[i]);
    for (std::size_t k = 0; k + 2 < way.size(); ++k) {
      marks.elbows.emplace_back(panel.marks.size(), i);
      panel.marks.push_back(Line{way[k].x, way[k].y, way[k + 1].x, way[k + 1].y, StrokeRole::boundary, colors[i]});
    }
  }
}

void add_arcs(Panel& panel, const Timeline& timeline, const std::vector<ColorIndex>& colors, TimelineMarks& marks) {
  for (std::size_t i = 0; i < timeline.arcs.size(); ++i) {
    const std::vector<Point> way = way_of(timeline.bars, timeline.arcs[i]);
    const Point &from = way[way.size() - 2], &to = way.back();
    const std::size_t first = panel.marks.size();
    for (std::size_t k = 0; k + 2 < way.size() && timeline.arcs[i].kind == Kind::freed; ++k)
      add_dashes(panel, way[k], way[k + 1], colors[i]);
    for (std::size_t mark = first; mark < panel.marks.size(); ++mark) marks.elbows.emplace_back(mark, i);
    marks.arcs.push_back(panel.marks.size());
    panel.marks.push_back(Arrow{from.x, from.y, to.x, to.y, colors[i]});
  }
}

}  // namespace tessera
