// SPDX-License-Identifier: BSD-3-Clause
// Aliases: which names may be the same variable (C++'s `int& b = a`) or the same object (Python's `b = a` of a list). What one of them is
// given, the others are given too, whatever this program knew of them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tessera {

class Aliases {
 public:
  // From here on the name may share with each of these, and with what they share with.
  void share(const std::string& name, const std::vector<std::string>& with);
  // The name is another variable from here on.
  void part(const std::string& name);
  // All that may be the same, the name among them; empty: it shares with none. Until the next share or part.
  const std::set<std::string>& group(const std::string& name) const;

 private:
  using Group = std::shared_ptr<std::set<std::string>>;
  std::unordered_map<std::string, Group> groups_;  // of each name that shares
};

}  // namespace tessera
