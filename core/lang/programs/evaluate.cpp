// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/evaluate.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/prints/prints.hpp"
#include "core/lang/programs/snippet.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/limits.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value_size.hpp"

namespace tessera {

namespace {

// Is the last line passed over, though it was to have a value? What is no call of CuTe's or of another library has none, as a brace.
bool lacks_value(const Statement& end, std::string_view text) {
  if (end.kind != Statement::Kind::passed_over) return false;
  return calls_dsl(text.substr(end.span.begin, end.span.end - end.span.begin)) ||
         end.reason.find("of another library") != std::string::npos || end.reason.find("not known here") != std::string::npos;
}

// The last value of a text of many statements; an expression that is refused as one may be that.
Result<Value> last_of_statements(std::string_view text, const Scope& scope, std::vector<Error>* warnings, Error refused) {
  if (text.size() > kLongestText || refused.code == ErrorCode::limit || !has_statements(text)) return refused;
  SnippetOptions options;
  options.guess = false;
  SnippetAnswer answer = evaluate_snippet(text, options, scope);
  for (StatementAnswer& each : answer.statements) {
    if (each.refused) return std::move(*each.refused);
    if (warnings) warnings->insert(warnings->end(), each.warnings.begin(), each.warnings.end());
  }
  const StatementAnswer* last = answer.last();
  if (!last || last->values.empty()) return refused;
  const Statement& end = answer.statements.back().statement;
  if (warnings && lacks_value(end, text))
    warnings->push_back({ErrorCode::unknown_name,
                         fmt::format("the last line is passed over, as {}: this is the value of line {}", end.reason, last->statement.line),
                         end.span,
                         {}});
  return last->values.back().second;
}

Result<Value> evaluate_within_budget(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  const std::size_t before = warnings ? warnings->size() : 0;
  Result<Value> made = is_print(text) ? Error{ErrorCode::parse, "this is no print", {}, {}} : evaluate_expression(text, scope, warnings);
  if (made && warnings && NestedText::count() == 0) {  // our own lines are in our notation
    if (std::optional<Error> other = remark_other_languages(text, scope, *made)) warnings->push_back(std::move(*other));
  }
  if (made || made.error().code == ErrorCode::limit) return made;
  // What is no expression may be what a program printed, or statements.
  if (warnings) warnings->resize(before);
  if (auto printed = evaluate_print(text, scope, warnings)) return *std::move(printed);
  if (warnings) warnings->resize(before);
  return last_of_statements(text, scope, warnings, std::move(made).error());
}

}  // namespace

Result<Value> evaluate(std::string_view text, const Scope& scope, std::vector<Error>* warnings) {
  const DefaultBudget budget;
  Result<Value> made = evaluate_within_budget(text, scope, warnings);
  if (!made) shorten(made.error());
  return made;
}

}  // namespace tessera
