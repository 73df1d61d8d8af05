// SPDX-License-Identifier: BSD-3-Clause
// SM120 mma.sync atoms by rule: 8-, 6- and 4-bit floats, dense or 2:4 sparse, with or without block scales.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

// One template of CuTe. K and what a register packs differ; the warp's pattern does not.
struct Sm120Row {
  std::string_view op;
  int k;
  bool sparse, scaled;
  bool fp4_only;           // e2m1 x e2m1; otherwise any of the five floats
  int packed_a, packed_b;  // elements of A and B in a register; A's zeros of a sparse atom count
  std::array<int, 2> vs;   // elements that share a scale factor
};

constexpr std::array kRows = {
    Sm120Row{"SM120_16x8x32_TN", 32, false, false, false, 4, 4, {}},
    Sm120Row{"SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", 32, false, true, false, 4, 4, {32, 32}},
    Sm120Row{"SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", 64, false, true, true, 8, 8, {16, 32}},
    Sm120Row{"SM120::SPARSE::SM120_SPARSE_16x8x64_TN", 64, true, false, false, 8, 4, {}},
    Sm120Row{"SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS", 64, true, true, false, 8, 4, {32, 64}},
    Sm120Row{"SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS", 128, true, true, true, 16, 8, {32, 64}},
};

constexpr std::array kFloats = {ValueType::e2m1, ValueType::e2m3, ValueType::e3m2, ValueType::e4m3, ValueType::e5m2};

bool is_small_float(ValueType t) { return std::find(kFloats.begin(), kFloats.end(), t) != kFloats.end(); }

struct Sm120 {
  const Sm120Row* row = nullptr;
  ValueType a = ValueType::none, b = ValueType::none, c = ValueType::f32, sf = ValueType::none;
  int vs = 0;
};

std::string name_of(const Sm120& x) {
  const std::string types = fmt::format("{},{},{}", cute_name(x.a), cute_name(x.b), cute_name(x.c));
  if (!x.row->scaled) return fmt::format("{}<{}>", x.row->op, types);
  return fmt::format("{}<{},{},{}>", x.row->op, types, cute_name(x.sf), x.vs);
}

std::string ptx_of(const Sm120& x) {
  const Sm120Row& r = *x.row;
  std::string kind = r.fp4_only ? "mxf4nvf4" : r.scaled ? "mxf8f6f4" : "f8f6f4";
  if (r.sparse) kind += ".sp::ordered_metadata";
  // A scale for each 32 elements of an 8-bit K is one factor a row (1X); of a 4-bit K two (2X), or four for each 16 (4X).
  if (r.scaled) kind += fmt::format(".block_scale.scale_vec::{}X", !r.fp4_only ? 1 : x.vs == r.vs[0] || x.sf == ValueType::ue4m3 ? 4 : 2);
  const std::string types = fmt::format("{0}.{1}.{2}.{0}", short_name(x.c), short_name(x.a), short_name(x.b));
  const std::string scale = r.scaled ? fmt::format(".{}", short_name(x.sf)) : "";
  const bool kind_last = r.fp4_only && x.sf == ValueType::ue8m0 && x.vs == r.vs[0] && !r.sparse;  // as CuTe's wrapper orders this one
  if (kind_last) return fmt::format("mma.sync.aligned.m16n8k{}.row.col.kind::{}.{}{}", r.k, kind, types, scale);
  return fmt::format("mma.sync.aligned.kind::{}.m16n8k{}.row.col.{}{}", kind, r.k, types, scale);
}

void set_types(MmaAtom& atom, const Sm120& x) {
  const Sm120Row& r = *x.row;
  atom.val_d = atom.val_c = x.c;
  atom.val_a = x.a;
  atom.val_b = x.b;
  // The narrow floats lie in bytes; the 4-bit instructions pack two in a byte.
  atom.type_b = r.fp4_only ? compiler_name(ValueType::u4) : compiler_name(ValueType::u8);
  atom.type_a = atom.type_b;
  if (r.sparse) {
    atom.type_a = r.fp4_only ? sparse_type(4, ValueType::u8) : sparse_type(2, x.a);
    atom.type_e = sparse_type(r.fp4_only ? 16 : 8, ValueType::u8);
  }
  if (r.scaled) atom.type_sf = cute_name(x.sf);
}

