// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/run/race.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/plan/walk.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {
namespace {

// Is it the plan that is refused, and not the looking at it?
bool is_of_plan(const Error& error) { return error.code != ErrorCode::limit && error.code != ErrorCode::timed_out; }

Result<std::optional<Error>> fault(Error error) {
  if (is_of_plan(error)) return std::optional<Error>(std::move(error));
  return error;
}

bool has_values(const GemmPlan& plan) { return plan.mma && !has_opaque(plan); }

}  // namespace

bool has_opaque(const GemmPlan& plan) {
  return !plan::each_op(plan, [](const plan::Op& op) { return !std::holds_alternative<plan::Opaque>(op.op); });
}

Result<Raced> race(const GemmPlan& plan, const SimulationInput& input, std::uint32_t orders) {
  Raced raced;
  for (std::uint32_t order = 0; order < orders; ++order) {
    auto run = simulate(plan, input, {.interleaving = order, .trace = false, .timeline = order == 0});
    if (!run) return std::move(run).error().note(fmt::format("in order {} of {}, which the barriers leave open", order, orders));
    if (order > 0 && (!has_values(plan) || run->c == raced.c)) continue;
    if (order > 0)
      return refuse(ErrorCode::wrong_result,
                    fmt::format("C is another one in order {} of {}, which the barriers leave open, than in order 0", order, orders));
    raced.c = std::move(run->c);
    for (const Event& event : run->timeline) raced.steps = std::max(raced.steps, event.end);
  }
  return raced;
}

namespace {

// Where C is another one than the definition's.
std::optional<Error> wrong_result(const std::vector<double>& c, const std::vector<double>& expected) {
  const auto differs = std::mismatch(c.begin(), c.end(), expected.begin(), expected.end()).first;
  if (differs == c.end() && c.size() == expected.size()) return std::nullopt;
  const auto at = static_cast<std::size_t>(differs - c.begin());
  if (at >= c.size() || at >= expected.size())
    return refuse(ErrorCode::wrong_result, fmt::format("C has {} elements; the definition has {}", c.size(), expected.size()));
  return refuse(ErrorCode::wrong_result, fmt::format("C is {} at offset {}; by the definition it is {}", c[at], at, expected[at]));
}

}  // namespace

Result<RacedProblem> raced_problem(const GemmPlan& plan) {
  RacedProblem problem;
  if (plan.mma) problem.input = integer_input(plan, 1);
  TESSERA_TRY(run, simulate(plan, problem.input, {.trace = false}));
  problem.of_use = std::move(run.of_use);
  if (has_values(plan)) problem.expected = reference(plan, problem.input);
  TESSERA_CHECK(check_time("the definition of a GEMM"));
  return problem;
}

Result<std::optional<Error>> fault_on_machine(const GemmPlan& plan, const RacedProblem& problem, std::uint32_t order) {
  auto run = simulate(plan, problem.input, {.interleaving = order, .trace = false});
  if (!run) return fault(std::move(run).error());
  if (!has_values(plan)) return std::optional<Error>();
  return wrong_result(run->c, problem.expected);
}

Result<std::optional<Error>> fault_of(const GemmPlan& plan, std::uint32_t orders) {
  if (Status fits = verify(plan); !fits) return fault(std::move(fits).error());
  const SimulationInput input = plan.mma ? integer_input(plan, 1) : SimulationInput();
  Result<Raced> raced = race(plan, input, orders);  // which refuses what is too large for the definition, too
  if (!raced) return fault(std::move(raced).error());
  if (!has_values(plan)) return std::optional<Error>();
  const std::vector<double> expected = reference(plan, input);
  TESSERA_CHECK(check_time("the definition of a GEMM"));
  return wrong_result(raced->c, expected);
}

}  // namespace tessera
