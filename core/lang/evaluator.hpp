// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: Expr -> Value. Calls go to builtins.hpp, C++ types and other pasted spellings to templates.cpp.
#pragma once

#include <optional>

#include "core/lang/ast.hpp"
#include "core/lang/evaluate.hpp"

namespace tessera {

// What became of the `//` that were to divide.
struct DivisionTrace {
  std::vector<std::size_t> done;  // the places of those that had two integers
  std::optional<Error> no_right;  // one had an integer on its left, and on its right a name that is not known
};

class Evaluator {
 public:
  // Both must outlive the evaluator; `text` is what the expression's names and spans point into.
  Evaluator(std::string_view text, const Scope& scope, std::vector<Error>* warnings = nullptr, DivisionTrace* trace = nullptr)
      : text_(text), scope_(scope), warnings_(warnings), trace_(trace) {}

  Result<Value> value(const Expr& expr);

 private:
  Result<Value> name(std::string_view name, SourceSpan span);
  Result<Value> tuple(const TupleExpr& tuple);
  Result<Value> pair(const PairExpr& pair, SourceSpan span);
  Result<Value> arithmetic(const ArithmeticExpr& arithmetic);  // arithmetic.cpp
  Result<Value> compose(const ComposeExpr& compose, SourceSpan span);
  Result<Value> pointer_compose(const ComposeExpr& compose, std::size_t pointer, SourceSpan span);
  Result<Value> call(const CallExpr& call, SourceSpan span);
  Result<Value> figure(const CallExpr& call);
  Result<Value> apply(const Value& callee, const CallExpr& call, SourceSpan span);
  Result<Value> type(const TemplateExpr& type, SourceSpan span);          // templates.cpp
  Result<Value> algebra_type(const TemplateExpr& type, SourceSpan span);  // templates.cpp
  Result<Value> copy_operation(const Expr& expr);                         // templates.cpp

  Result<IntTuple> int_tuple(const Expr& expr, std::string_view what);
  std::string_view text_of(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }

  std::string_view text_;
  const Scope& scope_;
  std::vector<Error>* warnings_;
  DivisionTrace* trace_;
};

// The expression with these `//` as divisions and all others as comments.
Result<Value> evaluate_reading(std::string_view text, std::span<const std::size_t> divisions, const Scope& scope,
                               std::vector<Error>* warnings, DivisionTrace* trace);

// The expression with those `//` as divisions that can divide; a warning where a comment would leave another value (readings.cpp).
Result<Value> evaluate_best_reading(std::string_view text, const Scope& scope, std::vector<Error>* warnings);

// An atom by its spelling: MMA, copy operation or shared-memory layout.
Result<Value> find_atom(std::string_view name);
bool looks_like_atom(std::string_view name);
bool is_atom_prefix(std::string_view name);  // the name begins as atoms' names do

}  // namespace tessera
