// SPDX-License-Identifier: BSD-3-Clause
// The text of a lesson is read: its head, its words and its fences (lesson.hpp shows them). Nothing is evaluated here.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

constexpr std::size_t kLargestLesson = std::size_t{1} << 20;  // bytes
constexpr std::size_t kMostParts = 4096;

// Refusals name line and column. Refused are a head without number, title, goal or minutes; a fence that nothing closes, or whose word
// is not known; a question without kind, prompt or answer, with a key that no question has, or with the name of another one.
// A fence of another language (cpp, python, text, ...) is words. ~~~ is a fence as ``` is, so that a page can show a lesson in a block.
Result<Lesson> read_lesson(std::string_view text);

}  // namespace tessera::lesson
