// SPDX-License-Identifier: BSD-3-Clause
// Tiling and TileMap: a divide from its definition.
#include "core/layout/tiling.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/layout/digits.hpp"

namespace tessera {

Result<TileMap> TileMap::of(const Layout& mode, const Layout& tile) {
  TESSERA_TRY(rest, complement(tile, coalesce(mode).shape()));
  return TileMap(tile, std::move(rest));
}

Result<Tiling> Tiling::of(const Layout& layout, const Tiler& tiler) {
  Tiling made;
  if (const auto* tilers = std::get_if<std::vector<Tiler>>(&tiler.value)) {
    for (std::size_t k = 0; k < tilers->size(); ++k) {
      TESSERA_TRY(mode, of(layout[k], (*tilers)[k]));
      made.tile_size_ *= mode.tile_size_;
      made.rest_size_ *= mode.rest_size_;
      made.modes_.push_back(std::move(mode));
    }
    for (std::size_t k = tilers->size(); k < layout.rank(); ++k) {
      made.others_.push_back(layout[k]);
      made.rest_size_ *= made.others_.back().size();
    }
    return made;
  }
  made.layout_ = layout;
  if (std::holds_alternative<Underscore>(tiler.value)) {
    made.tile_size_ = layout[0].size();
    made.rest_size_ = layout.size() / made.tile_size_;
    return made;
  }
  Layout tile;
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) {
    TESSERA_TRY(compact, Layout::make_compact(n->number()));
    tile = std::move(compact);
  } else if (const auto* given = std::get_if<Layout>(&tiler.value)) {
    tile = *given;
  } else {
    return Error{ErrorCode::wrong_type, fmt::format("{} cannot be a tiler", to_string(tiler)), {}, {}};
  }
  TESSERA_TRY(map, TileMap::of(layout, tile));
  made.tile_size_ = map.tile_size();
  made.rest_size_ = map.rest_size();
  made.map_.push_back(std::move(map));
  return made;
}

std::int64_t Tiling::operator()(std::int64_t in_tile, std::int64_t which) const {
  if (!map_.empty()) return layout_(map_[0](in_tile, which));
  if (modes_.empty()) return layout_[0](in_tile) + layout_[1](which);
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    const bool last = k + 1 == modes_.size();
    const std::int64_t place = last ? in_tile : take_digit(in_tile, modes_[k].tile_size_);
    const std::int64_t number = last && others_.empty() ? which : take_digit(which, modes_[k].rest_size_);
    sum += modes_[k](place, number);
  }
  for (std::size_t k = 0; k < others_.size(); ++k)
    sum += others_[k](k + 1 == others_.size() ? which : take_digit(which, others_[k].size()));
  return sum;
}

bool Tiling::reaches_beyond() const {
  if (!map_.empty()) return map_[0].reach() > layout_.size();
  return std::any_of(modes_.begin(), modes_.end(), [](const Tiling& mode) { return mode.reaches_beyond(); });
}

}  // namespace tessera
