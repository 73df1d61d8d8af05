// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/kinds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/characters.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/same.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/plans.hpp"

namespace tessera::lesson {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 10> kKinds = {{{"integer", Kind::integer},
                                                                       {"integers", Kind::integers},
                                                                       {"coordinate", Kind::coordinate},
                                                                       {"thread and value", Kind::thread_and_value},
                                                                       {"layout", Kind::layout},
                                                                       {"cells", Kind::cells},
                                                                       {"order", Kind::order},
                                                                       {"choice", Kind::choice},
                                                                       {"binding", Kind::binding},
                                                                       {"plan", Kind::plan}}};

constexpr std::array<std::string_view, 8> kPlaces = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"};

std::string place_word(std::size_t i) { return i < kPlaces.size() ? std::string(kPlaces[i]) : fmt::format("{}th", i + 1); }

Error wrong_kind(const Written& kind, std::string message) {
  return Error{ErrorCode::unknown_name, std::move(message), SourceSpan{kind.at, kind.at + kind.text.size()}, {}};
}

std::vector<std::int64_t> numbers_of(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return tuple ? leaf_values(*tuple) : std::vector<std::int64_t>();
}

std::string modes_in_words(const Expected& expected) { return fmt::format("({})", fmt::join(expected.modes, ", ")); }

// What a layout is told by: "its thread mode", "thread 1, value 2".
std::string mode_in_words(const Expected& expected, std::size_t i) {
  return i < expected.modes.size() ? fmt::format("its {} mode", expected.modes[i]) : fmt::format("its {} mode", place_word(i));
}

std::string at_in_words(const Expected& expected, const IntTuple& at) {
  const std::vector<std::int64_t> place = leaf_values(at);
  if (place.size() != expected.modes.size()) return to_string(at);
  std::string made;
  for (std::size_t i = 0; i < place.size(); ++i) made += fmt::format("{}{} {}", i == 0 ? "" : ", ", expected.modes[i], place[i]);
  return made;
}

Result<std::string> layout_difference(const Expected& expected, const Value& given, const Value& wanted) {
  TESSERA_TRY(a, as_any_layout(given));
  TESSERA_TRY(b, as_any_layout(wanted));
  TESSERA_TRY(found, first_difference(a, b));
  if (!found) return std::string();
  switch (found->of) {
    case LayoutDifference::Of::ranks:
      return fmt::format("it has {} {}; {} are wanted{}", found->first, found->first == 1 ? "mode" : "modes", found->second,
                         expected.modes.empty() ? "" : ": " + modes_in_words(expected));
    case LayoutDifference::Of::sizes:
      return fmt::format("{} has {} elements; {} are wanted", mode_in_words(expected, found->mode), found->first, found->second);
    case LayoutDifference::Of::values: break;
  }
  return fmt::format("at {} it gives {}; {} is wanted", at_in_words(expected, found->at), to_string(found->first_value),
                     to_string(found->second_value));
}

std::string set_difference(const std::vector<IntTuple>& given, const std::vector<IntTuple>& wanted) {
  const auto first_missing = [](const std::vector<IntTuple>& of, const std::vector<IntTuple>& in) {
    return std::find_if(of.begin(), of.end(), [&](const IntTuple& each) { return std::find(in.begin(), in.end(), each) == in.end(); });
  };
  if (const auto extra = first_missing(given, wanted); extra != given.end()) return to_string(*extra) + " is none of them";
  if (const auto missing = first_missing(wanted, given); missing != wanted.end()) return to_string(*missing) + " is missing";
  return {};
}

std::vector<IntTuple> elements_in(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return tuple ? std::vector<IntTuple>(tuple->modes().begin(), tuple->modes().end()) : std::vector<IntTuple>();
}

// What stands first at another place in the two.
std::string row_difference(const Expected& expected, const std::vector<std::int64_t>& given, const std::vector<std::int64_t>& wanted) {
  if (given.size() != wanted.size()) {
    return fmt::format("{} {} wanted, and there {} {}", wanted.size(), wanted.size() == 1 ? "number is" : "numbers are",
                       given.size() == 1 ? "is" : "are", given.size());
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == wanted[i]) continue;
    if (expected.kind != Kind::order) return fmt::format("the {} number is not {}", place_word(i), given[i]);
    const std::string what = expected.options.empty() ? std::to_string(given[i]) : std::string(1, static_cast<char>('a' + given[i] - 1));
    return fmt::format("{} is not in the {} place", what, place_word(i));
  }
  return {};
}

