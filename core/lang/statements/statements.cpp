// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/statements.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/characters.hpp"
#include "core/lang/statements/pasted_text.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/division_or_comment.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

namespace {

using namespace statement_text;

// let, param and assert: such a line begins a statement, whatever is open above it.
bool begins_own_line(std::string_view text, std::size_t at) {
  const std::string_view word = first_word(text.substr(at)), behind = text.substr(at + word.size());
  return (word == "let" || word == "param" || word == "assert") && !behind.empty() && (behind[0] == ' ' || behind[0] == '\t');
}

// "the string that begins here never ends, and nothing below is read"
std::string never_ends(std::string_view article, char opening, bool takes_all) {
  return fmt::format("{} {}{} never ends{}", article, opening == '/' ? "comment" : "string", article == "the" ? " that begins here" : "",
                     takes_all ? ", and nothing below is read" : ": what stands below is read from the next statement on");
}

}  // namespace

StatementReader::StatementReader(std::string_view text, const StatementOptions& options)
    : text_(text),
      options_(options),
      parts_(options.language ? std::vector<LanguagePart>{{0, *options.language}} : language_parts(text)),
      calls_dsl_(calls_dsl(text)),
      walk_(text, Dialect::ours) {
  be_in_language_at(0);
}

// Texts are read from front to back.
void StatementReader::be_in_language_at(std::size_t at) {
  while (part_ + 1 < parts_.size() && parts_[part_ + 1].begin <= at) ++part_;
  dialect_ = parts_[part_].dialect;
  cpp_ = dialect_ == Dialect::cpp;
  walk_ = Walker(text_, dialect_);
}

std::vector<Statement> StatementReader::run() {
  if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  while (skip_blank(), at_ < text_.size()) {
    const std::size_t begin = at_;
    if (late()) {
      const Error stopped = past_deadline("reading the statements");
      expression(Statement::Kind::show, begin, begin, text_.size()).unread = fmt::format("{}; {}", stopped.message, stopped.notes.at(0));
      at_ = text_.size();
      break;
    }
    const char c = text_[begin];
    const bool closes_block = c == '}' && !blocks_.empty() && !blocks_.back();
    if (!cpp_) leave(begin, column_of(begin));
    if (is_never_closed(begin)) {
      Statement& made = expression(Statement::Kind::show, begin, begin, begin + 2);
      at_ = walk_.after(begin);
      made.unread = never_ends("this", c, at_ == text_.size());
    } else if (cpp_ && c == '#' && !is_directive(begin)) {
      at_ = std::min(text_.find('\n', begin), text_.size());
    } else if (cpp_ && c == '#') {
      directive(begin);
    } else if (c == '}' || c == ';' || (cpp_ && c == ')')) {
      if (closes_block) leave(begin, std::nullopt);
      ++at_;
    } else {
      statement(begin);
    }
  }
  leave(at_, 0);
  if (has_jumps_) distrust_jumps();
  for (Statement& each : made_) refuse_without_names(each);
  return std::move(made_);
}

// What gives a value to nothing, such as `[] = 4`, is no statement: whoever reads one that binds finds a name in it.
void StatementReader::refuse_without_names(Statement& made) {
  const bool binds =
      made.kind == Statement::Kind::bind || made.kind == Statement::Kind::function || made.kind == Statement::Kind::parameter;
  if (!binds || !made.names.empty()) return;
  made.kind = Statement::Kind::show;
  if (made.unread.empty()) made.unread = "what stands in front of '=' is no name";
  made.expression = {made.span.begin, std::max(made.span.end, made.span.begin)};
}

void StatementReader::skip_blank() {
  while (at_ < text_.size()) {
    be_in_language_at(at_);
    if (is_space(text_[at_])) {
      ++at_;
    } else if (const std::size_t end = walk_.after_comment(at_); end != at_ && !is_never_closed(at_)) {
      at_ = end;
    } else {
      return;
    }
  }
}

// A comment that goes on to the end of the text, since nothing closes it, or a long string that ends with a statement for the same reason.
bool StatementReader::is_never_closed(std::size_t at) const {
  const std::string_view three = text_.substr(at, 3);
  if (three.starts_with("/*")) return text_.find("*/", at + 2) == std::string_view::npos;
  return !cpp_ && (three == "\"\"\"" || three == "'''") && text_.find(three, at + 3) == std::string_view::npos;
}

std::size_t StatementReader::line_of(std::size_t at) {
  for (; counted_ < at; ++counted_) line_ += text_[counted_] == '\n';
  return line_;
}

