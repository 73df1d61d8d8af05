// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/advice/binding_names.hpp"

#include <string_view>

namespace tessera {

char operand_of(std::string_view name) {
  const auto letter = [](char c) -> char {
    return c >= 'A' && c <= 'C' ? static_cast<char>(c - 'A' + 'a') : c >= 'a' && c <= 'c' ? c : '\0';
  };
  if (name.size() >= 2 && (name[0] == 's' || name[0] == 'g') && name[1] >= 'A' && name[1] <= 'C') return letter(name[1]);
  if (name.size() < 2) return '\0';
  const bool alone = name[name.size() - 2] == '_' || (name.back() >= 'A' && name.back() <= 'C');
  return alone ? letter(name.back()) : '\0';
}

bool is_partition(std::string_view name) {
  const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return name.size() >= 4 && name[0] == 't' && upper(name[1]) && (name[2] == 's' || name[2] == 'g' || name[2] == 'r') && upper(name[3]);
}

bool lies_in_gmem(std::string_view name, const Value& value) {
  if (value.element.space != MemorySpace::unknown) return value.element.space == MemorySpace::gmem;
  return name.size() >= 2 && name[0] == 'g' && name[1] >= 'A' && name[1] <= 'Z';
}

}  // namespace tessera
