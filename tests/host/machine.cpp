// SPDX-License-Identifier: BSD-3-Clause
// Clusters run one after the other, the CTAs of one together.
#include "tests/host/machine.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "tests/host/cluster.hpp"

namespace tessera::host {
namespace {

Cluster* running = nullptr;  // whose thread runs: the kernel's calls come without a word about it

// Extents as an entry takes them.
struct Extents {
  int m = 0, n = 0, k = 0;
  long long lda = 0, ldb = 0, ldc = 0, batch_a = 0, batch_b = 0, batch_c = 0;
};

template <class... First>
void call(void* entry, const Buffers& is, const Extents& e, First... first) {
  void* const spread = is.spread.empty() ? nullptr : is.spread.data();  // behind the extents, which only some take
  if (is.extents.empty()) return reinterpret_cast<void (*)(First..., float, float, void*)>(entry)(first..., is.alpha, is.beta, spread);
  reinterpret_cast<void (*)(First..., float, float, int, int, int, long long, long long, long long, long long, long long, long long,
                            void*)>(entry)(first..., is.alpha, is.beta, e.m, e.n, e.k, e.lda, e.ldb, e.ldc, e.batch_a, e.batch_b, e.batch_c,
                                           spread);
}

template <std::size_t... I>
void call_with_maps(void* entry, const Buffers& is, const Extents& e) {
  if (is.takes_c)
    call(entry, is, e, is.maps[I]..., static_cast<void*>(is.c.data()));
  else
    call(entry, is, e, is.maps[I]...);
}

}  // namespace

Status run(const HostKernel& kernel, const Launch& launch, std::span<const std::span<std::byte>> memory, const Call& call) {
  *kernel.machine = {[](const char* text, HostOperand* operands, int count) { running->instruction(text, operands, count); },
                     [](const void* at, int bytes, bool is_write) { running->access(at, bytes, is_write); }, [] { running->barrier(); }};
  *kernel.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  if (launch.cluster == 0 || launch.grid[0] % launch.cluster != 0)
    return fault(fmt::format("{} CTAs are no clusters of {}", launch.grid[0], launch.cluster));
  for (unsigned product = 0; product < launch.grid[2]; ++product) {
    for (unsigned block = 0; block < launch.grid[0]; block += launch.cluster) {
      Cluster cluster(kernel, launch, memory, call, block, product);
      running = &cluster;
      if (Status status = cluster.run(); !status) {
        return std::move(std::move(status).error())
            .note(fmt::format("in {} {} of {}", launch.cluster > 1 ? "the cluster of CTA" : "CTA", block, launch.grid[0]));
      }
    }
  }
  return Done{};
}

Status run(const HostKernel& kernel, const Launch& launch, const Buffers& buffers) {
  const std::array<std::span<std::byte>, 4> memory{buffers.a, buffers.b, buffers.c, buffers.spread};
  Extents e;
  if (const auto& given = buffers.extents; !given.empty()) {
    if (given.size() != 9) return fault(fmt::format("a kernel takes {} extents instead of 9", given.size()));
    const auto as_int = [&](std::size_t i) { return static_cast<int>(given[i].value); };
    e = {as_int(0), as_int(1), as_int(2), given[3].value, given[4].value, given[5].value, given[6].value, given[7].value, given[8].value};
  }
  switch (buffers.maps.size()) {
    case 0: break;
    case 2: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1>(entry, buffers, e); });
    case 3: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1, 2>(entry, buffers, e); });
    case 4: return run(kernel, launch, memory, [&](void* entry) { call_with_maps<0, 1, 2, 3>(entry, buffers, e); });
    default: return fault(fmt::format("a kernel has {} tensor maps instead of two to four", buffers.maps.size()));
  }
  return run(kernel, launch, memory, [&](void* entry) {
    call(entry, buffers, e, static_cast<const void*>(buffers.a.data()), static_cast<const void*>(buffers.b.data()),
         static_cast<void*>(buffers.c.data()));
  });
}

}  // namespace tessera::host
