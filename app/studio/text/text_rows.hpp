// SPDX-License-Identifier: BSD-3-Clause
// Where the lines of a text are broken into rows, and the columns of their letters, which are equally wide.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "app/studio/text/text_buffer.hpp"

namespace tessera::studio {

inline constexpr std::size_t kNoWrap = std::numeric_limits<std::size_t>::max();

// ---- columns of a line ----
std::size_t column_behind(std::string_view part, std::size_t column);  // of a part that begins at `column`
std::size_t column_at(std::string_view line, std::size_t byte);
std::size_t byte_at(std::string_view line, float wanted);  // the place that is nearest to a column
// One column a character, whatever the text is.
std::string in_columns(std::string_view part, std::size_t column);

// A row of a line: bytes [begin, end), drawn `indent` columns from the left; `column` is that of its first letter in the line.
struct TextRow {
  std::size_t begin = 0, end = 0, column = 0, indent = 0;
};
// Broken behind blanks and commas where there are any. A line has one row at least.
std::vector<TextRow> rows_of(std::string_view line, std::size_t columns);
// The row that a place of the line is in: the end of one is the beginning of the next.
std::size_t row_of(const std::vector<TextRow>& rows, std::size_t byte);

// The rows of a whole text, counted.
class TextRows {
 public:
  void arrange(const TextBuffer& text, std::size_t columns);
  std::size_t columns() const { return columns_; }
  std::size_t lines() const { return first_.size() - 1; }
  std::size_t count() const { return first_.back(); }
  std::size_t first_of(std::size_t line) const { return first_[line]; }
  std::size_t line_of(std::size_t row) const;

 private:
  std::vector<std::size_t> first_{0};  // row of each line, and how many there are
  std::size_t columns_ = 0;
};

}  // namespace tessera::studio
