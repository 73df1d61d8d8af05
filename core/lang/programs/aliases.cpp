// SPDX-License-Identifier: BSD-3-Clause
#include "core/lang/programs/aliases.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

void Aliases::share(const std::string& name, const std::vector<std::string>& with) {
  std::set<std::string> joined{name};
  joined.insert(with.begin(), with.end());
  if (joined.size() < 2) return;
  for (const std::string& each : std::set<std::string>(joined)) {
    for (const std::string& other : others(each)) joined.insert(other);
  }
  std::erase_if(groups_, [&](const std::set<std::string>& group) { return joined.contains(*group.begin()); });
  groups_.push_back(std::move(joined));
}

void Aliases::part(const std::string& name) {
  for (std::set<std::string>& group : groups_) group.erase(name);
  std::erase_if(groups_, [](const std::set<std::string>& group) { return group.size() < 2; });
}

std::vector<std::string> Aliases::others(const std::string& name) const {
  for (const std::set<std::string>& group : groups_) {
    if (!group.contains(name)) continue;
    std::vector<std::string> names(group.begin(), group.end());
    std::erase(names, name);
    return names;
  }
  return {};
}

}  // namespace tessera
