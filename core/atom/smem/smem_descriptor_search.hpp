// SPDX-License-Identifier: BSD-3-Clause
// A shared-memory layout as the blocks of an instruction, and the search for a descriptor of it. Private to core/atom.
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/smem/smem_descriptor.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {

// Every element of an operand's tile by its place.
struct SmemTile {
  AnyLayout layout;  // as it was given
  std::int64_t mn = 0, k = 0, stages = 1;
  ValueTable place;  // (mn, (k, stage)) -> element
  std::int64_t bit(const SmemOperand& operand, std::int64_t m, std::int64_t c) const { return place(m, c) * operand.bits; }
};
Result<SmemTile> smem_tile(const SmemOperand& operand, const AnyLayout& layout);

// The layout types that the instruction knows for such an operand.
std::vector<SmemSwizzle> swizzles_of(const SmemOperand& operand);
// Where a tile's element would be if its swizzle were taken off, in bits.
inline std::int64_t unswizzled(const SmemOperand& operand, const SmemTile& tile, SmemSwizzle swizzle, std::int64_t mn,
                               std::int64_t column) {
  return swizzle_of_bits(swizzle)(tile.bit(operand, mn, column));
}

// LBO and SBO as the tile has them, in bits, from the first block: 0 where the instruction does not reach so far.
struct SmemSteps {
  std::int64_t leading = 0, stride = 0;
};
SmemSteps steps_of(const SmemOperand& operand, const SmemTile& tile, SmemSwizzle swizzle);

// Why the tile has no descriptor: the first rule of a layout with the tile's own swizzle that it breaks.
void explain_refusal(const SmemOperand& operand, const SmemTile& tile, SmemFinding& finding);

}  // namespace tessera
