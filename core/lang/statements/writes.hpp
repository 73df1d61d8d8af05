// SPDX-License-Identifier: BSD-3-Clause
// Writes inside of an expression of C++: what `b = a++ + 1` does to a. Where the order and the number of writes are certain they are
// followed; otherwise the name has no value from there on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace tessera {

struct Write {
  enum class Kind {
    before,    // ++a: the name changes, then the expression is evaluated without the sign
    behind,    // a++: the other way round
    uncertain  // in a part that may not be evaluated, beside another use of the name, or of what is no name
  };
  Kind kind = Kind::uncertain;
  std::string name;
  std::string sign;  // "++", "--"; empty: an assignment
  SourceSpan span;   // of the sign
};

// In the order in which they stand. `span` lies in `text`, which is C++.
std::vector<Write> writes_in(std::string_view text, SourceSpan span);

// The names whose address is taken: &a, but not a & b.
std::vector<std::string> addressed_in(std::string_view text, SourceSpan span);

}  // namespace tessera
