// SPDX-License-Identifier: BSD-3-Clause
// Groups are joined into the largest of them, so that thousands of names of one object take little more than one pass.
#include "core/lang/programs/aliases.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tessera {

void Aliases::share(const std::string& name, const std::vector<std::string>& with) {
  std::set<std::string> joined{name};
  joined.insert(with.begin(), with.end());
  if (joined.size() < 2) return;
  Group whole;
  for (const std::string& each : joined) {
    const auto at = groups_.find(each);
    if (at != groups_.end() && (!whole || at->second->size() > whole->size())) whole = at->second;
  }
  if (!whole) whole = std::make_shared<std::set<std::string>>();
  for (const std::string& each : joined) {
    const auto at = groups_.find(each);
    const Group other = at == groups_.end() ? nullptr : at->second;
    if (other == whole) continue;
    for (const std::string& member : other ? *other : std::set<std::string>{each}) {
      whole->insert(member);
      groups_[member] = whole;
    }
  }
}

void Aliases::part(const std::string& name) {
  const auto at = groups_.find(name);
  if (at == groups_.end()) return;
  const Group rest = at->second;
  groups_.erase(at);
  rest->erase(name);
  if (rest->size() == 1) groups_.erase(*rest->begin());
}

const std::set<std::string>& Aliases::group(const std::string& name) const {
  static const std::set<std::string> kNone;
  const auto at = groups_.find(name);
  return at == groups_.end() ? kNone : *at->second;
}

}  // namespace tessera
