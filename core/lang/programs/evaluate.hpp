// SPDX-License-Identifier: BSD-3-Clause
// Text -> Value, whatever the text is: an expression, what a tool printed, or statements, of which the last value counts.
#pragma once

#include <string_view>
#include <vector>

#include "core/lang/values/scope.hpp"

namespace tessera {

// As evaluate_expression (eval/evaluate_expression.hpp), within a budget of its own where the caller has none.
Result<Value> evaluate(std::string_view text, const Scope& scope = {}, std::vector<Error>* warnings = nullptr);

}  // namespace tessera
