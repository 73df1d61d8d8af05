// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/name_table.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/lang/programs/snippet_parts.hpp"
#include "core/lang/syntax/dialect.hpp"

namespace tessera {
namespace {

bool is_conditional(std::string_view reason) { return reason == "a loop" || reason == "a condition" || reason == "an exception"; }

}  // namespace

bool NameTable::Stated::is_of_place() const {
  return std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return note.find(", the first ") != std::string::npos; });
}

const NameTable::Meaning* NameTable::find(const std::string& name) const {
  if (const auto found = names_.find(name); found != names_.end()) return &found->second;
  const std::size_t member = name.find("::");
  if (member == std::string::npos) return nullptr;
  const auto named = classes_.find(name.substr(0, member));
  return named == classes_.end() ? nullptr : find(named->second + name.substr(member));
}

const NameTable::Meaning* NameTable::find_outside(const std::string& name, std::size_t depth) const {
  for (std::size_t i = depth; i < blocks_.size(); ++i) {
    const auto hidden = blocks_[i].outside.find(name);
    if (hidden != blocks_[i].outside.end()) return hidden->second ? &*hidden->second : nullptr;
  }
  return find(name);
}

std::string NameTable::path_in_class(const std::string& name) const {
  const std::size_t member = name.find("::");
  const auto named = member == std::string::npos ? classes_.end() : classes_.find(name.substr(0, member));
  return named == classes_.end() ? std::string() : named->second + name.substr(member);
}

std::vector<std::pair<std::string, const Value*>> NameTable::certain() const {
  std::vector<std::pair<std::string, const Value*>> made;
  for (const auto& [name, meaning] : names_) {
    if (meaning.value && meaning.needs.empty() && meaning.doubts.empty() && meaning.stated.empty()) made.emplace_back(name, meaning.value);
  }
  return made;
}

std::vector<std::pair<std::string, const Value*>> NameTable::members_of(const std::string& of_class, bool python) const {
  const std::string path = of_class + (python ? "." : "::");
  std::vector<std::pair<std::string, const Value*>> made;
  for (const auto& [name, value] : certain()) {
    const bool of_object = python && name.starts_with("self.");
    if (of_object || name.starts_with(path)) made.emplace_back(name.substr(of_object ? 5 : path.size()), value);
  }
  return made;
}

std::vector<std::pair<std::string, const NameTable::Meaning*>> NameTable::with_prefix(std::string_view prefix) const {
  std::vector<std::pair<std::string, const Meaning*>> made;
  for (const auto& [name, meaning] : names_) {
    if (name.starts_with(prefix)) made.emplace_back(name, &meaning);
  }
  std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return made;
}

bool NameTable::has_class(const std::string& name) const {
  if (classes_.contains(name)) return true;
  const std::string path = name + "::";
  return std::any_of(names_.begin(), names_.end(), [&](const auto& each) { return each.first.starts_with(path); });
}

void NameTable::call_class(const std::string& name, const std::string& of_class) {
  const auto named = classes_.find(of_class);
  name_class(name, named == classes_.end() ? of_class : named->second);
}

// Of no class where `of_class` is empty. The innermost block gives back what the name was outside.
void NameTable::name_class(const std::string& name, std::string of_class) {
  const auto found = classes_.find(name);
  if (found == classes_.end() && of_class.empty()) return;
  if (!blocks_.empty()) blocks_.back().classes.emplace(name, found == classes_.end() ? std::string() : found->second);
  if (of_class.empty())
    classes_.erase(name);
  else
    classes_[name] = std::move(of_class);
}

const NameTable::Lost* NameTable::lost(std::string_view name) const {
  while (true) {
    const auto found = names_.find(std::string(name));
    if (found != names_.end()) return found->second.lost && !found->second.value ? &*found->second.lost : nullptr;
    const std::size_t member = name.find_last_of(".:");
    if (member == std::string_view::npos || member == 0) return nullptr;
    name = name.substr(0, name[member] == ':' ? member - 1 : member);
  }
}

// The block that a name belongs to, counted from 1; 0: to none.
std::size_t NameTable::owner(const std::string& name, const Statement& statement) {
  const bool is_path = name.find_first_of(".:") != std::string::npos;
  std::size_t function = 0;  // Python's names belong to their function
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    if (blocks_[i].outside.contains(name)) return i + 1;
    if (blocks_[i].is_scope && statement.declares && !is_path) return i + 1;
    if (blocks_[i].of_lines && blocks_[i].is_scope && function == 0) function = i + 1;
  }
  return is_path ? 0 : function;
}

