// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: text and numbers as TeX reads them. Whatever a text holds, it stays text.
#pragma once

#include <string>
#include <string_view>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// For LaTeX's own fonts, as print_latex's style has them. What is beyond the Latin letters becomes '?'.
std::string latex_text(std::string_view text);

// For our own style: ASCII, Latin letters with accents, Greek letters and the usual signs are right in Computer Modern and in any
// other font that a document chooses; what they have not becomes '?'. `typewriter`: the font has all of ASCII.
void append_tikz_text(std::string& out, std::string_view text, bool typewriter = false);

// A comment is one line of text; what could end it early is replaced.
void append_tikz_comment(std::string& out, std::string_view text);

std::string tikz_number(double value);  // three digits after the point at most
void append_tikz_number(std::string& out, double value);

// What the picture was made of, in comments before all else.
void append_tikz_source(std::string& out, const Scene& scene);

}  // namespace tessera
