// SPDX-License-Identifier: BSD-3-Clause
// Which shared-memory layout of a tile do given accesses want? Every swizzle and every padding of a row is tried, and ranked by the
// wavefronts that all accesses take together. Where wgmma or UMMA reads the tile, only layouts that have a descriptor are found; their
// reads are not counted, and the canonical atoms repeated over the tile are candidates too.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/atom/smem/smem_descriptor.hpp"

namespace tessera {

// One access that the layout has to serve: a tiled copy's, an instruction's by one warp, loads or stores of so many bits, or what wgmma or
// UMMA reads by a descriptor.
struct SmemUse {
  std::string name;  // "read", "write"
  std::variant<TiledCopy, CopyTraits, std::int64_t, SmemOperand> by;
  CopySide side = CopySide::source;
};

struct SmemCandidate {
  AnyLayout layout;
  std::int64_t bytes = 0;
  std::string atom;                 // "GMMA::Layout_K_SW128_Atom", where it is one repeated over the tile and those were asked for
  std::vector<std::int64_t> units;  // wavefronts, one for each use; -1: of one by a descriptor, which is not counted
  std::int64_t all = 0, least = 0;  // of all uses
  std::string descriptor;           // the layout type by which wgmma or UMMA read it; empty: they do not
  std::string no_descriptor;        // and why, in a few words
  std::int64_t span = 0;            // bytes that its descriptor swizzles together: 16 (not at all), 32, 64 or 128; 0: it has none
  bool is_best() const { return all == least; }
};

struct SmemSearch {
  std::vector<SmemCandidate> found;     // the best first
  std::int64_t tried = 0, refused = 0;  // layouts; those that an access cannot read
  std::string first_refusal;
};

// shape: of two modes. contiguous: 0 or 1, the mode whose elements are neighbours. bits: of an element, 4 to 64. atoms: the canonical atoms
// of wgmma and UMMA are candidates too, as they are where one of the uses has a descriptor.
// Refused: where no layout serves every use, and where the search would look at more than 2^28 accesses.
Result<SmemSearch> find_smem_layout(const Shape& shape, std::size_t contiguous, std::int64_t bits, const std::vector<SmemUse>& uses,
                                    bool atoms = false);

}  // namespace tessera
