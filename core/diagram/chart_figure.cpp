// SPDX-License-Identifier: BSD-3-Clause
// The chart of a table of numbers: a bar for each point, of the column that is asked for, with what the least possible is beside it.
#include <algorithm>

#include <fmt/format.h>

#include "core/atom/catalog.hpp"
#include "core/diagram/bar_chart.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"

namespace tessera {
namespace {

constexpr std::string_view kLeast = "least";  // the column that stands beside another where there is one

const NumberTable::Column* named(const NumberTable& table, std::string_view name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& each) { return each.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

bool varies(const NumberTable::Column& column) {
  const std::optional<double>* first = nullptr;
  for (const std::optional<double>& value : column.values) {
    if (!value) continue;
    if (first && **first != *value) return true;
    first = &value;
  }
  return false;
}

Result<const NumberTable::Column*> column_of(const FigureSpec& spec, const NumberTable& table) {
  if (const auto given = spec.parameters.find("column"); given != spec.parameters.end()) {
    if (const auto* column = named(table, given->second)) return column;
    std::vector<std::string> known;
    for (const auto& each : table.columns) known.push_back(each.name);
    return Error{ErrorCode::unknown_name,
                 fmt::format("the table has no column of numbers '{}'", given->second),
                 {},
                 {fmt::format("it has {}", names_and_nearest(given->second, known))}};
  }
  const auto found = std::find_if(table.columns.begin(), table.columns.end(), varies);
  return found == table.columns.end() ? &table.columns.front() : &*found;
}

}  // namespace

Result<Scene> chart_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* table = std::get_if<NumberTable>(&spec.objects.front());
  if (!table || table->columns.empty()) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("a chart is of a table with a column of numbers, not of {}", object_name(spec.objects.front())),
                 {},
                 {"for example chart_figure(sweep(cosize((8,8):(p,1)), p=8..12))"}};
  }
  TESSERA_TRY(column, column_of(spec, *table));
  const NumberTable::Column* least = column->name == kLeast ? nullptr : named(*table, kLeast);
  BarChart chart;
  chart.axis = column->name == "value" && !spec.expression.empty() ? std::string(table->of) : column->name;
  if (!table->of.empty()) chart.notes = {table->of};
  if (least) chart.series = {column->name, std::string(kLeast)};
  const auto bar = [&](std::size_t point, const NumberTable::Column& of) -> std::optional<Bar> {
    const std::optional<double>& value = of.values[point];
    if (!value) return std::nullopt;
    return Bar{*value, {}, fmt::format("{:.6g}", *value), fmt::format("{}: {} {:.6g}", table->points[point], of.name, *value)};
  };
  for (std::size_t i = 0; i < table->points.size(); ++i) {
    BarRow row;
    row.name = table->points[i];
    row.bars.push_back(bar(i, *column));
    if (least) row.bars.push_back(bar(i, *least));
    if (!row.bars.front()) row.note = "refused";
    chart.rows.push_back(std::move(row));
  }
  TESSERA_TRY(scene, bar_chart(chart, spec.palette));
  scene.title = spec.title;
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
