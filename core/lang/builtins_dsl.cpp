// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the CuTe DSL's operations, as they are pasted from Python. cute. and nvgpu. in front are gone by now.
#include "core/atom/catalog.hpp"
#include "core/atom/dsl_ops.hpp"
#include "core/lang/builtins.hpp"
#include "core/lang/operations.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

// One of the words of a Python enumeration.
Result<bool> is_second(const std::string& word, std::string_view first, std::string_view second) {
  if (word == first || word == second) return word == second;
  return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is neither {} nor {}", word, first, second), {}, {}};
}

Result<Value> one_type_op(const Call& call) {
  return call_with(call, [&](ValueType ab, ValueType acc, const IntTuple& shape) {
    return find_dsl_mma({call.function(), ab, ab, acc, shape});
  });
}

Result<MmaAtom> warpgroup_op(DslMmaOp op, const std::string& a_src, const std::string& a_major, const std::string& b_major) {
  TESSERA_TRY(in_registers, is_second(a_src, "SMEM", "RMEM"));
  TESSERA_TRY(a_mn, is_second(a_major, "K", "MN"));
  TESSERA_TRY(b_mn, is_second(b_major, "K", "MN"));
  op.a_in_registers = in_registers, op.a_mn = a_mn, op.b_mn = b_mn;
  return find_dsl_mma(op);
}

Result<Value> two_type_warpgroup_op(const Call& call) {
  return call_with(call, [&](ValueType a, ValueType b, ValueType acc, const IntTuple& shape, const std::string& a_src,
                             const std::string& a_major, const std::string& b_major) {
    return warpgroup_op({call.function(), a, b, acc, shape}, a_src, a_major, b_major);
  });
}

Result<Value> matrix_copy(const Call& call, std::string_view arch, std::string_view op) {
  return call_with(call, [&](const std::optional<bool>& transpose, const std::optional<std::int64_t>& matrices) {
    return find_copy_atom(matrix_copy_name(arch, op, transpose.value_or(false), matrices.value_or(1)));
  });
}

Result<Value> make_copy_atom_call(const Call& call) {
  return call_with(call, [](const Value& op, ValueType type, const std::optional<std::int64_t>& width) -> Result<CopyAtom> {
    // An operation whose width is not yet known is the name of CuTe's template.
    if (const auto* name = std::get_if<std::string>(&op.any)) return make_dsl_copy_atom(*name, type, width.value_or(0));
    TESSERA_TRY(traits, as_copy_traits(op));
    return CopyAtom::make(std::move(traits), type);
  });
}

// clang-format off
constexpr Builtin kRows[] = {
  {"warp.MmaF16BF16Op", "warp.MmaF16BF16Op(ab_dtype, acc_dtype, shape_mnk)", "CuTe DSL: SM80's mma.sync of f16 or bf16", one_type_op},
  {"warp.MmaTF32Op", "warp.MmaTF32Op(shape_mnk)", "CuTe DSL: SM80's mma.sync of tf32", [](const Call& c) {
     return call_with(c, [&](const IntTuple& shape) {
       return find_dsl_mma({c.function(), ValueType::tf32, ValueType::tf32, ValueType::f32, shape}); }); }},
  {"warp.MmaFP8Op", "warp.MmaFP8Op(ab_dtype, acc_dtype, shape_mnk)", "CuTe DSL: SM89's mma.sync of 8-bit floats", one_type_op},
  {"warpgroup.MmaF16BF16Op", "warpgroup.MmaF16BF16Op(ab_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)",
   "CuTe DSL: SM90's wgmma of f16 or bf16", [](const Call& c) {
     return call_with(c, [&](ValueType ab, ValueType acc, const IntTuple& shape, const std::string& a_src, const std::string& a_major,
                             const std::string& b_major) {
       return warpgroup_op({c.function(), ab, ab, acc, shape}, a_src, a_major, b_major); }); }},
  {"warpgroup.MmaF8Op", "warpgroup.MmaF8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)",
   "CuTe DSL: SM90's wgmma of 8-bit floats", two_type_warpgroup_op},
  {"warpgroup.MmaI8Op", "warpgroup.MmaI8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)",
   "CuTe DSL: SM90's wgmma of 8-bit integers", two_type_warpgroup_op},
  {"MmaUniversalOp", "MmaUniversalOp(abacc_dtype)", "CuTe DSL: a multiplication and an addition", [](const Call& c) {
     return call_with(c, [&](ValueType type) { return find_dsl_mma({c.function(), type, type, type}); }); }},
  {"make_mma_atom", "make_mma_atom(op)", "CuTe DSL: the atom of an operation", [](const Call& c) {
     return call_with(c, [](const MmaAtom& atom) { return MmaAtom(atom); }); }},
  {"ScaledBasis", "ScaledBasis(value, mode)", "CuTe DSL: a basis stride, value@mode; the outermost of several modes first",
     [](const Call& c) {
     return call_with(c, [](std::int64_t value, const IntTuple& mode) { return basis_stride(value, leaf_values(mode)); }); }},

  {"CopyUniversalOp", "CopyUniversalOp()", "CuTe DSL: a copy for make_copy_atom", [](const Call&) {
     return Result<Value>(Value{std::string("UniversalCopy")}); }},
  {"cpasync.CopyG2SOp", "cpasync.CopyG2SOp(cache_mode=)", "CuTe DSL: a cp.async for make_copy_atom", [](const Call& c) {
     return call_with(c, [](const std::optional<std::string>& mode) -> Result<std::string> {
       TESSERA_TRY(global, is_second(mode.value_or("ALWAYS"), "ALWAYS", "GLOBAL"));
       return std::string(global ? "SM80_CP_ASYNC_CACHEGLOBAL" : "SM80_CP_ASYNC_CACHEALWAYS"); }); }},
  {"warp.LdMatrix8x8x16bOp", "warp.LdMatrix8x8x16bOp(transpose=, num_matrices=)", "CuTe DSL: ldmatrix of 1, 2 or 4 matrices",
     [](const Call& c) { return matrix_copy(c, "SM75", "LDSM"); }},
  {"warp.StMatrix8x8x16bOp", "warp.StMatrix8x8x16bOp(transpose=, num_matrices=)", "CuTe DSL: stmatrix of 1, 2 or 4 matrices",
     [](const Call& c) { return matrix_copy(c, "SM90", "STSM"); }},
  {"make_copy_atom", "make_copy_atom(op, copy_internal_type, num_bits_per_copy=)", "CuTe DSL: the atom of a copy operation",
   make_copy_atom_call},
};
// clang-format on

}  // namespace

std::span<const Builtin> dsl_builtins() { return kRows; }

}  // namespace tessera
