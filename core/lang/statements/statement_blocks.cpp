// SPDX-License-Identifier: BSD-3-Clause
// StatementReader: what holds other statements, or is none: blocks, lines of the preprocessor.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/distinct.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/statements/other_library.hpp"
#include "core/lang/statements/stated.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

using namespace statement_text;

namespace {

// The name of struct X, namespace x, class x(Base):
std::string_view name_behind(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool whole = (at == 0 || !is_word(text[at - 1])) && at + word.size() < text.size() && is_space(text[at + word.size()]);
    if (!whole) continue;
    std::string_view behind = trimmed(text.substr(at + word.size()));
    for (const std::string_view skipped : {"class", "struct", "alignas(128)", "alignas(16)", "CUTE_ALIGNAS(128)"}) {
      if (behind.starts_with(skipped)) behind = trimmed(behind.substr(skipped.size()));
    }
    // template <class T> struct X: what is followed by a ',' or a '>' is a parameter.
    const std::string_view name = first_word(behind), rest = trimmed(behind.substr(name.size()));
    if (!name.empty() && !rest.starts_with(',') && !rest.starts_with('>') && !rest.starts_with('=')) return name;
  }
  return {};
}

std::string_view type_name(std::string_view head) {
  for (const std::string_view word : {"struct", "class", "union", "enum", "namespace"}) {
    if (const std::string_view name = name_behind(head, word); !name.empty()) return name;
  }
  return {};
}

// What stands between the last brackets of a function's head.
std::string_view last_brackets(std::string_view head) {
  const std::size_t close = head.rfind(')');
  if (close == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (head[i] == ')') ++depth;
    if (head[i] == '(' && --depth == 0) return head.substr(i + 1, close - i - 1);
  }
  return {};
}

// A function's head without what stands behind its parameters: -> decltype(f(x)), and the members that a constructor makes.
std::string_view without_tail(std::string_view head) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < head.size(); ++i) {
    if (opens(head[i])) ++depth;
    if (closes(head[i])) --depth;
    const bool behind = depth == 0 && trimmed(head.substr(0, i)).ends_with(')');
    const bool colon = head[i] == ':' && head[i + 1] != ':' && (i == 0 || head[i - 1] != ':');
    if (behind && (colon || head.substr(i, 2) == "->")) return head.substr(0, i);
  }
  return head;
}

// f of void f(int a), def f(a): and operator() of auto operator()(int a) const; empty where none is named.
std::string_view function_name_of(std::string_view head, std::string_view parameters) {
  if (parameters.data() == nullptr) return {};
  std::string_view before = trimmed(head.substr(0, static_cast<std::size_t>(parameters.data() - head.data()) - 1));
  if (before.ends_with("operator()")) return before.substr(before.size() - 10);
  std::size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  return before.substr(begin);
}

bool is_conditional(std::string_view reason) { return reason == "a loop" || reason == "a condition" || reason == "an exception"; }

}  // namespace

void add_last_words(std::string_view list, std::vector<std::string>& names) {
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (opens(c) || c == '<') ++depth;
    if (closes(c) || c == '>') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    std::string_view each = trimmed(list.substr(from, i - from));
    each = trimmed(each.substr(0, std::min({each.find('='), each.find(':'), each.find('['), each.size()})));
    std::size_t name = each.size();
    while (name > 0 && is_word(each[name - 1])) --name;
    if (is_binding_name(each.substr(name))) names.emplace_back(each.substr(name));
    from = i + 1;
  }
}

// What a text assigns that is passed over, by what it is.
std::vector<Assigned> StatementReader::assigned_by(std::size_t begin, std::size_t end, std::string_view reason) const {
  const std::string_view text = part(begin, end);
  if (reason == "a class" || reason == "a namespace" || reason == "an enumeration") {
    std::vector<Assigned> made;
    const std::size_t body = std::min(text.find('{'), text.size());
    if (const std::string_view name = type_name(text.substr(0, std::min(text.find_first_of("{(:\n"), text.size()))); !name.empty())
      made.push_back({std::string(name)});
    if (reason != "an enumeration" || has_word(text.substr(0, body), "class")) return made;
    std::vector<std::string> names;
    add_last_words(text.substr(std::min(body + 1, text.size()), text.rfind('}') - std::min(body + 1, text.size())), names);
    for (std::string& name : names) made.push_back({std::move(name)});
    return made;
  }
  if (is_conditional(reason) || reason == "a block" || reason == "a context" || reason == "a store" || reason == "an update" ||
      reason == "a deletion" || reason == "a pragma")
    return assigned_in(text, dialect_);
  if (reason == "assignments in one another") return assigned_in(text, dialect_, true);
  if (reason == "a template") return assigned_in(text.substr(after_template(text)), dialect_, true);
  if (reason.find("another library") != std::string_view::npos || reason.starts_with("a TMA") || reason.starts_with("an element of"))
    return assigned_in(text, dialect_, true);
  if (reason == "a function" && dialect_ == Dialect::python) return {{std::string(first_word(trimmed(text.substr(3))))}};
  for (const std::string_view none : {std::string_view("a function"), std::string_view("a kernel"), std::string_view("an #include"),
                                      std::string_view("a preprocessor line"), std::string_view("a decorator"),
                                      std::string_view("a comment"), kCodeOfZero, kCodeLeftOut}) {
    if (reason == none) return {};
  }
  if (reason == "an import") {
    std::vector<Assigned> made;
    for (std::string& name : imported_names(text)) made.push_back({std::move(name), Assigned::How::hidden});
    return made;
  }
  return assigned_in(text, dialect_);
}

