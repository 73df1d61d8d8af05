// SPDX-License-Identifier: BSD-3-Clause
#include "core/base/literal.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tessera {

std::string real_literal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string quoted_literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

}  // namespace tessera
