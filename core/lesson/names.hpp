// SPDX-License-Identifier: BSD-3-Clause
// Names of a lesson, values of its pieces, and words with numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

// Names with their values, the last ones first; a name is there once.
using Names = std::vector<std::pair<std::string, Value>>;

// These names, and behind them another scope. Both have to outlive it.
Scope with_names(const Names& names, const Scope& behind);

// The value of a piece that is one expression; a refusal has its place in the lesson.
Result<Value> value_of(const Written& piece, const Scope& scope);
// The same of a condition. `why`: where it does not hold, the word of the predicate that says so; empty: none does.
Result<bool> condition(const Written& piece, const Scope& scope, std::string* why = nullptr);

// The text with {{expression}} as its value; text is text, without quotes. `counted`: how many there were is added.
Result<std::string> filled(const Written& piece, const Scope& scope, std::size_t* counted = nullptr);
// The same on one line: what was written over several lines of a question.
Result<std::string> filled_line(const Written& piece, const Scope& scope, std::size_t* counted = nullptr);

// Numbers that were typed into words: digits at the beginning of a word, outside of {{}}, code and links; 0 and 1 alone are words. By their
// places in the lesson.
std::vector<std::size_t> typed_numbers(const Written& words);

// Parts of a text between a separator that stands outside of brackets, {{}} and quotes; with their places.
std::vector<Written> parts_between(const Written& piece, char separator);

}  // namespace tessera::lesson
