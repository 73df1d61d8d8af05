// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/values/report.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/base/table_text.hpp"
#include "core/base/utf8.hpp"

namespace tessera {
namespace {

std::string padded(const std::string& text, std::size_t to, bool right) {
  const std::string blanks(to - std::min(to, screen_width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string to_string(const Report::Cell& cell) {
  return std::visit(Overloaded{
                        [](std::int64_t number) { return fmt::format("{}", number); },
                        [](double number) { return fmt::format("{:.4g}", number); },
                        [](bool truth) { return std::string(truth ? "yes" : "no"); },
                        [](const std::string& text) { return text; },
                        [](const AnyLayout& layout) { return to_string(layout); },
                    },
                    cell);
}

std::string to_text(const Report& report) {
  std::string text = report.sentence;
  for (const std::string& note : report.notes) text += "\n  " + note;
  if (report.rows.empty()) return text;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < report.columns.size(); ++c) {
    widths.push_back(screen_width(report.columns[c]));
    for (const auto& row : report.rows) widths.back() = std::max(widths.back(), screen_width(to_string(row[c])));
  }
  const auto line = [&](const auto& cell_at, const auto& is_right) {
    std::string made;
    for (std::size_t c = 0; c < widths.size(); ++c) made += (c == 0 ? "" : "  ") + padded(cell_at(c), widths[c], is_right(c));
    made.erase(made.find_last_not_of(' ') + 1);
    return "\n" + made;
  };
  const auto is_number = [&](std::size_t c) {
    const Report::Cell& cell = report.rows.front()[c];
    return !std::holds_alternative<std::string>(cell) && !std::holds_alternative<AnyLayout>(cell);
  };
  text += line([&](std::size_t c) { return report.columns[c]; }, is_number);
  for (const auto& row : report.rows) text += line([&](std::size_t c) { return to_string(row[c]); }, is_number);
  return text;
}

namespace {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

Table table_of(const Report& report) {
  Table made{report.columns, {}};
  for (const auto& row : report.rows) {
    made.rows.emplace_back();
    for (const Report::Cell& cell : row) made.rows.back().push_back(to_string(cell));
  }
  if (!report.rows.empty()) return made;
  made.columns = {"fact", "value"};
  for (const Report::Fact& fact : report.facts) made.rows.push_back({std::string(fact.name), to_string(fact.value)});
  return made;
}

}  // namespace

std::string to_csv(const Report& report) {
  std::string made;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) made += (c == 0 ? "" : ",") + csv_field(row[c]);
    made += '\n';
  };
  const Table table = table_of(report);
  add(table.columns);
  for (const auto& row : table.rows) add(row);
  return printable(made, Lines::kept);
}

std::string to_markdown(const Report& report) {
  const Table table = table_of(report);
  std::string made = printable(report.sentence, Lines::kept) + "\n\n|", rule = "|";  // a cell makes itself printable
  for (const std::string& column : table.columns) {
    made += " " + markdown_cell(column) + " |";
    rule += " --- |";
  }
  made += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    made += "|";
    for (const std::string& cell : row) made += " " + markdown_cell(cell) + " |";
    made += "\n";
  }
  return made;
}

}  // namespace tessera
