// SPDX-License-Identifier: BSD-3-Clause
// Parser: what only Python writes: {a, b}, {a: b}, [f(x) for x in xs], lambda x: x + 1.
#include <cstddef>
#include <utility>
#include <vector>

#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/expr_parser.hpp"

namespace tessera {

bool Parser::is_python() const { return current_dialect() == Dialect::python; }

Result<Expr> Parser::braces() {
  const Token& open = take();
  const bool outer_colon = std::exchange(colon_ends_, true);  // of a dictionary's item
  const int outer_lists = std::exchange(open_lists_, 0);
  BracesExpr made;
  made.is_dictionary = is('}');
  while (!is('}')) {
    const bool first = made.keys.empty();
    TESSERA_TRY(key, element());
    if (first) made.is_dictionary = is(':');
    std::vector<Expr> item = one_expr(std::move(key));
    if (made.is_dictionary) {
      if (!is(':')) return unexpected("':' behind the key of a dictionary");
      skip();
      TESSERA_TRY(value, expression());
      item.push_back(std::move(value));
    }
    if (first && is_word("for")) {
      using Kind = ComprehensionExpr::Kind;
      TESSERA_TRY(walked, comprehension(open.span.begin, made.is_dictionary ? Kind::dictionary : Kind::set, std::move(item)));
      colon_ends_ = outer_colon;
      open_lists_ = outer_lists;
      TESSERA_CHECK(close('}', open, ""));
      return walked;
    }
    if (made.is_dictionary) made.values.push_back(std::move(item.back()));
    made.keys.push_back(std::move(item.front()));
    if (!is(',')) break;
    skip();
  }
  colon_ends_ = outer_colon;
  open_lists_ = outer_lists;
  TESSERA_CHECK(close('}', open, "',' or "));
  return Expr{since(open.span.begin), std::move(made)};
}

// At the first `for`; up to what closes the brackets around it.
Result<Expr> Parser::comprehension(std::size_t begin, ComprehensionExpr::Kind kind, std::vector<Expr> element) {
  ComprehensionExpr made;
  made.kind = kind;
  made.element = std::move(element);
  const bool outer_colon = std::exchange(colon_ends_, false);
  while (is_word("for")) {
    skip();
    ComprehensionExpr::Loop loop;
    TESSERA_TRY(names, target());
    loop.target = one_expr(std::move(names));
    if (!is_word("in")) return unexpected("'in' and what the loop walks over");
    skip();
    TESSERA_TRY(over, logical(1));
    loop.over = one_expr(std::move(over));
    while (is_word("if")) {
      skip();
      TESSERA_TRY(condition, logical(1));
      loop.conditions.push_back(std::move(condition));
    }
    made.loops.push_back(std::move(loop));
  }
  colon_ends_ = outer_colon;
  return Expr{since(begin), std::move(made)};
}

// x, (x, y) and x, y in front of the `in` of a loop.
Result<Expr> Parser::target() {
  const Deeper deeper(depth_);
  TESSERA_CHECK(check_depth());
  const std::size_t begin = now().span.begin;
  const bool closed = is('(') || is('[');
  const Token& open = now();
  const char closing = is('(') ? ')' : ']';
  if (closed) skip();
  TupleExpr made;
  bool comma = false;
  do {
    comma = !made.elements.empty();
    if (comma) skip();
    if (is(closing) || is_word("in")) break;
    if (is('(') || is('[')) {
      TESSERA_TRY(inner, target());
      made.elements.push_back(std::move(inner));
    } else if (now().kind == Token::Kind::name || now().kind == Token::Kind::underscore) {
      const SourceSpan name = take().span;
      made.elements.push_back(Expr{name, NameExpr{text_of(name)}});
    } else {
      return unexpected("a name that the loop gives its values");
    }
  } while (is(','));
  if (closed) TESSERA_CHECK(close(closing, open, "',' or "));
  if (made.elements.size() == 1 && !comma) return std::move(made.elements[0]);
  return Expr{since(begin), std::move(made)};
}

Result<Expr> Parser::lambda() {
  const std::size_t begin = take().span.begin;
  LambdaExpr made;
  while (now().kind == Token::Kind::name) {
    made.parameters.push_back(text_of(take().span));
    if (is('=')) return error("a lambda with values for its parameters is not read", "define a function");
    if (!is(',')) break;
    skip();
  }
  if (!is(':')) return unexpected("':' and what the lambda gives");
  skip();
  TESSERA_TRY(body, expression());
  made.body = body.span;
  return Expr{since(begin), std::move(made)};
}

}  // namespace tessera
