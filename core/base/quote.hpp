// SPDX-License-Identifier: BSD-3-Clause
// A place in a text, quoted so that carets can stand below it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace tessera {

// The line of `source` around a place, as printable text (utf8.hpp), and where the carets below it stand.
struct Quotation {
  std::size_t line = 0;                // counted from 1
  std::string shown;                   // cut to the neighbourhood of the place
  std::size_t indent = 0, carets = 1;  // columns
};
Quotation quote(std::string_view source, SourceSpan span, std::size_t widest = 100);  // bytes

}  // namespace tessera
