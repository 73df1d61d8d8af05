// SPDX-License-Identifier: BSD-3-Clause
// The chart of a table of numbers: a bar for each point, of the column that is asked for, with what the least possible is beside it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/charts/bar_chart.hpp"
#include "core/diagram/charts/chart_figures.hpp"
#include "core/diagram/charts/chart_parts.hpp"
#include "core/diagram/parts/figure_objects.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {
namespace {

constexpr std::string_view kLeast = "least";  // the column that stands beside another where there is one

// reference="100; cuBLASLt"
Result<std::optional<std::pair<double, std::string>>> reference_of(const FigureSpec& spec) {
  const std::vector<std::string> given = between_semicolons(parameter(spec, "reference"));
  if (given.empty()) return std::optional<std::pair<double, std::string>>();
  double value = 0;
  const std::string& text = given.front();
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (given.size() > 2 || bad != std::errc() || end != text.data() + text.size())
    return Error{ErrorCode::parse,
                 fmt::format("reference={} is no number with a name", parameter(spec, "reference")),
                 {},
                 {"write reference=\"100; cuBLASLt\""}};
  return std::optional(std::pair(value, given.size() > 1 ? given[1] : text));
}

// group=types: the parameter whose values have a colour each, and are told by the legend.
Result<std::optional<std::size_t>> group_of(const FigureSpec& spec, const NumberTable& table) {
  const std::string_view name = parameter(spec, "group");
  if (name.empty()) return std::optional<std::size_t>();
  const auto found = std::find(table.parameters.begin(), table.parameters.end(), name);
  if (found != table.parameters.end() && table.parameters.size() > 1)
    return std::optional(static_cast<std::size_t>(found - table.parameters.begin()));
  return Error{ErrorCode::unknown_name,
               fmt::format("group={} is none of two or more parameters; the table is over {}", name, fmt::join(table.parameters, " and ")),
               {},
               {"for example table(rung=(\"a\",\"b\"), types=(\"f32\",\"f16\"), tflops=(1,2), parameters=2) with group=types"}};
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
  TESSERA_TRY(group, group_of(spec, *table));
  const NumberTable::Column* least = column->name == kLeast || group ? nullptr : column_named(*table, kLeast);
  BarChart chart;
  const bool is_asked = column->name == "value" && !spec.expression.empty() && parameter(spec, "unit").empty() && !table->of.empty();
  chart.axis = is_asked ? table->of : scale_words(spec, *table, *column);
  TESSERA_TRY(reference, reference_of(spec));
  chart.reference = std::move(reference);
  chart.of = table->of;
  if (least) chart.series = {column->name, std::string(kLeast)};
  const Spreads spreads = spreads_of(*table, *column);
  if (!spreads.words.empty()) chart.notes.push_back("whiskers: " + spreads.note);
  const auto bar = [&](std::size_t point, const NumberTable::Column& of) -> std::optional<Bar> {
    const std::optional<double>& value = of.values[point];
    if (!value) return std::nullopt;
    Bar made{*value,
             {},
             bar_text(*value, !spreads.words.empty(), greatest_of(*column)),
             fmt::format("{}: {} {:.6g}", table->points[point], of.name, *value)};
    if (&of == column && !spreads.words.empty()) made.spread = spreads.at[point];
    if (made.spread) made.words += fmt::format(", {}: {:.4g} to {:.4g}", spreads.words, made.spread->first, made.spread->second);
    return made;
  };
  for (std::size_t i = 0; i < table->points.size(); ++i) {
    BarRow row;
    row.name = row_name(*table, i, group);
    if (group) row.group = table->at[i][*group];
    row.bars.push_back(bar(i, *column));
    if (least) row.bars.push_back(bar(i, *least));
    if (!row.bars.front()) row.note = "refused";
    chart.rows.push_back(std::move(row));
  }
  chart.title = spec.title;
  TESSERA_TRY(scene, bar_chart(chart, spec.palette));
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
