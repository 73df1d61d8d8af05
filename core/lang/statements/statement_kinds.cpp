// SPDX-License-Identifier: BSD-3-Clause
// StatementReader: what a statement is, by its first words and its '='.
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/statements/other_library.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

using namespace statement_text;

struct Passed {
  std::string_view word, reason;
};
// First words of what is not evaluated. Those of both languages: a text may mix them.
constexpr Passed kPassed[] = {
    {"for", "a loop"},
    {"while", "a loop"},
    {"if", "a condition"},
    {"else", "a condition"},
    {"elif", "a condition"},
    {"switch", "a condition"},
    {"case", "a condition"},
    {"default", "a condition"},
    {"do", "a loop"},
    {"try", "an exception"},
    {"catch", "an exception"},
    {"except", "an exception"},
    {"finally", "an exception"},
    {"raise", "an exception"},
    {"throw", "an exception"},
    {"def", "a function"},
    {"class", "a class"},
    {"struct", "a class"},
    {"union", "a class"},
    {"enum", "an enumeration"},
    {"namespace", "a namespace"},
    {"import", "an import"},
    {"from", "an import"},
    {"with", "a context"},
    {"template", "a template"},
    {"extern", "a declaration"},
    {"friend", "a declaration"},
    {"goto", "a jump"},
    {"break", "a jump"},
    {"continue", "a jump"},
    {"return", "a return"},
    {"yield", "a return"},
    {"pass", "nothing"},
    {"del", "a deletion"},
    {"delete", "a deletion"},
    {"global", "a declaration"},
    {"public", "an access label"},
    {"private", "an access label"},
    {"protected", "an access label"},
    {"CUTE_UNROLL", "a pragma"},
    {"CUTLASS_PRAGMA_UNROLL", "a pragma"},
    {"CUTE_NO_UNROLL", "a pragma"},
};

