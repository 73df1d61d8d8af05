// SPDX-License-Identifier: BSD-3-Clause
// Hopper's instructions one by one, in kernels that do little else: boxes at the edges of a tensor, every swizzle, groups of stores,
// matrices of 8 rows, barriers by number and mbarriers of threads.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/swizzle.hpp"
#include "tests/host/hopper_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/element_bytes.hpp"

using namespace tessera;
using host::Order;

namespace {

constexpr Order kOrders[] = {Order::first, Order::last, Order::in_turn, Order::shuffled};
using Half = std::uint16_t;  // any 16 bits

template <class T>
std::span<std::byte> bytes(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

host::KernelLibrary compiled(const std::vector<KernelSource>& sources) {
  auto library = host::KernelLibrary::compile(sources);
  if (!library) FAIL(library.error().message);
  return *std::move(library);
}

// Runs a kernel of (const TensorMap map, void* memory, int row, int column); what is wrong with it, or "".
std::string ran(const host::HostKernel& kernel, const host::Launch& launch, const HostTensorMap& map, std::span<std::byte> of_map,
                std::span<std::byte> memory, int row = 0, int column = 0) {
  using Entry = void (*)(HostTensorMap, void*, int, int);
  const std::span<std::byte> all[] = {of_map, memory};
  const Status status =
      host::run(kernel, launch, all, [&](void* entry) { reinterpret_cast<Entry>(entry)(map, memory.data(), row, column); });
  return status ? "" : describe(status.error());
}

// The same for a kernel without a map.
std::string ran(const host::HostKernel& kernel, const host::Launch& launch, std::span<std::byte> memory) {
  std::vector<Half> unused(64);
  return ran(kernel, launch, support::bf16_map(bytes(unused), 8, 8, 8, 8, 8, 0), bytes(unused), memory);
}

std::string kernel(const std::string& body, const std::string& constants = "") {
  return constants +
         "extern \"C\" __global__ void kernel(const __grid_constant__ TensorMap map, unsigned short* memory, int row, int column) {\n" +
         "  extern __shared__ __align__(1024) unsigned char smem[];\n  const int thread = threadIdx.x;\n" + body + "}\n";
}

// Where the element at a byte of a box lies: CuTe's Swizzle of byte addresses.
std::int64_t place(int swizzle_bytes, std::int64_t byte) {
  if (swizzle_bytes == 0) return byte;
  const Swizzle swizzle = Swizzle::make(swizzle_bytes == 128 ? 3 : swizzle_bytes == 64 ? 2 : 1, 4, 3).value();
  return swizzle(byte);
}

}  // namespace

TEST_CASE("a box of TMA is swizzled by its bytes' addresses, zero where it hangs over the tensor's edge, and stored inside it alone") {
  constexpr int kRows = 20, kColumns = 72, kBoxRows = 16;
  const std::vector<KernelSource> sources{support::hopper_text("kernel", kernel(R"(
  const unsigned box = smem_address(smem), full = box + BOX;
  if (thread == 0) {
    mbarrier_init(full, 1);
    fence_mbarrier_init();
    mbarrier_expect(full, BOX);
    tma_load(box, &map, column, row, full);
  }
  __syncthreads();
  mbarrier_wait(full, 0);
  for (int i = thread; i < BOX / 2; i += 32) {
    unsigned short* halves = reinterpret_cast<unsigned short*>(smem);
    memory[i] = halves[i];
  }
)",
                                                                                "constexpr int BOX = 16 * INNER;\n")),
                                          support::hopper_text("kernel", kernel(R"(
  for (int i = thread; i < BOX / 2; i += 32) {
    unsigned short* halves = reinterpret_cast<unsigned short*>(smem);
    halves[i] = memory[i];
  }
  fence_async_proxy();
  __syncthreads();
  if (thread == 0) {
    tma_store(&map, column, row, smem_address(smem));
    tma_store_commit();
    tma_store_wait_read<0>();
  }
)",
                                                                                "constexpr int BOX = 16 * INNER;\n"))};
  for (const int swizzle : {0, 32, 64, 128}) {
    const int inner = swizzle == 0 ? 64 : swizzle, box_columns = inner / 2, elements = kBoxRows * box_columns;
    std::vector<KernelSource> sized = sources;
    for (KernelSource& each : sized) each.text = support::exchanged(each.text, "INNER", fmt::format("{}", inner));
    const host::KernelLibrary library = compiled(sized);
    for (const auto& [row, column] : {std::pair{0, 0}, {3, 8}, {10, 60}, {-5, -6}, {25, 0}, {0, 80}}) {
      for (const Order order : kOrders) {
        INFO("swizzle " << swizzle << ", box at " << row << ", " << column << ", order " << static_cast<int>(order));
        std::vector<Half> tensor(kRows * kColumns), held(static_cast<std::size_t>(elements), 7), want(held.size());
        for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] = static_cast<Half>(i + 1);
        const HostTensorMap map = support::bf16_map(bytes(tensor), kRows, kColumns, kColumns, kBoxRows, box_columns, swizzle);
        const host::Launch launch{{1, 1, 1}, {32, 1, 1}, kBoxRows * inner + 8, order, 3};
        for (int r = 0; r < kBoxRows; ++r) {
          for (int c = 0; c < box_columns; ++c) {
            const bool inside = row + r >= 0 && row + r < kRows && column + c >= 0 && column + c < kColumns;
            want[static_cast<std::size_t>(place(swizzle, (r * box_columns + c) * 2) / 2)] =
                inside ? tensor[static_cast<std::size_t>((row + r) * kColumns + column + c)] : Half{0};
          }
        }
        CHECK(ran(library.kernel(0), launch, map, bytes(tensor), bytes(held), row, column) == "");
        CHECK(held == want);
        std::vector<Half> stored = tensor;
        for (std::size_t i = 0; i < held.size(); ++i) held[i] = static_cast<Half>(2000 + i);
        for (int r = 0; r < kBoxRows; ++r) {
          for (int c = 0; c < box_columns; ++c) {
            if (row + r < 0 || row + r >= kRows || column + c < 0 || column + c >= kColumns) continue;
            stored[static_cast<std::size_t>((row + r) * kColumns + column + c)] =
                held[static_cast<std::size_t>(place(swizzle, (r * box_columns + c) * 2) / 2)];
          }
        }
        CHECK(ran(library.kernel(1), launch, map, bytes(tensor), bytes(held), row, column) == "");
        CHECK(tensor == stored);
      }
    }
  }
}

