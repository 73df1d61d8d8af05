// SPDX-License-Identifier: BSD-3-Clause
// The symbols of a text by their names: thousands of statements ask which of thousands they need.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/lang/programs/snippet.hpp"

namespace tessera {

class SymbolTable {
 public:
  // `symbols` outlive the table.
  explicit SymbolTable(const std::vector<Symbol>& symbols) : symbols_(symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i) places_.emplace(symbols[i].name, i);
  }

  // Those that have one of these names, in the order in which the text needs them.
  std::vector<const Symbol*> among(const std::vector<std::string>& names) const {
    std::vector<const Symbol*> found;
    for (const std::string& name : names) {
      if (const auto at = places_.find(name); at != places_.end()) found.push_back(&symbols_[at->second]);
    }
    std::sort(found.begin(), found.end());  // they lie in one array
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  const std::vector<Symbol>& symbols_;
  std::unordered_map<std::string_view, std::size_t> places_;
};

}  // namespace tessera
