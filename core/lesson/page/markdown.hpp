// SPDX-License-Identifier: BSD-3-Clause
// Words of a lesson as HTML. A lesson is foreign: no HTML of its own, no address and no picture of another place gets into the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace tessera::lesson {

// Stands in Markdown where value number `i` will be, and is no sign of Markdown: a value such as (4,8):(8,1) or _4 is never read as such.
std::string value_mark(std::size_t i);
// Without the signs that marks are made of.
std::string without_marks(std::string_view text);

// Paragraphs, headings, lists, tables, code. A link is its words, and behind them in brackets where it leads; a picture is its words.
// Refused where the program was built without md4c.
Result<std::string> markdown_html(std::string_view markdown, const std::vector<std::string>& values = {});

// & < > " ' for text and attributes.
std::string escaped(std::string_view text);

}  // namespace tessera::lesson
