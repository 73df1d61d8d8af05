// SPDX-License-Identifier: BSD-3-Clause
// When two kernels count as equally fast: at both sides of the border, on figures and on a device whose launches vary.
#include "kernels/runtime/measure/noise.hpp"

#include <array>
#include <chrono>
#include <cstdint>

#include "kernels/runtime/measure/timing.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/fake_device.hpp"

using namespace tessera;

namespace {

TimedMode mode_of(double half_kernel, double half_baseline, double ratio = 1) {
  TimedMode mode;
  mode.kernel = {200, 200 * (1 - half_kernel), 200 * (1 + half_kernel), {}};
  mode.baseline = Spread{50, 50 * (1 - half_baseline), 50 * (1 + half_baseline), {}};
  mode.ratio = ratio;
  return mode;
}

// Launches that take a little more or less than they should, each kind in a rhythm of its own.
Timing timed(double kernel_us, double baseline_us, double vary) {
  test::FakeDevice device;
  TimingPlan plan;
  plan.flops = 1e6;
  plan.mode_seconds = 0.02;
  plan.burst_rest = std::chrono::milliseconds(1);
  plan.hold = [](std::int64_t) -> Status { return Done{}; };
  std::array<int, 2> count{};
  const auto launch = [&](std::size_t which, double us) -> Status {
    device.advance(us * (1 + vary * (count[which]++ % 11 - 5) / 4));  // p10 and p90 are `vary` from the median
    return Done{};
  };
  plan.kernel = [&](int) { return launch(0, kernel_us); };
  plan.baseline = [&](int) { return launch(1, baseline_us); };
  return time_kernel(device, plan).value();
}

}  // namespace

TEST_CASE("the noise is made of both spreads and of the control's distance from 1, whichever side it is on") {
  CHECK(*noise_of(mode_of(0, 0), {}) == Approx(0).margin(1e-12));
  CHECK(*noise_of(mode_of(0.003, 0), {}) == Approx(0.003));
  CHECK(*noise_of(mode_of(0, 0.004), {}) == Approx(0.004));
  CHECK(*noise_of(mode_of(0.003, 0.004), {}) == Approx(0.005));
  CHECK(*noise_of(mode_of(0.003, 0.004), 0.998) == Approx(0.007));
  CHECK(*noise_of(mode_of(0.003, 0.004), 1.002) == Approx(0.007));
  TimedMode alone = mode_of(0.1, 0.1);
  alone.baseline.reset();
  CHECK_FALSE(noise_of(alone, 1.0));
  CHECK(*noise_of({{0, 0, 0, {}}, Spread{0, 0, 0, {}}, 1, 0, 0}, 1.0) == 0);
}

TEST_CASE("a difference is measurable beyond the noise and not at it, for a against b as for b against a") {
  CHECK_FALSE(is_measurable(1, 0));
  CHECK(is_measurable(1.0001, 0));
  CHECK_FALSE(is_measurable(1.25, 0.25));
  CHECK_FALSE(is_measurable(0.8, 0.2500001));
  CHECK(is_measurable(1.2500001, 0.25));
  CHECK(is_measurable(0.7999999, 0.25));
  CHECK(is_measurable(0, 1e9));
  CHECK(distance_from_one(0.5) == 1);
  CHECK(distance_from_one(2) == 1);
  CHECK(difference_text(1.002, 0.007) == "no measurable difference: 0.200 % is within this run's noise of 0.700 %");
  CHECK(difference_text(0.992, 0.007) == "a difference of 0.806 %, and this run's noise is 0.700 %");
}

TEST_CASE("on a device whose launches vary, a small difference is none and a large one is one") {
  const Timing still = timed(100, 100.5, 0);
  CHECK(*noise_of(still.interleaved, still.ratio_control) == Approx(0).margin(1e-6));
  CHECK(is_measurable(*still.interleaved.ratio, *noise_of(still.interleaved, still.ratio_control)));
  for (const double other : {96.0, 99.0, 101.0, 104.0}) {
    const Timing varying = timed(100, other, 0.02);
    const double noise = *noise_of(varying.interleaved, varying.ratio_control);
    CAPTURE(other, noise, *varying.interleaved.ratio, *varying.ratio_control);
    CHECK(noise > 0.025);
    CHECK(noise < 0.035);
    CHECK(is_measurable(*varying.interleaved.ratio, noise) == (other == 96.0 || other == 104.0));
  }
}

TEST_CASE("a spread in percent is of p10 to p90, and there is none of nothing") {
  CHECK(*spread_percent(Spread{4, 3, 6, {}}) == 75);
  CHECK_FALSE(spread_percent(Spread{}));
}
