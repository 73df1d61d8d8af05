// SPDX-License-Identifier: BSD-3-Clause
// The whole numbers that stand in an expression, to be moved by hand: extents, strides, bits of swizzles, threads, stages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace tessera {

struct NumberInText {
  SourceSpan span;  // its digits
  std::int64_t value = 0;
};
// In the order of the text; none of those inside of names, texts and comments. Empty where the text has no tokens.
std::vector<NumberInText> numbers_in(std::string_view expression);

// The expression with another number in the place of one of them; comments and blanks stay.
std::string with_number(std::string_view expression, const NumberInText& number, std::int64_t value);

}  // namespace tessera
