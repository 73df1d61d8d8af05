// SPDX-License-Identifier: BSD-3-Clause
// What surrounds statements where they were copied from: a patch's signs, Markdown's fences, an interpreter's prompts. It is replaced by
// blanks, so that every place in the text stays what it is.
//
//   >>> a = (4, 8)        a = (4, 8)
//   >>> a            ->   a
//   (4, 8)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/statements/statements.hpp"

namespace tessera {

struct PastedText {
  std::string text;                // as long as the one that was pasted
  std::vector<Statement> removed;  // lines that are passed over, in order
};

// Nothing where the text has none of these marks.
std::optional<PastedText> without_marks(std::string_view text);

}  // namespace tessera
