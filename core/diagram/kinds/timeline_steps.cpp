// SPDX-License-Identifier: BSD-3-Clause
// A timeline in words, and step by step.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagram/kinds/timeline_parts.hpp"
#include "core/diagram/parts/steps.hpp"
#include "core/gemm/plan/explain_op.hpp"

namespace tessera {

namespace {

using namespace plan;

std::string operands_of(const TimelineBar& bar) { return bar.of_a && bar.of_b ? "A and B" : bar.of_a ? "A" : bar.of_b ? "B" : "C"; }

std::string waits_for(const GemmPlan& plan, const TimelineBar& bar) {
  std::string words;
  if (const auto* wait = std::get_if<Wait>(&bar.op->op)) {
    const Barrier& barrier = plan.barriers[wait->barrier];
    words = "waits on the barrier " + barrier.name;
    if (barrier.ring != kNone && bar.stage >= 0) words += fmt::format(" of stage {}", bar.stage);
  } else {
    words = explain(plan, *bar.op);
    words.replace(0, std::string_view("wait").size(), "waits");
  }
  return bar.op->why.empty() ? words : fmt::format("{} ({})", words, bar.op->why);
}

std::string does(const GemmPlan& plan, const TimelineBar& bar) {
  const std::string k_tile = bar.k_tile < 0 ? std::string() : fmt::format(" of k_tile {}", bar.k_tile);
  switch (bar.track) {
    case Track::arriving:
      return fmt::format("copies {}{} to {}", operands_of(bar), k_tile,
                         bar.stage < 0 ? std::string("registers") : fmt::format("stage {}", bar.stage));
    case Track::loading: return fmt::format("loads fragments of {}{}", operands_of(bar), k_tile);
    case Track::multiplying: return bar.k_tile < 0 ? std::string("multiplies") : fmt::format("multiplies k_tile {}", bar.k_tile);
    case Track::working: return fmt::format("does {}", bar.text);
    case Track::storing: return fmt::format("stores tile {} of C", bar.tile);
    case Track::waiting: return waits_for(plan, bar);
    case Track::phase:
    case Track::none: return {};
  }
  return {};
}

// The last step that begins no later.
std::uint16_t step_at(const std::vector<std::int64_t>& times, std::int64_t time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return static_cast<std::uint16_t>(std::max<std::ptrdiff_t>(after - times.begin() - 1, 0));
}

// The first step that begins no sooner, or the last one.
std::uint16_t step_from(const std::vector<std::int64_t>& times, std::int64_t time) {
  const auto found = std::lower_bound(times.begin(), times.end(), time);
  return static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(found - times.begin(), static_cast<std::ptrdiff_t>(times.size()) - 1));
}

}  // namespace

// "full of stage 0"; of a barrier without a ring its name.
std::string name_of_barrier(const GemmPlan& plan, const TimelineBar& bar) {
  const Barrier& barrier = plan.barriers[bar.barrier];
  const std::int64_t stages = stages_of(plan.rings, barrier.ring);
  const std::string name = barrier.name_of(bar.stage / stages);
  return barrier.ring == kNone ? name : fmt::format("{} of stage {}", name, bar.stage % stages);
}

std::string words_of(const GemmPlan& plan, const TimelineBar& bar) {
  if (bar.track == Track::phase)
    return fmt::format("{} is in phase {}, of parity {}", name_of_barrier(plan, bar), bar.number, bar.number % 2);
  return fmt::format("{} {}", plan.members()[static_cast<std::size_t>(bar.role)].name, does(plan, bar));
}

std::string whole_words_of(const GemmPlan& plan, const TimelineBar& bar) {
  return fmt::format("CTA 0, {}, steps {} to {}", words_of(plan, bar), bar.start, bar.end);
}

void add_steps(Scene& scene, Panel& panel, const GemmPlan& plan, const Timeline& timeline, const TimelineMarks& marks) {
  std::vector<std::int64_t> times;
  for (const TimelineBar& bar : timeline.bars) times.push_back(bar.start);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  panel.shown.assign(panel.marks.size(), {});
  for (std::size_t i = 0; i < timeline.bars.size(); ++i) {
    const TimelineBar& bar = timeline.bars[i];
    ShownIn& shown = panel.shown[marks.bars[i]];
    shown.first = step_at(times, bar.start);
    shown.lit = step_at(times, std::max(bar.start, bar.end - 1));
  }
  for (const auto& [mark, bar] : marks.pieces) panel.shown[mark] = panel.shown[marks.bars[bar]];
  for (std::size_t i = 0; i < timeline.arcs.size(); ++i) {
    ShownIn& shown = panel.shown[marks.arcs[i]];
    shown.first = shown.lit = step_from(times, timeline.arcs[i].at);
  }
  for (const auto& [mark, arc] : marks.elbows) panel.shown[mark] = panel.shown[marks.arcs[arc]];
  const std::size_t roles = plan.members().size();
  for (std::size_t step = 0; step < times.size(); ++step) {
    std::string begins;  // from the first role to the last, as they stand below one another
    for (std::size_t role = 0; role < roles; ++role) {
      for (const TimelineBar& bar : timeline.bars) {
        if (bar.role == static_cast<std::int64_t>(role) && bar.start == times[step])
          begins += (begins.empty() ? "" : "; ") + words_of(plan, bar);
      }
    }
    scene.steps.push_back({fmt::format("Step {} of {}, at {} of the simulation: {}.", step + 1, times.size(), times[step], begins), {}});
  }
}

}  // namespace tessera
