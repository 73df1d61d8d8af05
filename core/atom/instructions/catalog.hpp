// SPDX-License-Identifier: BSD-3-Clause
// Every atom by name. The catalogue is made of families and tables; nothing is listed twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/instructions/mma_atom.hpp"

namespace tessera {

// By CuTe's spelling, also with template arguments: SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>. A short form is the
// beginning of one name and of no other: SM80_16x8x16_F32F16F16F32. The beginning of several is refused with them in the notes, an
// unknown name with the nearest known ones.
Result<MmaAtom> find_mma_atom(std::string_view name);
// The name of the wgmma that differs from this one in the major mode of A (else B) alone. Empty where there is none: only operands of 16
// bits in shared memory may have either major mode.
std::string with_other_major(const MmaAtom& atom, bool of_a);
Result<CopyTraits> find_copy_atom(std::string_view name);  // also UniversalCopy<uint128_t>

std::vector<std::string> mma_atom_names();  // in order of architecture, then name
std::vector<std::string> copy_atom_names();

// Known names that begin with `name` and go on with a new word or template arguments: SM75_U32x4_LDSM -> SM75_U32x4_LDSM_N.
std::vector<std::string> completions(std::string_view name, const std::vector<std::string>& known);
// Known names closest to `name` by edit distance, best first, at most `count`; none where all differ in over a third of it.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known, std::size_t count);

// "a, b, c; the nearest is b": all known names, and the one that `name` may have been meant for, where one is near.
std::string names_and_nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace tessera
