// SPDX-License-Identifier: BSD-3-Clause
// Difference: which cells of a figure stand for something else than in another figure of the same kind.
#pragma once

#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Cells of `now` that differ (label, owner or address) from the cell at the same coordinate of the same panel in `was`. Cells without a
// coordinate are compared by their place. Cells that only `was` has are not among them.
std::vector<ElementId> different_cells(const Scene& was, const Scene& now);

}  // namespace tessera
