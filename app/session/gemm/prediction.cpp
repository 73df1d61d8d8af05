// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/gemm/prediction.hpp"

#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/units.hpp"
#include "kernels/runtime/measure/noise.hpp"

namespace tessera {
namespace {

using Says = Prediction::Says;

// Half of p10 to p90, of the median.
double half_spread(const GemmReport& report) { return report.spread_percent.value_or(0) / 200; }

Says direction_of(const SpeedRatio& ratio) { return !ratio.measurable() ? Says::same : ratio.ratio > 1 ? Says::faster : Says::slower; }

}  // namespace

std::string to_string(const Prediction& prediction) {
  switch (prediction.says) {
    case Says::faster: return fmt::format("faster by {:g} %", prediction.percent);
    case Says::slower: return fmt::format("slower by {:g} %", prediction.percent);
    case Says::same: return "no difference";
  }
  return {};
}

bool SpeedRatio::measurable() const { return is_measurable(ratio, noise); }

std::optional<SpeedRatio> speed_ratio(const GemmReport& before, const GemmReport& now) {
  if (!before.microseconds || !now.microseconds || !(*before.microseconds > 0) || !(*now.microseconds > 0)) return std::nullopt;
  const std::string beside = "the last result";
  const bool both_in_turn =
      before.percent_of_baseline && now.percent_of_baseline && *before.percent_of_baseline > 0 && before.device == now.device;
  if (both_in_turn)
    return SpeedRatio{*now.percent_of_baseline / *before.percent_of_baseline, std::hypot(before.noise.value_or(0), now.noise.value_or(0)),
                      beside};
  return SpeedRatio{*before.microseconds / *now.microseconds, std::hypot(half_spread(before), half_spread(now)), beside};
}

std::optional<SpeedRatio> speed_ratio_to_baseline(const GemmReport& now) {
  if (!now.percent_of_baseline || !(*now.percent_of_baseline > 0)) return std::nullopt;
  return SpeedRatio{*now.percent_of_baseline / 100, now.noise.value_or(0), "cuBLASLt"};
}

std::string to_string(const SpeedRatio& ratio) {
  if (!ratio.measurable()) return difference_text(ratio.ratio, ratio.noise);
  return fmt::format("{:.3g} times as fast: {} {}", ratio.ratio, percent_text(100 * distance_from_one(ratio.ratio)),
                     ratio.ratio > 1 ? "faster" : "slower");
}

Verdict judge(const Prediction& prediction, const SpeedRatio& ratio) {
  Verdict verdict;
  verdict.came_true = direction_of(ratio) == prediction.says;
  verdict.words = fmt::format("{}: you said {}; beside {} it was {}", verdict.came_true ? "Right" : "Not so", to_string(prediction),
                              ratio.beside, to_string(ratio));
  return verdict;
}

}  // namespace tessera
