// SPDX-License-Identifier: BSD-3-Clause
// A lesson is checked as a whole: every number of its words has a value, every figure is drawn, and every question grades its own right
// and wrong answers as it says, for so many seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/opened.hpp"

namespace tessera::lesson {

constexpr std::size_t kMostToldProblems = 4;  // of one question; the others are counted

struct CheckedAsk {
  std::string id, kind;
  std::uint64_t seeds = 0;         // how many were asked: one of a question that draws nothing
  std::uint64_t different = 0;     // prompts among them
  std::uint64_t right = 0;         // of them, how often its own answer was right
  std::uint64_t hints = 0;         // how often a wrong answer met its own hint
  std::uint64_t wanted_hints = 0;  // wrong answers times seeds
  std::uint64_t drawn_again = 0;   // draws that were not asked: a wrong answer was right, or the same as another one
  std::uint64_t problems = 0;
};

struct CheckedLesson {
  std::size_t numbers = 0;  // {{}} of the words that have a value
  std::size_t figures = 0;  // that were drawn
  std::vector<CheckedAsk> asks;
  std::vector<Error> problems;  // each with line and column in front; of a question the first ones
  std::uint64_t problem_count = 0;
  std::vector<Error> remarks;  // numbers that were typed into words, confusions that the head names and no wrong answer has
};

// `progress` is told which question, and how many seeds of it are done; false ends the check.
CheckedLesson check(const OpenLesson& opened, std::uint64_t seeds, const std::function<bool(const CheckedAsk&)>& progress = {});

}  // namespace tessera::lesson
