// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the CuTe DSL's operations, as they are pasted from Python. cute. and nvgpu. in front are gone by now.
#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/dsl_ops.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

// One of the words of a Python enumeration.
Result<bool> is_second(const std::string& word, std::string_view first, std::string_view second) {
  if (word == first || word == second) return word == second;
  return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is neither {} nor {}", word, first, second), {}, {}};
}

// The number of a word such as x32, Repetition's.
Result<std::int64_t> repetition(const std::string& word) {
  for (std::int64_t n = 1; n <= 128; n *= 2) {
    if (word == fmt::format("x{}", n)) return n;
  }
  return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is none of x1, x2, x4, .. x128", word), {}, {}};
}

// One argument of an MMA operation into the field that its parameter's name says.
Status read_argument(const Call& call, std::size_t i, DslMmaOp& op) {
  const std::string_view name = call.names[i];
  const auto word = [&](std::string_view first, std::string_view second, bool& out) -> Status {
    TESSERA_TRY(text, argument<std::string>(call, i));
    auto is = is_second(text, first, second);
    if (!is) return argument_error(call, name, call[i], std::move(is).error());
    out = *is;
    return Done{};
  };
  if (name == "cta_group") return word("ONE", "TWO", op.two_ctas);
  if (name == "a_major_mode") return word("K", "MN", op.a_mn);
  if (name == "b_major_mode") return word("K", "MN", op.b_mn);
  if (name == "a_src") {
    TESSERA_TRY(text, argument<std::string>(call, i));
    auto source = operand_source(text);
    if (!source) return argument_error(call, name, call[i], std::move(source).error());
    op.a_source = *source;
    return Done{};
  }
  if (name == "shape_mnk" || name == "instruction_shape") {
    TESSERA_TRY(shape, argument<IntTuple>(call, i));
    op.shape_mnk = std::move(shape);
    return Done{};
  }
  TESSERA_TRY(type, argument<ValueType>(call, i));
  if (name == "a_dtype" || name == "ab_dtype" || name == "abacc_dtype") op.a = type;
  if (name == "b_dtype" || name == "ab_dtype" || name == "abacc_dtype") op.b = type;
  if (name == "acc_dtype" || name == "abacc_dtype") op.acc = type;
  if (name == "sf_dtype" || name == "sf_type") op.sf = type == ValueType::e4m3 ? ValueType::ue4m3 : type;  // one type in the DSL
  return Done{};
}

Result<Value> mma_op(const Call& call) {
  DslMmaOp op{call.function()};
  for (std::size_t i = 0; i < call.names.size(); ++i) {
    if (auto read = read_argument(call, i, op); !read) return std::move(read).error().at(call[i].span);
  }
  auto atom = find_dsl_mma(op);
  if (!atom) return std::move(atom).error().at(call.span());
  return Value{std::move(atom).value()};
}

Result<CopyTraits> find_named(const Call& call, const std::string& name) {
  if (name.empty())
    return Error{ErrorCode::unknown_atom, fmt::format("{}: CuTe has no instruction with these parameters", call.function()), {}, {}};
  return find_copy_atom(name);
}

// C++ and the DSL give a thread's values of a transposed matrix of bytes different numbers.
void remark_order_of_values(const Call& call) {
  if (!call.warnings || call.function() != "warp.LdMatrix16x16x8bOp") return;
  call.warnings->push_back(
      {ErrorCode::wrong_result,
       fmt::format("{}: the CuTe DSL numbers the values of a thread in another order than CuTe's C++, whose order is shown",
                   call.function()),
       call.span(),
       {"of 2 matrices the DSL has (thr,val) -> element ((4,8),(1,4,2,2)):((64,1),(1,16,8,256))"}});
}

Result<Value> matrix_copy(const Call& call) {
  remark_order_of_values(call);
  return call_with(call, [&](const std::optional<bool>& transpose, const std::optional<std::int64_t>& matrices,
                             const std::optional<std::int64_t>& unpack_bits) {
    return find_named(
        call, cute_copy_name(DslMatrixCopy{call.function(), transpose.value_or(false), matrices.value_or(1), unpack_bits.value_or(0)}));
  });
}

