// SPDX-License-Identifier: BSD-3-Clause
// ValueType: the element types of tensors and registers, with their widths in bits and their spellings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

enum class ValueType : std::uint8_t {
  f64,
  f32,
  tf32,
  f16,
  bf16,
  e4m3,
  e5m2,
  e3m2,
  e2m3,
  e2m1,
  f8f6f4,
  ue8m0,
  ue4m3,
  i64,
  i32,
  u32,
  i16,
  u16,
  i8,
  u8,
  i4,
  u4,
  u2,
  b1,
  c64,
  c32,   // complex<double>, complex<float>
  none,  // void
  u64,
  u128,  // carriers of copies
  cf16,
  cbf16,
  ctf32,  // complex<half_t>, complex<bfloat16_t>, complex<tfloat32_t>
};

int bits(ValueType type);                        // 16 for f16
std::string_view cute_name(ValueType type);      // "half_t"
std::string_view short_name(ValueType type);     // "f16"
std::string_view compiler_name(ValueType type);  // as compilers print the type: "int" for int32_t, "integer_subbyte<4, true>" for int4_t
std::string_view dsl_name(ValueType type);       // CuTe DSL's: "Float16"; empty where it has no such type
std::optional<ValueType> value_type(std::string_view name);  // any of these spellings, also with cute::, cutlass:: or cutlass. before it

}  // namespace tessera
