// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/tile_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

namespace {

std::string label_of(const TileGrid& grid, std::size_t i, std::string_view labels) {
  if (labels == "offset") return std::to_string(grid.offset[i]);
  if (labels == "tile") return grid.tile[i] < 0 ? std::string("–") : std::to_string(grid.tile[i]);
  if (labels == "coordinate") return grid.row[i] < 0 ? std::string("–") : fmt::format("{},{}", grid.row[i], grid.col[i]);
  return {};
}

}  // namespace

void nest(TileGrid& grid, NestedAxis down, NestedAxis across) {
  constexpr std::int64_t kMost = 40;  // rows or columns; of more, not every one has room for its number
  if (down.extent() != grid.rows || across.extent() != grid.cols || std::max(grid.rows, grid.cols) > kMost) return;
  if (down.levels.size() < 2 && across.levels.size() < 2) return;
  grid.down = std::move(down);
  grid.across = std::move(across);
}

std::vector<ColorIndex> tile_tints(Scene& scene, const Palette& palette, std::int64_t tiles) {
  std::vector<ColorIndex> tints;
  for (std::int64_t i = 0; i < std::max<std::int64_t>(tiles, 1); ++i)
    tints.push_back(scene.color(palette.category(i, std::max<std::int64_t>(tiles, 2))));
  return tints;
}

Panel tile_panel(Scene& scene, const TileGrid& grid, const Frame& frame, const std::vector<ColorIndex>& tints, std::string_view labels,
                 float unit) {
  Panel panel{grid.heading, {}, grid.id};
  const ColorIndex grey = scene.color(on_page({226, 229, 234}, scene.page));
  GridColumns columns = begin_grid(grid.rows, grid.cols);
  columns.place = GridColumns::Place::given;
  columns.row = grid.row;
  columns.col = grid.col;
  columns.tensor = grid.tensor;
  std::vector<std::int32_t> groups;
  for (std::size_t i = 0; i < grid.offset.size(); ++i) {
    const std::int64_t tile = grid.tile[i];
    columns.address.push_back(std::max<std::int64_t>(grid.offset[i], -1));
    columns.fills.push_back(tile < 0 ? grey : tints[static_cast<std::size_t>(tile) % tints.size()]);
    groups.push_back(static_cast<std::int32_t>(tile));
    if (labels != "none") columns.add_label(label_of(grid, i, labels));
  }
  add_grid(panel, frame, std::move(columns));
  add_frame(panel, frame);
  add_borders(panel, frame, groups, StrokeRole::strong, false);
  if (grid.is_nested())
    add_nested_axes(scene, panel, frame, grid.down, grid.across, unit);
  else
    add_axes(scene, panel, frame, {grid.rows > 1, true}, unit);
  add_heading(scene, panel, frame.x - grid.aside * unit, frame.y - (1.15f + grid.lift + grid.room_above()) * unit, grid.heading, unit);
  return panel;
}

float heading_aside(float room, float x, float taken, float unit) {
  constexpr float kApart = 1.2f;
  return std::clamp((x - taken) / unit - kApart, 0.0f, room);
}

std::string cell_words(std::string_view labels) {
  if (labels == "offset") return "number in a cell: the offset";
  if (labels == "tile") return "number in a cell: its tile";
  return labels == "coordinate" ? "in a cell: row,column" : "";
}

float tile_cell_width(const std::vector<const TileGrid*>& grids, std::string_view labels) {
  std::size_t longest = 1;
  for (const TileGrid* grid : grids) {
    for (std::size_t i = 0; i < grid->offset.size(); ++i) longest = std::max(longest, label_of(*grid, i, labels).size());
  }
  return cell_width(longest);
}

TileExtent tile_extent(const Shape& shape) {
  constexpr std::int64_t kStrip = 32;
  const std::int64_t all = size(shape);
  if (shape.rank() > 1) return {size(shape[0]), all / size(shape[0])};
  std::int64_t cols = std::min(all, kStrip);
  while (all % cols != 0) --cols;
  return {all / cols, cols};
}

std::int64_t tile_index(const Shape& shape, const TileExtent& extent, std::int64_t r, std::int64_t c) {
  return shape.rank() > 1 ? r + extent.rows * c : r * extent.cols + c;
}

std::optional<IntTuple> shape_of(const Tiler& tiler) {
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) return n->number();
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!modes) return std::nullopt;
  std::vector<IntTuple> extents;
  for (const Tiler& mode : *modes) {
    const std::optional<IntTuple> extent = shape_of(mode);
    if (!extent) return std::nullopt;
    extents.push_back(*extent);
  }
  return IntTuple::tuple(std::move(extents));
}

}  // namespace tessera
