// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: operators. `//` is rounded down, also where a side is negative, and `%` with it, as in Python; C++'s `/` and `%` go towards
// zero. dialect.hpp has what else differs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/lang/builtins/call.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/converted.hpp"
#include "core/lang/values/members.hpp"
#include "core/lang/values/value_size.hpp"

namespace tessera {
namespace {

std::string_view spelled(char symbol) {
  switch (symbol) {
    case op::kFloorDivide: return "//";
    case op::kPower: return "**";
    case op::kEqual: return "==";
    case op::kNotEqual: return "!=";
    case op::kLessEqual: return "<=";
    case op::kGreaterEqual: return ">=";
    case op::kIs: return "is";
    case op::kIsNot: return "is not";
    case op::kIn: return "in";
    case op::kNotIn: return "not in";
    case op::kAnd: return "and";
    case op::kOr: return "or";
    case op::kShiftLeft: return "<<";
    case op::kShiftRight: return ">>";
    case '!': return "not";
    case '+': return "+";
    case '-': return "-";
    case '*': return "*";
    case '/': return "/";
    case '%': return "%";
    case '<': return "<";
    case '>': return ">";
    case '&': return "&";
    case '|': return "|";
    case '^': return "^";
    case '~': return "~";
    default: return "?";
  }
}

// The integer that an operand is; parentheses around one change nothing here.
std::optional<std::int64_t> integer_of(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value.any)) return *truth ? 1 : 0;
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (!tuple) return std::nullopt;
  if (tuple->is_int()) return tuple->value();
  if (tuple->is_tuple() && tuple->rank() == 1 && (*tuple)[0].is_int()) return (*tuple)[0].value();
  return std::nullopt;
}

// A number computed from these operands: dynamic where one of them is, as in C++.
IntTuple number_from(std::int64_t made, const Value& a, const Value& b) {
  const auto dynamic = [](const Value& value) {
    const auto* tuple = std::get_if<IntTuple>(&value.any);
    return tuple && !is_static(*tuple);
  };
  return IntTuple::marked(made, dynamic(a) || dynamic(b) ? marks::kDynamic : marks::kStatic);
}

// C++'s usual conversions: the type in which two operands are computed, where one of them has a type that was written. Nothing: in ours.
std::optional<NumberType> common_type(const Value& a, const Value& b) {
  if (current_dialect() != Dialect::cpp || !(a.number || b.number)) return std::nullopt;
  const auto promoted = [](const Value& value) -> NumberType {
    if (value.number && value.number->kind == NumberType::Kind::real) return *value.number;
    if (std::holds_alternative<double>(value.any)) return {NumberType::Kind::real, 64, true};
    if (value.number && value.number->bits >= 32) return *value.number;
    const auto* tuple = std::get_if<IntTuple>(&value.any);
    constexpr std::int64_t kLargestInt = 2147483647;
    const bool is_long = tuple && tuple->is_int() && (tuple->value() > kLargestInt || tuple->value() < -kLargestInt - 1);
    return {NumberType::Kind::integer, is_long ? 64 : 32, true};
  };
  const NumberType x = promoted(a), y = promoted(b);
  if (x.kind != y.kind) return x.kind == NumberType::Kind::real ? x : y;
  if (x.bits != y.bits) return x.bits > y.bits ? x : y;
  return x.has_sign ? y : x;
}

// A number of that type, or why there is none: what a signed type does not hold has no meaning in C++.
Result<std::int64_t> number_in(NumberType type, std::int64_t made, char symbol) {
  const std::int64_t low = wrapped(made, type);
  if (low == made && (type.has_sign || made >= 0)) return made;
  if (!type.has_sign || symbol == op::kShiftLeft) {
    if (low >= 0 || type.has_sign) return low;
    return Error{ErrorCode::overflow, "this unsigned number of 64 bits is larger than the largest that is followed, 2^63-1", {}, {}};
  }
  return Error{ErrorCode::overflow, fmt::format("{} leaves the {} bits of its type, which has no meaning in C++", made, type.bits), {}, {}};
}