StatementReader::End StatementReader::end_of_cpp(std::size_t begin) const {
  std::string open;  // the brackets that are; 'h' is the head of a loop or a condition, in which a ';' may stand
  bool assigns = false, first_line = true, names_operator = false;  // operator+=
  char before = 0;                                                  // the last character that was no blank
  std::string_view word_before;                                     // the word that ends with it
  const std::size_t level = indentation_of(begin);
  for (std::size_t i = begin + after_template(part(begin, text_.size())); i < text_.size();) {
    const std::size_t next = walk_.after(i);
    const char c = text_[i];
    if (c == '\n' && begins_own_line(text_, i + 1)) return {i, i + 1, {}};
    if (c == '\n' && open.empty()) {
      if (std::exchange(first_line, false) && is_whole_line(begin, i, i + 1)) return {i, i + 1, {}};
      if ((assigns || part(begin, i).starts_with("using namespace")) && !goes_on(begin, i)) return {i, i + 1, {}};
    }
    if (c == '\n' && !open.empty() && open.back() != '{' && interrupts(i + 1, level, open.back())) return {i, i + 1, {}};
    if (next > i + 1 || is_space(c)) {  // a comment, a string or a blank
      if (!is_space(c) && walk_.after_comment(i) == i) before = '"';
      i = next;
      continue;
    }
    if (c == ';' && (open.empty() || open.back() == '(' || open.back() == '[')) return {i, i + 1, {}};
    const bool compares = before == '=' || before == '<' || before == '>' || before == '!' || text_.substr(i + 1, 1) == "=";
    if (open.empty() && c == '=' && !compares && !names_operator) assigns = true;
    if (c == '(') names_operator = false;
    const bool empty_braces = c == '{' && i + 1 < text_.size() && trimmed(text_.substr(i + 1, text_.find('}', i) - i - 1)).empty();
    if (open.empty() && c == '{' && !assigns && is_block_head(begin, i, empty_braces)) return {i, i + 1, i};
    if (open.empty() && c == '}') return {i, i, {}};
    if (is_word(c)) {
      std::size_t end = i;
      while (end < text_.size() && is_word(text_[end])) ++end;
      word_before = part(i, end);
      names_operator = names_operator || word_before == "operator";
      before = text_[end - 1];
      i = end;
      continue;
    }
    const bool of_statement =
        word_before == "for" || word_before == "if" || word_before == "while" || word_before == "switch" || word_before == "constexpr";
    if (opens(c)) open += c == '(' && of_statement ? 'h' : c;
    if (closes(c)) {
      if (open.empty()) return {i, i + 1, {}};
      open.pop_back();
    }
    word_before = {};
    before = c;
    i = next;
  }
  return {text_.size(), text_.size(), {}};
}

// Behind blanks and comments.
std::size_t StatementReader::after_blanks(std::size_t at) const {
  while (at < text_.size() && (is_space(text_[at]) || walk_.after_comment(at) != at)) at = std::max(walk_.after_comment(at), at + 1);
  return at;
}

// Does what stands in front of this '{' own a block, rather than values?
bool StatementReader::is_block_head(std::size_t begin, std::size_t brace, bool empty) const {
  constexpr std::size_t kLongestHead = std::size_t{1} << 12;  // bytes; values follow each other without end
  if (brace - begin > kLongestHead) return trimmed(part(begin, brace)).ends_with(')');
  const std::string code = without_comments(begin, brace);
  const std::string_view head = trimmed(code);
  if (head.empty()) return !empty;
  if (const std::optional<bool> of_members = behind_members(head, brace)) return *of_members;
  if (head.ends_with(')')) return !(empty && has_word(head, "decltype"));
  if (head.find(") ->") != std::string_view::npos && head.find('=') == std::string_view::npos) return true;
  if (assignment(begin, brace) < brace && after_template(head) == 0) return false;
  if (head.ends_with("const")) return true;
  const auto names_block = [&](std::string_view word) { return has_word(head, word); };
  constexpr std::string_view kHeads[] = {"struct", "class", "namespace", "union",    "enum",  "else",
                                         "do",     "try",   "extern",    "override", "final", "noexcept"};
  return std::any_of(std::begin(kHeads), std::end(kHeads), names_block);
}

