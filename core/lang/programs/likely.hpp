// SPDX-License-Identifier: BSD-3-Clause
// What a name that nobody gave a value most likely stands for: a number, a tile, a type, a tensor, a tiled MMA, ... by how CuTe's authors
// name things. A guess is only kept where the statement is evaluated with it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct Likely {
  std::string_view text;  // an expression of the language
  Value value;            // its value
};

// Every kind of value once, those that the name suggests first.
std::vector<const Likely*> likely_values(std::string_view name);
// Only those that the name suggests.
std::vector<const Likely*> suggested_values(std::string_view name);

}  // namespace tessera
