// SPDX-License-Identifier: BSD-3-Clause
// SnippetRunner: what a statement changes without saying the new value.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/paste.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/programs/name_table.hpp"
#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/other_library.hpp"
#include "core/lang/statements/writes.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

// What becomes of a name's value here is not said by the line that gave it one.
void SnippetRunner::lose(const std::string& name, NameTable::Lost lost, const Statement& statement) {
  origins_.other(name);
  names_.lose(name, std::move(lost), statement);
}

void SnippetRunner::doubt(const std::string& name, std::string why) {
  origins_.other(name);
  names_.doubt(name, std::move(why));
}

void SnippetRunner::lose_names(const Statement& statement, std::string_view why, const std::string& note) {
  const bool none = statement.reason == "a declaration without a value";
  const std::string reason = statement.reason.empty() ? "" : fmt::format(" ({})", statement.reason);
  for (const std::string& name : statement.names) {
    if (name.empty() || name == "_") continue;
    std::string message =
        none ? made_without_value(name, statement)
             : fmt::format("{} has no value, since line {}, which gives it one, is {}{}", name, statement.line, why, reason);
    lose(name, {std::move(message), note.empty() ? "" : fmt::format("{}: {}", name, note)}, statement);
  }
  unknown_.stand_above(statement);
}

// What a statement that is passed over assigns: a tensor's elements are no part of its value, and where blocks are walked into, a
// condition is one possibility of two.
void SnippetRunner::assign(const StatementAnswer& made) {
  const Statement& statement = made.statement;
  if (!statement.reason.empty() || made.refused) {
    for (const Assigned& each : statement.assigns) assigned(statement, each);
  } else {  // x.append(3) has a value, and changes x
    for (const Assigned& each : statement.assigns) {
      const bool changes = each.how == Assigned::How::element || each.how == Assigned::How::changed;
      if (changes && !advance(statement, each.name)) assigned(statement, each);
    }
  }
  share(statement);
  const bool in_condition = statement.reason == "a condition" && options_.statements.into_blocks && statement.dialect == Dialect::cpp;
  for (const std::string& name : in_condition ? addressed_in(text_, statement.span) : std::vector<std::string>{}) {
    if (asks_command_line(part(statement.span)))
      keep_default(name, statement.line);
    else
      doubt(name, fmt::format("{}: line {} assigns it by its address in a condition: another value is possible", name, statement.line));
  }
  for (const std::string& name : statement.addressed) {
    addressed_.insert(name);
    if (made.refused && statement.unread.empty()) lose_with(name, statement, "may change it by its address");
  }
}

// Other names of what a statement binds, and what happens to those of what it assigns.
void SnippetRunner::share(const Statement& statement) {
  const bool python = statement.dialect != Dialect::cpp;
  const bool in_place = python && !statement.update.empty();  // a += [1] changes the list that b is, too
  for (const std::string& name : statement.names) {
    if (name.empty() || name == "_" || own_) continue;
    if (!statement.declares && (!python || in_place)) lose_others(name, statement);
    if (statement.declares || (python && !in_place)) aliases_.part(name);
  }
  if (own_ || statement.shares.empty()) return;
  std::vector<std::string> shares = statement.shares;
  if (python) std::erase_if(shares, [&](const std::string& each) { return is_never_changed(each); });
  for (const std::string& name : statement.names) {
    if (!name.empty() && name != "_") aliases_.share(name, shares);
  }
}

// Of Python: a number, a word, a function of a library and a constant stay what they are, whatever becomes of a name that was made of them.
bool SnippetRunner::is_never_changed(const std::string& name) const {
  if (const NameTable::Meaning* meaning = names_.find(name)) return meaning->value && !changes_in_place(*meaning->value, Dialect::python);
  std::string_view path = name;
  for (const std::string_view library : {"cute.", "cutlass."}) {
    if (path.starts_with(library)) path.remove_prefix(library.size());
  }
  return find_builtin(function_name(name, path)) || constant_of(path) || makes_run_object(name);
}

