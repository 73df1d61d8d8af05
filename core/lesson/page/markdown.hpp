// SPDX-License-Identifier: BSD-3-Clause
// Words of a lesson as HTML. A lesson is foreign: no HTML of its own, no address and no picture of another place gets into the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/words/markdown.hpp"

namespace tessera::lesson {

// Paragraphs, headings, lists, tables, code; headings begin at <h2>, for <h1> is the lesson's title.
std::string html_of(const std::vector<Block>& blocks);
// The same of Markdown. Refused where the program was built without md4c.
Result<std::string> markdown_html(std::string_view markdown, const std::vector<std::string>& values = {});

// & < > " ' for text and attributes.
std::string escaped(std::string_view text);

}  // namespace tessera::lesson
