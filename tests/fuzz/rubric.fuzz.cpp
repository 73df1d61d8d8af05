// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a rubric: it is refused in UTF-8, or each condition stands where it says, and its points are no more than they may be.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/opened.hpp"
#include "core/lesson/rubric/rubric.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_rubric(std::string_view bytes) {
  const Budget budget;
  const Result<lesson::OpenRubric> opened = lesson::OpenRubric::open(bytes, [](const std::string&) {
    return lesson::OpenLesson::open(
        "---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```ask a\nkind: integer\ndraw: n in 1..9\nprompt: {{n}}?\nanswer: n\n```\n");
  });
  if (!opened) return is_utf8(describe(opened.error())) ? "" : "a rubric's refusal is not UTF-8";
  const lesson::Rubric& rubric = opened->rubric();
  for (const lesson::RubricItem& item : rubric.items) {
    if (item.points < 0 || item.points > lesson::kMostPoints * lesson::kHundredths) return "a line has more points than it may have";
    if (item.seeds < 1 || item.seeds > lesson::kMostRubricSeeds) return "a question wants no seed, or too many";
    if (item.is_binding && item.all.empty()) return "a binding has no condition";
    for (const lesson::Criterion& each : item.all) {
      if (bytes.substr(each.text.at, each.text.text.size()) != each.text.text) return "a condition does not stand where it says";
    }
  }
  return rubric.items.empty() ? "a rubric gives no points" : "";
}

}  // namespace tessera::fuzz
