// SPDX-License-Identifier: BSD-3-Clause
// CuTe's ss_op_selector and rs_op_selector: the Hopper instruction (wgmma) for element types and a tile.
#pragma once

#include "core/atom/instructions/mma_atom.hpp"
#include "core/atom/instructions/value_type.hpp"
#include "core/layout/int_tuple.hpp"

namespace tessera {

struct GmmaChoice {
  ValueType a, b, c;
  Shape tile_mnk;
  bool a_mn = false, b_mn = false;  // contiguous along M or N instead of K
  bool a_in_registers = false;      // rs_op_selector
  bool sparse = false;              // ss_op_selector_sparse
};

// Refuses types that no instruction has, and tiles that none divides.
Result<MmaAtom> select_gmma(const GmmaChoice& choice);

}  // namespace tessera
