// SPDX-License-Identifier: BSD-3-Clause
// Fields of tables as text: how wide they are on a screen, and how CSV and Markdown hold them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tessera {

// Characters of UTF-8 text.
inline std::size_t screen_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// A text with a comma, a quote or a line's end stands in quotes (RFC 4180).
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string made = "\"";
  for (const char c : text) made += c == '"' ? std::string("\"\"") : std::string(1, c);
  return made + "\"";
}

// A bar would end the cell.
inline std::string markdown_cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

}  // namespace tessera
