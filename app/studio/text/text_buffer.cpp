// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/text/text_buffer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/characters.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

std::size_t next_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  return at + first_character(text.substr(at, 8)).length;
}

std::size_t previous_character(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
  return next_character(text, begin) == at ? begin : at - 1;
}

// What belongs together when one goes word by word: letters and digits, or marks, and the blanks behind them.
int class_of(char c) { return is_space(c) ? 0 : is_word(c) || static_cast<unsigned char>(c) >= 0x80 ? 1 : 2; }

std::size_t next_word(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  const int here = class_of(text[at]);
  while (at < text.size() && class_of(text[at]) == here) ++at;
  while (at < text.size() && text[at] != '\n' && class_of(text[at]) == 0) ++at;
  return at;
}

std::size_t previous_word(std::string_view text, std::size_t at) {
  while (at > 0 && class_of(text[at - 1]) == 0) --at;
  if (at == 0) return 0;
  const int here = class_of(text[at - 1]);
  while (at > 0 && class_of(text[at - 1]) == here) --at;
  return at;
}

}  // namespace

void TextBuffer::count_lines() {
  ++version_;
  starts_.assign(1, 0);
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1)) starts_.push_back(at + 1);
}

void TextBuffer::replace_all(std::string text) {
  const std::size_t shorter = std::min(text_.size(), text.size());
  const auto begin = std::mismatch(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(shorter), text_.begin());
  const auto same = static_cast<std::size_t>(begin.first - text.begin());
  std::size_t behind = 0;
  while (behind < shorter - same && text_[text_.size() - 1 - behind] == text[text.size() - 1 - behind]) ++behind;
  text_ = std::move(text);
  count_lines();
  place(text_.size() - behind, false);
}

std::size_t TextBuffer::line_of(std::size_t at) const {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), at) - starts_.begin()) - 1;
}

std::string_view TextBuffer::line(std::size_t number) const {
  const std::size_t begin = starts_[number], end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

void TextBuffer::place(std::size_t at, bool extend) {
  cursor_ = std::min(at, text_.size());
  if (!extend) anchor_ = cursor_;
  const std::size_t begin = starts_[line_of(cursor_)];
  column_ = count_characters(std::string_view(text_).substr(begin, cursor_ - begin));
}

std::size_t TextBuffer::other_line(int by) const {
  const auto wanted = static_cast<std::ptrdiff_t>(line_of(cursor_)) + by;
  if (wanted < 0) return 0;
  if (wanted >= static_cast<std::ptrdiff_t>(starts_.size())) return text_.size();
  const auto number = static_cast<std::size_t>(wanted);
  std::size_t at = starts_[number];
  const std::size_t end = at + line(number).size();
  for (std::size_t i = 0; i < column_ && at < end; ++i) at = next_character(text_, at);
  return std::min(at, end);
}

std::size_t TextBuffer::stepped(Step step, int direction, std::size_t page_lines) const {
  const std::size_t number = line_of(cursor_), begin = starts_[number];
  const bool ahead = direction > 0;
  switch (step) {
    case Step::character: return ahead ? next_character(text_, cursor_) : previous_character(text_, cursor_);
    case Step::word: return ahead ? next_word(text_, cursor_) : previous_word(text_, cursor_);
    case Step::line: return other_line(direction);
    case Step::page: return other_line(direction * static_cast<int>(page_lines));
    case Step::text_end: return ahead ? text_.size() : 0;
    case Step::line_end: break;
  }
  if (ahead) return begin + line(number).size();
  // First to where the words begin, then to where the line does.
  std::size_t words = begin;
  while (words < begin + line(number).size() && is_space(text_[words])) ++words;
  return cursor_ == words ? begin : words;
}

void TextBuffer::move(Step step, int direction, bool extend, std::size_t page_lines) {
  if (has_selection() && !extend && step == Step::character) {
    const SourceSpan chosen = selection();
    return place(direction > 0 ? chosen.end : chosen.begin, false);
  }
  const std::size_t column = column_;
  place(stepped(step, direction, page_lines), extend);
  if (step == Step::line || step == Step::page) column_ = column;
}

void TextBuffer::select_word(std::size_t at) {
  at = std::min(at, text_.size());
  std::size_t begin = at, end = at;
  const int here = at < text_.size() ? class_of(text_[at]) : 0;
  while (begin > 0 && text_[begin - 1] != '\n' && class_of(text_[begin - 1]) == here) --begin;
  while (end < text_.size() && text_[end] != '\n' && class_of(text_[end]) == here) ++end;
  place(begin, false);
  place(end, true);
}

void TextBuffer::select_all() {
  place(0, false);
  place(text_.size(), true);
}

SourceSpan TextBuffer::selection() const { return {std::min(cursor_, anchor_), std::max(cursor_, anchor_)}; }

std::string_view TextBuffer::selected_text() const {
  const SourceSpan chosen = selection();
  return std::string_view(text_).substr(chosen.begin, chosen.end - chosen.begin);
}

void TextBuffer::replace(SourceSpan part, std::string_view with) {
  text_.replace(part.begin, part.end - part.begin, with);
  count_lines();
  place(part.begin + with.size(), false);
}

void TextBuffer::insert(std::string_view what) { replace(selection(), what); }

void TextBuffer::erase(Step step, int direction) {
  if (!has_selection()) place(stepped(step, direction, 1), true);
  replace(selection(), {});
}

void TextBuffer::new_line() {
  const std::string_view here = line(line_of(selection().begin));
  std::size_t blanks = 0;
  const std::size_t most = selection().begin - starts_[line_of(selection().begin)];
  while (blanks < std::min(here.size(), most) && (here[blanks] == ' ' || here[blanks] == '\t')) ++blanks;
  insert("\n" + std::string(here.substr(0, blanks)));
}

}  // namespace tessera::studio
