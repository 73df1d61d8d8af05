// SPDX-License-Identifier: BSD-3-Clause
// Bytes as a lesson: it is refused in UTF-8, or each piece stands where it says, and what is wrong with it is told.
#include <string>
#include <string_view>
#include <variant>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/check.hpp"
#include "core/lesson/opened.hpp"
#include "tests/fuzz/targets.hpp"

namespace tessera::fuzz {

std::string broken_lesson(std::string_view bytes) {
  const Budget budget;
  const Result<lesson::OpenLesson> opened = lesson::OpenLesson::open(bytes);
  if (!opened) return is_utf8(describe(opened.error())) ? "" : "a lesson's refusal is not UTF-8";
  for (const lesson::Part& part : opened->lesson().parts) {
    const auto* ask = std::get_if<lesson::Ask>(&part);
    if (ask && bytes.substr(ask->answer.at, ask->answer.text.size()) != ask->answer.text) return "a piece does not stand where it says";
  }
  const lesson::CheckedLesson checked = lesson::check(*opened, 2);
  for (const Error& each : checked.problems) {
    if (!is_utf8(describe(each))) return "a problem is not UTF-8";
  }
  return checked.problems.size() <= checked.problem_count ? "" : "more problems are told than there are";
}

}  // namespace tessera::fuzz
