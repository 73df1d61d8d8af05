// SPDX-License-Identifier: BSD-3-Clause
// What a tiled MMA's partitions mean, element by element, from the definition; thrfrg and partition hold their law with it.
//
//   thrfrg((v,(m,n)),(f,(rest_m,rest_n))) of T is T(P0(A0(t0, H0(m,rest_m))), P1(A1(t1, H1(n,rest_n)))), (t0,t1) = atom(v,f)
//
// where P, A and H are the tile maps of the permutation, of the atom's extents, and of the threads along each mode.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/layout/tiling.hpp"

namespace tessera {

// One element: thread and value of the atom, threads along the operand's two modes, and what remains, colexicographic over Rest.
struct FragmentPlace {
  std::int64_t thr_v = 0, frg_v = 0;
  std::array<std::int64_t, 2> thr{};
  std::int64_t rest = 0;
};

class MmaPartition {
 public:
  // Along one of the operand's modes.
  struct Mode {
    TileMap permutation, atom, threads;
  };

  // atom_tv: (thr, val) -> place in the atom's tile
  MmaPartition(Layout tensor, Layout atom_tv, std::vector<Mode> modes)
      : tensor_(std::move(tensor)), atom_tv_(std::move(atom_tv)), modes_(std::move(modes)) {}

  // thrfrg as a whole.
  Status check(const Layout& fragments) const;
  // The part of one thread of a tensor whose layout part this is.
  Status check(const SliceAndOffset& part, FragmentPlace thread, const AnyLayout& tensor) const;
  // Where the tiles of permutation, atoms and threads reach beyond the tensor.
  std::optional<Error> overhang() const;

 private:
  std::array<std::int64_t, 2> coordinate(const FragmentPlace& place, std::int64_t& others) const;
  std::int64_t value(const FragmentPlace& place) const;

  Layout tensor_, atom_tv_;
  std::vector<Mode> modes_;  // two
};

}  // namespace tessera
