// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/syntax/words.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/characters.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

namespace statement_text {

namespace {

// Is the line one of Python, and no sentence? `x = 4`, `self.x(4)`, `return x`, `for i in x:`, `@cute.jit`
bool begins_python(std::string_view line) {
  if (line.starts_with('@')) return true;
  const std::string_view word = first_word(line), behind = trimmed(line.substr(word.size()));
  if (word.empty()) return false;
  for (const std::string_view heads : {"def", "class", "import", "from", "return", "raise", "assert"}) {
    if (word == heads) return !behind.empty() && is_word(behind.front());
  }
  for (const std::string_view heads : {"if", "elif", "else", "for", "while", "with", "try", "except", "finally"}) {
    if (word == heads) return line.ends_with(':');
  }
  if (word == "pass" || word == "break" || word == "continue") return behind.empty();
  std::size_t path = 0;
  while (path < line.size() && (is_word(line[path]) || line[path] == '.')) ++path;
  const std::string_view rest = trimmed(line.substr(path));
  return is_binding_name(word) && ((rest.starts_with('=') && !rest.starts_with("==")) || line.substr(path).starts_with('('));
}

}  // namespace

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) { return find_word(text, word) != std::string_view::npos; }

bool is_path(std::string_view text) {
  return is_binding_name(first_word(text)) && std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '.'; });
}

std::size_t indentation(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t line = before == std::string_view::npos ? 0 : before + 1;
  return std::min(text.find_first_not_of(" \t", line), at) - line;
}

std::size_t after_template(std::string_view text) {
  if (first_word(text) != "template") return 0;
  const Walker walk(text, Dialect::cpp);
  int depth = 0, brackets = 0;  // (N > 4) compares
  for (std::size_t i = 8; i < text.size();) {
    const std::size_t next = walk.after(i);
    const char c = text[i];
    if (depth == 0 && c != '<' && !is_space(c) && walk.after_comment(i) == i) return 0;
    if (next == i + 1) {
      if (opens(c)) ++brackets;
      if (closes(c)) --brackets;
      if (brackets == 0 && c == '<') ++depth;
      if (brackets == 0 && c == '>' && text[i - 1] != '-' && --depth == 0) return next;
    }
    i = next;
  }
  return 0;
}

// Behind R"mark(...)mark", of which the quotation mark at `at` is the first; `at` itself where none begins there or none ends.
std::size_t Walker::after_raw_string(std::size_t at) const {
  constexpr std::size_t kLongestMark = 16, kLongest = std::size_t{1} << 16;  // bytes that are looked through for the end
  std::size_t word = at;
  while (word > 0 && is_word(text_[word - 1])) --word;
  const std::string_view prefix = text_.substr(word, at - word);
  if (prefix != "R" && prefix != "u8R" && prefix != "uR" && prefix != "UR" && prefix != "LR") return at;
  const std::size_t open = text_.find_first_of("( )\\\n\t\"", at + 1);
  if (open == std::string_view::npos || text_[open] != '(' || open - at - 1 > kLongestMark) return at;
  std::string end = ")" + std::string(text_.substr(at + 1, open - at - 1)) + "\"";
  const bool known = end == raw_end_ && raw_from_ <= open && open < raw_found_;
  if (!known) {
    const bool marked = end.size() > 2;  // without a mark one search of all the text serves every string that follows
    const std::size_t found = text_.substr(open + 1, marked ? kLongest : text_.size()).find(end);
    raw_found_ = found == std::string_view::npos ? found : open + 1 + found;
    raw_from_ = open;
    raw_end_ = marked && found == std::string_view::npos ? std::string() : std::move(end);  // a marked one may stand further down
  }
  return raw_found_ == std::string_view::npos ? at : raw_found_ + raw_end_.size();
}

// A long string that nothing closes: it ends with the line above the next one that begins a statement, as far right as the string's own
// line or less.
std::size_t Walker::after_open_string(std::size_t at) const {
  if (dialect_ == Dialect::cpp) return text_.size();
  const std::size_t level = indentation(text_, at);
  for (std::size_t end = text_.find('\n', at); end != std::string_view::npos; end = text_.find('\n', end + 1)) {
    const std::string_view line = text_.substr(end + 1, std::min(text_.find('\n', end + 1), text_.size()) - end - 1);
    if (line.find_first_not_of(" \t") <= level && begins_python(trimmed(line))) return end;
  }
  return text_.size();
}

std::size_t Walker::after(std::size_t at) const {
  if (const std::size_t end = after_comment(at); end != at) return end;
  const char c = text_[at];
  if (c != '"' && c != '\'') return at + 1;
  if (dialect_ == Dialect::cpp && c == '"') {
    if (const std::size_t end = after_raw_string(at); end != at) return end;
  }
  if (text_.substr(at, 3) == std::string(3, c)) {  // Python's long string
    const std::size_t end = text_.find(text_.substr(at, 3), at + 3);
    return end == std::string_view::npos ? after_open_string(at) : end + 3;
  }
  if (dialect_ == Dialect::cpp && c == '\'' && at > 0 && is_word(text_[at - 1])) return at + 1;  // 1'000
  for (++at; at < text_.size() && text_[at] != c && text_[at] != '\n'; ++at) {
    if (text_[at] == '\\' && at + 1 < text_.size()) ++at;
  }
  return at < text_.size() && text_[at] == c ? at + 1 : std::min(at, text_.size());  // an open string ends with its line
}

std::size_t Walker::after_comment(std::size_t at) const {
  const char c = text_[at], next = at + 1 < text_.size() ? text_[at + 1] : '\0';
  if (c == '/' && next == '*' && dialect_ != Dialect::python) {
    const std::size_t end = text_.find("*/", at + 2);
    return end == std::string_view::npos ? text_.size() : end + 2;
  }
  const bool slashes = c == '/' && next == '/' && begins_comment(at);
  const bool hash = c == '#' && (dialect_ != Dialect::cpp || !begins_line(at));
  if (!slashes && !hash) return at;
  std::size_t end = std::min(text_.find('\n', at), text_.size());
  // In C++ a comment whose line ends with a backslash goes on.
  while (dialect_ == Dialect::cpp && end < text_.size() && text_[text_[end - 1] == '\r' ? end - 2 : end - 1] == '\\')
    end = std::min(text_.find('\n', end + 1), text_.size());
  return end;
}

// The `//` at this place: is it a comment?
bool Walker::begins_comment(std::size_t at) const {
  switch (dialect_) {
    case Dialect::cpp: return true;
    case Dialect::python: return false;
    case Dialect::ours: break;
  }
  const bool updates = text_.substr(at, 3) == "//=" && text_.substr(at + 3, 1) != "=" && names_alone(at);
  return !updates && !divides(at);
}

bool Walker::begins_line(std::size_t at) const {
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at == 0 || text_[at - 1] == '\n';
}

// x //= 2: the name stands in front, and nothing else.
bool Walker::names_alone(std::size_t at) const {
  const std::size_t line = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
  return is_path(trimmed(text_.substr(line + 1, at - line - 1)));
}

bool Walker::divides(std::size_t at) const {
  const std::size_t end = std::min(text_.find('\n', at), text_.size());
  return may_divide(text_.substr(0, end), at);
}

}  // namespace statement_text

}  // namespace tessera
