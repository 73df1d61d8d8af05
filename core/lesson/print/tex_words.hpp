// SPDX-License-Identifier: BSD-3-Clause
// Words of a lesson as LaTeX that any of its engines compiles. Whatever a lesson says, it stays text: no sign of it is a command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/words/markdown.hpp"

namespace tessera::lesson {

// What a document needs before \begin{document} for the words below: signs that LaTeX's fonts keep elsewhere, and lines of code.
std::string_view tex_preamble();

std::string tex_text(std::string_view text);
std::string tex_code(std::string_view text);  // in typewriter; a long one may be broken behind commas, colons and brackets
std::string tex_of(const std::vector<TextRun>& runs);
std::string tex_of(const std::vector<Block>& blocks);
// Lines as they are written, each on its own.
std::string tex_lines(std::string_view lines);

}  // namespace tessera::lesson
