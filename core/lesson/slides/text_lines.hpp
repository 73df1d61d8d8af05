// SPDX-License-Identifier: BSD-3-Clause
// Runs of words broken into lines of a width, at places that a slide then moves.
#pragma once

#include <string_view>
#include <vector>

#include "core/lesson/words/markdown.hpp"
#include "core/render/shared/paper.hpp"

namespace tessera::lesson {

struct TextStyle {
  double size = 0;  // points
  Rgb color;
  bool bold = false, mono = false;  // all of it; code is mono in any case
  double pitch = 1.36;              // of lines, in type sizes
};

struct TextLine {
  std::vector<PaperText> texts;  // from the line's left end and its top
  double height = 0, width = 0;
};

// A word that is wider than a line is broken behind a comma or a colon, else anywhere. Later lines begin `hang` points further right.
std::vector<TextLine> text_lines(const std::vector<TextRun>& runs, const TextStyle& style, double width, double hang = 0);
// Each line of a text as it is written, with its blanks.
std::vector<TextLine> code_lines(std::string_view text, const TextStyle& style, double width);
// How wide a text is in this style, in points.
double width_of(std::string_view text, const TextStyle& style);
double width_of(const PaperText& text);

}  // namespace tessera::lesson