// The integer in every place of a value.
Result<IntTuple> integers_in(const Value& value) {
  TESSERA_TRY(tuple, as_int_tuple(value));
  std::vector<IntTuple> leaves;
  append_leaves(tuple, leaves);
  for (const IntTuple& leaf : leaves) {
    if (!leaf.is_int()) return Error{ErrorCode::wrong_type, fmt::format("{} is no integer", to_string(leaf)), {}, {}};
  }
  return IntTuple::tuple(std::move(leaves));
}

Error wanted_is(std::string what, std::string example) {
  return Error{ErrorCode::wrong_type, what + " is wanted", {}, {"for example " + std::move(example)}};
}

// Numbers as a coordinate of the shape.
Result<IntTuple> coordinate_of(const IntTuple& numbers, const IntTuple& shape) {
  std::vector<IntTuple> extents;
  append_leaves(shape, extents);
  if (numbers.rank() != extents.size()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("a coordinate of {} has {} {}, and this one {}", to_string(shape), extents.size(),
                             extents.size() == 1 ? "number" : "numbers", numbers.rank()),
                 {},
                 {}};
  }
  const IntTuple made = with_profile(numbers.modes(), shape);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (numbers[i].value() < 0 || numbers[i].value() >= extents[i].value())
      return Error{ErrorCode::out_of_range, fmt::format("{} lies outside of {}", to_string(made), to_string(shape)), {}, {}};
  }
  return made;
}

// Numbers, a coordinate's worth each time, as a set: each once, in the order of their places.
Result<Value> set_of(const IntTuple& numbers, const IntTuple& shape) {
  std::vector<IntTuple> extents;
  append_leaves(shape, extents);
  const std::size_t rank = extents.size();
  if (numbers.rank() % rank != 0) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("cells of {} have {} numbers each, and these are {} numbers", to_string(shape), rank, numbers.rank()),
                 {},
                 {}};
  }
  std::vector<IntTuple> cells;
  for (std::size_t i = 0; i < numbers.rank(); i += rank) {
    TESSERA_TRY(cell, coordinate_of(IntTuple::tuple({numbers.modes().begin() + static_cast<std::ptrdiff_t>(i),
                                                     numbers.modes().begin() + static_cast<std::ptrdiff_t>(i + rank)}),
                                    shape));
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(std::move(cell));
  }
  std::sort(cells.begin(), cells.end(), [](const IntTuple& a, const IntTuple& b) { return leaf_values(a) < leaf_values(b); });
  return Value{IntTuple::tuple(std::move(cells))};
}

Result<Value> choice_of(const Expected& expected, const Value& value) {
  const std::size_t options = std::max<std::size_t>(expected.options.size(), 2);
  if (const auto* truth = std::get_if<bool>(&value.any); truth && options == 2) return Value{IntTuple(*truth ? 1 : 2)};
  TESSERA_TRY(number, as_integer(value));
  if (number >= 1 && number <= static_cast<std::int64_t>(options)) return Value{IntTuple(number)};
  return Error{ErrorCode::out_of_range, fmt::format("there is no option {}: they are 1 to {}", number, options), {}, {}};
}

