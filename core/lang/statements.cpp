// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements.hpp"

#include "core/lang/lexer.hpp"
#include "core/lang/slashes.hpp"
#include "core/lang/statement_reader.hpp"

namespace tessera {

namespace statement_text {

std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word(text[at + word.size()]);
    if (begins && ends) return true;
  }
  return false;
}

std::size_t Walker::after(std::size_t at) const {
  if (const std::size_t end = after_comment(at); end != at) return end;
  const char c = text_[at];
  if (c != '"' && c != '\'') return at + 1;
  if (text_.substr(at, 3) == std::string(3, c)) {  // Python's long string
    const std::size_t end = text_.find(text_.substr(at, 3), at + 3);
    return end == std::string_view::npos ? text_.size() : end + 3;
  }
  if (cpp_ && c == '\'' && at > 0 && is_word(text_[at - 1])) return at + 1;  // 1'000
  for (++at; at < text_.size() && text_[at] != c && text_[at] != '\n'; ++at) {
    if (text_[at] == '\\' && at + 1 < text_.size()) ++at;
  }
  return std::min(at + 1, text_.size());
}

std::size_t Walker::after_comment(std::size_t at) const {
  const char c = text_[at], next = at + 1 < text_.size() ? text_[at + 1] : '\0';
  if (c == '/' && next == '*') {
    const std::size_t end = text_.find("*/", at + 2);
    return end == std::string_view::npos ? text_.size() : end + 2;
  }
  const bool slashes = c == '/' && next == '/' && (cpp_ || !divides(at));
  const bool hash = c == '#' && (!cpp_ || !begins_line(at));
  return slashes || hash ? std::min(text_.find('\n', at), text_.size()) : at;
}

bool Walker::begins_line(std::size_t at) const {
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at == 0 || text_[at - 1] == '\n';
}

bool Walker::divides(std::size_t at) const {
  const std::size_t end = std::min(text_.find('\n', at), text_.size());
  return may_divide(text_.substr(0, end), at);
}

}  // namespace statement_text

