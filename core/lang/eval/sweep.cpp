// SPDX-License-Identifier: BSD-3-Clause
// sweep(expression, p=32..56): the expression once for each value of its parameters, as a table. The expression is not evaluated before:
// it is text, or stands there as it is.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/overloaded.hpp"
#include "core/lang/eval/evaluate_expression.hpp"
#include "core/lang/eval/evaluator.hpp"
#include "core/lang/syntax/lexer.hpp"
#include "core/lang/values/members.hpp"

namespace tessera {
namespace {

constexpr std::size_t kMostPoints = 4096;      // of all parameters together
constexpr std::int64_t kCellsOfAPoint = 1024;  // its time in steps of a walk, about
constexpr std::string_view kStep = "step";     // of ranges; so no parameter's name

struct Parameter {
  std::string name;
  std::vector<Value> values;
};

using Facts = std::vector<std::pair<std::string_view, Report::Cell>>;

// What a value is in a table: a number, a truth, every fact of a report, or its text.
Facts facts_of(const Value& value) {
  if (const auto* report = std::get_if<std::shared_ptr<const Report>>(&value.any)) {
    Facts made;
    for (const Report::Fact& fact : (*report)->facts) made.emplace_back(fact.name, fact.value);
    return made;
  }
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (tuple && tuple->is_int()) return {{"value", tuple->value()}};
  if (const auto* real = std::get_if<double>(&value.any)) return {{"value", *real}};
  if (const auto* truth = std::get_if<bool>(&value.any)) return {{"value", *truth}};
  if (const auto* text = std::get_if<std::string>(&value.any)) return {{"value", *text}};
  return {{"value", to_string(value)}};
}

bool is_number(const Report::Cell& cell) { return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell); }

// Integers exactly: those above 2^53 are not all doubles.
bool is_less(const Report::Cell& a, const Report::Cell& b) {
  const auto *i = std::get_if<std::int64_t>(&a), *j = std::get_if<std::int64_t>(&b);
  if (i && j) return *i < *j;
  const auto real = [](const Report::Cell& cell) {
    const auto* integer = std::get_if<std::int64_t>(&cell);
    return integer ? static_cast<double>(*integer) : std::get<double>(cell);
  };
  return real(a) < real(b);
}

Error too_many_points(std::string_view name, std::size_t points) {
  return Error{ErrorCode::limit,
               fmt::format("{} makes more than {} points: the parameters before it have {} together", name, kMostPoints, points),
               {},
               {"take fewer values, or a larger step="}};
}

// The points of a sweep, and what the expression was at each of them.
class Table {
 public:
  explicit Table(const std::vector<Parameter>& parameters) : parameters_(parameters) {}

  void add(const std::vector<Value>& at, Result<Value> made) {
    points_.push_back({});
    for (const Value& value : at) points_.back().at.push_back(cell_of(value));
    if (made) {
      points_.back().facts = facts_of(*made);
      for (const auto& [name, cell] : points_.back().facts) {
        if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
      }
      return;
    }
    ++refused_;
    if (!first_refusal_)
      first_refusal_ = Error{made.error().code, at_text(points_.back()) + ": " + made.error().message, {}, made.error().notes};
  }

  Result<Report> report(std::string_view expression) && {
    if (names_.empty()) return std::move(*first_refusal_);
    Report made;
    made.kind = "sweep";
    made.of = std::string(expression);
    for (const Parameter& parameter : parameters_) made.columns.push_back(parameter.name);
    made.parameters = parameters_.size();
    made.columns.insert(made.columns.end(), names_.begin(), names_.end());
    for (const Point& point : points_) made.rows.push_back(row_of(point));
    made.facts = {{"points", static_cast<std::int64_t>(points_.size())}, {"refused", refused_}};
    made.sentence = fmt::format("{}: {} points", expression, points_.size());
    add_extremes(made);
    if (refused_ > 0) made.notes.push_back(fmt::format("refused at {} of them; the first: {}", refused_, first_refusal_->message));
    return made;
  }

 private:
  struct Point {
    std::vector<Report::Cell> at;
    Facts facts;  // none: refused
  };

