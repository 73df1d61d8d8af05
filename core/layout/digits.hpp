// SPDX-License-Identifier: BSD-3-Clause
// The one rule by which a number is a coordinate. Internal to core/layout.
//
// Each mode takes number % extent and leaves number / extent to the next; the last mode takes all that is left. C++, and so CuTe,
// divides toward zero: a negative number has the digits of its magnitude, negated. Hence L(-x) == -L(x) for every layout L.
#pragma once

#include <cstdint>

namespace tessera {

// take_digit(7, 2) -> 1 and leaves 3; take_digit(-7, 2) -> -1 and leaves -3
template <class Number>
constexpr Number take_digit(Number& number, std::int64_t extent) {
  const Number digit = number % extent;
  number /= extent;
  return digit;
}

}  // namespace tessera
