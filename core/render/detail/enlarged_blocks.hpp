// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: blocks of grids whose labels cannot be read, drawn once more below the picture in cells that are large enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagram/scene/panel_part.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/detail/overview.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

struct ToOpen {
  std::size_t panel = 0;
  Grid grid{};  // with its labels
  CellBlock block{};
  std::int32_t row = 0, col = 0;  // where the block begins
  float edge = 0;                 // height of the cells that are drawn of it
  int line = 0;                   // of blocks, under one another
  bool beside = false;            // it stands at the picture's right instead, its right edge where the widest words may end
  OwnHues hues;                   // its own colours, where it has other ones than the picture
  std::vector<Line> lines;        // across the grid, between what belongs together
};

const Grid* first_labelled_grid(const Panel& panel);

// What is opened of each: what is whole there (GridColumns::whole_rows), at least 8 x 8, and as much more as the picture is wide; from the
// corner on, or where something is lit from the block on that has the first such cell. Takes out those for which there is no room.
// `beside`: how wide all may be, in cells, where the first stands beside the picture; 0: all stand below it.
void choose_blocks(const Scene& scene, std::vector<ToOpen>& to_open, double cell_points, float beside);

// The panel's first grid with labels and the lines across it; nothing where it has none.
std::optional<ToOpen> to_open_of(const Scene& scene, std::size_t panel);

// Around what is opened, in the picture.
Outline frame_of(const ToOpen& opened);
// Draws it, in a colour that no other line has: what is opened has a border like it.
void add_opened_frame(Scene& scene, Panel& panel, const Outline& frame);

// Puts them below the picture or beside it, above its captions. Blocks of one colour take hues of their own.
void place_opened(Scene& scene, std::vector<ToOpen>& to_open, double cell_points, float beside);

// "Framed, and enlarged: rows 0-15, columns 0-15 of gC, sA, sB"; empty: nothing is.
std::string words_of_opened(const Scene& scene, const std::vector<ToOpen>& to_open);

}  // namespace tessera
