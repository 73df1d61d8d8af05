// SPDX-License-Identifier: BSD-3-Clause
// Evaluator: `//` and `*` of integers, with Python's meaning of a division: rounded down, also where a side is negative.
#include <limits>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/lang/convert.hpp"
#include "core/lang/evaluator.hpp"

namespace tessera {
namespace {

// The integer that an operand is; parentheses around one change nothing here.
std::optional<std::int64_t> integer_of(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (!tuple) return std::nullopt;
  if (tuple->is_int()) return tuple->value();
  if (tuple->is_tuple() && tuple->rank() == 1 && (*tuple)[0].is_int()) return (*tuple)[0].value();
  return std::nullopt;
}

Result<std::int64_t> divide_down(std::int64_t a, std::int64_t b) {
  if (b == 0) return Error{ErrorCode::out_of_range, fmt::format("{} // 0: nothing is divided by zero", a), {}, {}};
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1)
    return Error{ErrorCode::overflow, fmt::format("{} // -1 leaves 64 bits", a), {}, {}};
  const std::int64_t toward_zero = a / b;
  return toward_zero - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Result<std::int64_t> multiply(std::int64_t a, std::int64_t b) {
  if (const auto product = checked_mul(a, b)) return *product;
  return Error{ErrorCode::overflow, fmt::format("{} * {} leaves 64 bits", a, b), {}, {}};
}

}  // namespace

Result<Value> Evaluator::arithmetic(const ArithmeticExpr& expr) {
  std::int64_t result = 0;
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    Result<Value> operand = value(expr.operands[i]);
    const ArithmeticExpr::Operation& operation = expr.operations[i == 0 ? 0 : i - 1];
    if (!operand) {
      const bool no_right = i > 0 && operation.symbol == '/' && operand.error().code == ErrorCode::unknown_name;
      if (trace_ && no_right) trace_->no_right = operand.error();
      return operand;
    }
    const std::optional<std::int64_t> number = integer_of(*operand);
    if (!number) {
      return Error{ErrorCode::wrong_type,
                   fmt::format("`{}` takes two integers, but on its {} stands {}", operation.symbol == '/' ? "//" : "*",
                               i == 0 ? "left" : "right", described(*operand)),
                   operation.span,
                   {}};
    }
    if (i == 0) {
      result = *number;
      continue;
    }
    if (trace_ && operation.symbol == '/') trace_->done.push_back(operation.span.begin);
    Result<std::int64_t> next = operation.symbol == '/' ? divide_down(result, *number) : multiply(result, *number);
    if (!next) return std::move(std::move(next).error()).at(operation.span);
    result = *next;
  }
  return Value{IntTuple(result)};
}

}  // namespace tessera
