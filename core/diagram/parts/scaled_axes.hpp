// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: numbers of rows and columns of cells that stand for several elements, or that begin behind others.
#pragma once

#include <cstdint>

#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// The number at cell i is first + i * each.
struct AxisScale {
  std::int64_t first = 0, each = 1;
};
// How many units lie between two numbers of a scale on which a unit is so wide: 1, 2 or 5 with zeros, and `least` or more on paper.
std::int64_t units_between_numbers(float unit_width, float least);
void add_scaled_axes(Scene& scene, Panel& panel, const Frame& frame, const AxisScale& down, const AxisScale& across, float unit);

}  // namespace tessera
