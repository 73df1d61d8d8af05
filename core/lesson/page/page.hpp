// SPDX-License-Identifier: BSD-3-Clause
// A lesson as one page of HTML that needs no network and no program: words, figures that are pointed at and stepped, sliders, and questions
// that the page grades by itself.
//
// Each question is in the page so many times, once a seed, with the right answer and the wrong ones as data; page/grade.js reads an answer
// and compares it as core/lesson/kinds.hpp does. What the page cannot evaluate, a binding or a condition, it does not grade: it shows one
// right answer, and the worklog that a person downloads goes to `tessera lesson grade`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/result.hpp"
#include "core/gemm/gemm_spec.hpp"
#include "core/lesson/opened.hpp"

namespace tessera::lesson {

constexpr std::uint64_t kSeedsOfAPage = 20;
constexpr std::uint64_t kMostSeedsOfAPage = 1000;

struct PageOptions {
  std::uint64_t seeds = kSeedsOfAPage;  // of each question that draws something
  std::string name;                     // of the lesson, as `tessera lesson grade` is told it
  std::optional<std::uint64_t> seed{};  // with which everybody begins; nothing: with one that is drawn for each reader
  // What was recorded of exactly this GEMM, a line each; nothing: nothing was, or nobody knows.
  std::function<std::vector<std::string>(const GemmSpec&)> recorded{};
};

// What the page knows of a question: id, kind, gates, whether the page grades it, and its seeds, from `first` on.
Result<Json> question_data(const OpenLesson& opened, std::size_t part, std::uint64_t seeds, std::uint64_t first = 0);

// Refused, with line and column in front: an expression without a value, and a figure that cannot be drawn.
Result<std::string> lesson_page(const OpenLesson& opened, const PageOptions& options);

}  // namespace tessera::lesson
