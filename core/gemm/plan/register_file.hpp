// SPDX-License-Identifier: BSD-3-Clause
// The registers of a multiprocessor, and how setmaxnreg shares out those of a CTA among its warpgroups.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tessera::plan {

constexpr std::int64_t kWarpgroup = 128;  // threads: four warps, that wgmma and setmaxnreg take as one
constexpr std::int64_t kRegisterFile = 65536;
constexpr std::int64_t kRegisterStep = 8, kLeastRegisters = 24, kMostRegisters = 256;  // of a thread, by setmaxnreg

// Of a thread, when a kernel of one CTA a multiprocessor begins. setmaxnreg takes from one warpgroup what it gives to another, so that all
// of them together never have more. registers_at_entry(384) -> 168
constexpr std::int64_t registers_at_entry(std::int64_t threads) {
  return std::min(kMostRegisters, kRegisterFile / threads / kRegisterStep * kRegisterStep);
}

// Does setmaxnreg take that number?
constexpr bool is_register_count(std::int64_t count) {
  return count % kRegisterStep == 0 && count >= kLeastRegisters && count <= kMostRegisters;
}

}  // namespace tessera::plan
