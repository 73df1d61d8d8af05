// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/files/shadows.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/diagram/kinds/figures.hpp"
#include "core/lang/eval/own_names.hpp"
#include "core/lang/syntax/lexer.hpp"

namespace tessera {
namespace {

// Each name that a line takes, and the first such line.
std::map<std::string, std::size_t> taken_names(const Document& document) {
  std::map<std::string, std::size_t> taken;
  const auto take = [&](const Statement& statement) {
    const auto add = [&](const std::string& name) {
      const auto [at, is_new] = taken.emplace(name, statement.line);
      if (!is_new) at->second = std::min(at->second, statement.line);
    };
    for (const std::string& name : statement.names) add(name);
    for (const Assigned& each : statement.assigns) add(each.name);
  };
  for (const Binding& binding : document.bindings) take(binding.statement);
  for (const PassedOver& each : document.passed_over) take(each.statement);
  return taken;
}

}  // namespace

bool is_name_of_language(std::string_view name) {
  if (is_own_name(name)) return true;
  if (!names_a_figure(name)) return false;
  const std::string_view kind = name.substr(0, name.size() - kFigureSuffix.size());
  return figure_kind(kind) != nullptr;
}

std::vector<std::string> shadows_of(const Document& document) {
  std::vector<std::string> names;
  for (const auto& [name, line] : taken_names(document)) {
    if (is_name_of_language(name)) names.push_back(name);
  }
  return names;
}

ShadowWatch::ShadowWatch(const Scope& scope, const std::vector<std::string>& shadows) {
  if (shadows.empty()) {
    watched_ = scope;
    return;
  }
  watched_ = [this, &scope, &shadows](std::string_view name) {
    const Value* const found = scope(name);
    if (found && std::binary_search(shadows.begin(), shadows.end(), name)) met_.emplace(name);
    return found;
  };
}

void declare_closed(Options& options, ClosedNames& closed) {
  options.option("--closed", closed,
                 "refuse a document that takes one of these names for itself, with none every name of the language; the last option, "
                 "since all that follows is a name");
}

Status check_names(const ClosedNames& closed) {
  if (!closed) return Done{};
  for (const std::string& name : *closed) {
    if (!is_binding_name(name))
      return Error{ErrorCode::parse,
                   fmt::format("--closed {}: no document can take that name; what is no name of --closed stands in front of it", name),
                   {},
                   {}};
  }
  return Done{};
}

Status check_closed(const Document& document, const ClosedNames& closed, std::string_view path) {
  if (!closed) return Done{};
  const auto is_closed = [&](const std::string& name) {
    return closed->empty() ? is_name_of_language(name) : std::find(closed->begin(), closed->end(), name) != closed->end();
  };
  std::optional<std::pair<std::size_t, std::string>> first;
  for (const auto& [name, line] : taken_names(document)) {
    if (is_closed(name) && (!first || line < first->first)) first = {line, name};
  }
  if (!first) return Done{};
  return Error{ErrorCode::already_exists,
               fmt::format("{}:{}: this line takes the name {}, which is closed", path, first->first, first->second),
               {},
               {"give it another name there"}};
}

}  // namespace tessera
