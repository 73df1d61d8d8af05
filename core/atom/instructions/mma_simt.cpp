// SPDX-License-Identifier: BSD-3-Clause
// MMA atoms of one thread: UniversalFMA, the dot products of SM61, and the packed fma of SM100.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

struct ThreadRow {
  std::string_view name, ptx;
  MmaKind kind;
  ArchRequirement arch;
  ValueType d, a, b, c;
  std::array<int, 3> shape;
  std::string_view layout_a, layout_b, layout_c;  // (thr, val) -> (m, k), (n, k), (m, n)
  RegisterUse reg_d, reg_a, reg_b, reg_c;
  std::string_view header;
};

const std::vector<ThreadRow>& rows() {
  using enum ValueType;
  static const std::vector<ThreadRow> table = {
      {"SM61_DP2A",
       "dp2a.s32.s32",
       MmaKind::dot,
       {61},
       i32,
       i16,
       i16,
       i32,
       {1, 1, 2},
       "(1,2):(0,1)",
       "(1,2):(0,1)",
       "(1,1):(0,0)",
       {"int", 1},
       {"unsigned int", 1},
       {"unsigned int", 1},
       {"int", 1},
       "mma_traits_sm61.hpp"},
      {"SM61_DP4A",
       "dp4a.s32.s32",
       MmaKind::dot,
       {61},
       i32,
       i8,
       i8,
       i32,
       {1, 1, 4},
       "(1,4):(0,1)",
       "(1,4):(0,1)",
       "(1,1):(0,0)",
       {"int", 1},
       {"unsigned int", 1},
       {"unsigned int", 1},
       {"int", 1},
       "mma_traits_sm61.hpp"},
      {"SM100_2x1x1_F32F32F32F32",
       "fma.rn.f32x2",
       MmaKind::fma,
       {100},
       f32,
       f32,
       f32,
       f32,
       {2, 1, 1},
       "(1,2):(0,1)",
       "(1,1):(0,0)",
       "(1,2):(0,1)",
       {"float2", 1},
       {"float2", 1},
       {"float", 1},
       {"float2", 1},
       "mma_traits_sm100.hpp"},
      {"SM100_1x2x1_F32F32F32F32",
       "fma.rn.f32x2",
       MmaKind::fma,
       {100},
       f32,
       f32,
       f32,
       f32,
       {1, 2, 1},
       "(1,1):(0,0)",
       "(1,2):(0,1)",
       "(1,2):(0,1)",
       {"float2", 1},
       {"float", 1},
       {"float2", 1},
       {"float2", 1},
       "mma_traits_sm100.hpp"},
  };
  return table;
}

MmaAtom make_atom(const ThreadRow& row) {
  MmaAtom atom;
  atom.name = row.name;
  atom.ptx = row.ptx;
  atom.kind = row.kind;
  atom.arch = row.arch;
  atom.val_d = row.d, atom.val_a = row.a, atom.val_b = row.b, atom.val_c = row.c;
  atom.shape_mnk = IntTuple::tuple({row.shape[0], row.shape[1], row.shape[2]});
  atom.thr_id = Layout::trusted(1, 0);
  atom.layout_a = table_layout(row.layout_a);
  atom.layout_b = table_layout(row.layout_b);
  atom.layout_c = table_layout(row.layout_c);
  atom.registers_d = row.reg_d, atom.registers_a = row.reg_a, atom.registers_b = row.reg_b, atom.registers_c = row.reg_c;
  atom.source = fmt::format("CuTe {} (CUTLASS 4.7.0); PTX ISA, {}", row.header, row.ptx);
  return atom;
}

// UniversalFMA<D, A = D, B = A, C = D>
Result<MmaAtom> universal_fma(const TemplateName& name) {
  const auto arg = [&](std::size_t i, std::string_view otherwise) { return i < name.args.size() ? name.args[i] : std::string(otherwise); };
  const std::string d = arg(0, "float"), a = arg(1, d), b = arg(2, a), c = arg(3, d);
  MmaAtom atom;
  for (const auto& [text, type] : {std::pair{&d, &atom.val_d}, {&a, &atom.val_a}, {&b, &atom.val_b}, {&c, &atom.val_c}}) {
    const auto value = value_type(*text);
    if (!value) return impossible_atom("UniversalFMA", fmt::format("\"{}\" is not a value type", *text));
    *type = *value;
  }
  if (name.args.size() > 4) return impossible_atom("UniversalFMA", "it has four parameters: D, A, B, C");
  atom.name =
      fmt::format("UniversalFMA<{},{},{},{}>", cute_name(atom.val_d), cute_name(atom.val_a), cute_name(atom.val_b), cute_name(atom.val_c));
  atom.kind = MmaKind::fma;
  atom.shape_mnk = IntTuple::tuple({1, 1, 1});
  atom.thr_id = Layout::trusted(1, 0);
  atom.layout_a = atom.layout_b = atom.layout_c = table_layout("(1,1):(0,0)");
  const auto one = [](ValueType t) { return RegisterUse{std::string(compiler_name(t)), 1}; };
  atom.registers_d = one(atom.val_d), atom.registers_a = one(atom.val_a), atom.registers_b = one(atom.val_b),
  atom.registers_c = one(atom.val_c);
  atom.source = "CuTe mma_traits.hpp (CUTLASS 4.7.0): d = a * b + c in one thread";
  return atom;
}

}  // namespace

FoundAtom find_simt_atom(const TemplateName& name) {
  if (name.op == "UniversalFMA") return universal_fma(name);
  for (const ThreadRow& row : rows()) {
    if (row.name == name.op && name.args.empty()) return make_atom(row);
  }
  return std::nullopt;
}

void list_simt_atoms(std::vector<std::string>& names) {
  for (const std::string_view t : {"double", "float", "half_t"}) names.push_back(fmt::format("UniversalFMA<{0},{0},{0},{0}>", t));
  for (const ThreadRow& row : rows()) {
    if (row.arch.sm == 61) names.emplace_back(row.name);
  }
}

}  // namespace tessera
