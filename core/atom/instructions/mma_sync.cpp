// SPDX-License-Identifier: BSD-3-Clause
// mma.sync atoms of SM70 to SM90: a table of instructions; the layouts of SM75 and later follow from shape and width.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

struct SyncRow {
  int sm, m, n, k;
  ValueType d, a, b, c;
  std::string_view majors;  // "TN": A row-major, B column-major, in the old BLAS letters
  std::string_view suffix;  // "", "_SATURATE", "_ANDPOPC", "_XORPOPC"
  bool gauss = false;       // SM80_8x8x4_GC64C64C64GC64_TN
};

std::string row_name(const SyncRow& r) {
  const std::string_view g = r.gauss ? "G" : "";
  return fmt::format("SM{}_{}x{}x{}_{}{}{}{}{}{}_{}{}", r.sm, r.m, r.n, r.k, g, atom_token(r.d), atom_token(r.a), atom_token(r.b), g,
                     atom_token(r.c), r.majors, r.suffix);
}

// The instructions, in the order of the architectures.
std::vector<SyncRow> make_rows() {
  using enum ValueType;
  std::vector<SyncRow> t;
  for (const ValueType acc : {f16, f32}) {
    for (const std::string_view majors : {"NN", "NT", "TN", "TT"}) t.push_back({70, 8, 8, 4, acc, f16, f16, acc, majors, ""});
  }
  t.push_back({75, 16, 8, 8, f32, f16, f16, f32, "TN", ""});
  t.push_back({75, 16, 8, 8, f16, f16, f16, f16, "TN", ""});
  t.push_back({75, 8, 8, 16, i32, i8, i8, i32, "TN", ""});
  for (const int k : {8, 16}) {
    t.push_back({80, 16, 8, k, f16, f16, f16, f16, "TN", ""});
    t.push_back({80, 16, 8, k, f32, f16, f16, f32, "TN", ""});
    t.push_back({80, 16, 8, k, f32, bf16, bf16, f32, "TN", ""});
  }
  for (const int k : {4, 8}) t.push_back({80, 16, 8, k, f32, tf32, tf32, f32, "TN", ""});
  t.push_back({80, 8, 8, 4, f64, f64, f64, f64, "TN", ""});
  t.push_back({80, 8, 8, 4, c64, c64, c64, c64, "TN", ""});
  t.push_back({80, 8, 8, 4, c64, c64, c64, c64, "TN", "", true});
  // Integers: 8 bits have K = 16 (or 32 with 16 rows), 4 bits twice that, single bits eight times.
  for (const auto& [signed_type, unsigned_type] : {std::pair{i8, u8}, std::pair{i4, u4}}) {
    const int k = signed_type == i8 ? 16 : 32;
    for (const ValueType a : {signed_type, unsigned_type}) {
      for (const ValueType b : {signed_type, unsigned_type}) {
        for (const auto& [m, depth] : {std::pair{8, k}, {16, k}, {16, 2 * k}}) {
          for (const std::string_view suffix : {"", "_SATURATE"}) t.push_back({80, m, 8, depth, i32, a, b, i32, "TN", suffix});
        }
      }
    }
  }
  for (const std::string_view suffix : {"_ANDPOPC", "_XORPOPC"}) {
    for (const auto& [m, depth] : {std::pair{8, 128}, {16, 128}, {16, 256}}) t.push_back({80, m, 8, depth, i32, b1, b1, i32, "TN", suffix});
  }
  for (const ValueType acc : {f32, f16}) {
    for (const ValueType a : {e4m3, e5m2}) {
      for (const ValueType b : {e4m3, e5m2}) t.push_back({89, 16, 8, 32, acc, a, b, acc, "TN", ""});
    }
  }
  for (const ValueType type : {f64, c64}) {
    for (const int k : {4, 8, 16}) t.push_back({90, 16, 8, k, type, type, type, type, "TN", ""});
  }
  return t;
}

const std::vector<SyncRow>& rows() {
  static const std::vector<SyncRow> table = make_rows();
  return table;
}

// Volta: eight threads, two quads 16 lanes apart, compute 8x8x4. Threads of a quad hold a row of A (T) or a column of four (N).
void set_volta_layouts(MmaAtom& atom, const SyncRow& r) {
  const std::string_view row = "(8,4):(1,8)";          // (T8,V4) -> (row, k): thread t has row t
  const std::string_view col = "((4,2),4):((8,4),1)";  // (T8,V4) -> (row, k): thread (i,j) has k = i, rows 4j .. 4j+3
  atom.thr_id = table_layout("(4,2):(1,16)");          // logical thread -> lane
  atom.layout_a = table_layout(r.majors[0] == 'T' ? row : col);
  atom.layout_b = table_layout(r.majors[1] == 'N' ? row : col);
  // (T8,V8) -> (m, n)
  atom.layout_c = table_layout(r.d == ValueType::f16 ? "(8,8):(1,8)" : "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))");
}

