// SPDX-License-Identifier: BSD-3-Clause
// What a measurement asks of the device, launch by launch: cold caches, a warm chip, rests before bursts, and the kernel's own arguments.
#include "kernels/runtime/measure/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;
using test::FakeCompiler;
using test::FakeDevice;
using test::naive_gemm;

namespace {

// A kernel and a baseline that only take time; what was launched on which set is remembered.
struct Timed {
  FakeDevice device;
  TimingPlan plan;
  struct Launch {
    char what;  // 'k' or 'b'
    int set;
    double at_us;
  };
  std::vector<Launch> launches;
  int holds = 0;

  explicit Timed(int sets = 3) {
    plan.sets = sets;
    plan.flops = 1e6;
    plan.mode_seconds = 0.02;
    plan.burst_rest = std::chrono::milliseconds(7);
    plan.kernel = [this](int set) { return run('k', set, device.kernel_us); };
    plan.baseline = [this](int set) { return run('b', set, device.baseline_us); };
    plan.hold = [this](std::int64_t) -> Status {
      ++holds;
      return Done{};
    };
  }
  Status run(char what, int set, double us) {
    launches.push_back({what, set, device.now_us()});
    device.note_launch(std::string(1, what), {}, {});
    device.advance(us);
    return Done{};
  }
  Timing time() { return time_kernel(device, plan).value(); }
};

}  // namespace

TEST_CASE("every launch takes the next copy of the buffers, the kernel's and the baseline's alike") {
  Timed timed(3);
  timed.time();
  REQUIRE(timed.launches.size() > 100);
  for (std::size_t i = 0; i < timed.launches.size(); ++i) {
    INFO("launch " << i);
    REQUIRE(timed.launches[i].set == static_cast<int>(i % 3));
  }
}

TEST_CASE("kernel and baseline take turns while they are timed interleaved") {
  Timed timed;
  timed.time();
  // The first look is six launches of each; then they alternate.
  std::size_t in_turn = 0;
  for (std::size_t i = 12; i + 1 < timed.launches.size() && timed.launches[i].what != timed.launches[i + 1].what; ++i) ++in_turn;
  CHECK(in_turn > 100);
}

TEST_CASE("samples are taken from a warm chip") {
  Timed timed;
  timed.device.cold_us = 50, timed.device.cold_until_us = 8000;  // of the 10 ms that are for heating
  const Timing timing = timed.time();
  const std::vector<double>& samples = timing.interleaved.kernel.samples;
  REQUIRE_FALSE(samples.empty());
  CHECK(*std::max_element(samples.begin(), samples.end()) == Approx(100));
}

TEST_CASE("the first launch, which loads code, tells nothing about a launch's length") {
  Timed timed;
  timed.device.kernel_us = timed.device.baseline_us = 3;
  timed.device.cold_us = 5000, timed.device.cold_until_us = 1;
  CHECK(timed.time().launches_per_sample == 20);
}

TEST_CASE("the chip rests before every burst, and a burst is of one kind") {
  Timed timed;
  timed.time();
  REQUIRE(timed.device.rested.size() == 8);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& rest = timed.device.rested[i];
    CHECK(rest.duration == std::chrono::milliseconds(7));
    const std::size_t end = i + 1 < 8 ? timed.device.rested[i + 1].launches_before : timed.launches.size();
    CHECK(end - rest.launches_before == 8);
    for (std::size_t l = rest.launches_before; l < end; ++l) CHECK(timed.launches[l].what == (i % 2 == 0 ? 'k' : 'b'));
    CHECK(timed.launches[rest.launches_before].at_us - (timed.launches[rest.launches_before - 1].at_us) >= 7000);
  }
}

TEST_CASE("short launches are queued behind a kernel that waits, long ones are not") {
  Timed timed;
  timed.device.kernel_us = timed.device.baseline_us = 100;
  timed.time();
  CHECK(timed.holds == 2 + 8);  // the first looks and the bursts
  Timed fast;
  fast.device.kernel_us = fast.device.baseline_us = 3;
  fast.time();
  CHECK(fast.holds > 2 + 8);
}

