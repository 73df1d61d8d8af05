// SPDX-License-Identifier: BSD-3-Clause
// StatementReader: what a statement does to names besides the one that it binds.
//
//   b = ++a * 2;     a statement ++a, then b = a * 2
//   b = a++ + 1;     b = a + 1, then a++
//   b = (a = 3);     refused, and a has no value from there on
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/characters.hpp"
#include "core/base/distinct.hpp"
#include "core/lang/statements/statement_reader.hpp"
#include "core/lang/statements/writes.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {

using namespace statement_text;

namespace {

bool binds(const Statement& statement) { return statement.kind == Statement::Kind::bind; }
bool has_expression(const Statement& statement) {
  return statement.kind == Statement::Kind::bind || statement.kind == Statement::Kind::show || statement.kind == Statement::Kind::check ||
         statement.kind == Statement::Kind::effect;
}
bool counts(const Statement& statement) { return statement.update == "++" || statement.update == "--"; }

// Methods of Python's lists and dictionaries, and of the DSL's states of pipelines, that change them in place.
constexpr std::string_view kInPlace[] = {"append", "extend", "insert",  "pop",        "remove",  "sort",    "reverse",    "clear",
                                         "update", "add",    "discard", "setdefault", "popitem", "advance", "reset_count"};

}  // namespace

std::vector<std::string> StatementReader::names_used(SourceSpan expression) const {
  DistinctTexts names;
  for (std::size_t i = expression.begin; i < expression.end;) {
    if (!is_word(text_[i])) {
      i = walk_.after(i);
      continue;
    }
    std::size_t end = i;
    while (end < expression.end && (is_word(text_[end]) || text_[end] == '.')) ++end;
    const std::string_view path = part(i, end);
    if (is_binding_name(first_word(path))) names.add(path);
    i = end;
  }
  return std::move(names).take();
}

// Of the statements from `first` on, which were one in the text.
void StatementReader::follow_writes(std::size_t first) {
  for (std::size_t i = first; i < made_.size(); ++i) {
    if (!has_expression(made_[i]) || counts(made_[i]) || made_[i].is_macro) continue;
    made_[i].addressed = addressed_in(text_, made_[i].expression);
    if (!made_[i].unread.empty()) continue;
    const std::vector<Write> writes = writes_in(text_, made_[i].expression);
    if (writes.empty()) continue;
    const std::unordered_set<std::string_view> bound(made_[i].names.begin(), made_[i].names.end());
    const bool certain = std::all_of(writes.begin(), writes.end(), [&](const Write& write) {
      return write.kind != Write::Kind::uncertain && !bound.contains(write.name);
    });
    if (!certain) {
      const std::string& name = writes.front().name;
      made_[i].unread =
          fmt::format("{} is changed inside of this expression in a way that is not followed", name.empty() ? "a variable" : name);
      for (const Write& write : writes) {
        if (!write.name.empty()) made_[i].assigns.push_back({write.name});
      }
      for (Assigned& each : assigned_in(part(made_[i].expression.begin, made_[i].expression.end), dialect_))  // (*p)++
        made_[i].assigns.push_back(std::move(each));
      continue;
    }
    std::vector<Statement> before, behind;
    for (const Write& write : writes) {
      made_[i].erased.push_back(write.span);
      Statement& update = (write.kind == Write::Kind::before ? before : behind).emplace_back();
      update.kind = Statement::Kind::bind;
      update.names = {write.name};
      update.update = write.sign;
      update.expression = update.span = write.span;
      update.line = made_[i].line;
      update.dialect = dialect_;
    }
    const auto here = [&](std::size_t at) { return made_.begin() + static_cast<std::ptrdiff_t>(at); };
    made_.insert(here(i + 1), behind.begin(), behind.end());
    made_.insert(here(i), before.begin(), before.end());
    i += before.size() + behind.size();
  }
}

// Python's names are those of objects: what one of two changes in place, the other sees.
void StatementReader::follow_python(std::size_t first) {
  for (std::size_t i = first; i < made_.size(); ++i) {
    Statement& made = made_[i];
    if (!has_expression(made)) continue;
    const std::vector<std::string> names = names_used(made.expression);
    for (const std::string& path : names) {
      const std::size_t dot = path.rfind('.');
      if (dot == std::string::npos) continue;
      if (std::find(std::begin(kInPlace), std::end(kInPlace), path.substr(dot + 1)) != std::end(kInPlace))
        made.assigns.push_back({path.substr(0, dot), Assigned::How::changed});
    }
    if (binds(made) && made.update.empty()) made.shares = names;
    const std::string_view written = part(made.expression.begin, std::max(made.expression.begin, made.expression.end));
    if (written.find(":=") == std::string_view::npos) continue;
    for (Assigned& each : assigned_in(written, dialect_)) made.assigns.push_back(std::move(each));
    if (made.unread.empty()) made.unread = "a name is assigned inside of this expression";
  }
}

// Where a text jumps, the order of its lines is not that of what is done: what is written once is still what it is.
void StatementReader::distrust_jumps() {
  std::map<std::string, int> writes;
  for (const Statement& each : made_) {
    if (binds(each)) {
      for (const std::string& name : each.names) ++writes[name];
    }
    for (const Assigned& other : each.assigns) ++writes[other.name];
  }
  for (Statement& each : made_) {
    if (!binds(each) || !each.unread.empty()) continue;
    const bool again = std::any_of(each.names.begin(), each.names.end(), [&](const std::string& name) { return writes[name] > 1; });
    if (again) each.unread = fmt::format("{} is assigned more than once in a text with goto, whose order is not followed", each.names[0]);
  }
}

}  // namespace tessera
