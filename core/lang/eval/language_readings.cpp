// SPDX-License-Identifier: BSD-3-Clause
// Which `//` of a text divide: the division reading is tried first, and a `//` that cannot divide begins a comment. And what a text whose
// language nothing says would be in C++ and in Python.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/limits.hpp"
#include "core/lang/syntax/words.hpp"
#include "core/lang/values/convert.hpp"

namespace tessera {
namespace {

constexpr int kMostReadings = 16;  // further `//` that cannot divide are all comments

struct Reading {
  Result<Value> value = Error{};
  std::vector<std::size_t> divisions;
  std::vector<Error> warnings;
  std::optional<Error> no_right;  // of a `//` that was tried as a division
};

// Takes out the last division before the place of the error that has not divided, and those behind it on its line: it begins a comment.
bool drop_culprit(std::string_view text, const Error& error, const DivisionTrace& trace, std::vector<std::size_t>& divisions) {
  const std::size_t place = error.span ? error.span->begin : text.size();
  for (auto at = divisions.rbegin(); at != divisions.rend(); ++at) {
    if (*at > place || std::find(trace.done.begin(), trace.done.end(), *at) != trace.done.end()) continue;
    const std::size_t begin = *at, end = std::min(text.find('\n', begin), text.size());
    std::erase_if(divisions, [&](std::size_t i) { return i >= begin && i < end; });
    return true;
  }
  return false;
}

// Of two refusals the one that came further.
Error further(Error a, Error b) {
  const auto place = [](const Error& error) { return error.span ? error.span->begin : 0; };
  return place(b) > place(a) ? b : a;
}

Reading best_reading(std::string_view text, std::vector<std::size_t> divisions, const Scope& scope) {
  Reading reading;
  std::optional<Error> refused;
  for (int tries = 0;; ++tries) {
    if (tries == kMostReadings) divisions.clear();
    DivisionTrace trace;
    reading.warnings.clear();
    reading.value = evaluate_reading(text, divisions, scope, &reading.warnings, &trace);
    if (reading.value) break;
    if (trace.no_right && !reading.no_right) reading.no_right = trace.no_right;
    refused = refused ? further(std::move(*refused), reading.value.error()) : reading.value.error();
    const bool over_budget = reading.value.error().code == ErrorCode::limit;
    if (over_budget || !drop_culprit(text, reading.value.error(), trace, divisions)) {
      reading.value = std::move(*refused);
      break;
    }
  }
  reading.divisions = std::move(divisions);
  return reading;
}

// Signs and words of which C++, Python and our notation do not make the same everywhere (dialect.hpp).
bool may_differ(std::string_view text) {
  if (text.find_first_of("/%&|^<>") != std::string_view::npos) return true;
  for (const std::string_view word : {"and", "or"}) {
    if (statement_text::has_word(text, word)) return true;
  }
  for (std::size_t at = text.find('0'); at != std::string_view::npos; at = text.find('0', at + 1)) {
    if ((at == 0 || !is_word(text[at - 1])) && at + 1 < text.size() && is_digit(text[at + 1])) return true;  // 010
  }
  return false;
}

std::optional<Value> in_language(Dialect dialect, std::string_view text, const Scope& scope) {
  const DialectScope in(dialect);
  Result<Value> made = evaluate_reading(text, {}, scope, nullptr, nullptr);
  return made ? std::optional<Value>(std::move(*made)) : std::nullopt;
}

// Nothing says its language, and `//`, of which evaluate_best_reading speaks, does not stand in it.
bool is_undecided(std::string_view text) {
  return current_dialect() == Dialect::ours && text.size() <= kLongestText && text.find("//") == std::string_view::npos &&
         !has_cpp_marks(text) && !calls_dsl(text);
}

}  // namespace

std::optional<Error> remark_other_languages(std::string_view text, const Scope& scope, const Value& value, bool may_be_cpp) {
  // Of tuples and layouts the languages differ in parentheses alone, which our notation has on purpose.
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  const bool is_small = (tuple && tuple->is_int()) || std::holds_alternative<bool>(value.any) || std::holds_alternative<double>(value.any);
  if (!is_small || !is_undecided(text) || !may_differ(text)) return std::nullopt;
  const std::string here = to_string(value);
  std::string others;
  for (const auto& [dialect, name] : {std::pair{Dialect::cpp, "C++"}, {Dialect::python, "Python"}}) {
    const std::optional<Value> there = dialect == Dialect::cpp && !may_be_cpp ? std::nullopt : in_language(dialect, text, scope);
    if (there && to_string(*there) != here) others += fmt::format("{} in {} it is {}", others.empty() ? ";" : ",", name, described(*there));
  }
  if (others.empty()) return std::nullopt;
  return Error{ErrorCode::parse,
               fmt::format("nothing says which language this is in: read in Tessera's own notation it is {}{}", described(value), others),
               SourceSpan{0, text.size()},
               {"the ending of a file says it (.cu, .py)"}};
}

std::optional<Value> as_both_languages(std::string_view text, const Scope& scope) {
  if (text.find('(') == std::string_view::npos || !is_undecided(text)) return std::nullopt;
  std::optional<Value> cpp = in_language(Dialect::cpp, text, scope);
  if (!cpp || !std::holds_alternative<IntTuple>(cpp->any)) return std::nullopt;
  const std::optional<Value> python = in_language(Dialect::python, text, scope);
  return python && to_string(*python) == to_string(*cpp) ? std::move(cpp) : std::nullopt;
}

Result<Value> evaluate_best_reading(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  const std::vector<std::size_t> possible = text.size() > kLongestText ? std::vector<std::size_t>() : possible_divisions(text);
  if (possible.empty() || current_dialect() == Dialect::python) return evaluate_reading(text, possible, scope, warnings, nullptr);
  Reading reading = best_reading(text, possible, scope);
  if (!warnings || !reading.value) return std::move(reading.value);
  warnings->insert(warnings->end(), reading.warnings.begin(), reading.warnings.end());
  const auto warn = [&](std::size_t at, std::string message, std::vector<std::string> notes) {
    warnings->push_back({ErrorCode::parse, std::move(message), SourceSpan{at, at + 2}, std::move(notes)});
  };
  if (!reading.divisions.empty()) {
    const Result<Value> as_comment = evaluate_reading(text, {}, scope, nullptr, nullptr);
    if (as_comment && to_string(*as_comment) != to_string(*reading.value)) {
      warn(reading.divisions.front(),
           fmt::format("`//` divides here, as in Python, and gives {}; as a comment it would leave {}", described(*reading.value),
                       described(*as_comment)),
           {"a comment that begins with # is one in every reading"});
    }
  } else if (reading.no_right) {
    warn(possible.front(),
         fmt::format("`//` begins a comment here, which leaves {}; as Python's division it is refused: {}", described(*reading.value),
                     reading.no_right->message),
         {"a comment that begins with # is one in every reading"});
  }
  return std::move(reading.value);
}

}  // namespace tessera
