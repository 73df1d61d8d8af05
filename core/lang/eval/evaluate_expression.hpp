// SPDX-License-Identifier: BSD-3-Clause
// One expression -> Value. The language is CuTe's notation: nested shape:stride, tilers, Sw<B,M,S> o offset o L, calls by CuTe's names.
// What a program says and what a tool printed is read above this folder (programs/evaluate.hpp).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/lang/values/scope.hpp"

namespace tessera {

// One expression and nothing else: no statements, no print of a tool. Within the caller's budget. Errors carry a span into `text`.
// Divides, products and compositions with swizzles give CuTe's layout, since that is the one in a kernel; where it breaks its own law,
// `warnings` gets the refusal that says so, with the coordinate.
Result<Value> evaluate_expression(std::string_view text, const Scope& scope, std::vector<Error>* warnings);

// Of an expression that was evaluated to `value`, whose language nothing says: what else it is in C++ or in Python. `-7 % 3` is 2 in our
// notation and in Python, and -1 in C++. Nothing where they agree, or where the text or the caller (DialectScope) says the language. Of a
// statement that no `;` ends, which C++ does not have, only what Python makes of it.
std::optional<Error> remark_other_languages(std::string_view text, const Scope& scope, const Value& value, bool may_be_cpp = true);

// The integers of an expression whose language nothing says, where C++ and Python agree: `(8)` is 8, and no tuple of one.
std::optional<Value> as_both_languages(std::string_view text, const Scope& scope);

}  // namespace tessera
