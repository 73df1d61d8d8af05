// SPDX-License-Identifier: BSD-3-Clause
// Element types in emitted text: how they lie in memory and in registers, and how they become floats and come back.
#pragma once

#include <cstdint>
#include <string>

#include "core/gemm/plan/gemm_plan.hpp"
#include "kernels/codegen/device_functions.hpp"

namespace tessera::emitting {

// How a type lies in memory and in registers of the emitted text.
struct TypeText {
  std::string memory;       // "half_t" for f16
  std::string reg;          // "unsigned": packed; "float"; "double"
  std::int64_t packed = 1;  // elements a register
};
TypeText type_text(ValueType type);  // of a type that check_emittable lets pass

// An expression of type float; double for f64 and s32.
std::string to_real(Needs& needs, ValueType type, const std::string& x);
// x is a float or a double; integers only from double.
std::string from_real(Needs& needs, ValueType type, bool is_double, const std::string& x);

// How emitted text declares a register of an atom.
std::string register_type(const RegisterUse& use);

// The bits of an element as an unsigned: a negative s8 must not fill its word with copies of its sign.
std::string bit_pattern(ValueType type, const std::string& x);

// The type that moves `bits` at once.
std::string access_type(std::int64_t bits);

}  // namespace tessera::emitting