Error leaves_64_bits(std::int64_t a, char symbol, std::int64_t b) {
  return {ErrorCode::overflow, fmt::format("{} {} {} leaves 64 bits", a, spelled(symbol), b), {}, {}};
}

Result<std::int64_t> divide(std::int64_t a, char symbol, std::int64_t b) {
  if (b == 0) return Error{ErrorCode::out_of_range, fmt::format("{} {} 0: nothing is divided by zero", a, spelled(symbol)), {}, {}};
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1) return leaves_64_bits(a, symbol, b);
  const std::int64_t toward_zero = a / b, rest = a % b;
  if (symbol == '/') return toward_zero;
  if (symbol == '%' && current_dialect() == Dialect::cpp) return rest;
  const bool below = rest != 0 && (rest < 0) != (b < 0);
  if (symbol == '%') return below ? rest + b : rest;
  return toward_zero - (below ? 1 : 0);
}

Result<std::int64_t> shift(std::int64_t a, char symbol, std::int64_t b) {
  if (b < 0 || b > 62)
    return Error{ErrorCode::out_of_range, fmt::format("{} {} {}: bits are shifted by 0 to 62", a, spelled(symbol), b), {}, {}};
  if (symbol == op::kShiftRight) return a >> b;
  if (const auto product = checked_mul(a, std::int64_t{1} << b)) return *product;
  return leaves_64_bits(a, symbol, b);
}

Result<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0)
    return Error{ErrorCode::out_of_range, fmt::format("{} ** {}: the exponent of an integer is at least 0", base, exponent), {}, {}};
  std::int64_t made = 1;
  for (std::int64_t i = 0; i < exponent && made != 0; ++i) {
    const auto product = checked_mul(made, base);
    if (!product) return leaves_64_bits(base, op::kPower, exponent);
    if (*product == made) break;  // powers of 1
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    made = *product;
  }
  return made;
}

Result<std::int64_t> of_integers(std::int64_t a, char symbol, std::int64_t b) {
  std::optional<std::int64_t> made;
  switch (symbol) {
    case '+': made = checked_add(a, b); break;
    case '-': {
      std::int64_t difference = 0;
      if (!__builtin_sub_overflow(a, b, &difference)) made = difference;
      break;
    }
    case '*': made = checked_mul(a, b); break;
    case '/':
    case '%':
    case op::kFloorDivide: return divide(a, symbol, b);
    case op::kShiftLeft:
    case op::kShiftRight: return shift(a, symbol, b);
    case op::kPower: return power(a, b);
    case '&': return a & b;
    case '|': return a | b;
    default: return a ^ b;
  }
  if (made) return *made;
  return leaves_64_bits(a, symbol, b);
}

bool compares(char symbol) {
  return symbol == op::kEqual || symbol == op::kNotEqual || symbol == '<' || symbol == '>' || symbol == op::kLessEqual ||
         symbol == op::kGreaterEqual || symbol == op::kIs || symbol == op::kIsNot || symbol == op::kIn || symbol == op::kNotIn;
}

Error operands_error(const Value& a, char symbol, const Value& b, bool left_fits) {
  return {ErrorCode::wrong_type,
          fmt::format("`{}` takes two integers, but on its {} stands {}", spelled(symbol), left_fits ? "right" : "left",
                      described(left_fits ? b : a)),
          {},
          {}};
}

Result<bool> compare(const Value& a, char symbol, const Value& b);

bool is_none(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return tuple && tuple->is_underscore();
}

