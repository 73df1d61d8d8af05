// SPDX-License-Identifier: BSD-3-Clause
// A lesson with the values of its definitions: what is evaluated once, for all that is asked of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/lang/document/document.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

// Notes for a name that is none of these: the nearest, and behind the words all of them.
std::vector<std::string> instead_of(std::string_view name, const std::vector<std::string>& known, std::string_view words);

class OpenLesson {
 public:
  // Refused, by line and column, is a text that is no lesson, and one with a definition that has no value.
  static Result<OpenLesson> open(std::string_view text);

  const Lesson& lesson() const { return lesson_; }
  // The names that stand above a part. Valid while this lives.
  Scope above(std::size_t part) const;
  // The number of the part with this question; refused by the nearest one where there is none.
  Result<std::size_t> find(std::string_view id) const;
  // The number of the part that is the lesson's vary number n, from 1, and asks for which values its truth holds.
  Result<std::size_t> find_vary(std::int64_t n) const;
  std::vector<std::string> ids() const;  // of the questions, in their order

 private:
  explicit OpenLesson(Lesson lesson) : lesson_(std::move(lesson)) {}

  using Values = std::vector<EvaluatedBinding>;
  Lesson lesson_;
  std::vector<std::shared_ptr<const Values>> above_;  // one each of the parts; shared by those with the same definitions above them
};

}  // namespace tessera::lesson
