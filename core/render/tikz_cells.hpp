// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: a panel's cells as TikZ takes them, row by row.
#pragma once

#include <vector>

#include "core/diagram/scene.hpp"

namespace tessera {

// Where the run of cells ends that begins at a mark; `begin` itself where that is no cell.
std::size_t end_of_cells(const Panel& panel, std::size_t begin);

// The cells of such a run in reading order, whatever the order of their making.
std::vector<const Cell*> reading_order(const Panel& panel, std::size_t begin, std::size_t end);

}  // namespace tessera