  static const Report::Cell* fact(const Point& point, std::string_view name) {
    const auto found = std::find_if(point.facts.begin(), point.facts.end(), [&](const auto& each) { return each.first == name; });
    return found == point.facts.end() ? nullptr : &found->second;
  }

  std::vector<Report::Cell> row_of(const Point& point) const {
    std::vector<Report::Cell> row = point.at;
    for (const std::string_view name : names_) {
      const Report::Cell* cell = fact(point, name);
      row.push_back(cell ? *cell : Report::Cell(std::string(point.facts.empty() && name == names_.front() ? "refused" : "")));
    }
    return row;
  }

  std::string at_text(const Point& point) const {
    std::string text;
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      text += fmt::format("{}{} = {}", i == 0 ? "at " : ", ", parameters_[i].name, to_string(point.at[i]));
    return text;
  }

  // Of the first fact that is a number and not the same everywhere: what a sweep is made for.
  void add_extremes(Report& made) const {
    for (const std::string_view name : names_) {
      const Point *low = nullptr, *high = nullptr;
      for (const Point& point : points_) {
        const Report::Cell* cell = fact(point, name);
        if (!cell || !is_number(*cell)) continue;
        if (!low || is_less(*cell, *fact(*low, name))) low = &point;
        if (!high || is_less(*fact(*high, name), *cell)) high = &point;
      }
      if (!low) continue;
      const bool same = !is_less(*fact(*low, name), *fact(*high, name));
      if (same && name != names_.back()) continue;
      const std::string what = name == "value" ? "" : fmt::format("{} ", name);
      if (same) {
        made.sentence += fmt::format("; {}{} at each", what, to_string(*fact(*low, name)));
      } else {
        made.sentence += fmt::format("; {}from {} {} to {} {}", what, to_string(*fact(*low, name)), at_text(*low),
                                     to_string(*fact(*high, name)), at_text(*high));
      }
      made.facts.push_back({"of", std::string(name)});
      made.facts.push_back({"smallest", *fact(*low, name)});
      made.facts.push_back({"smallest_at", low->at.front()});
      made.facts.push_back({"largest", *fact(*high, name)});
      made.facts.push_back({"largest_at", high->at.front()});
      return;
    }
  }

  const std::vector<Parameter>& parameters_;
  std::vector<Point> points_;
  std::vector<std::string_view> names_;  // of the facts, in the order in which they came
  std::int64_t refused_ = 0;
  std::optional<Error> first_refusal_;
};

// 32..56, or what items_in takes apart.
Result<std::vector<Value>> values_of(Evaluator& evaluator, const Expr& expr, std::int64_t step) {
  const auto* range = std::get_if<RangeExpr>(&expr.node);
  if (!range) {
    TESSERA_TRY(given, evaluator.value(expr));
    return items_in(std::move(given));
  }
  std::int64_t ends[2] = {};
  for (const bool last : {false, true}) {
    TESSERA_TRY(end, evaluator.value((last ? range->to : range->from)[0]));
    TESSERA_TRY(number, at(expr.span, as_integer(end)));
    ends[last] = number;
  }
  if (ends[1] < ends[0])
    return Error{ErrorCode::bad_extent, fmt::format("{}..{} has no values: it ends before it begins", ends[0], ends[1]), expr.span, {}};
  const auto span = static_cast<std::uint64_t>(ends[1]) - static_cast<std::uint64_t>(ends[0]);
  if (span / static_cast<std::uint64_t>(step) >= kMostPoints)
    return Error{
        ErrorCode::limit, fmt::format("{}..{} has more than {} values", ends[0], ends[1], kMostPoints), expr.span, {"take a larger step="}};
  std::vector<Value> made;
  for (std::uint64_t i = 0; i <= span; i += static_cast<std::uint64_t>(step))
    made.push_back(Value{IntTuple(static_cast<std::int64_t>(static_cast<std::uint64_t>(ends[0]) + i))});
  return made;
}

// Evaluates the expression at every point, the last parameter fastest.
Status fill(Table& table, const std::vector<Parameter>& parameters, std::size_t points, const Scope& outer,
            const std::function<Result<Value>(const Scope&, std::vector<Error>&)>& evaluate_in, std::vector<Error>& warnings) {
  for (std::size_t point = 0; point < points; ++point) {
    TESSERA_CHECK(spend_cells(kCellsOfAPoint, [&] { return fmt::format("point {} of a sweep", point); }));
    std::vector<Value> here(parameters.size());
    std::size_t rest = point;
    for (std::size_t i = parameters.size(); i-- > 0; rest /= parameters[i].values.size())
      here[i] = parameters[i].values[rest % parameters[i].values.size()];
    const Scope scope = [&](std::string_view name) -> const Value* {
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (parameters[i].name == name) return &here[i];
      }
      return outer ? outer(name) : nullptr;
    };
    Result<Value> made = evaluate_in(scope, warnings);
    if (!made && made.error().code == ErrorCode::limit) return std::move(made).error();  // the others would meet it too
    table.add(here, std::move(made));
  }
  return Done{};
}

}  // namespace

