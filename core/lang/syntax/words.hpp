// SPDX-License-Identifier: BSD-3-Clause
// A text of a program before it is parsed: its words and brackets, and where comments and strings end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/lang/syntax/dialect.hpp"

namespace tessera {

namespace statement_text {

inline bool opens(char c) { return c == '(' || c == '[' || c == '{'; }
inline bool closes(char c) { return c == ')' || c == ']' || c == '}'; }
std::string_view first_word(std::string_view text);
// Where a word first stands as a whole, at the byte `from` or behind it; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);
bool has_word(std::string_view text, std::string_view word);
bool is_path(std::string_view text);                             // x, self.x
std::size_t indentation(std::string_view text, std::size_t at);  // columns in front of the line's first word
std::size_t after_template(std::string_view text);               // behind template <...>; 0 where none begins the text

// Walks over a text, knowing strings and comments: `//` is a comment in C++, a division in Python, and in our notation what it can be.
class Walker {
 public:
  Walker(std::string_view text, Dialect dialect) : text_(text), dialect_(dialect) {}
  std::size_t after(std::size_t at) const;          // behind what begins at `at`: a comment, a string, or one character
  std::size_t after_comment(std::size_t at) const;  // `at` itself where no comment begins
  bool begins_line(std::size_t at) const;

 private:
  bool begins_comment(std::size_t at) const;
  bool divides(std::size_t at) const;
  bool names_alone(std::size_t at) const;

  std::size_t after_raw_string(std::size_t at) const;
  std::size_t after_open_string(std::size_t at) const;

  std::string_view text_;
  Dialect dialect_;
  // The end of raw strings that was looked for last, from where and to where it was found: texts may hold many openings and no end.
  mutable std::string raw_end_;
  mutable std::size_t raw_from_ = 0, raw_found_ = 0;
};

}  // namespace statement_text

}  // namespace tessera
