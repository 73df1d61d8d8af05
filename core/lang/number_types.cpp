// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/number_types.hpp"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <variant>

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

// The lowest bits, as two's complement has them.
std::int64_t wrapped(std::int64_t value, NumberType type) {
  if (type.bits == 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << type.bits) - 1, low = static_cast<std::uint64_t>(value) & mask;
  const bool negative = type.has_sign && (low >> (type.bits - 1)) != 0;
  return static_cast<std::int64_t>(negative ? low | ~mask : low);
}

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

Value converted(Value number, NumberType type) {
  constexpr double kLargest = 9007199254740992.0;  // integers up to here are themselves as a double
  const auto* truth = std::get_if<bool>(&number.any);
  const auto* real = std::get_if<double>(&number.any);
  const auto* tuple = std::get_if<IntTuple>(&number.any);
  if (!truth && !real && !(tuple && tuple->is_int())) return number;
  if (real && (!std::isfinite(*real) || std::abs(*real) > kLargest)) return number;
  const unsigned mark = tuple ? tuple->mark() : marks::kStatic;
  switch (type.kind) {
    case Kind::truth: return Value{truth ? *truth : real ? *real != 0 : tuple->value() != 0};
    case Kind::real: {
      const double value = truth ? static_cast<double>(*truth) : real ? *real : static_cast<double>(tuple->value());
      return Value{type.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value};
    }
    case Kind::integer: break;
  }
  const std::int64_t whole = truth ? static_cast<std::int64_t>(*truth) : real ? static_cast<std::int64_t>(*real) : tuple->value();
  return Value{IntTuple::marked(wrapped(whole, type), mark)};
}

}  // namespace tessera
