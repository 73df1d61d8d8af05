// SPDX-License-Identifier: BSD-3-Clause
// Syntax: what the words of a document's text are, for their colours. It reads any text, also one that no parser takes.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tessera {

enum class WordRole { comment, keyword, number, string, function, atom, name, bound, symbol };

struct ColoredWord {
  std::size_t begin = 0, end = 0;  // bytes of the line
  WordRole role = WordRole::symbol;
  friend bool operator==(const ColoredWord&, const ColoredWord&) = default;
};

// The words of one line, without the blanks between them. `in_comment`: a `/*` of a line above is open; afterwards, whether one is open
// at the end of this line.
std::vector<ColoredWord> colored_words(std::string_view line, bool& in_comment);
// For each line whether it begins inside of a comment. `starts` are the places where the lines begin.
std::vector<bool> lines_in_comment(std::string_view text, const std::vector<std::size_t>& starts);

bool is_function_name(std::string_view name);  // also "tv_figure"
bool is_atom_name(std::string_view name);      // also a short form: the beginning of one at the end of a word

}  // namespace tessera