TEST_CASE("a box is written again when all but the last group of stores have read theirs, and no sooner") {
  // Eight boxes of 8 rows of 128 bytes, through two places of shared memory.
  const std::string code = kernel(R"(
  for (int box = 0; box < 8; ++box) {
    const int place = box % 2 * 1024;
    if (thread == 0) tma_store_wait_read<1>();
    __syncthreads();
    for (int i = thread; i < 512; i += 32) {
      unsigned short* halves = reinterpret_cast<unsigned short*>(smem + place);
      halves[i] = 512 * box + i;
    }
    fence_async_proxy();
    __syncthreads();
    if (thread == 0) {
      tma_store(&map, 0, 8 * box, smem_address(smem + place));
      tma_store_commit();
    }
  }
  if (thread == 0) tma_store_wait<0>();
)");
  const auto changed = [&](const char* from, const char* to, int n = 1) { return support::exchanged(code, from, to, n); };
  const std::string without = changed("fence_async_proxy();", "");
  std::vector<std::string> all{code};
  all.push_back(support::exchanged(without, "tma_store(&map", "fence_async_proxy();\n      tma_store(&map"));  // by who knows of the writes
  const std::size_t right = all.size();
  all.push_back(support::exchanged(without, "for (int i", "fence_async_proxy();\n    for (int i"));  // before the writes
  for (const auto& each : {without, changed("wait_read<1>", "wait_read<2>"), changed("if (thread == 0) tma_store_wait_read<1>();", ""),
                           changed("__syncthreads();", ";"), changed("__syncthreads();", ";", 2),
                           changed("tma_store_wait<0>();", "tma_store_wait<1>();"), changed("tma_store_commit();", "")})
    all.push_back(each);
  std::vector<KernelSource> sources;
  for (const std::string& each : all) sources.push_back(support::hopper_text("kernel", each));
  const host::KernelLibrary library = compiled(sources);
  for (const Order order : kOrders) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      INFO(all[i] << ", order " << static_cast<int>(order));
      std::vector<Half> tensor(64 * 64), memory(1), want(tensor.size());
      for (std::size_t each = 0; each < want.size(); ++each) want[each] = static_cast<Half>(each);
      const HostTensorMap map = support::bf16_map(bytes(tensor), 64, 64, 64, 8, 64, 0);
      const std::string fault = ran(library.kernel(i), {{1, 1, 1}, {32, 1, 1}, 2048, order, 5}, map, bytes(tensor), bytes(memory));
      UNSCOPED_INFO(fault);
      if (i < right) {
        CHECK(fault == "");
        CHECK(tensor == want);
      } else {
        CHECK(fault != "");
      }
    }
  }
}

