// SPDX-License-Identifier: BSD-3-Clause
// Runs a GemmPlan on the CPU, thread by thread and instruction by instruction, as the kernel would. An emulation has values,
// owners and addresses, and never a time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

// One access of a warp, or a box of TMA, in the first CTA's first k-tile or its epilogue: for pictures and for the bank model.
struct Access {
  enum class Step : std::uint8_t { read_a, read_b, g2s_write_a, g2s_write_b, s2r_a, s2r_b, store_c, stage_c, unstage_c };
  Step step = Step::s2r_a;
  std::int64_t instruction = 0;  // which instruction of the step
  std::int64_t warp = 0;
  std::int64_t bytes = 0;                  // of one lane's access, or of one run of a box
  bool matrix = false;                     // ldmatrix, stmatrix: one row address a lane
  std::array<std::int64_t, 32> address{};  // bytes in the tensor; -1: the lane does not take part
  std::vector<std::int64_t> box;           // TMA: where each run of neighbouring bytes begins; the addresses above are not used
  const plan::Op* op = nullptr;
};

// An operation of a role, from its beginning until its effects are there, in logical steps of the roles: never a time.
struct Event {
  std::int64_t cta = 0;   // of its cluster
  std::int64_t role = 0;  // of the plan's members
  std::int64_t warp = -1;
  std::int64_t stage = -1, k_tile = -1, tile = -1;  // -1: none; of an mma those of the operands that it multiplies
  // Of the operands' ring: k-tile fill % k_tiles of the CTA's tile fill / k_tiles; without a ring the same number.
  std::int64_t fill = -1;
  std::int64_t start = 0, end = 0;
  std::int64_t released_by = -1;  // of a wait: the event that ended it
  const plan::Op* op = nullptr;
};

struct SimulationInput {
  std::vector<double> a, b, c;  // by element offset in gA, gB, gC, of every product; rounded to the tensors' types when read
};

struct SimulationOptions {
  // In which order the roles move, and when asynchronous copies arrive; every order is one that the hardware may take.
  // 0: in turn. 1: each as far as it can, copies as late as they may arrive. 2: the last role first, copies at once. 3: the first role
  // first, copies at once. Others: drawn from the number.
  std::uint32_t interleaving = 0;
  std::int64_t ctas = -1;  // how many, the first ones, by whole clusters; -1: all
  bool trace = true, timeline = false;
  bool values = true;  // false: only who waits for whom; no input is read, nothing is multiplied, and C is empty
};

// The end of a phase of an mbarrier, in the same steps: its arrivals and bytes are complete.
struct PhaseEnd {
  std::int64_t cta = 0;  // of its cluster
  plan::Id barrier = plan::kNone;
  std::int64_t stage = 0, number = 0;  // the first phase is 0; a wait compares its parity, number % 2
  std::int64_t step = 0;
};

struct Simulation {
  std::vector<double> c;              // gC afterwards, by element offset
  std::vector<Access> trace;          // CTA 0, k_tile 0, and its epilogue
  std::vector<Event> timeline;        // of the first cluster, by start
  std::vector<PhaseEnd> phases;       // of the same, by step
  std::int64_t mma_instructions = 0;  // of one CTA and one k-tile, a warp or atom each
  // Operations that a thread came to, and whether they were of use. Of no use is an arrival for whose phase nobody waits, a wait for groups
  // that finds none, and a Fence{wgmma} that is the first behind nothing that touched a register of wgmma; what is of no use for a reason
  // that the machine does not know counts as of use. By operation and member of the role that came to it.
  using Executed = std::pair<const plan::Op*, std::int64_t>;
  std::map<Executed, bool> of_use;
};

constexpr std::int64_t kMostSimulatedMacs = std::int64_t{1} << 31;  // multiply-adds; beyond it `simulate` is refused

// Refused, too, where the plan's operations do not fit together: what is read too early or overwritten too early, who waits for ever,
// what is stored twice or never; the message names role, operation, tensor, stage and k_tile.
Result<Simulation> simulate(const GemmPlan& plan, const SimulationInput& input, const SimulationOptions& options = {});

// Deterministic small integers, so that fp32 sums are exact whatever their order. seed picks another set.
SimulationInput integer_input(const GemmPlan& plan, std::uint32_t seed);

// alpha * A B^T + beta * C in double precision, by the definition; -alpha where the atom negates one operand. Ends early when the request's
// time is over (core/base/budget.hpp): whoever has a budget looks at the clock afterwards.
std::vector<double> reference(const GemmPlan& plan, const SimulationInput& input);

}  // namespace tessera
