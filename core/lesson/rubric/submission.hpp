// SPDX-License-Identifier: BSD-3-Clause
// What a student has handed in, graded by a rubric.
//
// Everything in it is foreign. Worklogs are graded again from seed and answer, a document is evaluated in names of its own, and only the
// values of its bindings meet the rubric's conditions: nothing that a student defines is seen there. What cannot be read, is too large or
// takes too long costs that line or that document, and a remark says so.
//
// One seed of a question counts by its first, last or best answer, as the rubric says; what is answered after the answer was shown is not
// right. Of the seeds the best ones count, so many as the rubric wants, and seeds that ask the same count once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/result.hpp"
#include "core/lesson/rubric/rubric.hpp"

namespace tessera::lesson {

constexpr std::size_t kMostAnswers = 2000;                               // lines of one student's worklogs that are graded
constexpr std::size_t kMostStopped = 8;                                  // of them that may meet a limit, before the rest is left
constexpr std::size_t kLargestSubmittedLog = std::size_t{16} << 20;      // bytes
constexpr std::size_t kLargestSubmittedDocument = std::size_t{1} << 20;  // bytes
constexpr Limits kDocumentLimits{10, std::int64_t{1} << 28, std::int64_t{1} << 24};  // of one document

// A file of a student; or why it could not be read.
struct SubmittedFile {
  std::string name;  // for remarks
  Result<std::string> text;
};

struct Submission {
  std::string student;
  std::vector<SubmittedFile> logs, documents;
  std::vector<std::string> remarks;  // on what is in the folder and is neither
};

struct ItemScore {
  std::int64_t points = 0;  // hundredths
  std::string words;        // "3 of 4 seeds right", "sA: 4 elements; 8 are wanted"
};

struct GradedSubmission {
  std::string student;
  std::vector<ItemScore> items;  // one each of the rubric's
  std::int64_t points = 0;       // hundredths
  std::vector<std::string> remarks;

  // For remark_copies: every answer in its order with question and seed, and the text of the documents. Empty: none.
  std::string answers, documents;
  std::size_t answer_count = 0, wrong_count = 0;
};

GradedSubmission grade_submission(const OpenRubric& rubric, const Submission& submission);

// Adds a remark where two students have the same seeds and the same answers in the same order, or the same document, byte for byte. It says
// what is the same, and judges nothing.
void remark_copies(std::vector<GradedSubmission>& graded);

}  // namespace tessera::lesson