TEST_CASE("a kernel is launched with its own grid, block, shared memory, operands and scales") {
  FakeDevice device;
  FakeCompiler compiler;
  CubinCache cache("");
  KernelSource source = naive_gemm(8, 12, 16, "f32", 0.5);
  source.alpha = 3, source.smem_bytes = 4096;
  device.problem = source;
  MeasureOptions options;
  options.make_baseline = test::fake_baseline;
  options.mode_seconds = 0.01;
  options.burst_rest = std::chrono::milliseconds(1);
  REQUIRE(measure(device, compiler, cache, source, options).has_value());
  std::set<DevicePointer> matrices;
  std::size_t kernels = 0, baselines = 0;
  for (const auto& launch : device.launched) {
    if (launch.entry != source.entry && launch.entry != "baseline") continue;
    ++(launch.entry == "baseline" ? baselines : kernels);
    REQUIRE(launch.arguments.size() == 5);
    CHECK(std::get<float>(launch.arguments[3]) == 3.0f);
    CHECK(std::get<float>(launch.arguments[4]) == 0.5f);
    std::set<DevicePointer> own;
    for (std::size_t i = 0; i < 3; ++i) own.insert(std::get<DevicePointer>(launch.arguments[i]));
    CHECK(own.size() == 3);
    matrices.insert(own.begin(), own.end());
    if (launch.entry == "baseline") continue;
    CHECK(launch.shape.grid == source.grid);
    CHECK(launch.shape.block == source.block);
    CHECK(launch.shape.smem_bytes == 4096);
  }
  CHECK(kernels > 50);
  CHECK(baselines > 50);
  CHECK(matrices.size() >= 9);  // the check's three and at least two copies for timing
}

TEST_CASE("the copies of the buffers are more than 320 MB and twice the L2 together") {
  FakeDevice device;
  FakeCompiler compiler;
  CubinCache cache("");
  const KernelSource source = naive_gemm(512, 512, 512);
  for (const std::int64_t l2_bytes : {std::int64_t{1} << 20, std::int64_t{200} << 20}) {
    device.set_memory(std::int64_t{8} << 30, l2_bytes);
    device.allocated.clear();
    const auto sets = BufferSets::make(device, compiler, cache, source, 1).value();
    const std::int64_t bytes = std::accumulate(device.allocated.begin(), device.allocated.end(), std::int64_t{0});
    CHECK(bytes >= std::max<std::int64_t>(320'000'000, 2 * l2_bytes));
    CHECK(sets.count() * 3 * 512 * 512 * 4 <= bytes);
    CHECK(sets.a(1) - sets.a(0) >= 512 * 512 * 4);
    CHECK(sets.c(sets.count() - 1) - sets.c(0) == (sets.count() - 1) * (sets.c(1) - sets.c(0)));
    std::set<std::int64_t> seeds;
    for (const auto& launch : device.launched) {
      if (launch.entry == "tessera_fill") seeds.insert(std::get<std::int64_t>(launch.arguments[2]));
    }
    CHECK(seeds.size() == 3);  // A, B and C are not the same numbers
  }
}

TEST_CASE("there are as many copies of the buffers as 320 MB hold, two at least, and no more than a quarter of the memory holds") {
  FakeDevice device;
  FakeCompiler compiler;
  CubinCache cache("");
  constexpr std::int64_t kOne = std::int64_t{3} << 20;  // bytes of A, B and C together
  for (const std::int64_t sets_in_memory : {0, 1, 2, 3, 7, 200}) {
    device.set_memory(4 * kOne * sets_in_memory + 5, 1 << 20);
    std::int64_t expected = 2;
    while (expected < sets_in_memory && expected * kOne < 320'000'000) ++expected;
    CAPTURE(sets_in_memory);
    CHECK(BufferSets::make(device, compiler, cache, naive_gemm(512, 512, 512), 1).value().count() == expected);
  }
}

