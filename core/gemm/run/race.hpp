// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a plan on the machine, in several of the orders that its barriers leave open.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/gemm/run/simulate.hpp"

namespace tessera {

constexpr std::uint32_t kRacedOrders = 16;

// In turn, the order 0.
struct Raced {
  std::vector<double> c;  // gC afterwards, by element offset
  std::int64_t steps = 0;
};

// Of a plan with operations that have a name alone, so that C has no values.
bool has_opaque(const GemmPlan& plan);

// Refused as `simulate` is; a note says in which order.
Result<Raced> race(const GemmPlan& plan, const SimulationInput& input, std::uint32_t orders = kRacedOrders);

// What the values of a plan are, made once and used in many orders.
struct RacedProblem {
  SimulationInput input;
  std::vector<double> expected;                 // gC by the definition; empty: nothing has a value
  std::map<Simulation::Executed, bool> of_use;  // Simulation::of_use, in turn
};
// Refused as `simulate` is.
Result<RacedProblem> raced_problem(const GemmPlan& plan);

// What is wrong with a plan on the machine in this order: it races or waits for ever, or its C is another one than the definition's.
// Nothing where there is nothing.
Result<std::optional<Error>> fault_on_machine(const GemmPlan& plan, const RacedProblem& problem, std::uint32_t order);

// The first thing that is wrong with a plan: it does not fit together, it races or waits for ever in one of the orders, or its C is another
// one than the definition's. Nothing where there is nothing. Refused is what cannot be looked at: it is too large, or takes too long.
Result<std::optional<Error>> fault_of(const GemmPlan& plan, std::uint32_t orders = kRacedOrders);

}  // namespace tessera