void StatementReader::cpp_block(std::size_t begin, const End& end, std::string_view text) {
  std::string_view reason = reason_of(text);
  const std::string_view behind = text.substr(after_template(text));  // template <class T> makes no class
  const bool is_class = has_word(behind, "struct") || has_word(behind, "class");
  if (reason.empty() || reason == "a template" || reason == "a class") {
    const bool is_function = text.ends_with(')') || text.find(") ") != std::string_view::npos || !is_class;
    reason = text.empty() ? "a block" : is_class && !(is_function && last_brackets(text).size() > 0) ? "a class" : "a function";
  }
  if (has_word(text, "__global__")) reason = "a kernel";
  if (!enters_blocks()) return passed(begin, end_of_block(*end.block), reason);
  if (reason == "an enumeration") return enumeration(begin, *end.block);
  at_ = *end.block + 1;
  enter(begin, *end.block, reason, {});
}

// enum Mode {A = 4, B}: A and Mode::A are 4, B is one more. Of an enum class there is no A alone.
void StatementReader::enumeration(std::size_t begin, std::size_t open) {
  const std::size_t end = end_of_block(open);
  const std::string_view head = part(begin, open);
  const bool scoped = has_word(head, "class") || has_word(head, "struct");
  std::string_view called = type_name(head);
  if (called.empty() && head.find(':') == std::string_view::npos)
    called = first_word(trimmed(head.substr(std::min<std::size_t>(4, head.size()))));
  add(Statement::Kind::passed_over, begin, open).reason = "an enumeration";
  std::string before;
  for (const SourceSpan& each : arguments_in(text_, {open + 1, std::max(open + 1, end - 1)}, Dialect::cpp)) {
    const std::size_t equals = assignment(each.begin, each.end);
    const std::string name(first_word(part(each.begin, each.end)));
    if (name.empty()) continue;
    Statement& made = expression(Statement::Kind::bind, each.begin, std::min(equals + 1, each.end), each.end);
    made.span.end = each.end;
    if (equals == each.end) made.made = before.empty() ? "0" : before + " + 1";
    made.declares = true;
    made.taking = Statement::Taking::each;
    if (!scoped || called.empty()) made.names.push_back(name);
    if (!called.empty()) made.names.push_back(std::string(called) + "::" + name);
    before = made.names.front();
  }
  at_ = end;
}

void StatementReader::enter(std::size_t begin, std::size_t end, std::string_view reason, std::optional<std::size_t> column) {
  Statement& made = add(Statement::Kind::enters, begin, end);
  made.reason = reason;
  made.declares = !column;
  const std::string_view head = part(begin, end);
  const bool function = reason == "a function" || reason == "a kernel";
  made.is_scope = column ? function || reason == "a class" : reason != "a namespace";
  if (const std::string_view name = type_name(head); !name.empty() && !function) made.names = {std::string(name)};
  const auto take_parameters = [&](std::string_view list) {
    const std::size_t at = static_cast<std::size_t>(list.data() - text_.data());
    for (StatedParameter& each : stated_parameters(list, at, column ? Dialect::python : Dialect::cpp)) {
      if (!is_binding_name(each.name)) continue;
      made.parameters.push_back(each.name);
      made.stated.push_back(std::move(each));
    }
  };
  if (const std::size_t close = after_template(head); close > 0) {
    const std::size_t open = head.find('<');
    take_parameters(head.substr(open + 1, close - open - 2));
    made.templates = made.stated.size();
  }
  if (function) {
    const std::string_view written = without_tail(head), list = last_brackets(written);
    made.called = function_name_of(written, list);
    take_parameters(list);
  }
  if (reason == "a loop" || reason == "a context") {  // for (int i = 0; ...), for i in ...
    for (Assigned& each : assigned_in(head, column ? Dialect::python : dialect_, true)) made.parameters.push_back(std::move(each.name));
  }
  blocks_.push_back(column);
}