TEST_CASE("stmatrix writes rows that ldmatrix reads back, and each row where a lane says") {
  // Lane 8 i + j gives row j of matrix i, the matrices one below the other; register i of a lane holds elements of matrix i.
  std::vector<KernelSource> sources;
  for (const int matrices : {1, 2, 4}) {
    sources.push_back(support::hopper_text("kernel", kernel(fmt::format(R"(
  unsigned r[4], back[4];
  for (int i = 0; i < 4; ++i) r[i] = 0x10001 * (256 + 64 * i + thread / 4 * 8 + thread % 4 * 2) + 0x10000;
  const unsigned lane_row = smem_address(smem) + 16 * thread;
  stmatrix_x{0}(lane_row, r);
  __syncthreads();
  ldmatrix_x{0}(back, lane_row);
  unsigned short* halves = reinterpret_cast<unsigned short*>(smem);
  for (int i = thread; i < 64 * {0}; i += 32) memory[i] = halves[i];
  memory[256 + thread] = 0;
  for (int i = 0; i < {0}; ++i) memory[256 + thread] += back[i] == r[i];
)",
                                                                        matrices))));
  }
  const host::KernelLibrary library = compiled(sources);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t matrices = std::size_t{1} << i;
    std::vector<Half> memory(288, 0xffff);
    CHECK(ran(library.kernel(i), {{1, 1, 1}, {32, 1, 1}, 512, Order::shuffled, 2}, bytes(memory)) == "");
    for (std::size_t at = 0; at < 64 * matrices; ++at) {
      INFO(matrices << " matrices, element " << at);
      CHECK(memory[at] == 256 + at);
    }
    for (std::size_t lane = 0; lane < 32; ++lane) CHECK(memory[256 + lane] == matrices);
  }
}

TEST_CASE("barriers by number let two warps take turns, and who misses one, or comes for another number of threads, is told") {
  const std::string code = kernel(R"(
  const int warp = thread / 32;
  if (warp == 1) named_barrier_arrive(1, 64);
  for (int turn = 0; turn < 6; ++turn) {
    named_barrier_sync(1 + warp, 64);
    if (thread % 32 == 0) {
      *reinterpret_cast<int*>(smem) = turn == 0 && warp == 0 ? 1 : 2 * *reinterpret_cast<int*>(smem) + warp;
    }
    if (warp == 0 || turn < 5) named_barrier_arrive(2 - warp, 64);
  }
  if (thread == 32) memory[0] = *reinterpret_cast<int*>(smem);
)");
  const auto broken = [&](const char* from, const char* to) { return support::hopper_text("kernel", support::exchanged(code, from, to)); };
  const host::KernelLibrary library =
      compiled({support::hopper_text("kernel", code), broken("if (warp == 1) named", "if (warp == 2) named"),
                broken("arrive(2 - warp, 64)", "arrive(2 - warp, 96)"), broken("named_barrier_sync(1 + warp, 64);", ";"),
                broken("if (warp == 0 || turn < 5) named", "if (warp == 0) named"), broken("sync(1 + warp, 64)", "sync(17 + warp, 64)"),
                broken("sync(1 + warp, 64)", "sync(1 + warp, 40)"), broken("arrive(2 - warp, 64)", "arrive(1 + warp, 64)")});
  for (const Order order : kOrders) {
    for (std::size_t i = 0; i < 8; ++i) {
      INFO("kernel " << i << ", order " << static_cast<int>(order));
      std::vector<Half> memory(1);
      const std::string fault = ran(library.kernel(i), {{1, 1, 1}, {64, 1, 1}, 16, order, 5}, bytes(memory));
      UNSCOPED_INFO(fault);
      if (i == 0) {
        CHECK(fault == "");
        CHECK(memory[0] == 0b110101010101 % 65536);
      } else {
        CHECK(fault != "");
      }
    }
  }
}