// Of a constructor's head, Type(int n) : a{n}, b(n), a brace behind a member's name holds its value; the next one is the body. Nothing: no
// members are listed in front of this brace.
std::optional<bool> StatementReader::behind_members(std::string_view head, std::size_t brace) const {
  int depth = 0;
  bool listed = false;
  for (std::size_t i = 0; i < head.size() && !listed; ++i) {
    if (opens(head[i])) ++depth;
    if (closes(head[i])) --depth;
    if (depth != 0 || head[i] == '=' || head[i] == '?') {
      if (depth == 0) return std::nullopt;
      continue;
    }
    const bool alone = head[i] == ':' && (i == 0 || head[i - 1] != ':') && (i + 1 == head.size() || head[i + 1] != ':');
    listed = alone && trimmed(head.substr(0, i)).ends_with(')');
    if (alone && !listed) return std::nullopt;
  }
  if (!listed) return std::nullopt;
  if (!is_word(head.back()) && head.back() != '>') return head.back() == '}' || head.back() == ')';
  const std::size_t next = after_blanks(end_of_block(brace));
  return next >= text_.size() || (text_[next] != ',' && text_[next] != '{' && text_[next] != '.');
}

// Does the statement go on in the line below, where its brackets are closed and its ';' is missing?
bool StatementReader::goes_on(std::size_t begin, std::size_t end) const {
  const std::string_view line = trimmed(part(begin, end));
  if (line.empty() || std::string_view("=+-*/%&|^<?:.,(\\!~").find(line.back()) != std::string_view::npos) return true;
  const std::size_t next = after_blanks(end);
  return next < text_.size() && !begins_statement(next);
}

// Words with which a statement begins, and nothing that would go on with one; name = and Type name.
bool StatementReader::begins_statement(std::size_t at) const {
  constexpr std::string_view kBegins[] = {"auto",
                                          "using",
                                          "constexpr",
                                          "const",
                                          "static",
                                          "template",
                                          "typedef",
                                          "struct",
                                          "class",
                                          "return",
                                          "for",
                                          "while",
                                          "if",
                                          "switch",
                                          "int",
                                          "bool",
                                          "unsigned",
                                          "float",
                                          "double",
                                          "let",
                                          "param",
                                          "static_assert",
                                          "CUTE_STATIC_ASSERT_V",
                                          "print",
                                          "print_layout",
                                          "print_tensor",
                                          "TESSERA_DUMP",
                                          "TESSERA_DUMP_VALUES",
                                          "namespace",
                                          "assert",
                                          "def",
                                          "import",
                                          "printf",
                                          "copy",
                                          "gemm",
                                          "clear",
                                          "__shared__"};
  const std::size_t line = std::min(text_.find('\n', at), text_.size());
  const std::string_view text = part(at, line), word = first_word(text);
  if (text.starts_with('#')) return is_directive(at);
  if (word.empty() || word.size() == text.size()) return false;
  const char behind = text[word.size()];
  if (std::find(std::begin(kBegins), std::end(kBegins), word) != std::end(kBegins)) return is_space(behind) || behind == '(';
  if (!is_binding_name(word)) return false;
  const std::string_view rest = trimmed(text.substr(word.size())), second = first_word(rest), third = trimmed(rest.substr(second.size()));
  if (rest.starts_with('=') && !rest.starts_with("==")) return true;
  return is_space(behind) && is_binding_name(second) && (third.starts_with('=') || third.starts_with(';') || third.starts_with('{')) &&
         !third.starts_with("==");
}

// Within brackets a word goes on with the line above where that ends with a sign that wants more, or where the word does so itself.
bool StatementReader::goes_on_within(std::size_t line, std::string_view word) const {
  constexpr std::array<std::string_view, 10> kJoins = {"for", "if", "else", "and", "or", "in", "not", "is", "as", "async"};
  if (std::find(kJoins.begin(), kJoins.end(), word) != kJoins.end()) return true;
  const std::size_t last = text_.find_last_not_of(" \t\r\n", line == 0 ? 0 : line - 1);
  return last == std::string_view::npos || (!is_word(text_[last]) && !closes(text_[last]) && text_[last] != '"' && text_[last] != '\'');
}

// Brackets are open, of which `innermost` was opened last, and the line at `line` begins as no argument does, where the statement's own
// line begins or further left. Where the brackets close after all, it may be one: this is asked last.
bool StatementReader::interrupts(std::size_t line, std::size_t level, char innermost) const {
  constexpr std::size_t kLookedAt = std::size_t{1} << 14;
  constexpr int kDeepest = 32;  // what opens so many more closes none of them
  const std::size_t at = std::min(text_.find_first_not_of(" \t", line), text_.size());
  if (at - line > level || at >= text_.size() || !(is_word(text_[at]) || text_[at] == '#' || text_[at] == '@')) return false;
  if (!begins_statement(at) && (cpp_ || goes_on_within(line, first_word(part(at, text_.size()))))) return false;
  int depth = 1;
  for (std::size_t i = at; i < std::min(text_.size(), at + kLookedAt) && depth <= kDeepest;) {
    const std::size_t next = walk_.after(i);
    if (next == i + 1) {
      if (opens(text_[i])) ++depth;
      if (closes(text_[i]) && --depth == 0) return text_[i] != (innermost == '[' ? ']' : innermost == '{' ? '}' : ')');
      if (text_[i] == ';' && depth == 1) return true;
    }
    i = next;
  }
  return true;
}

