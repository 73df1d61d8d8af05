// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"

namespace tessera {
namespace {

// Characters on the screen of UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t to, bool right) {
  const std::string blanks(to - std::min(to, width(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::string to_string(const Report::Cell& cell) {
  return std::visit(Overloaded{
                        [](std::int64_t number) { return fmt::format("{}", number); },
                        [](double number) { return fmt::format("{:.4g}", number); },
                        [](bool truth) { return std::string(truth ? "yes" : "no"); },
                        [](const std::string& text) { return text; },
                    },
                    cell);
}

std::string to_text(const Report& report) {
  std::string text = report.sentence;
  for (const std::string& note : report.notes) text += "\n  " + note;
  if (report.rows.empty()) return text;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < report.columns.size(); ++c) {
    widths.push_back(width(report.columns[c]));
    for (const auto& row : report.rows) widths.back() = std::max(widths.back(), width(to_string(row[c])));
  }
  const auto line = [&](const auto& cell_at, const auto& is_right) {
    std::string made;
    for (std::size_t c = 0; c < widths.size(); ++c) made += (c == 0 ? "" : "  ") + padded(cell_at(c), widths[c], is_right(c));
    made.erase(made.find_last_not_of(' ') + 1);
    return "\n" + made;
  };
  const auto is_number = [&](std::size_t c) { return !std::holds_alternative<std::string>(report.rows.front()[c]); };
  text += line([&](std::size_t c) { return report.columns[c]; }, is_number);
  for (const auto& row : report.rows) text += line([&](std::size_t c) { return to_string(row[c]); }, is_number);
  return text;
}

}  // namespace tessera