// Python's `is`: two names of one object. Of None, truth values, numbers and words the value tells it; of other objects nothing does.
Result<bool> are_one(const Value& a, const Value& b) {
  if (is_none(a) || is_none(b)) return is_none(a) && is_none(b);
  const auto told = [](const Value& value) {
    return std::holds_alternative<bool>(value.any) || std::holds_alternative<std::string>(value.any) || as_number(value).operator bool();
  };
  if (told(a) != told(b) || a.any.index() != b.any.index()) return false;
  if (told(a)) return to_string(a) == to_string(b);
  if (to_string(a) != to_string(b)) return false;
  return Error{ErrorCode::wrong_type,
               fmt::format("`is` asks whether two names are of one object, which two of {} may be or not", described(a)),
               {},
               {"`==` compares their values"}};
}

// Python's `in`: an item of a tuple, a part of a word.
Result<bool> is_in(const Value& a, const Value& b) {
  const auto *part = std::get_if<std::string>(&a.any), *whole = std::get_if<std::string>(&b.any);
  if (part && whole) return whole->find(*part) != std::string::npos;
  TESSERA_TRY(items, iterated(b));
  for (const Value& each : items) {
    TESSERA_TRY(same, compare(a, op::kEqual, each));
    if (same) return true;
  }
  return false;
}

Result<bool> compare(const Value& a, char symbol, const Value& b) {
  if (symbol == op::kIs || symbol == op::kIsNot) {
    TESSERA_TRY(one, are_one(a, b));
    return one == (symbol == op::kIs);
  }
  if (symbol == op::kIn || symbol == op::kNotIn) {
    TESSERA_TRY(in, is_in(a, b));
    return in == (symbol == op::kIn);
  }
  const bool numbers = as_number(a).operator bool() && as_number(b).operator bool();
  if (!numbers && (symbol == op::kEqual || symbol == op::kNotEqual)) {
    const auto x = integer_of(a), y = integer_of(b);
    const bool same = x && y ? *x == *y : to_string(a) == to_string(b);
    return same == (symbol == op::kEqual);
  }
  auto x = integer_of(a), y = integer_of(b);
  const std::optional<NumberType> type = common_type(a, b);
  if (type && x && y && type->kind == NumberType::Kind::integer) x = wrapped(*x, *type), y = wrapped(*y, *type);
  const auto holds = [symbol](auto l, auto r) {
    switch (symbol) {
      case op::kEqual: return l == r;
      case op::kNotEqual: return l != r;
      case '<': return l < r;
      case '>': return l > r;
      case op::kLessEqual: return l <= r;
      default: return l >= r;
    }
  };
  if (x && y && type && !type->has_sign) return holds(static_cast<std::uint64_t>(*x), static_cast<std::uint64_t>(*y));
  if (x && y) return holds(*x, *y);
  if (numbers) return holds(as_number(a).value(), as_number(b).value());
  return operands_error(a, symbol, b, x.has_value());
}

// Tuples of Python: (1,2) + (3,) joins, (0,) * 3 repeats. A basis stride is multiplied as CuTe does.
Result<std::optional<Value>> of_tuples(const Value& a, char symbol, const Value& b) {
  const auto *x = std::get_if<IntTuple>(&a.any), *y = std::get_if<IntTuple>(&b.any);
  if (symbol == '+' && x && y && x->is_tuple() && y->is_tuple()) {
    std::vector<IntTuple> modes(x->modes().begin(), x->modes().end());
    modes.insert(modes.end(), y->modes().begin(), y->modes().end());
    TESSERA_CHECK(check_leaves(Value{IntTuple::tuple(modes)}));
    return std::optional(Value{IntTuple::tuple(std::move(modes))});
  }
  // CuTe's documentation writes shape / n and shape % n.
  if ((symbol == '/' || symbol == '%') && x && y && x->is_tuple() && x->rank() > 1 && !has_underscore(*x) && !has_basis(*x)) {
    TESSERA_TRY(made, symbol == '/' ? shape_div(*x, *y) : shape_mod(*x, *y));
    return std::optional(Value{std::move(made)});
  }
  if (symbol != '*') return std::optional<Value>();
  if (y && !x) return of_tuples(b, symbol, a);
  if (x && y && x->is_int() && (y->is_tuple() || y->is_basis())) return of_tuples(b, symbol, a);
  if (!x || !y || !y->is_int()) return std::optional<Value>();
  if (x->is_basis()) {
    if (const auto product = checked_mul(x->value(), y->value()))
      return std::optional(Value{IntTuple::basis(*product, x->path().marked(marks_of(*x, *y)))});
    return leaves_64_bits(x->value(), symbol, y->value());
  }
  if (!x->is_tuple() || x->rank() < 1) return std::optional<Value>();
  constexpr std::int64_t kMostModes = 4096;
  const std::int64_t times = std::max<std::int64_t>(y->value(), 0);
  if (times > kMostModes / static_cast<std::int64_t>(x->rank()))
    return Error{ErrorCode::limit, fmt::format("a tuple that is repeated has at most {} modes", kMostModes), {}, {}};
  std::vector<IntTuple> modes;
  for (std::int64_t i = 0; i < times; ++i) modes.insert(modes.end(), x->modes().begin(), x->modes().end());
  return std::optional(Value{IntTuple::tuple(std::move(modes))});
}

