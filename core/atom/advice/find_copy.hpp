// SPDX-License-Identifier: BSD-3-Clause
// Is there a better tiled copy for a tile? Thread and value layouts are tried, for the same kind of instruction in every width.
//
//   threads   as many as the copy has: every factorization over the two modes, either mode fastest
//   values    as many as the copy has, or one vector of up to 128 bits: every factorization, either mode fastest
//   atom      UniversalCopy or cp.async of 1 to 16 bytes that lie along the values' fastest mode
//
// ldmatrix and stmatrix keep their thread-value layout, which an MMA gives, and are tried with the instruction's other sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/copy/check_copy.hpp"

namespace tessera {

struct CopySearch {
  struct Found {
    TiledCopy copy;
    std::string text;  // of the language, which makes it
    CopyCheck check;
  };
  std::optional<Found> better;  // the first of the best by sectors and wavefronts, then instructions, then simplicity
  std::int64_t tried = 0;       // copies that were measured
  std::int64_t candidates = 0;  // that cover the tile evenly
  bool least = false;           // what is known now, or was found, is the least that any copy can take
  std::string stopped;          // where not all were tried: why, and the bound that helps
};

// now: of the copy itself. A copy that is not sound (CopyCheck) is worse than every one that is.
Result<CopySearch> find_copy(const TiledCopy& copy, const CopyCheck& now, const CopyTile& source, const CopyTile& destination,
                             std::int64_t bits);

}  // namespace tessera
