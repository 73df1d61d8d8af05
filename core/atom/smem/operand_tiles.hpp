// SPDX-License-Identifier: BSD-3-Clause
// Layouts of whole tiles as CUTLASS's helpers make them around CuTe: operands in shared memory by their width, in the shape in which an MMA
// takes them, and the scale factors of block-scaled MMAs.
//
// Source: CUTLASS, cute/atom/mma_traits_sm100.hpp (tile_to_mma_shape), cutlass/detail/sm100_blockscaled_layout.hpp,
// cutlass/gemm/collective/builders/sm90_common.inl (ss_smem_selector); the DSL's utils/hopper_helpers.py, utils/blackwell_helpers.py and
// utils/blockscaled_layout.py (4.8).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/atom/mma/tiled_mma.hpp"
#include "core/atom/smem/smem_atoms.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

// The word of the widest swizzle of whose rows an extent along the contiguous mode is made: "SW128", "SW64", "SW32", else "INTER", 16
// bytes. `contiguous` in elements. Refuses extents that are no whole number of 16 bytes.
// widest_smem_rows(f16, 64) -> SW128; widest_smem_rows(f16, 96) -> SW64
Result<std::string> widest_smem_rows(ValueType type, std::int64_t contiguous);

// (m, k) -> element of the DSL's make_smem_layout_atom: CuTe's atom of that kind, "K_SW128", but with eight rows also where CuTe's has
// four, in MN_SW128_32B.
Result<AnyLayout> dsl_smem_block(std::string_view kind, ValueType type);

// A block repeated over an operand's tile in the shape that a partition gives it, ((MMA_M,MMA_K),MMA_M's,MMA_K's,...): the modes are
// divided by the MMA's own shape. `order`: of the tile's modes, column-major where there is none. UMMA::tile_to_mma_shape.
Result<AnyLayout> tile_to_mma_shape(const AnyLayout& block, const Shape& mma_tile_shape, const std::optional<IntTuple>& order);

// (m, k) -> scale factor, 128 rows by 4 scale factors of `vector` elements each: ((32,4),(vector,4)):((16,4),(0,1)).
// `k_major` false: with its two modes exchanged.
Layout scale_factor_block(std::int64_t vector, bool k_major = true);
// The scale factors of a tensor (M,K) or (M,K,L): blocks along K first, then along M. A last block may reach beyond the tensor.
// tile_atom_to_shape_SF, tile_atom_to_shape_SFA.
Result<Layout> scale_factors_of(const Shape& shape, std::int64_t vector);

// Where the scale factors of a CTA's tile (M,N,K) lie in shared memory, as the DSL's make_smem_layout_sfa and _sfb have them:
// (((32,4),..),..,stages). Those of B are of 128 columns at least.
Result<Layout> smem_scale_factors(const TiledMma& mma, Operand operand, const Shape& tile_mnk, std::int64_t vector, std::int64_t stages);
// The same of C++'s Sm1xxBlockScaledConfig::deduce_smem_layoutSFA and SFB: without stages.
Result<Layout> deduced_scale_factors(const TiledMma& mma, Operand operand, const Shape& tile_mnk, std::int64_t vector);

}  // namespace tessera
