// SPDX-License-Identifier: BSD-3-Clause
// Parentheses around anything but an integer that is written out, or the name of one, change nothing anywhere: each part of each expression
// of the cases is put into them. A layout that is written out is as the integer: (4:1) is the tiler of one mode where a tiler may stand,
// and the layout where a layout is wanted.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/document/document.hpp"
#include "core/lang/programs/evaluate.hpp"
#include "core/lang/syntax/parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;

namespace {

using Values = std::map<std::string, Value, std::less<>>;

// The parts of an expression that may stand in parentheses: no integers, no words that only their place gives a meaning, no types.
class Parts {
 public:
  Parts(std::string_view text, const Values& values) : text_(text), values_(values) {}

  std::vector<SourceSpan> of(const Expr& expr) {
    visit(expr);
    return std::move(spans_);
  }

 private:
  void visit(const Expr& expr) {
    std::visit([&](const auto& node) { part(expr, node); }, expr.node);
  }
  void all(const std::vector<Expr>& list) {
    for (const Expr& each : list) visit(each);
  }
  void add(const Expr& expr) { spans_.push_back(expr.span); }

  void part(const Expr& expr, const NameExpr& node) {
    const auto found = values_.find(node.name);
    if (found != values_.end() && !std::holds_alternative<IntTuple>(found->second.any)) add(expr);
  }
  void part(const Expr&, const TupleExpr& node) { all(node.elements); }
  void part(const Expr&, const PairExpr& node) { all(node.shape_and_stride); }
  void part(const Expr& expr, const ArithmeticExpr& node) { add(expr), all(node.operands); }
  void part(const Expr& expr, const ConditionalExpr& node) { add(expr), all(node.parts); }
  void part(const Expr& expr, const ComposeExpr& node) { add(expr), all(node.parts); }
  void part(const Expr& expr, const IndexExpr& node) { add(expr), all(node.object); }
  void part(const Expr& expr, const MemberExpr& node) { add(expr), all(node.object); }
  void part(const Expr& expr, const CallExpr& node) {
    add(expr);
    if (node.name == "sweep" || node.name == "table" || node.name.ends_with("_figure")) return;  // they look at what is written
    arguments(node.arguments, node.values);
  }
  void part(const Expr& expr, const ApplyExpr& node) {
    add(expr);
    if (const auto* member = std::get_if<MemberExpr>(&node.callee[0].node)) all(member->object);
    arguments(node.arguments, node.values);
  }
  void arguments(const std::vector<Argument>& names, const std::vector<Expr>& values) {
    for (const Argument& each : names) {
      if (each.value < values.size()) visit(values[each.value]);
    }
  }
  template <class T>
  void part(const Expr&, const T&) {}  // integers, texts, types, ranges

  std::string_view text_;
  const Values& values_;
  std::vector<SourceSpan> spans_;
};

std::string shown(const Result<Value>& value) { return value ? to_string(*value) : "refused: " + value.error().message; }

}  // namespace

TEST_CASE("every part of every expression of the cases may stand in parentheses") {
  std::size_t expressions = 0, wrapped = 0;
  for (const char* name : {"functions.tess", "notation.tess", "pasted.tess"}) {
    std::ifstream stream(test::source_dir() + "/tests/lang/cases/" + name);
    std::stringstream text;
    text << stream.rdbuf();
    const Document document = parse_document(text.str()).value();
    const std::vector<EvaluatedBinding> evaluated = evaluate(document);
    Values values;
    const Scope scope = [&](std::string_view of) {
      const auto found = values.find(of);
      return found == values.end() ? nullptr : &found->second;
    };
    for (std::size_t i = 0; i < evaluated.size(); ++i) {
      const std::string& expression = document.bindings[i].expression;
      const Result<Value> plain = evaluate(expression, scope);
      const Result<Expr> parsed = parse_expression(expression);
      if (plain && parsed && document.bindings[i].statement.kind == Statement::Kind::bind) {
        ++expressions;
        for (const SourceSpan span : Parts(expression, values).of(*parsed)) {
          const std::string with = expression.substr(0, span.begin) + "(" + expression.substr(span.begin, span.end - span.begin) + ")" +
                                   expression.substr(span.end);
          INFO(name << ": " << with);
          CHECK(shown(evaluate(with, scope)) == shown(plain));
          ++wrapped;
        }
      }
      if (evaluated[i].value) values.insert_or_assign(evaluated[i].name, *evaluated[i].value);
    }
  }
  CHECK(expressions > 400);
  CHECK(wrapped > 600);
}

TEST_CASE("a layout in parentheses is the layout where one is wanted, and a tiler of one mode where a tiler may stand") {
  const auto value = [](std::string_view text) { return shown(evaluate(text)); };
  CHECK(value("coalesce(((2,4):(1,2)))") == "8:1");
  CHECK(value("coalesce((Sw<2,0,2> o 0 o (4,4):(1,4)))") == value("coalesce(Sw<2,0,2> o 0 o (4,4):(1,4))"));
  CHECK(value("logical_divide((4,2):(1,4), 4:2)") != value("logical_divide((4,2):(1,4), (4:2))"));
  CHECK(value("((4,8):(8,1)) == (4,8):(8,1)") == "true");
}
