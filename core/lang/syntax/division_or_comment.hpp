// SPDX-License-Identifier: BSD-3-Clause
// `//` divides in Python and begins a comment in C++ and in our documents. A text without C++'s marks is read both ways where that is
// possible; evaluate() takes the reading that has a value, the division where both have one, and then says so.
//
//   256 // 8                     divides
//   (4,8):(8,1) // rows          a comment: a stride is not divided
//   auto x = 256; // 8           a comment: C++'s marks
//   // 256 // 8                  a comment: a whole line
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tessera {

// Marks that Python does not have: `;`, `::`, `{}`, `/*`, `auto`, `using`; outside of strings and of # comments.
bool has_cpp_marks(std::string_view text);

// Does what stands on both sides of the `//` at `at` read as operands? To its right, up to the next `//`, no two words may stand side by
// side, as they do in prose.
bool may_divide(std::string_view text, std::size_t at);

// Every `//` that may divide, in order; none in a text with C++'s marks, or where the dialect is C++'s.
std::vector<std::size_t> possible_divisions(std::string_view text);

// The text of a value that is no integer, without a comment behind it: what stands outside of brackets cannot divide such a value.
std::string_view without_trailing_comment(std::string_view text);

}  // namespace tessera
