// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/opening_lines.hpp"

#include <algorithm>
#include <cstdint>

namespace tessera {

Bounds cell_bounds(const Frame& frame, std::int64_t r, std::int64_t c) {
  const float y = frame.y + static_cast<float>(r);
  return {frame.column(c), y, frame.column(c + 1), y + 1};
}

float add_opening(Panel& panel, const Frame& from, const Bounds& part, const Frame& to, float unit) {
  const float x0 = part.x1, x1 = to.x - 0.9f * unit;
  float left_at = x0;
  for (const bool above : {true, false}) {
    const float y0 = above ? part.y0 : part.y1, y1 = above ? to.y : to.bottom();
    const float edge = y1 > y0 ? from.bottom() : from.y;
    const float by_side = (from.right() - x0) / (x1 - x0), by_edge = y1 == y0 ? 1 : (edge - y0) / (y1 - y0);
    const float leaves = std::min({by_side, by_edge, 1.0f});
    left_at = x0 + leaves * (x1 - x0);
    panel.marks.push_back(Line{left_at, y0 + leaves * (y1 - y0), x1, y1, StrokeRole::boundary});
    panel.marks.push_back(Line{x1, y1, to.x, y1, StrokeRole::boundary});  // past the numbers, to the corner
  }
  return left_at;
}

}  // namespace tessera
