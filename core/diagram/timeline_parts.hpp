// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: what a timeline is made of, what its bars are in words, and its steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/scene.hpp"
#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

enum class Track : std::uint8_t { arriving, loading, multiplying, storing, waiting, none };

// Operations of one role that belong together: those of one kind, stage and tile.
struct TimelineBar {
  std::int64_t role = 0;
  Track track = Track::none;
  std::int64_t stage = -1, k_tile = -1, tile = -1;
  std::int64_t start = 0, end = 0;  // steps of the simulation
  std::int64_t line = 0;            // of its track
  std::string text{};
  float x0 = 0, x1 = 0, y = 0;
  const plan::Op* op = nullptr;     // the first of them
  bool of_a = false, of_b = false;  // operands that are copied
};
struct TimelineArc {
  std::size_t from = 0, to = 0;  // bars
};
struct Timeline {
  std::vector<TimelineBar> bars;
  std::vector<TimelineArc> arcs;
};

// "producer copies A and B of k_tile 3 to stage 0"; of a wait, for what, and why.
std::string words_of(const GemmPlan& plan, const TimelineBar& bar);

// Where the marks of bars and arcs are among those of the panel.
struct TimelineMarks {
  std::vector<std::size_t> bars, arcs;
};
// A step for each step of the simulation in which something begins: bars are there from then on, and lit while they go on; an arc is there
// from the end of the wait on.
void add_steps(Scene& scene, Panel& panel, const GemmPlan& plan, const Timeline& timeline, const TimelineMarks& marks);

}  // namespace tessera
