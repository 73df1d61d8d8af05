// SPDX-License-Identifier: BSD-3-Clause
// Questions of a lesson for the quizzes of other programs: each with its seeds as variants, whose answers and hints are values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/result.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"

namespace tessera::lesson {

constexpr std::uint64_t kSeedsOfAQuiz = 20;
constexpr std::uint64_t kMostSeedsOfAQuiz = 1000;

// One draw of a question.
struct QuizVariant {
  Question question;
  std::vector<std::string> hints;  // one each of the wrong answers
  Json data;                       // as a page grades by it: core/lesson/page/page.hpp
};

struct QuizQuestion {
  std::string id, hash;
  Kind kind = Kind::integer;
  std::vector<QuizVariant> variants;  // seeds that ask the same are there once
  bool has_condition = false;         // many answers are right
  std::string skipped;                // why no table of answers can grade it; empty: one can
};

// The questions of a lesson, each with so many seeds.
Result<std::vector<QuizQuestion>> quiz_questions(const OpenLesson& opened, std::uint64_t seeds);

// What a quiz is written as.
struct QuizFile {
  std::string path, bytes;  // the path has '/' between names
};
struct Quiz {
  std::vector<QuizFile> files;
  std::size_t questions = 0, variants = 0;
  std::vector<std::string> notes;  // what is not in it and why, and what is asked in another form
};

// Text as HTML: escaped, and `words` between backticks are code.
std::string words_html(std::string_view text);

// For text that a program of spreadsheets or quizzes sorts by: 16 bytes of a hash as 8-4-4-4-12 digits, version 8 (RFC 9562).
std::string uuid_of(std::string_view text);

// A folder a question: info.json, question.html and server.py, in which variants, reading and grading are.
Result<Quiz> prairielearn_quiz(const OpenLesson& opened, std::uint64_t seeds);

// A Common Cartridge 1.1 with questions of QTI 1.2.1: a bank of variants a question, and a quiz that draws one of each. `name` is the
// lesson's, as a file is called.
Result<Quiz> qti_quiz(const OpenLesson& opened, std::string_view name, std::uint64_t seeds);

// The files as one .zip, not compressed; the same files are the same bytes.
std::string zip_of(const std::vector<QuizFile>& files);

}  // namespace tessera::lesson
