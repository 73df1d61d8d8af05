// SPDX-License-Identifier: BSD-3-Clause
// Hopper's instructions, executed: a kernel written by hand from kernels/device computes its product in every order of its threads and of
// its copies' arrivals, and each thing that can be wrong with it is told.
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/run/numerics.hpp"
#include "tests/host/hopper_text.hpp"
#include "tests/host/tensor_map.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"

using namespace tessera;
using host::Order;

namespace {

constexpr int kTiles = 5, kRows = 128, kColumns = 64, kDepth = 64 * kTiles;
constexpr Order kOrders[] = {Order::first, Order::last, Order::in_turn, Order::shuffled};

// C (128,64) = A (128,320) B (64,320)^T by a cluster of two CTAs: each has 64 rows of A, and loads one half of B for both.
constexpr std::string_view kGemm = R"(
constexpr int STAGES = 2, K_TILES = 5;

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256, 1)
gemm(const __grid_constant__ TensorMap mA, const __grid_constant__ TensorMap mB,
     const __grid_constant__ TensorMap mC) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const unsigned sA = smem_address(smem), sB = sA + STAGES * 8192, sC = sB + STAGES * 8192;
  const unsigned full = sC + 8192, empty = full + 8 * STAGES, rank = cluster_rank();
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  if (thread == 0) {
    for (int stage = 0; stage < STAGES; ++stage) {
      mbarrier_init(full + 8 * stage, 1);
      mbarrier_init(empty + 8 * stage, 2);
    }
    fence_mbarrier_init();
    prefetch_tensor_map(&mA);
  }
  cluster_sync();
  if (thread >= 128) {
    lower_registers<40>();
    if (thread == 128) {
      for (int k = 0; k < K_TILES; ++k) {
        const int stage = k % STAGES, lap = k / STAGES;
        mbarrier_wait(empty + 8 * stage, (lap + 1) & 1);
        mbarrier_expect(full + 8 * stage, 16384);
        tma_load(sA + 8192 * stage, &mA, 64 * k, 64 * blockIdx.x, full + 8 * stage);
        tma_load_multicast(sB + 8192 * stage + 4096 * rank, &mB, 64 * k, 32 * rank, full + 8 * stage, 3);
      }
    }
  } else {
    raise_registers<232>();
    float d[32];
    for (int k = 0; k < K_TILES; ++k) {
      const int stage = k % STAGES, lap = k / STAGES;
      mbarrier_wait(full + 8 * stage, lap & 1);
      wgmma_fence();
      for (int i = 0; i < 4; ++i) {
        wgmma(d, smem_descriptor<1024, 128>(sA + 8192 * stage + 32 * i),
              smem_descriptor<1024, 128>(sB + 8192 * stage + 32 * i), k + i > 0);
      }
      wgmma_commit();
      wgmma_wait<1>();
      if (k > 0 && thread < 2) mbarrier_arrive_at(empty + 8 * ((k - 1) % STAGES), thread);
    }
    wgmma_wait<0>();
    for (int i = 0; i < 32; ++i) keep_in_order(d[i]);
    for (int j = 0; j < 4; ++j) {
      unsigned r[4];
      for (int i = 0; i < 4; ++i)
        r[i] = pack16(float_to_bf16(d[8 * j + 2 * i]), float_to_bf16(d[8 * j + 2 * i + 1]));
      const int row = 16 * warp + lane % 16, unit = 2 * j + lane / 16;
      stmatrix_x4(sC + 128 * row + 16 * (unit ^ row % 8), r);
    }
    fence_async_proxy();
    named_barrier_sync(1, 128);
    if (thread == 0) {
      tma_store(&mC, 0, 64 * blockIdx.x, sC);
      tma_store_commit();
      tma_store_wait<0>();
    }
  }
  cluster_sync();
}
)";

struct Problem {
  std::vector<double> a, b, c;
};

Problem problem() {
  Problem made;
  std::mt19937 random(5);
  for (int i = 0; i < kRows * kDepth; ++i) made.a.push_back(static_cast<int>(random() % 5) - 2);
  for (int i = 0; i < kColumns * kDepth; ++i) made.b.push_back(static_cast<int>(random() % 7) - 3);
  for (int m = 0; m < kRows; ++m) {
    for (int n = 0; n < kColumns; ++n) {
      double sum = 0;
      for (int k = 0; k < kDepth; ++k)
        sum += made.a[static_cast<std::size_t>(m * kDepth + k)] * made.b[static_cast<std::size_t>(n * kDepth + k)];
      made.c.push_back(round_to(ValueType::bf16, sum));
    }
  }
  return made;
}

