// SPDX-License-Identifier: BSD-3-Clause
// Questions as the data that page/grade.js grades by.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/values/convert.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/lesson/draws.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/page/page.hpp"
#include "core/lesson/question.hpp"
#include "core/lesson/worklog.hpp"

namespace tessera::lesson {
namespace {

constexpr std::int64_t kLargestImage = 4096;                          // numbers of a layout that the page compares
constexpr std::int64_t kLargestOfPage = (std::int64_t{1} << 53) - 1;  // numbers of a script are exact up to here

Json profile_json(const IntTuple& of) {
  if (!of.is_tuple()) return Json(of.value());
  Json::List made;
  for (std::size_t i = 0; i < of.rank(); ++i) made.push_back(profile_json(of[i]));
  return Json(std::move(made));
}

// The numbers in the places of a tuple, one behind the other; nothing where one is too large for the page.
std::optional<Json> leaves_json(const IntTuple& of) {
  Json::List made;
  for (const std::int64_t each : leaf_values(of)) {
    if (each > kLargestOfPage || each < -kLargestOfPage) return std::nullopt;
    made.push_back(each);
  }
  return Json(std::move(made));
}

// Sizes of the modes, and what it gives at every coordinate of one number a mode, the first one fastest.
Result<std::optional<Json>> image_json(const Value& value) {
  TESSERA_TRY(layout, as_any_layout(value));
  const IntTuple& of = shape(layout);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < (of.is_int() ? 1 : of.rank()); ++i) sizes.push_back(tessera::size(of.is_int() ? of : of[i]));
  if (tessera::size(layout) > kLargestImage) return std::optional<Json>();
  Json::List image;
  std::vector<std::int64_t> place(sizes.size(), 0);
  for (std::int64_t n = 0; n < tessera::size(layout); ++n) {
    std::vector<IntTuple> at(place.begin(), place.end());
    TESSERA_TRY(gives, evaluate(layout, sizes.size() == 1 ? at[0] : IntTuple::tuple(std::move(at))));
    if (!gives.is_int() || gives.value() > kLargestOfPage || gives.value() < -kLargestOfPage) return std::optional<Json>();
    image.push_back(gives.value());
    for (std::size_t i = 0; i < place.size() && ++place[i] == sizes[i]; ++i) place[i] = 0;
  }
  return std::optional(Json::object({{"sizes", Json(sizes)}, {"image", std::move(image)}}));
}

// Nothing where the page cannot compare with it.
Result<std::optional<Json>> answer_json(const Expected& expected, const Value& value) {
  if (has_lines(expected.kind)) return std::optional<Json>();
  if (expected.kind == Kind::layout) return image_json(value);
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  if (!tuple) return std::optional<Json>();
  if (expected.kind != Kind::cells) return leaves_json(*tuple);
  Json::List cells;
  for (const IntTuple& each : tuple->modes()) {
    std::optional<Json> cell = leaves_json(each);
    if (!cell) return std::optional<Json>();
    cells.push_back(*std::move(cell));
  }
  return std::optional(Json(std::move(cells)));
}

// One seed; `graded` becomes false where the page cannot grade it.
Result<Json> seed_json(const Ask& ask, const Scope& above, std::uint64_t seed, bool& graded) {
  TESSERA_TRY(question, question_of(ask, above, seed));
  Json::Members made{{"seed", seed}, {"prompt", question.prompt}, {"answer", written_answer(question.expected, question.wanted)}};
  if (question.expected.kind == Kind::plan) made.push_back({"told", told_answer(question, question.wanted)});
  if (!question.options.empty()) made.push_back({"options", Json(question.options)});
  if (!question.given.empty()) made.push_back({"given", question.given});
  if (!question.expected.modes.empty()) made.push_back({"modes", Json(question.expected.modes)});
  if (question.expected.kind == Kind::coordinate || question.expected.kind == Kind::cells)
    made.push_back({"shape", profile_json(question.expected.shape)});
  TESSERA_TRY(want, answer_json(question.expected, question.wanted));
  graded = graded && want && ask.accept.empty();
  Json::List wrong;
  const Scope scope = with_names(question.names, above);
  for (std::size_t i = 0; i < ask.wrong.size() && want; ++i) {
    TESSERA_TRY(data, answer_json(question.expected, question.wrong[i]));
    TESSERA_TRY(hint, filled_line(ask.wrong[i].hint, scope));
    if (data)
      wrong.push_back(Json::object({{"wrong", static_cast<std::int64_t>(i + 1)}, {"want", *std::move(data)}, {"hint", std::move(hint)}}));
  }
  if (want && ask.accept.empty()) {
    made.push_back({"want", *std::move(want)});
    made.push_back({"wrong", std::move(wrong)});
  }
  return Json::object(std::move(made));
}

}  // namespace

Result<Json> question_data(const OpenLesson& opened, std::size_t part, std::uint64_t seeds, std::uint64_t first) {
  const Ask& ask = std::get<Ask>(opened.lesson().parts.at(part));
  const Scope above = opened.above(part);
  TESSERA_TRY(draws, draw_count(ask));
  bool graded = true;
  Json::List all;
  Kind kind = Kind::integer;
  for (std::uint64_t i = 0; i < (draws == 0 ? 1 : seeds); ++i) {
    TESSERA_TRY(made, seed_json(ask, above, first + i, graded));
    all.push_back(std::move(made));
    if (i > 0) continue;
    TESSERA_TRY(question, question_of(ask, above, first));
    kind = question.expected.kind;
  }
  return Json::object({{"id", ask.id},
                       {"hash", hash_of(ask)},
                       {"kind", name_of(kind)},
                       {"gates", ask.gates},
                       {"graded", graded},
                       {"seeds", std::move(all)}});
}

}  // namespace tessera::lesson
