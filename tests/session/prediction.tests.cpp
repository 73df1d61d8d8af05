// SPDX-License-Identifier: BSD-3-Clause
// What was expected of a run, and whether it came true: by the ratios to cuBLASLt where both have one, and never beyond the noise.
#include "app/session/gemm/prediction.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/timed_report.hpp"

using namespace tessera;
using Says = Prediction::Says;

namespace {

GemmReport timed(double us, std::optional<double> percent = std::nullopt, double noise = 0.01) {
  GemmReport report = support::timed_report(us, 2);
  report.percent_of_baseline = percent;
  if (percent) report.noise = noise;
  return report;
}

}  // namespace

TEST_CASE("two runs that were timed beside cuBLASLt are compared by their ratios to it, others by their medians") {
  // The clock was lower in the second run: its median is larger, and the kernel is faster all the same.
  const std::optional<SpeedRatio> beside = speed_ratio(timed(10, 80), timed(11, 88));
  REQUIRE(beside);
  CHECK(beside->ratio == Approx(1.1));
  CHECK(beside->noise == Approx(std::hypot(0.01, 0.01)));
  CHECK(beside->measurable());
  const std::optional<SpeedRatio> alone = speed_ratio(timed(10), timed(8, 90));
  REQUIRE(alone);
  CHECK(alone->ratio == Approx(1.25));
  CHECK(alone->noise == Approx(std::hypot(0.01, 0.01)));
  CHECK_FALSE(speed_ratio(GemmReport{}, timed(8)));
  CHECK_FALSE(speed_ratio_to_baseline(timed(8)));
  CHECK(speed_ratio_to_baseline(timed(8, 90))->ratio == Approx(0.9));
}

TEST_CASE("a prediction comes true where the direction does, and how much is said beside it") {
  const SpeedRatio faster{1.12, 0.007, "the last result"}, none{1.002, 0.007, "the last result"}, slower{0.5, 0.007, "cuBLASLt"};
  const Verdict right = judge({Says::faster, 20}, faster);
  CHECK(right.came_true);
  CHECK(right.words == "Right: you said faster by 20 %; beside the last result it was 1.12 times as fast: 12.0 % faster");
  CHECK_FALSE(judge({Says::slower, 5}, faster).came_true);
  CHECK_FALSE(judge({Says::same, 0}, faster).came_true);
  CHECK(judge({Says::same, 0}, none).came_true);
  const Verdict within = judge({Says::faster, 1}, none);
  CHECK_FALSE(within.came_true);
  CHECK(within.words ==
        "Not so: you said faster by 1 %; beside the last result it was no measurable difference: 0.200 % is within this run's noise of "
        "0.700 %");
  CHECK(judge({Says::slower, 100}, slower).words ==
        "Right: you said slower by 100 %; beside cuBLASLt it was 0.5 times as fast: 100 % slower");
}
