// SPDX-License-Identifier: BSD-3-Clause
// CuTe DSL's names for instructions, read in both directions:
//
//   warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))   <->   SM80_16x8x16_F32F16F16F32_TN
//   warp.LdMatrix8x8x16bOp(False, 4)                   <->   SM75_U32x4_LDSM_N
//
// Source: the DSL's cutlass/cute/nvgpu (CUTLASS 4.7). What it has for sm_80 to sm_90 is here; its tcgen05 operations are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/atom/copy_atom.hpp"
#include "core/atom/mma_atom.hpp"

namespace tessera {

// An MMA operation of the DSL as it is called.
struct DslMmaOp {
  std::string_view name;  // "warp.MmaF16BF16Op"
  ValueType a = ValueType::none, b = ValueType::none, acc = ValueType::none;
  Shape shape_mnk = 0;              // (16,8,16); a warpgroup's may leave K out
  bool a_in_registers = true;       // OperandSource.RMEM; always so but for warpgroup operations
  bool a_mn = false, b_mn = false;  // OperandMajorMode.MN
};

// The atom of CuTe that it is. Refused where the DSL or CuTe has no such instruction.
Result<MmaAtom> find_dsl_mma(const DslMmaOp& op);
// "cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))", or nothing where the DSL has no name for it.
std::optional<std::string> dsl_text(const MmaAtom& atom);

// make_copy_atom(op, copy_internal_type, num_bits_per_copy). `op` is a copy's name in CuTe, without its template argument where the
// width is the DSL's num_bits_per_copy: "UniversalCopy", "SM80_CP_ASYNC_CACHEGLOBAL". 0 bits: the width of the type.
Result<CopyAtom> make_dsl_copy_atom(std::string_view op, ValueType type, std::int64_t num_bits_per_copy);
// "SM75_U32x4_LDSM_N" of ldmatrix ("SM75", "LDSM") and stmatrix ("SM90", "STSM") of 1, 2 or 4 matrices.
std::string matrix_copy_name(std::string_view arch, std::string_view op, bool transpose, std::int64_t num_matrices);
// "cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=128)", or nothing.
std::optional<std::string> dsl_text(const CopyAtom& atom);

}  // namespace tessera
