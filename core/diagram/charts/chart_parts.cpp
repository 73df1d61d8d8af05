// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/charts/chart_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/atom/instructions/catalog.hpp"
#include "core/base/characters.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

constexpr std::string_view kLow = "p10", kHigh = "p90", kWidth = "spread_percent", kNoise = "noise";

// The column that says `what` of another: us_p10, or p10 alone beside the table's first column.
const NumberTable::Column* beside(const NumberTable& table, const NumberTable::Column& column, std::string_view what) {
  if (const auto* own = column_named(table, fmt::format("{}_{}", column.name, what))) return own;
  return &column == &table.columns.front() ? column_named(table, what) : nullptr;
}

bool is_spread(std::string_view name) {
  for (const std::string_view what : {kLow, kHigh, kWidth, kNoise}) {
    if (name == what || (name.ends_with(what) && name.size() > what.size() && name[name.size() - what.size() - 1] == '_')) return true;
  }
  return false;
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

}  // namespace

const NumberTable::Column* column_named(const NumberTable& table, std::string_view name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(), [&](const auto& each) { return each.name == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

namespace {

Result<const NumberTable::Column*> known_column(const NumberTable& table, const std::string& name) {
  if (const auto* column = column_named(table, name)) return column;
  std::vector<std::string> known;
  for (const auto& each : table.columns) known.push_back(each.name);
  return Error{ErrorCode::unknown_name,
               fmt::format("the table has no column of numbers '{}'", name),
               {},
               {fmt::format("it has {}", names_and_nearest(name, known))}};
}

}  // namespace

Result<const NumberTable::Column*> column_of(const FigureSpec& spec, const NumberTable& table) {
  if (const auto given = spec.parameters.find("column"); given != spec.parameters.end()) return known_column(table, given->second);
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [](const auto& each) { return varies(each) && !is_spread(each.name); });
  return found == table.columns.end() ? &table.columns.front() : &*found;
}

Result<std::vector<const NumberTable::Column*>> columns_of(const FigureSpec& spec, const NumberTable& table) {
  std::vector<const NumberTable::Column*> made;
  for (const std::string& name : between_semicolons(parameter(spec, "columns"))) {
    TESSERA_TRY(column, known_column(table, name));
    made.push_back(column);
  }
  if (!made.empty()) return made;
  TESSERA_TRY(column, column_of(spec, table));
  return std::vector{column};
}

Spreads spreads_of(const NumberTable& table, const NumberTable::Column& column) {
  Spreads made;
  if (is_spread(column.name)) return made;
  const auto *low = beside(table, column, kLow), *high = beside(table, column, kHigh), *width = beside(table, column, kWidth),
             *noise = beside(table, column, kNoise);
  made.at.resize(column.values.size());
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!column.values[i]) continue;
    const double value = *column.values[i];
    if (low && high) {
      if (low->values[i] && high->values[i]) made.at[i] = {*low->values[i], *high->values[i]};
    } else if (width) {
      if (width->values[i]) made.at[i] = {value * (1 - *width->values[i] / 200), value * (1 + *width->values[i] / 200)};
    } else if (noise && noise->values[i]) {
      made.at[i] = {value - *noise->values[i], value + *noise->values[i]};
    }
  }
  const bool any = std::any_of(made.at.begin(), made.at.end(), [](const auto& each) { return each.has_value(); });
  if (!any) return {};
  made.words = low && high ? "p10 to p90" : width ? "as wide as p10 to p90" : "no measurable difference";
  made.note = made.words + (low && high ? ", between which four of five measurements lie" : "");
  return made;
}

NamedUnit unit_in(std::string_view column) {
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {{"us", "us"}, {"percent", "%"}, {"tflops", "TFLOP/s"}};
  for (const auto& [ending, unit] : kUnits) {
    if (column == ending) return {unit, ""};
    const std::size_t before = column.size() > ending.size() ? column.size() - ending.size() - 1 : 0;
    if (before > 0 && column.ends_with(ending) && column[before] == '_') return {unit, column.substr(0, before)};
  }
  return {"", column};
}

std::string scale_words(const FigureSpec& spec, const NumberTable& table, const NumberTable::Column& column) {
  if (const std::string_view unit = parameter(spec, "unit"); !unit.empty()) return std::string(unit);
  const std::string_view name = column.name;
  const NamedUnit unit = unit_in(name);
  if (!unit.unit.empty()) return unit.name.empty() ? std::string(unit.unit) : fmt::format("{}, {}", unit.name, unit.unit);
  if (const std::size_t dot = table.of.rfind('.'); name == "value" && dot != std::string::npos && dot + 1 < table.of.size()) {
    const std::string_view member = std::string_view(table.of).substr(dot + 1);
    if (!is_digit(member.front()) && std::all_of(member.begin(), member.end(), is_word)) return std::string(member);
  }
  return std::string(name);
}

std::string row_name(const NumberTable& table, std::size_t point, std::optional<std::size_t> without) {
  if (point >= table.at.size()) return table.points[point];
  std::vector<std::string> each;
  std::string word;
  for (std::size_t i = 0; i < table.parameters.size(); ++i) {
    if (i == without) continue;
    word = table.at[point][i];
    each.push_back(fmt::format("{} = {}", table.parameters[i], word));
  }
  if (each.size() != 1) return without ? fmt::format("{}", fmt::join(each, ", ")) : table.points[point];
  double ignored = 0;
  const auto [end, bad] = std::from_chars(word.data(), word.data() + word.size(), ignored);
  const bool is_number = bad == std::errc() && end == word.data() + word.size();
  return word.empty() || is_number || word.front() == '(' ? each.front() : word;
}

std::string bar_text(double value, bool measured, double greatest) {
  if (!measured || !(value > 0)) return fmt::format("{:.6g}", value);
  // Behind the point, so that there are so many digits; 9.996 is 10.0.
  const auto places = [](double number, int digits) {
    return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(number * 1.0005))), 0, 12);
  };
  constexpr int kDigits = 3, kFewest = 2;  // of the greatest; of a number beside it, or it has as many as it needs alone
  const double common = std::pow(10, places(greatest, kDigits));
  const bool enough = std::round(value * common) >= std::pow(10, kFewest - 1);
  return fmt::format("{:.{}f}", value, places(enough ? greatest : value, kDigits));
}

double greatest_of(const NumberTable::Column& column) {
  double greatest = 0;
  for (const std::optional<double>& value : column.values) greatest = std::max(greatest, value.value_or(0));
  return greatest;
}

Status take_names(const FigureSpec& spec, std::vector<std::string>& names, std::string_view of) {
  const std::vector<std::string> given = between_semicolons(parameter(spec, "names"));
  if (given.size() > names.size())
    return Error{ErrorCode::wrong_arity, fmt::format("names has {} names, and there are {} {}", given.size(), names.size(), of), {}, {}};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].empty()) names[i] = given[i];
  }
  return Done{};
}

std::vector<std::string> between_semicolons(std::string_view text) {
  std::vector<std::string> made;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string_view item = text.substr(0, end);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    made.emplace_back(item);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return made;
}

}  // namespace tessera
