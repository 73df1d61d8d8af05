// SPDX-License-Identifier: BSD-3-Clause
// The heat map of a sweep over two parameters: one down, the other across, and the numbers of one column in colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/diagram/charts/chart_figures.hpp"
#include "core/diagram/charts/chart_parts.hpp"
#include "core/diagram/parts/figure_objects.hpp"
#include "core/diagram/parts/reading_aids.hpp"

namespace tessera {

namespace {

// Each text once, in the order in which it is met.
std::size_t place_in(std::vector<std::string>& known, const std::string& text) {
  const auto found = std::find(known.begin(), known.end(), text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

// across="Sw<{},3,3>" says what each value is called, across="none; all" the same of each in turn, across="bits" what the axis is.
struct AxisWords {
  std::string_view words;
  std::size_t at = words.find("{}");
  std::vector<std::string> each = words.find(';') == std::string_view::npos ? std::vector<std::string>() : between_semicolons(words);
  bool has_place() const { return at != std::string_view::npos; }
  std::string of(const std::string& value, std::size_t place) const {
    if (place < each.size()) return each[place];
    return has_place() ? fmt::format("{}{}{}", words.substr(0, at), value, words.substr(at + 2)) : value;
  }
  // In a sentence: "Sw<B,3,3>", of the parameter B.
  std::string said(const std::string& parameter) const {
    return !each.empty() ? parameter : has_place() || words.empty() ? of(parameter, 0) : std::string(words);
  }
  std::string name(const std::string& parameter) const {
    return has_place() || !each.empty() ? "" : words.empty() ? parameter : std::string(words);
  }
};

// A swatch for each number where they are few and whole, else the ramp.
Legend legend_of(Scene& scene, const Palette& palette, const NumberTable::Column& column, const std::pair<double, double>& range) {
  constexpr std::size_t kFew = 6;
  std::set<double> numbers;
  for (const std::optional<double>& value : column.values) {
    if (value) numbers.insert(*value);
  }
  const bool whole = std::all_of(numbers.begin(), numbers.end(), [](double n) { return n == std::floor(n) && std::abs(n) < 1000; });
  if (!whole || numbers.size() > kFew) {
    Legend legend = ramp_legend(scene, palette, std::nullopt);
    legend.words = fmt::format("colour: {}, from {:.4g} to {:.4g}", column.name, range.first, range.second);
    return legend;
  }
  Legend legend{{}, fmt::format("colour: {}", column.name)};
  legend.numbered = true;
  for (const double number : numbers) {
    const double reach = range.second - range.first;
    legend.hues.push_back(scene.color(palette.ramp(reach > 0 ? (number - range.first) / reach : 0)));
    legend.numbers.push_back(static_cast<std::int64_t>(number));
  }
  return legend;
}

// Columns of a small map have room around their numbers.
float least_width(std::int64_t cols) { return std::clamp(16.0f / static_cast<float>(cols), 1.0f, 3.5f); }

}  // namespace

Result<Scene> heat_map_figure(const FigureSpec& spec) {
  TESSERA_CHECK(only_own_style(spec));
  const auto* table = std::get_if<NumberTable>(&spec.objects.front());
  if (!table || table->columns.empty())
    return Error{ErrorCode::wrong_type,
                 fmt::format("a heat map is of a table with a column of numbers, not of {}", object_name(spec.objects.front())),
                 {},
                 {"for example heat_map_figure(sweep(cosize((8,8):(p,q)), p=8..12, q=1..4))"}};
  if (table->parameters.size() != 2)
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("a heat map is over two parameters, and this table is over {}",
                             counted(static_cast<std::int64_t>(table->parameters.size()), "parameter")),
                 {},
                 {"one parameter is a chart: chart_figure(...)"}};
  TESSERA_TRY(column, column_of(spec, *table));
  TESSERA_TRY(palette, Palette::find(spec.palette));
  std::vector<std::string> downs, acrosses;
  for (const std::vector<std::string>& at : table->at) place_in(downs, at[0]), place_in(acrosses, at[1]);
  const AxisWords across{parameter(spec, "across")}, down{parameter(spec, "down")};
  std::vector<std::string> across_words = acrosses;
  for (std::size_t i = 0; i < across_words.size(); ++i) across_words[i] = across.of(acrosses[i], i);
  const NumberTable::Column* least = column->name == "least" ? nullptr : column_named(*table, "least");
  const auto rows = static_cast<std::int64_t>(downs.size()), cols = static_cast<std::int64_t>(acrosses.size());
  TESSERA_CHECK(take_cells(count_product(rows, cols), 0, "a heat map"));
  std::optional<std::pair<double, double>> range;
  for (std::size_t i = 0; i < column->values.size(); ++i) {
    const std::optional<double>& value = column->values[i];
    if (!value) continue;
    if (!std::isfinite(*value))
      return Error{ErrorCode::out_of_range,
                   fmt::format("{} is {} at {}, which has no place on a scale of colours", column->name, *value, table->points[i]),
                   {},
                   {}};
    range = range ? std::pair{std::min(range->first, *value), std::max(range->second, *value)} : std::pair{*value, *value};
  }
  if (!range) return Error{ErrorCode::out_of_range, fmt::format("there is nothing to show: {} has no number", column->name), {}, {}};
  Scene scene = begin_scene(spec);
  std::size_t longest = 1, widest = 1;
  for (const std::optional<double>& value : column->values) longest = std::max(longest, value ? fmt::format("{:.4g}", *value).size() : 1);
  for (const std::string& text : across_words) widest = std::max(widest, text.size());
  const float unit = type_scale(spec, rows, cols);
  const float w = std::max({cell_width(longest), least_width(cols), kAxisType * 0.62f * unit * static_cast<float>(widest) + 0.2f});
  const Frame frame{0, 0, rows, cols, w};
  Panel panel{column->name, {}, "heat_map", PanelOperand::none, {across.name(table->parameters[1]), down.name(table->parameters[0])}};
  std::vector<std::int32_t> groups(static_cast<std::size_t>(rows * cols), -1);  // 0: as little as there can be
  for (std::size_t i = 0; i < table->at.size(); ++i) {
    const auto r = static_cast<std::int64_t>(place_in(downs, table->at[i][0])),
               c = static_cast<std::int64_t>(place_in(acrosses, table->at[i][1]));
    const std::optional<double>& value = column->values[i];
    Cell cell{frame.column(c), frame.y + static_cast<float>(r), w, 1};
    if (value) {
      const double place = range->second > range->first ? (*value - range->first) / (range->second - range->first) : 0;
      cell.fill = scene.color(palette.ramp(place));
    }
    cell.label = scene.intern(value ? fmt::format("{:.4g}", *value) : std::string("–"));
    cell.lines = 1;
    cell.subject = scene.add_words(value ? fmt::format("{}: {} {:.6g}", table->points[i], column->name, *value)
                                         : fmt::format("{}: refused", table->points[i]));
    panel.marks.push_back(cell);
    if (least && value && least->values[i] && *value <= *least->values[i]) groups[static_cast<std::size_t>(r * cols + c)] = 0;
  }
  add_frame(panel, frame);
  add_borders(panel, frame, groups, StrokeRole::highlight, true);
  for (std::int64_t r = 0; r < rows; ++r)
    panel.marks.push_back(Label{-0.26f * unit, static_cast<float>(r) + 0.5f,
                                scene.intern(down.of(downs[static_cast<std::size_t>(r)], static_cast<std::size_t>(r))), LabelRole::axis,
                                Anchor::right, kAxisType * unit});
  for (std::int64_t c = 0; c < cols; ++c)
    panel.marks.push_back(Label{frame.column(c) + w / 2, -0.38f * unit, scene.intern(across_words[static_cast<std::size_t>(c)]),
                                LabelRole::axis, Anchor::center, kAxisType * unit});
  add_axis_names(scene, panel, frame, unit);
  const std::string heading = scale_words(spec, *table, *column);
  add_heading(scene, panel, 0, -1.15f * unit, heading, unit);
  scene.panels.push_back(std::move(panel));
  Captions captions;
  if (spec.title.empty())
    captions.sentence = sentence(fmt::format("{} over {} and {}: {:.6g} to {:.6g}", heading, down.said(table->parameters[0]),
                                             across.said(table->parameters[1]), range->first, range->second));
  Legend legend = legend_of(scene, palette, *column, *range);
  captions.legends.push_back(std::move(legend));
  if (std::find(groups.begin(), groups.end(), 0) != groups.end())
    captions.notes.push_back(fmt::format("outlined: the least possible{}", column->name == "wavefronts" ? ", no bank conflict" : ""));
  if (!table->of.empty() && spec.expression.find(table->of) == std::string::npos) captions.notes.push_back(table->of);
  return close_figure(std::move(scene), spec, std::move(captions), unit);
}

}  // namespace tessera
