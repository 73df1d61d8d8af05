// SPDX-License-Identifier: BSD-3-Clause
// The chart of a table of numbers: a bar for each point, of the column that is asked for, with what the least possible is beside it.
#include <fmt/format.h>

#include "core/diagram/bar_chart.hpp"
#include "core/diagram/chart_parts.hpp"
#include "core/diagram/figure_kinds.hpp"
#include "core/diagram/figure_parts.hpp"

namespace tessera {
namespace {

constexpr std::string_view kLeast = "least";  // the column that stands beside another where there is one

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
  const NumberTable::Column* least = column->name == kLeast ? nullptr : column_named(*table, kLeast);
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
