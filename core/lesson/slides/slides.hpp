// SPDX-License-Identifier: BSD-3-Clause
// A lesson as slides: one idea each, and a question stands on a slide of its own before the slides that have its answer and its picture.
// So a person who turns to the next one opens the gate.
//
// Everything has its place here, in points of beamer's slides, 128 x 96 mm or 160 x 90 mm. slides_pdf and slides_html draw the same places;
// a test goes over them: nothing leaves its slide, and nothing lies on something else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/source.hpp"
#include "core/lesson/opened.hpp"
#include "core/render/shared/paper.hpp"

namespace tessera::lesson {

enum class Aspect : std::uint8_t { wide, narrow };  // 16:9, 4:3
Result<Aspect> aspect_of(std::string_view text);    // "4:3"

// Type of slides is no smaller, in points of a slide that is 96 or 90 mm high: about a 65th of its height, as 17 of 1080 pixels are. Labels
// in cells have 4.5. A figure that has no room for that says on its slide what is left out or smaller.
inline constexpr double kLeastSlideType = 4;

struct SlideOptions {
  Aspect aspect = Aspect::wide;
  std::uint64_t seed = 0;
};

struct Slide {
  enum class Kind : std::uint8_t { title, words, question, answer, figure } kind = Kind::words;
  std::string heading;
  std::string question;  // whose slide it is, of questions and answers
  Paper paper;
  std::vector<Source> sources;  // one each of the paper's figures
  std::string remark;           // what cannot be read in its figure at this size; empty: all can be
};

struct Deck {
  double width = 0, height = 0;  // points
  std::string title;
  std::vector<Slide> slides;
};

// A refusal has line and column in front.
Result<Deck> slides_of(const OpenLesson& opened, const SlideOptions& options);

Result<std::string> slides_pdf(const Deck& deck);
Result<std::string> slides_html(const Deck& deck);

}  // namespace tessera::lesson
