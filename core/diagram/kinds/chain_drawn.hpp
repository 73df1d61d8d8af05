// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of a chain of copies: which part of a tile is drawn, and where each of its elements is at a stage.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagram/kinds/chain_parts.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// The part of a tile that is drawn, in the directions of the drawing.
struct ChainPart {
  std::int64_t first_down = 0, down = 1, first_across = 0, across = 1;
  bool swap = false;  // columns are drawn down: those of the tile's first mode are neighbours
};

// A stage as it is drawn: where each of the part's elements is.
struct ChainDrawn {
  Frame frame;
  std::vector<std::int64_t> element;  // of each cell, row by row; -1: none of the part
  std::vector<std::int64_t> line;     // bytes at which each row begins; empty: rows are coordinates
  ChainPart part;
};

// The element whose way is drawn, in the tile that is copied.
struct Followed {
  std::int64_t row = 0, col = 0;
};
Result<Followed> followed(const FigureSpec& spec, const ChainStage& first);  // that at= names

bool neighbours_go_down(const ChainStage& stage);
// The part that has the element at (row, col).
ChainPart part_of(const ChainStage& stage, bool swap, std::int64_t row, std::int64_t col);
ChainDrawn by_coordinates(const ChainStage& stage, const ChainPart& part);
// Rows of 128 bytes of shared memory, those that have elements of the part.
ChainDrawn by_addresses(const ChainStage& stage, const ChainPart& part);

// The number of the column that the way comes down through stands right of it, where there is room before the next number.
void move_number(Panel& panel, const Frame& frame, std::int64_t column);

// "ldmatrix.x4: T19 points at the 16 bytes that hold the element, and T13 receives it": its lanes share out what they point at. One for
// each such step.
std::vector<std::string> pointing_words(const Chain& chain, const Followed& at);

}  // namespace tessera
