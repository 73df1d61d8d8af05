// SPDX-License-Identifier: BSD-3-Clause
// Numbers of 16 bits against the compiler's own, where it has them.
#include "kernels/runtime/measure/half.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("every number of 16 bits is the compiler's, and is itself again") {
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = half_value(half), theirs = static_cast<double>(std::bit_cast<_Float16>(half));
    if (std::isnan(theirs) ? !std::isnan(value) : value != theirs || half_bits(value) != half) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("a double becomes the nearest number of 16 bits, of two the even one") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int k = 0; k < 200'000; ++k) {
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 50) - 93);
    if (half_bits(x) != std::bit_cast<std::uint16_t>(static_cast<_Float16>(x))) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(half_bits(65519.99) == 0x7bff);
  CHECK(half_bits(65520.0) == 0x7c00);
  CHECK(half_bits(1.0 + 1.0 / 2048) == 0x3c00);
  CHECK(half_bits(1.0 + 3.0 / 2048) == 0x3c02);
}
