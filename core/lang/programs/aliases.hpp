// SPDX-License-Identifier: BSD-3-Clause
// Aliases: which names may be the same variable (C++'s `int& b = a`) or the same object (Python's `b = a` of a list). What one of them is
// given, the others are given too, whatever this program knew of them.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace tessera {

class Aliases {
 public:
  // From here on the name may share with each of these, and with what they share with.
  void share(const std::string& name, const std::vector<std::string>& with);
  // The name is another variable from here on.
  void part(const std::string& name);
  std::vector<std::string> others(const std::string& name) const;

 private:
  std::vector<std::set<std::string>> groups_;
};

}  // namespace tessera
