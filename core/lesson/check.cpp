// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/overloaded.hpp"
#include "core/figure/figure.hpp"
#include "core/lesson/draws.hpp"
#include "core/lesson/names.hpp"
#include "core/lesson/question.hpp"
#include "core/lesson/vary.hpp"

namespace tessera::lesson {
namespace {

Error at_piece(const Written& piece, std::string message, std::vector<std::string> notes = {}) {
  return Error{ErrorCode::wrong_result, std::move(message), SourceSpan{piece.at, piece.at + piece.text.size()}, std::move(notes)};
}

// Walks the parts and keeps what is wrong with each.
class Checker {
 public:
  Checker(const OpenLesson& opened, std::uint64_t seeds, const std::function<bool(const CheckedAsk&)>& progress)
      : opened_(opened), seeds_(std::max<std::uint64_t>(seeds, 1)), progress_(progress) {}

  CheckedLesson checked() && {
    const std::vector<Part>& parts = opened_.lesson().parts;
    for (std::size_t i = 0; i < parts.size() && !ended_; ++i) {
      const Scope above = opened_.above(i);
      std::visit(Overloaded{[&](const Prose& prose) { words(prose.markdown, above, true); }, [](const Bind&) {},  // opened
                            [&](const Figure& figure) { draw(figure.expression, above); }, [&](const Vary& vary) { move(vary, above); },
                            [&](const Ask& ask) { question(ask, above); }, [&](const Run& run) { gemm(run.gemm, above); }},
                 parts[i]);
    }
    for (const std::int64_t each : opened_.lesson().head.confusions) {
      if (confusions_.count(each) == 0)
        made_.remarks.push_back({ErrorCode::wrong_result,
                                 fmt::format("the head names confusion {}, and no wrong answer is it", each),
                                 {},
                                 {fmt::format("as in  wrong {}: EXPRESSION -> HINT", each)}});
    }
    return std::move(made_);
  }

 private:
  void problem(Error error) {
    ++made_.problem_count;
    made_.problems.push_back(placed(std::move(error), opened_.lesson().text));
  }

  void remark_typed(const Written& piece) {
    for (const std::size_t at : typed_numbers(piece)) {
      Error error{ErrorCode::wrong_result, "a number is typed here", SourceSpan{at, at + 1}, {"write it as {{expression}}, or as code"}};
      made_.remarks.push_back(placed(std::move(error), opened_.lesson().text));
    }
  }

  void words(const Written& piece, const Scope& scope, bool is_prose) {
    const Budget budget;
    if (is_prose) remark_typed(piece);
    const Result<std::string> made = filled(piece, scope, &made_.numbers);
    if (!made) problem(made.error());
  }

  void draw(const Written& piece, const Scope& scope) {
    const Budget budget;
    const Result<Value> value = value_of(piece, scope);
    if (!value) return problem(value.error());
    const Result<Scene> scene = figure_of(*value, piece.text);
    if (!scene) return problem(moved(scene.error(), piece));
    ++made_.figures;
  }

  void move(const Vary& vary, const Scope& above) {
    const Result<VaryValues> values = values_of(vary, above);
    if (!values) return problem(values.error());
    remark_typed(vary.prompt);
    for (const Value& each : values->values) {
      const Names names{{values->name, each}};
      const Scope scope = with_names(names, above);
      draw(vary.show, scope);
      if (!vary.prompt.empty()) words(vary.prompt, scope, false);
    }
    if (!vary.truth.empty() && std::all_of(values->holds.begin(), values->holds.end(), [&](bool each) { return each == values->holds[0]; }))
      problem(at_piece(vary.truth, fmt::format("this is the same for every {}: there is nothing to find", values->name)));
  }

  void gemm(const Written& piece, const Scope& scope) {
    const Budget budget;
    const Result<Value> value = value_of(piece, scope);
    if (!value) return problem(value.error());
    if (kind_name(*value) != "gemm")
      return problem(at_piece(piece, fmt::format("only a GEMM is run, and this is a {}", kind_name(*value)), {"gemm(m=..., ...)"}));
    const Result<Scene> scene = figure_of(*value, piece.text);  // lowered on the way
    if (!scene) return problem(moved(scene.error(), piece));
  }

  // The answers of one seed, each written as a person would.
  void ask_once(const Ask& ask, const Scope& above, std::uint64_t seed, CheckedAsk& row) {
    const auto wrong = [&](Error error) {
      ++made_.problem_count;
      if (++row.problems > kMostToldProblems) return;
      if (row.seeds > 1 || seed > 0) error.message = fmt::format("seed {} of {}: {}", seed, ask.id, error.message);
      made_.problems.push_back(placed(std::move(error), opened_.lesson().text));
    };
    const Result<Question> made = question_of(ask, above, seed);
    if (!made) return wrong(made.error());
    row.drawn_again += made->drawn_again;
    row.wanted_hints += ask.wrong.size();
    made_.numbers += seed == 0 ? made->numbers : 0;
    std::string asked = made->prompt;
    for (const std::string& each : made->options) asked += "\n" + each;
    prompts_.insert(std::move(asked));
    const std::string own = written_answer(made->expected, made->wanted);
    const Result<Grade> right = grade(ask, *made, above, own);
    if (!right) return wrong(right.error());
    if (right->right)
      ++row.right;
    else
      wrong(at_piece(ask.answer, fmt::format("its own answer, {}, is graded wrong: {}", own, right->difference)));
    for (std::size_t i = 0; i < ask.wrong.size(); ++i) {
      const std::string answer = written_answer(made->expected, made->wrong[i]);
      const Result<Grade> graded = grade(ask, *made, above, answer);
      if (!graded)
        wrong(graded.error());
      else if (!graded->right && graded->wrong == i + 1 && !graded->hint.empty())
        ++row.hints;
      else
        wrong(at_piece(ask.wrong[i].expression,
                       fmt::format("this wrong answer, {}, does not meet its hint: {}", answer, graded->difference)));
    }
  }

  void question(const Ask& ask, const Scope& above) {
    CheckedAsk row;
    row.id = ask.id;
    row.kind = ask.kind.text;
    for (const Wrong& each : ask.wrong) {
      confusions_.insert(each.confusion);
      remark_typed(each.hint);
    }
    remark_typed(ask.prompt);
    const Result<std::size_t> draws = draw_count(ask);
    if (!draws) return problem(draws.error());
    const std::uint64_t seeds = *draws == 0 ? 1 : seeds_;
    prompts_.clear();
    for (std::uint64_t seed = 0; seed < seeds && !ended_; ++seed) {
      ask_once(ask, above, seed, row);
      row.seeds = seed + 1;
      row.different = prompts_.size();
      ended_ = progress_ && !progress_(row);
    }
    made_.asks.push_back(std::move(row));
  }

  const OpenLesson& opened_;
  std::uint64_t seeds_;
  const std::function<bool(const CheckedAsk&)>& progress_;
  CheckedLesson made_;
  std::set<std::int64_t> confusions_;
  std::set<std::string> prompts_;  // of the question that is being checked
  bool ended_ = false;
};

}  // namespace

CheckedLesson check(const OpenLesson& opened, std::uint64_t seeds, const std::function<bool(const CheckedAsk&)>& progress) {
  return Checker(opened, seeds, progress).checked();
}

}  // namespace tessera::lesson
