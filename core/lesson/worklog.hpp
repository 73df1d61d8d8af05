// SPDX-License-Identifier: BSD-3-Clause
// Worklog: what somebody answered, a line of JSON each, from which every grade can be made again.
//
//   {"lesson":6,"question":"whose","hash":"1f0c...","seed":3,"answer":"T4 V3","right":true}
//   {"lesson":6,"question":"whose","hash":"1f0c...","seed":4,"answer":"","right":false,"given_up":true}
//
// The second one asked to be shown the answer: what is answered to that seed afterwards is no answer of its own.
//
// What was answered at a slider has the slider's number in the lesson, from 1, in place of a question:
//   {"lesson":6,"vary":1,"hash":"93ab...","seed":0,"answer":"2, 4","right":false}
//
// A log is text, and may be edited: what it says is right is graded again. The hash tells that a question is still the one that was asked;
// it keeps no secret.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"

namespace tessera::lesson {

struct WorklogEntry {
  std::int64_t lesson = 0;  // its number
  std::string question, hash;
  std::uint64_t seed = 0;
  std::string answer;
  bool right = false;     // as it was graded then
  bool graded = true;     // false where it says null: a page writes so of an answer that it could not evaluate
  bool given_up = false;  // the answer was shown; `answer` is empty
  std::int64_t vary = 0;  // the number of a vary; 0: the answer is a question's

  std::string asked() const;  // the question's name, or "vary 1"
};

// Of all that the question itself says of what is asked and what is right, as 16 digits; the definitions above it are not in it.
std::string hash_of(const Ask& ask);
std::string hash_of(const Vary& vary);

std::string to_line(const WorklogEntry& entry);  // without a newline
Result<WorklogEntry> entry_of(std::string_view line);

struct Regraded {
  Grade grade;
  std::string remark;  // the question has changed, the log says otherwise; empty: nothing
  std::string asked;   // asked_by the question
};
// Refused where the lesson or the question is another one.
Result<Regraded> graded_again(const OpenLesson& opened, const WorklogEntry& entry);

// The same for many lines: what a seed draws is made once, and so is the grade of an answer that stands there again.
class Regrading {
 public:
  explicit Regrading(const OpenLesson& opened) : opened_(opened) {}
  Result<Regraded> graded(const WorklogEntry& entry);

 private:
  struct Drawn {
    std::size_t part = 0;
    Question question;
    std::map<std::string, Grade, std::less<>> grades;  // by the answer
  };
  Result<Drawn*> drawn(const WorklogEntry& entry);
  // `hash` becomes what the log should have.
  Result<Regraded> graded_at_slider(const WorklogEntry& entry, std::string& hash);
  Result<Regraded> graded_question(const WorklogEntry& entry, std::string& hash);

  const OpenLesson& opened_;
  std::map<std::pair<std::string, std::uint64_t>, Drawn> drawn_;  // by question and seed
};

}  // namespace tessera::lesson