TEST_CASE("mbarriers order what threads write and read, phase by phase") {
  // Warp 0 fills 32 words, warp 1 sums them up, five times.
  const std::string code = kernel(R"(
  const unsigned full = smem_address(smem) + 128, empty = full + 8;
  if (thread == 0) {
    mbarrier_init(full, 32);
    mbarrier_init(empty, 1);
  }
  __syncthreads();
  for (int lap = 0; lap < 5; ++lap) {
    if (thread < 32) {
      mbarrier_wait(empty, (lap + 1) & 1);
      *reinterpret_cast<int*>(smem + 4 * thread) = lap * thread;
      mbarrier_arrive(full);
    } else if (thread == 32) {
      mbarrier_wait(full, lap & 1);
      int sum = 0;
      for (int i = 0; i < 32; ++i) sum += *reinterpret_cast<int*>(smem + 4 * i);
      memory[lap] = sum;
      mbarrier_arrive(empty);
    }
  }
)");
  const auto broken = [&](const char* from, const char* to) { return support::hopper_text("kernel", support::exchanged(code, from, to)); };
  const host::KernelLibrary library =
      compiled({support::hopper_text("kernel", code), broken("mbarrier_init(full, 32)", "mbarrier_init(full, 31)"),
                broken("mbarrier_init(full, 32)", "mbarrier_init(full, 33)"), broken("mbarrier_init(full, 32)", "mbarrier_init(full, 0)"),
                broken("(lap + 1) & 1", "lap & 1"), broken("mbarrier_wait(full, lap & 1);", ";"), broken("mbarrier_arrive(empty);", ";"),
                broken("mbarrier_wait(empty, (lap + 1) & 1);", ";"), broken("__syncthreads();", ";"), broken("smem) + 128", "smem) + 124"),
                broken("smem) + 128", "smem) + 64"), broken("full + 8", "full + 800"), broken("(full, lap & 1)", "(full, lap)")});
  for (const Order order : kOrders) {
    for (std::size_t i = 0; i < 13; ++i) {
      INFO("kernel " << i << ", order " << static_cast<int>(order));
      std::vector<Half> memory(5);
      const std::string fault = ran(library.kernel(i), {{1, 1, 1}, {64, 1, 1}, 144, order, 5}, bytes(memory));
      UNSCOPED_INFO(fault);
      if (i == 0) {
        CHECK(fault == "");
        CHECK(memory == std::vector<Half>{0, 496, 992, 1488, 1984});
      } else {
        CHECK(fault != "");
      }
    }
  }
}

TEST_CASE("wgmma reads K-major operands of every swizzle and width") {
  // d (64,n) = a (64,k) b (n,k)^T, where k fills the rows of a swizzle.
  constexpr std::string_view kMultiply = R"(
  const unsigned a = smem_address(smem), b = a + 64 * INNER, full = b + N * INNER;
  if (thread == 0) {
    mbarrier_init(full, 1);
    fence_mbarrier_init();
    mbarrier_expect(full, (64 + N) * INNER);
    tma_load(a, &map, 0, 0, full);
    for (int i = 0; i < N; i += 64) tma_load(b + i * INNER, &map, 0, 64 + i, full);
  }
  __syncthreads();
  mbarrier_wait(full, 0);
  float d[N / 2];
  wgmma_fence();
  for (int k = 0; k < INNER / 32; ++k)
    wgmma(d, smem_descriptor<8 * INNER, INNER>(a + 32 * k), smem_descriptor<8 * INNER, INNER>(b + 32 * k), k > 0);
  wgmma_commit();
  wgmma_wait<0>();
  for (int i = 0; i < N / 2; ++i) {
    keep_in_order(d[i]);
    const int m = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + thread % 4 * 2 + i % 2;
    memory[m * N + n] = (short)d[i];
  }
)";
  std::mt19937 random(11);
  for (const int n : {64, 192}) {
    for (const int inner : {32, 64, 128}) {
      const int k = inner / 2;
      const std::string code = kernel(std::string(kMultiply), fmt::format("constexpr int INNER = {}, N = {};\n", inner, n));
      const host::KernelLibrary library = compiled({support::hopper_text("kernel", code, n)});
      std::vector<double> values;
      for (int i = 0; i < (64 + n) * k; ++i) values.push_back(static_cast<int>(random() % 9) - 4);
      std::vector<std::byte> operands = support::bytes_of(values, {"bf16", (64 + n) * k, 2});
      const HostTensorMap map = support::bf16_map(operands, 64 + n, k, k, 64, k, inner);
      for (const Order order : kOrders) {
        INFO("n " << n << ", rows of " << inner << " bytes, order " << static_cast<int>(order));
        std::vector<std::int16_t> got(static_cast<std::size_t>(64 * n)), want;
        for (int i = 0; i < 64 * n; ++i) {
          const double *a = &values[static_cast<std::size_t>(i / n * k)], *b = &values[static_cast<std::size_t>((64 + i % n) * k)];
          want.push_back(static_cast<std::int16_t>(std::inner_product(a, a + k, b, 0.0)));
        }
        CHECK(ran(library.kernel(0), {{1, 1, 1}, {128, 1, 1}, (64 + n) * inner + 8, order, 5}, map, operands, bytes(got)) == "");
        CHECK(got == want);
      }
    }
  }
}

