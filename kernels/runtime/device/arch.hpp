// SPDX-License-Identifier: BSD-3-Clause
// The one decision about architecture: made before anything is compiled, from what the kernel needs and what the device is.
//
//   the kernel says                        the device is   compiled for
//   least_sm 70, no suffix                 sm_90           sm_90     (text is compiled for the device it will run on)
//   least_sm 80, no suffix                 sm_75           refused   (mma.m16n8k16 does not exist there)
//   least_sm 90, suffix 'a'                sm_90           sm_90a
//   least_sm 90, suffix 'a'                sm_100          refused   (wgmma is gone there: 'a' is never satisfied by ">=")
//
// and of what compiles:
//   NVRTC 12.8 on sm_103                   sm_100   (it does not know sm_103, which runs the machine code of sm_100)
//   NVRTC 12.0 on sm_120                   refused  (it ends at sm_90, another generation)
//   NVRTC 11.8, suffix 'a', on sm_90       refused  (it knows sm_90, but no sm_90a)
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

// What compiles.
struct Toolkit {
  std::string name;            // "NVRTC 12.0"
  std::vector<int> sms;        // the architectures that it knows, ascending; none: any (nothing compiles here, and kept cubins are asked)
  bool knows_suffix_a = true;  // NVRTC 11 knows no sm_90a
};

// Refuses with the atom that asks, both architectures and what to try. `holder` says in words who is sm_NN: "the device (NVIDIA H200)".
Result<ArchTarget> decide_arch(const KernelSource& source, int sm, std::string_view holder, const Toolkit& toolkit);

// The oldest architecture that both the kernel and the toolkit accept.
Result<ArchTarget> least_arch(const KernelSource& source, const Toolkit& toolkit);

// Does machine code for `code` run on a device of sm_NN? That of the same generation and not of a later member of it, and of none of the
// boards that stand apart (Jetson, Thor); with 'a' that of exactly this one.
bool runs_on(ArchTarget code, int sm);

// Why the code is of another architecture than the device; empty: it is not.
std::string arch_note(ArchTarget code, int sm, const Toolkit& toolkit);

}  // namespace tessera
