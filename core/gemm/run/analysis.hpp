// SPDX-License-Identifier: BSD-3-Clause
// What the hardware makes of a plan's accesses: shared-memory wavefronts and global-memory sectors, by the rule of
// core/atom/warp_access.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/warp_access.hpp"
#include "core/gemm/run/simulate.hpp"

namespace tessera {

// One row a step: how many instructions, and wavefronts or sectors beside the minimum.
struct AccessSummary {
  Access::Step step = Access::Step::s2r_a;
  std::int64_t instructions = 0, units = 0, least_units = 0;
  bool shared = true;  // wavefronts; else sectors
};
std::vector<AccessSummary> summarize(const std::vector<Access>& trace);

}  // namespace tessera
