// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/text/text_rows.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kTab = 4, kHang = 4;  // columns: of a tab, and that rows after the first stand to the right
constexpr std::size_t kLeastColumns = 12;

std::size_t width_of(const Utf8Character& character, std::size_t column) { return character.code == U'\t' ? kTab - column % kTab : 1; }

bool breaks_behind(char c) { return c == ' ' || c == '\t' || c == ','; }

}  // namespace

std::size_t column_behind(std::string_view part, std::size_t column) {
  while (!part.empty()) {
    const Utf8Character character = first_character(part.substr(0, 8));
    column += width_of(character, column);
    part.remove_prefix(character.length);
  }
  return column;
}

std::size_t column_at(std::string_view line, std::size_t byte) { return column_behind(line.substr(0, byte), 0); }

std::size_t byte_at(std::string_view line, float wanted) {
  std::size_t column = 0, at = 0;
  while (at < line.size()) {
    const Utf8Character character = first_character(line.substr(at, 8));
    const std::size_t width = width_of(character, column);
    if (wanted < static_cast<float>(column) + static_cast<float>(width) / 2) break;
    column += width;
    at += character.length;
  }
  return at;
}

std::string in_columns(std::string_view part, std::size_t column) {
  std::string text;
  while (!part.empty()) {
    const Utf8Character character = first_character(part.substr(0, 8));
    const std::size_t width = width_of(character, column);
    if (character.code == U'\t')
      text.append(width, ' ');
    else
      append_utf8(text, character.valid && !is_unprintable(character.code) ? character.code : kReplacement);
    column += width;
    part.remove_prefix(character.length);
  }
  return text;
}

std::vector<TextRow> rows_of(std::string_view line, std::size_t columns) {
  std::vector<TextRow> rows{{0, line.size(), 0, 0}};
  if (columns == kNoWrap || (line.size() <= columns && line.find('\t') == std::string_view::npos)) return rows;
  columns = std::max(columns, kLeastColumns);
  std::size_t column = 0, after_blank = 0, blank_column = 0;
  for (std::size_t at = 0; at < line.size();) {
    const Utf8Character character = first_character(line.substr(at, 8));
    const std::size_t width = width_of(character, column);
    const TextRow& row = rows.back();
    if (column + width - row.column + row.indent > columns && at > row.begin) {
      // Behind the last blank, unless most of the row would be empty then.
      const bool at_blank = after_blank > row.begin && blank_column - row.column > columns / 3;
      const std::size_t begin = at_blank ? after_blank : at, first = at_blank ? blank_column : column;
      rows.back().end = begin;
      rows.push_back({begin, line.size(), first, kHang});
    }
    column += width;
    at += character.length;
    if (breaks_behind(line[at - 1])) after_blank = at, blank_column = column;
  }
  return rows;
}

std::size_t row_of(const std::vector<TextRow>& rows, std::size_t byte) {
  const auto behind = std::upper_bound(rows.begin(), rows.end(), byte, [](std::size_t at, const TextRow& row) { return at < row.begin; });
  return static_cast<std::size_t>(behind - rows.begin()) - 1;
}

void TextRows::arrange(const TextBuffer& text, std::size_t columns) {
  columns_ = columns;
  first_.assign(1, 0);
  first_.reserve(text.line_count() + 1);
  for (std::size_t line = 0; line < text.line_count(); ++line) {
    const std::string_view words = text.line(line);
    const bool is_short = columns == kNoWrap || words.size() <= columns / kTab;
    first_.push_back(first_.back() + (is_short ? 1 : rows_of(words, columns).size()));
  }
}

std::size_t TextRows::line_of(std::size_t row) const {
  const auto behind = std::upper_bound(first_.begin(), first_.end(), row);
  return std::min(static_cast<std::size_t>(behind - first_.begin()) - 1, lines() > 0 ? lines() - 1 : 0);
}

}  // namespace tessera::studio
