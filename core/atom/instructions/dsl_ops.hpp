// SPDX-License-Identifier: BSD-3-Clause
// CuTe DSL's names for instructions, read in both directions:
//
//   warp.MmaF16BF16Op(Float16, Float32, (16, 8, 16))           <->   SM80_16x8x16_F32F16F16F32_TN
//   tcgen05.MmaTF32Op((128, 256, 8), CtaGroup.ONE, ...)        <->   SM100_MMA_TF32_SS<tfloat32_t,tfloat32_t,float,128,256,...>
//   warp.LdMatrix8x8x16bOp(False, 4)                           <->   SM75_U32x4_LDSM_N
//
// Source: the DSL's cutlass/cute/nvgpu (CUTLASS 4.7). What it has no operation for, it does not get one here: sparse and integer
// mma.sync, double precision, Volta, Turing, AMD, and TMA, whose atoms the DSL makes together with a tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/instructions/mma_atom.hpp"

namespace tessera {

// An MMA operation of the DSL as it is called. What its parameters do not name stays as it is here, and the operation knows it.
struct DslMmaOp {
  std::string_view name;  // "warp.MmaF16BF16Op"
  ValueType a = ValueType::none, b = ValueType::none, acc = ValueType::none;
  ValueType sf = ValueType::none;  // of the scale factors
  Shape shape_mnk = 0;             // (16,8,16); may leave K out where the operation has one K
  OperandSource a_source = OperandSource::registers;
  bool two_ctas = false;            // CtaGroup.TWO
  bool a_mn = false, b_mn = false;  // OperandMajorMode.MN
};

// How an operation is called: "warp.MmaF16BF16Op", "warp.MmaF16BF16Op(ab_dtype, acc_dtype, shape_mnk)".
struct DslMmaSignature {
  std::string_view name, signature, about;
};
std::span<const DslMmaSignature> dsl_mma_signatures();

// The atom of CuTe that it is. Refused where the DSL or CuTe has no such instruction.
Result<MmaAtom> find_dsl_mma(const DslMmaOp& op);
// "cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))", or nothing where the DSL has no name for it.
std::optional<std::string> dsl_text(const MmaAtom& atom);

// make_copy_atom(op, copy_internal_type, num_bits_per_copy). `op` is a copy's name in CuTe, without its template argument where the
// width is the DSL's num_bits_per_copy: "UniversalCopy", "SM80_CP_ASYNC_CACHEGLOBAL". 0 bits: the width of the type.
Result<CopyAtom> make_dsl_copy_atom(std::string_view op, ValueType type, std::int64_t num_bits_per_copy);

// A matrix copy of a warp: ldmatrix or stmatrix. unpack_bits: 4 or 6 where a load widens its elements to 8 bits, else 0.
struct DslMatrixCopy {
  std::string_view name;  // "warp.LdMatrix8x8x16bOp"
  bool transpose = false;
  std::int64_t num_matrices = 1, unpack_bits = 0;
};
// A copy between tensor memory and registers, `repeat` times; packed: two 16-bit elements in a register are one column each.
struct DslTmemCopy {
  std::string_view name;  // "tcgen05.Ld32x32bOp"
  std::int64_t repeat = 1;
  bool packed = false;
};
// A copy from shared to tensor memory.
struct DslSmemToTmem {
  std::string_view name;  // "tcgen05.Cp128x256bOp"
  bool two_ctas = false;
};
// The name of CuTe's copy: "SM75_U32x4_LDSM_N"; empty where there is none.
std::string cute_copy_name(const DslMatrixCopy& op);
std::string cute_copy_name(const DslTmemCopy& op);
std::string cute_copy_name(const DslSmemToTmem& op);
// "cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float32, num_bits_per_copy=128)", or nothing.
std::optional<std::string> dsl_text(const CopyAtom& atom);

}  // namespace tessera
