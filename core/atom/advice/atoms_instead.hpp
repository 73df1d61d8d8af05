// SPDX-License-Identifier: BSD-3-Clause
// What to try where an atom's architecture is not: the nearest atom that older architectures have.
#pragma once

#include <string>
#include <vector>

#include "core/atom/instructions/mma_atom.hpp"

namespace tessera {

struct AtomInstead {
  int least_sm = 0;  // it, and every later one, has the atom
  std::string name;
  ValueType type = ValueType::none;  // of A and B: the atom's own where an architecture multiplies it
};

// Ascending by architecture; each is of one type, dense, and keeps its operands in registers:
//   SM90_64x128x16_F32BF16BF16_SS -> UniversalFMA of f32 (any), SM75_16x8x8 of f16 (sm_75), SM80_16x8x16 of bf16 (sm_80)
std::vector<AtomInstead> atoms_instead(const MmaAtom& atom);

}  // namespace tessera
