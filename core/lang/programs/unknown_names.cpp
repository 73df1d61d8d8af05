// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/unknown_names.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/lang/builtins/builtins.hpp"

namespace tessera {

UnknownNames::UnknownNames(const std::vector<Statement>& statements) {
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind == Statement::Kind::passed_over || statements[i].kind == Statement::Kind::enters) continue;
    for (const std::string& name : statements[i].names) last_places_[name] = i;
  }
}

void UnknownNames::stand_above(const Statement& statement) { above_.insert(above_.end(), statement.names.begin(), statement.names.end()); }

void UnknownNames::explain(Error& error, const std::string& name, std::size_t number, bool mends_notes) {
  const auto place = last_places_.find(name);
  if (place != last_places_.end() && place->second >= number) {
    const bool own = place->second == number;
    error.message = own ? fmt::format("{} is used in its own expression", name) : fmt::format("{} is defined further down", name);
    error.notes = {"a binding may use the names above it"};
    return;
  }
  if (mends_notes) error.notes = near_names(name);
}

// Of the names just above, and only as long as the text has not asked for very many: a hint is not worth seconds.
std::vector<std::string> UnknownNames::near_names(const std::string& name) {
  constexpr std::size_t kNamesAbove = 2048, kMostCompared = std::size_t{1} << 20;
  const std::size_t taken = std::min(above_.size(), kNamesAbove);
  compared_ += taken + builtins().size();
  if (compared_ > kMostCompared) return {};
  return nearest_note(name, std::vector<std::string>(above_.end() - static_cast<std::ptrdiff_t>(taken), above_.end()));
}

}  // namespace tessera
