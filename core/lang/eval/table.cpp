// SPDX-License-Identifier: BSD-3-Clause
// table(m=(64,128), us=(3.5,5.1)): numbers that come from elsewhere, measured or published, as sweep(...) would answer them, so that charts
// take both alike.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/eval/evaluator.hpp"

namespace tessera {
namespace {

constexpr std::string_view kParameters = "parameters";  // how many columns say where; so no column's name
constexpr std::size_t kMostRows = 4096;
constexpr std::string_view kNone = "_";  // there is no number

Error refuse(SourceSpan where, std::string message) {
  return Error{ErrorCode::wrong_arity, std::move(message), where, {"for example table(m=(64,128), us=(3.5,5.1))"}};
}

}  // namespace

Result<Value> Evaluator::table(const CallExpr& call, SourceSpan span) {
  Report made;
  made.kind = "table";
  made.parameters = 1;
  std::vector<std::vector<Report::Cell>> columns;
  std::unordered_set<std::string_view> names;
  for (const Argument& argument : call.arguments) {
    const Expr& expr = call.values[argument.value];
    if (argument.name.empty()) return refuse(expr.span, "the columns of a table have names, as in m=(64,128)");
    TESSERA_TRY(given, value(expr));
    if (argument.name == kParameters) {
      TESSERA_TRY(count, at(expr.span, as_integer(given)));
      if (count < 1 || count > 2)
        return Error{ErrorCode::out_of_range, fmt::format("a table is over one parameter or two, not {}", count), expr.span, {}};
      made.parameters = static_cast<std::size_t>(count);
      continue;
    }
    if (late()) return past_deadline("reading the table");
    if (!names.insert(argument.name).second) return refuse(argument.name_span, fmt::format("{} is given twice", argument.name));
    TESSERA_TRY(items, at(expr.span, items_in(std::move(given))));
    if (items.size() > kMostRows)
      return Error{
          ErrorCode::limit, fmt::format("{} has {} values, and a table up to {}", argument.name, items.size(), kMostRows), expr.span, {}};
    if (!columns.empty() && items.size() != columns.front().size())
      return refuse(expr.span, fmt::format("{} has {} values, and {} has {}: a row has one of each", argument.name, items.size(),
                                           made.columns.front(), columns.front().size()));
    TESSERA_CHECK(spend_cells(static_cast<std::int64_t>(items.size()), [] { return std::string("a table"); }));
    made.columns.emplace_back(argument.name);
    columns.emplace_back();
    for (const Value& item : items) {
      Report::Cell cell = cell_of(item);
      columns.back().push_back(to_string(cell) == kNone ? Report::Cell(std::string()) : std::move(cell));
    }
  }
  if (columns.size() <= made.parameters)
    return refuse(span, fmt::format("a table over {} parameter{} has a column of numbers behind {}", made.parameters,
                                    made.parameters == 1 ? "" : "s", made.parameters == 1 ? "it" : "them"));
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    made.rows.emplace_back();
    for (const std::vector<Report::Cell>& column : columns) made.rows.back().push_back(column[row]);
  }
  made.facts = {{"points", static_cast<std::int64_t>(made.rows.size())}};
  made.sentence = fmt::format("a table of {} rows", made.rows.size());
  return Value{std::make_shared<const Report>(std::move(made))};
}

}  // namespace tessera