MmaAtom make_atom(const Sm120& x) {
  const Sm120Row& r = *x.row;
  MmaAtom atom;
  atom.name = name_of(x);
  atom.ptx = ptx_of(x);
  atom.arch = {120, 'a'};
  atom.sparse = r.sparse;
  set_types(atom, x);
  atom.shape_mnk = IntTuple::tuple({16, 8, r.k});
  atom.thr_id = Layout::trusted(32, 1);
  atom.layout_a = warp_operand(16, r.k, r.packed_a);  // (T32,V) -> (m, k)
  atom.layout_b = warp_operand(8, r.k, r.packed_b);   // (T32,V) -> (n, k)
  atom.layout_c = warp_accumulator(16, 8);            // (T32,V) -> (m, n)
  if (r.sparse) {
    // (T32,V) -> (m, k): two threads of a quad hold the metadata of a row's halves
    atom.layout_e = table_layout(r.k == 64 ? "((2,2,8),32):((8,512,1),16)" : "((2,2,8),(64)):((8,1024,1),(16))");
    atom.registers_e = {"unsigned int", 1};
  }
  if (r.scaled) {
    const auto scale = [&](std::string_view thread, std::int64_t stride) {
      return layout_of({table_layout(thread), Layout::trusted(r.k, stride)});
    };
    atom.layout_sfa = scale("(2,2,8):(8,0,1)", 16);  // (T32,V) -> (m, k)
    atom.layout_sfb = scale("(4,8):(0,1)", 8);       // (T32,V) -> (n, k)
    const std::string type = !r.fp4_only ? "unsigned char" : x.vs == r.vs[0] ? "unsigned int" : "unsigned short";
    atom.registers_sfa = atom.registers_sfb = {type, 1};
  }
  atom.registers_a = {"unsigned int", 4};
  atom.registers_b = {"unsigned int", r.sparse ? 4 : 2};
  atom.registers_c = atom.registers_d = accumulator_registers(x.c, 4);
  atom.source = fmt::format("CuTe mma_traits_sm120{}.hpp (CUTLASS 4.7.0); PTX ISA, mma.m16n8k{}", r.sparse ? "_sparse" : "", r.k);
  return atom;
}

Result<MmaAtom> read(const TemplateName& name, const Sm120Row& row) {
  Sm120 x{&row};
  const std::size_t count = row.scaled ? 5 : 3;
  if (name.args.size() != count) {
    return impossible_atom(name.op, fmt::format("it has {} parameters: the types of A, B and C{}", count,
                                                row.scaled ? ", the scale's type, and how many elements share one" : ""));
  }
  const std::array types = {&x.a, &x.b, &x.c, &x.sf};
  for (std::size_t i = 0; i < count - (row.scaled ? 1 : 0); ++i) {
    const auto type = value_type(name.args[i]);
    if (!type) return impossible_atom(name.op, fmt::format("\"{}\" is not a value type", name.args[i]));
    *types[i] = *type;
  }
  for (const ValueType t : {x.a, x.b}) {
    if (row.fp4_only && t != ValueType::e2m1) return impossible_atom(name.op, "A and B are float_e2m1_t");
    if (!is_small_float(t))
      return impossible_atom(name.op, "A and B are float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t or float_e2m1_t");
  }
  if (x.c != ValueType::f32 && (row.scaled || x.c != ValueType::f16))
    return impossible_atom(name.op, row.scaled ? "C is float" : "C is float or half_t");
  if (!row.scaled) return make_atom(x);
  if (x.sf != ValueType::ue8m0 && !(row.fp4_only && x.sf == ValueType::ue4m3)) {
    return impossible_atom(name.op, row.fp4_only ? "the scale is float_ue8m0_t or float_ue4m3_t" : "the scale is float_ue8m0_t");
  }
  x.vs = parse_count(name.args[4]);
  if (x.vs != row.vs[0] && x.vs != row.vs[1])
    return impossible_atom(name.op, row.vs[0] == row.vs[1] ? fmt::format("a scale serves {} elements", row.vs[0])
                                                           : fmt::format("a scale serves {} or {} elements", row.vs[0], row.vs[1]));
  return make_atom(x);
}

}  // namespace

FoundAtom find_sm120_atom(const TemplateName& name) {
  for (const Sm120Row& row : kRows) {
    if (row.op == name.op) return read(name, row);
  }
  return std::nullopt;
}

void list_sm120_atoms(std::vector<std::string>& names) {
  for (const Sm120Row& row : kRows) {
    for (const ValueType a : kFloats) {
      for (const ValueType b : kFloats) {
        if (row.fp4_only && (a != ValueType::e2m1 || b != ValueType::e2m1)) continue;
        if (!row.scaled) {
          for (const ValueType c : {ValueType::f32, ValueType::f16}) names.push_back(name_of({&row, a, b, c}));
          continue;
        }
        for (const ValueType sf : {ValueType::ue8m0, ValueType::ue4m3}) {
          if (!row.fp4_only && sf == ValueType::ue4m3) continue;
          names.push_back(name_of({&row, a, b, ValueType::f32, sf, row.vs[0]}));
          if (row.vs[1] != row.vs[0]) names.push_back(name_of({&row, a, b, ValueType::f32, sf, row.vs[1]}));
        }
      }
    }
  }
}

}  // namespace tessera