Report::Cell cell_of(const Value& value) { return facts_of(value).front().second; }

Result<std::vector<Value>> items_in(Value value) {
  if (std::holds_alternative<std::shared_ptr<const ValueList>>(value.any)) return elements_of(value);
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (tuple && tuple->is_tuple()) return elements_of(value);
  const auto* tiler = std::get_if<Tiler>(&value.any);  // layouts side by side
  if (tiler && std::holds_alternative<std::vector<Tiler>>(tiler->value)) return elements_of(value);
  return std::vector<Value>{std::move(value)};
}

Result<Value> Evaluator::sweep(const CallExpr& call, SourceSpan span) {
  const auto refuse = [](SourceSpan where, std::string message) {
    return Error{ErrorCode::wrong_arity, std::move(message), where, {"for example sweep(\"cosize((8,8):(p,1))\", p=8..12)"}};
  };
  if (call.arguments.empty() || !call.arguments[0].name.empty()) return refuse(span, "sweep wants an expression first");
  std::int64_t step = 1;
  for (const Argument& argument : call.arguments) {
    if (argument.name != kStep) continue;
    TESSERA_TRY(given, value(call.values[argument.value]));
    TESSERA_TRY(number, at(call.values[argument.value].span, as_integer(given)));
    if (number < 1) return Error{ErrorCode::out_of_range, fmt::format("a step is at least 1, not {}", number), argument.name_span, {}};
    step = number;
  }
  std::vector<Parameter> parameters;
  std::size_t points = 1;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    const Expr& expr = call.values[argument.value];
    if (argument.name == kStep) continue;
    if (argument.name.empty()) return refuse(expr.span, "the values of a sweep have a name, as in p=32..56");
    if (!is_binding_name(argument.name))
      return Error{ErrorCode::parse, fmt::format("\"{}\" is no parameter name", argument.name), argument.name_span, {}};
    if (std::any_of(parameters.begin(), parameters.end(), [&](const Parameter& each) { return each.name == argument.name; }))
      return refuse(argument.name_span, fmt::format("{} is given twice", argument.name));
    TESSERA_TRY(values, at(expr.span, values_of(*this, expr, step)));
    if (values.empty()) return refuse(expr.span, fmt::format("{} has no values", argument.name));
    if (values.size() > kMostPoints / points) return std::move(too_many_points(argument.name, points)).at(expr.span);
    points *= values.size();
    parameters.push_back({std::string(argument.name), std::move(values)});
  }
  if (parameters.empty()) return refuse(span, "sweep wants the values of a name of its expression, as in p=32..56");
  const Expr& swept = call.values[call.arguments[0].value];
  const auto* quoted = std::get_if<TextExpr>(&swept.node);
  const std::string text = quoted ? quoted->value : std::string(text_of(swept.span));
  Table table(parameters);
  std::vector<Error> warnings;
  TESSERA_CHECK(at(span, fill(
                             table, parameters, points, scope_,
                             [&](const Scope& scope, std::vector<Error>& inner) {
                               return quoted ? evaluate_expression(text, scope, &inner) : Evaluator(text_, scope, &inner).value(swept);
                             },
                             warnings)));
  TESSERA_TRY(report, at(swept.span, std::move(table).report(text)));
  if (!warnings.empty()) report.notes.push_back(fmt::format("{} warnings on the way; the first: {}", warnings.size(), warnings[0].message));
  return Value{std::make_shared<const Report>(std::move(report))};
}

}  // namespace tessera
