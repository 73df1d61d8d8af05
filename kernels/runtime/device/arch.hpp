// SPDX-License-Identifier: BSD-3-Clause
// The one decision about architecture: made before anything is compiled, from what the kernel needs and what the device is.
//
//   the kernel says                        the device is   compiled for
//   least_sm 70, no suffix                 sm_90           sm_90     (text is compiled for the device it will run on)
//   least_sm 80, no suffix                 sm_75           refused   (mma.m16n8k16 does not exist there)
//   least_sm 90, suffix 'a'                sm_90           sm_90a
//   least_sm 90, suffix 'a'                sm_100          refused   (wgmma is gone there: 'a' is never satisfied by ">=")
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"

namespace tessera {

struct ArchTarget {
  int sm = 0;       // 90 for compute capability 9.0
  char suffix = 0;  // 'a': code for exactly this architecture

  std::string name() const;  // "sm_90a"
  friend bool operator==(const ArchTarget&, const ArchTarget&) = default;
};

// parse_arch("sm_90a") -> {90, 'a'}; also "90a", "compute_90"
Result<ArchTarget> parse_arch(std::string_view text);

// Refuses with the kernel's name, both architectures and what to try. `holder` says in words who is sm_NN: "the device (NVIDIA H200)".
Result<ArchTarget> decide_arch(const KernelSource& source, int sm, std::string_view holder = "the architecture asked for");

// The oldest architecture that both the kernel and the compiler accept; `compiler_sms` ascending, empty = anything.
Result<ArchTarget> least_arch(const KernelSource& source, const std::vector<int>& compiler_sms);

}  // namespace tessera
