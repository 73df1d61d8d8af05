// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements.hpp"

#include <utility>

#include "core/lang/dialect.hpp"
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
  return at < text_.size() && text_[at] == c ? at + 1 : std::min(at, text_.size());  // an open string ends with its line
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

// let, param and assert: such a line begins a statement, whatever is open above it.
bool begins_own_line(std::string_view text, std::size_t at) {
  const std::string_view word = first_word(text.substr(at)), behind = text.substr(at + word.size());
  return (word == "let" || word == "param" || word == "assert") && !behind.empty() && (behind[0] == ' ' || behind[0] == '\t');
}

// What follows the # of a line that C++'s preprocessor takes; any other such line is a comment of Python or of ours.
bool is_directive(std::string_view line) {
  constexpr std::string_view kWords[] = {"include", "define", "undef", "if",     "ifdef", "ifndef",
                                         "elif",    "else",   "endif", "pragma", "error", "line"};
  const std::string_view word = first_word(trimmed(line.substr(1)));
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

StatementReader::StatementReader(std::string_view text, const StatementOptions& options)
    : text_(text), options_(options), cpp_(is_cpp(text)), calls_dsl_(calls_dsl(text)), walk_(text, cpp_) {}

std::vector<Statement> StatementReader::run() {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  while (skip_blank(), at_ < text_.size()) {
    const std::size_t begin = at_;
    if (cpp_ && text_[at_] == '#' && !is_directive(text_.substr(begin, 40))) {
      at_ = std::min(text_.find('\n', begin), text_.size());
    } else if (cpp_ && text_[at_] == '#') {
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
  bool assigns = false, first_line = true;
  char before = 0;  // the last character that was no blank
  for (std::size_t i = begin; i < text_.size();) {
    const std::size_t next = walk_.after(i);
    const char c = text_[i];
    if (c == '\n' && begins_own_line(text_, i + 1)) return {i, i + 1, {}};
    if (c == '\n' && depth == 0 && std::exchange(first_line, false) && is_whole_line(begin, i, i + 1)) return {i, i + 1, {}};
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

// Between C++'s statements, lines of Python and of our notation: an assignment or a call that ends with its line, where what stands below
// does not go on with it.
bool StatementReader::is_whole_line(std::size_t begin, std::size_t end, std::size_t next) const {
  while (end > begin && is_space(text_[end - 1])) --end;
  const std::string_view line = part(begin, end), word = first_word(line);
  const bool makes = line.ends_with("{}");  // L{}
  if (line.empty() || (!makes && std::string_view(";{},=+-*/%&|^<>?:.(\\").find(line.back()) != std::string_view::npos)) return false;
  while (next < text_.size() && (is_space(text_[next]) || walk_.after_comment(next) != next))
    next = std::max(walk_.after_comment(next), next + 1);
  if (next < text_.size() && std::string_view(";{})]=+-*/%&|^<>?:.,(").find(text_[next]) != std::string_view::npos) return false;
  if (word.starts_with("__") || word == "if" || word == "for" || word == "while" || word == "switch") return false;
  if (assignment(begin, end) != end) return word != "template" && word != "auto" && word != "using" && word != "constexpr";
  const char behind = word.size() < line.size() ? line[word.size()] : ' ';
  return behind == '(' || behind == '.' || line.front() == '(' || (makes && (behind == '{' || behind == '<' || behind == ':'));
}

StatementReader::End StatementReader::end_of_line(std::size_t begin, const Walker& walk) const {
  int depth = 0;
  std::size_t last = begin;
  for (std::size_t i = begin; i < text_.size();) {
    const std::size_t next = walk.after(i);
    const char c = text_[i];
    if (walk.after_comment(i) != i) {
      i = next;
      continue;
    }
    if (c == '\n' && (depth <= 0 || begins_own_line(text_, i + 1))) return {last, i + 1, {}};
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

void StatementReader::statement(std::size_t begin) {
  const bool own = begins_own_line(text_, begin);
  if (cpp_ && !own) {
    const End end = end_of_cpp(begin);
    at_ = end.next;
    cpp_statement(begin, end);
    return;
  }
  // An own line ends with its line also between C++ statements, and a `//` in it divides as if it stood alone.
  const std::string_view line = part(begin, std::min(text_.find('\n', begin), text_.size()));
  const End end = end_of_line(begin, cpp_ && own ? Walker(text_, has_cpp_marks(line)) : walk_);
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
