// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/codegen/element_text.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "kernels/codegen/index_expr.hpp"

namespace tessera::emitting {

TypeText type_text(ValueType type) {
  switch (type) {
    case ValueType::f16: return {"half_t", "unsigned", 2};
    case ValueType::bf16: return {"bf16_t", "unsigned", 2};
    case ValueType::e4m3: return {"e4m3_t", "unsigned", 4};
    case ValueType::e5m2: return {"e5m2_t", "unsigned", 4};
    case ValueType::u8: return {"unsigned char", "unsigned", 4};
    case ValueType::i8: return {"signed char", "unsigned", 4};
    case ValueType::tf32: return {"float", "unsigned", 1};
    case ValueType::f64: return {"double", "double", 1};
    case ValueType::i32: return {"int", "unsigned", 1};
    default: return {"float", "float", 1};
  }
}

std::string to_real(Needs& needs, ValueType type, const std::string& x) {
  switch (type) {
    case ValueType::f16: return fmt::format("{}({})", needs("f16_to_float"), x);
    case ValueType::bf16: return fmt::format("{}({})", needs("bf16_to_float"), x);
    case ValueType::e4m3: return fmt::format("{}({})", needs("e4m3_to_float"), x);
    case ValueType::e5m2: return fmt::format("{}({})", needs("e5m2_to_float"), x);
    case ValueType::i8:
    case ValueType::u8: return fmt::format("(float){}", in_parentheses(x));
    case ValueType::i32: return fmt::format("(double){}", in_parentheses(x));
    default: return x;
  }
}

std::string from_real(Needs& needs, ValueType type, bool is_double, const std::string& x) {
  const auto narrow = [&](const char* to) {
    return fmt::format("{}({})", needs(to), is_double ? fmt::format("{}({})", needs("double_to_float_odd"), x) : x);
  };
  switch (type) {
    case ValueType::f16: return narrow("float_to_f16");
    case ValueType::bf16: return narrow("float_to_bf16");
    case ValueType::tf32: return narrow("float_to_tf32");
    case ValueType::f32: return is_double ? fmt::format("(float){}", in_parentheses(x)) : x;
    case ValueType::i32: return fmt::format("__double2int_rn({})", x);
    case ValueType::i8: return fmt::format("(signed char)max(-128, min(127, __double2int_rn({})))", x);
    case ValueType::u8: return fmt::format("(unsigned char)max(0, min(255, __double2int_rn({})))", x);
    default: return x;
  }
}

std::string register_type(const RegisterUse& use) { return use.type == "float" || use.type == "double" ? use.type : "unsigned"; }

std::string bit_pattern(ValueType type, const std::string& x) {
  return fmt::format("{}{}", type == ValueType::i8 ? "(unsigned)(unsigned char)" : "(unsigned)", in_parentheses(x));
}

std::string access_type(std::int64_t bits) {
  switch (bits) {
    case 8: return "unsigned char";
    case 16: return "unsigned short";
    case 32: return "unsigned";
    case 64: return "uint2";
    default: return "uint4";
  }
}

}  // namespace tessera::emitting
