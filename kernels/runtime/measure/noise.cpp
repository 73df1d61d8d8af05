// SPDX-License-Identifier: BSD-3-Clause
// Relative half spreads of independent samples add as squares; the control's distance is no spread and is added as it is.
#include "kernels/runtime/measure/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/units.hpp"

namespace tessera {

std::optional<double> spread_percent(const Spread& spread) {
  if (!(spread.median > 0)) return std::nullopt;
  return 100 * (spread.p90 - spread.p10) / spread.median;
}

std::optional<double> noise_of(const TimedMode& mode, std::optional<double> control) {
  if (!mode.baseline) return std::nullopt;
  const auto half = [](const Spread& spread) { return spread_percent(spread).value_or(0) / 200; };
  return std::hypot(half(mode.kernel), half(*mode.baseline)) + std::abs(control.value_or(1) - 1);
}

double distance_from_one(double ratio) { return std::max(ratio, 1 / ratio) - 1; }

bool is_measurable(double ratio, double noise) { return distance_from_one(ratio) > noise; }

std::string difference_text(double ratio, double noise) {
  const std::string distance = percent_text(100 * distance_from_one(ratio)), within = percent_text(100 * noise);
  if (is_measurable(ratio, noise)) return fmt::format("a difference of {}, and this run's noise is {}", distance, within);
  return fmt::format("no measurable difference: {} is within this run's noise of {}", distance, within);
}

}  // namespace tessera
