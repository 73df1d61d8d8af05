// SPDX-License-Identifier: BSD-3-Clause
// The table of the DSL's operations. An operation's parameters spell the name of CuTe's atom; back, the row whose spelling gives the
// atom's own name is its operation.
#include "core/atom/dsl_ops.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/atom/catalog.hpp"
#include "core/atom/mma_families.hpp"

namespace tessera {
namespace {

struct OpRow {
  std::string_view name, arch;
  int k_bits;  // of the instruction's K: a warpgroup's shape may leave K out; 0: K is always given
  std::array<ValueType, 2> inputs;
  bool one_input_type;  // the call names A's and B's type once
};

using enum ValueType;
constexpr OpRow kOps[] = {
    {"warp.MmaF16BF16Op", "SM80", 0, {f16, bf16}, true},     {"warp.MmaTF32Op", "SM80", 0, {tf32, tf32}, true},
    {"warp.MmaFP8Op", "SM89", 0, {e4m3, e5m2}, true},        {"warpgroup.MmaF16BF16Op", "SM90", 256, {f16, bf16}, true},
    {"warpgroup.MmaF8Op", "SM90", 256, {e4m3, e5m2}, false}, {"warpgroup.MmaI8Op", "SM90", 256, {i8, u8}, false},
};
constexpr std::string_view kUniversal = "MmaUniversalOp";

bool is_warpgroup(const OpRow& row) { return row.k_bits > 0; }

bool takes(const OpRow& row, ValueType type) { return std::find(row.inputs.begin(), row.inputs.end(), type) != row.inputs.end(); }

Shape with_k(const OpRow& row, const DslMmaOp& op) {
  if (!is_warpgroup(row) || !op.shape_mnk.is_tuple() || op.shape_mnk.rank() != 2) return op.shape_mnk;
  return IntTuple::tuple({op.shape_mnk[0], op.shape_mnk[1], row.k_bits / bits(op.a)});
}

std::string atom_name(const OpRow& row, const DslMmaOp& op) {
  const Shape shape = with_k(row, op);
  const std::string_view a = atom_token(op.a), b = atom_token(op.b), acc = atom_token(op.acc);
  std::string name = fmt::format("{}_{}x{}x{}_{}{}{}", row.arch, to_string(shape[0]), to_string(shape[1]), to_string(shape[2]), acc, a, b);
  if (!is_warpgroup(row)) return name + fmt::format("{}_TN", acc);
  name += op.a_in_registers ? "_RS" : "_SS";
  const auto major = [](bool mn) { return mn ? "GMMA::Major::MN" : "GMMA::Major::K"; };
  if (bits(op.a) == 16) return name + fmt::format("<{},{}>", major(op.a_mn), major(op.b_mn));
  return name + (op.a_mn || op.b_mn ? "_MN" : "_TN");  // only 16-bit types have an MN-major form: no atom has the other name
}

std::string dsl_type(ValueType type) { return fmt::format("cutlass.{}", dsl_name(type)); }

std::string text_of(const OpRow& row, const DslMmaOp& op) {
  std::string types = row.one_input_type ? dsl_type(op.a) : fmt::format("{}, {}", dsl_type(op.a), dsl_type(op.b));
  types = op.a == tf32 ? "" : fmt::format("{}, {}, ", types, dsl_type(op.acc));
  std::string text = fmt::format("cute.nvgpu.{}({}({}, {}, {})", row.name, types, to_string(op.shape_mnk[0]), to_string(op.shape_mnk[1]),
                                 to_string(op.shape_mnk[2]));
  if (is_warpgroup(row)) {
    const auto major = [](bool mn) { return mn ? "MN" : "K"; };
    text += fmt::format(", cute.nvgpu.warpgroup.OperandSource.{}, cute.nvgpu.OperandMajorMode.{}, cute.nvgpu.OperandMajorMode.{}",
                        op.a_in_registers ? "RMEM" : "SMEM", major(op.a_mn), major(op.b_mn));
  }
  return text + ")";
}

Error not_of_the_dsl(const DslMmaOp& op, std::string_view rule) {
  return {ErrorCode::unknown_atom, fmt::format("{}: {}", op.name, rule), {}, {}};
}

std::string universal_name(ValueType type) { return fmt::format("UniversalFMA<{0},{0},{0},{0}>", cute_name(type)); }

constexpr std::string_view kAsync[] = {"SM80_CP_ASYNC_CACHEALWAYS", "SM80_CP_ASYNC_CACHEGLOBAL"};

}  // namespace

Result<MmaAtom> find_dsl_mma(const DslMmaOp& op) {
  if (op.name == kUniversal) return find_mma_atom(universal_name(op.a));
  const auto row = std::find_if(std::begin(kOps), std::end(kOps), [&](const OpRow& each) { return each.name == op.name; });
  if (row == std::end(kOps)) return not_of_the_dsl(op, "no such operation is known");
  for (const ValueType type : {op.a, op.b}) {
    if (takes(*row, type)) continue;
    return not_of_the_dsl(op, fmt::format("A and B are {} or {}, not {}", dsl_name(row->inputs[0]), dsl_name(row->inputs[1]),
                                          dsl_name(type).empty() ? cute_name(type) : dsl_name(type)));
  }
  const Shape shape = with_k(*row, op);
  if (!shape.is_tuple() || shape.rank() != 3 || depth(shape) != 1) {
    return not_of_the_dsl(op, fmt::format("the shape (M, N, K) of the instruction is wanted, not {}", to_string(op.shape_mnk)));
  }
  return find_mma_atom(atom_name(*row, op));
}

std::optional<std::string> dsl_text(const MmaAtom& atom) {
  if (atom.kind == MmaKind::fma && !dsl_name(atom.val_a).empty() && atom.name == universal_name(atom.val_a))
    return fmt::format("cute.nvgpu.{}({})", kUniversal, dsl_type(atom.val_a));
  for (const OpRow& row : kOps) {
    DslMmaOp op{row.name, atom.val_a, atom.val_b, atom.val_d, atom.shape_mnk};
    if (op.acc == none) op.acc = atom.val_c;
    const bool fits = takes(row, op.a) && takes(row, op.b) && (op.a == op.b || !row.one_input_type) && !dsl_name(op.acc).empty();
    if (!fits) continue;
    op.a_in_registers = atom.source_a == OperandSource::registers;
    for (const bool a_mn : {false, true}) {
      for (const bool b_mn : {false, true}) {
        op.a_mn = a_mn, op.b_mn = b_mn;
        if (atom_name(row, op) == atom.name) return text_of(row, op);
      }
    }
  }
  return std::nullopt;
}

Result<CopyAtom> make_dsl_copy_atom(std::string_view op, ValueType type, std::int64_t num_bits_per_copy) {
  const bool has_width = op == "UniversalCopy" || std::find(std::begin(kAsync), std::end(kAsync), op) != std::end(kAsync);
  const std::int64_t width = num_bits_per_copy > 0 ? num_bits_per_copy : bits(type);
  TESSERA_TRY(traits, find_copy_atom(has_width ? fmt::format("{}<uint{}_t>", op, width) : std::string(op)));
  return CopyAtom::make(std::move(traits), type);
}

std::string matrix_copy_name(std::string_view arch, std::string_view op, bool transpose, std::int64_t num_matrices) {
  if (transpose) return fmt::format("{}_U16x{}_{}_T", arch, 2 * num_matrices, op);
  return fmt::format("{}_U32x{}_{}_N", arch, num_matrices, op);
}

std::optional<std::string> dsl_text(const CopyAtom& atom) {
  if (dsl_name(atom.value_type).empty()) return std::nullopt;
  const std::string type = dsl_type(atom.value_type);
  const std::string& name = atom.traits.name;
  for (const bool transpose : {false, true}) {
    for (const int matrices : {1, 2, 4}) {
      const std::string arguments = fmt::format("({}, {})", transpose ? "True" : "False", matrices);
      if (name == matrix_copy_name("SM75", "LDSM", transpose, matrices))
        return fmt::format("cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp{}, {})", arguments, type);
      if (name == matrix_copy_name("SM90", "STSM", transpose, matrices))
        return fmt::format("cute.make_copy_atom(cute.nvgpu.warp.StMatrix8x8x16bOp{}, {})", arguments, type);
    }
  }
  const std::int64_t width = atom.traits.layout_src.size();
  const auto sized = [&](std::string_view op) {
    return fmt::format("cute.make_copy_atom(cute.nvgpu.{}, {}, num_bits_per_copy={})", op, type, width);
  };
  if (atom.traits.kind == CopyKind::universal && name.starts_with("UniversalCopy<")) return sized("CopyUniversalOp()");
  if (name.starts_with(fmt::format("{}<", kAsync[0]))) return sized("cpasync.CopyG2SOp(cute.nvgpu.LoadCacheMode.ALWAYS)");
  if (name.starts_with(fmt::format("{}<", kAsync[1]))) return sized("cpasync.CopyG2SOp(cute.nvgpu.LoadCacheMode.GLOBAL)");
  return std::nullopt;
}

}  // namespace tessera