void NameTable::set(const std::string& name, Meaning meaning, const Statement& statement) {
  name_class(name, {});
  const std::size_t of = owner(name, statement);
  const auto found = names_.find(name);
  const bool is_new_here = of > 0 && !blocks_[of - 1].outside.contains(name);
  const bool was_known = !is_new_here && found != names_.end() && (found->second.value || found->second.lost);
  if (!statement.declares && !is_new_here && found != names_.end()) {
    meaning.type = found->second.type;
    meaning.type_unread = found->second.type_unread;
  }
  if (is_new_here) blocks_[of - 1].outside.emplace(name, found == names_.end() ? std::nullopt : std::optional(std::move(found->second)));
  for (std::size_t i = of; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    if (block.stated.holds == false) block.before.emplace(name, found == names_.end() ? std::nullopt : std::optional(found->second));
    for (const std::string& note : block.stated.notes) {
      if (block.stated.holds == true && std::find(meaning.stated.begin(), meaning.stated.end(), note) == meaning.stated.end())
        meaning.stated.push_back(note);
    }
  }
  for (std::size_t i = of; i < blocks_.size() && was_known; ++i) {
    if (blocks_[i].stated.holds) continue;
    const bool called = !blocks_[i].of_lines && (blocks_[i].reason == "a function" || blocks_[i].reason == "a kernel");
    if (!called && !is_conditional(blocks_[i].reason)) continue;
    blocks_[i].assigned.emplace(name, assigned_in(name, statement.line, blocks_[i].reason));
  }
  for (const Block& block : blocks_) {
    if (of == 0 && block.reason == "a namespace" && !block.name.empty()) names_[block.name + "::" + name] = meaning;
  }
  const bool comes = std::none_of(blocks_.begin() + static_cast<std::ptrdiff_t>(of), blocks_.end(),
                                  [](const Block& each) { return each.stated.holds == false; });
  if (comes && of > 0) blocks_[of - 1].lent.erase(name);
  names_[name] = std::move(meaning);
}

void NameTable::bind(const std::string& name, Meaning meaning, const Statement& statement) { set(name, std::move(meaning), statement); }

void NameTable::bind_here(const std::string& name, Meaning meaning) {
  const auto found = names_.find(name);
  if (!blocks_.empty()) blocks_.back().outside.emplace(name, found == names_.end() ? std::nullopt : std::optional(found->second));
  names_[name] = std::move(meaning);
}

void NameTable::lend(const std::string& name, Meaning meaning) {
  bind_here(name, std::move(meaning));
  if (!blocks_.empty()) blocks_.back().lent.insert(name);
}

void NameTable::lose(const std::string& name, Lost lost, const Statement& statement) {
  Meaning meaning;
  meaning.lost = std::move(lost);
  if (statement.declares && statement.dialect == Dialect::cpp) {
    meaning.type = number_type(without_specifiers(statement.type));
    meaning.type_unread = !meaning.type;
  }
  set(name, std::move(meaning), statement);
}

std::string NameTable::assigned_in(std::string_view name, std::size_t line, std::string_view reason) {
  return fmt::format("{}: line {} assigns it in {}: another value is possible", name, line, reason);
}

void NameTable::doubt(const std::string& name, std::string why) {
  const auto found = names_.find(name);
  if (found == names_.end() || !found->second.value) return;
  std::vector<std::string>& doubts = found->second.doubts;
  // "n: line 3 ": of one assignment in blocks within each other the innermost says enough.
  const std::string_view assignment = std::string_view(why).substr(0, why.find(" assigns"));
  const bool is_said = std::any_of(doubts.begin(), doubts.end(), [&](const std::string& each) { return each.starts_with(assignment); });
  if (!is_said) doubts.push_back(std::move(why));
}

void NameTable::state(const std::string& name, std::string what) {
  const auto found = names_.find(name);
  if (found == names_.end() || !found->second.value) return;
  std::vector<std::string>& stated = found->second.stated;
  if (std::find(stated.begin(), stated.end(), what) == stated.end()) stated.push_back(std::move(what));
}

void NameTable::enter(const Statement& statement, bool certain, Stated stated) {
  Block& made = blocks_.emplace_back();
  if (!certain) made.stated = std::move(stated);
  made.reason = certain ? "a block" : statement.reason;
  made.is_scope = statement.is_scope;
  made.of_lines = !statement.declares;
  if (!statement.names.empty()) made.name = statement.names[0];
  for (const std::string& name : statement.parameters) {
    name_class(name, {});
    const auto found = names_.find(name);
    if (made.is_scope) made.outside.emplace(name, found == names_.end() ? std::nullopt : std::optional(found->second));
    if (found != names_.end()) names_.erase(found);
  }
}

std::vector<std::pair<std::string, NameTable::Meaning>> NameTable::leave() {
  std::vector<std::pair<std::string, Meaning>> members;
  if (blocks_.empty()) return members;
  Block left = std::move(blocks_.back());
  blocks_.pop_back();
  for (const auto& [name, of_class] : left.classes) {
    if (of_class.empty())
      classes_.erase(name);
    else
      classes_[name] = of_class;
  }
  for (auto& [name, meaning] : left.outside) {
    const auto inside = names_.find(name);
    const bool is_member = !left.name.empty() && left.reason == "a class" && inside != names_.end();
    if (is_member) members.emplace_back(left.name + (left.of_lines ? "." : "::") + name, inside->second);
    if (name.starts_with("self.") && inside != names_.end() && inside->second.value && !left.lent.contains(name)) continue;
    if (meaning)
      names_[name] = std::move(*meaning);
    else
      names_.erase(name);
  }
  for (const auto& [name, why] : left.assigned) doubt(name, why);
  for (auto& [name, meaning] : left.before) {
    if (meaning)
      names_[name] = std::move(*meaning);
    else
      names_.erase(name);
    for (const std::string& note : left.stated.is_of_place() ? left.stated.notes : std::vector<std::string>()) state(name, note);
  }
  for (auto& [name, meaning] : members) {
    Statement declaration;
    declaration.declares = true;
    set(name, meaning, declaration);
  }
  return members;
}

}  // namespace tessera