Result<Value> order_of(const Expected& expected, const Value& value) {
  TESSERA_TRY(numbers, integers_in(value));
  if (expected.options.empty()) return Value{std::move(numbers)};
  std::vector<std::int64_t> sorted = leaf_values(numbers);
  std::sort(sorted.begin(), sorted.end());
  bool is_order = sorted.size() == expected.options.size();
  for (std::size_t i = 0; is_order && i < sorted.size(); ++i) is_order = sorted[i] == static_cast<std::int64_t>(i) + 1;
  if (is_order) return Value{std::move(numbers)};
  const std::string last(1, static_cast<char>('a' + expected.options.size() - 1));
  return Error{ErrorCode::out_of_range, fmt::format("an order has each of a to {} once", last), {}, {}};
}

bool is_layout(const Value& value) {
  return std::holds_alternative<Layout>(value.any) || std::holds_alternative<ComposedLayout>(value.any) ||
         std::holds_alternative<Tensor>(value.any);
}

}  // namespace

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kKinds) names.emplace_back(name);
  return names;
}

std::string_view name_of(Kind kind) {
  return std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& row) { return row.second == kind; })->first;
}

Result<Expected> expected_of(const Written& kind, std::vector<std::string> options, const Scope& scope) {
  const std::string_view text = kind.text;
  const std::size_t of = text.find(" of "), on = text.find(" on ");
  std::string_view word = trimmed(text.substr(0, std::min(of, on)));
  Expected expected;
  if (word.starts_with("binding ")) {
    expected.name = std::string(trimmed(word.substr(8)));
    word = "binding";
  }
  const auto row = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& each) { return each.first == word; });
  if (row == kKinds.end()) {
    Error error = wrong_kind(kind, fmt::format("there is no kind of answer \"{}\"", word));
    error.notes = nearest_of(word, kind_names());
    error.notes.push_back(fmt::format("known are {}", fmt::join(kind_names(), ", ")));
    return error;
  }
  expected.kind = row->second;
  const bool has_shape = expected.kind == Kind::coordinate || expected.kind == Kind::cells;
  const bool has_options = expected.kind == Kind::choice || expected.kind == Kind::order;
  if (has_shape != (of != std::string_view::npos))
    return wrong_kind(kind, has_shape ? fmt::format("{} of which shape?", word) : fmt::format("{} is of nothing", word));
  if (on != std::string_view::npos && expected.kind != Kind::layout) return wrong_kind(kind, fmt::format("{} is on nothing", word));
  if (expected.kind == Kind::binding && !is_binding_name(expected.name)) return wrong_kind(kind, "binding of which name?");
  if (!options.empty() && !has_options) return wrong_kind(kind, fmt::format("{} has no options", word));
  if (options.size() == 1 || options.size() > 26) return wrong_kind(kind, "there are 2 to 26 options");
  expected.options = std::move(options);
  if (has_shape) {
    const Written shape{std::string(text.substr(of + 4)), kind.at + of + 4};
    TESSERA_TRY(value, value_of(shape, scope));
    Result<IntTuple> made = as_int_tuple(value);
    if (!made) return moved(std::move(made).error(), shape);
    const Result<std::int64_t> size = checked_size(*made);
    if (!size) return moved(size.error(), shape);
    expected.shape = *std::move(made);
  }
  if (on != std::string_view::npos) {
    std::string_view names = trimmed(text.substr(on + 4));
    if (names.starts_with('(') && names.ends_with(')')) names = names.substr(1, names.size() - 2);
    for (const Written& each : parts_between({std::string(names), 0}, ',')) expected.modes.push_back(each.text);
  }
  return expected;
}