TEST_CASE("a way that is fast alone and not beside the kernel is not the best") {
  Timed timed;
  double slow_from = 1e300;
  timed.plan.more_ways = {[&](int set) { return timed.run('w', set, timed.device.now_us() < slow_from ? 50 : 90); }};
  CHECK(timed.time().best->way == 1);
  // The same again, slow as soon as the kernel is launched beside it.
  timed.launches.clear();
  timed.plan.kernel = [&](int set) {
    if (!timed.launches.empty() && timed.launches.back().what == 'w') slow_from = 0;
    return timed.run('k', set, timed.device.kernel_us);
  };
  const Timing timing = timed.time();
  CHECK(timing.best->alone_us == std::vector<double>{80, 50});
  CHECK(timing.best->way == 0);
  for (const TimingMode& of : kTimingModes) {
    CHECK_FALSE(((*timing.best).*of.best).has_value());
    CHECK(&beside_best(timing, of) == &(timing.*of.mode));
  }
}

TEST_CASE("the fastest way is timed beside the kernel by each way of timing, and kept where it leaves a smaller ratio") {
  Timed timed;
  timed.plan.more_ways = {[&](int set) { return timed.run('w', set, 50); }, [&](int set) { return timed.run('v', set, 95); }};
  const Timing timing = timed.time();
  CHECK(timing.best->way == 1);
  for (const TimingMode& of : kTimingModes) {
    INFO(of.name);
    const TimedMode &first = timing.*of.mode, &best = beside_best(timing, of);
    CHECK(&best != &first);
    CHECK(*first.ratio == Approx(0.8));
    CHECK(*best.ratio == Approx(0.5));
    CHECK(best.kernel.median == Approx(100));
    CHECK(best.baseline->median == Approx(50));
    CHECK(best.baseline->samples.size() == first.baseline->samples.size());
  }
  CHECK(std::count_if(timed.launches.begin(), timed.launches.end(), [](const auto& each) { return each.what == 'v'; }) < 40);
  // A way that is fast in its first look and after a rest: of it the burst alone is kept.
  Timed bursts;
  int calls = 0;
  bursts.plan.more_ways = {[&](int set) { return bursts.run('w', set, ++calls <= 30 || !bursts.device.rested.empty() ? 50 : 90); }};
  const Timing some = bursts.time();
  CHECK(some.best->way == 1);
  CHECK(some.best->burst.has_value());
  CHECK_FALSE(some.best->interleaved.has_value());
}

TEST_CASE("each way of timing tells what a launch takes, however long it is, and as many samples of both") {
  for (const auto& [kernel_us, baseline_us] : {std::pair{100.0, 80.0}, {3.0, 6.0}, {700.0, 35.0}, {20000.0, 100.0}}) {
    Timed timed;
    timed.device.kernel_us = kernel_us, timed.device.baseline_us = baseline_us;
    const Timing timing = timed.time();
    INFO(kernel_us << " and " << baseline_us);
    for (const TimedMode* mode : {&timing.interleaved, &timing.alone, &timing.burst}) {
      REQUIRE(mode->baseline);
      CHECK(mode->kernel.median == Approx(kernel_us));
      CHECK(mode->kernel.p90 == Approx(kernel_us));
      CHECK(mode->baseline->median == Approx(baseline_us));
      CHECK(*mode->ratio == Approx(baseline_us / kernel_us));
      CHECK(mode->kernel_tflops == Approx(1e6 / kernel_us * 1e-6));
      CHECK(*mode->baseline_tflops == Approx(1e6 / baseline_us * 1e-6));
      CHECK(mode->kernel.samples.size() == mode->baseline->samples.size());
    }
    CHECK(*timing.ratio_control == Approx(1));
    CHECK(timing.burst.kernel.samples.size() == 32);
    CHECK(timing.alone.kernel.samples.size() == 3);
  }
}
