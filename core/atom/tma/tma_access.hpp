// SPDX-License-Identifier: BSD-3-Clause
// What a TMA copy moves: its boxes, and the sectors of global memory that their rows touch. Shared memory is written a box at a time in the
// order of its swizzle, by no warp's lanes, so that there are no wavefronts to count.
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/tma/tma_copy.hpp"

namespace tessera {

struct TmaAccess {
  std::int64_t boxes = 0;        // of the whole tensor; of CTAs that share a copy, all parts together are one
  std::int64_t rows = 0;         // of one box
  std::int64_t inner_bytes = 0;  // of one row
  std::int64_t span = 0;         // bytes that the swizzle takes together: 16 where there is none
  std::int64_t sectors = 0;      // of 32 bytes, over all rows of all boxes inside of the tensor
  std::int64_t least = 0;        // if each row began at a sector
  // Rows that lie alike to the sectors.
  struct Row {
    std::int64_t rows = 0, behind = 0, bytes = 0, sectors = 0, least = 0;  // behind: bytes from a sector's begin to the row's
  };
  std::vector<Row> alike;
  bool is_best() const { return sectors == least; }
};

// tensor: the layout in global memory, in elements, whose modes the copy was made for; it begins at a multiple of 32 bytes.
// Refused: another tensor's modes; boxes whose inner extent is no multiple of 16 bytes, or more than their swizzle takes together (PTX ISA,
// tensor maps); and tensors of more than 2^22 rows.
Result<TmaAccess> tma_access(const TmaCopy& copy, const Layout& tensor);

}  // namespace tessera
