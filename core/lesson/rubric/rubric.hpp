// SPDX-License-Identifier: BSD-3-Clause
// A rubric: what a homework is worth, as a teacher has written it.
//
//   title: Week 3
//   tries: last                       of several answers to one question: the last one counts (the default), the best, or the first
//
//   lesson: 06_tv                     a file, or the name of a lesson that comes with the program
//     whose:    2 points
//     practice: 4 points, 4 seeds, hint 1/4, some 1/2
//     padding:  2 points, seeds 0..2
//     vary 1:   1 point               the first slider that asks something
//
//   document:                         what a .tess document binds
//     let spare = (6,10):(12,1)       a name for the conditions below it
//     A:  2 points
//       same as: spare                the same function
//     sA: 3 points
//       accept: is_injective(it)      `it` is the value; where there are several conditions, all of them have to hold
//       accept 1/2: size(it) == 64    half of the points where only this one holds
//
// A line that begins with # is a comment. How far a line is indented says nothing. Points are counted in hundredths.
//
// A question is worth its points where the answers to so many `seeds` are right, one where it does not say. Each right one is its part of
// the points; `hint 1/4` gives a wrong answer that has a hint of its own a quarter of a right one. With `some 1/2` the parts do not count:
// half of the points are given where some seeds are right and others are not, and `some 0` is all or nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/opened.hpp"

namespace tessera::lesson {

constexpr std::size_t kLargestRubric = std::size_t{1} << 20;  // bytes
constexpr std::int64_t kHundredths = 100;                     // of a point: what points are counted in
constexpr std::int64_t kMostPoints = 10'000;                  // of one line
constexpr std::int64_t kMostRubricSeeds = 1000;

// A part of the points, 0 to 1.
struct Share {
  std::int64_t part = 0, whole = 1;

  double value() const { return static_cast<double>(part) / static_cast<double>(whole); }
};

// Both ends belong to it.
struct SeedRange {
  std::uint64_t first = 0, last = 0;

  bool has(std::uint64_t seed) const { return seed >= first && seed <= last; }
};

enum class Tries : std::uint8_t { first, last, best };

// A condition on a binding's value.
struct Criterion {
  Written text;
  bool same = false;  // `same as`: the text is a value, and no condition on `it`
  Share share{1, 1};  // less than 1: what it gives where it holds and not all of the others do
};

// One line that gives points: a question of a lesson, or a binding.
struct RubricItem {
  std::string name;
  std::size_t at = 0;       // of the name, in the rubric's text
  std::int64_t points = 0;  // hundredths
  std::size_t lesson = 0;   // of a question: which of the rubric's lessons
  bool is_binding = false;
  std::int64_t seeds = 1;         // of a question: how many have to be right
  std::optional<SeedRange> only;  // of a question: these seeds count, and no others
  Share hint{0, 1};               // of a question: what a wrong answer with a hint is of a right one
  std::optional<Share> some;      // of a question: what is given where some seeds are right
  std::vector<Criterion> all;     // of a binding: they hold together
  std::vector<Criterion> part;    // of a binding: each gives its share
};

struct Rubric {
  std::string text, title;
  Tries tries = Tries::last;
  std::vector<Written> lessons;  // files
  std::vector<Written> lets;     // lines `let ...`
  std::vector<RubricItem> items;

  std::int64_t points() const;  // of all, hundredths
  bool has_questions() const { return !lessons.empty(); }
  bool has_bindings() const;
};

// Refused, with line and column in front: a line that is none of these.
Result<Rubric> read_rubric(std::string_view text);

// A rubric with its lessons and the values of its names. It has been held to its own words: every question is asked, every value that is
// compared with meets the conditions beside it.
class OpenRubric {
 public:
  using Opener = std::function<Result<OpenLesson>(const std::string& file)>;
  static Result<OpenRubric> open(std::string_view text, const Opener& opener);

  const Rubric& rubric() const { return rubric_; }
  const std::vector<OpenLesson>& lessons() const { return lessons_; }
  Scope names() const { return tessera::scope_of(values_); }  // of the `let` lines; valid while this lives
  // What a criterion compares with: one each of the item's `all`; nothing for a condition.
  const std::vector<std::optional<Value>>& compared(std::size_t item) const { return compared_.at(item); }

 private:
  Rubric rubric_;
  std::vector<OpenLesson> lessons_;
  std::vector<EvaluatedBinding> values_;
  std::vector<std::vector<std::optional<Value>>> compared_;  // one each of the items
};

// Does the condition hold for the value? Empty: it does. Else why not, in words.
std::string refusal_of(const Criterion& criterion, const std::optional<Value>& compared, const std::string& name, const Value& value,
                       const Scope& names);

}  // namespace tessera::lesson
