// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/chart_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/atom/catalog.hpp"

namespace tessera {

namespace {

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

Result<const NumberTable::Column*> column_of(const FigureSpec& spec, const NumberTable& table) {
  if (const auto given = spec.parameters.find("column"); given != spec.parameters.end()) {
    if (const auto* column = column_named(table, given->second)) return column;
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
