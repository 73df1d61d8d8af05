// SPDX-License-Identifier: BSD-3-Clause
// Where the scale factors of a blockwise scaled GEMM lie: one of M's and K's blocks for A, one of N's and K's for B.
// Source: CUTLASS 4.7, cutlass/detail/blockwise_scale_layout.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/layout/layout.hpp"

namespace tessera {

// Sm1xxBlockwiseScaleConfig<M,N,K,majorSFA,majorSFB>: how many elements have one scale factor along each mode, and whether the factors
// lie side by side along M (or N) instead of K.
struct BlockwiseScales {
  std::int64_t m = 1, n = 1, k = 1;
  bool a_mn = true, b_mn = true;
};

enum class ScaledOperand { a, b };

// ((block, M's blocks), (block, K's blocks), batch) -> scale factor, of a problem (M,N,K) or (M,N,K,L): tile_atom_to_shape_SFA and _SFB.
// Its counts of blocks are dynamic, as CuTe's are.
Result<Layout> scales_of_problem(const BlockwiseScales& scales, ScaledOperand operand, const Shape& problem);
// The same of a CTA's tile (M,N,K), without batch and static: smem_atom_layoutSFA and _SFB. CUTLASS's layout of B's follows majorSFA.
Result<Layout> scales_of_tile(const BlockwiseScales& scales, ScaledOperand operand, const Shape& tile);

}  // namespace tessera
