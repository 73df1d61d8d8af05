// SPDX-License-Identifier: BSD-3-Clause
// A machine that runs an emitted kernel on the CPU: one fiber a CUDA thread, in an order that the test chooses.
//
// It holds the text against CUDA's rules, not only against its result:
//   - shared memory that two threads use with no barrier between them, one of them writing, is a race, whatever the order of this run;
//   - the bytes of a copy arrive when its group has been waited for, or a moment before the phase of its mbarrier ends, and whoever reads
//     or writes them before is told; so is who lets TMA or wgmma read what a thread wrote with no proxy fence between;
//   - a sum that wgmma has is a NaN until its group has been waited for;
//   - shared memory and registers that nobody wrote hold what makes sums wrong; accesses are aligned and inside their buffer;
//   - an instruction of a warp needs all of its 32 lanes, one of a warpgroup all 128, at the same instruction; barriers that some threads
//     never reach are deadlocks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "kernels/codegen/kernel_source.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

// Which thread goes on when several could: the first, the last, one after the other, or any (by `seed`). Asynchronous copies arrive when no
// thread can go on, the first or the last one first; in_turn: at once; shuffled: at any time.
enum class Order { first, last, in_turn, shuffled };

struct Launch {
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t smem_bytes = 0;
  Order order = Order::first;
  std::uint32_t seed = 0;
  unsigned cluster = 1;  // CTAs, which run together
};

// A loaded kernel: its entry, and the variables of prelude.hpp in its library.
struct HostKernel {
  void* entry = nullptr;
  HostMachine* machine = nullptr;
  HostIndex *thread = nullptr, *block = nullptr, *grid = nullptr;
  unsigned char** smem = nullptr;
};

struct Buffers {
  std::span<std::byte> a, b, c;
  float alpha = 1, beta = 0;
  std::vector<ExtentArgument> extents{};  // nine, of a kernel that takes them
  std::vector<HostTensorMap> maps{};      // two to four, in the place of A, B and C, where the kernel copies by TMA
  bool takes_c = false;                   // C itself, behind the maps
  std::span<std::byte> spread{};          // of a reference: what its last argument points to; empty: null
};

// Calls the entry with A, B, C, or their maps, alpha and beta, and the extents. An Error names the rule, the thread and the place.
Status run(const HostKernel& kernel, const Launch& launch, const Buffers& buffers);

// Calls the entry with what `call` gives it; `memory`: what may be read and written. A thread is one call.
using Call = std::function<void(void* entry)>;
Status run(const HostKernel& kernel, const Launch& launch, std::span<const std::span<std::byte>> memory, const Call& call);

}  // namespace tessera::host
