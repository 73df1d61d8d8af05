// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: numbers of rows and columns for modes of several levels, each level's own: the inner index beside each cell, the
// index of the level around it over its bracket.
#pragma once

#include "core/diagram/figure_parts.hpp"

namespace tessera {

// Room beside the grid that the levels beyond the first take, in text units.
float nested_room_above(const Shape& col_mode);
float nested_room_left(const Shape& row_mode);

// In place of add_axes.
void add_nested_axes(Scene& scene, Panel& panel, const Frame& frame, const Shape& row_mode, const Shape& col_mode, float unit);

}  // namespace tessera
