// SPDX-License-Identifier: BSD-3-Clause
// Builtins: comparisons and remainders of shapes and coordinates, one mode in place of another, sums and orders of numbers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/same.hpp"

namespace tessera {
namespace {

// a < b in every mode, as CuTe's elem_less: an integer against a tuple is refused, since CuTe compares congruent ones.
template <bool (*Holds)(std::int64_t a, std::int64_t b)>
Result<bool> every_mode(const IntTuple& a, const IntTuple& b) {
  if (a.is_int() && b.is_int()) return Holds(a.value(), b.value());
  if (!a.is_tuple() || !b.is_tuple() || a.rank() > b.rank())
    return Error{ErrorCode::not_congruent, fmt::format("{} and {} are not compared mode by mode", to_string(a), to_string(b)), {}, {}};
  for (std::size_t i = 0; i < a.rank(); ++i) {
    TESSERA_TRY(holds, every_mode<Holds>(a[i], b[i]));
    if (!holds) return false;
  }
  return true;
}
bool is_less(std::int64_t a, std::int64_t b) { return a < b; }
bool is_at_most(std::int64_t a, std::int64_t b) { return a <= b; }

template <bool (*Holds)(std::int64_t a, std::int64_t b), bool Turned>
Result<Value> compare_call(const Call& call) {
  return call_with(call, [](const IntTuple& a, const IntTuple& b) { return Turned ? every_mode<Holds>(b, a) : every_mode<Holds>(a, b); });
}

using Fold = std::optional<std::int64_t> (*)(std::int64_t a, std::int64_t b);  // none: beyond 64 bits

std::optional<std::int64_t> larger(std::int64_t a, std::int64_t b) { return std::max(a, b); }
std::optional<std::int64_t> smaller(std::int64_t a, std::int64_t b) { return std::min(a, b); }
std::optional<std::int64_t> in_all(std::int64_t a, std::int64_t b) { return checked_add(a, b); }
std::optional<std::int64_t> common_divisor(std::int64_t a, std::int64_t b) {
  if (std::min(a, b) == std::numeric_limits<std::int64_t>::min()) return std::nullopt;  // it has no absolute value
  return std::gcd(a, b);
}
std::optional<std::int64_t> common_multiple(std::int64_t a, std::int64_t b) {
  const auto common = common_divisor(a, b);
  if (!common || *common == 0) return common;
  const auto product = checked_mul(a / *common, b);
  return product && *product < 0 ? -*product : product;
}

Result<IntTuple> folded(const Call& call, Fold fold, std::optional<IntTuple> so_far, const IntTuple& x) {
  if (x.is_tuple()) {
    for (const IntTuple& mode : x.modes()) {
      TESSERA_TRY(next, folded(call, fold, std::move(so_far), mode));
      so_far = std::move(next);
    }
    if (so_far) return *std::move(so_far);
    return Error{ErrorCode::wrong_arity, fmt::format("{} needs at least one integer", call.function()), {}, {}};
  }
  if (!x.is_int()) return Error{ErrorCode::wrong_type, fmt::format("{}: `{}` is no integer", call.function(), to_string(x)), {}, {}};
  if (!so_far) return x;
  const auto made = fold(so_far->value(), x.value());
  if (!made) return Error{ErrorCode::overflow, fmt::format("{}: the result leaves 64 bits", call.function()), {}, {}};
  return IntTuple::marked(*made, marks_of(*so_far, x));
}

// One of the integers, however they are nested, or one of all of them.
template <Fold F>
Result<Value> fold_call(const Call& call) {
  TESSERA_TRY(given, rest_of<IntTuple>(call));
  Result<IntTuple> made = folded(call, F, std::nullopt, IntTuple::tuple(std::move(given)));
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return Value{std::move(made).value()};
}

// The sum of the products of what stands at the same place.
Result<IntTuple> inner_product(const IntTuple& a, const IntTuple& b) {
  if (a.is_int() && b.is_int()) {
    const auto product = checked_mul(a.value(), b.value());
    if (!product) return Error{ErrorCode::overflow, "inner_product: the result leaves 64 bits", {}, {}};
    return IntTuple::marked(*product, marks_of(a, b));
  }
  if (!a.is_tuple() || !b.is_tuple() || a.rank() != b.rank())
    return Error{ErrorCode::not_congruent, fmt::format("inner_product: {} and {} are not congruent", to_string(a), to_string(b)), {}, {}};
  IntTuple sum(0);
  for (std::size_t i = 0; i < a.rank(); ++i) {
    TESSERA_TRY(product, inner_product(a[i], b[i]));
    const auto next = checked_add(sum.value(), product.value());
    if (!next) return Error{ErrorCode::overflow, "inner_product: the result leaves 64 bits", {}, {}};
    sum = IntTuple::marked(*next, marks_of(sum, product));
  }
  return sum;
}

Result<Value> replace_call(const Call& call) {
  TESSERA_TRY(mode, argument<std::int64_t>(call, 2));
  const Value& whole = *call[0].value;
  const auto out_of_range = [&](std::size_t rank) {
    return Error{ErrorCode::out_of_range, fmt::format("replace: there is no mode {} of {}", mode, rank), call[2].span, {}};
  };
  if (const auto* tuple = std::get_if<IntTuple>(&whole.any)) {
    TESSERA_TRY(element, argument<IntTuple>(call, 1));
    if (mode < 0 || mode >= static_cast<std::int64_t>(tuple->rank())) return out_of_range(tuple->rank());
    std::vector<IntTuple> modes(tuple->modes().begin(), tuple->modes().end());
    modes[static_cast<std::size_t>(mode)] = std::move(element);
    return Value{IntTuple::tuple(std::move(modes))};
  }
  TESSERA_TRY(layout, argument<Layout>(call, 0));
  TESSERA_TRY(element, argument<Layout>(call, 1));
  if (mode < 0 || mode >= static_cast<std::int64_t>(layout.rank())) return out_of_range(layout.rank());
  std::vector<Layout> modes;
  for (std::size_t i = 0; i < layout.rank(); ++i) modes.push_back(static_cast<std::int64_t>(i) == mode ? element : layout[i]);
  return result_value(checked_make_layout(std::move(modes)));
}

// The modes that `on` names, or all of both where it is left out.
Result<std::vector<std::size_t>> compared_modes(const Call& call, std::size_t rank_a, std::size_t rank_b) {
  std::vector<std::size_t> modes;
  if (!call.has(2)) {
    for (std::size_t i = 0; i < std::max(rank_a, rank_b); ++i) modes.push_back(i);
    return modes;
  }
  TESSERA_TRY(on, argument<IntTuple>(call, 2));
  for (const std::int64_t each : leaf_values(on)) {
    if (each < 0 || each >= static_cast<std::int64_t>(std::min(rank_a, rank_b))) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("same: there is no mode {} in both: they have {} and {} modes", each, rank_a, rank_b),
                   call[2].span,
                   {}};
    }
    modes.push_back(static_cast<std::size_t>(each));
  }
  return modes;
}

