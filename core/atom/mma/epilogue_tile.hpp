// SPDX-License-Identifier: BSD-3-Clause
// What an epilogue of tcgen05.mma takes at once: its tile, the load from tensor memory that brings it, and the store to shared memory that
// fits the load. Source: the DSL's utils/blackwell_helpers.py (4.8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

// A tensor that an epilogue reads or writes.
struct EpilogueTensor {
  ValueType type = ValueType::none;
  bool m_major = false;  // M, not N, is the contiguous mode
};

// The four warps over a CTA's tile, (M,N): they stand in two rows where a pair of CTAs has 64 rows each.
using EpilogueWarps = std::array<std::int64_t, 2>;
EpilogueWarps epilogue_warps(std::int64_t cta_m, bool two_ctas);

// The tile of D that is stored at once, with C read beside it where there is one: a layout of rows and one of columns of the CTA's tile.
// compute_epilogue_tile_shape. Refuses a CTA's tile that is smaller than what a store needs.
struct EpilogueTile {
  Layout rows, columns;
};
Result<EpilogueTile> epilogue_tile(std::int64_t cta_m, std::int64_t cta_n, EpilogueWarps warps, const EpilogueTensor& d,
                                   const std::optional<EpilogueTensor>& c);

// The name of CuTe's copy, "SM100_TMEM_LOAD_32dp32b32x", that brings an epilogue's tile of so many rows and columns: get_tmem_load_op.
// Refuses pairs of types and tiles that it has no load for.
Result<std::string> tmem_load_for(std::int64_t rows, std::int64_t columns, EpilogueWarps warps, const EpilogueTensor& d,
                                  ValueType accumulator);

// The name of CuTe's stmatrix that stores what a load from tensor memory brings, or empty: a plain store. get_smem_store_op.
std::string smem_store_for(const CopyTraits& load, const EpilogueTensor& d, ValueType accumulator);

}  // namespace tessera