// CuTe writes the four-bit operands of one register as a tuple of one: (8) instead of 8.
Layout as_printed(const Layout& layout, ValueType type) {
  if (bits(type) != 4 || layout[1].shape().is_tuple()) return layout;
  const Layout value = Layout::trusted(IntTuple::tuple({layout[1].shape()}), IntTuple::tuple({layout[1].stride()}));
  return layout_of({layout[0], value});
}

void set_warp_layouts(MmaAtom& atom, const SyncRow& r) {
  const std::int64_t packed = std::max(1, 32 / bits(r.a));
  atom.thr_id = Layout::trusted(32, 1);
  atom.layout_a = as_printed(warp_operand(r.m, r.k, packed), r.a);  // (T32,V) -> (m, k)
  atom.layout_b = as_printed(warp_operand(r.n, r.k, packed), r.b);  // (T32,V) -> (n, k)
  atom.layout_c = warp_accumulator(r.m, r.n);                       // (T32,V) -> (m, n)
}

std::string ptx_of(const SyncRow& r) {
  const auto token = [](ValueType t) { return t == ValueType::c64 ? std::string_view("f64") : short_name(t); };
  std::string_view end = "";
  if (r.suffix == "_SATURATE") end = ".satfinite";
  if (r.suffix == "_ANDPOPC") end = ".and.popc";
  if (r.suffix == "_XORPOPC") end = ".xor.popc";
  return fmt::format("mma.sync.aligned.m{}n{}k{}.{}.{}.{}.{}.{}.{}{}", r.m, r.n, r.k, r.majors[0] == 'T' ? "row" : "col",
                     r.majors[1] == 'N' ? "col" : "row", token(r.d), token(r.a), token(r.b), token(r.c), end);
}

void set_notes(MmaAtom& atom, const SyncRow& r) {
  if (r.d == ValueType::c64) {
    atom.note = r.gauss ? "Complex product by Gauss's three real products: the instruction runs three times."
                        : "Complex product: the real instruction runs four times.";
  }
  if (r.m == 16 && r.k == 128 && r.a == ValueType::b1) {
    atom.note =
        "CuTe's header writes ALayout with the stride ((512,1),((16,8))), which is not congruent with its shape; here is the layout "
        "that the instruction has.";
    atom.refusal_a = fmt::format(
        "CuTe's ALayout of {} is ((4,8),(32,2)):((512,1),((16,8))), whose shape and stride are not congruent, so CuTe "
        "does not compile a partition of A",
        atom.name);
  }
}

MmaAtom make_atom(const SyncRow& r) {
  MmaAtom atom;
  atom.name = row_name(r);
  atom.ptx = ptx_of(r);
  atom.arch = {r.sm};
  atom.val_d = r.d, atom.val_a = r.a, atom.val_b = r.b, atom.val_c = r.c;
  atom.shape_mnk = IntTuple::tuple({r.m, r.n, r.k});
  if (r.sm == 70) {
    set_volta_layouts(atom, r);
  } else {
    set_warp_layouts(atom, r);
  }
  const auto values = [](const Layout& layout) { return layout[1].size(); };
  atom.registers_a = packed_registers(r.a, values(atom.layout_a));
  atom.registers_b = packed_registers(r.b, values(atom.layout_b));
  atom.registers_c = accumulator_registers(r.c, values(atom.layout_c));
  atom.registers_d = accumulator_registers(r.d, values(atom.layout_c));
  if (r.gauss) {
    atom.type_d = atom.type_c = atom.name + "::GaussComplex";
    atom.registers_d.type = atom.registers_c.type = atom.type_d;
  }
  atom.source = fmt::format("CuTe mma_traits_sm{}.hpp (CUTLASS 4.7.0); PTX ISA, mma.m{}n{}k{}", r.sm, r.m, r.n, r.k);
  set_notes(atom, r);
  return atom;
}

}  // namespace

FoundAtom find_sync_atom(const TemplateName& name) {
  static const std::unordered_map<std::string, std::size_t> index = [] {
    std::unordered_map<std::string, std::size_t> by_name;
    for (std::size_t i = 0; i < rows().size(); ++i) by_name.emplace(row_name(rows()[i]), i);
    return by_name;
  }();
  const auto found = index.find(name.op);
  if (found == index.end() || !name.args.empty()) return std::nullopt;
  return make_atom(rows()[found->second]);
}

void list_sync_atoms(std::vector<std::string>& names, int sm) {
  for (const SyncRow& r : rows()) {
    if (r.sm == sm) names.push_back(row_name(r));
  }
}

}  // namespace tessera
