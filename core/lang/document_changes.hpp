// SPDX-License-Identifier: BSD-3-Clause
// A document after a small change, at the price of the change: the same as reading and evaluating all of it, or nothing where that is not
// certain. A keystroke in one of ten thousand bindings must not read and evaluate the other ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/lang/document.hpp"

namespace tessera {

// The document with another expression in one of its `let` lines. Law: it is parse_document of the changed text. Nothing where the
// change could reach beyond its line: in what may be C++ or Python, beside lines that could not be read, with quotes, comments, several
// lines or open brackets.
std::optional<Document> with_expression(const Document& document, std::size_t binding, std::string_view expression);

// `values` are those of `before`; afterwards those of `now`. Law: they are evaluate(now), budgets aside. False, and nothing is changed,
// where that is not certain: a name is bound twice or assigned, a line is added, a changed value is used by a pasted line, needs a likely
// value, has a warning or is refused. Evaluated again are the bindings whose text has changed, and those in which the names of such stand.
bool evaluate_changes(const Document& before, const Document& now, std::vector<EvaluatedBinding>& values);

}  // namespace tessera
