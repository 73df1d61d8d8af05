// SPDX-License-Identifier: BSD-3-Clause
// A document after a small change, at the price of the change: the same as reading and evaluating all of it, or nothing where that is not
// certain. A keystroke in one of ten thousand bindings must not read and evaluate the other ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/lang/document/document.hpp"

namespace tessera {

// The document with another expression in one of its `let` lines. Law: it is parse_document of the changed text. Nothing where the
// change could reach beyond its line: in what may be C++ or Python, beside lines that could not be read, with quotes, comments, several
// lines or open brackets.
std::optional<Document> with_expression(const Document& document, std::size_t binding, std::string_view expression);

// A value that is another one now, and of a parameter its range.
struct ChangedValue {
  std::size_t binding = 0;
  Result<Value> value;
  std::optional<ParameterRange> range;
};

// `values` are those of `before`; gives those that are others in `now`. Law: with them they are evaluate(now), budgets aside. Nothing where
// that is not certain: a name is bound twice or assigned, a line is added, a changed value is used by a pasted line, needs a likely
// value, has a warning or is refused. Evaluated again are the bindings whose text has changed, and those in which the names of such stand.
std::optional<std::vector<ChangedValue>> changed_values(const Document& before, const Document& now,
                                                        const std::vector<EvaluatedBinding>& values);

}  // namespace tessera
