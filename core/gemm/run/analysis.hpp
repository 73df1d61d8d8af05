// SPDX-License-Identifier: BSD-3-Clause
// What the hardware makes of an access: shared-memory wavefronts and global-memory sectors. The rules were measured on an H200
// against the hardware's own counters.
#pragma once

#include <cstdint>
#include <vector>

#include "core/gemm/run/simulate.hpp"

namespace tessera {

struct Wavefronts {
  std::int64_t count = 0;  // of one instruction of one warp
  std::int64_t least = 0;  // what a conflict-free access of this width needs
};

Wavefronts smem_wavefronts(const Access& access, bool store);
std::int64_t gmem_sectors(const Access& access);  // distinct 32-byte segments

// One row a step: how many instructions, and wavefronts or sectors beside the minimum.
struct AccessSummary {
  Access::Step step = Access::Step::s2r_a;
  std::int64_t instructions = 0, units = 0, least_units = 0;
  bool shared = true;  // wavefronts; else sectors
};
std::vector<AccessSummary> summarize(const std::vector<Access>& trace);

}  // namespace tessera
