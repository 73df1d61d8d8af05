// SPDX-License-Identifier: BSD-3-Clause
// TextBuffer: a text with a cursor and a selection, and what keys do to them. It knows nothing of a screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace tessera::studio {

enum class Step { character, word, line, page, line_end, text_end };

class TextBuffer {
 public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  std::uint64_t version() const { return version_; }  // another number after each change of the text
  // Another text, e.g. after undo: the cursor goes to the end of what differs. What lies around that keeps its place.
  void replace_all(std::string text);

  // ---- lines ----
  std::size_t line_count() const { return starts_.size(); }
  const std::vector<std::size_t>& starts() const { return starts_; }
  std::size_t line_of(std::size_t at) const;
  std::string_view line(std::size_t number) const;  // without its end

  // ---- the cursor; `extend` keeps the selection's other end ----
  void place(std::size_t at, bool extend);
  void move(Step step, int direction, bool extend, std::size_t page_lines = 1);
  void select_word(std::size_t at);
  void select_all();
  bool has_selection() const { return cursor_ != anchor_; }
  SourceSpan selection() const;
  std::string_view selected_text() const;

  // ---- changes ----
  void insert(std::string_view what);  // in the place of the selection
  void replace(SourceSpan part, std::string_view with);
  void erase(Step step, int direction);  // the selection, else so far from the cursor
  void new_line();                       // with the blanks at the beginning of this one

 private:
  void count_lines();
  std::size_t stepped(Step step, int direction, std::size_t page_lines) const;
  std::size_t other_line(int by) const;

  std::string text_;
  std::vector<std::size_t> starts_{0};
  std::size_t cursor_ = 0, anchor_ = 0;
  std::uint64_t version_ = 1;
  std::size_t column_ = 0;  // in characters, where the cursor goes back to below a shorter line
};

}  // namespace tessera::studio
