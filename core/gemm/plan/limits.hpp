// SPDX-License-Identifier: BSD-3-Clause
// Limits: what a plan takes beside what its architecture allows, as rows for a screen that follows a number while it is dragged.
//
//   shared memory   245760 of 232448 bytes a CTA      over
//   threads            384 of 1024 a CTA
//   registers          128 of 255 a thread            for accumulators alone
//   copies of A         16 of 16 bytes at once
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gemm/plan/gemm_plan.hpp"

namespace tessera {

struct PlanLimit {
  std::string what;
  std::int64_t takes = 0, of = 0;
  std::string_view unit;
  // A ceiling is passed where more is taken; of a width (bytes that a copy moves at once) less than all is slow and no mistake.
  bool is_width = false;
  bool over() const { return !is_width && takes > of; }
  bool short_of() const { return is_width && takes < of; }
};
// "245,760 of 232,448 bytes a CTA"
std::string words_of(const PlanLimit& limit);

// Registers are those of the accumulators: a thread needs more, for fragments and addresses, and never fewer. Sources:
// smem_bytes_per_block, kMostThreadsOfACta and kMostRegisters of device_model.hpp. An architecture that is not known has no row of shared
// memory.
std::vector<PlanLimit> limits_of(const GemmPlan& plan);

}  // namespace tessera
