// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: Expr -> Value. Calls go to builtins.hpp, C++ types and other pasted spellings to templates.cpp.
#pragma once

#include "core/lang/ast.hpp"
#include "core/lang/evaluate.hpp"

namespace tessera {

class Evaluator {
 public:
  // Both must outlive the evaluator; `text` is what the expression's names and spans point into.
  Evaluator(std::string_view text, const Scope& scope, std::vector<Error>* warnings = nullptr)
      : text_(text), scope_(scope), warnings_(warnings) {}

  Result<Value> value(const Expr& expr);

 private:
  Result<Value> name(std::string_view name, SourceSpan span);
  Result<Value> tuple(const TupleExpr& tuple);
  Result<Value> pair(const PairExpr& pair, SourceSpan span);
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
};

// An atom by its spelling: MMA, copy operation or shared-memory layout.
Result<Value> find_atom(std::string_view name);
bool looks_like_atom(std::string_view name);
bool is_atom_prefix(std::string_view name);  // the name begins as atoms' names do

}  // namespace tessera
