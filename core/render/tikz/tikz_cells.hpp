// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: a panel's cells as TikZ takes them, row by row.
#pragma once

#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Where the run of cells ends that begins at a mark: behind a grid, or behind the last of several cells; `begin` itself where that is
// neither.
std::size_t end_of_cells(const Panel& panel, std::size_t begin);

// The cells of such a run in reading order, whatever the order of their making.
std::vector<CellView> reading_order(const Scene& scene, const Panel& panel, std::size_t begin, std::size_t end);

}  // namespace tessera
