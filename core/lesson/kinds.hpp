// SPDX-License-Identifier: BSD-3-Clause
// The kinds of answers: how each is read from what a person writes, and when two are the same.
//
//   integer                      26, 1*8 + 2*1 + 16; also 7%, lane 4, T4
//   integers                     22 26 24, (22,26,24)
//   coordinate of (4,8)          (2,6), 2 6, row 2 column 6
//   thread and value             T4 V3, (4,3), 4 3, value 3 of thread 4
//   layout on (thread, value)    ((2,4),4):((16,1),4): compared as a function; the names are for words
//   layout                       the same without names
//   cells of (4,8)               a set, in any order: (2,2) (2,3) (2,6) (2,7)
//   order                        17 18 20 16; of options their letters, b a c
//   choice                       of options a letter, a number or its words; without options yes or no
//   binding sA                   lines of a document, of which sA is the answer; one expression is sA itself
//   plan                         plan { ... }: the same work, and nothing that the machine finds wrong (plans.hpp)
//
// Everything is read in a scope of its own: nothing that a person defines there reaches the question. It has no name of the lesson, but for
// a binding, whose lines use what the person sees defined above the question, less the name that they are to give a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.hpp"
#include "core/base/result.hpp"
#include "core/lang/values/scope.hpp"
#include "core/lang/values/value.hpp"
#include "core/lesson/lesson.hpp"

namespace tessera::lesson {

enum class Kind : std::uint8_t { integer, integers, coordinate, thread_and_value, layout, cells, order, choice, binding, plan };

// A kind with what it is of.
struct Expected {
  Kind kind = Kind::integer;
  IntTuple shape = 1;                // of a coordinate and of cells
  std::vector<std::string> modes;    // of a layout, where they have names
  std::string name;                  // of a binding
  std::vector<std::string> options;  // of a choice and an order
};

// Is an answer of this kind written in several lines?
constexpr bool has_lines(Kind kind) { return kind == Kind::binding || kind == Kind::plan; }

// The names of the kinds, as they are written.
std::vector<std::string> kind_names();
std::string_view name_of(Kind kind);
// "coordinate of (M,8)", with the names of a question; the options are its own.
Result<Expected> expected_of(const Written& kind, std::vector<std::string> options, const Scope& scope);

inline constexpr std::size_t kLongestAnswer = std::size_t{1} << 16;                      // bytes
inline constexpr double kPlanSeconds = 20;                                               // of a plan, which is executed many times
inline constexpr Limits kAnswerLimits{2, std::int64_t{1} << 26, std::int64_t{1} << 20};  // seconds, bytes, cells of one answer

constexpr Limits limits_of(Kind kind) {
  return {kind == Kind::plan ? kPlanSeconds : kAnswerLimits.seconds, kAnswerLimits.bytes, kAnswerLimits.cells};
}

// What a person wrote, as a value in the form of its kind. `above`: the lesson's names above the question, which a binding may use, and
// none that the question draws or lets. A refusal is for that person: what is wanted, and an example.
Result<Value> read_answer(const Expected& expected, std::string_view text, const Scope& above = {});
// A value of the language in that form.
Result<Value> as_answer(const Expected& expected, const Value& value);
// Where the two part first, in words; empty where they are the same. Both are in the form of the kind. Of numbers it is said which one
// differs, and of functions and sets what differs and what is wanted: a number alone would give the answer away.
Result<std::string> difference(const Expected& expected, const Value& given, const Value& wanted);
// Is a binding's value no such thing as is wanted, a function or an object of a person's own where a layout is? No condition is asked of
// it.
bool is_other_kind(const Expected& expected, const Value& given, const Value& wanted);
// As a person writes it. Law: read_answer of it is the value.
std::string written_answer(const Expected& expected, const Value& value);

}  // namespace tessera::lesson
