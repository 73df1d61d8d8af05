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

// A text with a comma, a quote or a line's end stands in quotes (RFC 4180). A program of tables would run one that begins with one of =+-@
// and is no number, or with a control byte: a ' in front makes it text.
std::string csv_field(std::string_view text);
// The text of such a field without the quotes that a reader of CSV takes off already.
std::string_view text_of_csv_field(std::string_view field);

// A bar would end the cell.
std::string markdown_cell(std::string_view text);

}  // namespace tessera
