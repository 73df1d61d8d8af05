// SPDX-License-Identifier: BSD-3-Clause
// How many instructions a TMA copy takes for one tile. A box ends where shared memory leaves a mode of the tile, so that the order in which
// tile_to_shape repeats the atom decides: in MN-major tiles of several atoms along M or N, Step<_2,_1> takes the fewest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/tma/tma_copy.hpp"

namespace tessera {

// Boxes of one tile; one instruction each, of all CTAs that share the copy together.
std::int64_t instructions_a_tile(const TmaRequest& request, const TmaCopy& copy);

struct TmaOrder {
  std::string smem;  // "tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>, (128,64), Step<_2,_1>)"
  std::int64_t instructions = 0;
};
// The order of the same atom with the fewest instructions; nothing where none takes fewer, or shared memory is no tile of a canonical atom.
std::optional<TmaOrder> order_of_fewer(const TmaRequest& request, const TmaCopy& copy);

}  // namespace tessera