Result<Value> as_answer(const Expected& expected, const Value& value) {
  switch (expected.kind) {
    case Kind::integer: {
      TESSERA_TRY(number, as_integer(value));
      return Value{IntTuple(number)};
    }
    case Kind::integers: {
      TESSERA_TRY(numbers, integers_in(value));
      return Value{std::move(numbers)};
    }
    case Kind::coordinate: {
      TESSERA_TRY(numbers, integers_in(value));
      TESSERA_TRY(made, coordinate_of(numbers, expected.shape));
      return Value{std::move(made)};
    }
    case Kind::thread_and_value: {
      TESSERA_TRY(numbers, integers_in(value));
      if (numbers.rank() != 2) return wanted_is("a thread and a value", "T4 V3");
      return Value{std::move(numbers)};
    }
    case Kind::layout: {
      if (!is_layout(value)) return wanted_is("a layout, shape:stride,", "(4,8):(8,1)");
      TESSERA_TRY(made, as_any_layout(value));
      return to_value(std::move(made));
    }
    case Kind::cells: {
      TESSERA_TRY(numbers, integers_in(value));
      return set_of(numbers, expected.shape);
    }
    case Kind::order: return order_of(expected, value);
    case Kind::choice: return choice_of(expected, value);
    case Kind::binding: return value;
    case Kind::plan: {
      const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&value.any);
      if (spec && (*spec)->plan) return value;
      return wanted_is("a plan", "plan { cta threads 128 ... }");
    }
  }
  return value;
}

Result<std::string> difference(const Expected& expected, const Value& given, const Value& wanted) {
  switch (expected.kind) {
    case Kind::integer:
    case Kind::coordinate: {
      if (numbers_of(given) == numbers_of(wanted)) return std::string();
      return written_answer(expected, given) + " is not it";
    }
    case Kind::choice: {
      if (numbers_of(given) == numbers_of(wanted)) return std::string();
      return std::string("that is not it");
    }
    case Kind::thread_and_value: {
      const auto a = numbers_of(given), b = numbers_of(wanted);
      if (a == b) return std::string();
      const std::string_view right = a[0] == b[0] ? ": the thread is right" : a[1] == b[1] ? ": the value is right" : "";
      return fmt::format("{} is not it{}", written_answer(expected, given), right);
    }
    case Kind::integers:
    case Kind::order: return row_difference(expected, numbers_of(given), numbers_of(wanted));
    case Kind::cells: return set_difference(elements_in(given), elements_in(wanted));
    case Kind::layout: return layout_difference(expected, given, wanted);
    case Kind::binding: {
      if (is_layout(given) && is_layout(wanted)) return layout_difference(expected, given, wanted);
      if (is_other_kind(expected, given, wanted))
        return fmt::format("{} is {}; a {} is wanted", expected.name, described(given), kind_name(wanted));
      if (to_string(given) == to_string(wanted)) return std::string();
      return fmt::format("{} is {}, which is not it", expected.name, described(given));
    }
    case Kind::plan: return plan_difference(given, wanted);
  }
  return std::string();
}

bool is_other_kind(const Expected& expected, const Value& given, const Value& wanted) {
  return expected.kind == Kind::binding && kind_name(given) != kind_name(wanted) && !(is_layout(given) && is_layout(wanted));
}

std::string written_answer(const Expected& expected, const Value& value) {
  const std::vector<std::int64_t> numbers = numbers_of(value);
  const auto letter = [](std::int64_t number) { return std::string(1, static_cast<char>('a' + number - 1)); };
  switch (expected.kind) {
    case Kind::thread_and_value: return fmt::format("T{} V{}", numbers[0], numbers[1]);
    case Kind::integers: return fmt::format("{}", fmt::join(numbers, " "));
    case Kind::cells: {
      std::string made;
      for (const IntTuple& cell : elements_in(value)) made += (made.empty() ? "" : " ") + to_string(cell);
      return made;
    }
    case Kind::order: {
      std::string made;
      for (const std::int64_t each : numbers)
        made += (made.empty() ? "" : " ") + (expected.options.empty() ? std::to_string(each) : letter(each));
      return made;
    }
    case Kind::choice: return !expected.options.empty() ? letter(numbers[0]) : numbers[0] == 1 ? "yes" : "no";
    case Kind::binding: return fmt::format("let {} = {}", expected.name, to_string(value));
    case Kind::integer:
    case Kind::coordinate:
    case Kind::layout:
    case Kind::plan: break;
  }
  return to_string(value);
}

}  // namespace tessera::lesson
