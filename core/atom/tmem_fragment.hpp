// SPDX-License-Identifier: BSD-3-Clause
// Where a UMMA's accumulator, or its A operand, lies in tensor memory: 128 data paths (rows) of 512 columns of 32 bits.
#pragma once

#include "core/atom/mma_atom.hpp"

namespace tessera {

// What CuTe's tmem_frg makes of a partition's shape ((M,N),MMA_M,MMA_N,..): (coordinate) -> address in elements of the operand's
// type, data paths 2^21 bits apart. Atoms are laid out along the data paths first, then along the columns.
// Refuses more than the 256 KiB there are.
Result<Layout> tmem_fragment(const MmaAtom& atom, ValueType type, bool is_accumulator, const Shape& partition_shape);

}  // namespace tessera
