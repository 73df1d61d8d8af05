// SPDX-License-Identifier: BSD-3-Clause
// What the inspector says about a value: names and facts, in the words of CuTe.
#pragma once

#include <string>
#include <vector>

#include "core/lang/value.hpp"

namespace tessera::studio {

struct Fact {
  std::string name, value;
};

std::vector<Fact> facts_of(const Value& value);

}  // namespace tessera::studio
