// SPDX-License-Identifier: BSD-3-Clause
// The table of the DSL's operations. An operation's parameters spell the name of CuTe's atom; back, the row whose spelling gives the
// atom's own name is its operation.
#include "core/atom/instructions/dsl_ops.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

struct OpRow {
  std::string_view name;
  std::string_view signature;  // its parameters, by the DSL's names
  std::string_view about;
  std::vector<ValueType> inputs;  // of A and B; empty: any
  std::string (*atom_name)(const OpRow& row, const DslMmaOp& op);
  std::string_view atom;            // the atom's family, as atom_name wants it
  ValueType acc = ValueType::none;  // where it is no parameter
  ValueType sf = ValueType::none;   // the same
  int sf_vec_size = 0;              // elements that share a scale factor, where that is part of the atom's name
  bool mixed_only = false;          // one of A and B is e2m1 and the other is not
  bool superseded = false;          // by another row: read, and not written
};

std::vector<std::string_view> parameters(const OpRow& row) {
  std::vector<std::string_view> names;
  std::string_view rest = row.signature.substr(row.name.size() + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(",)");
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 2));
  }
  return names;
}

bool has(const OpRow& row, std::string_view parameter) {
  const auto names = parameters(row);
  return std::find(names.begin(), names.end(), parameter) != names.end();
}

bool is_of(const OpRow& row, std::string_view module) { return row.name.starts_with(module) && row.name[module.size()] == '.'; }

// ---- CuTe's names ------------------------------------------------------------------------------------------------------

std::string_view major(bool mn) { return mn ? "MN" : "K"; }

std::string universal_name(const OpRow&, const DslMmaOp& op) { return fmt::format("UniversalFMA<{0},{0},{0},{0}>", cute_name(op.a)); }

std::string warp_name(const OpRow& row, const DslMmaOp& op) {
  return fmt::format("{}_{}x{}x{}_{}{}{}{}_TN", row.atom, to_string(op.shape_mnk[0]), to_string(op.shape_mnk[1]),
                     to_string(op.shape_mnk[2]), atom_token(op.acc), atom_token(op.a), atom_token(op.b), atom_token(op.acc));
}

std::string warpgroup_name(const OpRow& row, const DslMmaOp& op) {
  const std::string k = op.shape_mnk.rank() == 2 ? std::to_string(256 / bits(op.a)) : to_string(op.shape_mnk[2]);
  const std::string name =
      fmt::format("{}_{}x{}x{}_{}{}{}_{}", row.atom, to_string(op.shape_mnk[0]), to_string(op.shape_mnk[1]), k, atom_token(op.acc),
                  atom_token(op.a), atom_token(op.b), op.a_source == OperandSource::registers ? "RS" : "SS");
  if (bits(op.a) == 16) return name + fmt::format("<GMMA::Major::{},GMMA::Major::{}>", major(op.a_mn), major(op.b_mn));
  return name + (op.a_mn || op.b_mn ? "_MN" : "_TN");  // only 16-bit types have an MN-major form: no atom has the other name
}

std::string umma_name(const OpRow& row, const DslMmaOp& op) {
  std::string name =
      fmt::format(fmt::runtime(row.atom), op.two_ctas ? "_2x1SM" : "", op.a_source == OperandSource::tensor_memory ? "TS" : "SS");
  name += fmt::format("<{},{},{},", cute_name(op.a), cute_name(op.b), cute_name(op.acc));
  if (op.sf != ValueType::none) name += fmt::format("{},", cute_name(op.sf));
  name += fmt::format("{},{},", to_string(op.shape_mnk[0]), to_string(op.shape_mnk[1]));
  if (row.sf_vec_size != 0) name += fmt::format("{},", row.sf_vec_size);
  return name + fmt::format("UMMA::Major::{},UMMA::Major::{}>", major(op.a_mn), major(op.b_mn));
}

std::string scaled_warp_name(const OpRow& row, const DslMmaOp& op) {
  return fmt::format("{}<{},{},{},{},{}>", row.atom, cute_name(op.a), cute_name(op.b), cute_name(op.acc), cute_name(op.sf),
                     row.sf_vec_size);
}

// ---- the table ---------------------------------------------------------------------------------------------------------

using enum ValueType;
#define PLACE_PARAMETERS "instruction_shape, cta_group, a_src"
#define MAJOR_PARAMETERS "a_major_mode, b_major_mode"