// Words of Python that may be names in C++.
bool is_only_python(std::string_view word) {
  constexpr std::string_view kWords[] = {"elif", "except", "finally", "raise", "def", "import",
                                         "from", "with",   "yield",   "pass",  "del", "global"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// Words of C++ that may be names in Python.
bool is_only_cpp(std::string_view word) {
  constexpr std::string_view kWords[] = {"switch",   "default", "do",     "catch", "throw",  "struct", "union",   "enum",     "namespace",
                                         "template", "extern",  "friend", "goto",  "delete", "public", "private", "protected"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

std::string_view StatementReader::reason_of(std::string_view text) {
  const std::string_view word = first_word(text);
  for (const Passed& each : kPassed) {
    if (each.word == word) return each.reason;
  }
  return {};
}

Statement& StatementReader::add(Statement::Kind kind, std::size_t begin, std::size_t end) {
  Statement& made = made_.emplace_back();
  made.kind = kind;
  made.line = line_of(begin);
  made.dialect = dialect_;
  while (end > begin && is_space(text_[end - 1])) --end;
  made.span = {begin, end};
  return made;
}

void StatementReader::passed(std::size_t begin, std::size_t end, std::string_view reason) {
  if (reason != "nothing") {
    Statement& made = add(Statement::Kind::passed_over, begin, end);
    made.reason = reason;
    made.assigns = assigned_by(begin, end, reason);
    if (reason == "an import") {
      for (std::string& name : foreign_names(part(begin, end))) foreign_.push_back(std::move(name));
    }
  }
  at_ = std::max(at_, end);
}

Statement& StatementReader::expression(Statement::Kind kind, std::size_t begin, std::size_t from, std::size_t to) {
  while (from < to && is_space(text_[from])) ++from;
  while (to > from && is_space(text_[to - 1])) --to;
  Statement& made = add(kind, begin, to);
  made.expression = {from, to};
  return made;
}

std::optional<SourceSpan> StatementReader::inside_call(std::size_t begin, std::size_t end,
                                                       std::initializer_list<std::string_view> words) const {
  std::string_view text = text_.substr(begin, end - begin);
  for (const std::string_view library : {"cute::", "cutlass::", "std::", "cute.", "cutlass."}) {
    if (text.starts_with(library)) text.remove_prefix(library.size());
  }
  const std::string_view word = first_word(text);
  if (std::find(words.begin(), words.end(), word) == words.end()) return std::nullopt;
  const std::size_t open = static_cast<std::size_t>(text.data() - text_.data()) + word.size();
  std::size_t at = open;
  while (at < end && is_space(text_[at])) ++at;
  if (at == end || text_[at] != '(') return std::nullopt;
  std::size_t close = end;
  while (close > at && (is_space(text_[close - 1]) || text_[close - 1] == ';')) --close;
  if (close <= at + 1 || text_[close - 1] != ')') return std::nullopt;
  return SourceSpan{at + 1, close - 1};
}

std::size_t StatementReader::end_of_argument(std::size_t from, std::size_t to) const {
  int depth = 0, angle = 0;
  for (std::size_t i = from; i < to;) {
    const std::size_t next = walk_.after(i);
    if (next == i + 1) {
      const char c = text_[i];
      const bool angles = cpp_ || (i > from && is_word(text_[i - 1]));  // Sw<3,3,3>; a < b compares
      // a << b shifts, and a < b with a blank compares: types are written Shape<...>
      const bool compares =
          c == '<' && cpp_ && i > from && (text_[i - 1] == '<' || (i + 1 < to && text_[i + 1] == '<') || is_space(text_[i - 1]));
      if (c == '<' && angles && !compares) ++angle;
      if (opens(c)) ++depth;
      if (closes(c)) --depth;
      if (c == '>' && angle > 0 && i > from && text_[i - 1] != '-' && text_[i - 1] != '=') --angle;
      if (c == ',' && depth <= 0 && angle == 0) return i;
    }
    i = next;
  }
  return to;
}

bool StatementReader::check(std::size_t begin, std::size_t end, std::string_view text) {
  const auto inside =
      inside_call(begin, end, {"static_assert", "assert", "CUTE_STATIC_ASSERT", "CUTE_STATIC_ASSERT_V", "CUTE_ASSERT", "assert_"});
  if (inside) {
    expression(Statement::Kind::check, begin, inside->begin, end_of_argument(inside->begin, inside->end)).span.end = end;
    return true;
  }
  if (!text.starts_with("assert ") && !text.starts_with("assert\t")) return false;
  expression(Statement::Kind::check, begin, begin + 7, end_of_argument(begin + 7, end)).span.end = end;
  return true;
}

bool StatementReader::print(std::size_t begin, std::size_t end, std::string_view text) {
  if (inside_call(begin, end, {"printf", "cute_printf"})) {
    passed(begin, std::max(at_, end), "a printf");
    return true;
  }
  if (text.starts_with("std::cout") || text.starts_with("cout")) {
    passed(begin, std::max(at_, end), "a stream");
    return true;
  }
  const auto inside = inside_call(begin, end,
                                  {"print", "print_layout", "print_tensor", "print_latex", "print_svg", "pretty_print",
                                   "print_device_tensor", "TESSERA_DUMP", "TESSERA_DUMP_VALUES"});
  if (!inside || inside->begin == inside->end) return false;
  // print("sA: ", sA): the texts say what is printed, the others are.
  std::size_t from = inside->begin;
  std::vector<SourceSpan> values;
  while (from < inside->end) {
    const std::size_t to = end_of_argument(from, inside->end);
    std::size_t first = from;
    while (first < to && is_space(text_[first])) ++first;
    const bool literal = first < to && (text_[first] == '"' || text_[first] == '\'' ||
                                        (text_[first] == 'f' && first + 1 < to && (text_[first + 1] == '"' || text_[first + 1] == '\'')));
    if (first < to && !literal) values.push_back({first, to});
    from = to + 1;
    if (text.starts_with("TESSERA_DUMP_VALUES")) break;  // behind the tensor stands how many
  }
  if (values.empty()) {
    passed(begin, std::max(at_, end), "a printed text");
    return true;
  }
  for (const SourceSpan& value : values) expression(Statement::Kind::show, begin, value.begin, value.end).span.end = end;
  return true;
}

// "a function of another library: Kernel::run", where the text itself defines Kernel.
bool StatementReader::is_of_this_text(std::string_view reason) {
  constexpr std::string_view kSays = "of another library: ";
  const std::size_t at = reason.find(kSays);
  if (at == std::string_view::npos || !options_.into_blocks) return false;
  const std::string name(first_word(reason.substr(at + kSays.size())));
  const auto known = own_.find(name);
  if (known != own_.end()) return known->second;
  const auto defines = [&](std::string_view word) {
    const std::string head = std::string(word) + " " + name;
    for (std::size_t found = text_.find(head); found != std::string_view::npos; found = text_.find(head, found + 1)) {
      const std::size_t open = text_.find_first_of("{;,>=(", found + head.size());
      const bool whole = found + head.size() < text_.size() && !is_word(text_[found + head.size()]);
      if (whole && open != std::string_view::npos && text_[open] == '{') return true;
    }
    return false;
  };
  const auto names_another = [&] {  // using Tr = Traits<4>
    const std::string head = "using " + name;
    const std::size_t found = text_.find(head);
    return found != std::string_view::npos && trimmed(text_.substr(found + head.size(), 8)).starts_with('=');
  };
  const bool is_library = name == "cutlass" || name == "cute" || name == "std";
  return own_[name] = !is_library && (defines("struct") || defines("class") || defines("namespace") || names_another());
}

void StatementReader::cpp_statement(std::size_t begin, const End& end) {
  const std::string_view text = trimmed(part(begin, end.at));
  const std::string_view word = first_word(text);
  if (end.block) return cpp_block(begin, end, text);
  if (text.empty()) return;
  if (const std::size_t head = after_template(text); head > 0 && first_word(trimmed(text.substr(head))) == "using") {
    const std::size_t at = static_cast<std::size_t>(text.data() - text_.data());
    return template_alias(at, at + head, end.at);
  }
  if (word == "return" && text.size() > word.size()) {
    expression(options_.into_blocks ? Statement::Kind::effect : Statement::Kind::show, begin, begin + word.size(), end.at);
    return;
  }
  const std::size_t colon = begin + word.size();
  const bool label = (word == "public" || word == "private" || word == "protected") && colon < text_.size() && text_[colon] == ':';
  if (label && options_.into_blocks) {
    at_ = colon + 1;
    return;
  }
  if ((word == "case" || word == "default") && options_.into_blocks) {  // the label ends with the first ':' that is no part of a ::
    std::size_t at = begin + word.size();
    while (at < end.at && (text_[at] != ':' || part(at, at + 2) == "::" || text_[at - 1] == ':')) ++at;
    if (at < end.at) {
      at_ = at + 1;
      return;
    }
  }
  if (word == "extern" && has_word(text, "__shared__")) return declaration(begin + word.size(), end.at);
  const bool closed = end.at < text_.size() && text_[end.at] == ';';
  if (const std::string_view reason = reason_of(text); !reason.empty() && !(closed && is_only_python(word)))
    return passed(begin, end.next, reason);
  const bool aliases = text.find('=') != std::string_view::npos;
  if (word == "using" && !aliases) return passed(begin, end.next, "a using directive");
  if (word == "typedef") return typedef_statement(begin, end.at);
  // Each '<' is looked behind: a statement of a megabyte is not all looked through.
  constexpr std::size_t kLookedThrough = std::size_t{1} << 14;
  if (const std::string reason = other_library(text.substr(0, kLookedThrough), Dialect::cpp); !reason.empty() && !is_of_this_text(reason))
    return passed(begin, end.next, reason);
  if (check(begin, end.at, text) || print(begin, end.at, text)) return;
  if (launches(text)) return passed(begin, end.next, "a launch of a kernel");
  declaration(begin, end.at);
}

// kernel<8><<<grid, block>>>(a, b): the call that is looked at where the kernel is.
bool StatementReader::launches(std::string_view text) const {
  const std::size_t open = text.find("<<<");
  if (open == std::string_view::npos || text.ends_with(">>>")) return false;
  const std::string_view name = first_word(text);
  const std::string_view between = text.substr(name.size(), open - std::min(open, name.size()));
  const std::size_t close = text.find(">>>", open);
  const bool is_path = between.find_first_of("=(;") == std::string_view::npos || trimmed(between).starts_with('<');
  return is_path && close != std::string_view::npos && trimmed(text.substr(close + 3)).starts_with('(');
}

void StatementReader::line_statement(std::size_t begin, std::size_t end) {
  trim_fragment(begin, end);
  const std::string_view text = part(begin, end), word = first_word(text);
  if (text.empty()) return;
  const bool names_itself = dialect_ == Dialect::python && trimmed(text.substr(word.size())).starts_with('=');  // param = f(x)
  if (!names_itself && (text.starts_with("let ") || text.starts_with("let\t"))) return let(begin, end);
  if (!names_itself && (text.starts_with("param ") || text.starts_with("param\t"))) return parameter(begin, end);
  if (text.front() == '@') return passed(begin, end, "a decorator");
  if (text.starts_with("\"\"\"") || text.starts_with("'''")) return passed(begin, end, "a comment");
  const std::string_view reason = dialect_ == Dialect::python && is_only_cpp(word) ? std::string_view() : reason_of(text);
  const bool is_statement = begin + word.size() == end || text[word.size()] != '(' || word == "if" || word == "while" || word == "for";
  if (!reason.empty() && is_statement && (begin + word.size() == end || text[word.size()] != '=')) {
    const bool block = text.back() == ':';
    if (reason == "a return" && word.size() < text.size()) {
      expression(options_.into_blocks ? Statement::Kind::effect : Statement::Kind::show, begin, begin + word.size(), end).is_list =
          is_listed(begin + word.size(), end);
    } else if (enters_blocks() && block) {
      enter(begin, end, reason, column_of(begin));
    } else {
      passed(begin, block ? end_of_indented(begin, at_) : end, reason);
    }
    return;
  }
  if (const std::string other = other_library(text, dialect_, foreign_); !other.empty()) return passed(begin, end, other);
  if (check(begin, end, text) || print(begin, end, text) || list(begin, end)) return;
  declaration(begin, end);
}

std::size_t StatementReader::assignment(std::size_t from, std::size_t to) const {
  int depth = 0;
  for (std::size_t i = from; i < to;) {
    const std::size_t next = walk_.after(i);
    const char c = text_[i], behind = i + 1 < to ? text_[i + 1] : '\0', before = i > from ? text_[i - 1] : '\0';
    if (next == i + 1) {
      if (opens(c)) ++depth;
      if (closes(c)) --depth;
      const bool compares = behind == '=' || before == '=' || before == '!' || before == '<' || before == '>';
      if (c == '=' && depth == 0 && !compares) return i;
      if (c == '=' && behind == '=') ++i;
    }
    i = std::max(next, i + 1);
  }
  return to;
}

// The text with its comments blanked.
std::string StatementReader::without_comments(std::size_t from, std::size_t to) const {
  std::string code(part(from, to));
  for (std::size_t i = from; i < to;) {
    const std::size_t behind = std::min(walk_.after_comment(i), to);
    std::fill(code.begin() + static_cast<std::ptrdiff_t>(i - from), code.begin() + static_cast<std::ptrdiff_t>(behind - from), ' ');
    i = behind > i ? behind : walk_.after(i);
  }
  return code;
}

// a, b or (a, b) or [a, b]: the names; empty where something else stands there.
std::vector<std::string> StatementReader::names_in(std::size_t from, std::size_t to) const {
  const std::string code = without_comments(from, to);
  std::string_view text = trimmed(code);
  if (text.size() >= 2 && (text.front() == '(' || text.front() == '[')) text = trimmed(text.substr(1, text.size() - 2));
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = trimmed(text.substr(0, comma));
    const bool is_name = name == "_" || is_binding_name(name) || (name == "o" && dialect_ == Dialect::python) ||
                         (name.find('.') != std::string_view::npos && is_binding_name(first_word(name)));
    if (!is_name || name.find_first_of(" \t\n[(") != std::string_view::npos) return {};
    names.emplace_back(name);
    text = comma == text.size() ? std::string_view() : text.substr(comma + 1);
  }
  return names;
}

// let name = expression, let a, b = expression, let name(m, n) = expression
void StatementReader::let(std::size_t begin, std::size_t end) {
  const std::size_t equals = assignment(begin, end);
  Statement& made = expression(Statement::Kind::bind, begin, std::min(equals + 1, end), end);
  const std::string_view head = trimmed(part(begin + 4, equals));
  const std::size_t open = head.find('(');
  if (open != std::string_view::npos && open > 0 && head.ends_with(')')) {
    const std::size_t from = static_cast<std::size_t>(head.data() - text_.data());
    made.kind = Statement::Kind::function;
    made.names = {std::string(trimmed(head.substr(0, open)))};
    made.parameters = names_in(from + open, from + head.size());
    return;
  }
  made.names = names_in(begin + 4, equals);
  if (made.names.empty()) made.names = {std::string(head)};  // which is then refused as a name
}

// param pad = 0..8, param pad = 4 in 0..8
void StatementReader::parameter(std::size_t begin, std::size_t end) {
  const std::size_t equals = assignment(begin, end), dots = std::min(text_.find("..", equals), end);
  const std::size_t value = std::min(equals + 1, end), in = value + part(value, dots).rfind(" in ");
  const bool has_value = part(value, dots).find(" in ") != std::string_view::npos;
  const auto trimmed_span = [&](std::size_t from, std::size_t to) {
    const std::string_view text = trimmed(part(from, std::max(from, to)));
    const std::size_t at = text.empty() ? to : static_cast<std::size_t>(text.data() - text_.data());
    return SourceSpan{at, at + text.size()};
  };
  Statement& made = expression(Statement::Kind::parameter, begin, value, has_value ? in : dots);
  made.names = {std::string(trimmed(part(begin + 6, equals)))};
  if (dots < end) {
    made.lower = has_value ? trimmed_span(in + 4, dots) : made.expression;
    made.upper = trimmed_span(dots + 2, end);
  }
  made.span.end = end;
}

}  // namespace tessera
