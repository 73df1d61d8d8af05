// SPDX-License-Identifier: BSD-3-Clause
// Clusters run one after the other, the CTAs of one together.
#include "tests/host/machine.hpp"

#include <fmt/format.h>

#include "tests/host/cluster.hpp"

namespace tessera::host {
namespace {

Cluster* running = nullptr;  // whose thread runs: the kernel's calls come without a word about it

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
  // An entry that takes no extents does not look at them.
  using Entry = void (*)(const void* a, const void* b, void* c, float alpha, float beta, int m, int n, int k, long long lda, long long ldb,
                         long long ldc);
  using EntryOfMaps = void (*)(HostTensorMap a, HostTensorMap b, HostTensorMap c, float alpha, float beta, int m, int n, int k,
                               long long lda, long long ldb, long long ldc);
  std::array<std::int64_t, 6> e{};
  if (!buffers.extents.empty() && buffers.extents.size() != e.size()) return fault("a kernel takes six extents, or none");
  for (std::size_t i = 0; i < buffers.extents.size(); ++i) e[i] = buffers.extents[i].value;
  const auto as_int = [](std::int64_t value) { return static_cast<int>(value); };
  const std::array<std::span<std::byte>, 3> memory{buffers.a, buffers.b, buffers.c};
  if (const auto& maps = buffers.maps; !maps.empty()) {
    if (maps.size() != 3) return fault(fmt::format("a kernel has {} tensor maps instead of 3", maps.size()));
    return run(kernel, launch, memory, [&](void* entry) {
      reinterpret_cast<EntryOfMaps>(entry)(maps[0], maps[1], maps[2], buffers.alpha, buffers.beta, as_int(e[0]), as_int(e[1]), as_int(e[2]),
                                           e[3], e[4], e[5]);
    });
  }
  return run(kernel, launch, memory, [&](void* entry) {
    reinterpret_cast<Entry>(entry)(buffers.a.data(), buffers.b.data(), buffers.c.data(), buffers.alpha, buffers.beta, as_int(e[0]),
                                   as_int(e[1]), as_int(e[2]), e[3], e[4], e[5]);
  });
}

}  // namespace tessera::host
