// SPDX-License-Identifier: BSD-3-Clause
// Lists as people type them: "a, b,c".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/characters.hpp"

namespace tessera {

/// What stands between the commas, without the spaces around it: {"a", "b", "c"}. An item may be empty, but a list of no characters has
/// none.
inline std::vector<std::string> items_of(std::string_view list) {
  std::vector<std::string> items;
  for (bool more = !list.empty(); more;) {
    const std::size_t comma = std::min(list.find(','), list.size());
    items.emplace_back(trimmed(list.substr(0, comma)));
    more = comma < list.size();
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return items;
}

}  // namespace tessera
