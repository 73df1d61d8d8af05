// SPDX-License-Identifier: BSD-3-Clause
// LessonReading: a lesson as it is shown: its screens with their words, figures, sliders and questions, all evaluated once. Nobody changes
// it afterwards, so that any thread may grade by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/lesson/lesson_words.hpp"
#include "core/base/result.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/opened.hpp"

namespace tessera {

// Lines of definitions, as they are written.
struct LessonLines {
  std::string text;
};

struct LessonPicture {
  std::string expression;
  std::string made_of;  // its value as text
  Value value;          // that is drawn
};

// A figure with a parameter, and what is asked of it.
struct LessonSlider {
  std::int64_t number = 0;  // among the lesson's sliders, from 1: so the worklog names it
  std::string hash;         // of what is asked
  std::string name;
  std::vector<std::string> values;   // at least one
  std::size_t first = 0;             // that is shown first
  std::vector<bool> holds;           // for which of them what is asked is true; empty: nothing is asked
  std::vector<std::string> prompts;  // one for each value; empty where there is no prompt
  std::vector<LessonPicture> pictures;
};

struct LessonQuestion {
  std::string id, hash;
  bool gates = true;   // what follows waits for an answer
  bool varies = true;  // another seed asks another question
};

// A GEMM to be run.
struct LessonGemm {
  std::string shown;       // as it is written
  std::string expression;  // the same without names of the lesson; empty where it is a plan, which the live page does not show
};

struct LessonPiece {
  std::size_t part = 0;   // of the lesson
  std::size_t gates = 0;  // it waits for so many questions
  std::variant<std::vector<WordBlock>, LessonLines, LessonPicture, LessonSlider, LessonQuestion, LessonGemm> content;
};

struct LessonScreen {
  std::string title;
  std::vector<LessonPiece> pieces;
};

struct LessonReading {
  lesson::OpenLesson opened;
  std::vector<LessonScreen> screens;  // at least one
  std::vector<std::string> gates;     // ids of the questions that what follows waits for, in their order
  std::size_t questions = 0;

  const lesson::Head& head() const { return opened.lesson().head; }
  const lesson::Ask& ask(std::size_t part) const { return std::get<lesson::Ask>(opened.lesson().parts.at(part)); }
};

// Refused, with line and column in front, is what is no lesson, and an expression that has no value.
Result<std::shared_ptr<const LessonReading>> read_lesson_screens(std::string_view text);

// The lessons that come with the program, in their order: "06_tv" and its title. None where they are not found.
struct LessonName {
  std::string name, title;
};
std::vector<LessonName> own_lessons();
// The file of a lesson: a path, or the name of one that comes with the program. Refused, with the names that there are, is any other.
Result<std::string> lesson_file(const std::string& name);

}  // namespace tessera
