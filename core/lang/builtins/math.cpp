// SPDX-License-Identifier: BSD-3-Clause
// Builtins: Python's module math, of integers and numbers. An integer that the result is stays one where Python has one.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/values/members.hpp"

namespace tessera {
namespace {

Result<double> number(const Call& call, std::size_t i) {
  Result<double> made = as_number(*call[i].value);
  if (!made) made.error().span = call[i].span;
  return made;
}

// A function of a positive number.
template <double (*Function)(double)>
Result<Value> of_positive(const Call& call) {
  TESSERA_TRY(x, number(call, 0));
  if (!(x > 0))
    return Error{ErrorCode::out_of_range, fmt::format("{} takes a number above 0, not {}", call.function(), x), call[0].span, {}};
  return Value{Function(x)};
}

template <double (*Function)(double)>
Result<Value> rounded(const Call& call) {
  TESSERA_TRY(x, number(call, 0));
  constexpr double kLargest = 9007199254740992.0;  // integers up to here are themselves as a double
  if (!(std::abs(x) <= kLargest))
    return Error{ErrorCode::overflow, fmt::format("{} of {}: no integer holds it exactly", call.function(), x), {}, {}};
  return Value{IntTuple(static_cast<std::int64_t>(Function(x)))};
}

double log_2(double x) { return std::log2(x); }
double log_e(double x) { return std::log(x); }
double log_10(double x) { return std::log10(x); }
double root(double x) { return std::sqrt(x); }
double up(double x) { return std::ceil(x); }
double down(double x) { return std::floor(x); }
double toward_zero(double x) { return std::trunc(x); }

Result<Value> log_call(const Call& call) {
  if (!call.has(1)) return of_positive<log_e>(call);
  TESSERA_TRY(x, number(call, 0));
  TESSERA_TRY(base, number(call, 1));
  if (!(x > 0 && base > 0 && base != 1))
    return Error{ErrorCode::out_of_range, "math.log takes numbers above 0, and a base that is not 1", {}, {}};
  return Value{std::log(x) / std::log(base)};
}

template <std::int64_t (*Function)(std::int64_t, std::int64_t)>
Result<Value> of_integers(const Call& call) {
  std::int64_t made = 0;
  for (std::size_t i = 0; i < call.rest.size(); ++i) {
    Result<std::int64_t> each = as_integer(*call.rest[i].value);
    if (!each) return std::move(each.error()).at(call.rest[i].span);
    if (*each < -(std::int64_t{1} << 31) || *each > (std::int64_t{1} << 31))
      return Error{ErrorCode::overflow, fmt::format("{} takes numbers of 32 bits", call.function()), call.rest[i].span, {}};
    made = i == 0 ? std::abs(*each) : Function(made, *each);
  }
  return Value{IntTuple(made)};
}
std::int64_t common_divisor(std::int64_t a, std::int64_t b) { return std::gcd(a, b); }
std::int64_t common_multiple(std::int64_t a, std::int64_t b) { return std::lcm(a, b); }

Result<Value> prod_call(const Call& call) {
  TESSERA_TRY(elements, elements_of(*call[0].value));
  std::int64_t made = 1;
  for (const Value& element : elements) {
    TESSERA_TRY(each, as_integer(element));
    const auto product = checked_mul(made, each);
    if (!product) return Error{ErrorCode::overflow, "math.prod: the product leaves 64 bits", {}, {}};
    made = *product;
  }
  return Value{IntTuple(made)};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"math.log2", "math.log2(x)", "Python: the logarithm to the base 2", of_positive<log_2>},
  {"math.log10", "math.log10(x)", "Python: the logarithm to the base 10", of_positive<log_10>},
  {"math.log", "math.log(x, base=)", "Python: the natural logarithm, or that to a base", log_call},
  {"math.sqrt", "math.sqrt(x)", "Python: the square root", of_positive<root>},
  {"math.ceil", "math.ceil(x)", "Python: rounded up", rounded<up>},
  {"math.floor", "math.floor(x)", "Python: rounded down", rounded<down>},
  {"math.trunc", "math.trunc(x)", "Python: rounded towards zero", rounded<toward_zero>},
  {"math.gcd", "math.gcd(integers...)", "Python: the greatest common divisor", of_integers<common_divisor>},
  {"math.lcm", "math.lcm(integers...)", "Python: the least common multiple", of_integers<common_multiple>},
  {"math.prod", "math.prod(tuple)", "Python: the product of the elements", prod_call},
};
// clang-format on

}  // namespace

std::span<const Builtin> math_builtins() { return kRows; }

}  // namespace tessera
