// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: Expr -> Value. Calls go to builtins.hpp, C++ types and other pasted spellings to templates.cpp.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/syntax/ast.hpp"
#include "core/lang/values/report.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/user_function.hpp"

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
  // What stands between the brackets of a call, evaluated. `held` counts its bytes while it lives.
  struct Arguments {
    std::vector<Argument> names;    // by position where the name is empty
    std::vector<Value> values;      // one each
    std::vector<SourceSpan> spans;  // one each
    std::size_t templates = 0;      // the last ones, which stood between < and >
  };

  Result<Value> name(std::string_view name, SourceSpan span);
  const Value* bound(std::string_view name) const { return scope_ ? scope_(name) : nullptr; }
  Result<Value> copy_of(const Value& bound, std::string_view name, SourceSpan span);
  Result<Value> name_without_members(std::string_view name, SourceSpan span);
  // x.shape and Mma::Shape_MNK: the name of what has members, and the last one; nothing where the name has no such parts.
  struct MemberPath {
    std::string_view base, member;
  };
  static std::optional<MemberPath> member_path(std::string_view name);

  Result<Value> tuple(const TupleExpr& tuple);
  Result<Value> pair(const PairExpr& pair, SourceSpan span);
  Result<Value> element_of_array(SourceSpan span);
  Result<Value> conditional(const ConditionalExpr& conditional);
  Result<Value> braces(const BracesExpr& braces);                                                                      // collections.cpp
  Result<Value> comprehension(const ComprehensionExpr& comprehension);                                                 // collections.cpp
  Status loop(const ComprehensionExpr& comprehension, std::size_t depth, std::vector<std::pair<Value, Value>>& made);  // collections.cpp
  Result<Value> lambda(const LambdaExpr& lambda);                                                                      // collections.cpp
  Result<Value> arithmetic(const ArithmeticExpr& arithmetic);                                                          // arithmetic.cpp
  Result<Value> joined(const ArithmeticExpr& arithmetic);                                                              // arithmetic.cpp
  Result<Value> unary(const UnaryExpr& unary, SourceSpan span);                                                        // arithmetic.cpp
  Result<bool> truth(const Expr& expr);                                                                                // arithmetic.cpp
  Result<Value> compose(const ComposeExpr& compose, SourceSpan span);                                                  // compose.cpp
  Result<Value> pointer_compose(const ComposeExpr& compose, std::size_t pointer, SourceSpan span);
  Result<Value> call(const CallExpr& call, SourceSpan span);
  Result<Value> invoke(const Builtin& builtin, Arguments arguments, std::string_view called, SourceSpan span);
  Result<Value> figure(const CallExpr& call);
  Result<Value> sweep(const CallExpr& call, SourceSpan span);                                                             // sweep.cpp
  Result<Value> table(const CallExpr& call, SourceSpan span);                                                             // table.cpp
  Result<Value> apply(const ApplyExpr& apply, SourceSpan span);                                                           // apply.cpp
  Result<Value> apply_value(const Value& callee, Arguments arguments, std::string_view called, SourceSpan span);          // apply.cpp
  static Result<Value> call_body(const UserFunction& function, std::string_view method, Arguments arguments);             // apply.cpp
  Result<Value> construct(const Expr& type, Arguments arguments, SourceSpan span);                                        // apply.cpp
  Result<Value> method(Value object, std::string_view name, SourceSpan name_span, Arguments arguments, SourceSpan span);  // apply.cpp
  Result<Value> index(const IndexExpr& index, SourceSpan span);                                                           // apply.cpp
  Result<Value> storage(const IndexExpr& index, std::string_view name);                                                   // apply.cpp
  Result<Value> range_of(const Value& object, const RangeExpr& range, SourceSpan span);                                   // apply.cpp
  Result<Value> partial_class(const UserFunction& made_by, const TemplateExpr& type, SourceSpan span);                    // templates.cpp
  Result<Value> type(const TemplateExpr& type, SourceSpan span);                                                          // templates.cpp
  Result<Value> shape_of_cutlass(const TemplateExpr& type, SourceSpan span);                                              // templates.cpp
  Result<Value> algebra_type(const TemplateExpr& type, SourceSpan span);                                                  // templates.cpp
  Result<Value> copy_operation(const Expr& expr);                                                                         // templates.cpp
  Result<Value> atom_of(const TemplateExpr& type);                                                                        // templates.cpp
  Result<Value> carrier_of(const TemplateExpr& type);                                                                     // templates.cpp
  Result<Value> operand_in_smem(const TemplateExpr& type, SourceSpan span);                                               // templates.cpp
  Result<Value> array_of(const TemplateExpr& type);                                                                       // templates.cpp

  // The elements of a list, with *tuple taken apart. A word that `builtin` knows needs no quotes.
  Result<Arguments> evaluated(const std::vector<Argument>& arguments, const std::vector<Expr>& values, const Builtin* builtin,
                              std::string_view what);
  Result<IntTuple> int_tuple(const Expr& expr, std::string_view what);
  std::string_view text_of(SourceSpan span) const { return text_.substr(span.begin, span.end - span.begin); }

  std::string_view text_;
  const Scope& scope_;
  std::vector<Error>* warnings_;
  DivisionTrace* trace_;
};

// While it lives, Traits<kM, half_t> makes an object also where kM has no value: with the members that do not depend on it. On this thread.
class WithUnknownArguments {
 public:
  WithUnknownArguments() { ++count_; }
  ~WithUnknownArguments() { --count_; }
  WithUnknownArguments(const WithUnknownArguments&) = delete;
  WithUnknownArguments& operator=(const WithUnknownArguments&) = delete;
  static bool allowed() { return count_ > 0; }

 private:
  static thread_local constinit int count_;
};

// Adds the place to a refusal that has none.
template <class T>
Result<T> at(SourceSpan span, Result<T> made) {
  if (!made) return std::move(std::move(made).error()).at(span);
  return made;
}

// What a value is in a table: a number, a truth, or its text (sweep.cpp). The items of a tuple or list, or the one value itself.
Report::Cell cell_of(const Value& value);
Result<std::vector<Value>> items_in(Value value);

// The expression with these `//` as divisions and all others as comments.
Result<Value> evaluate_reading(std::string_view text, std::span<const std::size_t> divisions, const Scope& scope,
                               std::vector<Error>* warnings, DivisionTrace* trace);

// The expression with those `//` as divisions that can divide; a warning where a comment would leave another value (language_readings.cpp).
Result<Value> evaluate_best_reading(std::string_view text, const Scope& scope, std::vector<Error>* warnings);

// An atom by its spelling: MMA, copy operation or shared-memory layout.
Result<Value> find_atom(std::string_view name);
bool looks_like_atom(std::string_view name);
bool is_atom_prefix(std::string_view name);  // the name begins as atoms' names do

}  // namespace tessera
