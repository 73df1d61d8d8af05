// SPDX-License-Identifier: BSD-3-Clause
// Questions for tests, written as a lesson has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/lesson/opened.hpp"
#include "core/lesson/question.hpp"
#include "tests/support/catch.hpp"

namespace tessera::lesson::testing {

// A lesson of one question, with definitions above it.
struct OneAsk {
  explicit OneAsk(const std::string& lines, const std::string& tess = "let unused = 0")
      : opened(open("---\nnumber: 1\ntitle: A\ngoal: B\nminutes: 1\n---\n```tess\n" + tess + "\n```\n```ask one\n" + lines + "\n```\n")) {}

  static OpenLesson open(const std::string& text) {
    Result<OpenLesson> made = OpenLesson::open(text);
    INFO(text);
    if (!made) FAIL(made.error().message);
    return std::move(made).value();
  }
  const Ask& ask() const { return std::get<Ask>(opened.lesson().parts.at(1)); }
  Scope above() const { return opened.above(1); }
  Result<Question> make(std::uint64_t seed = 0) const { return question_of(ask(), above(), seed); }
  Question question(std::uint64_t seed = 0) const {
    Result<Question> made = make(seed);
    if (!made) FAIL(made.error().message);
    return std::move(made).value();
  }
  // With the line and the column in front.
  std::string refusal(std::uint64_t seed = 0) const {
    const Result<Question> made = make(seed);
    return made ? "" : placed(made.error(), opened.lesson().text).message;
  }
  Grade grade(std::string_view answer, std::uint64_t seed = 0) const {
    const Result<Grade> made = lesson::grade(ask(), question(seed), above(), answer);
    INFO(answer);
    if (!made) FAIL(made.error().message);
    return *made;
  }
  bool right(std::string_view answer, std::uint64_t seed = 0) const { return grade(answer, seed).right; }

  OpenLesson opened;
};

}  // namespace tessera::lesson::testing
