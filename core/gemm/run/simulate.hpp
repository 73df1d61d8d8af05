// SPDX-License-Identifier: BSD-3-Clause
// Runs a GemmPlan on the CPU, thread by thread and instruction by instruction, as the kernel would. An emulation has values,
// owners and addresses, and never a time.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// One warp-level access of the first CTA's first k-tile, for pictures and for the bank model.
struct Access {
  enum class Step : std::uint8_t { g2s_read_a, g2s_read_b, g2s_write_a, g2s_write_b, s2r_a, s2r_b, store_c };
  Step step = Step::s2r_a;
  std::int64_t instruction = 0;  // which instruction of the step
  std::int64_t warp = 0;
  std::int64_t bytes = 0;                  // of one lane's access
  bool matrix = false;                     // ldmatrix: one row address a lane
  std::array<std::int64_t, 32> address{};  // bytes in the tensor; -1: the lane does not take part
};

struct SimulationInput {
  std::vector<double> a, b, c;  // by element offset in gA, gB, gC; rounded to the tensors' types when read
};

struct Simulation {
  std::vector<double> c;              // gC afterwards, by element offset
  std::vector<Access> trace;          // CTA 0, k_tile 0, and its epilogue
  std::int64_t mma_instructions = 0;  // of one CTA and one k-tile, a warp or atom each
};

constexpr std::int64_t kMostSimulatedMacs = std::int64_t{1} << 31;  // multiply-adds; beyond it `simulate` is refused

Result<Simulation> simulate(const GemmPlan& plan, const SimulationInput& input);

// Deterministic small integers, so that fp32 sums are exact whatever their order. seed picks another set.
SimulationInput integer_input(const GemmPlan& plan, std::uint32_t seed);

// alpha * A B^T + beta * C in double precision, by the definition. Ends early when the request's time is over (core/base/budget.hpp):
// whoever has a budget looks at the clock afterwards.
std::vector<double> reference(const GemmPlan& plan, const SimulationInput& input);

}  // namespace tessera
