// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/question.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/draws.hpp"
#include "core/lesson/plans.hpp"

namespace tessera::lesson {
namespace {

constexpr std::string_view kIt = "it";

// The value of an expression of the question, in the form of its kind.
Result<Value> answer_in(const Expected& expected, const Written& piece, const Scope& scope) {
  TESSERA_TRY(value, value_of(piece, scope));
  Result<Value> made = as_answer(expected, value);
  if (!made) return moved(std::move(made).error(), piece);
  return made;
}

struct Verdict {
  bool right = false;
  std::string words;  // where it is not
};

// Held to the condition on `it` where there is one, else compared. The condition may ask more than the same function: how it is written.
Result<Verdict> judged(const Ask& ask, const Question& question, const Scope& above, const Value& answer) {
  TESSERA_TRY(differs, difference(question.expected, answer, question.wanted));
  if (ask.accept.empty() || is_other_kind(question.expected, answer, question.wanted)) return Verdict{differs.empty(), std::move(differs)};
  Names names = question.names;
  names.emplace_back(kIt, answer);
  std::string why;
  const Result<bool> holds = condition(ask.accept, with_names(names, above), &why);
  if (!holds) return Verdict{false, holds.error().message};  // of this answer: the question's own has a truth, see check_accepted
  if (*holds) return Verdict{true, {}};
  return Verdict{false, why.empty() ? written_answer(question.expected, answer) + " is not it" : why};
}

// Does the question accept its own answer? `judged` would not ask.
Status check_accepted(const Ask& ask, const Question& question, const Scope& above) {
  if (ask.accept.empty()) return Done{};
  Names names = question.names;
  names.emplace_back(kIt, question.wanted);
  TESSERA_TRY(holds, condition(ask.accept, with_names(names, above)));
  if (holds) return Done{};
  return Error{ErrorCode::wrong_result,
               fmt::format("the condition does not hold for the question's own answer, {}", to_string(question.wanted)),
               SourceSpan{ask.accept.at, ask.accept.at + ask.accept.text.size()},
               {"`it` is the answer"}};
}

Error coincides(const Wrong& wrong, const Question& question, std::string what, bool has_draws) {
  std::vector<std::string> notes;
  if (has_draws)
    notes.push_back(
        fmt::format("so it is, or another one, in {} draws of seed {}: draw from more, or say where:", kMostAttempts, question.seed));
  return Error{ErrorCode::wrong_result, std::move(what),
               SourceSpan{wrong.expression.at, wrong.expression.at + wrong.expression.text.size()}, std::move(notes)};
}

// Why a draw cannot be asked: a wrong answer that is right, or two that are one. Nothing where it can.
Result<std::optional<Error>> coincidence(const Ask& ask, const Question& question, const Scope& above, bool has_draws) {
  for (std::size_t i = 0; i < ask.wrong.size(); ++i) {
    TESSERA_TRY(verdict, judged(ask, question, above, question.wrong[i]));
    if (verdict.right)
      return std::optional(
          coincides(ask.wrong[i], question, fmt::format("this wrong answer, {}, is right", to_string(question.wrong[i])), has_draws));
    for (std::size_t j = 0; j < i; ++j) {
      TESSERA_TRY(differs, difference(question.expected, question.wrong[i], question.wrong[j]));
      if (differs.empty())
        return std::optional(coincides(
            ask.wrong[i], question, fmt::format("this wrong answer, {}, is another one's, too", to_string(question.wrong[i])), has_draws));
    }
  }
  return std::optional<Error>();
}

Status evaluate_answers(const Ask& ask, Question& question, const Scope& above) {
  const Scope scope = with_names(question.names, above);
  std::vector<std::string> options;
  if (!ask.options.empty()) {
    for (const Written& each : parts_between(ask.options, '|')) {
      TESSERA_TRY(words, filled_line(each, scope, &question.numbers));
      options.push_back(std::move(words));
    }
  }
  question.options = options;
  TESSERA_TRY(expected, expected_of(ask.kind, std::move(options), scope));
  question.expected = std::move(expected);
  TESSERA_TRY(wanted, answer_in(question.expected, ask.answer, scope));
  question.wanted = std::move(wanted);
  question.wrong.clear();
  for (const Wrong& each : ask.wrong) {
    TESSERA_TRY(value, answer_in(question.expected, each.expression, scope));
    question.wrong.push_back(std::move(value));
  }
  return Done{};
}

}  // namespace

Result<Question> question_of(const Ask& ask, const Scope& above, std::uint64_t seed) {
  const Budget budget;  // of this question, whatever its lesson takes
  TESSERA_TRY(draws, draw_count(ask));
  Question question;
  question.seed = seed;
  std::optional<Error> unusable;
  for (std::uint64_t attempt = 0; attempt < (draws == 0 ? 1 : kMostAttempts); ++attempt) {
    question.drawn_again = attempt;
    question.numbers = 0;
    TESSERA_TRY(names, drawn(ask, above, seed, attempt));
    question.names = std::move(names);
    const Scope scope = with_names(question.names, above);
    if (!ask.where.empty()) {
      TESSERA_TRY(holds, condition(ask.where, scope));
      if (!holds) {
        unusable = Error{ErrorCode::out_of_range,
                         draws == 0 ? "this does not hold" : fmt::format("this holds in none of {} draws of seed {}", kMostAttempts, seed),
                         SourceSpan{ask.where.at, ask.where.at + ask.where.text.size()},
                         {}};
        continue;
      }
    }
    TESSERA_CHECK(evaluate_answers(ask, question, above));
    TESSERA_CHECK(check_accepted(ask, question, above));
    TESSERA_TRY(found, coincidence(ask, question, above, draws > 0));
    unusable = std::move(found);
    if (unusable) continue;
    TESSERA_TRY(prompt, filled_line(ask.prompt, scope, &question.numbers));
    question.prompt = std::move(prompt);
    TESSERA_TRY(given, filled(ask.given, scope, &question.numbers));
    question.given = std::move(given);
    return question;
  }
  return std::move(*unusable);
}

std::string asked_by(const Question& question) {
  std::string made = question.prompt;
  for (const std::string& each : question.options) made += "\n" + each;
  return made + "\n" + question.given + "\n" + to_string(question.wanted);
}

std::string told_answer(const Question& question, const Value& value) {
  if (question.expected.kind == Kind::plan) return lines_beyond(question.given, value);
  return written_answer(question.expected, value);
}

Result<Grade> grade(const Ask& ask, const Question& question, const Scope& above, std::string_view answer) {
  Grade made;
  const auto unread = [&](const Error& error) {
    made.read = false;
    std::string words = error.message;
    for (const std::string& note : error.notes) words += "; " + note;
    made.difference = printable(words);  // it quotes what was written
    return made;
  };
  Result<Value> given = read_answer(question.expected, answer, above);
  if (given && question.expected.kind == Kind::binding) given = as_answer(question.expected, *given);
  if (!given) return unread(given.error());
  made.understood = written_answer(question.expected, *given);
  const Budget budget(limits_of(question.expected.kind));
  // The question's own answers were judged when it was made: what is refused here is refused because of this one.
  Result<Verdict> verdict = judged(ask, question, above, *given);
  if (!verdict) return unread(verdict.error());
  made.right = verdict->right;
  made.difference = printable(verdict->words);
  if (made.right) return made;
  const Scope scope = with_names(question.names, above);
  for (std::size_t i = 0; i < ask.wrong.size(); ++i) {
    const Result<std::string> differs = difference(question.expected, *given, question.wrong[i]);
    if (!differs || !differs->empty()) continue;
    TESSERA_TRY(hint, filled_line(ask.wrong[i].hint, scope));
    made.hint = std::move(hint);
    made.wrong = i + 1;
    made.confusion = ask.wrong[i].confusion;
    break;
  }
  return made;
}

}  // namespace tessera::lesson