// What is wrong with a kernel, or "".
std::string fault_of(const host::HostKernel& kernel, const Problem& problem, Order order, std::uint32_t seed = 1) {
  const auto buffer = [](int elements) { return BufferSpec{"bf16", elements, 2}; };
  std::vector<std::byte> a = support::bytes_of(problem.a, buffer(kRows * kDepth)),
                         b = support::bytes_of(problem.b, buffer(kColumns * kDepth)), c(static_cast<std::size_t>(2 * kRows * kColumns));
  const auto map = [](std::vector<std::byte>& memory, int rows, int columns, int box_rows) {
    return support::bf16_map(memory, rows, columns, columns, box_rows, 64, 128);
  };
  const HostTensorMap maps[] = {map(a, kRows, kDepth, 64), map(b, kColumns, kDepth, 32), map(c, kRows, kColumns, 64)};
  const std::span<std::byte> memory[] = {a, b, c};
  using Entry = void (*)(HostTensorMap, HostTensorMap, HostTensorMap);
  const host::Launch launch{{2, 1, 1}, {256, 1, 1}, 5 * 8192 + 64, order, seed, 2};
  const Status ran = host::run(kernel, launch, memory, [&](void* entry) { reinterpret_cast<Entry>(entry)(maps[0], maps[1], maps[2]); });
  if (!ran) return describe(ran.error());
  const std::vector<double> got = support::values_in(c, buffer(kRows * kColumns));
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != problem.c[i]) return fmt::format("element {} of C is {} instead of {}", i, got[i], problem.c[i]);
  }
  return "";
}

struct Broken {
  std::string what, from, to, says;  // says: a part of the words in order `first`
  int n = 1;
  bool in_some_order = false;
};

}  // namespace

TEST_CASE("TMA, mbarriers, wgmma and stmatrix compute a product across a cluster, whatever arrives first") {
  const auto library = host::KernelLibrary::compile(std::array{support::hopper_text("gemm", std::string(kGemm), 64)});
  if (!library) FAIL(library.error().message);
  const Problem right = problem();
  for (const Order order : kOrders) {
    INFO("order " << static_cast<int>(order));
    CHECK(fault_of(library->kernel(0), right, order) == "");
  }
  for (std::uint32_t seed = 2; seed < 8; ++seed) {
    INFO("seed " << seed);
    CHECK(fault_of(library->kernel(0), right, Order::shuffled, seed) == "");
  }
}

