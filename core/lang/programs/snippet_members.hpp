// SPDX-License-Identifier: BSD-3-Clause
// What the sources of SnippetRunner share about objects of the classes that a text defines.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/programs/snippet_runner.hpp"
#include "core/lang/statements/definitions.hpp"

namespace tessera {

// Of an object, or of a class with the arguments of its template.
struct SnippetRunner::Members {
  const Definition* of = nullptr;
  std::vector<std::pair<std::string, Value>> list;
  bool in_smem = false, is_partial = false;  // as of UserFunction

  const Value* find(std::string_view name) const {
    for (const std::string_view self : {"self.", "cls.", "this->"}) {
      if (name.starts_with(self)) name.remove_prefix(self.size());
    }
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.first == name; });
    return found == list.end() ? nullptr : &found->second;
  }
};

}  // namespace tessera
