// SPDX-License-Identifier: BSD-3-Clause
// A machine that runs an emitted kernel on the CPU: one fiber a CUDA thread, in an order that the test chooses.
//
// It holds the text against CUDA's rules, not only against its result:
//   - shared memory that two threads use with no barrier between them, one of them writing, is a race, whatever the order of this run;
//   - the bytes of a cp.async arrive when its group has been waited for, and whoever reads or writes them before is told;
//   - shared memory and registers that nobody wrote hold what makes sums wrong; accesses are aligned and inside their buffer;
//   - an instruction of a warp needs all of its 32 lanes, at the same instruction; barriers that some threads never reach are deadlocks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "tests/host/abi.hpp"

namespace tessera::host {

// Which thread goes on when several could: the first, the last, one after the other, or any (by `seed`).
enum class Order { first, last, in_turn, shuffled };

struct Launch {
  std::array<unsigned, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t smem_bytes = 0;
  Order order = Order::first;
  std::uint32_t seed = 0;
};

using Entry = void (*)(const void* a, const void* b, void* c, float alpha, float beta);

// A loaded kernel: its entry, and the variables of prelude.hpp in its library.
struct HostKernel {
  Entry entry = nullptr;
  HostMachine* machine = nullptr;
  HostIndex *thread = nullptr, *block = nullptr;
  unsigned char* smem = nullptr;
};

struct Buffers {
  std::span<std::byte> a, b, c;
  float alpha = 1, beta = 0;
};

// An Error names the rule, the thread and the place.
Status run(const HostKernel& kernel, const Launch& launch, const Buffers& buffers);

}  // namespace tessera::host
