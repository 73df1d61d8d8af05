// SPDX-License-Identifier: BSD-3-Clause
// Builtins: Python's own functions, which go by the name of its module `builtins` here; paste.cpp finds them for Python's texts alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/call.hpp"
#include "core/lang/values/dictionary.hpp"
#include "core/lang/values/members.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kLongestRange = 4096;

Result<std::vector<Value>> items_of(const Call& call, std::size_t i) {
  if (!call.has(i)) return std::vector<Value>();
  Result<std::vector<Value>> items = iterated(*call[i].value);
  if (!items) return argument_error(call, call.names[i], call[i], std::move(items).error());
  return items;
}

Result<Value> range_call(const Call& call) {
  TESSERA_TRY(first, argument<std::int64_t>(call, 0));
  TESSERA_TRY(second, argument<std::optional<std::int64_t>>(call, 1));
  TESSERA_TRY(third, argument<std::optional<std::int64_t>>(call, 2));
  const std::int64_t from = second ? first : 0, to = second ? *second : first, step = third.value_or(1);
  if (step == 0) return Error{ErrorCode::out_of_range, "range: the step is 0", call[2].span, {}};
  std::vector<Value> made;
  for (auto i = std::optional(from); i && (step > 0 ? *i < to : *i > to); i = checked_add(*i, step)) {
    if (static_cast<std::int64_t>(made.size()) == kLongestRange)
      return Error{ErrorCode::limit, fmt::format("a range of more than {} numbers is not written out", kLongestRange), call.span(), {}};
    made.push_back(Value{IntTuple(*i)});
  }
  return make_tuple(std::move(made));
}

// Pairs of the first elements, of the second ones, ... up to the end of the shortest.
Result<Value> zip_call(const Call& call) {
  std::vector<std::vector<Value>> all;
  for (const CallArgument& each : call.rest) {
    Result<std::vector<Value>> items = iterated(*each.value);
    if (!items) return argument_error(call, "", each, std::move(items).error());
    all.push_back(*std::move(items));
  }
  std::size_t shortest = all.empty() ? 0 : all[0].size();
  for (const std::vector<Value>& each : all) shortest = std::min(shortest, each.size());
  std::vector<Value> made;
  for (std::size_t i = 0; i < shortest; ++i) {
    std::vector<Value> together;
    for (const std::vector<Value>& each : all) together.push_back(each[i]);
    TESSERA_TRY(tuple, make_tuple(std::move(together)));
    made.push_back(std::move(tuple));
  }
  return make_tuple(std::move(made));
}

Result<Value> enumerate_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  TESSERA_TRY(start, argument<std::optional<std::int64_t>>(call, 1));
  std::int64_t place = start.value_or(0);
  std::vector<Value> made;
  for (const Value& each : items) {
    TESSERA_TRY(pair, make_tuple({Value{IntTuple(place++)}, each}));
    made.push_back(std::move(pair));
  }
  return make_tuple(std::move(made));
}

Result<Value> sum_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  if (call.has(1)) items.push_back(*call[1].value);
  std::int64_t whole = 0;
  double real = 0;
  bool is_whole = true;
  for (const Value& each : items) {
    TESSERA_TRY(number, as_number(each));
    real += number;
    const Result<std::int64_t> integer = as_integer(each);
    is_whole = is_whole && integer;
    const auto next = is_whole ? checked_add(whole, *integer) : std::optional<std::int64_t>(0);
    if (!next) return Error{ErrorCode::overflow, "sum: the sum leaves 64 bits", call.span(), {}};
    whole = *next;
  }
  return is_whole ? Value{IntTuple(whole)} : Value{real};
}

Result<bool> is_true(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value.any)) return !word->empty();
  if (const Result<double> number = as_number(value)) return *number != 0;
  return as_bool(value);
}

template <bool All>
Result<Value> truth_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  for (const Value& each : items) {
    TESSERA_TRY(holds, is_true(each));
    if (holds != All) return Value{!All};
  }
  return Value{All};
}

Result<Value> tuple_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  return make_tuple(std::move(items));
}

Result<Value> set_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  return set_value(std::move(items));
}

Result<Value> reversed_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  std::reverse(items.begin(), items.end());
  return make_tuple(std::move(items));
}

Result<Value> sorted_call(const Call& call) {
  TESSERA_TRY(items, items_of(call, 0));
  TESSERA_TRY(backwards, argument<std::optional<bool>>(call, 1));
  std::vector<std::pair<double, Value>> keyed;
  for (Value& each : items) {
    TESSERA_TRY(number, as_number(each));
    keyed.emplace_back(backwards.value_or(false) ? -number : number, std::move(each));
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Value> made;
  for (auto& each : keyed) made.push_back(std::move(each.second));
  return make_tuple(std::move(made));
}

// clang-format off
constexpr Builtin kRows[] = {
  {"builtins.range", "builtins.range(start, stop=, step=)", "Python: range(4) is (0,1,2,3)", range_call},
  {"const_expr", "const_expr(value)", "CuTe DSL: the value, which is known when the kernel is compiled", [](const Call& c) {
     return Result<Value>(*c[0].value); }},
  {"builtins.zip", "builtins.zip(tuples...)", "Python: the first elements, the second ones, ... side by side", zip_call},
  {"builtins.enumerate", "builtins.enumerate(values, start=)", "Python: each value behind its number", enumerate_call},
  {"builtins.sum", "builtins.sum(values, start=)", "Python: the sum of numbers", sum_call},
  {"builtins.all", "builtins.all(values)", "Python: does none of them fail to hold?", truth_call<true>},
  {"builtins.any", "builtins.any(values)", "Python: does one of them hold?", truth_call<false>},
  {"builtins.tuple", "builtins.tuple(values=)", "Python: the elements as a tuple", tuple_call},
  {"builtins.list", "builtins.list(values=)", "Python: the elements as a list", tuple_call},
  {"builtins.set", "builtins.set(values=)", "Python: each element once", set_call},
  {"builtins.reversed", "builtins.reversed(values)", "Python: the last one first", reversed_call},
  {"builtins.sorted", "builtins.sorted(values, reverse=)", "Python: numbers, the smallest first", sorted_call},
};
// clang-format on

}  // namespace

std::span<const Builtin> python_builtins() { return kRows; }

}  // namespace tessera