const std::vector<OpRow>& rows() {
  const std::vector<ValueType> small_floats = {e4m3, e5m2, e3m2, e2m3, e2m1};
  // clang-format off
  static const std::vector<OpRow> kRows = {
    {"MmaUniversalOp", "MmaUniversalOp(abacc_dtype)", "CuTe DSL: a multiplication and an addition", {}, universal_name, ""},

    {"warp.MmaF16BF16Op", "warp.MmaF16BF16Op(ab_dtype, acc_dtype, shape_mnk)", "CuTe DSL: SM80's mma.sync of f16 or bf16",
     {f16, bf16}, warp_name, "SM80"},
    {"warp.MmaTF32Op", "warp.MmaTF32Op(shape_mnk)", "CuTe DSL: SM80's mma.sync of tf32", {tf32}, warp_name, "SM80", f32},
    {"warp.MmaFP8Op", "warp.MmaFP8Op(ab_dtype, acc_dtype, shape_mnk)", "CuTe DSL: SM89's mma.sync of 8-bit floats",
     {e4m3, e5m2}, warp_name, "SM89"},
    {"warp.MmaMXF4Op", "warp.MmaMXF4Op(ab_dtype, acc_dtype, sf_type)", "CuTe DSL: SM120's mma.sync of block-scaled 4-bit floats, 32 to a scale",
     {e2m1}, scaled_warp_name, "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", none, none, 32},
    {"warp.MmaMXF4NVF4Op", "warp.MmaMXF4NVF4Op(ab_dtype, acc_dtype, sf_type)",
     "CuTe DSL: SM120's mma.sync of block-scaled 4-bit floats, 16 to a scale",
     {e2m1}, scaled_warp_name, "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", none, none, 16},
    {"warp.MmaMXF8Op", "warp.MmaMXF8Op(ab_dtype, acc_dtype, sf_type)", "CuTe DSL: SM120's mma.sync of block-scaled 8-bit floats",
     {e4m3, e5m2}, scaled_warp_name, "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", none, none, 32},
    {"warp.MmaMXF8F6F4Op", "warp.MmaMXF8F6F4Op(a_dtype, b_dtype, acc_dtype, sf_type)",
     "CuTe DSL: SM120's mma.sync of block-scaled 8-bit by 4-bit floats",
     {e4m3, e5m2, e2m1}, scaled_warp_name, "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", none, none, 32, true},

    {"warpgroup.MmaF16BF16Op", "warpgroup.MmaF16BF16Op(ab_dtype, acc_dtype, instruction_shape, a_src, " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM90's wgmma of f16 or bf16", {f16, bf16}, warpgroup_name, "SM90"},
    {"warpgroup.MmaF8Op", "warpgroup.MmaF8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM90's wgmma of 8-bit floats", {e4m3, e5m2}, warpgroup_name, "SM90"},
    {"warpgroup.MmaI8Op", "warpgroup.MmaI8Op(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM90's wgmma of 8-bit integers", {i8, u8}, warpgroup_name, "SM90"},

    {"tcgen05.MmaTF32Op", "tcgen05.MmaTF32Op(" PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")", "CuTe DSL: SM100's tcgen05.mma of tf32",
     {tf32}, umma_name, "SM100_MMA_TF32{}_{}", f32},
    {"tcgen05.MmaF16BF16Op", "tcgen05.MmaF16BF16Op(ab_dtype, acc_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM100's tcgen05.mma of f16 or bf16", {f16, bf16}, umma_name, "SM100_MMA_F16BF16{}_{}"},
    {"tcgen05.MmaI8Op", "tcgen05.MmaI8Op(ab_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")", "CuTe DSL: SM100's tcgen05.mma of 8-bit integers",
     {i8, u8}, umma_name, "SM100_MMA_S8{}_{}", i32},
    {"tcgen05.MmaF8F6F4Op", "tcgen05.MmaF8F6F4Op(a_dtype, b_dtype, acc_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM100's tcgen05.mma of 8-, 6- and 4-bit floats", small_floats, umma_name, "SM100_MMA_F8F6F4{}_{}"},
    {"tcgen05.MmaFP8Op", "tcgen05.MmaFP8Op(ab_dtype, acc_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")",
     "CuTe DSL: the older name of tcgen05.MmaF8F6F4Op for 8-bit floats", {e4m3, e5m2}, umma_name, "SM100_MMA_F8F6F4{}_{}", none, none, 0, false, true},
    {"tcgen05.MmaMXF8F6F4Op", "tcgen05.MmaMXF8F6F4Op(a_dtype, b_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")",
     "CuTe DSL: SM100's tcgen05.mma of block-scaled 8-, 6- and 4-bit floats", small_floats, umma_name, "SM100_MMA_MXF8F6F4{}_{}", f32, ue8m0},
    {"tcgen05.MmaMXF8Op", "tcgen05.MmaMXF8Op(ab_dtype, " PLACE_PARAMETERS ", " MAJOR_PARAMETERS ")",
     "CuTe DSL: the older name of tcgen05.MmaMXF8F6F4Op for 8-bit floats", {e4m3, e5m2}, umma_name, "SM100_MMA_MXF8F6F4{}_{}", f32, ue8m0, 0, false,
     true},
    {"tcgen05.MmaMXF4Op", "tcgen05.MmaMXF4Op(" PLACE_PARAMETERS ")", "CuTe DSL: SM100's tcgen05.mma of block-scaled 4-bit floats, 32 to a scale",
     {e2m1}, umma_name, "SM100_MMA_MXF4{}_{}", f32, ue8m0, 32},
    {"tcgen05.MmaMXF4NVF4Op", "tcgen05.MmaMXF4NVF4Op(sf_dtype, " PLACE_PARAMETERS ")",
     "CuTe DSL: SM100's tcgen05.mma of block-scaled 4-bit floats, 16 to a scale", {e2m1}, umma_name, "SM100_MMA_MXF4{}_{}", f32, none, 16},
    {"tcgen05.SM103MmaMXF4Op", "tcgen05.SM103MmaMXF4Op(" PLACE_PARAMETERS ")",
     "CuTe DSL: SM103's tcgen05.mma of block-scaled 4-bit floats, 32 to a scale", {e2m1}, umma_name, "SM103::SM103_MXF4_ULTRA{}_{}_VS", f32, ue8m0, 32},
    {"tcgen05.SM103MmaMXF4NVF4Op", "tcgen05.SM103MmaMXF4NVF4Op(sf_dtype, " PLACE_PARAMETERS ")",
     "CuTe DSL: SM103's tcgen05.mma of block-scaled 4-bit floats, 16 to a scale", {e2m1}, umma_name, "SM103::SM103_MXF4_ULTRA{}_{}_VS", f32, none, 16},
  };
  // clang-format on
  return kRows;
}
#undef PLACE_PARAMETERS
#undef MAJOR_PARAMETERS

