// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: numbers of rows and columns for modes of several levels, each level's own: the inner index beside each cell, the
// index of the level around it over its bracket.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// Extents of the levels of an axis, the innermost first, and what stands before the numbers of the outermost where it has room: "rest".
struct NestedAxis {
  std::vector<std::int64_t> levels{};
  std::string outermost{};
  std::int64_t extent() const;
};

// The levels of a mode; those of one element have no numbers of their own.
NestedAxis nested_axis(const Shape& mode);

// Room beside the grid that the levels beyond the first take, in text units.
float nested_room_above(const NestedAxis& cols);
float nested_room_left(const NestedAxis& rows);

// In place of add_axes.
void add_nested_axes(Scene& scene, Panel& panel, const Frame& frame, const NestedAxis& rows, const NestedAxis& cols, float unit);

}  // namespace tessera
