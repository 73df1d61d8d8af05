// SPDX-License-Identifier: BSD-3-Clause
// What the hardware makes of a plan's accesses: shared-memory wavefronts and global-memory sectors, by the rule of
// core/atom/copy/warp_access.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/copy/warp_access.hpp"
#include "core/gemm/run/simulate.hpp"

namespace tessera {

std::string_view step_name(Access::Step step);  // "smem read of A"

// One row a step: how many instructions, and wavefronts or sectors beside the minimum.
struct AccessSummary {
  Access::Step step = Access::Step::s2r_a;
  std::int64_t instructions = 0, units = 0, least_units = 0;
  bool shared = true;         // wavefronts; else sectors
  std::int64_t bytes = 0;     // of one lane at once, or of a run of a TMA box
  std::string conflict = {};  // the first one, in words: "warp 0, phase 0: lanes 0, 2, 4, 6 read banks 0-3"; empty: there is none
};
std::vector<AccessSummary> summarize(const std::vector<Access>& trace);

}  // namespace tessera