Result<Value> of_values(const Value& a, char symbol, const Value& b) {
  if (compares(symbol)) {
    TESSERA_TRY(holds, compare(a, symbol, b));
    return Value{holds};
  }
  const auto x = integer_of(a), y = integer_of(b);
  const bool parts_of_tuples = symbol == '+' || symbol == '*' || symbol == '/' || symbol == '%';
  if (parts_of_tuples && !(std::get_if<IntTuple>(&a.any) && std::get<IntTuple>(a.any).is_int() && y)) {
    TESSERA_TRY(tuple, of_tuples(a, symbol, b));
    if (tuple) return std::move(*tuple);
  }
  const bool true_division = symbol == '/' && current_dialect() == Dialect::python && x && y && *y != 0 && *x % *y != 0;
  if (x && y && !true_division) {
    const bool shifts = symbol == op::kShiftLeft || symbol == op::kShiftRight;
    const std::optional<NumberType> type = shifts ? common_type(a, a) : common_type(a, b);
    if (type && type->kind == NumberType::Kind::integer) {
      TESSERA_TRY(left, number_in(*type, *x, op::kShiftLeft));
      TESSERA_TRY(right, shifts ? Result<std::int64_t>(*y) : number_in(*type, *y, op::kShiftLeft));
      if (shifts && (right < 0 || right >= type->bits))
        return Error{ErrorCode::out_of_range, fmt::format("{} bits of a number of {} are shifted", right, type->bits), {}, {}};
      const bool multiplies = symbol == '*' && !type->has_sign && type->bits == 32;  // of which the lowest bits count
      TESSERA_TRY(made, multiplies ? Result<std::int64_t>(
                                         static_cast<std::int64_t>(static_cast<std::uint64_t>(left) * static_cast<std::uint64_t>(right)))
                                   : of_integers(left, symbol, right));
      TESSERA_TRY(held, number_in(*type, made, symbol));
      Value value{number_from(held, a, b)};
      value.number = *type;
      return value;
    }
    TESSERA_TRY(made, of_integers(*x, symbol, *y));
    return Value{number_from(made, a, b)};
  }
  if (const auto* pointer = std::get_if<Pointer>(&a.any); pointer && y && symbol == '+') {
    Pointer made = *pointer;
    TESSERA_TRY(sum, of_integers(pointer->offset, '+', *y));
    made.offset = sum;
    return Value{made};
  }
  const auto l = as_number(a), r = as_number(b);
  if (l && r && (std::string_view("+-*/").find(symbol) != std::string_view::npos || symbol == op::kFloorDivide)) {
    if (symbol == op::kFloorDivide && *r != 0) return Value{std::floor(*l / *r)};
    if ((symbol == '/' || symbol == op::kFloorDivide) && *r == 0)
      return Error{ErrorCode::out_of_range, "nothing is divided by zero", {}, {}};
    Value made{symbol == '+' ? *l + *r : symbol == '-' ? *l - *r : symbol == '*' ? *l * *r : *l / *r};
    const std::optional<NumberType> type = common_type(a, b);
    return type ? converted(std::move(made), *type) : made;
  }
  return operands_error(a, symbol, b, x.has_value());
}

