// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: what a grid says where its cells are too small for labels. Its tiles are named, and one of them is opened: drawn
// beside, in cells that are large enough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// rows x cols cells, which divide a grid's.
struct CellBlock {
  std::int32_t rows = 1, cols = 1;
  friend bool operator==(const CellBlock&, const CellBlock&) = default;
};

struct TileNames {
  CellBlock size;
  bool whole = true;  // else the first line of each alone
};

// The smallest tiles whose names can be read at this size of a unit cell, in points, and which lie in one warp each where cells have
// owners. Nothing where there are none such.
std::optional<TileNames> readable_tiles(const Scene& scene, const Grid& grid, double cell_points);

// Its name, a line each: {"W3", "T96-127"}, {"T5"}; of offsets the first with a plus: {"4096 +"}. Empty: nothing is known of its cells.
std::vector<std::string> tile_name(const GridColumns& grid, std::int32_t row, std::int32_t col, const CellBlock& size);

// Do names stand once each, and how often does the tile that has all of them come: "4 x 6 times", "3 times down"; empty: once, or not in
// this way.
struct NamedOnce {
  bool once = false;
  std::string times;
};
// Are the colours within a grid's tiles the message, so that names stand on a ground of paper?
bool stand_on_paper(const Scene& scene, const GridColumns& of, const CellBlock& size);
// The marks that name a grid's tiles, apart from the frame of what is opened. On a ground of paper a name stands once, in the first tile
// that it is true of.
NamedOnce name_tiles(Scene& scene, Panel& panel, const Grid& grid, const TileNames& names, double cell_points,
                     const std::optional<Outline>& frame = std::nullopt);

}  // namespace tessera