// The end of the C++ block that was entered last, or of Python's that `column` is not inside of any more.
void StatementReader::leave(std::size_t at, std::optional<std::size_t> column) {
  while (!blocks_.empty()) {
    if (column && (!blocks_.back() || *blocks_.back() < *column)) return;
    const bool of_lines = blocks_.back().has_value();
    add(Statement::Kind::leaves, at, at);
    blocks_.pop_back();
    if (!column && !of_lines) return;
  }
}

std::size_t StatementReader::column_of(std::size_t at) const {
  const std::size_t line = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
  return line == std::string_view::npos ? at : at - line - 1;
}

namespace {

// Behind the # of a line, the word.
std::string_view directive_word(std::string_view line) {
  line = trimmed(line.substr(1));
  return first_word(line);
}

}  // namespace

bool StatementReader::is_directive(std::size_t at) const {
  constexpr std::string_view kWords[] = {"include", "define", "undef", "if",     "ifdef", "ifndef",
                                         "elif",    "else",   "endif", "pragma", "error", "line"};
  if (at >= text_.size() || text_[at] != '#') return false;
  return std::find(std::begin(kWords), std::end(kWords), directive_word(text_.substr(at, 40))) != std::end(kWords);
}

std::size_t StatementReader::end_of_directive(std::size_t begin) const {
  std::size_t end = begin;
  do {
    end = std::min(text_.find('\n', end + 1), text_.size());
  } while (end < text_.size() && end > 0 && text_[end - 1] == '\\');
  return end;
}

// The #else, #elif or #endif of the #if whose lines begin at `at`; the end of the text where there is none.
std::size_t StatementReader::end_of_branch(std::size_t at) const {
  int depth = 0;
  for (std::size_t line = at; line < text_.size(); line = std::min(text_.find('\n', line), text_.size()) + 1) {
    std::size_t first = line;
    while (first < text_.size() && (text_[first] == ' ' || text_[first] == '\t')) ++first;
    if (first >= text_.size() || text_[first] != '#') continue;
    const std::string_view word = directive_word(text_.substr(first, 40));
    if (word == "if" || word == "ifdef" || word == "ifndef") ++depth;
    if (depth == 0 && (word == "else" || word == "elif" || word == "endif")) return first;
    if (word == "endif") --depth;
  }
  return text_.size();
}

// Behind the line, ending at `end`, of an #if that does not hold, up to its #endif, or to the first branch that may be compiled.
void StatementReader::branch_that_does_not_hold(std::size_t end) {
  while (true) {
    at_ = end_of_branch(end);
    passed(std::min(end + 1, at_), at_, ifs_.back().macros.empty() ? kCodeOfZero : kCodeLeftOut);
    const std::string_view line = text_.substr(at_), word = directive_word(line);
    if (at_ == text_.size() || word == "endif") return;  // which is read next
    end = end_of_directive(at_);
    at_ = end;
    if (word == "else") return;
    const std::string_view condition = part(static_cast<std::size_t>(word.data() - text_.data()) + word.size(), end);
    const std::optional<DecidedCondition> decided = decided_condition("if", condition, options_.macros);
    ifs_.back().is_decided = decided.has_value();
    if (!decided) return;
    ifs_.back().macros.insert(ifs_.back().macros.end(), decided->by.begin(), decided->by.end());
    if (decided->holds) return;
  }
}

// A line of the preprocessor. Of the branches of an #if the first is read that may be compiled.
void StatementReader::directive(std::size_t begin) {
  const std::size_t end = end_of_directive(begin);
  const std::string_view line = part(begin, end), word = directive_word(line);
  if (word == "define") return define(begin, end);
  if (word == "if" || word == "ifdef" || word == "ifndef") {
    const std::string_view condition = trimmed(part(static_cast<std::size_t>(word.data() - text_.data()) + word.size(), end));
    const std::optional<DecidedCondition> decided = decided_condition(word, condition, options_.macros);
    passed(begin, end, "a preprocessor line");
    ifs_.push_back({line_of(begin), made_.size(), decided.has_value(), {}, decided ? decided->by : std::vector<std::string>()});
    made_.back().macros = ifs_.back().macros;
    if (decided && !decided->holds) branch_that_does_not_hold(end);
    return;
  }
  if (word == "else" || word == "elif") {
    const std::size_t from = begin, first = ifs_.empty() ? 0 : ifs_.back().line;
    std::size_t last = end_of_directive(begin);
    for (last = end_of_branch(last); last < text_.size() && directive_word(text_.substr(last, 40)) != "endif";)
      last = end_of_branch(end_of_directive(last));
    if (!ifs_.empty() && ifs_.back().is_decided) return passed(from, last, ifs_.back().macros.empty() ? kCodeOfZero : kCodeLeftOut);
    passed(from, last, first == 0 ? "another branch of an #if" : "the other branch of the #if in line " + std::to_string(first));
    made_.back().inside = bound_in(end, last);
    for (Assigned& each : assigned_in(part(from, last), Dialect::cpp, true)) {
      made_.back().assigns.push_back({each.name, Assigned::How::other});
      if (!ifs_.empty()) ifs_.back().others.push_back(std::move(each));
    }
    return;
  }
  passed(begin, end, word == "include" ? "an #include" : "a preprocessor line");
  if (word == "endif" && !ifs_.empty()) end_of_branches();
}

