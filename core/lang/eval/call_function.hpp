// SPDX-License-Identifier: BSD-3-Clause
// Functions of the user: they are made from their text, and called.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/values/scope.hpp"
#include "core/lang/values/user_function.hpp"

namespace tessera {

constexpr int kDeepestCall = 64;

// Refuses names that cannot be parameters, an expression that cannot be read, and one that uses the function itself.
Result<Value> make_function(std::string name, std::vector<std::string> parameters, std::string_view expression, const Scope& scope);
// Arguments in the order of the parameters; `names` are empty where an argument was given by position.
Result<std::vector<Value>> placed_arguments(const UserFunction& function, std::span<const std::string_view> names,
                                            std::vector<Value> values);
// The number of arguments is the number of parameters. Each call counts in the request's budget.
Result<Value> call_function(const UserFunction& function, std::span<const Value> arguments, std::vector<Error>* warnings);

}  // namespace tessera