Result<bool> truth_of(const Value& value) {
  if (const auto number = integer_of(value)) return *number != 0;
  if (const auto* tuple = std::get_if<IntTuple>(&value.any); tuple && tuple->is_underscore()) return false;  // Python's None
  return as_bool(value);
}

}  // namespace

Result<bool> Evaluator::truth(const Expr& expr) {
  TESSERA_TRY(made, value(expr));
  return at(expr.span, truth_of(made));
}

Result<Value> Evaluator::unary(const UnaryExpr& expr, SourceSpan span) {
  if (expr.symbol == '!') {
    TESSERA_TRY(holds, truth(expr.operand[0]));
    return Value{!holds};
  }
  TESSERA_TRY(operand, value(expr.operand[0]));
  if (expr.symbol == '+') return operand;
  if (const auto* number = std::get_if<double>(&operand.any); number && expr.symbol == '-') return Value{-*number};
  const auto number = integer_of(operand);
  if (!number)
    return Error{
        ErrorCode::wrong_type, fmt::format("`{}` takes an integer, but this is {}", spelled(expr.symbol), described(operand)), span, {}};
  const std::optional<NumberType> type = common_type(operand, operand);
  Result<std::int64_t> made = expr.symbol == '~' ? Result<std::int64_t>(~*number) : of_integers(0, '-', *number);
  if (made && type) made = number_in(*type, *made, expr.symbol);
  if (!made) return std::move(std::move(made).error()).at(span);
  Value value{number_from(*made, operand, operand)};
  value.number = type;
  return value;
}

// C++'s && and || make a truth value; Python's words give the operand that decides.
Result<Value> Evaluator::joined(const ArithmeticExpr& expr) {
  const bool either = expr.operations[0].symbol == op::kOr;
  const bool gives_operand = current_dialect() != Dialect::cpp && text_of(expr.operations[0].span) == (either ? "or" : "and");
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    TESSERA_TRY(operand, value(expr.operands[i]));
    TESSERA_TRY(holds, at(expr.operands[i].span, truth_of(operand)));
    if (holds != either && i + 1 < expr.operands.size()) continue;
    if (gives_operand) return operand;
    return Value{holds};
  }
  return Value{!either};
}

Result<Value> Evaluator::arithmetic(const ArithmeticExpr& expr) {
  const char first_symbol = expr.operations[0].symbol;
  if (first_symbol == op::kAnd || first_symbol == op::kOr) return joined(expr);
  const bool chains = compares(first_symbol) && current_dialect() != Dialect::cpp;
  Result<Value> result = value(expr.operands[0]);
  bool holds = true;
  for (std::size_t i = 0; i < expr.operations.size(); ++i) {
    const ArithmeticExpr::Operation& operation = expr.operations[i];
    if (!result) return result;
    Result<Value> operand = value(expr.operands[i + 1]);
    const bool floors = operation.symbol == op::kFloorDivide && as_number(*result);
    if (!operand) {
      if (trace_ && floors && operand.error().code == ErrorCode::unknown_name) trace_->no_right = operand.error();
      return operand;
    }
    if (trace_ && floors && as_number(*operand)) trace_->done.push_back(operation.span.begin);
    Result<Value> next = at(operation.span, of_values(*result, operation.symbol, *operand));
    if (!next) return next;
    if (!chains) {
      result = std::move(next);
      continue;
    }
    holds = holds && std::get<bool>(next->any);  // 0 <= x < 8 compares neighbours
    result = std::move(operand);
  }
  return chains ? Value{holds} : std::move(result);
}

}  // namespace tessera