// ---- reading -----------------------------------------------------------------------------------------------------------

std::string type_name(ValueType type) { return std::string(dsl_name(type).empty() ? cute_name(type) : dsl_name(type)); }

bool takes(const OpRow& row, ValueType type) {
  return row.inputs.empty() || std::find(row.inputs.begin(), row.inputs.end(), type) != row.inputs.end();
}

// What the parameters of the row leave open.
DslMmaOp completed(const OpRow& row, DslMmaOp op) {
  if (op.a == none && row.inputs.size() == 1) op.a = op.b = row.inputs.front();
  if (row.acc != none) op.acc = row.acc;
  if (row.sf != none) op.sf = row.sf;
  return op;
}

// Empty where the DSL takes these parameters, as far as CuTe has no rule of its own for them.
std::string rule_of(const OpRow& row, const DslMmaOp& op) {
  for (const ValueType type : {op.a, op.b}) {
    if (takes(row, type)) continue;
    std::string types;
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
      types += (i == 0 ? "" : i + 1 == row.inputs.size() ? " or " : ", ") + type_name(row.inputs[i]);
    return fmt::format("A and B are {}, not {}", types, type_name(type));
  }
  if (row.mixed_only && (op.a == e2m1) == (op.b == e2m1)) return "one of A and B is Float4E2M1FN, and the other has 8 bits";
  if (is_of(row, "warpgroup") && op.a_source == OperandSource::tensor_memory) return "A is in SMEM or RMEM, not in TMEM";
  if (is_of(row, "tcgen05") && op.a_source == OperandSource::registers) return "A is in SMEM or TMEM, not in RMEM";
  if (is_of(row, "warp") && row.sf_vec_size != 0 && op.sf != (row.sf_vec_size == 16 ? ue4m3 : ue8m0))
    return fmt::format("the scales are {}, not {}", row.sf_vec_size == 16 ? "Float8E4M3FN" : "Float8E8M0FNU", type_name(op.sf));
  const int step = op.two_ctas ? 32 : 16;
  if (is_of(row, "tcgen05") && op.sf == none && op.b_mn && bits(op.b) == 8 && op.shape_mnk[1].value() % step != 0)
    return fmt::format("with B of 8 bits and MN-major N is a multiple of {}, not {}", step, op.shape_mnk[1].value());
  return "";
}

