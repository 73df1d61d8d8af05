// SPDX-License-Identifier: BSD-3-Clause
// MmaAtom: one matrix instruction as CuTe describes it: which thread's which value is which element of A, B and C.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/value_type.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

// The architecture that an instruction needs. With the suffix 'a' (sm_90a) code runs on it alone, with 'f' on its family.
struct ArchRequirement {
  int sm = 0;              // 70, 75, 80, 89, 90, 100, 103, 120; 0 = any
  char suffix = 0;         // 0, 'a' or 'f'
  std::string_view gfx{};  // AMD: "gfx90a"; empty for NVIDIA. Names a string literal.
  friend bool operator==(const ArchRequirement&, const ArchRequirement&) = default;
};
std::string to_string(const ArchRequirement& arch);  // "sm_90a", "gfx942", "any"

// What kind of instruction computes the product.
enum class MmaKind : std::uint8_t { fma, dot, mma_sync, wgmma, umma, mfma, wmma };
std::string_view to_string(MmaKind kind);  // "mma.sync"

// Where an operand lives when the instruction reads it.
enum class OperandSource : std::uint8_t { registers, smem_descriptor, tensor_memory };

struct RegisterUse {
  std::string type;  // "uint32_t", "float"; "void" when there is none
  int count = 0;
};

struct MmaAtom {
  // Long, and used by many sources: compiled once.
  MmaAtom();
  MmaAtom(const MmaAtom& other);
  MmaAtom(MmaAtom&& other) noexcept;
  MmaAtom& operator=(const MmaAtom& other);
  MmaAtom& operator=(MmaAtom&& other) noexcept;
  ~MmaAtom();

  std::string name;  // CuTe's spelling: SM80_16x8x16_F32F16F16F32_TN
  std::string ptx;   // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32; empty for fma. AMD: v_mfma_f32_32x32x8_f16
  MmaKind kind = MmaKind::mma_sync;
  ArchRequirement arch;
  // What the numbers are. SM120's 4- and 6-bit floats are named here, though each lies in a byte of its own (see type_a).
  ValueType val_d = ValueType::none, val_a = ValueType::none, val_b = ValueType::none, val_c = ValueType::none;
  // CuTe's ValType as compilers print it: "float", "sparse_elem<2, half_t>", "unsigned char".
  std::string type_d, type_a, type_b, type_c, type_e, type_sf;
  OperandSource source_a = OperandSource::registers, source_b = OperandSource::registers;
  bool mn_major_a = false, mn_major_b = false;  // as shared memory is read (wgmma, wmma): neighbours along M or N, not along K
  bool negative_a = false, negative_b = false;  // wgmma multiplies the operand by -1: GMMA::ScaleIn::Neg
  bool sparse = false;
  Shape shape_mnk;                               // (16,8,16)
  Layout thr_id;                                 // logical thread of the instruction -> hardware thread
  Layout layout_a;                               // (thr, val) -> (m, k), colexicographic in M x K
  Layout layout_b;                               // (thr, val) -> (n, k), colexicographic in N x K
  Layout layout_c;                               // (thr, val) -> (m, n), colexicographic in M x N
  std::optional<Layout> layout_e;                // (thr, val) -> (m, k): which elements of A the metadata of a sparse atom covers
  std::optional<Layout> layout_sfa, layout_sfb;  // (thr, val) -> (m, k), (n, k): which elements a scale factor covers
  RegisterUse registers_d, registers_a, registers_b, registers_c, registers_e, registers_sfa, registers_sfb;
  std::string source;     // where the fact comes from: "PTX ISA, mma.m16n8k16; CuTe mma_traits_sm80.hpp"
  std::string note;       // what a reader must know, such as a slip in CuTe's own table; mostly empty
  std::string refusal_a;  // not empty: CuTe's header has no usable layout of A, so that CuTe refuses to partition A; says why
};

std::int64_t shape_extent(const MmaAtom& atom, std::size_t mode);  // 0: M, 1: N, 2: K
int product_sign(const MmaAtom& atom);                             // -1 where one operand is negated: d = sign * a b + c

}  // namespace tessera
