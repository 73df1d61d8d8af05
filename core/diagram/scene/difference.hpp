// SPDX-License-Identifier: BSD-3-Clause
// Difference: which cells of a figure stand for something else than in another figure of the same kind.
#pragma once

#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// The cells of `now` whose label, owner or address is another than that of the cell of `was` with the same coordinate in the panel of the
// same id; cells without a coordinate are compared by their place. What only `was` has is not among them.
std::vector<ElementId> different_cells(const Scene& was, const Scene& now);

}  // namespace tessera
