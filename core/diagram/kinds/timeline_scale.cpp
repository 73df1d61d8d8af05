// SPDX-License-Identifier: BSD-3-Clause
// Where the steps of a timeline stand: a linear scale, with cuts where nothing new would be seen, and its numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/kinds/timeline_parts.hpp"
#include "core/diagram/parts/scaled_axes.hpp"
#include "core/diagram/scene/caption_lines.hpp"

namespace tessera {

namespace {

constexpr std::int64_t kLeastCut = 8;                 // fewer steps are not worth a cut
constexpr std::int64_t kBreak = 40, kKeptOfIt = 4;    // a stretch in which nothing begins or ends is cut, and what is kept on each side
constexpr float kWidth = 34;                          // cells that a timeline fills where its steps have a good width
constexpr float kLeastStep = 0.2F, kMostStep = 1.6F;  // cells
constexpr float kNumbersApart = 2.4F;

struct Span {
  std::int64_t first = 0, last = 0;  // steps
};

// Of all that is done to each k-tile of each tile of C, without the waits for it.
std::map<std::int64_t, Span> spans_of_fills(const GemmPlan& plan, const std::vector<TimelineBar>& bars) {
  std::map<std::int64_t, Span> spans;
  for (const TimelineBar& bar : bars) {
    if (bar.k_tile < 0 || bar.track == Track::waiting) continue;
    const auto [found, is_new] = spans.try_emplace(bar.tile * plan.k_tiles + bar.k_tile, Span{bar.start, bar.end});
    found->second = {std::min(found->second.first, bar.start), std::max(found->second.last, bar.end)};
  }
  return spans;
}

std::vector<Span> merged(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.first < b.first; });
  std::vector<Span> out;
  for (const Span& span : spans) {
    if (out.empty() || span.first - out.back().last > kLeastCut)
      out.push_back(span);
    else
      out.back().last = std::max(out.back().last, span.last);
  }
  if (!out.empty() && out.front().first <= kLeastCut) out.front().first = 0;
  return out;
}

// Cuts out long stretches in which nothing begins or ends.
std::vector<Span> without_long(const std::vector<Span>& windows, const std::vector<TimelineBar>& bars) {
  std::vector<std::int64_t> times;
  for (const TimelineBar& bar : bars) times.push_back(bar.start), times.push_back(bar.end);
  std::sort(times.begin(), times.end());
  std::vector<Span> out;
  for (Span window : windows) {
    std::int64_t before = window.first;
    for (const std::int64_t time : times) {
      if (time < window.first || time > window.last) continue;
      if (time - before > kBreak) {
        out.push_back({window.first, before + kKeptOfIt});
        window.first = time - kKeptOfIt;
      }
      before = time;
    }
    out.push_back(window);
  }
  return out;
}

std::string words_of_cut(const GemmPlan& plan, const std::map<std::int64_t, Span>& fills, const TimeCut& cut) {
  std::set<std::int64_t> hidden;
  for (const auto& [fill, span] : fills) {
    if (span.first >= cut.first && span.last <= cut.last) hidden.insert(fill % plan.k_tiles);
  }
  if (hidden.empty()) return fmt::format("{} steps", cut.last - cut.first);
  const bool alike = !hidden.contains(0) && !hidden.contains(plan.k_tiles - 1);  // the pipeline is full
  return fmt::format("k-tile{} {}{}", hidden.size() > 1 ? "s" : "", ranges_of(std::vector<std::int64_t>(hidden.begin(), hidden.end()), ""),
                     alike ? " alike" : "");
}

// A torn edge, from above to below.
void add_torn(Panel& panel, float x, float top, float bottom) {
  constexpr float kAmplitude = 0.14F, kTooth = 0.42F;
  const auto teeth = std::max<int>(2, static_cast<int>((bottom - top) / kTooth));
  const float each = (bottom - top) / static_cast<float>(teeth);
  for (int i = 0; i < teeth; ++i) {
    const float side = i % 2 == 0 ? kAmplitude : -kAmplitude, y = top + each * static_cast<float>(i);
    panel.marks.push_back(Line{x - side, y, x + side, y + each, StrokeRole::boundary});
  }
}

}  // namespace

float TimeScale::at(std::int64_t time, bool begins) const {
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (time < stretches[i].first && (i == 0 || begins)) return stretches[i].x - (i == 0 ? 0 : kTornAt);
    if (time < stretches[i].first) return stretches[i].x - kCutWidth + kTornAt;
    if (time <= stretches[i].last) return stretches[i].x + step * static_cast<float>(time - stretches[i].first);
  }
  return right();
}

