// SPDX-License-Identifier: BSD-3-Clause
// Words of a lesson as blocks that a screen can show: paragraphs, headings, lists, quotations, code and tables, with what is strong,
// emphasized or code in them. Values of {{expressions}} are never read as Markdown.
//
//   words_of("A tile of **{{size(t)}}** cells.", scope)   one paragraph: "A tile of ", strong "32", " cells."
//
// A lesson is foreign: HTML is text, a picture is its words, and a link is its words with the address behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera {

enum class WordLook : std::uint8_t { plain, strong, emphasis, code };

struct WordRun {
  std::string text;  // a newline in it begins another line
  WordLook look = WordLook::plain;
  friend bool operator==(const WordRun&, const WordRun&) = default;
};
using WordLine = std::vector<WordRun>;

struct WordBlock {
  enum class Kind : std::uint8_t { paragraph, heading, item, quotation, code, table };
  Kind kind = Kind::paragraph;
  std::size_t level = 0;                    // of a heading, from 1; of an item, how many lists it is in, from 0
  std::string sign;                         // of an item: "1."; empty: a dot
  WordLine words;                           // code: one run, with its newlines
  std::vector<std::vector<WordLine>> rows;  // of a table, the first is its head; each has as many cells
};

// Refused, with its place in the lesson, is an expression that has no value.
Result<std::vector<WordBlock>> words_of(const lesson::Written& markdown, const Scope& scope);
// A prompt, an option or a hint: `code` between backticks, and everything else as it stands.
WordLine prompt_words(std::string_view text);
// All of it, without looks.
std::string plain_text(const WordLine& words);

}  // namespace tessera
