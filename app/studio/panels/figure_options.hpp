// SPDX-License-Identifier: BSD-3-Clause
// What can be chosen for a figure on the screen: the bar over it and the finder list the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/document/arrangement.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::studio {

// One thing that can be chosen for a figure.
struct FigureOption {
  std::string name, help, now;       // now: what was chosen on the screen, else what the expression says; empty: neither
  bool chosen = false;               // on the screen
  std::vector<std::string> choices;  // empty: it is typed
  std::int64_t least = 0, most = 0;  // of a number
};

// Of a view of a value, drawn as that kind: what is asked for most stands first.
std::vector<FigureOption> options_of(const View& view, const Value& value, const std::string& kind);
// The kind that a view shows; empty where the value has no figure.
std::string kind_of(const View& view, const Value& value);

}  // namespace tessera::studio
