// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/worklog.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/lesson/kinds.hpp"

namespace tessera::lesson {
namespace {

constexpr std::size_t kHashDigits = 16;

}  // namespace

std::string hash_of(const Ask& ask) {
  std::string all = ask.id;
  const auto add = [&](std::string_view key, const Written& piece) { all += fmt::format("\n{}: {}", key, piece.text); };
  add("kind", ask.kind);
  for (const Written& each : ask.draw) add("draw", each);
  for (const Written& each : ask.let) add("let", each);
  add("where", ask.where);
  add("prompt", ask.prompt);
  add("options", ask.options);
  add("answer", ask.answer);
  add("accept", ask.accept);
  for (const Wrong& each : ask.wrong) add("wrong", each.expression);  // they decide what is drawn again
  return sha256_hex(all).substr(0, kHashDigits);
}

std::string to_line(const WorklogEntry& entry) {
  return Json::object({{"lesson", entry.lesson},
                       {"question", entry.question},
                       {"hash", entry.hash},
                       {"seed", entry.seed},
                       {"answer", entry.answer},
                       {"right", entry.graded ? Json(entry.right) : Json()}})
      .dump();
}

Result<WorklogEntry> entry_of(std::string_view line) {
  TESSERA_TRY(json, parse_json(line, kRequestJson, ErrorCode::bad_message));
  JsonReader in(ErrorCode::bad_message, "the line of a worklog cannot be read", kLongestAnswer + 1);
  WorklogEntry entry;
  entry.lesson = in.whole<std::int64_t>(json, "lesson", 1);
  entry.question = in.text(json, "question");
  entry.hash = in.text(json, "hash");
  entry.seed = in.whole<std::uint64_t>(json, "seed");
  entry.answer = in.text(json, "answer");
  const Json* const right = json.find("right");
  entry.graded = !right || !right->is_null();
  if (entry.graded) entry.right = in.truth(json, "right");
  return in.done(std::move(entry));
}

Result<Regraded> graded_again(const OpenLesson& opened, const WorklogEntry& entry) {
  if (entry.lesson != opened.lesson().head.number) {
    return Error{ErrorCode::bad_message,
                 fmt::format("this is of lesson {}, and the lesson is number {}", entry.lesson, opened.lesson().head.number),
                 {},
                 {}};
  }
  TESSERA_TRY(part, opened.find(entry.question));
  const Ask& ask = std::get<Ask>(opened.lesson().parts[part]);
  TESSERA_TRY(question, question_of(ask, opened.above(part), entry.seed));
  TESSERA_TRY(grade, lesson::grade(ask, question, opened.above(part), entry.answer));
  Regraded made{std::move(grade), {}};
  if (entry.hash != hash_of(ask))
    made.remark = "the question has changed since";
  else if (entry.graded && entry.right != made.grade.right)
    made.remark = entry.right ? "the log says right" : "the log says wrong";
  return made;
}

}  // namespace tessera::lesson
