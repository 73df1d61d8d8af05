// SPDX-License-Identifier: BSD-3-Clause
// Numbers of IEEE 754's 16 bits, for compilers that have no such type on every machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace tessera {

inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}

// The nearest one; of two, the even one.
inline std::uint16_t half_bits(double x) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const double size = std::fabs(x);
  if (std::isnan(x)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  int exponent = -14;  // of the smallest normal number
  if (size >= std::ldexp(1, -14)) exponent = std::ilogb(size);
  // In units of the last bit; carrying into the next exponent is an addition, too.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (((exponent + 14) << 10) + units));
}

}  // namespace tessera
