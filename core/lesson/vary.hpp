// SPDX-License-Identifier: BSD-3-Clause
// A figure with a parameter: which values it takes, and what the lesson asks about them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/question.hpp"

namespace tessera::lesson {

struct VaryValues {
  std::string name;
  std::vector<Value> values;
  std::size_t first = 0;    // which one is shown first
  std::vector<bool> holds;  // one each, where the vary has a truth
};

// "s = 4 in (1,2,4)" or "s in 0..8". Refused where a value is missing, is no number of the range, or the truth is no condition.
Result<VaryValues> values_of(const Vary& vary, const Scope& above);

// For which values the truth holds, as a person writes it: "2, 6", "(1,0), (0,1)", "none".
std::string written_values(const VaryValues& values);
// Such an answer against the truth. An answer with a value that is none of them cannot be read.
Grade grade(const VaryValues& values, std::string_view answer);

}  // namespace tessera::lesson
