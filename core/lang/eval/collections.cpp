// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: Python's {a, b}, {a: b}, [f(x) for x in xs if x > 1] and lambda x: x + 1.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/eval/call_function.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/values/convert.hpp"
#include "core/lang/values/dictionary.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kCellsOfAnItem = 16;

using Bound = std::vector<std::pair<std::string, Value>>;

// i, (a, b) of `for i, (a, b) in ...`
Status bind_target(std::string_view text, const Expr& target, const Value& value, Bound& bound) {
  const auto* list = std::get_if<TupleExpr>(&target.node);
  if (!list) {
    bound.emplace_back(text.substr(target.span.begin, target.span.end - target.span.begin), value);
    return Done{};
  }
  TESSERA_TRY(parts, elements_of(value));
  if (parts.size() != list->elements.size())
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{} names take the elements of a tuple of {}", list->elements.size(), parts.size()),
                 target.span,
                 {}};
  for (std::size_t i = 0; i < parts.size(); ++i) TESSERA_CHECK(bind_target(text, list->elements[i], parts[i], bound));
  return Done{};
}

}  // namespace

Result<Value> Evaluator::braces(const BracesExpr& braces) {
  const auto all = [&](const std::vector<Expr>& exprs) {
    return evaluated(std::vector<Argument>(exprs.size()), exprs, nullptr, braces.is_dictionary ? "a dictionary" : "a set");
  };
  TESSERA_TRY(keys, all(braces.keys));
  if (!braces.is_dictionary) return set_value(std::move(keys.values));
  TESSERA_TRY(values, all(braces.values));
  std::vector<std::pair<Value, Value>> items;
  for (std::size_t i = 0; i < keys.values.size(); ++i) items.emplace_back(std::move(keys.values[i]), std::move(values.values[i]));
  return dictionary_value(std::move(items));
}

// The values of the loops from `depth` on, by the names that the loops around have bound.
Status Evaluator::loop(const ComprehensionExpr& expr, std::size_t depth, std::vector<std::pair<Value, Value>>& made) {
  if (depth == expr.loops.size()) {
    std::vector<Value> parts;
    for (const Expr& each : expr.element) {
      TESSERA_TRY(part, value(each));
      parts.push_back(std::move(part));
    }
    Value first = std::move(parts.front());
    made.emplace_back(std::move(first), std::move(parts.back()));
    return Done{};
  }
  const ComprehensionExpr::Loop& inner = expr.loops[depth];
  TESSERA_TRY(over, value(inner.over[0]));
  TESSERA_TRY(items, at(inner.over[0].span, iterated(over)));
  for (const Value& item : items) {
    TESSERA_CHECK(spend_cells(kCellsOfAnItem, [] { return std::string("walking through a list"); }));
    Bound bound;
    TESSERA_CHECK(bind_target(text_, inner.target[0], item, bound));
    const Scope scope = [&](std::string_view name) -> const Value* {
      for (const auto& [own, held] : bound) {
        if (own == name) return &held;
      }
      return scope_ ? scope_(name) : nullptr;
    };
    Evaluator within(text_, scope, warnings_, trace_);
    bool wanted = true;
    for (const Expr& condition : inner.conditions) {
      TESSERA_TRY(holds, within.truth(condition));
      wanted = wanted && holds;
    }
    if (wanted) TESSERA_CHECK(within.loop(expr, depth + 1, made));
  }
  return Done{};
}

Result<Value> Evaluator::comprehension(const ComprehensionExpr& expr) {
  std::vector<std::pair<Value, Value>> made;
  TESSERA_CHECK(loop(expr, 0, made));
  if (expr.kind == ComprehensionExpr::Kind::dictionary) return dictionary_value(std::move(made));
  std::vector<Value> values;
  for (auto& each : made) values.push_back(std::move(each.first));
  if (expr.kind == ComprehensionExpr::Kind::set) return set_value(std::move(values));
  return make_tuple(std::move(values));
}

Result<Value> Evaluator::lambda(const LambdaExpr& lambda) {
  std::vector<std::string> parameters(lambda.parameters.begin(), lambda.parameters.end());
  return make_function("lambda", std::move(parameters), text_of(lambda.body), scope_);
}

}  // namespace tessera
