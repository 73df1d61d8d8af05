// SPDX-License-Identifier: BSD-3-Clause
// let tile(m, n) = make_layout((m, n)), and C++'s template <int M> using Tile = ...: an expression with parameters. It means what its names
// meant where it was written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lang/evaluate.hpp"

namespace tessera {

struct UserFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::string expression;
  std::vector<std::pair<std::string, Value>> captured;  // names of its expression, as they were where it was written
};

constexpr int kDeepestCall = 64;

// Refuses names that cannot be parameters, an expression that cannot be read, and one that uses the function itself.
Result<Value> make_function(std::string name, std::vector<std::string> parameters, std::string_view expression, const Scope& scope);
// Arguments in the order of the parameters; `names` are empty where an argument was given by position.
Result<std::vector<Value>> placed_arguments(const UserFunction& function, std::span<const std::string_view> names,
                                            std::vector<Value> values);
// The number of arguments is the number of parameters. Each call counts in the request's budget.
Result<Value> call_function(const UserFunction& function, std::span<const Value> arguments, std::vector<Error>* warnings);

}  // namespace tessera
