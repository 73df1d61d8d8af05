// SPDX-License-Identifier: BSD-3-Clause
// Clusters run one after the other, the CTAs of one together.
#include "tests/host/machine.hpp"

#include <fmt/format.h>

#include "tests/host/cluster.hpp"

namespace tessera::host {
namespace {

Cluster* running = nullptr;  // whose thread runs: the kernel's calls come without a word about it

template <std::size_t>
using MapOf = HostTensorMap;

template <std::size_t... I>
void call_with_maps(void* entry, const Buffers& is) {
  if (is.takes_c)
    reinterpret_cast<void (*)(MapOf<I>..., void*, float, float)>(entry)(is.maps[I]..., is.c.data(), is.alpha, is.beta);
  else
    reinterpret_cast<void (*)(MapOf<I>..., float, float)>(entry)(is.maps[I]..., is.alpha, is.beta);
}

}  // namespace

Status run(const HostKernel& kernel, const Launch& launch, std::span<const std::span<std::byte>> memory, const Call& call) {
  *kernel.machine = {[](const char* text, HostOperand* operands, int count) { running->instruction(text, operands, count); },
                     [](const void* at, int bytes, bool is_write) { running->access(at, bytes, is_write); }, [] { running->barrier(); }};
  if (launch.cluster == 0 || launch.grid[0] % launch.cluster != 0)
    return fault(fmt::format("{} CTAs are no clusters of {}", launch.grid[0], launch.cluster));
  for (unsigned block = 0; block < launch.grid[0]; block += launch.cluster) {
    Cluster cluster(kernel, launch, memory, call, block);
    running = &cluster;
    if (Status status = cluster.run(); !status) {
      return std::move(std::move(status).error())
          .note(fmt::format("in {} {} of {}", launch.cluster > 1 ? "the cluster of CTA" : "CTA", block, launch.grid[0]));
    }
  }
  return Done{};
}

Status run(const HostKernel& kernel, const Launch& launch, const Buffers& buffers) {
  using Entry = void (*)(const void* a, const void* b, void* c, float alpha, float beta);
  const std::array<std::span<std::byte>, 3> memory{buffers.a, buffers.b, buffers.c};
  switch (buffers.maps.size()) {
    case 0: break;
    case 2: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1>(entry, buffers); });
    case 3: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1, 2>(entry, buffers); });
    case 4: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1, 2, 3>(entry, buffers); });
    default: return fault(fmt::format("a kernel has {} tensor maps instead of two to four", buffers.maps.size()));
  }
  return run(kernel, launch, memory, [&](void* entry) {
    reinterpret_cast<Entry>(entry)(buffers.a.data(), buffers.b.data(), buffers.c.data(), buffers.alpha, buffers.beta);
  });
}

}  // namespace tessera::host
