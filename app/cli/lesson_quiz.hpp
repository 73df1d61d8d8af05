// SPDX-License-Identifier: BSD-3-Clause
// The questions of a lesson written for the quizzes of other programs.
#pragma once

#include <string>

#include "app/session/files/program.hpp"

namespace tessera {

struct QuizArguments {
  std::string file, to, out;  // `to` is prairielearn or qti
  int seeds = 0;
  bool force = false;
};

Exit export_quiz(const QuizArguments& arguments);

}  // namespace tessera
