// SPDX-License-Identifier: BSD-3-Clause
// What a number becomes in one of C++'s types of numbers.
#pragma once

#include <cstdint>

#include "core/lang/syntax/number_types.hpp"
#include "core/lang/values/value.hpp"

namespace tessera {

// int d = 7.9 is 7, uint8_t m = 300 is 44, bool b = 4 is true. What is no number, and what an unsigned type of 64 bits cannot hold here,
// stays as it is.
Value converted(Value number, NumberType type);
// The lowest bits of an integer, as two's complement has them.
std::int64_t wrapped(std::int64_t value, NumberType type);

}  // namespace tessera
