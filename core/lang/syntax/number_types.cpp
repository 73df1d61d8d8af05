// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/number_types.hpp"

#include <optional>
#include <string_view>

namespace tessera {
namespace {

using Kind = NumberType::Kind;

struct NumberRow {
  std::string_view name;
  NumberType type;
};
constexpr NumberRow kNumberRows[] = {
    {"bool", {Kind::truth, 8, false}},
    {"char", {Kind::integer, 8, true}},
    {"signed char", {Kind::integer, 8, true}},
    {"unsigned char", {Kind::integer, 8, false}},
    {"short", {Kind::integer, 16, true}},
    {"unsigned short", {Kind::integer, 16, false}},
    {"int", {Kind::integer, 32, true}},
    {"unsigned", {Kind::integer, 32, false}},
    {"unsigned int", {Kind::integer, 32, false}},
    {"long", {Kind::integer, 64, true}},
    {"long long", {Kind::integer, 64, true}},
    {"unsigned long", {Kind::integer, 64, false}},
    {"unsigned long long", {Kind::integer, 64, false}},
    {"size_t", {Kind::integer, 64, false}},
    {"ptrdiff_t", {Kind::integer, 64, true}},
    {"int8_t", {Kind::integer, 8, true}},
    {"int16_t", {Kind::integer, 16, true}},
    {"int32_t", {Kind::integer, 32, true}},
    {"int64_t", {Kind::integer, 64, true}},
    {"uint8_t", {Kind::integer, 8, false}},
    {"uint16_t", {Kind::integer, 16, false}},
    {"uint32_t", {Kind::integer, 32, false}},
    {"uint64_t", {Kind::integer, 64, false}},
    {"float", {Kind::real, 32, true}},
    {"double", {Kind::real, 64, true}},
};

}  // namespace

std::optional<NumberType> number_type(std::string_view name) {
  for (const std::string_view prefix : {"const ", "std::", "cute::"}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  for (const NumberRow& row : kNumberRows) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

}  // namespace tessera