// Are these the same function? First the sizes of the modes, then the value at every coordinate; a warning says where they differ first.
Result<Value> same_call(const Call& call) {
  TESSERA_TRY(a, argument<AnyLayout>(call, 0));
  TESSERA_TRY(b, argument<AnyLayout>(call, 1));
  const std::size_t rank_a = rank(shape(a)), rank_b = rank(shape(b));
  TESSERA_TRY(modes, compared_modes(call, rank_a, rank_b));
  TESSERA_TRY(difference, call.has(2) ? first_difference(a, b, modes) : first_difference(a, b));
  if (difference && call.warnings) call.warnings->push_back({ErrorCode::wrong_result, "same: " + to_string(*difference), call.span(), {}});
  return Value{!difference.has_value()};
}

// The values, the smallest first; with `by` in the order of the numbers there, one for each. Equal ones stay as they stand.
Result<Value> sort_call(const Call& call) {
  TESSERA_TRY(values, elements_of(*call[0].value));
  const Value& given = call.has(1) ? *call[1].value : *call[0].value;
  TESSERA_TRY(keys, elements_of(given));
  if (keys.size() != values.size()) {
    return Error{ErrorCode::wrong_arity,
                 fmt::format("sort: {} values have {} numbers to be sorted by", values.size(), keys.size()),
                 call[1].span,
                 {}};
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Result<double> key = as_number(keys[i]);
    if (!key) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("sort: {} is no number", described(keys[i])),
                   call.span(),
                   {"by= sorts values by numbers, one for each: sort((a,b,c), by=(size(a),size(b),size(c)))"}};
    }
    order.emplace_back(*key, i);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Value> sorted;
  for (const auto& [key, i] : order) sorted.push_back(std::move(values[i]));
  return make_tuple(std::move(sorted));
}

// The DSL's replace of a mode and C++'s replace<N>(x, element) have the number last here.
// clang-format off
constexpr Builtin kRows[] = {
  {"shape_mod", "shape_mod(shape, n)", "the first n coordinates of a shape, as a shape: (6,2) mod 3 is (3,1)", [](const Call& c) {
     return call_with(c, [](const IntTuple& shape, const IntTuple& n) { return shape_mod(shape, n); }); }},
  {"replace", "replace(layout, element, mode)", "another layout in place of a mode: replace<N>(layout, element)", replace_call},
  {"same", "same(a, b, on=)", "are these the same function? the sizes of the modes (those of `on`), then every coordinate", same_call},
  {"elem_less", "elem_less(a, b)", "is a < b in every mode?", compare_call<is_less, false>},
  {"elem_leq", "elem_leq(a, b)", "is a <= b in every mode?", compare_call<is_at_most, false>},
  {"elem_gtr", "elem_gtr(a, b)", "is a > b in every mode?", compare_call<is_less, true>},
  {"elem_geq", "elem_geq(a, b)", "is a >= b in every mode?", compare_call<is_at_most, true>},
  {"min", "min(values...)", "the smallest integer, also of tuples", fold_call<smaller>},
  {"max", "max(values...)", "the largest integer, also of tuples", fold_call<larger>},
  {"sum", "sum(values...)", "the sum of integers, also of tuples", fold_call<in_all>},
  {"sort", "sort(values, by=)", "numbers, the smallest first; any values in the order of the numbers `by`, one for each", sort_call},
  {"gcd", "gcd(values...)", "the greatest common divisor", fold_call<common_divisor>},
  {"lcm", "lcm(values...)", "the least common multiple", fold_call<common_multiple>},
  {"inner_product", "inner_product(a, b)", "the sum of the products of what stands at the same place in two tuples", [](const Call& c) {
     return call_with(c, [](const IntTuple& a, const IntTuple& b) { return inner_product(a, b); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> shape_builtins() { return kRows; }

}  // namespace tessera
