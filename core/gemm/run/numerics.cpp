// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/run/numerics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera {

namespace {

constexpr int kStored = 52, kBias = 1023;  // of a double: mantissa bits, and what its exponent's field counts from

// Of a normal double, as its bits say it; of a subnormal one -1023, which lies below the smallest exponent of every type here.
int exponent_of(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> kStored & 0x7ff) - kBias; }
// Of -1022 to 1023.
double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kStored); }

// A binary float with `mantissa` stored bits, smallest normal exponent `emin` and largest finite value `largest`.
double round_to_float(double x, int mantissa, int emin, double largest) {
  if (!std::isfinite(x) || x == 0.0) return x;
  const int ulp = std::max(exponent_of(x), emin) - mantissa;
  const double rounded = std::nearbyint(x * power_of_two(-ulp)) * power_of_two(ulp);
  if (std::fabs(rounded) > largest) return std::copysign(std::numeric_limits<double>::infinity(), x);
  return rounded;
}

// Beyond the largest lies the largest.
double round_to_float8(double x, int mantissa, int emin, double largest) {
  const double rounded = round_to_float(x, mantissa, emin, largest);
  return std::isinf(rounded) && std::isfinite(x) ? std::copysign(largest, x) : rounded;
}

// How a type of 8 bits divides them.
struct Float8 {
  int mantissa, bias;
};
Float8 float8(ValueType type) { return type == ValueType::e4m3 ? Float8{3, 7} : Float8{2, 15}; }

double round_to_integer(double x, double low, double high) { return std::isnan(x) ? 0.0 : std::clamp(std::nearbyint(x), low, high); }

}  // namespace

double round_to(ValueType type, double x) {
  switch (type) {
    case ValueType::f64: return x;
    case ValueType::f32: return static_cast<double>(static_cast<float>(x));
    case ValueType::tf32: return round_to_float(x, 10, -126, 3.4011621342146535e38);
    case ValueType::f16: return round_to_float(x, 10, -14, 65504.0);
    case ValueType::bf16: return round_to_float(x, 7, -126, 3.3895313892515355e38);
    case ValueType::e4m3: return std::isinf(x) ? std::copysign(448.0, x) : round_to_float8(x, 3, -6, 448.0);
    case ValueType::e5m2: return round_to_float8(x, 2, -14, 57344.0);
    case ValueType::e3m2: return round_to_float(x, 2, -2, 28.0);
    case ValueType::e2m3: return round_to_float(x, 3, 0, 7.5);
    case ValueType::e2m1: return round_to_float(x, 1, 0, 6.0);
    case ValueType::i64: return std::nearbyint(x);
    case ValueType::i32: return round_to_integer(x, -2147483648.0, 2147483647.0);
    case ValueType::u32: return round_to_integer(x, 0, 4294967295.0);
    case ValueType::i16: return round_to_integer(x, -32768, 32767);
    case ValueType::u16: return round_to_integer(x, 0, 65535);
    case ValueType::i8: return round_to_integer(x, -128, 127);
    case ValueType::u8: return round_to_integer(x, 0, 255);
    case ValueType::i4: return round_to_integer(x, -8, 7);
    case ValueType::u4: return round_to_integer(x, 0, 15);
    case ValueType::u2: return round_to_integer(x, 0, 3);
    case ValueType::b1: return round_to_integer(x, 0, 1);
    default: return x;  // complex and scale-factor types have no scalar rounding; `lower` admits none of them
  }
}

double float8_value(ValueType type, std::uint8_t bits) {
  const auto [mantissa, bias] = float8(type);
  const int exponent = (bits & 0x7f) >> mantissa, fraction = bits & ((1 << mantissa) - 1), last = (0x7f >> mantissa);
  const double sign = (bits & 0x80) != 0 ? -1.0 : 1.0;
  if ((bits & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  if (type == ValueType::e5m2 && exponent == last)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  const int leading = exponent == 0 ? 0 : 1 << mantissa;
  return sign * std::ldexp(leading + fraction, std::max(exponent, 1) - bias - mantissa);
}

std::uint8_t float8_bits(ValueType type, double x) {
  const auto [mantissa, bias] = float8(type);
  const auto sign = static_cast<std::uint8_t>(std::signbit(x) ? 0x80 : 0);
  const double size = std::fabs(round_to(type, x));
  if (std::isnan(size)) return sign | 0x7f;
  if (std::isinf(size)) return sign | 0x7c;
  const int least = 1 - bias, exponent = size < std::ldexp(1.0, least) ? least : std::ilogb(size);
  // In units of the last bit: the leading one of a normal number adds 1 to the exponent's field.
  const auto units = static_cast<int>(std::ldexp(size, mantissa - exponent));
  return static_cast<std::uint8_t>(sign | (((exponent - least) << mantissa) + units));
}

}  // namespace tessera
