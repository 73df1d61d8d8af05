// SPDX-License-Identifier: BSD-3-Clause
// The 64-bit descriptor by which wgmma and tcgen05.mma (UMMA) read an operand in shared memory: which layouts have one, and which
// addresses it says. Sources: PTX ISA, wgmma's matrix descriptor and tcgen05's shared memory descriptor; CuTe's make_gmma_desc and
// make_umma_desc (mma_traits_sm90_gmma.hpp, mma_sm100_desc.hpp).
//
// In units of 16 bytes, with W units to a swizzled row and elements (mn, k), an instruction's operand lies at
//
//   K-major                 ((8,m),k)    : ((W,SBO),1)          without a swizzle ((8,m),k):((1,SBO),LBO)
//   MN-major                ((W,m),(8,k)): ((1,LBO),(W,SBO))    without a swizzle ((1,m),(8,k)):((X,SBO),(1,LBO))
//   MN-major, 128B_BASE32B  ((8,m),(4,k)): ((1,LBO),(8,SBO))
//
// from its start address, and the swizzle then flips bits of the address itself. So the start address of another block of the same tile
// is all that changes from one instruction to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/mma/tiled_mma.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

enum class SmemSwizzle : std::uint8_t { none, b32, b64, b128, b128_base32 };

// What one instruction reads of one CTA's shared memory.
struct SmemOperand {
  bool umma = false;      // otherwise wgmma
  bool mn_major = false;  // neighbours along M or N; otherwise along K
  bool any_major = true;  // the instruction exists for both majors
  std::int64_t bits = 16;
  std::int64_t mn = 64, k = 16;  // elements, as they are stored: of a sparse A half of the instruction's K, of a pair of CTAs one's half
  std::string_view mode = "M";   // or "N"
  std::string_view type;         // CuTe's name of an element of so many bits, for suggestions: "half_t"
  bool sparse = false;
};
// Refused: operands in registers or tensor memory, other families, and the K of 48 bytes that sm_103 reads by absolute addresses.
Result<SmemOperand> smem_operand(const MmaAtom& atom, Operand operand);

// The operand whose blocks the tile is made of, and of both the one that a descriptor reads: A where that is both, too, or where A alone is
// read by a descriptor. Refused as smem_operand.
struct ChosenOperand {
  Operand operand = Operand::a;
  bool either = false;  // it has whole blocks of A and of B
};
Result<ChosenOperand> choose_operand(const MmaAtom& atom, const AnyLayout& layout);

// A tiled MMA's instructions take neighbouring blocks of the tile; refused where a permutation is a layout: they take other rows.
Status check_blocks(const TiledMma& mma, Operand operand);

std::int64_t row_bytes(SmemSwizzle swizzle);  // 16, 32, 64, 128: what is swizzled together of a row
// Where the pattern of the swizzle repeats, in bytes: 16, 256, 512, 1024. A tile that begins there has base_offset 0. Source: PTX ISA,
// "starting address of the repeating pattern".
std::int64_t pattern_bytes(SmemSwizzle swizzle);
std::string_view layout_type_name(SmemSwizzle swizzle, bool umma);  // CuTe's: "B128", "SWIZZLE_128B"
Swizzle swizzle_of_bits(SmemSwizzle swizzle);                       // on addresses in bits: Sw<3,7,3>

// The fields, as they are encoded: in units of 16 bytes.
struct SmemDescriptor {
  bool umma = false;
  std::int64_t start = 0, leading = 0, stride = 0;
  SmemSwizzle swizzle = SmemSwizzle::none;
  friend bool operator==(const SmemDescriptor&, const SmemDescriptor&) = default;
};
// Field by field, as the PTX ISA numbers the bits.
struct DescriptorField {
  std::string_view name;
  int first_bit = 0, last_bit = 0;
  std::int64_t value = 0;
  std::string means;
};
std::vector<DescriptorField> fields_of(const SmemDescriptor& descriptor);
int layout_type_code(const SmemDescriptor& descriptor);  // wgmma: bits 62-63; UMMA: bits 61-63
std::uint64_t encode(const SmemDescriptor& descriptor);  // base_offset 0; of UMMA version 1
// Nothing where a layout type, or bits that are fixed, have another value, or base_offset is not 0.
std::optional<SmemDescriptor> decode(std::uint64_t value, bool umma);
// Where the descriptor says that element (mn, k) of one instruction is, in bits of the shared memory's own addresses. Nothing but the
// fields, the element's width and the major (which the instruction says) go in.
std::int64_t bit_address(const SmemDescriptor& descriptor, std::int64_t element_bits, bool mn_major, std::int64_t mn, std::int64_t k);

// The fields as steps within one instruction's operand: element (mn, k) begins `bytes` behind the first one, before the swizzle. Of each
// field that the instruction reads, where its operand reaches so far.
struct DescriptorStep {
  std::string_view field;  // "LBO", "SBO"
  std::int64_t mn = 0, k = 0, bytes = 0;
};
std::vector<DescriptorStep> descriptor_steps(const SmemOperand& operand, const SmemDescriptor& descriptor);
std::int64_t rows_of_core_matrix(SmemSwizzle swizzle);  // 8, of 32-byte units 4; a row of it is 16 bytes

struct SmemDescription {
  SmemDescriptor descriptor;  // of the first block, of a tile that begins at address 0
  // From the first block's start to the others', in bytes: blocks of the instruction's M or N, of its K, stages of a third mode.
  std::vector<std::int64_t> mn_starts, k_starts, stage_starts;
  std::int64_t addresses = 0;  // elements whose decoded address is the layout's: all of them
};
// The same of element (mn, k) of the whole tile's first stage, from the start of the block that it is in.
std::int64_t bit_address(const SmemOperand& operand, const SmemDescription& description, std::int64_t mn, std::int64_t k);

struct SmemFinding {
  std::optional<SmemDescription> made;
  std::string brief;  // a few words, where there is none: "rows of 80 B"
  Error error;
};

// layout: (mn, k), (mn, k, stage), or a partition ((mn, k), blocks of mn, blocks of k, stage), in elements; it may hold several
// instructions. A descriptor is made only if decoding it gives the layout's address of every element of every block.
SmemFinding find_smem_descriptor(const SmemOperand& operand, const AnyLayout& layout);
Result<SmemDescription> smem_descriptor(const SmemOperand& operand, const AnyLayout& layout);

// The canonical layout of the widest swizzle that a tile of these extents can have, as an expression; empty where there is none.
std::string canonical_smem_layout(const SmemOperand& operand, std::int64_t mn, std::int64_t k);

}  // namespace tessera
