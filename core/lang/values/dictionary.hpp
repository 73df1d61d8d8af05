// SPDX-License-Identifier: BSD-3-Clause
// Python's dictionaries and sets: {half_t: 16, float: 32} and {half_t, float}. Both are objects of a program that answer by their methods;
// nothing changes them: a statement that would takes the value away.
#pragma once

#include <utility>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

// Of keys that are equal the last value counts, at the first one's place.
Value dictionary_value(std::vector<std::pair<Value, Value>> items);
// Each element once, in the order in which it was written first.
Value set_value(std::vector<Value> elements);

}  // namespace tessera
