// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/account.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/distinct.hpp"
#include "core/base/utf8.hpp"
#include "core/lang/programs/symbol_table.hpp"

namespace tessera {
namespace {

using Fate = AccountEntry::Fate;

constexpr std::size_t kLongestValue = 160;  // bytes
constexpr std::ptrdiff_t kMostNamed = 12;   // symbols that are named in words; `waits_for` has all

std::string cut(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.size() > kLongestValue ? std::string(utf8_prefix(text, kLongestValue)) + "..." : text;
}

std::string values_of(const StatementAnswer& answer) {
  std::string words;
  for (const auto& [name, value] : answer.values) {
    const bool named = answer.values.size() > 1 && !name.empty();
    words += (words.empty() ? "" : "; ") + (named ? name + " = " : std::string()) + to_string(value);
  }
  return cut(std::move(words));
}

// Names that a statement gives a value which is not evaluated: those of a class or a loop are its own.
std::vector<std::string> names_of(const Statement& statement) {
  DistinctTexts names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && name != "_") names.add(name);
  };
  for (const std::string& name : statement.names) add(name);
  for (const Assigned& each : statement.assigns) {
    if (each.how == Assigned::How::whole) add(each.name);
  }
  return std::move(names).take();
}

// What defines or declares, and what the text says of itself. Everything else that binds a name and has no value is refused.
bool may_be_passed(std::string_view reason) {
  constexpr std::string_view kDefinitions[] = {"a class",       "a namespace",    "an enumeration",     "a function", "a kernel",
                                               "an #include",   "an import",      "a template",         "a comment",  "a decorator",
                                               "a declaration", "a removed line", "a preprocessor line"};
  return std::find(std::begin(kDefinitions), std::end(kDefinitions), reason) != std::end(kDefinitions) || reason == kCodeOfZero ||
         reason == kCodeLeftOut || reason == kCodeOfFalse || reason == "a declaration without a value" || reason == kNullPointer ||
         reason.starts_with("text around") || reason.starts_with("an answer of");
}

AccountEntry entry_of(const StatementAnswer& answer, const SymbolTable& symbols) {
  const Statement& statement = answer.statement;
  AccountEntry made;
  made.line = statement.line;
  if (statement.inside.empty()) made.names = names_of(statement);  // else each of its statements has an entry of its own
  if (statement.kind == Statement::Kind::passed_over || statement.kind == Statement::Kind::enters) {
    const bool binds = statement.kind == Statement::Kind::passed_over && !made.names.empty() && !may_be_passed(statement.reason);
    made.fate = binds ? Fate::refused : Fate::passed;
    made.words = binds ? fmt::format("not evaluated: {}", statement.reason) : statement.reason;
    return made;
  }
  if (answer.refused) {
    const bool unknown = answer.refused->code == ErrorCode::unknown_name && !answer.refused->missing.empty();
    made.fate = unknown ? Fate::waits : Fate::refused;
    made.words = cut(answer.refused->message);
    if (unknown) made.waits_for = {answer.refused->missing};
    made.tried = answer.needs;
    return made;
  }
  if (answer.needs.empty() && !answer.doubts.empty()) {
    made.fate = Fate::waits;
    made.words = answer.doubts.front();
    made.guessed = true;
    if (!answer.values.empty()) made.words += fmt::format("; here it is {}", values_of(answer));
    return made;
  }
  if (answer.needs.empty()) {
    made.fate = Fate::valued;
    made.words = answer.values.empty() ? "holds" : values_of(answer);
    if (answer.values.empty() && statement.kind == Statement::Kind::effect) made.words = "evaluated";
    for (const std::string& each : answer.stated) made.words += fmt::format("; with {}", each);
    if (!answer.given.empty()) made.words += fmt::format("; with {} as given", fmt::join(answer.given, ", "));
    made.given = answer.given;
    return made;
  }
  made.fate = Fate::waits;
  made.guessed = true;
  made.waits_for = answer.needs;
  const std::vector<std::string> named(answer.needs.begin(), answer.needs.begin() + std::min(std::ssize(answer.needs), kMostNamed));
  const std::string more = named.size() < answer.needs.size() ? fmt::format(" and {} more", answer.needs.size() - named.size()) : "";
  std::string with;
  for (const Symbol* symbol : symbols.among(named))
    with += fmt::format("{}{} = {}", with.empty() ? "" : ", ", symbol->name, symbol->likely);
  made.words = fmt::format("for {}{}", fmt::join(named, ", "), more);
  if (!answer.values.empty() && !with.empty()) made.words += fmt::format("; with {}{} it is {}", with, more, values_of(answer));
  return made;
}

}  // namespace

std::string_view to_string(AccountEntry::Fate fate) {
  switch (fate) {
    case Fate::valued: return "valued";
    case Fate::waits: return "waits";
    case Fate::refused: return "refused";
    case Fate::passed: return "passed";
  }
  return "";
}

std::vector<AccountEntry> account_of(const SnippetAnswer& answer) {
  std::vector<AccountEntry> account;
  account.reserve(answer.statements.size());
  const SymbolTable symbols(answer.symbols);
  for (const StatementAnswer& each : answer.statements) {
    if (each.statement.kind == Statement::Kind::leaves) continue;
    account.push_back(entry_of(each, symbols));
    for (const UnreadNames& unread : each.statement.inside)
      account.push_back({unread.line, unread.names, Fate::refused, fmt::format("not evaluated: in {}", each.statement.reason), {}});
  }
  return account;
}

std::string summary_of(const std::vector<AccountEntry>& account) {
  std::array<std::size_t, 4> counts{};
  for (const AccountEntry& each : account) ++counts[static_cast<std::size_t>(each.fate)];
  return fmt::format("{} statements: {} valued, {} wait, {} refused, {} passed over", account.size(), counts[0], counts[1], counts[2],
                     counts[3]);
}

}  // namespace tessera
