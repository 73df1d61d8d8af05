// SPDX-License-Identifier: BSD-3-Clause
// Words of a lesson, read once for every format: paragraphs, headings, lists, tables and code as blocks, and in them runs of one look.
//
//   blocks_of("A *tile* of {{size(t)}}")  ->  paragraph: "A ", em "tile", " of 32"
//
// A lesson is foreign: HTML in it is text, a link is its words with its address behind them in brackets, and a picture is its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

// Words of one look.
struct TextRun {
  std::string text;
  bool strong = false, em = false, code = false, del = false;
  bool breaks = false;  // a line ends here; it has no text

  bool same_look(const TextRun& other) const {
    return strong == other.strong && em == other.em && code == other.code && del == other.del && breaks == other.breaks;
  }
};

struct Block {
  // A line is the words of a list's item or a cell, without a paragraph of their own. A table has rows, a row cells.
  enum class Kind : std::uint8_t { paragraph, heading, line, code, quote, bullets, numbers, item, table, row, rule };
  Kind kind = Kind::paragraph;
  unsigned level = 0;         // of a heading, from 1
  bool is_head = false;       // of a row: of the table's head
  std::vector<TextRun> runs;  // of paragraphs, headings, lines; of code one, with its line ends
  std::vector<Block> inside;  // of quotes, lists, items, tables and rows
};

// Stands in Markdown where value number `i` will be, and is no sign of Markdown: a value such as (4,8):(8,1) or _4 is never read as such.
std::string value_mark(std::size_t i);
// Without the signs that marks are made of.
std::string without_marks(std::string_view text);

// Refused where the program was built without md4c.
Result<std::vector<Block>> read_markdown(std::string_view markdown, const std::vector<std::string>& values = {});
// Words of a lesson with each {{expression}} evaluated. A refusal has its place in the lesson.
Result<std::vector<Block>> blocks_of(const Written& words, const Scope& scope);
// `code` between backticks as runs, of one line of a question: everything else in it is text.
std::vector<TextRun> runs_of_line(std::string_view text);

}  // namespace tessera::lesson