void SnippetRunner::lose_others(const std::string& name, const Statement& statement) {
  if (late()) return;  // no statement below is evaluated
  std::vector<std::string> changed;
  for (const std::string& other : aliases_.group(name)) {
    const NameTable::Meaning* meaning = other == name ? nullptr : names_.find(other);
    if (meaning && meaning->value && changes_in_place(*meaning->value, statement.dialect)) changed.push_back(other);
  }
  for (const std::string& other : changed) {
    lose(other, {fmt::format("{} has no value: line {} assigns {}, which may be the same variable", other, statement.line, name), {}},
         statement);
  }
}

void SnippetRunner::lose_with(const std::string& name, const Statement& statement, std::string_view why) {
  const NameTable::Meaning* meaning = names_.find(name);
  if (meaning && meaning->value && changes_in_place(*meaning->value, statement.dialect))
    lose(name, {fmt::format("{} has no value: line {} {}", name, statement.line, why), {}}, statement);
  lose_others(name, statement);
}

void SnippetRunner::assigned(const Statement& statement, const Assigned& each) {
  const NameTable::Meaning* meaning = names_.find(each.name);
  const Value* value = meaning ? meaning->value : nullptr;
  // Python's x = 5 and an import give the name another object, which no other name sees; so does += of a number.
  const bool whole = each.how != Assigned::How::element && each.how != Assigned::How::changed;
  const bool changes_object = statement.dialect == Dialect::cpp || ((!whole || each.in_place) && (!value || changes_with_elements(*value)));
  if (changes_object) lose_others(each.name, statement);
  if (each.how == Assigned::How::element && statement.dialect == Dialect::cpp && (!value || !std::holds_alternative<Tensor>(value->any))) {
    for (const std::string& name : addressed_) lose_with(name, statement, "stores through a pointer, which may be its address");
  }
  if (!whole && value && !changes_with_elements(*value)) return;
  if (each.how == Assigned::How::hidden && !value) return;
  if (each.how == Assigned::How::other && (value || given_.contains(each.name))) return;
  const std::string_view reason = statement.reason;
  if (reason == "a condition" && value && asks_command_line(part(statement.span))) return keep_default(each.name, statement.line);
  if (options_.statements.into_blocks && value && (reason == "a condition" || reason == "a loop" || reason == "an exception")) {
    return doubt(each.name, NameTable::assigned_in(each.name, statement.line, reason));
  }
  std::string message = made_without_value(each.name, statement);
  lose(each.name, {std::move(message), {}}, statement);
}

// Does a condition ask whether the program was called with arguments? Without them it does not hold.
bool SnippetRunner::asks_command_line(std::string_view head) const {
  const std::size_t open = head.find('(');
  const std::string_view condition =
      head.substr(0, open == std::string_view::npos ? head.size() : std::min(head.find(')', open), head.size()));
  return options_.statements.into_blocks && statement_text::has_word(condition, "argc") && condition.find('>') != std::string_view::npos;
}

void SnippetRunner::keep_default(const std::string& name, std::size_t line) {
  const NameTable::Meaning* meaning = names_.find(name);
  if (!meaning || !meaning->value) return;
  origins_.other(name);
  names_.state(name, fmt::format("{} = {}, unless the command line says another in line {}", name, to_string(*meaning->value), line));
}

std::string SnippetRunner::made_without_value(const std::string& name, const Statement& statement) {
  if (statement.reason == "a declaration without a value")
    return fmt::format("{} has no value: line {} declares it without one", name, statement.line);
  if (statement.reason.empty()) return fmt::format("{} has no value: line {}, which is refused, assigns it", name, statement.line);
  if (statement.reason.starts_with("the end of the #if"))
    return fmt::format("{} has no value behind line {}, {}: it is not the same in all branches", name, statement.line, statement.reason);
  const bool defines = statement.reason == "a class" || statement.reason == "a namespace" || statement.reason == "an enumeration" ||
                       statement.reason.starts_with("a macro");
  return fmt::format("{} has no value: line {}, {}, which is passed over, {} it", name, statement.line, statement.reason,
                     defines ? "defines" : "assigns");
}

}  // namespace tessera
