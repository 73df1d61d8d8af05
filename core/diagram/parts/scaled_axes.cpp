// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/scaled_axes.hpp"

#include <cstdint>
#include <string>

namespace tessera {

std::int64_t units_between_numbers(float unit_width, float least) {
  for (std::int64_t ten = 1;; ten *= 10) {
    for (const std::int64_t units : {ten, 2 * ten, 5 * ten}) {
      if (static_cast<float>(units) * unit_width >= least) return units;
    }
  }
}

void add_scaled_axes(Scene& scene, Panel& panel, const Frame& frame, const AxisScale& down, const AxisScale& across, float unit) {
  const float size = kAxisType * unit;
  const auto numbers = [&](std::int64_t count, bool rows, const AxisScale& scale) {
    const auto digits = static_cast<float>(std::to_string(scale.first + (count - 1) * scale.each).size());
    const float room = rows ? 1.12f * size : (0.6f * digits + 0.45f) * size / frame.w;
    std::int64_t step = 1;
    while (static_cast<float>(step) < room) step *= 2;
    for (std::int64_t i = 0; i < count; i += step) {
      const float x = rows ? frame.x - 0.26f * unit : frame.column(i) + frame.w / 2;
      const float y = rows ? frame.y + static_cast<float>(i) + 0.5f : frame.y - 0.38f * unit;
      panel.marks.push_back(Label{x, y, scene.intern(std::to_string(scale.first + i * scale.each)), LabelRole::axis,
                                  rows ? Anchor::right : Anchor::center, size});
    }
  };
  numbers(frame.rows, true, down);
  numbers(frame.cols, false, across);
}

}  // namespace tessera
