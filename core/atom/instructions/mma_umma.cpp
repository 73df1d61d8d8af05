// SPDX-License-Identifier: BSD-3-Clause
// SM100 and SM103 tcgen05.mma atoms (UMMA) by rule. The accumulator lies in tensor memory; A in shared (SS) or tensor memory (TS);
// B in shared memory. One CTA computes, or a pair (2x1SM) that shares M and N.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/mma_families.hpp"

namespace tessera {
namespace {

enum class Types : std::uint8_t { tf32, f16, int8, small_float, fp4, complex_tf32 };
enum class Variant : std::uint8_t { plain, scaled, sparse, interleaved };

// One template of CuTe, for one CTA and for a pair. N of one CTA is a multiple of n_step; with M = 128, of n_step_128.
struct UmmaRow {
  std::string_view op;    // without _2x1SM
  std::string_view kind;  // of the PTX
  Types types;
  Variant variant;
  bool from_tmem;  // A
  bool block_scaled;
  int k;                   // for the narrowest element of the kind
  bool only_m128;          // one CTA: M = 128; otherwise 64 or 128
  int n_step, n_step_128;  // one CTA
  int n_step_pair;
  bool only_m256;         // a pair: M = 256; otherwise 128 or 256
  std::array<int, 2> vs;  // elements that share a scale factor, where that is a parameter
  int sm = 100;
};

using enum Types;
using enum Variant;
constexpr std::array kRows = {
    UmmaRow{"SM100_MMA_TF32_SS", "tf32", tf32, plain, false, false, 8, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_TF32_TS", "tf32", tf32, plain, true, false, 8, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_TF32_TS_SCALED", "tf32", tf32, scaled, true, false, 8, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN",
            "tf32",
            complex_tf32,
            interleaved,
            true,
            false,
            4,
            false,
            8,
            16,
            32,
            false,
            {}},
    UmmaRow{"SM100_MMA_TF32_SS_SPARSE", "tf32", tf32, sparse, false, false, 16, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_F16BF16_SS", "f16", f16, plain, false, false, 16, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_F16BF16_TS", "f16", f16, plain, true, false, 16, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_F16BF16_SS_SCALED", "f16", f16, scaled, false, false, 16, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_F16BF16_TS_SCALED", "f16", f16, scaled, true, false, 16, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_F16BF16_SS_SPARSE", "f16", f16, sparse, false, false, 32, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_S8_SS", "i8", int8, plain, false, false, 32, false, 16, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_S8_TS", "i8", int8, plain, true, false, 32, false, 16, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_S8_SS_SPARSE", "i8", int8, sparse, false, false, 64, false, 16, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_F8F6F4_SS", "f8f6f4", small_float, plain, false, false, 32, false, 8, 8, 16, false, {}},
    UmmaRow{"SM100_MMA_F8F6F4_TS", "f8f6f4", small_float, plain, true, false, 32, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_F8F6F4_SS_SPARSE", "f8f6f4", small_float, sparse, false, false, 64, false, 8, 16, 32, false, {}},
    UmmaRow{"SM100_MMA_MXF8F6F4_SS", "mxf8f6f4", small_float, plain, false, true, 32, true, 8, 8, 16, true, {}},
    UmmaRow{"SM100_MMA_MXF8F6F4_SS_SPARSE", "mxf8f6f4", small_float, sparse, false, true, 64, true, 8, 8, 16, true, {}},
    UmmaRow{"SM100_MMA_MXF4_SS", "mxf4", fp4, plain, false, true, 64, true, 8, 8, 16, false, {16, 32}},
    UmmaRow{"SM100_MMA_MXF4NVF4_SS_SPARSE", "mxf4", fp4, sparse, false, true, 128, true, 8, 8, 16, false, {32, 64}},
    UmmaRow{"SM103::SM103_MXF4_ULTRA_SS_VS", "mxf4nvf4", fp4, plain, false, true, 96, true, 16, 16, 16, false, {16, 32}, 103},
};

struct Umma {
  const UmmaRow* row = nullptr;
  bool pair = false;
  ValueType a = ValueType::tf32, b = ValueType::tf32, c = ValueType::f32, sf = ValueType::none;
  int m = 0, n = 0, vs = 0;
  bool a_k_major = true, b_k_major = true;
  int scale_c = 0;               // SCALED: the exponent that the accumulator is scaled by
  std::array<bool, 2> negate{};  // ScaleIn::Neg
  bool saturate = false;
};

std::string op_of(const UmmaRow& row, bool pair) {
  std::string op(row.op);
  if (pair) op.insert(op.find(row.from_tmem ? "_TS" : "_SS"), "_2x1SM");
  return op;
}

bool has_majors_only_k(const UmmaRow& row) { return row.types == fp4 || row.types == complex_tf32; }
bool has_scale_in(const UmmaRow& row) { return row.types != int8 || row.from_tmem; }
bool has_saturate(const UmmaRow& row) { return row.from_tmem || row.types == int8; }
bool is_complex(ValueType t) { return t == ValueType::cf16 || t == ValueType::cbf16 || t == ValueType::ctf32; }

std::string name_of(const Umma& u) {
  const UmmaRow& row = *u.row;
  const auto type = [](ValueType t) { return is_complex(t) ? fmt::format("cutlass::{}", cute_name(t)) : std::string(cute_name(t)); };
  std::string args;
  if (row.variant != interleaved) args = fmt::format("{},{},{},", type(u.a), type(u.b), type(u.c));
  if (row.block_scaled) args += fmt::format("{},", cute_name(u.sf));
  args += fmt::format("{},{},", u.m, u.n);
  if (u.vs != 0) args += fmt::format("{},", u.vs);
  args += fmt::format("UMMA::Major::{},UMMA::Major::{}", u.a_k_major ? "K" : "MN", u.b_k_major ? "K" : "MN");
  if (row.variant == scaled) args += fmt::format(",{}", u.scale_c);
  if (u.negate[0] || u.negate[1] || (u.saturate && has_scale_in(row))) {
    for (const bool n : u.negate) args += n ? ",UMMA::ScaleIn::Neg" : ",UMMA::ScaleIn::One";
  }
  if (u.saturate) args += ",UMMA::Saturate::True";
  return fmt::format("{}<{}>", op_of(row, u.pair), args);
}

// (CTA,(row,k)) -> (row, k): one CTA has the tile; of a pair each has half of its rows.
Layout cta_tile(bool pair, std::int64_t rows, std::int64_t columns) {
  const auto two = [](std::int64_t a, std::int64_t b) { return IntTuple::tuple({a, b}); };
  if (!pair) return Layout::trusted(IntTuple::tuple({1, two(rows, columns)}), IntTuple::tuple({0, two(1, rows)}));
  return Layout::trusted(IntTuple::tuple({2, two(rows / 2, columns)}), IntTuple::tuple({rows / 2, two(1, rows)}));
}

std::string ptx_of(const Umma& u) {
  const UmmaRow& row = *u.row;
  std::string kind(row.kind);
  if (row.types == fp4 && (row.sm == 103 || u.vs == row.vs[0])) kind = "mxf4nvf4";
  if (row.block_scaled) kind += ".block_scale";
  if (row.types == fp4) kind += row.sm == 103 ? fmt::format(".block{}", u.vs) : fmt::format(".scale_vec::{}X", u.vs == row.vs[0] ? 4 : 2);
  return fmt::format("tcgen05.mma{}.cta_group::{}.kind::{}", row.variant == sparse ? ".sp" : "", u.pair ? 2 : 1, kind);
}

MmaAtom make_atom(const Umma& u) {
  const UmmaRow& row = *u.row;
  const int k = row.types == f16 && is_complex(u.a) ? row.k / 2 : row.k;
  MmaAtom atom;
  atom.name = name_of(u);
  atom.ptx = ptx_of(u);
  atom.kind = MmaKind::umma;
  atom.arch = {row.sm, 'a'};
  atom.val_d = atom.val_c = u.c;
  atom.val_a = u.a;
  atom.val_b = u.b;
  atom.source_a = row.from_tmem ? OperandSource::tensor_memory : OperandSource::smem_descriptor;
  atom.source_b = OperandSource::smem_descriptor;
  atom.mn_major_a = !u.a_k_major, atom.mn_major_b = !u.b_k_major;
  atom.sparse = row.variant == sparse;
  atom.shape_mnk = IntTuple::tuple({u.m, u.n, k});
  atom.thr_id = u.pair ? Layout::trusted(2, 1) : Layout::trusted(1, 0);
  atom.layout_a = cta_tile(u.pair, u.m, k);    // (CTA,V) -> (m, k)
  atom.layout_b = cta_tile(u.pair, u.n, k);    // (CTA,V) -> (n, k)
  atom.layout_c = cta_tile(u.pair, u.m, u.n);  // (CTA,V) -> (m, n)
  if (atom.sparse) {
    atom.type_a = row.types == fp4 ? sparse_type(4, ValueType::u8) : sparse_type(2, u.a);
    atom.type_e = sparse_type(row.types == fp4 ? 16 : row.types == tf32 ? 4 : 8, ValueType::u8);
  }
  atom.registers_d = {"void", 0};
  atom.registers_a = row.from_tmem ? RegisterUse{"unsigned int", 1} : RegisterUse{"unsigned long", 1};
  atom.registers_b = {"unsigned long", 1};
  atom.registers_c = {"unsigned int", 1};
  if (row.block_scaled) atom.registers_sfa = atom.registers_sfb = {"unsigned int", 1};
  atom.source = fmt::format("CuTe mma_traits_sm100.hpp (CUTLASS 4.7.0); PTX ISA, tcgen05.mma kind::{}", row.kind);
  return atom;
}

// ---- the rules -------------------------------------------------------------------------------------------------------

bool is_small_float(ValueType t) {
  using enum ValueType;
  return t == e4m3 || t == e5m2 || t == e3m2 || t == e2m3 || t == e2m1;
}

// Empty when the types fit the kind; otherwise the rule.
std::string type_rule(const Umma& u) {
  using VT = ValueType;
  switch (u.row->types) {
    case complex_tf32: return "";
    case tf32: return u.a == VT::tf32 && u.b == VT::tf32 && u.c == VT::f32 ? "" : "A and B are tfloat32_t and C is float";
    case int8: {
      const auto byte = [](VT t) { return t == VT::i8 || t == VT::u8; };
      return byte(u.a) && byte(u.b) && u.c == VT::i32 ? "" : "A and B are int8_t or uint8_t and C is int32_t";
    }
    case fp4: return u.a == VT::e2m1 && u.b == VT::e2m1 && u.c == VT::f32 ? "" : "A and B are float_e2m1_t and C is float";
    case small_float:
      if (!is_small_float(u.a) || !is_small_float(u.b))
        return "A and B are float_e4m3_t, float_e5m2_t, float_e3m2_t, float_e2m3_t or float_e2m1_t";
      return u.c == VT::f32 || (u.c == VT::f16 && !u.row->block_scaled) ? "" : u.row->block_scaled ? "C is float" : "C is float or half_t";
    case f16: {
      if (is_complex(u.a) && u.a == u.b && u.a != VT::ctf32) {
        return u.row->variant == scaled && u.c == VT::f32 ? "" : "complex operands exist for SCALED atoms with C float";
      }
      const auto half = [](VT t) { return t == VT::f16 || t == VT::bf16; };
      if (!half(u.a) || !half(u.b)) return "A and B are half_t or bfloat16_t";
      return u.c == VT::f32 || (u.c == VT::f16 && u.a == VT::f16 && u.b == VT::f16) ? "" : "C is float, or half_t where A and B are half_t";
    }
  }
  return "";
}

std::string extent_rule(const Umma& u) {
  const UmmaRow& row = *u.row;
  if (u.pair) {
    const bool m_fits = u.m == 256 || (u.m == 128 && !row.only_m256);
    if (!m_fits) return row.only_m256 ? "a pair of CTAs has M = 256" : "a pair of CTAs has M = 128 or 256";
    const int step = row.n_step_pair;
    return u.n >= step && u.n <= 256 && u.n % step == 0 ? "" : fmt::format("N of a pair of CTAs is a multiple of {} up to 256", step);
  }
  const bool m_fits = u.m == 128 || (u.m == 64 && !row.only_m128);
  if (!m_fits) return row.only_m128 ? "one CTA has M = 128" : "one CTA has M = 64 or 128";
  const int step = u.m == 128 ? row.n_step_128 : row.n_step;
  const bool eight = row.types == int8 && u.n == 8;
  if (eight || (u.n >= step && u.n <= 256 && u.n % step == 0)) return "";
  return fmt::format("with M = {} N is {}a multiple of {} up to 256", u.m, row.types == int8 ? "8 or " : "", step);
}

std::string scale_rule(const Umma& u) {
  const UmmaRow& row = *u.row;
  if (!row.block_scaled) return "";
  if (row.types != fp4) return u.sf == ValueType::ue8m0 ? "" : "the scale is float_ue8m0_t";
  if (u.vs != row.vs[0] && u.vs != row.vs[1]) return fmt::format("a scale serves {} or {} elements", row.vs[0], row.vs[1]);
  if (u.sf == ValueType::ue8m0 || (u.sf == ValueType::ue4m3 && u.vs == row.vs[0])) return "";
  return fmt::format("the scale is float_ue8m0_t, or float_ue4m3_t for {} elements", row.vs[0]);
}

std::string major_rule(const Umma& u) {
  if (u.row->from_tmem && !u.a_k_major) return "A in tensor memory is K-major";
  if (has_majors_only_k(*u.row) && (!u.a_k_major || !u.b_k_major)) return "its operands are K-major";
  return "";
}

// Takes the arguments one after another; remembers the first that does not fit.
class Arguments {
 public:
  explicit Arguments(const TemplateName& name) : args_(name.args) {}

  void type(ValueType& out) {
    const auto text = required("a value type");
    if (const auto found = value_type(text)) {
      out = *found;
    } else {
      fail(fmt::format("\"{}\" is not a value type", text));
    }
  }
  void number(int& out) {
    const auto text = required("a number");
    out = parse_count(text);
    if (out < 0) fail(fmt::format("\"{}\" is not a number", text));
  }
  void choice(bool& out, std::string_view no, std::string_view yes, bool optional) {
    if (optional && next_ == args_.size()) return;
    const auto text = required(no);
    const auto means = [&](std::string_view word) { return text == word || text == word.substr(word.rfind(':') + 1); };  // K for Major::K
    if (!means(no) && !means(yes)) fail(fmt::format("\"{}\" is not UMMA::{} or UMMA::{}", text, no, yes));
    out = means(yes);
  }
  std::string finish() {
    if (next_ < args_.size()) fail(fmt::format("\"{}\" is one parameter too many", args_[next_]));
    return error_;
  }

 private:
  std::string required(std::string_view what) {
    if (next_ < args_.size()) return args_[next_++];
    fail(fmt::format("a parameter is missing: {}", what));
    return "";
  }
  void fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
  }
  const std::vector<std::string>& args_;
  std::size_t next_ = 0;
  std::string error_;
};

Result<MmaAtom> read(const TemplateName& name, const UmmaRow& row, bool pair) {
  Umma u{&row, pair};
  Arguments args(name);
  if (row.variant == interleaved) {
    u.a = u.b = ValueType::ctf32;
  } else {
    args.type(u.a);
    args.type(u.b);
    args.type(u.c);
  }
  if (row.block_scaled) args.type(u.sf);
  args.number(u.m);
  args.number(u.n);
  if (row.vs[0] != 0) args.number(u.vs);
  bool a_mn = false, b_mn = false;
  args.choice(a_mn, "Major::K", "Major::MN", false);
  args.choice(b_mn, "Major::K", "Major::MN", false);
  u.a_k_major = !a_mn;
  u.b_k_major = !b_mn;
  if (row.variant == scaled) args.number(u.scale_c);
  if (has_scale_in(row)) {
    for (bool& negate : u.negate) args.choice(negate, "ScaleIn::One", "ScaleIn::Neg", true);
  }
  if (has_saturate(row)) args.choice(u.saturate, "Saturate::False", "Saturate::True", true);
  if (std::string error = args.finish(); !error.empty()) return impossible_atom(name.op, error);
  for (const auto rule : {type_rule, extent_rule, scale_rule, major_rule}) {
    if (std::string error = rule(u); !error.empty()) return impossible_atom(name.op, error);
  }
  return make_atom(u);
}

// ---- listing -----------------------------------------------------------------------------------------------------------

struct Triple {
  ValueType a, b, c;
};

// The types listed at every extent; small floats have 25 pairs, listed at one extent only.
std::vector<Triple> common_types(const UmmaRow& row) {
  using VT = ValueType;
  switch (row.types) {
    case tf32: return {{VT::tf32, VT::tf32, VT::f32}};
    case complex_tf32: return {{VT::ctf32, VT::ctf32, VT::f32}};
    case int8: return {{VT::i8, VT::i8, VT::i32}, {VT::u8, VT::u8, VT::i32}};
    case fp4: return {{VT::e2m1, VT::e2m1, VT::f32}};
    case f16: {
      std::vector<Triple> t = {{VT::f16, VT::f16, VT::f32}, {VT::f16, VT::f16, VT::f16}, {VT::bf16, VT::bf16, VT::f32}};
      if (row.variant == scaled) {
        t.push_back({VT::cf16, VT::cf16, VT::f32});
        t.push_back({VT::cbf16, VT::cbf16, VT::f32});
      }
      return t;
    }
    case small_float: {
      std::vector<Triple> t = {{VT::e4m3, VT::e4m3, VT::f32}, {VT::e5m2, VT::e4m3, VT::f32}};
      if (!row.block_scaled) t.push_back({VT::e4m3, VT::e4m3, VT::f16});
      return t;
    }
  }
  return {};
}

std::vector<Triple> other_types(const UmmaRow& row) {
  using VT = ValueType;
  std::vector<Triple> t;
  if (row.types != small_float) return t;
  for (const VT a : {VT::e4m3, VT::e5m2, VT::e3m2, VT::e2m3, VT::e2m1}) {
    for (const VT b : {VT::e4m3, VT::e5m2, VT::e3m2, VT::e2m3, VT::e2m1}) {
      if (b != VT::e4m3 || (a != VT::e4m3 && a != VT::e5m2)) t.push_back({a, b, VT::f32});
    }
  }
  return t;
}

void list_if_legal(std::vector<std::string>& names, Umma u) {
  const UmmaRow& row = *u.row;
  if (!extent_rule(u).empty() || !major_rule(u).empty()) return;
  if (!row.block_scaled) {
    names.push_back(name_of(u));
    return;
  }
  for (const ValueType sf : {ValueType::ue8m0, ValueType::ue4m3}) {
    for (const int vs : row.vs) {
      u.sf = sf;
      u.vs = vs;
      if (!scale_rule(u).empty()) continue;
      names.push_back(name_of(u));
      if (vs == 0) break;
    }
  }
}

void list_row(std::vector<std::string>& names, const UmmaRow& row, bool pair) {
  for (const int m : {64, 128, 256}) {
    for (const Triple& t : common_types(row)) {
      for (const int n : {8, 16, 32, 64, 96, 128, 192, 256}) list_if_legal(names, {&row, pair, t.a, t.b, t.c, ValueType::none, m, n});
      for (const auto& [a_k, b_k] : {std::pair{true, false}, {false, true}, {false, false}}) {
        list_if_legal(names, {&row, pair, t.a, t.b, t.c, ValueType::none, m, 128, 0, a_k, b_k});
      }
    }
  }
  for (const Triple& t : other_types(row)) list_if_legal(names, {&row, pair, t.a, t.b, t.c, ValueType::none, pair ? 256 : 128, 128});
}

}  // namespace

FoundAtom find_umma_atom(const TemplateName& name) {
  if (!name.op.starts_with("SM10")) return std::nullopt;
  for (const UmmaRow& row : kRows) {
    for (const bool pair : {false, true}) {
      if (op_of(row, pair) == name.op) return read(name, row, pair);
    }
  }
  return std::nullopt;
}

// All templates and types with the usual extents; the other legal N, ScaleIn and Saturate are found by name.
void list_umma_atoms(std::vector<std::string>& names, int sm) {
  if (sm == 100) {
    names.emplace_back("SM100_2x1x1_F32F32F32F32");
    names.emplace_back("SM100_1x2x1_F32F32F32F32");
  }
  for (const UmmaRow& row : kRows) {
    if (row.sm != sm) continue;
    for (const bool pair : {false, true}) list_row(names, row, pair);
  }
}

}  // namespace tessera
