// SPDX-License-Identifier: BSD-3-Clause
// Bytes as what a student hands in, a worklog and a document: it is graded within its points, the same again, and remarks are UTF-8.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/rubric/submission.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

constexpr std::string_view kRubric =
    "lesson: l\n a: 2 points, 2 seeds, hint 1/2\n b: 1 point\ndocument:\n let spare = (6,10):(12,1)\n A: 2 points\n same as: spare\n"
    " sA: 3 points\n accept: size(it) == 64 and is_injective(it)\n accept 1/2: rank(it) == 2\n";
constexpr std::string_view kLesson =
    "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```ask a\nkind: integer\ndraw: n in 1..9\nprompt: {{n}}?\nanswer: n\n"
    "wrong: n + 10 -> Less.\n```\n```ask b\nkind: binding A\nprompt: ?\nanswer: (4,8):(8,1)\naccept: is_compact(it)\n```\n";
constexpr std::size_t kLongestRemark = 1024;  // bytes

}  // namespace

std::string broken_submission(std::string_view bytes) {
  static const Result<lesson::OpenRubric> rubric =
      lesson::OpenRubric::open(kRubric, [](const std::string&) { return lesson::OpenLesson::open(kLesson); });
  if (!rubric) return rubric.error().message;
  const std::string text(bytes);
  const lesson::Submission submission{"alice", {{"alice.jsonl", text}}, {{"alice.tess", text}}, {}};
  std::vector<lesson::GradedSubmission> graded{lesson::grade_submission(*rubric, submission),
                                               lesson::grade_submission(*rubric, submission)};
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < graded[0].items.size(); ++i) {
    const std::int64_t points = graded[0].items[i].points;
    if (points < 0 || points > rubric->rubric().items[i].points) return "more points are given than there are";
    if (points != graded[1].items[i].points) return "the same submission is graded differently";
    sum += points;
  }
  if (sum != graded[0].points) return "the sum is another one";
  lesson::remark_copies(graded);
  for (const std::string& each : graded[0].remarks) {
    if (!is_utf8(each)) return "a remark is not UTF-8";
    if (each.size() > kLongestRemark) return "a remark is too long";
  }
  return "";
}

}  // namespace tessera::fuzz
