// SPDX-License-Identifier: BSD-3-Clause
// Numbers and strings as text of the expression language, which reads as the same value again.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

// 2 -> "2.0", 0.1 -> "0.1": the shortest text that reads as the same double, and never as an integer.
std::string real_literal(double value);
// say "hi" -> "say \"hi\"": within quotes, with what would end them escaped, and what cannot be shown: \n, \x1b, \u{202e} (utf8.hpp).
std::string quoted_literal(std::string_view text);
// The string that a text in single or double quotes stands for. A backslash that begins no escape gives the sign behind it.
std::string text_of_literal(std::string_view quoted);

}  // namespace tessera
