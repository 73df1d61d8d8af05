// SPDX-License-Identifier: BSD-3-Clause
// Rounding to the element types of tensors, as the hardware converts (to nearest, ties to even), and what stands for no value.
#pragma once

#include <bit>
#include <cstdint>

#include "core/atom/instructions/value_type.hpp"

namespace tessera {

// The value nearest to x that `type` can hold; overflow gives infinity. Integers saturate, and so do e4m3 and e5m2, which the hardware
// converts to with .satfinite alone; an infinity stays one where the type has it, and e4m3 has none.
double round_to(ValueType type, double x);

// e4m3 and e5m2 (OCP 8-bit floating point specification, revision 1.0): what 8 bits spell, and the bits of round_to(type, x). A NaN has
// all bits of exponent and mantissa set.
double float8_value(ValueType type, std::uint8_t bits);
std::uint8_t float8_bits(ValueType type, double x);

// What a register or an element holds before anything was written: a NaN of its own, which no arithmetic of numbers gives.
constexpr std::uint64_t kUnwrittenBits = 0x7ff8'7e55'e7a0'0001;
constexpr double kUnwritten = std::bit_cast<double>(kUnwrittenBits);
inline bool is_unwritten(double x) { return std::bit_cast<std::uint64_t>(x) == kUnwrittenBits; }

}  // namespace tessera
