// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: what a timeline is made of, where its bars stand, what they are in words, and its steps.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/scene/scene.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/gemm/run/simulate.hpp"

namespace tessera {

enum class Track : std::uint8_t { arriving, loading, multiplying, working, storing, waiting, phase, none };  // working: opaque operations

// Operations of one role that belong together: those of one kind, stage and tile.
struct TimelineBar {
  std::int64_t role = 0;
  Track track = Track::none;
  std::int64_t stage = -1, k_tile = -1, tile = -1;
  std::int64_t start = 0, end = 0;   // steps of the simulation
  std::int64_t line = 0;             // of its track
  std::string text{}, short_text{};  // where there is no room for the text
  float x0 = 0, x1 = 0, y = 0;
  const plan::Op* op = nullptr;        // the first of them; a phase has none
  std::vector<const plan::Op*> ops{};  // all of them, each once
  plan::Id barrier = plan::kNone;      // whose phase it is
  std::int64_t number = 0;             // of the phase
  bool of_a = false, of_b = false;     // operands that are copied
};
struct TimelineArc {
  // To a wait from what ended it; to who reads a k-tile first from the copy that brought it; to a copy from who read its stage last.
  enum class Kind : std::uint8_t { wait, arrival, freed };
  std::size_t from = 0, to = 0;  // bars
  std::int64_t at = 0;           // the step from which on it is there
  Kind kind = Kind::wait;
};
struct Timeline {
  std::vector<TimelineBar> bars;
  std::vector<TimelineArc> arcs;
  std::int64_t tiles = 0, shown_tiles = 0;  // of C: those of the CTA, and those that have bars
  std::vector<std::string_view> without;    // what has no bar, in words
};

// What the first CTA does to its first tiles of C, and what of it follows from what.
Timeline collect_bars(const GemmPlan& plan, const std::vector<Event>& events);
// The phases of the first CTA's mbarriers, each barrier and stage on a line of its own, behind the lanes of the roles.
void add_phases(Timeline& timeline, const GemmPlan& plan, const std::vector<PhaseEnd>& ends);
void keep_bars(Timeline& timeline, const std::vector<bool>& wanted);  // one a bar; arcs of others go with them

// The copy and the multiplication of an earlier k-tile that run together for the most steps, the first such pair.
struct Overlapped {
  std::size_t copy = 0, product = 0;  // bars
};
std::optional<Overlapped> widest_overlap(const std::vector<TimelineBar>& bars);

// Steps on paper: every step is as wide as any other, but for steps that are cut out, across all lanes.
struct TimeStretch {
  std::int64_t first = 0, last = 0;  // steps that are drawn
  float x = 0;                       // of the first
};
struct TimeCut {
  std::int64_t first = 0, last = 0;  // steps that are not drawn
  float x = 0;
  std::string words{};  // what they would show: "k-tiles 4-29 alike"
};
struct TimeScale {
  float step = 1;  // in cells
  std::vector<TimeStretch> stretches;
  std::vector<TimeCut> cuts;
  std::set<std::int64_t> whole;  // k-tiles of which everything is drawn
  // Of a step that is not drawn the torn edge before what begins there, or behind what ends there.
  float at(std::int64_t time, bool begins = true) const;
  float right() const;
  std::vector<std::pair<float, float>> pieces(float x0, float x1) const;  // of what lies from x0 to x1, between the torn edges
  bool shows(std::int64_t time) const;
  bool shows(const TimelineBar& bar) const;  // any of it
};
inline constexpr float kCutWidth = 1.6F, kTornAt = 0.35F;  // cells; and how far from a cut's sides its edges are

// The steps from the first to the last in which something is done to these k-tiles, and those of the stores.
TimeScale scale_of(const GemmPlan& plan, const std::vector<TimelineBar>& bars, const std::set<std::int64_t>& k_tiles);
// Numbers below the lanes that end at `y`, and lines through them from `top` on.
void add_time_axis(Scene& scene, Panel& panel, const TimeScale& scale, float top, float y);
// Paper over what is cut, with torn edges, and words at `words_y`.
void add_cuts(Scene& scene, Panel& panel, const TimeScale& scale, float top, float bottom, float words_y);

// "producer copies A and B of k_tile 3 to stage 0"; of a wait, for what, and why.
std::string words_of(const GemmPlan& plan, const TimelineBar& bar);
// The same with where and when: "CTA 0, producer copies A and B of k_tile 3 to stage 0, steps 3 to 9".
std::string whole_words_of(const GemmPlan& plan, const TimelineBar& bar);
std::string name_of_barrier(const GemmPlan& plan, const TimelineBar& bar);  // of a phase: "full of stage 0"

inline constexpr float kLine = 1.7F, kBetween = 0.25F;  // height of a line of bars, and what of it lies between them

// Where the marks of bars and arcs are among those of the panel.
struct TimelineMarks {
  std::vector<std::size_t> bars, arcs;
  std::vector<std::pair<std::size_t, std::size_t>> pieces{};  // further cells of bars that a cut tears: the cell, and the bar
  std::vector<std::pair<std::size_t, std::size_t>> elbows{};  // lines that lead to an arc's arrow: the line, and the arc
};
std::vector<ColorIndex> colors_of_arcs(Scene& scene, const Timeline& timeline, const std::vector<ColorIndex>& stages);  // one an arc
// The way of each arc, which goes behind bars that have not been drawn yet, and its arrow, before them.
void add_ways(Panel& panel, const Timeline& timeline, const std::vector<ColorIndex>& colors, TimelineMarks& marks);
void add_arcs(Panel& panel, const Timeline& timeline, const std::vector<ColorIndex>& colors, TimelineMarks& marks);

// A step for each step of the simulation in which something begins: bars are there from then on, and lit while they go on; an arc is there
// from the end of the wait on.
void add_steps(Scene& scene, Panel& panel, const GemmPlan& plan, const Timeline& timeline, const TimelineMarks& marks);

}  // namespace tessera
