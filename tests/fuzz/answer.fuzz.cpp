// SPDX-License-Identifier: BSD-3-Clause
// Bytes as an answer to a question of each kind: it is graded, what was understood of it is graded alike, and words are UTF-8.
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {
namespace {

constexpr std::string_view kKinds =
    "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n"
    "```ask a\nkind: integer\nprompt: ?\nanswer: 26\n```\n"
    "```ask b\nkind: integers\nprompt: ?\nanswer: (22,26,24)\n```\n"
    "```ask c\nkind: coordinate of (4,(2,4))\nprompt: ?\nanswer: (2,(1,3))\n```\n"
    "```ask d\nkind: thread and value\nprompt: ?\nanswer: (4,3)\n```\n"
    "```ask e\nkind: layout on (thread, value)\nprompt: ?\nanswer: ((2,4),4):((16,1),4)\n```\n"
    "```ask f\nkind: cells of (4,8)\nprompt: ?\nanswer: ((0,1),(2,3))\n```\n"
    "```ask g\nkind: order\noptions: x | y | z\nprompt: ?\nanswer: (2,1,3)\n```\n"
    "```ask h\nkind: choice\noptions: x | y | z\nprompt: ?\nanswer: 2\n```\n"
    "```ask i\nkind: binding A\nprompt: ?\nanswer: (4,8):(8,1)\naccept: is_compact(it)\n```\n";

}  // namespace

std::string broken_answer(std::string_view bytes) {
  const Budget budget;
  static const Result<lesson::OpenLesson> opened = lesson::OpenLesson::open(kKinds);
  if (!opened) return opened.error().message;
  for (std::size_t i = 0; i < opened->lesson().parts.size(); ++i) {
    const auto* ask = std::get_if<lesson::Ask>(&opened->lesson().parts[i]);
    if (!ask) continue;
    const Result<lesson::Question> question = lesson::question_of(*ask, opened->above(i), 0);
    if (!question) return question.error().message;
    const Result<lesson::Grade> grade = lesson::grade(*ask, *question, opened->above(i), bytes);
    if (!grade) return "a grade is refused: " + grade.error().message;
    if (!is_utf8(grade->difference)) return "a grade is not UTF-8";
    if (grade->right && !lesson::grade(*ask, *question, opened->above(i), grade->understood)->right)
      return "what was understood of a right answer is not right: " + grade->understood;
  }
  return "";
}

}  // namespace tessera::fuzz
