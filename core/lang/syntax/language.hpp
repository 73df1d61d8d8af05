// SPDX-License-Identifier: BSD-3-Clause
// Which language a text is in: by its file's ending where it has one, else by its code. Comments and strings decide nothing.
//
//   # using two warps          a comment: no evidence
//   n = 256 // 8               none either: C++ would have a comment there
//   sA = cute.make_layout(n)   Python: only the DSL's programs have cute.
//   auto sB = make_layout(8);  C++: two words in front of '='
//
// A text that has evidence for both is taken apart: each of its statements at the left margin is in the language that its own evidence
// says, else in that of the statement above.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/lang/syntax/dialect.hpp"

namespace tessera {

// kernel.py, kernel.cuh; nothing where the ending is of no language that is read here.
std::optional<Dialect> dialect_of_file(std::string_view path);

struct LanguagePart {
  std::size_t begin = 0;  // in the text; the part ends where the next one begins
  Dialect dialect = Dialect::ours;
};
// At least one part, the first of which begins at 0.
std::vector<LanguagePart> language_parts(std::string_view text);

}  // namespace tessera
