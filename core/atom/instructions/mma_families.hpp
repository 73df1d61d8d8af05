// SPDX-License-Identifier: BSD-3-Clause
// The families of MMA atoms, for the catalogue: each finds an atom by name and lists its names. Private to core/atom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/atom_text.hpp"
#include "core/atom/instructions/mma_atom.hpp"

namespace tessera {

// Nothing: the name is of another family. An error: it is of this family, and its parameters are impossible.
using FoundAtom = std::optional<Result<MmaAtom>>;

FoundAtom find_simt_atom(const TemplateName& name);   // UniversalFMA, SM61 dp2a/dp4a, SM100 packed fma
FoundAtom find_sync_atom(const TemplateName& name);   // mma.sync of SM70, SM75, SM80, SM89, SM90
FoundAtom find_wmma_atom(const TemplateName& name);   // nvcuda::wmma
FoundAtom find_sm120_atom(const TemplateName& name);  // mma.sync of SM120: f8f6f4, block scaled, sparse
FoundAtom find_wgmma_atom(const TemplateName& name);  // SM90 wgmma: SS, RS, sparse
FoundAtom find_umma_atom(const TemplateName& name);   // SM100 and SM103 tcgen05.mma
FoundAtom find_amd_atom(const TemplateName& name);    // CDNA MFMA, RDNA WMMA

void list_simt_atoms(std::vector<std::string>& names);
void list_sync_atoms(std::vector<std::string>& names, int sm);
void list_wmma_atoms(std::vector<std::string>& names);
void list_sm120_atoms(std::vector<std::string>& names);
void list_wgmma_atoms(std::vector<std::string>& names);
void list_umma_atoms(std::vector<std::string>& names, int sm);
void list_amd_atoms(std::vector<std::string>& names);

// ---- building blocks the families share ------------------------------------------------------------------------------

// Leaves of one mode; extents of 1 are left out, and a single leaf stands alone: modes({{2,16},{1,8},{4,64}}) -> (2,4):(16,64).
struct Leaf {
  std::int64_t extent, stride;
};
Layout value_modes(const std::vector<Leaf>& leaves);
Layout layout_of(const std::vector<Layout>& modes);

// One operand of a warp-wide mma: `rows` (8 or 16) x `k` elements, `packed` of them in a register.
// (T32,V) -> (row, k): thread (t,g) holds row g (and g+8), columns t*packed .. t*packed+packed-1 of each group of 4*packed.
Layout warp_operand(std::int64_t rows, std::int64_t k, std::int64_t packed);
// (T32,V) -> (m, n): thread (t,g) holds row g (and g+8), columns 2t and 2t+1.
Layout warp_accumulator(std::int64_t m, std::int64_t n);
// Every thread sees the whole tile: (threads,(rows,k)):(0,(1,rows)).
Layout whole_tile(std::int64_t threads, std::int64_t rows, std::int64_t k);

// Name of a type in CuTe's atom names: F16, BF16, TF32, S8, U1, C64, E4M3.
std::string_view atom_token(ValueType type);
// The value type named by the front of `text`, which is taken off; `none` if there is none.
ValueType take_atom_token(std::string_view& text);

// Register use of `values` elements held in 32-bit registers, or as they are when an element is wider.
RegisterUse packed_registers(ValueType type, std::int64_t values);
RegisterUse accumulator_registers(ValueType type, std::int64_t values);
std::string sparse_type(int factor, ValueType type);  // "sparse_elem<2, half_t>"

Error impossible_atom(const std::string& name, const std::string& rule);

}  // namespace tessera
