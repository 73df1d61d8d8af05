// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of tensor memory: where each element of the accumulators lies, and what a tcgen05.ld takes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/atom/mma/tmem_fragment.hpp"
#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

// An element of C, and where it lies.
struct Lying {
  std::int32_t m = -1, n = -1, atom = -1;
};

struct TmemPicture {
  std::string name;  // of the atom
  std::int64_t m = 0, n = 0;
  std::int64_t cta = 0, ctas = 1;
  std::int64_t atoms = 1;                // instructions of the tile
  std::int64_t used = 0, allocated = 0;  // columns
  std::vector<Lying> at;                 // lane + 128 * column
  std::vector<TmemRegister> registers;   // of a tcgen05.ld; empty: none is drawn
  std::string ld;
  std::int64_t ld_lanes = 0, ld_columns = 0;

  const Lying& lying(std::int64_t lane, std::int64_t column) const { return at[static_cast<std::size_t>(lane + kTmemLanes * column)]; }
};

Result<TmemPicture> tmem_picture(const FigureSpec& spec);
// The place of the element that at= names, the first one where nothing is said: its surroundings are opened.
Result<TmemPlace> tmem_opened(const FigureSpec& spec, const TmemPicture& p);

}  // namespace tessera