Error not_of_the_dsl(const DslMmaOp& op, std::string_view rule) {
  return {ErrorCode::unknown_atom, fmt::format("{}: {}", op.name, rule), {}, {}};
}

// ---- writing -----------------------------------------------------------------------------------------------------------

std::string dsl_type(ValueType type) { return fmt::format("cutlass.{}", dsl_name(type)); }

// A scale of 4 exponent bits and 3 of mantissa has no sign that counts: the DSL has one type for it and the signed one.
std::string scale_type(ValueType sf) { return dsl_type(sf == ue4m3 ? e4m3 : sf); }

std::string argument(const OpRow& row, const DslMmaOp& op, std::string_view parameter) {
  if (parameter == "a_dtype" || parameter == "ab_dtype" || parameter == "abacc_dtype") return dsl_type(op.a);
  if (parameter == "b_dtype") return dsl_type(op.b);
  if (parameter == "acc_dtype") return dsl_type(op.acc);
  if (parameter == "sf_dtype" || parameter == "sf_type") return scale_type(op.sf);
  if (parameter == "a_major_mode") return fmt::format("cute.nvgpu.OperandMajorMode.{}", major(op.a_mn));
  if (parameter == "b_major_mode") return fmt::format("cute.nvgpu.OperandMajorMode.{}", major(op.b_mn));
  if (parameter == "cta_group") return fmt::format("cute.nvgpu.tcgen05.CtaGroup.{}", op.two_ctas ? "TWO" : "ONE");
  if (parameter == "a_src") {
    const auto source = op.a_source == OperandSource::registers ? "RMEM" : op.a_source == OperandSource::smem_descriptor ? "SMEM" : "TMEM";
    return fmt::format("cute.nvgpu.{}.OperandSource.{}", row.name.substr(0, row.name.find('.')), source);
  }
  return fmt::format("({}, {}, {})", to_string(op.shape_mnk[0]), to_string(op.shape_mnk[1]), to_string(op.shape_mnk[2]));
}

std::string text_of(const OpRow& row, const DslMmaOp& op) {
  std::string arguments;
  for (const std::string_view parameter : parameters(row)) {
    if (!arguments.empty()) arguments += ", ";
    arguments += argument(row, op, parameter);
  }
  return fmt::format("cute.nvgpu.{}({})", row.name, arguments);
}

bool fits(const OpRow& row, const DslMmaOp& op) {
  if (row.superseded || !takes(row, op.a) || !takes(row, op.b)) return false;
  if (op.a != op.b && !has(row, "b_dtype")) return false;
  for (const ValueType type : {op.a, op.b, op.acc}) {
    if (dsl_name(type).empty()) return false;
  }
  return row.sf == none || row.sf == op.sf;
}

constexpr std::string_view kAsync[] = {"SM80_CP_ASYNC_CACHEALWAYS", "SM80_CP_ASYNC_CACHEGLOBAL"};

}  // namespace

std::span<const DslMmaSignature> dsl_mma_signatures() {
  static const std::vector<DslMmaSignature> kSignatures = [] {
    std::vector<DslMmaSignature> all;
    for (const OpRow& row : rows()) all.push_back({row.name, row.signature, row.about});
    return all;
  }();
  return kSignatures;
}

Result<MmaAtom> find_dsl_mma(const DslMmaOp& called) {
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const OpRow& each) { return each.name == called.name; });
  if (row == rows().end()) return not_of_the_dsl(called, "no such operation is known");
  const DslMmaOp op = completed(*row, called);
  const bool shaped = has(*row, "shape_mnk") || has(*row, "instruction_shape");
  const bool k_may_lack = has(*row, "instruction_shape");
  const Shape& shape = op.shape_mnk;
  if (shaped && (!shape.is_tuple() || depth(shape) != 1 || (shape.rank() != 3 && !(k_may_lack && shape.rank() == 2)))) {
    return not_of_the_dsl(
        op, fmt::format("the shape (M, N{}) of the instruction is wanted, not {}", k_may_lack ? "[, K]" : ", K", to_string(shape)));
  }
  if (const std::string rule = rule_of(*row, op); !rule.empty()) return not_of_the_dsl(op, rule);
  auto found = find_mma_atom(row->atom_name(*row, op));
  if (!found && found.error().code == ErrorCode::unknown_atom)
    return std::move(found).error().note(fmt::format("{} with these parameters is no atom of CuTe's C++", op.name));
  TESSERA_TRY(atom, std::move(found));
  if (shaped && shape.rank() == 3 && shape != atom.shape_mnk) {
    return not_of_the_dsl(op, fmt::format("the instruction's K is {}, not {}", to_string(atom.shape_mnk[2]), to_string(shape[2])));
  }
  return atom;
}

