// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: what of a grid is whole, so that who shows a part of it cuts nothing in two.
#pragma once

#include <cstdint>
#include <span>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

struct WholeBlock {
  std::int32_t rows = 1, cols = 1;
  friend bool operator==(const WholeBlock&, const WholeBlock&) = default;
};

// The least rows and columns from (0, 0) on in which every group that has a cell there lies with all its cells, and which divide the grid.
// `groups`: of each cell, row by row; below 0: in none.
WholeBlock whole_groups(std::int32_t rows, std::int32_t cols, std::span<const std::int32_t> groups);

// After how many rows, and columns, the addresses are those of the first ones again, all moved by one distance: 8 rows of Sw<3,3,3> over
// rows of 64 elements. 1 where an address is a sum of what its row and its column say.
WholeBlock address_period(const GridColumns& grid);

// Lets the grid's block hold this one too: the least common multiple, and no more than there is.
void widen_whole(GridColumns& grid, const WholeBlock& block);

}  // namespace tessera
