// SPDX-License-Identifier: BSD-3-Clause
// What a person writes, read leniently: numbers with any separators, letters of options, T4 V3, 7%, and else one expression.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/base/number_text.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/plans.hpp"

namespace tessera::lesson {
namespace {

// A word that says which number follows: t, thr, thread and lane before the first, v, val and value before the second.
struct Label {
  std::string_view word;
  std::size_t place;
};
constexpr Label kThreadAndValue[] = {{"t", 0}, {"thr", 0}, {"thread", 0}, {"lane", 0}, {"v", 1}, {"val", 1}, {"value", 1}};
constexpr Label kThread[] = {{"t", 0}, {"thr", 0}, {"thread", 0}, {"lane", 0}};
constexpr Label kRowAndColumn[] = {{"row", 0}, {"r", 0}, {"column", 1}, {"col", 1}, {"c", 1}};
constexpr std::string_view kFillers[] = {"and", "of", "in", "its", "holds", "it", "is"};

bool is_separator(char c) { return is_space(c) || std::string_view(",;()[]{}<>=").find(c) != std::string_view::npos; }

// The numbers of a text of nothing but numbers and separators; nothing for any other. A label gives the number behind it a place.
std::optional<IntTuple> plain_numbers(std::string_view text, std::span<const Label> labels = {}) {
  std::vector<std::pair<std::optional<std::size_t>, std::int64_t>> found;
  std::optional<std::size_t> place;
  if (text.ends_with('.')) text.remove_suffix(1);  // of a sentence
  for (std::size_t i = 0; i < text.size();) {
    if (is_separator(text[i]) || (text[i] == ':' && !labels.empty())) {
      ++i;
      continue;
    }
    std::size_t end = i;
    if (is_letter(text[i]) && text[i] != '_') {
      while (end < text.size() && is_letter(text[end])) ++end;
      const std::string word = lower(text.substr(i, end - i));
      const auto label = std::find_if(labels.begin(), labels.end(), [&](const Label& each) { return each.word == word; });
      const bool fills = !labels.empty() && std::find(std::begin(kFillers), std::end(kFillers), word) != std::end(kFillers);
      if (label != labels.end())
        place = label->place;
      else if (!fills)
        return std::nullopt;
    } else {
      if (text[i] == '_') ++i;  // a static integer
      end = i + (i < text.size() && text[i] == '-' ? 1 : 0);
      while (end < text.size() && is_digit(text[end])) ++end;
      const auto number = number_in<std::int64_t>(text.substr(i, end - i));
      if (!number || (end < text.size() && !is_separator(text[end]) && !(is_letter(text[end]) && !labels.empty()))) return std::nullopt;
      found.emplace_back(std::exchange(place, std::nullopt), *number);
    }
    i = end;
  }
  if (found.empty()) return std::nullopt;
  const bool is_labelled = std::all_of(found.begin(), found.end(), [](const auto& each) { return each.first.has_value(); });
  if (is_labelled) std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return *a.first < *b.first; });
  std::vector<IntTuple> numbers;
  for (const auto& [where, number] : found) numbers.emplace_back(number);
  return IntTuple::tuple(std::move(numbers));
}

// "T4", "lane 4" and "7%" are one number. A sign of percent with a number behind it is the language's remainder.
std::optional<IntTuple> one_number(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  text = trimmed(text);
  if (text.ends_with('%')) text = trimmed(text.substr(0, text.size() - 1));
  const auto numbers = plain_numbers(text, kThread);
  return numbers && numbers->rank() == 1 ? std::optional((*numbers)[0]) : std::nullopt;
}

Result<Value> expression(std::string_view text, const Scope& scope) {
  while (text.ends_with(';')) text = trimmed(text.substr(0, text.size() - 1));
  return evaluate_expression(text, scope, nullptr);
}

// The number of an option, from 1: its letter, its number or its words.
std::optional<std::int64_t> option_of(const Expected& expected, std::string_view text) {
  while (!text.empty() && (text.back() == ')' || text.back() == '.')) text.remove_suffix(1);
  text = trimmed(text.starts_with('(') ? text.substr(1) : text);
  const std::string small = lower(text);
  if (expected.options.empty()) {
    if (small == "yes" || small == "y" || small == "true") return 1;
    if (small == "no" || small == "n" || small == "false") return 2;
    return std::nullopt;
  }
  for (std::size_t i = 0; i < expected.options.size(); ++i) {
    if (lower(trimmed(expected.options[i])) == small) return static_cast<std::int64_t>(i) + 1;
  }
  if (small.size() == 1 && small[0] >= 'a' && small[0] <= 'z') return small[0] - 'a' + 1;
  return number_in<std::int64_t>(small);
}

