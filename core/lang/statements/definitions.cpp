// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/statements/definitions.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/characters.hpp"
#include "core/lang/statements/call_spans.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/syntax/words.hpp"

namespace tessera {

using namespace statement_text;

namespace {

bool is_function(const Statement& head) { return head.reason == "a function" || head.reason == "a kernel"; }

}  // namespace

std::string Definition::path() const { return of_class.empty() ? name : of_class + (is_python ? "." : "::") + name; }

Definitions::Definitions(std::string_view text, std::vector<Statement> statements) : text_(text), statements_(std::move(statements)) {
  std::vector<std::size_t> open;         // the blocks around this place
  std::vector<std::size_t> definitions;  // which definition each of them is; npos: none
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < statements_.size(); ++i) {
    const Statement& each = statements_[i];
    if (each.kind == Statement::Kind::leaves && !open.empty()) {
      if (definitions.back() != kNone) all_[definitions.back()].leaves = i;
      open.pop_back();
      definitions.pop_back();
    }
    if (each.kind != Statement::Kind::enters) continue;
    Definition made;
    made.is_class = each.reason == "a class" && !each.names.empty();
    made.name = made.is_class ? each.names[0] : is_function(each) ? each.called : std::string();
    made.is_python = !each.declares;
    made.enters = i;
    made.leaves = statements_.size();
    made.around = open;
    for (std::size_t k = 0; k < open.size(); ++k) {
      made.is_local = made.is_local || is_function(statements_[open[k]]);
      if (definitions[k] != kNone && all_[definitions[k]].is_class) made.of_class = all_[definitions[k]].name;
    }
    open.push_back(i);
    definitions.push_back(made.name.empty() ? kNone : all_.size());
    if (made.name.empty()) continue;
    if (made.is_class) made.parents = bases_of(each);
    by_name_.emplace(made.name, all_.size());
    all_.push_back(std::move(made));
  }
}

// B<4> of struct A : public B<4>, and B of class A(B):
std::vector<std::string> Definitions::bases_of(const Statement& head) const {
  const std::string_view written = text_.substr(head.span.begin, head.span.end - head.span.begin);
  const std::size_t name = std::min(written.find(head.names[0], after_template(written)), written.size());
  std::size_t begin = name + head.names[0].size();
  const bool python = !head.declares;
  begin = written.find(python ? '(' : ':', std::min(begin, written.size()));
  if (begin == std::string_view::npos) return {};
  std::size_t end = python ? written.rfind(')') : written.size();
  if (end == std::string_view::npos || end <= begin) return {};
  std::vector<std::string> made;
  for (const SourceSpan& part : arguments_in(written, {begin + 1, end}, head.dialect)) {
    std::string_view base = written.substr(part.begin, part.end - part.begin);
    for (const std::string_view word : {"public ", "private ", "protected ", "virtual "}) {
      if (base.starts_with(word)) base = trimmed(base.substr(word.size()));
    }
    if (!base.empty()) made.emplace_back(base);
  }
  return made;
}

const Definition* Definitions::class_named(std::string_view name) const {
  const Definition* found = nullptr;
  const auto [first, last] = by_name_.equal_range(std::string(name));
  for (auto each = first; each != last; ++each) {
    const Definition& definition = all_[each->second];
    if (!definition.is_class) continue;
    if (found) return nullptr;
    found = &definition;
  }
  return found;
}

std::vector<const Definition*> Definitions::methods(std::string_view of_class, std::string_view name) const {
  std::vector<const Definition*> made;
  const auto [first, last] = by_name_.equal_range(std::string(name));
  for (auto each = first; each != last; ++each) {
    const Definition& definition = all_[each->second];
    if (!definition.is_class && !of_class.empty() && definition.of_class == of_class) made.push_back(&definition);
  }
  std::sort(made.begin(), made.end());
  if (!made.empty()) return made;
  const Definition* owner = class_named(of_class);
  for (const std::string& parent : owner ? owner->parents : std::vector<std::string>{}) {
    const std::string_view word = first_word(parent);
    if (word == of_class) continue;
    made = methods(word, name);
    if (!made.empty()) return made;
  }
  return made;
}

std::vector<const Definition*> Definitions::named(std::string_view path, std::string_view class_around) const {
  const std::size_t last = path.find_last_of(".:");
  const std::string_view name = last == std::string_view::npos ? path : path.substr(last + 1);
  std::string_view owner = last == std::string_view::npos ? std::string_view() : path.substr(0, path[last] == ':' ? last - 1 : last);
  if (owner == "self" || owner == "cls" || owner == "this") return methods(class_around, name);
  const bool python_path = owner.find('.') != std::string_view::npos || (!owner.empty() && path[last] == '.');
  if (const std::size_t colon = owner.rfind(':'); colon != std::string_view::npos) owner = owner.substr(colon + 1);
  if (!owner.empty() && class_named(owner)) return methods(owner, name);
  if (python_path) return {};  // of a module or an object
  std::vector<const Definition*> made = owner.empty() ? methods(class_around, name) : std::vector<const Definition*>{};
  if (!made.empty()) return made;
  const auto [first, end] = by_name_.equal_range(std::string(name));
  for (auto each = first; each != end; ++each) {
    const Definition& definition = all_[each->second];
    if (definition.of_class.empty() || definition.is_class) made.push_back(&definition);
  }
  std::sort(made.begin(), made.end());
  return made;
}

std::vector<const StatedParameter*> parameters_of(const Definition& definition, const Statement& head) {
  std::vector<const StatedParameter*> made;
  for (std::size_t i = head.templates; i < head.stated.size(); ++i) made.push_back(&head.stated[i]);
  const bool has_self = definition.is_python && !definition.of_class.empty() && !made.empty();
  if (has_self && (made[0]->name == "self" || made[0]->name == "cls")) made.erase(made.begin());
  return made;
}

Arity arity_of(const Definition& definition, const Statement& head) {
  Arity made;
  for (const StatedParameter* each : parameters_of(definition, head)) {
    ++made.most;
    if (each->type == "*" || each->type == "**" || each->type.ends_with("...")) continue;
    if (each->initial.begin == each->initial.end) ++made.least;
  }
  return made;
}

}  // namespace tessera
