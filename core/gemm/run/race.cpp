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

}  // namespace

bool has_opaque(const GemmPlan& plan) {
  return !plan::each_op(plan, [](const plan::Op& op) { return !std::holds_alternative<plan::Opaque>(op.op); });
}

Result<Raced> race(const GemmPlan& plan, const SimulationInput& input, std::uint32_t orders) {
  Raced raced;
  for (std::uint32_t order = 0; order < orders; ++order) {
    auto run = simulate(plan, input, {.interleaving = order, .trace = false, .timeline = order == 0});
    if (!run) return std::move(run).error().note(fmt::format("in order {} of {}, which the barriers leave open", order, orders));
    if (order > 0) continue;
    raced.c = std::move(run->c);
    for (const Event& event : run->timeline) raced.steps = std::max(raced.steps, event.end);
  }
  return raced;
}

Result<std::optional<Error>> fault_of(const GemmPlan& plan, std::uint32_t orders) {
  if (Status fits = verify(plan); !fits) return fault(std::move(fits).error());
  const SimulationInput input = plan.mma ? integer_input(plan, 1) : SimulationInput();
  Result<Raced> raced = race(plan, input, orders);
  if (!raced) return fault(std::move(raced).error());
  if (!plan.mma || has_opaque(plan)) return std::optional<Error>();  // nothing has a value
  const std::vector<double> expected = reference(plan, input);
  TESSERA_CHECK(check_time("the definition of a GEMM"));
  const std::vector<double>& c = raced->c;
  const auto differs = std::mismatch(c.begin(), c.end(), expected.begin(), expected.end()).first;
  if (differs == c.end() && c.size() == expected.size()) return std::optional<Error>();
  const auto at = static_cast<std::size_t>(differs - c.begin());
  if (at >= c.size() || at >= expected.size()) {
    return std::optional<Error>(
        refuse(ErrorCode::wrong_result, fmt::format("C has {} elements; the definition has {}", c.size(), expected.size())));
  }
  return std::optional<Error>(
      refuse(ErrorCode::wrong_result, fmt::format("C is {} at offset {}; by the definition it is {}", c[at], at, expected[at])));
}

}  // namespace tessera
