// SPDX-License-Identifier: BSD-3-Clause
// What the inspector says about a value: names and facts, in the words of CuTe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera::studio {

struct Fact {
  std::string name, value;
};

std::vector<Fact> facts_of(const Value& value);
// Of `now` those that `was` has otherwise, or not at all: "35 → 38".
std::vector<Fact> differing_facts(const Value& was, const Value& now);

// What a figure's expression says of a parameter; empty where it says nothing.
std::string said_in(const Value& value, std::string_view name);

}  // namespace tessera::studio
