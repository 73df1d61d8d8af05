// SPDX-License-Identifier: BSD-3-Clause
// What a person expects of a run, and whether it came true.
//
//   {faster, 20 %} and a ratio of 1.12 with a noise of 0.7 %:  "You said faster by 20 %: it was 1.12 times as fast, 12.0 % faster."
//
// Clocks differ from run to run. Two runs that were both timed in turn with cuBLASLt are compared by their ratios to it; others by their
// medians, of which half of p10 to p90 is the noise of each (measure/noise.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/gemm/jobs.hpp"

namespace tessera {

struct Prediction {
  enum class Says : std::uint8_t { faster, slower, same } says = Says::same;
  double percent = 0;  // by how much; of `same` 0
  friend bool operator==(const Prediction&, const Prediction&) = default;
};
std::string to_string(const Prediction& prediction);  // "faster by 20 %", "no difference"

// One result beside another: how many times as fast, and up to where that is no measurable difference.
struct SpeedRatio {
  double ratio = 1;  // above 1: the second is the faster
  double noise = 0;
  std::string beside;  // "the last result", "cuBLASLt"
  bool measurable() const;
};
// Nothing where one of both has no time.
std::optional<SpeedRatio> speed_ratio(const GemmReport& before, const GemmReport& now);
std::optional<SpeedRatio> speed_ratio_to_baseline(const GemmReport& now);
// "1.12 times as fast: 12.0 % faster", "no measurable difference: 0.200 % is within this run's noise of 0.700 %"
std::string to_string(const SpeedRatio& ratio);

struct Verdict {
  bool came_true = false;  // the direction; how much is said beside it
  std::string words;
};
Verdict judge(const Prediction& prediction, const SpeedRatio& ratio);

}  // namespace tessera
