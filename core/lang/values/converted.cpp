// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/converted.hpp"

#include <cmath>
#include <cstdint>
#include <variant>

namespace tessera {
namespace {

using Kind = NumberType::Kind;

}  // namespace

std::int64_t wrapped(std::int64_t value, NumberType type) {
  if (type.bits == 64) return value;
  const std::uint64_t mask = (std::uint64_t{1} << type.bits) - 1, low = static_cast<std::uint64_t>(value) & mask;
  const bool negative = type.has_sign && (low >> (type.bits - 1)) != 0;
  return static_cast<std::int64_t>(negative ? low | ~mask : low);
}

Value converted(Value number, NumberType type) {
  constexpr double kLargest = 9007199254740992.0;  // integers up to here are themselves as a double
  const auto* truth = std::get_if<bool>(&number.any);
  const auto* real = std::get_if<double>(&number.any);
  const auto* tuple = std::get_if<IntTuple>(&number.any);
  if (!truth && !real && !(tuple && tuple->is_int())) return number;
  if (real && (!std::isfinite(*real) || std::abs(*real) > kLargest)) return number;
  const unsigned mark = tuple ? tuple->mark() : marks::kStatic;
  const auto typed = [&](Value made) {
    made.number = type;
    return made;
  };
  switch (type.kind) {
    case Kind::truth: return typed(Value{truth ? *truth : real ? *real != 0 : tuple->value() != 0});
    case Kind::real: {
      const double value = truth ? static_cast<double>(*truth) : real ? *real : static_cast<double>(tuple->value());
      return typed(Value{type.bits == 32 ? static_cast<double>(static_cast<float>(value)) : value});
    }
    case Kind::integer: break;
  }
  const std::int64_t whole = truth ? static_cast<std::int64_t>(*truth) : real ? static_cast<std::int64_t>(*real) : tuple->value();
  return typed(Value{IntTuple::marked(wrapped(whole, type), mark)});
}

}  // namespace tessera
