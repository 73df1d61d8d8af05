// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/eval/call_function.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/budget.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/value_size.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kCellsOfACall = 256;  // its time in steps of a walk, about

// Calls that are being evaluated on this thread.
thread_local int open_calls = 0;

struct OpenCall {
  OpenCall() { ++open_calls; }
  ~OpenCall() { --open_calls; }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;
};

}  // namespace

Result<Value> make_function(std::string name, std::vector<std::string> parameters, std::string_view expression, const Scope& scope) {
  std::unordered_set<std::string_view> known;  // its parameters and what it has captured
  for (const std::string& each : parameters) {
    if (!is_binding_name(each)) return Error{ErrorCode::parse, fmt::format("\"{}\" cannot be a parameter of {}", each, name), {}, {}};
    if (!known.insert(each).second) return Error{ErrorCode::parse, fmt::format("{} has the parameter {} twice", name, each), {}, {}};
  }
  TESSERA_TRY(tokens, tokenize(expression, possible_divisions(expression)));
  UserFunction made{std::move(name), std::move(parameters), std::string(expression), {}};  // the words of `known` move with their strings
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const bool is_member = i > 0 && tokens[i - 1].symbol == '.';                 // f(x).size()
    const bool is_label = i + 1 < tokens.size() && tokens[i + 1].symbol == '=';  // f(stride=x)
    if (token.kind != Token::Kind::name || is_member || is_label) continue;
    std::string_view used = expression.substr(token.span.begin, token.span.end - token.span.begin);
    // x.shape is a member of x where no x.shape is bound.
    for (;;) {
      if (known.contains(used)) break;
      if (used == made.name) {
        return Error{ErrorCode::unknown_name,
                     fmt::format("{} is used in its own expression", used),
                     token.span,
                     {"a function may use the names above it, and so not itself"}};
      }
      if (const Value* value = scope ? scope(used) : nullptr) {
        TESSERA_CHECK(spend_bytes(bytes_of_copy(*value), [&] { return fmt::format("a copy of {}", used); }));
        made.captured.emplace_back(used, *value);
        known.insert(used);  // it lies in the expression
        break;
      }
      const std::size_t dot = used.find_last_of(".:");
      if (dot == std::string_view::npos) break;
      used = used.substr(0, used.find_last_not_of(".:", dot) + 1);
    }
  }
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

Result<std::vector<Value>> placed_arguments(const UserFunction& function, std::span<const std::string_view> names,
                                            std::vector<Value> values) {
  std::vector<Value> placed(values.size());
  std::vector<bool> given(values.size());
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) places.emplace(function.parameters[i], i);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t at = i;
    if (!names[i].empty()) {
      const auto found = places.find(names[i]);
      if (found == places.end())
        return Error{ErrorCode::unknown_name,
                     fmt::format("{} has no parameter {}", function.name, names[i]),
                     {},
                     {fmt::format("{}({})", function.name, fmt::join(function.parameters, ", "))}};
      at = found->second;
    }
    if (at >= values.size() || given[at]) {
      const std::string name = at < function.parameters.size() ? function.parameters[at] : std::to_string(at);
      return Error{ErrorCode::wrong_arity,
                   at < values.size()
                       ? fmt::format("{} is given twice to {}", name, function.name)
                       : fmt::format("{} takes {} arguments, but {} are given", function.name, function.parameters.size(), values.size()),
                   {},
                   {}};
    }
    given[at] = true;
    placed[at] = std::move(values[i]);
  }
  return placed;
}

Result<Value> call_function(const UserFunction& function, std::span<const Value> arguments, std::vector<Error>* warnings) {
  // Functions that call others twice would be called 2^n times: each call counts.
  TESSERA_CHECK(spend_cells(kCellsOfACall + static_cast<std::int64_t>(function.expression.size()),
                            [&] { return fmt::format("calling {} once more", function.name); }));
  const OpenCall open;
  if (open_calls > kDeepestCall)
    return Error{
        ErrorCode::limit, fmt::format("functions call each other deeper than {}, the limit of this language", kDeepestCall), {}, {}};
  if (arguments.size() != function.parameters.size()) {
    return Error{ErrorCode::wrong_arity,
                 fmt::format("{} takes {} argument{}, but {} are given", function.name, function.parameters.size(),
                             function.parameters.size() == 1 ? "" : "s", arguments.size()),
                 {},
                 {}};
  }
  std::unordered_map<std::string_view, const Value*> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) values.emplace(function.parameters[i], &arguments[i]);
  for (const auto& [captured, value] : function.captured) values.emplace(captured, &value);
  const Scope scope = [&](std::string_view name) -> const Value* {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second;
  };
  std::vector<Error> inner;
  Result<Value> made = evaluate_expression(function.expression, scope, warnings ? &inner : nullptr);
  for (Error& each : inner) {
    each.span.reset();  // it lies in the function, and the caller's text is another
    warnings->push_back(std::move(each));
  }
  if (made) return made;
  Error error = std::move(made).error();
  error.message = fmt::format("in {}: {}", function.name, error.message);
  error.span.reset();
  return error;
}

}  // namespace tessera
