// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/worklog.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/json.hpp"
#include "core/base/sha256.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/vary.hpp"

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

std::string hash_of(const Vary& vary) {
  return sha256_hex(fmt::format("vary\nparam: {}\nprompt: {}\ntruth: {}", vary.param.text, vary.prompt.text, vary.truth.text))
      .substr(0, kHashDigits);
}

std::string WorklogEntry::asked() const { return vary > 0 ? fmt::format("vary {}", vary) : question; }

std::string to_line(const WorklogEntry& entry) {
  Json::Members members{{"lesson", entry.lesson}, entry.vary > 0 ? JsonMember{"vary", entry.vary} : JsonMember{"question", entry.question},
                        {"hash", entry.hash},     {"seed", entry.seed},
                        {"answer", entry.answer}, {"right", entry.graded ? Json(entry.right) : Json()}};
  if (entry.given_up) members.push_back({"given_up", true});
  return Json::object(std::move(members)).dump();
}

Result<WorklogEntry> entry_of(std::string_view line) {
  TESSERA_TRY(json, parse_json(line, kRequestJson, ErrorCode::bad_message));
  JsonReader in(ErrorCode::bad_message, "the line of a worklog cannot be read", kLongestAnswer + 1);
  WorklogEntry entry;
  entry.lesson = in.whole<std::int64_t>(json, "lesson", 1);
  if (json.find("vary"))
    entry.vary = in.whole<std::int64_t>(json, "vary", 1);
  else
    entry.question = in.text(json, "question");
  entry.hash = in.text(json, "hash");
  entry.seed = in.whole<std::uint64_t>(json, "seed");
  entry.answer = in.text(json, "answer");
  const Json* const right = json.find("right");
  entry.graded = !right || !right->is_null();
  if (entry.graded) entry.right = in.truth(json, "right");
  entry.given_up = in.truth_or(json, "given_up", false);
  return in.done(std::move(entry));
}

Result<Regraded> graded_again(const OpenLesson& opened, const WorklogEntry& entry) { return Regrading(opened).graded(entry); }

Result<Regrading::Drawn*> Regrading::drawn(const WorklogEntry& entry) {
  std::pair<std::string, std::uint64_t> key(entry.question, entry.seed);
  if (const auto kept = drawn_.find(key); kept != drawn_.end()) return &kept->second;
  TESSERA_TRY(part, opened_.find(entry.question));
  TESSERA_TRY(question, question_of(std::get<Ask>(opened_.lesson().parts[part]), opened_.above(part), entry.seed));
  return &drawn_.emplace(std::move(key), Drawn{part, std::move(question), {}}).first->second;
}

Result<Regraded> Regrading::graded_at_slider(const WorklogEntry& entry, std::string& hash) {
  TESSERA_TRY(part, opened_.find_vary(entry.vary));
  const Vary& vary = std::get<Vary>(opened_.lesson().parts[part]);
  hash = hash_of(vary);
  Regraded made;
  made.asked = entry.asked();
  TESSERA_TRY(values, values_of(vary, opened_.above(part)));
  if (entry.given_up)
    made.grade.difference = "the answer was shown";
  else
    made.grade = grade(values, entry.answer);
  return made;
}

Result<Regraded> Regrading::graded_question(const WorklogEntry& entry, std::string& hash) {
  TESSERA_TRY(drawn, this->drawn(entry));
  const Ask& ask = std::get<Ask>(opened_.lesson().parts[drawn->part]);
  hash = hash_of(ask);
  Regraded made;
  made.asked = asked_by(drawn->question);
  if (entry.given_up) {
    made.grade.difference = "the answer was shown";
  } else if (const auto kept = drawn->grades.find(entry.answer); kept != drawn->grades.end()) {
    made.grade = kept->second;
  } else {
    TESSERA_TRY(grade, lesson::grade(ask, drawn->question, opened_.above(drawn->part), entry.answer));
    made.grade = std::move(grade);
    drawn->grades.emplace(entry.answer, made.grade);
  }
  return made;
}

Result<Regraded> Regrading::graded(const WorklogEntry& entry) {
  const Lesson& lesson = opened_.lesson();
  if (entry.lesson != lesson.head.number) {
    return Error{
        ErrorCode::bad_message, fmt::format("this is of lesson {}, and the lesson is number {}", entry.lesson, lesson.head.number), {}, {}};
  }
  std::string hash;
  TESSERA_TRY(made, entry.vary > 0 ? graded_at_slider(entry, hash) : graded_question(entry, hash));
  const std::string_view claim = !entry.graded || entry.right == made.grade.right ? ""
                                 : entry.right                                    ? "the log says right"
                                                                                  : "the log says wrong";
  if (entry.hash != hash)
    made.remark = fmt::format("the question has changed since{}{}", claim.empty() ? "" : ", and ", claim);
  else
    made.remark = claim;
  return made;
}

}  // namespace tessera::lesson
