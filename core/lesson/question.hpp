// SPDX-License-Identifier: BSD-3-Clause
// A question with its draws made, and the grade of an answer to it.
//
// An answer is a value, compared as its kind says (kinds.hpp), or held to the question's condition on `it`. What a person writes is
// evaluated alone, within limits of its own, and reaches the question as that value and nothing else: no name that it defines does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/names.hpp"

namespace tessera::lesson {

constexpr std::uint64_t kMostAttempts = 64;  // draws of one seed, until its wrong answers are wrong and differ from each other

struct Question {
  std::uint64_t seed = 0;
  std::uint64_t drawn_again = 0;  // how often
  std::string prompt;             // with its numbers, on one line
  std::vector<std::string> options;
  std::string given;  // of a binding: what the person begins with
  Expected expected;
  Names names;  // what was drawn and let
  Value wanted;
  std::vector<Value> wrong;  // one each of the question's wrong answers
  std::size_t numbers = 0;   // how many {{}} were evaluated
};

// `above` has the lesson's names that stand above the question. Draws are made again where the condition `where` does not hold, a wrong
// answer is right, or two wrong answers are the same. Refused, with its place in the lesson: an expression that has no value, an answer
// that its own condition does not accept, and draws of which kMostAttempts are of no use.
Result<Question> question_of(const Ask& ask, const Scope& above, std::uint64_t seed);

// What a student would see of it, and what is right: two seeds that ask the same have the same text.
std::string asked_by(const Question& question);

// An answer of this question in words that fit a line: of a plan the lines that were put into the given one.
std::string told_answer(const Question& question, const Value& value);

struct Grade {
  bool right = false;
  bool read = true;            // false: the answer could not be read, and `difference` says why
  std::string difference;      // where it parts from the right answer first, as printable text; empty where it is right
  std::string hint;            // of the wrong answer that it is; empty: of none
  std::size_t wrong = 0;       // which one, from 1; 0: none
  std::int64_t confusion = 0;  // whose number that wrong answer has; 0: none
  std::string understood;      // the answer as it was read
};

// Refused is only what is wrong with the question itself; an answer that cannot be read, is too long or takes too long is not right.
Result<Grade> grade(const Ask& ask, const Question& question, const Scope& above, std::string_view answer);

}  // namespace tessera::lesson