TEST_CASE("what is wrong with a kernel of TMA and wgmma is told, whatever arrives first") {
  const std::vector<Broken> all{
      {"nobody waits for the operands", "mbarrier_wait(full + 8 * stage, lap & 1);", ";", "no barrier between"},
      {"the two threads that release alone wait for the operands", "mbarrier_wait(full + 8 * stage, lap & 1);",
       "if (thread < 2) mbarrier_wait(full + 8 * stage, lap & 1);", ""},
      {"the wait for the operands is one phase ahead", "lap & 1", "(lap + 1) & 1", "no barrier between"},
      {"the wait for the operands is of the other stage", "full + 8 * stage, lap", "full + 8 * (1 - stage), lap", ""},
      {"a wait tries once", "while (!is_over) {", "{", "no barrier between"},
      {"too few bytes are expected", "16384", "12288", ""},
      {"too many bytes are expected", "16384", "20480", "misses 0 of 1 arrivals and 4096 bytes"},
      {"no bytes are expected", "mbarrier_expect(full + 8 * stage, 16384);", "mbarrier_arrive(full + 8 * stage);", ""},
      {"the bytes are expected on the other stage", "mbarrier_expect(full + 8 * stage,", "mbarrier_expect(full + 8 * (1 - stage),", ""},
      {"a stage is filled before it is released", "mbarrier_wait(empty + 8 * stage, (lap + 1) & 1);", ";", ""},
      {"the wait for a free stage is one phase behind", "(lap + 1) & 1", "lap & 1", "nobody can go on"},
      {"a stage counts too few releases", "mbarrier_init(empty + 8 * stage, 2)", "mbarrier_init(empty + 8 * stage, 1)", ""},
      {"a stage counts too many releases", "mbarrier_init(empty + 8 * stage, 2)", "mbarrier_init(empty + 8 * stage, 3)",
       "misses 1 of 3 arrivals"},
      {"a stage is released in this CTA alone", "thread < 2) mbarrier_arrive_at", "thread < 1) mbarrier_arrive_at", "nobody can go on"},
      {"a stage is released to this CTA alone", "mbarrier_arrive_at(empty + 8 * ((k - 1) % STAGES), thread)",
       "mbarrier_arrive(empty + 8 * ((k - 1) % STAGES))", ""},
      {"a stage is released while it is read", "(k - 1) % STAGES", "k % STAGES", ""},
      {"the stage before is released while it is read", "wgmma_wait<1>();", "wgmma_wait<2>();", "may still read"},
      {"an arrival too many", "tma_load(sA", "mbarrier_arrive(full + 8 * stage);\n        tma_load(sA", "once too often"},
      {"a barrier that nobody initialised", "mbarrier_init(empty + 8 * stage, 2);", ";", "none was initialised"},
      {"a barrier is initialised twice", "mbarrier_init(empty + 8 * stage, 2);", "mbarrier_init(full + 8 * stage, 2);", "is one already"},
      {"no fence after the barriers' initialisation", "fence_mbarrier_init();", ";", "no fence has shown"},
      {"nobody waits for the barriers' initialisation", "cluster_sync();", ";", ""},
      {"a CTA leaves while another signals it", "cluster_sync();", ";", "has ended", 2, true},
      {"the half of B is for this CTA alone", "full + 8 * stage, 3)", "full + 8 * stage, 1 << rank)", "4096 bytes"},
      {"the half of B is for CTAs that are not there", "full + 8 * stage, 3)", "full + 8 * stage, 7)", "a cluster of 2"},
      {"both halves of B go to one place", "4096 * rank", "0", "before its copy has arrived"},
      {"a box is written between two of its places", "8192 * stage + 4096 * rank", "8192 * stage + 4096 * rank + 64", "multiples of 128"},
      {"the sums are read before their group is over", "wgmma_wait<0>();", ";", "uses a sum"},
      {"the last group is not committed", "wgmma_commit();", "if (k < K_TILES - 1) wgmma_commit();", "uses a sum"},
      {"the registers are not fenced", "wgmma_fence();", ";", "no wgmma.fence"},
      {"the sums are written while wgmma has them", "wgmma_wait<1>();", "d[3] = 0;\n      wgmma_wait<1>();", ""},
      {"the first product adds", "k + i > 0", "1", "instead of"},
      {"every product overwrites", "k + i > 0", "0", "instead of"},
      {"a descriptor has another stride", "smem_descriptor<1024, 128>(sB", "smem_descriptor<512, 128>(sB", "instead of"},
      {"a descriptor has another swizzle", "smem_descriptor<1024, 128>(sA", "smem_descriptor<1024, 64>(sA", "instead of"},
      {"a descriptor does not go along K", "8192 * stage + 32 * i),\n", "8192 * stage),\n", "instead of"},
      {"a box is written without a swizzle", "16 * (unit ^ row % 8)", "16 * unit", "instead of"},
      {"no fence before the store", "fence_async_proxy();", ";", "no proxy fence"},
      {"one thread alone fences before the store", "fence_async_proxy();", "if (thread == 0) fence_async_proxy();", "no proxy fence"},
      {"nobody waits until the box is whole", "named_barrier_sync(1, 128);", ";", "no barrier between"},
      {"the store's barrier counts more threads than come", "named_barrier_sync(1, 128)", "named_barrier_sync(1, 160)",
       "at barrier 1 for 160 threads"},
      {"the store is not committed", "tma_store_commit();", ";", "was not committed"},
      {"the CTA leaves while the store reads", "tma_store_wait<0>();", ";", "was not waited for"},
      {"the box is used again while the store reads", "tma_store_wait<0>();",
       "*reinterpret_cast<uint4*>(smem + STAGES * 16384) = uint4{0, 0, 0, 0};\n      tma_store_wait<0>();", "may still read"},
      {"a store goes elsewhere", "tma_store(&mC, 0, 64 * blockIdx.x, sC)", "tma_store(&mC, 64, 64 * blockIdx.x, sC)", "instead of"},
      {"a map is another tensor's", "&mA, 64 * k", "&mB, 64 * k", ""},
      {"registers in no multiple of 8", "lower_registers<40>", "lower_registers<42>", "42 registers"},
  };
  std::vector<KernelSource> sources;
  for (const Broken& each : all) {
    INFO(each.what);
    const bool in_kernel = kGemm.find(each.from) != std::string_view::npos;  // or in a device function
    const std::string code = in_kernel ? support::exchanged(std::string(kGemm), each.from, each.to, each.n) : std::string(kGemm);
    sources.push_back(support::hopper_text("gemm", code, 64));
    if (!in_kernel) sources.back().text = support::exchanged(sources.back().text, each.from, each.to, each.n);
  }
  const auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  const Problem right = problem();
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool told = false;
    for (const Order order : {Order::first, Order::in_turn}) {  // the latest arrivals, and the earliest
      const std::string fault = fault_of(library->kernel(i), right, order);
      INFO(all[i].what << ", order " << static_cast<int>(order) << ": " << fault);
      told = told || fault != "";
      if (!all[i].in_some_order) CHECK(fault != "");
      if (order == Order::first) CHECK(fault.find(all[i].says) != std::string::npos);
    }
    INFO(all[i].what);
    CHECK(told);
  }
}
