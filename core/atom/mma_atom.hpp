// SPDX-License-Identifier: BSD-3-Clause
// MmaAtom: one matrix instruction as CuTe describes it: which thread's which value is which element of A, B and C.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/value_type.hpp"
#include "core/layout/layout.hpp"

namespace tessera {

// The architecture an instruction needs. `family_specific` is the 'a' of sm_90a: the code runs on that architecture only.
struct ArchRequirement {
  int sm = 0;           // 70, 75, 80, 89, 90, 100, 103, 120; 0 = any
  char suffix = 0;      // 0, 'a' or 'f'
  friend bool operator==(const ArchRequirement&, const ArchRequirement&) = default;
};
std::string to_string(const ArchRequirement& arch);  // "sm_90a"

// Where an operand lives when the instruction reads it.
enum class OperandSource : std::uint8_t { registers, smem_descriptor, tensor_memory };

struct RegisterUse {
  std::string type;   // "uint32_t", "float"; "void" when there is none
  int count = 0;
};

struct MmaAtom {
  std::string name;        // CuTe's spelling: SM80_16x8x16_F32F16F16F32_TN
  std::string ptx;         // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32; empty for fma
  ArchRequirement arch;
  ValueType val_d, val_a, val_b, val_c;
  OperandSource source_a = OperandSource::registers, source_b = OperandSource::registers;
  bool sparse = false;
  Shape shape_mnk;         // (16,8,16)
  Layout thr_id;           // logical thread of the instruction -> hardware thread
  Layout layout_a;         // (thr, val) -> (m, k), colexicographic in M x K
  Layout layout_b;         // (thr, val) -> (n, k), colexicographic in N x K
  Layout layout_c;         // (thr, val) -> (m, n), colexicographic in M x N
  RegisterUse registers_d, registers_a, registers_b, registers_c;
  std::string source;      // where the fact comes from: "PTX ISA, mma.m16n8k16; CuTe mma_traits_sm80.hpp"
};

}  // namespace tessera
