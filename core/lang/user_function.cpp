// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/user_function.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/lang/lexer.hpp"
#include "core/lang/slashes.hpp"

namespace tessera {
namespace {

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
  for (auto each = parameters.begin(); each != parameters.end(); ++each) {
    if (!is_binding_name(*each)) return Error{ErrorCode::parse, fmt::format("\"{}\" cannot be a parameter of {}", *each, name), {}, {}};
    if (std::find(parameters.begin(), each, *each) != each)
      return Error{ErrorCode::parse, fmt::format("{} has the parameter {} twice", name, *each), {}, {}};
  }
  TESSERA_TRY(tokens, tokenize(expression, possible_divisions(expression)));
  UserFunction made{std::move(name), std::move(parameters), std::string(expression), {}};
  for (const Token& token : tokens) {
    if (token.kind != Token::Kind::name) continue;
    std::string_view used = expression.substr(token.span.begin, token.span.end - token.span.begin);
    // x.shape is a member of x where no x.shape is bound.
    for (;;) {
      const bool is_parameter = std::find(made.parameters.begin(), made.parameters.end(), used) != made.parameters.end();
      const bool known = std::any_of(made.captured.begin(), made.captured.end(), [&](const auto& each) { return each.first == used; });
      if (is_parameter || known) break;
      if (const Value* value = scope ? scope(used) : nullptr) {
        made.captured.emplace_back(used, *value);
        break;
      }
      const std::size_t dot = used.find_last_of(".:");
      if (dot == std::string_view::npos) break;
      used = used.substr(0, used.find_last_not_of(".:", dot) + 1);
    }
  }
  return Value{std::make_shared<const UserFunction>(std::move(made))};
}

Result<Value> call_function(const UserFunction& function, std::span<const Value> arguments, std::vector<Error>* warnings) {
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
  const Scope scope = [&](std::string_view name) -> const Value* {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (function.parameters[i] == name) return &arguments[i];
    }
    for (const auto& [captured, value] : function.captured) {
      if (captured == name) return &value;
    }
    return nullptr;
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