std::vector<UnreadNames> StatementReader::bound_in(std::size_t begin, std::size_t end) {
  constexpr int kDeepest = 4;          // branches of branches; what lies deeper is one statement
  constexpr std::size_t kMost = 4096;  // statements of one branch
  std::vector<UnreadNames> made;
  if (!options_.into_blocks || options_.branches >= kDeepest || begin >= end) return made;
  StatementOptions options = options_;
  options.language = Dialect::cpp;
  ++options.branches;
  const std::size_t above = line_of(begin) - 1;
  for (Statement& each : read_statements(part(begin, end), options)) {
    UnreadNames names{above + each.line, std::move(each.names)};
    for (Assigned& assigned : each.assigns) {
      if (assigned.how == Assigned::How::whole) names.names.push_back(std::move(assigned.name));
    }
    if (made.size() >= kMost) break;
    if (!names.names.empty()) made.push_back(std::move(names));
    for (UnreadNames& inner : each.inside) made.push_back({above + inner.line, std::move(inner.names)});
  }
  return made;
}

// Behind the #endif of a condition that is not known: a name that one branch assigns has that value in it alone. What no other branch and
// no line above assigns, such as all that stands between the #ifndef and the #endif of a header, has the one that is read.
void StatementReader::end_of_branches() {
  const Branches branches = std::move(ifs_.back());
  ifs_.pop_back();
  for (std::size_t i = branches.first; i < made_.size(); ++i)
    made_[i].macros.insert(made_[i].macros.end(), branches.macros.begin(), branches.macros.end());
  if (branches.is_decided) return;
  const auto assigned = [](const Statement& statement, const auto& take) {
    if (statement.kind == Statement::Kind::bind || statement.kind == Statement::Kind::function) {
      for (const std::string& name : statement.names) take(name);
    }
    for (const Assigned& each : statement.assigns) {
      if (each.how != Assigned::How::other) take(each.name);
    }
  };
  for (; looked_at_ + 1 < made_.size(); ++looked_at_)
    assigned(made_[looked_at_], [&](const std::string& name) { first_assigned_.emplace(name, looked_at_); });
  const auto above = [&](const std::string& name) {
    const auto first = first_assigned_.find(name);
    return first != first_assigned_.end() && first->second < branches.first;
  };
  std::unordered_set<std::string_view> others;
  for (const Assigned& other : branches.others) others.insert(other.name);
  DistinctTexts uncertain;
  for (std::size_t i = branches.first; i + 1 < made_.size() && !late(); ++i) {
    assigned(made_[i], [&](const std::string& name) {
      if (above(name) || others.contains(name)) uncertain.add(name);
    });
  }
  for (const Assigned& other : branches.others) {
    if (above(other.name)) uncertain.add(other.name);
  }
  if (uncertain.size() == 0) return;
  made_.back().reason = fmt::format("the end of the #if in line {}, whose condition is not known", branches.line);
  for (std::string& name : std::move(uncertain).take()) made_.back().assigns.push_back({std::move(name)});
}

// #define BM 64. What has operators of its own is text, and would mean something else between others: 2 + 3 of A * 2.
void StatementReader::define(std::size_t begin, std::size_t end) {
  std::size_t name = text_.find("define", begin) + 6;
  while (name < end && is_space(text_[name])) ++name;
  const std::string_view called = first_word(part(name, end));
  std::size_t from = name + called.size(), to = from;
  const bool has_parameters = from < end && text_[from] == '(';
  while (to < end && walk_.after_comment(to) == to) to = std::min(walk_.after(to), end);
  const std::string_view body = trimmed(part(from, to));
  if (called.empty() || body.empty()) return passed(begin, end, "a preprocessor line");
  int depth = 0;
  bool operates = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (opens(c) || (c == '<' && i > 0 && is_word(body[i - 1]))) ++depth;
    if (closes(c) || (c == '>' && depth > 0)) --depth;
    operates = operates || (depth == 0 && i > 0 && std::string_view("+-*/%&|^?=,;<\\!~#").find(c) != std::string_view::npos);
  }
  if (has_parameters || operates || depth != 0) {
    passed(begin, end, has_parameters ? "a macro with parameters" : "a macro of several terms");
    made_.back().assigns = {{std::string(called)}};
    return;
  }
  Statement& made = expression(Statement::Kind::bind, begin, from, to);
  made.names = {std::string(called)};
  made.is_macro = true;
  at_ = end;
}

}  // namespace tessera