TEST_CASE("wgmma reads MN-major operands of every swizzle and width") {
  // d (64,n) = a (64,32) b (n,32)^T from a matrix of 32 rows of K with 64 + n columns: blocks of OF_ROW of them, 32 rows each.
  constexpr std::string_view kMultiply = R"(
  constexpr int OF_ROW = INNER / 2, BLOCK = 32 * INNER;
  const unsigned a = smem_address(smem), b = a + 64 / OF_ROW * BLOCK, full = b + N / OF_ROW * BLOCK;
  if (thread == 0) {
    mbarrier_init(full, 1);
    fence_mbarrier_init();
    mbarrier_expect(full, (64 + N) * 64);
    for (int i = 0; i < (64 + N) / OF_ROW; ++i) tma_load(a + i * BLOCK, &map, i * OF_ROW, 0, full);
  }
  __syncthreads();
  mbarrier_wait(full, 0);
  float d[N / 2];
  wgmma_fence();
  for (int k = 0; k < 2; ++k)
    wgmma(d, smem_descriptor_mn<BLOCK, 8 * INNER, INNER>(a + 16 * INNER * k),
          smem_descriptor_mn<BLOCK, 8 * INNER, INNER>(b + 16 * INNER * k), k > 0);
  wgmma_commit();
  wgmma_wait<0>();
  for (int i = 0; i < N / 2; ++i) {
    keep_in_order(d[i]);
    const int m = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + thread % 4 * 2 + i % 2;
    memory[m * N + n] = (short)d[i];
  }
)";
  std::mt19937 random(12);
  constexpr int k = 32;
  for (const int n : {64, 192}) {
    for (const int inner : {32, 64, 128}) {
      const std::string code = kernel(std::string(kMultiply), fmt::format("constexpr int INNER = {}, N = {};\n", inner, n));
      const auto changed = [&](const char* from, const char* to) { return support::exchanged(code, from, to); };
      const host::KernelLibrary library = compiled(
          {support::hopper_text("kernel", code, n, true, true), support::hopper_text("kernel", code, n, false, true),
           support::hopper_text("kernel", code, n, true, false),
           support::hopper_text("kernel", changed("_mn<BLOCK, 8 * INNER, INNER>(a", "_mn<BLOCK, 16 * INNER, INNER>(a"), n, true, true),
           support::hopper_text("kernel", changed("_mn<BLOCK, 8 * INNER, INNER>(b", "_mn<BLOCK / 2, 8 * INNER, INNER>(b"), n, true, true)});
      const int columns = 64 + n;
      std::vector<double> values;
      for (int i = 0; i < columns * k; ++i) values.push_back(static_cast<int>(random() % 9) - 4);
      std::vector<std::byte> operands = support::bytes_of(values, {"bf16", columns * k, 2});
      const HostTensorMap map = support::bf16_map(operands, k, columns, columns, k, inner / 2, inner);
      std::vector<std::int16_t> want(static_cast<std::size_t>(64 * n));
      for (int i = 0; i < 64 * n; ++i) {
        for (int j = 0; j < k; ++j)
          want[static_cast<std::size_t>(i)] =
              static_cast<std::int16_t>(want[static_cast<std::size_t>(i)] + values[static_cast<std::size_t>(j * columns + i / n)] *
                                                                                values[static_cast<std::size_t>(j * columns + 64 + i % n)]);
      }
      for (const Order order : kOrders) {
        for (std::size_t i = 0; i < 5; ++i) {
          INFO("n " << n << ", rows of " << inner << " bytes, order " << static_cast<int>(order) << ", kernel " << i);
          std::vector<std::int16_t> got(want.size());
          const std::string fault = ran(library.kernel(i), {{1, 1, 1}, {128, 1, 1}, columns * 64 + 8, order, 5}, map, operands, bytes(got));
          UNSCOPED_INFO(fault);
          const bool one_block = i == 4 && n == 64 && inner == 128;  // b has no second block, whose distance would matter
          if (i == 0 || one_block) {
            CHECK(fault == "");
            CHECK(got == want);
          } else {
            CHECK((fault != "" || got != want));
          }
        }
      }
    }
  }
}
