// SPDX-License-Identifier: BSD-3-Clause
// Private to the figures of divides and products: grids whose cells are tinted by the tile that they belong to, and their tilers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/parts/nested_axes.hpp"

namespace tessera {

constexpr std::int64_t kMostTileCells = std::int64_t{1} << 16;  // of one grid

// Cells row by row: what stands in them, which tile they are of (-1: of none), and the coordinate that they stand for.
struct TileGrid {
  std::string id, heading;
  std::int64_t rows = 0, cols = 0;
  std::vector<std::int64_t> offset, tile;
  std::vector<std::int32_t> row, col;
  std::int32_t tensor = 0;
  float lift = 0;               // of the heading, in text units, to stand at the height of its neighbour's
  float aside = 0;              // of the heading, in text units: it begins so far left of the grid, above the words there
  NestedAxis down{}, across{};  // of a result's rows and columns; without levels they are numbered through
  bool is_nested() const { return !down.levels.empty(); }
  float room_above() const { return is_nested() ? nested_room_above(across) : 0; }
  float room_left() const { return is_nested() ? nested_room_left(down) : 0; }
};

// Gives a result's rows and columns these levels, where they are so many, one of them has several, and their numbers have room.
void nest(TileGrid& grid, NestedAxis down, NestedAxis across);

// The tints of so many tiles.
std::vector<ColorIndex> tile_tints(Scene& scene, const Palette& palette, std::int64_t tiles);

// The grid with borders between its tiles, its numbers and its heading.
Panel tile_panel(Scene& scene, const TileGrid& grid, const Frame& frame, const std::vector<ColorIndex>& tints, std::string_view labels,
                 float unit);

// How far to the left of a grid at `x` its heading may begin, in text units: above the words in `room`, and clear of what ends at `taken`.
float heading_aside(float room, float x, float taken, float unit);

// What stands in the cells of such grids, in words; empty where nothing does.
std::string cell_words(std::string_view labels);

// How wide its cells are drawn.
float tile_cell_width(const std::vector<const TileGrid*>& grids, std::string_view labels);

// Rows and columns of a shape as it is drawn: of one mode a strip, further modes across.
struct TileExtent {
  std::int64_t rows = 1, cols = 1;
};
TileExtent tile_extent(const Shape& shape);
// The 1-D coordinate of what is drawn at (r, c).
std::int64_t tile_index(const Shape& shape, const TileExtent& extent, std::int64_t r, std::int64_t c);

// A tiler that was written as a shape: 3, (2,3). Nothing of any other.
std::optional<IntTuple> shape_of(const Tiler& tiler);

}  // namespace tessera
