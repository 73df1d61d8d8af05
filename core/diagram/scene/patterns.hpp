// SPDX-License-Identifier: BSD-3-Clause
// Hatching: colours that print apart in grey.
#pragma once

#include <cstddef>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

// Draws lines over the cells of the scene's grids, below their labels: none, then seven patterns, each for an eighth of the colours in the
// order of the palette, so that the shades of a hue have one pattern. Refuses scenes of more than kMostPatternCells cells, whose lines
// would be a haze.
Status add_patterns(Scene& scene);

inline constexpr std::size_t kMostPatternCells = 4096;

}  // namespace tessera
