// SPDX-License-Identifier: BSD-3-Clause
// Screens of a lesson: what one sees at a time, from a line that begins with "# " to the next, and what of it waits for which answers.
#pragma once

#include <cstddef>
#include <vector>

#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

struct ScreenPiece {
  std::size_t part = 0;   // number of the lesson's part
  Written words;          // of prose what belongs to this screen; of other parts empty
  std::size_t gates = 0;  // so many of the lesson's questions with a gate stand above it, and it waits for their answers
};

struct Screen {
  std::vector<ScreenPiece> pieces;
};

// Words parted before each line that begins with "# ", outside of fenced code: what belongs to one screen together.
std::vector<Written> screens_of(const Written& words);

// All parts in their order. What stands above the first "# " is a screen of its own; words that are nothing but blanks are left out.
std::vector<Screen> screens_of(const Lesson& lesson);

}  // namespace tessera::lesson
