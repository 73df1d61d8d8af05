// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/quiz/quiz.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/sha256.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/page/markdown.hpp"
#include "core/lesson/page/page.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera::lesson {
namespace {

Result<QuizQuestion> quiz_question(const OpenLesson& opened, std::size_t part, std::uint64_t seeds) {
  const Ask& ask = std::get<Ask>(opened.lesson().parts.at(part));
  const Scope above = opened.above(part);
  TESSERA_TRY(data, question_data(opened, part, seeds));
  QuizQuestion made;
  made.id = ask.id;
  made.hash = hash_of(ask);
  made.has_condition = !ask.accept.empty();
  const Json* const all = data.find("seeds");
  std::set<std::string> known;
  for (const Json& each : *all->list()) {
    TESSERA_TRY(question, question_of(ask, above, each.find("seed")->whole<std::uint64_t>().value_or(0)));
    made.kind = question.expected.kind;
    if (!known.insert(asked_by(question)).second) continue;
    std::vector<std::string> hints;
    const Scope scope = with_names(question.names, above);
    for (const Wrong& wrong : ask.wrong) {
      TESSERA_TRY(hint, filled_line(wrong.hint, scope));
      hints.push_back(std::move(hint));
    }
    made.variants.push_back({std::move(question), std::move(hints), each});
  }
  if (*data.find("graded")->truth()) return made;
  made.skipped = has_lines(made.kind) ? "its answer is lines of a document"
                 : made.has_condition ? "it has many right answers, by a condition"
                                      : "its layouts are too large to be compared by a table";
  return made;
}

}  // namespace

Result<std::vector<QuizQuestion>> quiz_questions(const OpenLesson& opened, std::uint64_t seeds) {
  std::vector<QuizQuestion> made;
  for (std::size_t i = 0; i < opened.lesson().parts.size(); ++i) {
    if (!std::holds_alternative<Ask>(opened.lesson().parts[i])) continue;
    Result<QuizQuestion> question = quiz_question(opened, i, seeds);
    if (!question) return placed(std::move(question).error(), opened.lesson().text);
    made.push_back(*std::move(question));
  }
  return made;
}

std::string words_html(std::string_view text) {
  std::string made;
  bool in_code = false;
  while (!text.empty()) {
    const std::size_t tick = text.find('`');
    made += escaped(text.substr(0, tick));
    if (tick == std::string_view::npos) break;
    made += in_code ? "</code>" : "<code>";
    in_code = !in_code;
    text.remove_prefix(tick + 1);
  }
  return in_code ? made + "</code>" : made;
}

std::string uuid_of(std::string_view text) {
  std::string digits = sha256_hex(text).substr(0, 32);
  digits[12] = '8';
  digits[16] = "89ab"[(digits[16] < 'a' ? digits[16] - '0' : digits[16] - 'a' + 10) & 3];
  return fmt::format("{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4), digits.substr(16, 4),
                     digits.substr(20));
}

}  // namespace tessera::lesson