// Between C++'s statements, lines of Python and of our notation: an assignment or a call that ends with its line, where what stands below
// does not go on with it.
bool StatementReader::is_whole_line(std::size_t begin, std::size_t end, std::size_t next) const {
  while (end > begin && is_space(text_[end - 1])) --end;
  const std::string_view line = part(begin, end), word = first_word(line);
  const bool makes = line.ends_with("{}");  // L{}
  if (line.empty() || (!makes && std::string_view(";{},=+-*/%&|^<>?:.(\\").find(line.back()) != std::string_view::npos)) return false;
  next = after_blanks(next);
  if (next < text_.size() && std::string_view(";{})]=+-*/%&|^<>?:.,(").find(text_[next]) != std::string_view::npos) return false;
  if (word.starts_with("__") || word == "if" || word == "for" || word == "while" || word == "switch") return false;
  if (assignment(begin, end) != end) return word != "template" && word != "auto" && word != "using" && word != "constexpr";
  const char behind = word.size() < line.size() ? line[word.size()] : ' ';
  return behind == '(' || behind == '.' || line.front() == '(' || (makes && (behind == '{' || behind == '<' || behind == ':'));
}

StatementReader::End StatementReader::end_of_line(std::size_t begin, const Walker& walk) const {
  std::string open;  // the brackets that are
  std::size_t last = begin;
  const std::size_t level = indentation_of(begin);
  for (std::size_t i = begin; i < text_.size();) {
    const std::size_t next = walk.after(i);
    const char c = text_[i];
    if (walk.after_comment(i) != i) {
      i = next;
      continue;
    }
    if (c == '\n' && (open.empty() || begins_own_line(text_, i + 1) || interrupts(i + 1, level, open.back()))) return {last, i + 1, {}};
    if (c == ';' && open.empty()) return {last, i + 1, {}};
    if (next == i + 1) {
      if (opens(c)) open += c;
      if (closes(c) && !open.empty()) open.pop_back();
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
    const std::size_t first = made_.size();
    at_ = end.next;
    cpp_statement(begin, end);
    follow_writes(first);
    has_jumps_ = has_jumps_ || has_word(part(begin, std::max(end.at, at_)), "goto");
    return mark_unread(begin, end.at);
  }
  // An own line ends with its line also between C++ statements, and a `//` in it divides as if it stood alone.
  const std::string_view line = part(begin, std::min(text_.find('\n', begin), text_.size()));
  const End end = end_of_line(begin, cpp_ && own ? Walker(text_, has_cpp_marks(line) ? Dialect::cpp : Dialect::ours) : walk_);
  const std::size_t first = made_.size();
  at_ = end.next;
  line_statement(begin, end.at);
  if (!own && dialect_ != Dialect::cpp) follow_python(first);
  mark_unread(begin, end.at);
}

// A statement in which a comment or a string begins that never ends has lost its own end.
void StatementReader::mark_unread(std::size_t begin, std::size_t end) {
  if (made_.empty()) return;
  for (std::size_t i = begin; i < end; i = walk_.after(i)) {
    if (!is_never_closed(i)) continue;
    Statement& made = made_.back();
    made.kind = made.kind == Statement::Kind::passed_over ? Statement::Kind::show : made.kind;
    made.unread = never_ends("the", text_[i], walk_.after(i) == text_.size());
    made.expression = {i, std::min(i + 3, end)};
    return;
  }
}

std::vector<Statement> read_statements(std::string_view text, const StatementOptions& options) {
  try {
    return StatementReader(text, options).run();
  } catch (const std::exception& fault) {  // no text ends the program
    Statement all;
    all.unread = fmt::format("this text cannot be taken apart, by a fault of this program: {}", fault.what());
    all.expression = {0, std::min<std::size_t>(text.size(), 1)};
    all.span = {0, text.size()};
    return {all};
  }
}

bool has_statements(std::string_view text) {
  const std::optional<PastedText> pasted = without_marks(text);
  const std::vector<Statement> made = read_statements(pasted ? pasted->text : text);
  return (pasted && !pasted->removed.empty()) || made.size() > 1 || (made.size() == 1 && made[0].kind != Statement::Kind::show);
}

}  // namespace tessera