Result<Value> read_choice(const Expected& expected, std::string_view text) {
  if (const auto number = option_of(expected, text)) return as_answer(expected, Value{IntTuple(*number)});
  return Error{ErrorCode::parse,
               expected.options.empty() ? "yes or no is wanted" : "the letter of an option is wanted",
               {},
               {expected.options.empty() ? "for example yes" : "for example a"}};
}

// "b a c", "bac", "2 1 3"
Result<Value> read_order(const Expected& expected, std::string_view text) {
  if (!expected.options.empty()) {
    std::vector<IntTuple> numbers;
    for (const char c : text) {
      if (is_letter(c) && c != '_') numbers.emplace_back(lower(c) - 'a' + 1);
    }
    if (!numbers.empty()) return as_answer(expected, Value{IntTuple::tuple(std::move(numbers))});
  }
  if (const auto numbers = plain_numbers(text)) return as_answer(expected, Value{*numbers});
  return Error{ErrorCode::parse,
               "an order is wanted, the first one first",
               {},
               {expected.options.empty() ? "for example 17 18 16" : "for example b a c"}};
}

// Lines of a document, of which one binds the name; anything else is the expression itself.
Result<Value> read_binding(const Expected& expected, std::string_view text, const Scope& above) {
  // Its own name is what the person has to give a value, whatever the lesson says of it.
  const Scope seen = [&](std::string_view name) -> const Value* { return above && name != expected.name ? above(name) : nullptr; };
  if (text.find('=') == std::string_view::npos && text.find('\n') == std::string_view::npos) return expression(text, seen);
  TESSERA_TRY(document, parse_document(text));
  if (!document.bad_lines.empty()) {
    const BadLine& bad = document.bad_lines.front();
    return Error{bad.error.code, fmt::format("line {}: {}", bad.line, bad.error.message), {}, bad.error.notes};
  }
  const std::vector<EvaluatedBinding> bindings = evaluate(document, seen);
  const EvaluatedBinding* const bound = find_binding(bindings, expected.name);
  if (!bound)
    return Error{ErrorCode::unknown_name,
                 fmt::format("nothing gives {} a value", expected.name),
                 {},
                 {fmt::format("for example  let {} = ...", expected.name)}};
  for (const EvaluatedBinding& each : bindings) {  // a condition that the person states, too
    if (!each.value) return Error{each.value.error().code, each.value.error().message, {}, each.value.error().notes};
  }
  if (!bound->needs.empty())  // a likely value was taken for it
    return Error{
        ErrorCode::unknown_name, fmt::format("{} has no value, and {} is made of it", bound->needs.front(), expected.name), {}, {}};
  const Value* const value = find_value(bindings, expected.name);
  if (!value) return Error{ErrorCode::unknown_name, fmt::format("{} has no value", expected.name), {}, {}};
  return *value;
}

Result<Value> read_within_limits(const Expected& expected, std::string_view text, const Scope& above) {
  switch (expected.kind) {
    case Kind::choice: return read_choice(expected, text);
    case Kind::order: return read_order(expected, text);
    case Kind::binding: return read_binding(expected, text, above);
    case Kind::plan: return read_plan(text);
    case Kind::thread_and_value: {
      if (const auto numbers = plain_numbers(text, kThreadAndValue)) return as_answer(expected, Value{*numbers});
      break;
    }
    case Kind::coordinate: {
      const bool has_rows = expected.shape.rank() == 2;
      if (const auto numbers = plain_numbers(text, has_rows ? std::span<const Label>(kRowAndColumn) : std::span<const Label>()))
        return as_answer(expected, Value{*numbers});
      break;
    }
    case Kind::integers:
    case Kind::cells: {
      if (const auto numbers = plain_numbers(text)) return as_answer(expected, Value{*numbers});
      break;
    }
    case Kind::integer: {
      if (const auto number = one_number(text)) return Value{*number};
      break;
    }
    case Kind::layout: break;
  }
  TESSERA_TRY(value, expression(text, {}));
  return as_answer(expected, value);
}

}  // namespace

Result<Value> read_answer(const Expected& expected, std::string_view text, const Scope& above) {
  if (text.size() > kLongestAnswer) {
    return Error{ErrorCode::limit, fmt::format("an answer has at most {} bytes, and this one {}", kLongestAnswer, text.size()), {}, {}};
  }
  text = trimmed(text);
  if (text.empty()) return Error{ErrorCode::parse, "there is no answer", {}, {}};
  const Budget budget(limits_of(expected.kind));
  return read_within_limits(expected, text, above);
}

}  // namespace tessera::lesson
