// SPDX-License-Identifier: BSD-3-Clause
// Tiling: what a divide means, evaluated one coordinate at a time from its definition. Divides and partitions hold their law with it.
//
//   zipped_divide(A, <B0,B1>)((t0,t1),(r0,r1)) is A(D0(t0,r0), D1(t1,r1)),  Dk = (Bk, complement(Bk, shape(coalesce(Ak))))
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"

namespace tessera {

// D of one mode: (coordinate in the tile, which tile) -> coordinate of the mode.
class TileMap {
 public:
  static Result<TileMap> of(const Layout& mode, const Layout& tile);

  std::int64_t operator()(std::int64_t in_tile, std::int64_t which) const { return tile_(in_tile) + rest_(which); }
  std::int64_t operator()(std::int64_t number) const { return (*this)(number % tile_.size(), number / tile_.size()); }
  std::int64_t tile_size() const { return tile_.size(); }
  std::int64_t rest_size() const { return rest_.size(); }
  std::int64_t reach() const { return tile_.cosize() + rest_.cosize() - 1; }  // one more than the largest coordinate

 private:
  TileMap(Layout tile, Layout rest) : tile_(std::move(tile)), rest_(std::move(rest)) {}

  Layout tile_, rest_;
};

// A divide of all modes that a tiler names. Numbers of tiles and places in them are colexicographic over zipped_divide's two modes.
class Tiling {
 public:
  static Result<Tiling> of(const Layout& layout, const Tiler& tiler);

  std::int64_t operator()(std::int64_t in_tile, std::int64_t which) const;  // the layout's value there
  bool reaches_beyond() const;                                              // some coordinate of a tile is none of the layout
  std::int64_t tile_size() const { return tile_size_; }
  std::int64_t rest_size() const { return rest_size_; }

 private:
  Tiling() = default;

  Layout layout_;               // of one mode with a TileMap, or the pair that `_` stands for
  std::vector<TileMap> map_;    // none or one
  std::vector<Tiling> modes_;   // of a tuple tiler
  std::vector<Layout> others_;  // the modes beyond the tiler's
  std::int64_t tile_size_ = 1, rest_size_ = 1;
};

}  // namespace tessera
