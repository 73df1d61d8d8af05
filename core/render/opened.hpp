// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: blocks of grids whose labels cannot be read, drawn once more below the picture in cells that are large enough.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/scene.hpp"
#include "core/render/overview.hpp"
#include "core/render/typography.hpp"

namespace tessera {

struct ToOpen {
  std::size_t panel = 0;
  Grid grid{};  // with its labels
  CellBlock block{};
  std::int32_t row = 0, col = 0;  // where the block begins
  float edge = 0;                 // height of the cells that are drawn of it
  int line = 0;                   // of blocks, under one another
  std::string_view hues;          // what its own colours are by, where it has other ones than the picture; empty: it has those
};

const Grid* first_labelled_grid(const Panel& panel);

// What is opened of each: what is whole there (GridColumns::whole_rows), at least 8 x 8, and as much more as the picture is wide; from the
// corner on, or where something is lit from the block on that has the first such cell. Takes out those for which there is no room.
void choose_blocks(const Scene& scene, std::vector<ToOpen>& to_open, double cell_points);

// Around what is opened, in the picture.
Outline frame_of(const ToOpen& opened);

// Puts them below the picture, above its captions. Blocks of one colour take hues of their own.
void place_opened(Scene& scene, std::vector<ToOpen>& to_open, double cell_points);

// "Framed, and enlarged: rows 0-15, columns 0-15 of gC, sA, sB"; empty: nothing is.
std::string words_of_opened(const Scene& scene, const std::vector<ToOpen>& to_open);

}  // namespace tessera
