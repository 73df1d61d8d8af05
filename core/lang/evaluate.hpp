// SPDX-License-Identifier: BSD-3-Clause
// Text -> Value. The language is CuTe's notation: nested shape:stride, tilers, Sw<B,M,S> o offset o L, calls by CuTe's names.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/lang/value.hpp"

namespace tessera {

// Looks up a binding; null when there is none.
using Scope = std::function<const Value*(std::string_view name)>;

// One expression. Errors carry a span into `text`. Divides, products and compositions with swizzles give CuTe's layout, since that is
// the one in a kernel; where it breaks its own law, `warnings` gets the refusal that says so, with the coordinate.
Result<Value> evaluate(std::string_view text, const Scope& scope = {}, std::vector<Error>* warnings = nullptr);

// The same for one expression and nothing else: no statements, no print of a tool. Within the caller's budget.
Result<Value> evaluate_expression(std::string_view text, const Scope& scope, std::vector<Error>* warnings);

// The table of functions: one row each. `arity` is printed in help and checked on calls.
struct BuiltinHelp {
  std::string_view name;
  std::string_view signature;  // "composition(a, b)"
  std::string_view help;       // one line
};
std::span<const BuiltinHelp> builtins();

// Stated bounds; a refusal names the one that was met.
constexpr int kDeepestNesting = 256;
constexpr std::size_t kLongestText = 1 << 20;  // bytes of one expression

}  // namespace tessera
