// SPDX-License-Identifier: BSD-3-Clause
// The shared-memory layouts that GMMA and UMMA descriptors can name: eight rows of 16 to 128 bytes, swizzled in 16-byte units.
//
// CuTe writes the swizzle in bytes and the layout in elements: Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1). Here both are in
// elements: Sw<3,3,3> o 0 o (8,64):(64,1). A tile of such atoms is tile_to_shape(atom, shape).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/value_type.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

struct SmemAtom {
  std::string name;  // "GMMA::Layout_K_SW128_Atom<half_t>"
  ValueType type = ValueType::f16;
  bool k_major = true;      // rows run along K; otherwise along M or N
  int row_bytes = 128;      // 128, 64, 32; 16 is INTER, not swizzled
  bool wide_units = false;  // UMMA's SW128_32B: swizzled in 32-byte units
  Swizzle swizzle_bytes;    // on byte addresses: Sw<3,4,3>
  AnyLayout layout;         // (m, k) -> element; swizzle in elements, plain for INTER
};

// "GMMA::Layout_K_SW128_Atom<half_t>", also "UMMA::..". Refuses types whose width is not a power of two.
Result<SmemAtom> find_smem_atom(std::string_view name);
// Is `name` such a template's name? For callers that dispatch on names.
bool is_smem_atom_name(std::string_view name);
std::vector<std::string> smem_atom_names();  // "GMMA::Layout_K_SW128_Atom", .. without their type

}  // namespace tessera
