// SPDX-License-Identifier: BSD-3-Clause
// C++'s types of numbers, and what a number becomes in one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/lang/value.hpp"

namespace tessera {

struct NumberType {
  enum class Kind : std::uint8_t { truth, integer, real };
  Kind kind = Kind::integer;
  int bits = 32;
  bool has_sign = true;
};

// int, unsigned, size_t, uint8_t, float, bool, ...; nothing where it is another type. A const in front is no part of the name.
std::optional<NumberType> number_type(std::string_view name);

// int d = 7.9 is 7, uint8_t m = 300 is 44, bool b = 4 is true. What is no number, and what an unsigned type of 64 bits cannot hold here,
// stays as it is.
Value converted(Value number, NumberType type);

}  // namespace tessera
