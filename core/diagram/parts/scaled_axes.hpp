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
void add_scaled_axes(Scene& scene, Panel& panel, const Frame& frame, const AxisScale& down, const AxisScale& across, float unit);

}  // namespace tessera
