// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: the colours of a grid as few rectangles.
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// rows x cols neighbouring cells of one colour, the first at (row, col).
struct FillRun {
  std::int32_t row = 0, col = 0, rows = 1, cols = 1;
  ColorIndex fill = kNoColor;
};

// Cells of one colour in a row are one run, and rows that are alike one band of runs; from the top to the bottom, and within a band from
// left to right, so that a run which reaches a little under its right and lower neighbours is covered by them. Cells without a colour
// are in no run.
std::vector<FillRun> fill_runs(const GridColumns& grid);

}  // namespace tessera
