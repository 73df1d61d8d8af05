// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/print/printed_question.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/lesson/names.hpp"

namespace tessera::lesson {
namespace {

std::string shown_answer(const Question& question, const Value& value) {
  const std::string written = told_answer(question, value);
  if (question.expected.kind != Kind::choice || question.options.empty() || written.size() != 1) return written;
  const auto i = static_cast<std::size_t>(written.front() - 'a');
  return i < question.options.size() ? fmt::format("{} {}", option_letter(i), question.options[i]) : written;
}

}  // namespace

std::string option_letter(std::size_t i) { return fmt::format("{})", static_cast<char>('a' + i)); }

Result<PrintedQuestion> printed_question(const OpenLesson& opened, std::size_t part, std::uint64_t seed) {
  const Ask& ask = std::get<Ask>(opened.lesson().parts.at(part));
  const Scope above = opened.above(part);
  TESSERA_TRY(question, question_of(ask, above, seed));
  PrintedQuestion made{std::move(question), {}, {}, !ask.accept.empty()};
  made.answer = shown_answer(made.question, made.question.wanted);
  const Scope scope = with_names(made.question.names, above);
  for (std::size_t i = 0; i < ask.wrong.size(); ++i) {
    TESSERA_TRY(hint, filled_line(ask.wrong[i].hint, scope));
    made.wrong.push_back({shown_answer(made.question, made.question.wrong[i]), std::move(hint)});
  }
  return made;
}

}  // namespace tessera::lesson