Result<Value> tmem_copy(const Call& call) {
  return call_with(call, [&](const std::optional<std::string>& repeat, const std::optional<std::string>& pack) -> Result<CopyTraits> {
    const bool load = call.function().starts_with("tcgen05.Ld");
    TESSERA_TRY(times, repetition(repeat.value_or("x1")));
    TESSERA_TRY(packed, is_second(pack.value_or("NONE"), "NONE", load ? "PACK_16b_IN_32b" : "UNPACK_32b_IN_16b"));
    return find_named(call, cute_copy_name(DslTmemCopy{call.function(), times, packed}));
  });
}

Result<Value> smem_to_tmem(const Call& call) {
  return call_with(call, [&](const std::string& group) -> Result<CopyTraits> {
    TESSERA_TRY(two, is_second(group, "ONE", "TWO"));
    return find_named(call, cute_copy_name(DslSmemToTmem{call.function(), two}));
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
  {"make_mma_atom", "make_mma_atom(op)", "CuTe DSL: the atom of an operation", [](const Call& c) {
     return call_with(c, [](const MmaAtom& atom) { return MmaAtom(atom); }); }},
  {"E", "E(mode)", "CuTe DSL: the basis stride 1@mode; the outermost of several modes first", [](const Call& c) {
     return call_with(c, [](const IntTuple& mode) { return basis_stride(1, leaf_values(mode)); }); }},
  {"ScaledBasis", "ScaledBasis(value, mode)", "CuTe DSL: a basis stride, value@mode; the outermost of several modes first",
     [](const Call& c) {
     return call_with(c, [](std::int64_t value, const IntTuple& mode) { return basis_stride(value, leaf_values(mode)); }); }},

  {"CopyUniversalOp", "CopyUniversalOp()", "CuTe DSL: a copy for make_copy_atom", [](const Call&) {
     return Result<Value>(Value{std::string("UniversalCopy")}); }},
  {"CopyG2ROp", "CopyG2ROp()", "CuTe DSL: a copy from global memory to registers for make_copy_atom", [](const Call&) {
     return Result<Value>(Value{std::string("UniversalCopy")}); }},
  {"CopyR2GOp", "CopyR2GOp()", "CuTe DSL: a copy from registers to global memory for make_copy_atom", [](const Call&) {
     return Result<Value>(Value{std::string("UniversalCopy")}); }},
  {"cpasync.CopyG2SOp", "cpasync.CopyG2SOp(cache_mode=)", "CuTe DSL: a cp.async for make_copy_atom", [](const Call& c) {
     return call_with(c, [](const std::optional<std::string>& mode) -> Result<std::string> {
       TESSERA_TRY(global, is_second(mode.value_or("ALWAYS"), "ALWAYS", "GLOBAL"));
       return std::string(global ? "SM80_CP_ASYNC_CACHEGLOBAL" : "SM80_CP_ASYNC_CACHEALWAYS"); }); }},
  {"warp.LdMatrix8x8x16bOp", "warp.LdMatrix8x8x16bOp(transpose=, num_matrices=, unpack_bits=)",
   "CuTe DSL: ldmatrix of 1, 2 or 4 matrices", matrix_copy},
  {"warp.LdMatrix8x16x8bOp", "warp.LdMatrix8x16x8bOp(transpose=, num_matrices=, unpack_bits=)",
   "CuTe DSL: ldmatrix that widens 4 or 6 bits to 8", matrix_copy},
  {"warp.LdMatrix16x16x8bOp", "warp.LdMatrix16x16x8bOp(transpose=, num_matrices=, unpack_bits=)",
   "CuTe DSL: ldmatrix of 1 or 2 transposed matrices of bytes", matrix_copy},
  {"warp.StMatrix8x8x16bOp", "warp.StMatrix8x8x16bOp(transpose=, num_matrices=, unpack_bits=)",
   "CuTe DSL: stmatrix of 1, 2 or 4 matrices", matrix_copy},
  {"warp.StMatrix16x8x8bOp", "warp.StMatrix16x8x8bOp(transpose=, num_matrices=, unpack_bits=)",
   "CuTe DSL: stmatrix of 1, 2 or 4 transposed matrices of bytes", matrix_copy},
  {"tcgen05.Repetition", "tcgen05.Repetition(value)", "CuTe DSL: how often a tensor memory copy repeats", [](const Call& c) {
     return call_with(c, [](std::int64_t value) -> Result<std::string> {
       const std::string word = fmt::format("x{}", value);
       TESSERA_CHECK(repetition(word));
       return word; }); }},
  {"tcgen05.Ld16x64bOp", "tcgen05.Ld16x64bOp(repeat=, pack=)", "CuTe DSL: tensor memory to registers, 16 lanes by 64 bits", tmem_copy},
  {"tcgen05.Ld16x128bOp", "tcgen05.Ld16x128bOp(repeat=, pack=)", "CuTe DSL: tensor memory to registers, 16 lanes by 128 bits", tmem_copy},
  {"tcgen05.Ld16x256bOp", "tcgen05.Ld16x256bOp(repeat=, pack=)", "CuTe DSL: tensor memory to registers, 16 lanes by 256 bits", tmem_copy},
  {"tcgen05.Ld16x32bx2Op", "tcgen05.Ld16x32bx2Op(repeat=, pack=)", "CuTe DSL: tensor memory to registers, twice 16 lanes by 32 bits", tmem_copy},
  {"tcgen05.Ld32x32bOp", "tcgen05.Ld32x32bOp(repeat=, pack=)", "CuTe DSL: tensor memory to registers, 32 lanes by 32 bits", tmem_copy},
  {"tcgen05.St16x64bOp", "tcgen05.St16x64bOp(repeat=, unpack=)", "CuTe DSL: registers to tensor memory, 16 lanes by 64 bits", tmem_copy},
  {"tcgen05.St16x128bOp", "tcgen05.St16x128bOp(repeat=, unpack=)", "CuTe DSL: registers to tensor memory, 16 lanes by 128 bits", tmem_copy},
  {"tcgen05.St16x256bOp", "tcgen05.St16x256bOp(repeat=, unpack=)", "CuTe DSL: registers to tensor memory, 16 lanes by 256 bits", tmem_copy},
  {"tcgen05.St16x32bx2Op", "tcgen05.St16x32bx2Op(repeat=, unpack=)", "CuTe DSL: registers to tensor memory, twice 16 lanes by 32 bits", tmem_copy},
  {"tcgen05.St32x32bOp", "tcgen05.St32x32bOp(repeat=, unpack=)", "CuTe DSL: registers to tensor memory, 32 lanes by 32 bits", tmem_copy},
  {"tcgen05.Cp128x256bOp", "tcgen05.Cp128x256bOp(cta_group)", "CuTe DSL: shared to tensor memory, 128x256b", smem_to_tmem},
  {"tcgen05.Cp128x128bOp", "tcgen05.Cp128x128bOp(cta_group)", "CuTe DSL: shared to tensor memory, 128x128b", smem_to_tmem},
  {"tcgen05.Cp4x256bOp", "tcgen05.Cp4x256bOp(cta_group)", "CuTe DSL: shared to tensor memory, 4x256b", smem_to_tmem},
  {"tcgen05.Cp4x32x128bOp", "tcgen05.Cp4x32x128bOp(cta_group)", "CuTe DSL: shared to tensor memory, 4x32x128b", smem_to_tmem},
  {"tcgen05.Cp2x64x128b0213Op", "tcgen05.Cp2x64x128b0213Op(cta_group)", "CuTe DSL: shared to tensor memory, 2x64x128b0213", smem_to_tmem},
  {"tcgen05.Cp2x64x128b0123Op", "tcgen05.Cp2x64x128b0123Op(cta_group)", "CuTe DSL: shared to tensor memory, 2x64x128b0123", smem_to_tmem},
  {"make_copy_atom",
   "make_copy_atom(op, copy_internal_type, num_bits_per_copy=, memory_order=, memory_scope=, l2_prefetch_size=, l1c_evict_priority=, "
   "load_cache_mode=, shared_space=, invariant=)", "CuTe DSL: the atom of a copy operation",
   make_copy_atom_call},
};
// clang-format on

}  // namespace

Result<OperandSource> operand_source(const std::string& word) {
  if (word == "RMEM") return OperandSource::registers;
  if (word == "SMEM") return OperandSource::smem_descriptor;
  if (word == "TMEM") return OperandSource::tensor_memory;
  return Error{ErrorCode::unknown_name, fmt::format("\"{}\" is neither SMEM nor RMEM nor TMEM", word), {}, {}};
}

std::span<const Builtin> dsl_builtins() {
  static const std::vector<Builtin> kAll = [] {
    std::vector<Builtin> all;
    for (const DslMmaSignature& each : dsl_mma_signatures()) all.push_back({each.name, each.signature, each.about, mma_op});
    all.insert(all.end(), std::begin(kRows), std::end(kRows));
    return all;
  }();
  return kAll;
}

}  // namespace tessera