std::optional<std::string> dsl_text(const MmaAtom& atom) {
  DslMmaOp op{{}, atom.val_a, atom.val_b, atom.val_d == none ? atom.val_c : atom.val_d};
  op.shape_mnk = atom.shape_mnk;
  op.a_source = atom.source_a;
  for (const OpRow& row : rows()) {
    op.name = row.name;
    for (const ValueType sf : {none, ue8m0, ue4m3}) {
      op.sf = sf;
      if (!fits(row, op)) continue;
      for (const int variant : {0, 1, 2, 3, 4, 5, 6, 7}) {
        op.a_mn = (variant & 1) != 0, op.b_mn = (variant & 2) != 0, op.two_ctas = (variant & 4) != 0;
        if (row.atom_name(row, op) == atom.name && rule_of(row, op).empty()) return text_of(row, op);
      }
    }
  }
  return std::nullopt;
}

// ---- copies ------------------------------------------------------------------------------------------------------------

namespace {

struct NamedCopy {
  std::string_view dsl, cute;  // CuTe's without what the parameters say
};
constexpr NamedCopy kTmem[] = {
    {"tcgen05.Ld16x64bOp", "SM100_TMEM_LOAD_16dp64b"},    {"tcgen05.Ld16x128bOp", "SM100_TMEM_LOAD_16dp128b"},
    {"tcgen05.Ld16x256bOp", "SM100_TMEM_LOAD_16dp256b"},  {"tcgen05.Ld16x32bx2Op", "SM100_TMEM_LOAD_16dp32b"},
    {"tcgen05.Ld32x32bOp", "SM100_TMEM_LOAD_32dp32b"},    {"tcgen05.St16x64bOp", "SM100_TMEM_STORE_16dp64b"},
    {"tcgen05.St16x128bOp", "SM100_TMEM_STORE_16dp128b"}, {"tcgen05.St16x256bOp", "SM100_TMEM_STORE_16dp256b"},
    {"tcgen05.St16x32bx2Op", "SM100_TMEM_STORE_16dp32b"}, {"tcgen05.St32x32bOp", "SM100_TMEM_STORE_32dp32b"},
};
constexpr NamedCopy kSmemToTmem[] = {
    {"tcgen05.Cp128x256bOp", "SM100_UTCCP_128dp256bit"},
    {"tcgen05.Cp128x128bOp", "SM100_UTCCP_128dp128bit"},
    {"tcgen05.Cp4x256bOp", "SM100_UTCCP_4dp256bit"},
    {"tcgen05.Cp4x32x128bOp", "SM100_UTCCP_4x32dp128bit"},
    {"tcgen05.Cp2x64x128b0213Op", "SM100_UTCCP_2x64dp128bitlw0213"},
    {"tcgen05.Cp2x64x128b0123Op", "SM100_UTCCP_2x64dp128bitlw0123"},
};
constexpr std::string_view kMatrix[] = {"warp.LdMatrix8x8x16bOp", "warp.StMatrix8x8x16bOp", "warp.LdMatrix8x16x8bOp",
                                        "warp.LdMatrix16x16x8bOp", "warp.StMatrix16x8x8bOp"};

template <std::size_t N>
std::string_view cute_part(const NamedCopy (&table)[N], std::string_view dsl) {
  const auto row = std::find_if(std::begin(table), std::end(table), [&](const NamedCopy& each) { return each.dsl == dsl; });
  return row == std::end(table) ? std::string_view() : row->cute;
}

// The operation of a copy as the DSL calls it, without make_copy_atom.
std::optional<std::string> operation_text(const std::string& name) {
  for (const std::string_view op : kMatrix) {
    for (const bool transpose : {false, true}) {
      for (const std::int64_t matrices : {1, 2, 4}) {
        for (const std::int64_t unpack : {0, 4, 6}) {
          if (cute_copy_name(DslMatrixCopy{op, transpose, matrices, unpack}) != name) continue;
          const std::string last = unpack == 0 ? "" : fmt::format(", {}", unpack);
          return fmt::format("{}({}, {}{})", op, transpose ? "True" : "False", matrices, last);
        }
      }
    }
  }
  for (const NamedCopy& row : kTmem) {
    const bool load = row.dsl.starts_with("tcgen05.Ld");
    for (const bool packed : {false, true}) {
      for (std::int64_t repeat = 1; repeat <= 128; repeat *= 2) {
        if (cute_copy_name(DslTmemCopy{row.dsl, repeat, packed}) != name) continue;
        const std::string_view how = !packed ? "NONE" : load ? "PACK_16b_IN_32b" : "UNPACK_32b_IN_16b";
        return fmt::format("{}(cute.nvgpu.tcgen05.Repetition.x{}, cute.nvgpu.tcgen05.{}.{})", row.dsl, repeat, load ? "Pack" : "Unpack",
                           how);
      }
    }
  }
  for (const NamedCopy& row : kSmemToTmem) {
    for (const bool two : {false, true}) {
      if (cute_copy_name(DslSmemToTmem{row.dsl, two}) != name) continue;
      return fmt::format("{}(cute.nvgpu.tcgen05.CtaGroup.{})", row.dsl, two ? "TWO" : "ONE");
    }
  }
  return std::nullopt;
}

}  // namespace

