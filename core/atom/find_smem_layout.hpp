// SPDX-License-Identifier: BSD-3-Clause
// Which shared-memory layout of a tile do given accesses want? Every swizzle and every padding of a row is tried, and ranked by the
// wavefronts that all accesses take together.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/atom/copy_access.hpp"

namespace tessera {

// One access that the layout has to serve: a tiled copy's, an instruction's by one warp, or loads or stores of so many bits.
struct SmemUse {
  std::string name;  // "read", "write"
  std::variant<TiledCopy, CopyTraits, std::int64_t> by;
  CopySide side = CopySide::source;
};

struct SmemCandidate {
  AnyLayout layout;
  std::int64_t bytes = 0;
  std::vector<std::int64_t> units;  // wavefronts, one for each use
  std::int64_t all = 0, least = 0;  // of all uses
  std::int64_t span = 0;            // bytes that TMA and wgmma swizzle it by: 16 (not at all), 32, 64 or 128; 0: they have no such layout
  bool is_best() const { return all == least; }
};

struct SmemSearch {
  std::vector<SmemCandidate> found;     // the best first
  std::int64_t tried = 0, refused = 0;  // layouts; those that an access cannot read
  std::string first_refusal;
};

// shape: of two modes. contiguous: 0 or 1, the mode whose elements are neighbours. bits: of an element, 4 to 64.
// Refused: where no layout serves every use, and where the search would look at more than 2^28 accesses.
Result<SmemSearch> find_smem_layout(const Shape& shape, std::size_t contiguous, std::int64_t bits, const std::vector<SmemUse>& uses);

}  // namespace tessera
