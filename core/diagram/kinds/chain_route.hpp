// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: how a line goes from a cell of one grid to a cell of the grid below it without crossing words.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

struct RouteEnd {
  Frame frame;
  std::pair<std::int64_t, std::int64_t> cell;  // row and column
  std::pair<std::int64_t, std::int64_t> run;   // columns [first, end) around it that have one name
};

struct ChainRoute {
  std::vector<std::pair<float, float>> points;  // from the first cell to the second
  float left = 0, right = 0;                    // of its way down between the grids
};

// Down inside the grids where no label of `labels` is, at the cells' own columns or else at the ends of their runs; across between the
// lower grid's heading and its numbers.
ChainRoute route_of(const RouteEnd& from, const RouteEnd& to, std::span<const Bounds> labels, float unit);

}  // namespace tessera
