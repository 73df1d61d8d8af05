// SPDX-License-Identifier: BSD-3-Clause
// Where a UMMA's accumulator, or its A operand, lies in tensor memory: 128 data paths (rows, or lanes) of 512 columns of 32 bits.
// Source: PTX ISA, tensor memory: its addressing, its allocation and the access restrictions of tcgen05.ld and tcgen05.st; CuTe's tmem_ptr.
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/instructions/mma_atom.hpp"

namespace tessera {

inline constexpr std::int64_t kTmemLanes = 128, kTmemColumns = 512, kTmemColumnBits = 32;
inline constexpr std::int64_t kTmemLanesOfAWarp =
    32;  // warp w of a warpgroup reaches lanes [32 * (w % 4), 32 * (w % 4) + 32) and no others
inline constexpr std::int64_t kTmemLeastColumns = 32;                 // that are allocated
inline constexpr std::int64_t kTmemLaneBits = std::int64_t{1} << 21;  // address distance of two lanes, in bits

// What an address of a fragment means.
struct TmemPlace {
  std::int64_t lane = 0, column = 0, bit = 0;  // bit: in the column
  friend bool operator==(const TmemPlace&, const TmemPlace&) = default;
};
TmemPlace tmem_place(std::int64_t address_in_bits);
// Columns are allocated in powers of two, 32 at least. tmem_allocation(96) -> 128
std::int64_t tmem_allocation(std::int64_t columns);

// What one tcgen05.ld or tcgen05.st of a warp moves: register `value` of `thread` is the column at `place`, from the warp's first lane and
// the copy's first column on. Refuses copies that are none of these.
struct TmemRegister {
  std::int64_t thread = 0, value = 0;
  TmemPlace place;
};
Result<std::vector<TmemRegister>> tmem_registers(const CopyTraits& copy);

// What CuTe's tmem_frg makes of a partition's shape ((M,N),MMA_M,MMA_N,..): (coordinate) -> address in elements of the operand's
// type, data paths 2^21 bits apart. Atoms are laid out along the data paths first, then along the columns.
// Refuses more than the 256 KiB there are.
Result<Layout> tmem_fragment(const MmaAtom& atom, ValueType type, bool is_accumulator, const Shape& partition_shape);

// How the warps of a block-scaled UMMA share B's scale factors: all four hold all of them, or two hold each half.
enum class TmemScales { four_by_one, two_by_two };
// Where the scale factors of a shared-memory stage ((MN,(vector,factors)),MN's tiles,K's tiles) lie in tensor memory, of one byte each:
// (((32,MN/32),4),(vector,factors)),..) -> address. Tiles of K come first, of two_by_two those of MN; CuTe's tmem_sf_frg, and the DSL's
// make_tmem_layout_sfa and _sfb. Refuses MN that is no multiple of 128 and other shapes.
Result<Layout> tmem_scale_factors(const Shape& stage, TmemScales sharing);

}  // namespace tessera
