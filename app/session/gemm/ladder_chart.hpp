// SPDX-License-Identifier: BSD-3-Clause
// The chart of a measured ladder: a bar a rung, its share of cuBLASLt's speed with the spread of that share; or its rate on one scale of
// powers of ten, on which both ladders rise, with cuBLASLt's of the same types as a line in each bar's row.
#pragma once

#include <string>
#include <vector>

#include "app/session/gemm/ladder_recording.hpp"
#include "core/diagram/charts/bar_chart.hpp"

namespace tessera {

struct LadderChart {
  std::vector<std::string> modes{"interleaved"};  // of "interleaved", "alone", "burst", a bar each
  std::string palette{}, title{};                 // empty: the usual one, and the ladder's own
  bool rates = false;                             // TFLOP/s, and the museum piece beside the ladders
};

// Refuses modes that there are not, and a ladder without a baseline, or for rates without a single time.
Result<BarChart> chart_of(const MeasuredLadder& ladder, const LadderChart& wanted = {});
Result<Scene> draw_chart(const MeasuredLadder& ladder, const LadderChart& wanted = {});

}  // namespace tessera