Result<CopyAtom> make_dsl_copy_atom(std::string_view op, ValueType type, std::int64_t num_bits_per_copy) {
  const bool has_width = op == "UniversalCopy" || std::find(std::begin(kAsync), std::end(kAsync), op) != std::end(kAsync);
  const std::int64_t width = num_bits_per_copy > 0 ? num_bits_per_copy : bits(type);
  TESSERA_TRY(traits, find_copy_atom(has_width ? fmt::format("{}<uint{}_t>", op, width) : std::string(op)));
  traits.automatic = op == "UniversalCopy" && num_bits_per_copy == 0;
  return CopyAtom::make(std::move(traits), type);
}

std::string cute_copy_name(const DslMatrixCopy& op) {
  const std::int64_t n = op.num_matrices;
  const auto one_of = [&](std::initializer_list<std::int64_t> counts) {
    return std::find(counts.begin(), counts.end(), n) != counts.end();
  };
  const bool ld = op.name == "warp.LdMatrix8x8x16bOp";
  if ((ld || op.name == "warp.StMatrix8x8x16bOp") && one_of({1, 2, 4}) && op.unpack_bits == 0) {
    const std::string_view arch = ld ? "SM75" : "SM90", kind = ld ? "LDSM" : "STSM";
    return op.transpose ? fmt::format("{}_U16x{}_{}_T", arch, 2 * n, kind) : fmt::format("{}_U32x{}_{}_N", arch, n, kind);
  }
  if (op.name == "warp.LdMatrix8x16x8bOp" && one_of({1, 2, 4}) && !op.transpose && op.unpack_bits == 0)
    return fmt::format("SM75_U32x{}_LDSM_N", n);  // without unpacking the DSL means the 16-bit instruction
  if (op.name == "warp.LdMatrix8x16x8bOp" && one_of({1, 2, 4}) && !op.transpose && (op.unpack_bits == 4 || op.unpack_bits == 6))
    return fmt::format("SM100_SU{}_DU8x16_x{}_LDSM_N", op.unpack_bits, n);
  if (op.name == "warp.LdMatrix16x16x8bOp" && one_of({1, 2}) && op.transpose && op.unpack_bits == 0)
    return fmt::format("SM100_U8x{}_LDSM_T", 8 * n);
  if (op.name == "warp.StMatrix16x8x8bOp" && one_of({1, 2, 4}) && op.transpose && op.unpack_bits == 0)
    return fmt::format("SM100_U8x{}_STSM_T", 4 * n);
  return "";
}

std::string cute_copy_name(const DslTmemCopy& op) {
  return fmt::format("{}{}x{}", cute_part(kTmem, op.name), op.repeat, op.packed ? "_16b" : "");
}

std::string cute_copy_name(const DslSmemToTmem& op) {
  return fmt::format("{}_{}cta", cute_part(kSmemToTmem, op.name), op.two_ctas ? 2 : 1);
}

std::optional<std::string> dsl_text(const CopyAtom& atom) {
  if (dsl_name(atom.value_type).empty()) return std::nullopt;
  const std::string type = dsl_type(atom.value_type);
  const std::string& name = atom.traits.name;
  if (const auto operation = operation_text(name)) return fmt::format("cute.make_copy_atom(cute.nvgpu.{}, {})", *operation, type);
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
