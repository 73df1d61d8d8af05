// SPDX-License-Identifier: BSD-3-Clause
// A figure with a parameter: which values it takes, and what the lesson asks about them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

struct VaryValues {
  std::string name;
  std::vector<Value> values;
  std::size_t first = 0;    // which one is shown first
  std::vector<bool> holds;  // one each, where the vary has a truth
};

// "s = 4 in (1,2,4)" or "s in 0..8". Refused where a value is missing, is no number of the range, or the truth is no condition.
Result<VaryValues> values_of(const Vary& vary, const Scope& above);

}  // namespace tessera::lesson
