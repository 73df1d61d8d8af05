// SPDX-License-Identifier: BSD-3-Clause
// Two numbers of each point beside each other: of two sweeps over the same points, or of two columns of one table; behind them their ratio.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

constexpr std::size_t kLongestName = 28;  // of an expression that names its bars

struct Side {
  const NumberTable* table = nullptr;
  const NumberTable::Column* column = nullptr;
  Spreads spreads{};
};

Error not_two(std::string what) {
  return Error{ErrorCode::wrong_arity,
               std::move(what),
               {},
               {"for example bar_pairs_figure(sweep(a, p=1..4), sweep(b, p=1..4), names=\"before; after\")",
                "of one table: columns=\"ours; theirs\""}};
}

Status same_points(const NumberTable& a, const NumberTable& b) {
  if (a.points.size() != b.points.size())
    return Error{ErrorCode::not_congruent,
                 fmt::format("the first table has {}, and the second {}: pairs are of the same points",
                             counted(static_cast<std::int64_t>(a.points.size()), "point"), b.points.size()),
                 {},
                 {}};
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    if (a.points[i] != b.points[i])
      return Error{
          ErrorCode::not_congruent,
          fmt::format("point {} is {} in the first table, and {} in the second: pairs are of the same points", i, a.points[i], b.points[i]),
          {},
          {"sweep both over the same values"}};
  }
  return Done{};
}

Result<std::vector<Side>> sides_of(const FigureSpec& spec) {
  std::vector<Side> made;
  for (const FigureObject& object : spec.objects) {
    const auto* table = std::get_if<NumberTable>(&object);
    if (!table || table->columns.empty())
      return Error{ErrorCode::wrong_type,
                   fmt::format("pairs of bars are of tables with a column of numbers, not of {}", object_name(object)),
                   {},
                   {"for example bar_pairs_figure(sweep(a, p=1..4), sweep(b, p=1..4))"}};
    if (spec.objects.size() == 1) {
      TESSERA_TRY(columns, columns_of(spec, *table));
      if (columns.size() != 2)
        return not_two(fmt::format("pairs of one table need two of its columns, and columns= names {}",
                                   parameter(spec, "columns").empty() ? 0 : columns.size()));
      for (const auto* column : columns) made.push_back({table, column});
    } else {
      if (!parameter(spec, "columns").empty()) return not_two("columns= names two columns of one table, and two tables are given");
      TESSERA_TRY(column, column_of(spec, *table));
      made.push_back({table, column});
    }
  }
  TESSERA_CHECK(same_points(*made[0].table, *made[1].table));
  // The first decides what both show, where the second has the same.
  if (spec.objects.size() == 2 && parameter(spec, "column").empty()) {
    if (const auto* same = column_named(*made[1].table, made[0].column->name)) made[1].column = same;
  }
  for (Side& side : made) side.spreads = spreads_of(*side.table, *side.column);
  return made;
}

// Of two columns with different names and one unit: it.
std::string_view shared_unit(const std::vector<Side>& sides) {
  const NamedUnit a = unit_in(sides[0].column->name), b = unit_in(sides[1].column->name);
  return a.unit == b.unit && !a.name.empty() && !b.name.empty() ? a.unit : std::string_view();
}

std::vector<std::string> names_of(const std::vector<Side>& sides, bool one_table) {
  std::vector<std::string> names;
  for (const Side& side : sides)
    names.push_back(one_table || side.table->of.empty() || side.table->of.size() > kLongestName ? std::string() : side.table->of);
  if (one_table) {
    if (shared_unit(sides).empty()) return {sides[0].column->name, sides[1].column->name};
    return {std::string(unit_in(sides[0].column->name).name), std::string(unit_in(sides[1].column->name).name)};
  }
  if (names[0].empty() || names[1].empty() || names[0] == names[1]) return {"first", "second"};
  return names;
}

std::optional<Bar> bar_of(const Side& side, std::size_t point, std::string_view name) {
  const std::optional<double>& value = side.column->values[point];
  if (!value) return std::nullopt;
  Bar bar{*value,
          {},
          bar_text(*value, !side.spreads.words.empty(), greatest_of(*side.column)),
          fmt::format("{}: {} {:.6g}", side.table->points[point], name, *value)};
  if (!side.spreads.words.empty()) bar.spread = side.spreads.at[point];
  if (bar.spread) bar.words += fmt::format(", {}: {:.4g} to {:.4g}", side.spreads.words, bar.spread->first, bar.spread->second);
  return bar;
}

// Are the numbers of both counted, not measured in a unit?
bool are_counts(const std::vector<Side>& sides) {
  return std::all_of(sides.begin(), sides.end(), [](const Side& side) {
    const auto& values = side.column->values;
    return side.spreads.words.empty() && unit_in(side.column->name).unit.empty() &&
           std::all_of(values.begin(), values.end(), [](const auto& value) { return !value || *value == std::floor(*value); });
  });
}

// "2× fewer", "1.5× more": the second number against the first.
std::string ratio_words(double first, double second, bool counts) {
  if (!(first > 0)) return "no longer 0";
  const std::string times = fmt::format("{:.3g}×", std::max(first, second) / std::min(first, second));
  if (times == "1×") return first == second ? "the same" : "about the same";
  return times + (first < second ? " more" : counts ? " fewer" : " less");
}

}  // namespace

Result<Scene> bar_pairs_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  TESSERA_TRY(sides, sides_of(spec));
  const bool one_table = spec.objects.size() == 1;
  BarChart chart;
  chart.series = names_of(sides, one_table);
  TESSERA_CHECK(take_names(spec, chart.series, "bars at each point"));
  chart.axis =
      one_table && parameter(spec, "unit").empty() ? std::string(shared_unit(sides)) : scale_words(spec, *sides[0].table, *sides[0].column);
  const bool counts = are_counts(sides);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < sides[0].table->points.size(); ++i) {
    BarRow row;
    row.name = row_name(*sides[0].table, i);
    for (std::size_t s = 0; s < 2; ++s) row.bars.push_back(bar_of(sides[s], i, chart.series[s]));
    if (row.bars[0] && row.bars[1] && row.bars[1]->value != 0) {
      row.note = ratio_words(row.bars[0]->value, row.bars[1]->value, counts);
      ratios.push_back(row.bars[0]->value / row.bars[1]->value);
    } else if (!row.bars[0] || !row.bars[1]) {
      row.note = fmt::format("{} refused", !row.bars[0] && !row.bars[1] ? "both" : !row.bars[0] ? chart.series[0] : chart.series[1]);
    }
    chart.rows.push_back(std::move(row));
  }
  if (!ratios.empty()) {
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    std::string says = fmt::format("beside the bars: {} against {}", chart.series[1], chart.series[0]);
    if (ratios.size() > 1 && *least > 0 && *least < *most) {
      double sum = 0;
      for (const double ratio : ratios) sum += std::log(ratio);
      says += fmt::format("; {} in the geometric mean", ratio_words(std::exp(sum / static_cast<double>(ratios.size())), 1, counts));
    }
    chart.notes.push_back(std::move(says));
  }
  for (const Side& side : sides) {
    if (side.spreads.words.empty()) continue;
    chart.notes.push_back("whiskers: " + side.spreads.note);
    break;
  }
  chart.title = spec.title;
  TESSERA_TRY(scene, bar_chart(chart, spec.palette));
  scene.expression = spec.expression;
  return scene;
}

}  // namespace tessera