namespace {

using namespace statement_text;

bool is_let(std::string_view text, std::size_t at) {
  const std::string_view line = text.substr(at);
  return line.starts_with("let ") || line.starts_with("let\t");
}

// C++ rather than Python or our notation: a line ends in ';' or '{', or has marks that only C++ has.
bool is_cpp(std::string_view text) {
  for (const std::string_view word : {"auto", "using", "constexpr", "template", "typename", "decltype", "CUTE_STATIC_ASSERT_V"}) {
    if (has_word(text, word)) return true;
  }
  if (text.find("#include") != std::string_view::npos || text.find("#if") != std::string_view::npos) return true;
  for (std::size_t at = text.find(';'); at != std::string_view::npos; at = text.find(';', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
    if (end == text.size() || text[end] == '\n' || text.substr(end, 2) == "//" || text.substr(end, 2) == "/*") return true;
  }
  return false;
}

}  // namespace

StatementReader::StatementReader(std::string_view text, const StatementOptions& options)
    : text_(text), options_(options), cpp_(is_cpp(text)), walk_(text, cpp_) {}

std::vector<Statement> StatementReader::run() {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  while (skip_blank(), at_ < text_.size()) {
    const std::size_t begin = at_;
    if (cpp_ && text_[at_] == '#') {
      passed(begin, end_of_directive(begin),
             trimmed(text_.substr(begin + 1, 20)).starts_with("include") ? "an #include" : "a preprocessor line");
    } else if (text_[at_] == '}' || text_[at_] == ';' || (cpp_ && text_[at_] == ')')) {
      ++at_;  // the end of a block that was entered
    } else {
      statement(begin);
    }
  }
  return std::move(made_);
}

void StatementReader::skip_blank() {
  while (at_ < text_.size()) {
    if (is_space(text_[at_])) {
      ++at_;
    } else if (const std::size_t end = walk_.after_comment(at_); end != at_) {
      at_ = end;
    } else {
      return;
    }
  }
}

std::size_t StatementReader::end_of_directive(std::size_t begin) const {
  std::size_t end = begin;
  do {
    end = std::min(text_.find('\n', end + 1), text_.size());
  } while (end < text_.size() && end > 0 && text_[end - 1] == '\\');
  return end;
}

std::size_t StatementReader::line_of(std::size_t at) {
  for (; counted_ < at; ++counted_) line_ += text_[counted_] == '\n';
  return line_;
}

StatementReader::End StatementReader::end_of_cpp(std::size_t begin) const {
  int depth = 0;
  bool assigns = false;
  char before = 0;  // the last character that was no blank
  for (std::size_t i = begin; i < text_.size();) {
    const std::size_t next = walk_.after(i);
    const char c = text_[i];
    if (next > i + 1 || is_space(c)) {  // a comment, a string or a blank
      if (!is_space(c) && walk_.after_comment(i) == i) before = '"';
      i = next;
      continue;
    }
    if (depth == 0 && c == ';') return {i, i + 1, {}};
    if (depth == 0 && c == '=' && before != '=' && before != '<' && before != '>' && before != '!') assigns = true;
    const bool empty_braces = c == '{' && i + 1 < text_.size() && trimmed(text_.substr(i + 1, text_.find('}', i) - i - 1)).empty();
    if (depth == 0 && c == '{' && !assigns && !empty_braces && (before == ')' || is_block_head(begin, i))) return {i, i + 1, i};
    if (depth == 0 && c == '}') return {i, i, {}};
    if (opens(c)) ++depth;
    if (closes(c)) --depth;
    if (depth < 0) return {i, i + 1, {}};
    before = c;
    i = next;
  }
  return {text_.size(), text_.size(), {}};
}

bool StatementReader::is_block_head(std::size_t begin, std::size_t brace) const {
  const std::string_view head = trimmed(text_.substr(begin, brace - begin));
  if (head.empty()) return true;
  for (const std::string_view word :
       {"struct", "class", "namespace", "union", "enum", "else", "do", "try", "extern", "const", "override"}) {
    if (has_word(head, word) && head.find('=') == std::string_view::npos) return word != "const" || head.ends_with("const");
  }
  return false;
}

StatementReader::End StatementReader::end_of_line(std::size_t begin) const {
  int depth = 0;
  std::size_t last = begin;
  for (std::size_t i = begin; i < text_.size();) {
    const std::size_t next = walk_.after(i);
    const char c = text_[i];
    if (walk_.after_comment(i) != i) {
      i = next;
      continue;
    }
    if (c == '\n' && (depth <= 0 || is_let(text_, i + 1))) return {last, i + 1, {}};
    if (c == ';' && depth == 0) return {last, i + 1, {}};
    if (next == i + 1) {
      if (opens(c)) ++depth;
      if (closes(c)) --depth;
      if (c == '\\' && i + 1 < text_.size() && (text_[i + 1] == '\n' || text_[i + 1] == '\r')) {
        i = text_.find('\n', i) + 1;
        continue;
      }
    }
    if (!is_space(c)) last = next;
    i = next;
  }
  return {last, text_.size(), {}};
}

std::size_t StatementReader::end_of_block(std::size_t brace) const {
  int depth = 0;
  for (std::size_t i = brace; i < text_.size();) {
    const std::size_t next = walk_.after(i);
    if (next == i + 1) {
      if (text_[i] == '{') ++depth;
      if (text_[i] == '}' && --depth == 0) return next;
    }
    i = next;
  }
  return text_.size();
}

std::size_t StatementReader::end_of_indented(std::size_t begin, std::size_t next) const {
  const std::size_t column = begin - (text_.rfind('\n', begin) == std::string_view::npos || begin == 0 ? 0 : text_.rfind('\n', begin) + 1);
  std::size_t end = next;
  while (next < text_.size()) {
    const std::size_t line_end = std::min(text_.find('\n', next), text_.size());
    const std::string_view line = text_.substr(next, line_end - next);
    const std::size_t indent = line.find_first_not_of(" \t\r");
    if (indent != std::string_view::npos && indent <= column && line[indent] != '#') break;
    if (indent != std::string_view::npos) end = line_end;
    next = line_end + 1;
  }
  return end;
}

// Our own lines end with their line also between C++ statements.
bool StatementReader::is_own_line(std::size_t begin) const {
  const std::string_view word = first_word(text_.substr(begin));
  return (word == "let" || word == "param" || word == "assert") && begin + word.size() < text_.size() &&
         (text_[begin + word.size()] == ' ' || text_[begin + word.size()] == '\t');
}

void StatementReader::statement(std::size_t begin) {
  if (cpp_ && !is_own_line(begin)) {
    const End end = end_of_cpp(begin);
    at_ = end.next;
    cpp_statement(begin, end);
    return;
  }
  const End end = end_of_line(begin);
  at_ = end.next;
  line_statement(begin, end.at);
}

std::vector<Statement> read_statements(std::string_view text, const StatementOptions& options) {
  return StatementReader(text, options).run();
}

bool has_statements(std::string_view text) {
  const std::vector<Statement> made = read_statements(text);
  return made.size() > 1 || (made.size() == 1 && made[0].kind != Statement::Kind::show);
}

}  // namespace tessera
