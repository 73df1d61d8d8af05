// SPDX-License-Identifier: BSD-3-Clause
// Rounding beside the values that the bits of a type spell.
#include "core/gemm/run/numerics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

struct FloatFormat {
  ValueType type;
  int exponent_bits, mantissa_bits;
  int taken;  // of the largest patterns: infinity and NaNs
};

constexpr FloatFormat kFloats[] = {
    {ValueType::f32, 8, 23, 1 << 23}, {ValueType::tf32, 8, 10, 1 << 10}, {ValueType::f16, 5, 10, 1 << 10},
    {ValueType::bf16, 8, 7, 1 << 7},  {ValueType::e4m3, 4, 3, 1},        {ValueType::e5m2, 5, 2, 4},
    {ValueType::e3m2, 3, 2, 0},       {ValueType::e2m3, 2, 3, 0},        {ValueType::e2m1, 2, 1, 0},
};

// What the positive pattern spells, or would beyond the largest.
double value_of(const FloatFormat& format, std::int64_t pattern) {
  const std::int64_t exponent = pattern >> format.mantissa_bits, fraction = pattern & ((std::int64_t{1} << format.mantissa_bits) - 1);
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const std::int64_t leading = exponent == 0 ? 0 : std::int64_t{1} << format.mantissa_bits;
  return std::ldexp(static_cast<double>(leading + fraction),
                    static_cast<int>(std::max<std::int64_t>(exponent, 1)) - bias - format.mantissa_bits);
}

}  // namespace

TEST_CASE("a number rounds to the nearest that the bits of a float spell, and halfway to the even one") {
  for (const FloatFormat& format : kFloats) {
    CAPTURE(short_name(format.type));
    const std::int64_t patterns = (std::int64_t{1} << (format.exponent_bits + format.mantissa_bits)) - format.taken;
    const std::int64_t step = std::max<std::int64_t>(1, patterns / 4001);
    for (std::int64_t pattern = 0; pattern + 1 < patterns; pattern += step) {
      const double low = value_of(format, pattern), high = value_of(format, pattern + 1), half = (low + high) / 2;
      const double even = pattern % 2 == 0 ? low : high;
      const bool rounds = round_to(format.type, low) == low && round_to(format.type, high) == high && round_to(format.type, half) == even &&
                          round_to(format.type, std::nextafter(half, 0.0)) == low &&
                          round_to(format.type, std::nextafter(half, high)) == high && round_to(format.type, -half) == -even;
      if (!rounds) FAIL("between " << low << " and " << high);
    }
    const double largest = value_of(format, patterns - 1), beyond = value_of(format, patterns);
    CHECK(round_to(format.type, largest) == largest);
    CHECK(round_to(format.type, std::nextafter((largest + beyond) / 2, 0.0)) == largest);
    const bool saturates = format.type == ValueType::e4m3 || format.type == ValueType::e5m2, has_infinity = format.type != ValueType::e4m3;
    const double infinity = std::numeric_limits<double>::infinity(), overflow = saturates ? largest : infinity;
    CHECK(round_to(format.type, std::nextafter((largest + beyond) / 2, beyond)) == overflow);
    CHECK(round_to(format.type, -beyond) == -overflow);
    CHECK(std::isnan(round_to(format.type, std::numeric_limits<double>::quiet_NaN())));
    CHECK(round_to(format.type, -infinity) == (has_infinity ? -infinity : -largest));
  }
  CHECK(round_to(ValueType::f64, 0.1) == 0.1);
}

TEST_CASE("the 8 bits of e4m3 and e5m2 spell their numbers, infinities and NaNs, and a number its bits") {
  for (const FloatFormat& format : kFloats) {
    if (bits(format.type) != 8) continue;
    CAPTURE(short_name(format.type));
    const int largest = 0x7f - format.taken;
    for (int pattern = 0; pattern < 256; ++pattern) {
      CAPTURE(pattern);
      const auto byte = static_cast<std::uint8_t>(pattern);
      const double got = float8_value(format.type, byte), sign = pattern < 128 ? 1.0 : -1.0;
      const int size = pattern % 128;
      if (size <= largest) {
        CHECK(got == sign * value_of(format, size));
        CHECK(float8_bits(format.type, got) == pattern);
      } else if (format.type == ValueType::e5m2 && size == 0x7c) {
        CHECK(got == sign * std::numeric_limits<double>::infinity());
        CHECK(float8_bits(format.type, got) == pattern);
      } else {
        CHECK(std::isnan(got));
      }
    }
    CHECK(float8_bits(format.type, std::nan("")) == 0x7f);
    CHECK(float8_bits(format.type, 1e30) == largest);
    CHECK(float8_bits(format.type, -1e30) == 128 + largest);
    CHECK(std::signbit(float8_value(format.type, float8_bits(format.type, -0.0))));
  }
  CHECK(float8_bits(ValueType::e4m3, 1.0625) == 0x38);  // halfway to 1.125, and 1 is even
  CHECK(float8_bits(ValueType::e5m2, -1.125) == 0xbc);
}

TEST_CASE("a number rounds to the nearest integer of a type, and stops at its ends") {
  struct IntegerFormat {
    ValueType type;
    bool is_signed;
  };
  constexpr IntegerFormat formats[] = {{ValueType::i32, true}, {ValueType::u32, false}, {ValueType::i16, true}, {ValueType::u16, false},
                                       {ValueType::i8, true},  {ValueType::u8, false},  {ValueType::i4, true},  {ValueType::u4, false},
                                       {ValueType::u2, false}, {ValueType::b1, false}};
  for (const IntegerFormat& format : formats) {
    CAPTURE(short_name(format.type));
    const double values = std::ldexp(1.0, bits(format.type)), low = format.is_signed ? -values / 2 : 0.0, high = low + values - 1;
    for (const double x : {low, low + 1, high - 1, high}) CHECK(round_to(format.type, x) == x);
    CHECK(round_to(format.type, low - 1) == low);
    CHECK(round_to(format.type, high + 1) == high);
    CHECK(round_to(format.type, high + 0.5) == high);
    CHECK(round_to(format.type, 0.5) == 0);
    CHECK(round_to(format.type, 0.75) == 1);
    CHECK(round_to(format.type, std::numeric_limits<double>::quiet_NaN()) == 0);
    if (high > 2) CHECK(round_to(format.type, 1.5) == 2);
    if (high > 2) CHECK(round_to(format.type, 2.5) == 2);
  }
  CHECK(round_to(ValueType::i64, 2.5) == 2);
  CHECK(round_to(ValueType::i64, -1e15 - 0.75) == -1e15 - 1);
}

TEST_CASE("what was never written is no number that arithmetic gives") {
  CHECK(is_unwritten(kUnwritten));
  CHECK_FALSE(is_unwritten(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(is_unwritten(0.0));
}
