// SPDX-License-Identifier: BSD-3-Clause
// C++'s types of numbers, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

struct NumberType {
  enum class Kind : std::uint8_t { truth, integer, real };
  Kind kind = Kind::integer;
  int bits = 32;
  bool has_sign = true;
};

// int, unsigned, size_t, uint8_t, float, bool, ...; nothing where it is another type. A const in front is no part of the name.
std::optional<NumberType> number_type(std::string_view name);

}  // namespace tessera
