// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/parser.hpp"
#include "core/lang/syntax/limits.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/expr_parser.hpp"

namespace tessera {
namespace {

Expr conditional(SourceSpan span, Expr condition, Expr then, Expr other) {
  ConditionalExpr made;
  made.parts.reserve(3);
  made.parts.push_back(std::move(condition));
  made.parts.push_back(std::move(then));
  made.parts.push_back(std::move(other));
  return Expr{span, std::move(made)};
}

PairExpr both_of(Expr shape, Expr stride) {
  PairExpr both;
  both.shape_and_stride.reserve(2);
  both.shape_and_stride.push_back(std::move(shape));
  both.shape_and_stride.push_back(std::move(stride));
  return both;
}

}  // namespace

Result<Expr> Parser::run() {
  if (at_end()) return error("an expression is missing", "write a layout such as (4,8):(8,1)");
  skip_declaration();
  TESSERA_TRY(expr, expression());
  if (is(';')) skip();
  if (!at_end()) return unexpected("the end of the expression");
  return expr;
}

Status Parser::check_depth() const {
  if (depth_ <= kDeepestNesting) return Done{};
  return Error{
      ErrorCode::limit, fmt::format("brackets are nested deeper than {}, the limit of this language", kDeepestNesting), now().span, {}};
}

Result<Expr> Parser::expression() {
  const Deeper deeper(depth_);
  TESSERA_CHECK(check_depth());
  const std::size_t begin = now().span.begin;
  if (is_python() && is_word("lambda")) return lambda();
  TESSERA_TRY(first, logical(1));
  if (is('?')) {
    skip();
    const bool outer = std::exchange(colon_ends_, true);
    Result<Expr> second = expression();
    colon_ends_ = outer;
    if (!second) return second;
    if (!is(':')) return unexpected("':' and the other value of '?'");
    skip();
    TESSERA_TRY(third, expression());
    return conditional(since(begin), std::move(first), std::move(*second), std::move(third));
  }
  if (is_word("if")) {
    skip();
    TESSERA_TRY(condition, logical(1));
    if (!is_word("else")) return unexpected("'else' and the other value of 'if'");
    skip();
    TESSERA_TRY(other, expression());
    return conditional(since(begin), std::move(condition), std::move(first), std::move(other));
  }
  return first;
}

// As an operand (8) is the number 8, and (x) is x; (8,) and what is no operand stay tuples.
Expr Parser::as_operand(Expr expr) const {
  if (auto* tuple = std::get_if<TupleExpr>(&expr.node)) {
    if (!tuple->may_group) return expr;
    Expr inside = std::move(tuple->elements[0]);
    return as_operand(std::move(inside));
  }
  const auto* leaf = std::get_if<LeafExpr>(&expr.node);
  if (!leaf || !leaf->value.is_tuple() || leaf->value.rank() != 1) return expr;
  const std::string_view written = text_of(expr.span);
  if (!written.starts_with('(') || !written.ends_with(')')) return expr;
  const std::string_view inside = written.substr(1, written.size() - 2);
  if (inside.empty() || inside.substr(0, inside.find_last_not_of(" \t\r\n") + 1).ends_with(',')) return expr;
  return as_operand(Expr{{expr.span.begin + 1, expr.span.end - 1}, LeafExpr{leaf->value[0]}});
}

// Operators of one level are read from left to right, those of a higher level first. `infix_here` gives the operator at the token, and
// `operand(level)` what stands between two of them.
template <class InfixHere, class Operand>
Result<Expr> Parser::operators(int lowest, Expr first, std::size_t begin, InfixHere infix_here, Operand operand) {
  for (Infix infix = infix_here(); infix.level >= lowest; infix = infix_here()) {
    const int level = infix.level;
    ArithmeticExpr made;
    made.operands.push_back(as_operand(std::move(first)));
    for (; infix.level == level; infix = infix_here()) {
      const std::size_t at = now().span.begin;
      const bool of_two_tokens = infix.symbol == op::kShiftRight || infix.symbol == op::kIsNot || infix.symbol == op::kNotIn;
      skip(of_two_tokens ? 2 : 1);
      made.operations.push_back({infix.symbol, since(at)});
      TESSERA_TRY(next_operand, operand(level + 1));
      made.operands.push_back(as_operand(std::move(next_operand)));
    }
    first = Expr{since(begin), std::move(made)};
  }
  return first;
}

namespace {

// Levels of what stands around the arithmetic. C++ compares before it joins bits, Python after.
enum Level { kOrLevel = 1, kAndLevel, kNotLevel, kBitOrLevel = 3, kBitXorLevel, kBitAndLevel, kEqualLevel, kCompareLevel };

// & ^ | by their level among themselves: 1, 2, 3
int bit_level(char symbol) { return symbol == '|' ? 1 : symbol == '^' ? 2 : symbol == '&' ? 3 : 0; }

}  // namespace

// or, and, comparisons; in C++ also & ^ |
Parser::Infix Parser::logical_here() const {
  if (now().kind == Token::Kind::name) {
    if (is_word("or")) return {op::kOr, kOrLevel};
    if (is_word("and")) return {op::kAnd, kAndLevel};
    if (current_dialect() == Dialect::cpp) return {};
    const auto next_word = [&](std::string_view word) { return next().kind == Token::Kind::name && text_of(next().span) == word; };
    // What has no sign of its language may be words: "a is 4" is no comparison, "a is None" is one.
    const bool compares = current_dialect() == Dialect::python || next_word("not") || next_word("None");
    if (is_word("is") && compares) return {next_word("not") ? op::kIsNot : op::kIs, kCompareLevel};
    if (is_word("in")) return {op::kIn, kCompareLevel};
    if (is_word("not") && next_word("in")) return {op::kNotIn, kCompareLevel};
    return {};
  }
  if (now().kind != Token::Kind::symbol) return {};
  const bool cpp = current_dialect() == Dialect::cpp;
  switch (const char symbol = now().symbol) {
    case op::kOr: return {symbol, kOrLevel};
    case op::kAnd: return behind_type_sign() ? Infix{} : Infix{symbol, kAndLevel};
    case '<': return opens_list() ? Infix{} : Infix{symbol, kCompareLevel};
    case '>': return open_lists_ > 0 ? Infix{} : Infix{symbol, kCompareLevel};
    case op::kEqual:
    case op::kNotEqual: return {symbol, cpp ? kEqualLevel : kCompareLevel};
    case op::kLessEqual:
    case op::kGreaterEqual: return {symbol, kCompareLevel};
    case '&':
    case '^':
    case '|': return !cpp || behind_type_sign() ? Infix{} : Infix{symbol, kBitOrLevel - 1 + bit_level(symbol)};
    default: return {};
  }
}

// & ^ |, shifts, sums, products
Parser::Infix Parser::arithmetic_here() const {
  if (now().kind != Token::Kind::symbol) return {};
  switch (const char symbol = now().symbol) {
    case '&':
    case '^':
    case '|': return current_dialect() == Dialect::cpp || behind_type_sign() ? Infix{} : Infix{symbol, bit_level(symbol)};
    case op::kShiftLeft: return {symbol, 4};
    case '>': return open_lists_ == 0 && is_shift_right() ? Infix{op::kShiftRight, 4} : Infix{};
    case '+':
    case '-': return {symbol, 5};
    case '*': return behind_type_sign() ? Infix{} : Infix{symbol, 6};
    case '/':
    case '%':
    case op::kFloorDivide: return {symbol, 6};
    default: return {};
  }
}

Result<Expr> Parser::logical(int lowest) {
  const std::size_t begin = now().span.begin;
  if (is_word("not")) {
    const Deeper deeper(depth_);
    TESSERA_CHECK(check_depth());
    skip();
    TESSERA_TRY(operand, logical(kNotLevel));
    Expr negated{since(begin), UnaryExpr{'!', one_expr(std::move(operand))}};
    return operators(
        lowest, std::move(negated), begin, [this] { return logical_here(); }, [this](int level) { return logical(level); });
  }
  TESSERA_TRY(first, composed());
  return operators(
      lowest, std::move(first), begin, [this] { return logical_here(); }, [this](int level) { return logical(level); });
}

// Reference and pointer signs behind a type are no operators.
bool Parser::behind_type_sign() const {
  return next_is(',') || next_is('>') || next_is(')') || next_is('}') || next().kind == Token::Kind::end;
}

Result<Expr> Parser::arithmetic(int lowest) {
  const std::size_t begin = now().span.begin;
  TESSERA_TRY(first, unary());
  return operators(
      lowest, std::move(first), begin, [this] { return arithmetic_here(); }, [this](int level) { return arithmetic(level); });
}

Result<Expr> Parser::composed() {
  const std::size_t begin = now().span.begin;
  TESSERA_TRY(first, pair());
  // Sw<3,4,3>_smem_ptr[16b](0x..) o L is how CuTe prints a swizzled tensor: the pointer swizzles the layout's addresses.
  const bool swizzled_pointer = std::holds_alternative<TemplateExpr>(first.node) && now().kind == Token::Kind::name &&
                                text_of(now().span).starts_with("_") && next_is('[');
  std::vector<Expr> parts = one_expr(std::move(first));
  if (is_o() || is(op::kCompose) || is(op::kLogicalDivide) || is(op::kLogicalProduct)) parts[0] = as_operand(std::move(parts[0]));
  if (swizzled_pointer) {
    const Token& name = take();
    TESSERA_TRY(part, pointer(text_of(name.span), name));
    parts.push_back(std::move(part));
    if (!is_o()) return unexpected("'o' and the layout behind the pointer");
  }
  const auto joined = [&] {
    if (parts.size() == 1) return std::move(parts.front());
    return Expr{since(begin), ComposeExpr{std::move(parts)}};
  };
  for (;;) {
    if (is_o() || is(op::kCompose)) {
      skip();
      TESSERA_TRY(part, pair());
      parts.push_back(as_operand(std::move(part)));
    } else if (is(op::kLogicalDivide) || is(op::kLogicalProduct)) {
      const Token& symbol = take();
      Expr left = joined();
      TESSERA_TRY(right, pair());
      CallExpr call{symbol.symbol == op::kLogicalDivide ? "logical_divide" : "logical_product", symbol.span, {{}, {}}, {}};
      call.arguments = {Argument{{}, {}, 0}, Argument{{}, {}, 1}};
      call.values.push_back(std::move(left));
      call.values.push_back(std::move(right));
      parts = one_expr(Expr{since(begin), std::move(call)});
    } else {
      return joined();
    }
  }
}

Result<Expr> Parser::pair() {
  const std::size_t begin = now().span.begin;
  TESSERA_TRY(shape, arithmetic(1));
  if (!is(':') || colon_ends_) return shape;
  skip();
  TESSERA_TRY(stride, arithmetic(1));
  if (is(':')) return error("a layout has one ':' between shape and stride");
  // (4,8):(8,1)(2,3) calls the layout, not its stride.
  auto* call = std::get_if<ApplyExpr>(&stride.node);
  const bool calls_layout = call && std::holds_alternative<LeafExpr>(call->callee[0].node);
  if (calls_layout) {
    Expr only = std::move(call->callee[0]);
    ApplyExpr made = std::move(*call);
    made.callee = one_expr(Expr{{begin, only.span.end}, both_of(std::move(shape), std::move(only))});
    return Expr{since(begin), std::move(made)};
  }
  return Expr{since(begin), both_of(std::move(shape), std::move(stride))};
}

// *reinterpret_cast<SharedStorage*>(shared_memory): a struct, of which only its place is known.
bool Parser::is_struct_in_memory() const {
  return current_dialect() == Dialect::cpp && is('*') && next().kind == Token::Kind::name && text_of(next().span) == "reinterpret_cast";
}

Result<Expr> Parser::unary() {
  if (is_struct_in_memory()) {
    const Token& star = take();
    TESSERA_TRY(cast, postfix());
    CallExpr storage{"shared_storage", star.span, {}, {}};
    // Of reinterpret_cast<T*>(p) the last value is the type.
    if (auto* call = std::get_if<CallExpr>(&cast.node); call && call->templates == 1 && call->values.size() == 2) {
      storage.arguments.push_back({{}, {}, 0});
      storage.values.push_back(std::move(call->values.back()));
    }
    return Expr{since(star.span.begin), std::move(storage)};
  }
  if (one_of("-+!~&") == 0) return power();
  const Deeper deeper(depth_);
  TESSERA_CHECK(check_depth());
  const Token& sign = take();
  TESSERA_TRY(operand, unary());
  if (sign.symbol == '&') return operand;  // an address: the object that is meant
  return Expr{since(sign.span.begin), UnaryExpr{sign.symbol, one_expr(as_operand(std::move(operand)))}};
}

// Python's a ** b, which binds more tightly than the sign in front of it, and from right to left.
Result<Expr> Parser::power() {
  const std::size_t begin = now().span.begin;
  const bool is_negative = now().kind == Token::Kind::integer && text_of(now().span).starts_with('-');
  TESSERA_TRY(base, postfix());
  if (!is(op::kPower)) return base;
  if (is_negative) return error("a sign in front of `**` needs parentheses", "write -(2**4) or (-2)**4");
  const Deeper deeper(depth_);
  TESSERA_CHECK(check_depth());
  const std::size_t at = now().span.begin;
  skip();
  ArithmeticExpr made;
  made.operations.push_back({op::kPower, since(at)});
  made.operands.push_back(as_operand(std::move(base)));
  TESSERA_TRY(exponent, unary());
  made.operands.push_back(as_operand(std::move(exponent)));
  return Expr{since(begin), std::move(made)};
}

Result<Expr> parse_expression(std::string_view text, std::span<const std::size_t> divisions) {
  if (text.size() > kLongestText) {
    return Error{
        ErrorCode::limit, fmt::format("the expression has {} bytes; the limit is {}", text.size(), kLongestText), SourceSpan{0, 1}, {}};
  }
  TESSERA_TRY(tokens, tokenize(text, divisions));
  return Parser(text, std::move(tokens)).run();
}

}  // namespace tessera
