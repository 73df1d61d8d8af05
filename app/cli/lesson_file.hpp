// SPDX-License-Identifier: BSD-3-Clause
// The lessons that the subcommands of `tessera lesson` read, and how they show a question.
#pragma once

#include <cstdint>
#include <string>

#include "app/session/files/options.hpp"
#include "core/base/json.hpp"
#include "core/base/result.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"

namespace tessera {

Subcommand lesson_run_subcommand();
Subcommand lesson_export_subcommand();

// A file, or the name of a lesson that comes with the program: 06_tv. A refusal begins with the path.
Result<lesson::OpenLesson> open_lesson(const std::string& file);

// A question of it, with its draws made.
struct AskedQuestion {
  lesson::OpenLesson lesson;
  std::size_t part = 0;
  lesson::Question question;

  const lesson::Ask& ask() const;
  Scope above() const { return lesson.above(part); }
};
Result<AskedQuestion> asked(const std::string& file, const std::string& id, std::uint64_t seed);

// The prompt, its options behind letters, and what is given.
std::string question_text(const lesson::Question& question);
// "Right.", or where the answer parts first and what it says of it.
std::string grade_text(const lesson::Grade& grade);
Json grade_json(const lesson::Grade& grade);

}  // namespace tessera
