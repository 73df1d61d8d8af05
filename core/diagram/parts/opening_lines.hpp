// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: lines that open a part of one grid to the whole of another beside it.
#pragma once

#include <cstdint>

#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// Opens a part of a grid, from where the lines leave the grid to the corners of the next one; where the lower line leaves it.
float add_opening(Panel& panel, const Frame& from, const Bounds& part, const Frame& to, float unit);
// The box of a cell.
Bounds cell_bounds(const Frame& frame, std::int64_t r, std::int64_t c);

}  // namespace tessera
