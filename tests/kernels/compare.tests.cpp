// SPDX-License-Identifier: BSD-3-Clause
// Two kernels on a fake device: both checked, launched in turn on buffers of their own, and each the other's baseline.
#include "kernels/runtime/measure/compare.hpp"

#include <chrono>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "kernels/runtime/measure/timing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/naive_gemm.hpp"

using namespace tessera;
using test::naive_gemm;

namespace {

struct Bench {
  test::FakeDevice device;
  test::FakeCompiler compiler;
  CubinCache cache{""};
  MeasureOptions options;
  KernelSource a = naive_gemm(8, 12, 16), b = a;

  Bench() {
    a.name = "first", b.name = "second";
    b.entry = "naive_gemm_b";
    device.problem = a;
    device.entry_us = {{"naive_gemm_b", 250}};
    options.mode_seconds = 0.02;
    options.burst_rest = std::chrono::milliseconds(1);
  }
  Result<Comparison> run() { return compare(device, compiler, cache, a, b, options); }
  std::vector<test::FakeDevice::Launched> launches(const std::string& entry) const {
    std::vector<test::FakeDevice::Launched> found;
    for (const auto& launch : device.launched) {
      if (launch.entry == entry) found.push_back(launch);
    }
    return found;
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("two kernels are timed in turn, and each is the other's baseline") {
  Bench bench;
  bench.b.flops = 2 * bench.a.flops;
  const Result<Comparison> both = bench.run();
  INFO((both ? "" : describe(both.error())));
  REQUIRE(both);
  REQUIRE(both->a.timing);
  REQUIRE(both->b.timing);
  for (const auto mode : {&Timing::interleaved, &Timing::alone, &Timing::burst}) {
    const TimedMode &of_a = *both->a.timing.*mode, &of_b = *both->b.timing.*mode;
    CHECK(of_a.kernel.median == Approx(100));
    CHECK(of_a.baseline->median == Approx(250));
    CHECK(*of_a.ratio == Approx(2.5));
    CHECK(of_b.kernel.median == Approx(250));
    CHECK(of_b.baseline->median == Approx(100));
    CHECK(*of_b.ratio == Approx(0.4));
    CHECK(of_a.kernel_tflops == Approx(bench.a.flops / 100e-6 * 1e-12));
    CHECK(*of_a.baseline_tflops == Approx(2 * bench.a.flops / 250e-6 * 1e-12));
    CHECK(of_b.kernel_tflops == *of_a.baseline_tflops);
    CHECK(*of_b.baseline_tflops == of_a.kernel_tflops);
  }
  CHECK(both->a.name == "first");
  CHECK(both->b.name == "second");
  CHECK(both->a.timing->baseline_name == "second");
  CHECK(both->b.timing->baseline_name == "first");
  CHECK(*both->a.timing->ratio_control == Approx(1));
  CHECK_FALSE(both->b.timing->ratio_control);
  CHECK(bench.device.live_allocations() == 0);
  // Sustained alternation: between two launches of a there is one of b.
  std::string order;
  for (const auto& launch : bench.device.launched) {
    if (launch.entry == "naive_gemm") order += 'a';
    if (launch.entry == "naive_gemm_b") order += 'b';
  }
  CHECK(has(order, "abababababababababab"));
}

TEST_CASE("each kernel of a comparison walks all copies of its own buffers") {
  Bench bench;
  const Result<Comparison> both = bench.run();
  REQUIRE(both);
  std::set<DevicePointer> places[2];
  for (const std::size_t i : {0u, 1u}) {
    std::map<DevicePointer, int> uses;
    for (const auto& launch : bench.launches(i == 0 ? "naive_gemm" : "naive_gemm_b")) ++uses[std::get<DevicePointer>(launch.arguments[0])];
    for (const auto& [place, count] : uses) {
      if (count > 4) places[i].insert(place);  // more than the checks before and after
    }
    CHECK(places[i].size() == static_cast<std::size_t>(both->a.timing->buffer_sets));
  }
  for (const DevicePointer place : places[0]) CHECK_FALSE(places[1].contains(place));
}

TEST_CASE("where one of two kernels is wrong neither has a speed, and it is said which") {
  Bench bench;
  const bool first = GENERATE(true, false);
  (first ? bench.a : bench.b).entry = "naive_gemm_wrong";
  const Result<Comparison> both = bench.run();
  REQUIRE(both);
  CHECK(both->a.correctness.passed == !first);
  CHECK(both->b.correctness.passed == first);
  CHECK_FALSE(both->a.timing);
  CHECK_FALSE(both->b.timing);
  CHECK(bench.launches("tessera_hold").empty());
}

TEST_CASE("a kernel that is wrong after the timing takes the speed from both") {
  Bench bench;
  const bool first = GENERATE(true, false);
  bench.options.progress = [&](std::string_view stage, double fraction) {
    if (stage == "time" && fraction == 1.0) bench.device.spoiled = first ? "naive_gemm" : "naive_gemm_b";
  };
  const Result<Comparison> both = bench.run();
  REQUIRE(both);
  CHECK_FALSE(both->a.timing);
  CHECK_FALSE(both->b.timing);
  CHECK(has((first ? both->a : both->b).correctness.reason, "right at first, wrong after the timing"));
  CHECK((first ? both->b : both->a).correctness.passed);
}

TEST_CASE("a comparison without timing checks both, and a rate that cannot be is refused for either") {
  Bench bench;
  SECTION("check only") {
    bench.options.timing = false;
    const Result<Comparison> both = bench.run();
    REQUIRE(both);
    CHECK(both->a.correctness.passed);
    CHECK(both->b.correctness.passed);
    CHECK_FALSE(both->a.timing);
  }
  SECTION("an impossible rate of the second") {
    bench.b.flops = 1e15;
    CHECK(bench.run().error().code == ErrorCode::measurement_fault);
  }
  SECTION("an impossible rate of the first") {
    bench.a.flops = 1e15;
    CHECK(bench.run().error().code == ErrorCode::measurement_fault);
  }
  SECTION("a stop") {
    std::stop_source stop;
    bench.options.stop = stop.get_token();
    stop.request_stop();
    CHECK(bench.run().error().message == "the measurement was stopped");
  }
}
