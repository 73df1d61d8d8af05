// SPDX-License-Identifier: BSD-3-Clause
// The table of element types: widths and spellings.
#include "core/atom/instructions/value_type.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {
namespace {

struct TypeRow {
  ValueType type;
  int bits;
  std::string_view cute, brief, compiler;
  std::string_view dsl = {};  // empty: CuTe DSL has no such type
};

// In the order of the enumeration.
constexpr std::array kTypes = {
    TypeRow{ValueType::f64, 64, "double", "f64", "double", "Float64"},
    TypeRow{ValueType::f32, 32, "float", "f32", "float", "Float32"},
    TypeRow{ValueType::tf32, 32, "tfloat32_t", "tf32", "tfloat32_t", "TFloat32"},
    TypeRow{ValueType::f16, 16, "half_t", "f16", "half_t", "Float16"},
    TypeRow{ValueType::bf16, 16, "bfloat16_t", "bf16", "bfloat16_t", "BFloat16"},
    TypeRow{ValueType::e4m3, 8, "float_e4m3_t", "e4m3", "float_e4m3_t", "Float8E4M3FN"},
    TypeRow{ValueType::e5m2, 8, "float_e5m2_t", "e5m2", "float_e5m2_t", "Float8E5M2"},
    TypeRow{ValueType::e3m2, 6, "float_e3m2_t", "e3m2", "float_e3m2_t", "Float6E3M2FN"},
    TypeRow{ValueType::e2m3, 6, "float_e2m3_t", "e2m3", "float_e2m3_t", "Float6E2M3FN"},
    TypeRow{ValueType::e2m1, 4, "float_e2m1_t", "e2m1", "float_e2m1_t", "Float4E2M1FN"},
    TypeRow{ValueType::f8f6f4, 8, "type_erased_dynamic_float8_t", "f8f6f4", "type_erased_dynamic_float8_t"},
    TypeRow{ValueType::ue8m0, 8, "float_ue8m0_t", "ue8m0", "float_ue8m0_t", "Float8E8M0FNU"},
    TypeRow{ValueType::ue4m3, 8, "float_ue4m3_t", "ue4m3", "float_ue4m3_t"},
    TypeRow{ValueType::i64, 64, "int64_t", "s64", "long", "Int64"},
    TypeRow{ValueType::i32, 32, "int32_t", "s32", "int", "Int32"},
    TypeRow{ValueType::u32, 32, "uint32_t", "u32", "unsigned int", "Uint32"},
    TypeRow{ValueType::i16, 16, "int16_t", "s16", "short", "Int16"},
    TypeRow{ValueType::u16, 16, "uint16_t", "u16", "unsigned short", "Uint16"},
    TypeRow{ValueType::i8, 8, "int8_t", "s8", "signed char", "Int8"},
    TypeRow{ValueType::u8, 8, "uint8_t", "u8", "unsigned char", "Uint8"},
    TypeRow{ValueType::i4, 4, "int4_t", "s4", "integer_subbyte<4, true>", "Int4"},
    TypeRow{ValueType::u4, 4, "uint4_t", "u4", "integer_subbyte<4, false>"},
    TypeRow{ValueType::u2, 2, "uint2_t", "u2", "integer_subbyte<2, false>"},
    TypeRow{ValueType::b1, 1, "uint1_t", "b1", "integer_subbyte<1, false>"},
    TypeRow{ValueType::c64, 128, "complex<double>", "c64", "complex<double>"},
    TypeRow{ValueType::c32, 64, "complex<float>", "c32", "complex<float>"},
    TypeRow{ValueType::none, 0, "void", "void", "void"},
    TypeRow{ValueType::u64, 64, "uint64_t", "u64", "unsigned long", "Uint64"},
    TypeRow{ValueType::u128, 128, "uint128_t", "u128", "uint128_t"},
    TypeRow{ValueType::cf16, 32, "complex<half_t>", "cf16", "complex<half_t>"},
    TypeRow{ValueType::cbf16, 32, "complex<bfloat16_t>", "cbf16", "complex<bfloat16_t>"},
    TypeRow{ValueType::ctf32, 64, "complex<tfloat32_t>", "ctf32", "complex<tfloat32_t>"},
};

const TypeRow& row(ValueType type) { return kTypes[static_cast<std::size_t>(type)]; }

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].type != static_cast<ValueType>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "kTypes follows the enumeration");

// Other names in use: C++ types, NVRTC's, and short forms of other tools.
struct Alias {
  std::string_view name;
  ValueType type;
};
constexpr std::array kAliases = {
    Alias{"int", ValueType::i32},
    Alias{"i32", ValueType::i32},
    Alias{"i8", ValueType::i8},
    Alias{"i4", ValueType::i4},
    Alias{"i16", ValueType::i16},
    Alias{"i64", ValueType::i64},
    Alias{"u1", ValueType::b1},
    Alias{"bin1_t", ValueType::b1},
    Alias{"half", ValueType::f16},
    Alias{"__half", ValueType::f16},
    Alias{"__nv_bfloat16", ValueType::bf16},
    Alias{"fp16", ValueType::f16},
    Alias{"fp32", ValueType::f32},
    Alias{"fp64", ValueType::f64},
    Alias{"unsigned", ValueType::u32},
    Alias{"char", ValueType::i8},
    Alias{"e4m3_t", ValueType::e4m3},
    Alias{"e5m2_t", ValueType::e5m2},
    Alias{"size_t", ValueType::u64},
    Alias{"ptrdiff_t", ValueType::i64},
    Alias{"longlong", ValueType::i64},
    Alias{"unsignedlonglong", ValueType::u64},
    Alias{"bool", ValueType::u8},
    Alias{"Boolean", ValueType::b1},
    // CUTLASS's names of narrow integers, and CUDA's vectors, of which only the width matters.
    Alias{"int4b_t", ValueType::i4},
    Alias{"uint4b_t", ValueType::u4},
    Alias{"uint2b_t", ValueType::u2},
    Alias{"uint1b_t", ValueType::b1},
    Alias{"half2", ValueType::u32},
    Alias{"__half2", ValueType::u32},
    Alias{"__nv_bfloat162", ValueType::u32},
    Alias{"float2", ValueType::u64},
    Alias{"float4", ValueType::u128},
    Alias{"uint4", ValueType::u128},
    Alias{"double2", ValueType::u128},
};

std::string without_spaces_and_namespaces(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c != ' ' && c != '\t' && c != '\n') text.push_back(c);
  }
  for (const std::string_view prefix : {"cutlass::", "cute::", "std::", "cutlass."}) {
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
  }
  return text;
}

}  // namespace

int bits(ValueType type) { return row(type).bits; }
std::string_view cute_name(ValueType type) { return row(type).cute; }
std::string_view short_name(ValueType type) { return row(type).brief; }
std::string_view compiler_name(ValueType type) { return row(type).compiler; }
std::string_view dsl_name(ValueType type) { return row(type).dsl; }

std::optional<ValueType> value_type(std::string_view name) {
  static const std::vector<std::string> compilers = [] {  // of each row
    std::vector<std::string> names;
    for (const TypeRow& r : kTypes) names.push_back(without_spaces_and_namespaces(r.compiler));
    return names;
  }();
  const std::string text = without_spaces_and_namespaces(name);
  for (std::size_t i = 0; i < compilers.size(); ++i) {
    const TypeRow& r = kTypes[i];
    if (text == r.cute || text == r.brief || text == compilers[i] || (text == r.dsl && !text.empty())) return r.type;
  }
  for (const Alias& a : kAliases) {
    if (text == a.name) return a.type;
  }
  return std::nullopt;
}

}  // namespace tessera
