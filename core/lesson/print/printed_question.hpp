// SPDX-License-Identifier: BSD-3-Clause
// A question as paper and slides have it: one seed's draws, its answer, and what is said to those who answer otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"

namespace tessera::lesson {

struct PrintedQuestion {
  Question question;
  std::string answer;  // as a person writes it; of an option its letter and its words
  struct Wrong {
    std::string answer, hint;
  };
  std::vector<Wrong> wrong;
  bool has_others = false;  // are other answers right, too?
};

Result<PrintedQuestion> printed_question(const OpenLesson& opened, std::size_t part, std::uint64_t seed);

// "a)": of option number i, from 0.
std::string option_letter(std::size_t i);

}  // namespace tessera::lesson
