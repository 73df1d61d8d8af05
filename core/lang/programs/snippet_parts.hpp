// SPDX-License-Identifier: BSD-3-Clause
// What the evaluator of snippets asks of single statements and answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/programs/snippet.hpp"

namespace tessera {

// A text that is being evaluated on this thread, perhaps within an expression of another.
class NestedText {
 public:
  NestedText() { ++count_; }
  ~NestedText() { --count_; }
  NestedText(const NestedText&) = delete;
  NestedText& operator=(const NestedText&) = delete;
  static int count() { return count_; }

 private:
  static thread_local constinit int count_;
};

// An object's size in memory, and its alignment: both in bytes.
struct ByteExtent {
  std::int64_t bytes = 0, align = 1;
};

// About the bytes that an answer keeps.
std::int64_t kept_bytes(const StatementAnswer& answer);
// A warning for each of the language's own names that a statement takes: size(x) is then no call of the function any more.
std::vector<Error> hidden_names(std::string_view text, const Statement& statement);
// Is x[0] = 5 another x? A tuple is; a tensor's layout and a pointer stay what they are.
bool changes_with_elements(const Value& value);
// The same of the object that several names may be of: Python's numbers, words and atoms are never changed.
bool changes_in_place(const Value& value, Dialect dialect);
// "static constexpr Layout" -> "Layout"
std::string without_specifiers(std::string type);

}  // namespace tessera