float TimeScale::right() const {
  if (stretches.empty()) return 0;
  const TimeStretch& last = stretches.back();
  return last.x + step * static_cast<float>(last.last - last.first);
}

std::vector<std::pair<float, float>> TimeScale::pieces(float x0, float x1) const {
  std::vector<std::pair<float, float>> made;
  for (const TimeCut& cut : cuts) {
    if (cut.x <= x0 || cut.x + kCutWidth >= x1) continue;
    made.emplace_back(x0, cut.x + kTornAt);
    x0 = cut.x + kCutWidth - kTornAt;
  }
  made.emplace_back(x0, x1);
  return made;
}

bool TimeScale::shows(std::int64_t time) const {
  return std::any_of(stretches.begin(), stretches.end(), [&](const TimeStretch& s) { return s.first <= time && time <= s.last; });
}

bool TimeScale::shows(const TimelineBar& bar) const {
  return std::any_of(stretches.begin(), stretches.end(), [&](const TimeStretch& s) { return bar.start < s.last && bar.end > s.first; });
}

TimeScale scale_of(const GemmPlan& plan, const std::vector<TimelineBar>& bars, const std::set<std::int64_t>& k_tiles) {
  const std::map<std::int64_t, Span> fills = spans_of_fills(plan, bars);
  std::vector<Span> wanted;
  for (const auto& [fill, span] : fills) {
    if (!k_tiles.contains(fill % plan.k_tiles)) continue;
    const auto next = fills.find(fill + 1);  // nothing is cut out between neighbours
    const bool is_run = next != fills.end() && k_tiles.contains((fill + 1) % plan.k_tiles);
    wanted.push_back({span.first, is_run ? std::max(span.last, next->second.first) : span.last});
  }
  for (const TimelineBar& bar : bars) {
    if (bar.track == Track::storing || fills.empty()) wanted.push_back({bar.start, bar.end});
  }
  TimeScale scale;
  const std::vector<Span> drawn = without_long(merged(std::move(wanted)), bars);
  std::int64_t steps = 0;
  for (const Span& span : drawn) steps += span.last - span.first;
  const auto cuts = drawn.empty() ? 0.0F : static_cast<float>(drawn.size() - 1);
  scale.step = std::clamp((kWidth - kCutWidth * cuts) / static_cast<float>(std::max<std::int64_t>(steps, 1)), kLeastStep, kMostStep);
  float x = 0;
  for (const Span& span : drawn) {
    if (!scale.stretches.empty()) {
      TimeCut cut{scale.stretches.back().last, span.first, x, {}};
      cut.words = words_of_cut(plan, fills, cut);
      scale.cuts.push_back(std::move(cut));
      x += kCutWidth;
    }
    scale.stretches.push_back({span.first, span.last, x});
    x += scale.step * static_cast<float>(span.last - span.first);
  }
  for (const auto& [fill, span] : fills) {
    if (std::any_of(drawn.begin(), drawn.end(), [&inner = span](const Span& s) { return s.first <= inner.first && inner.last <= s.last; }))
      scale.whole.insert(fill % plan.k_tiles);
  }
  return scale;
}

void add_time_axis(Scene& scene, Panel& panel, const TimeScale& scale, float top, float y) {
  constexpr float kTick = 0.2F;
  const std::int64_t every = units_between_numbers(scale.step, kNumbersApart);
  for (const TimeStretch& stretch : scale.stretches) {
    for (std::int64_t time = (stretch.first + every - 1) / every * every; time <= stretch.last; time += every) {
      const float x = scale.at(time);
      panel.marks.push_back(Line{x, top, x, y + kTick, StrokeRole::hairline});
      panel.marks.push_back(Label{x, y + 0.5F, scene.intern(std::to_string(time)), LabelRole::axis, Anchor::center, 0.42F});
    }
  }
  panel.marks.push_back(
      Label{0, y + 1.15F, scene.intern("steps of the simulation: an order, not times"), LabelRole::axis, Anchor::left, 0.45F});
}

void add_cuts(Scene& scene, Panel& panel, const TimeScale& scale, float top, float bottom, float words_y) {
  const ColorIndex paper = scene.color(scene.page.paper);
  for (const TimeCut& cut : scale.cuts) {
    panel.marks.push_back(Cell{cut.x + kTornAt, top, kCutWidth - 2 * kTornAt, bottom - top, paper});
    for (const float x : {cut.x + kTornAt, cut.x + kCutWidth - kTornAt}) add_torn(panel, x, top, bottom);
    panel.marks.push_back(Label{cut.x + kCutWidth / 2, words_y, scene.intern(cut.words), LabelRole::legend, Anchor::center, 0.45F});
  }
}

}  // namespace tessera
