// SPDX-License-Identifier: BSD-3-Clause
// Noise: how far from 1 the ratio of two equally fast kernels may come out in one run.
//
//   noise = sqrt(h_kernel^2 + h_baseline^2) + |control - 1|
//
//   h        half of p10 to p90, relative to the median, of the interleaved samples
//   control  the baseline interleaved with itself: what the place in the queue does alone; 1 where there was none
//
// A ratio r is max(r, 1/r) - 1 from 1, so that a against b and b against a are judged alike. Up to the noise, and at it, there is "no
// measurable difference". The rule leans to that side: h is of single samples, and a median of many is known better.
//   h = 0.3 % and 0.4 %, control 0.998: noise 0.7 %; a ratio of 1.007 is no measurable difference, 0.992 is one
#pragma once

#include <optional>
#include <string>

#include "kernels/runtime/measure/measurement.hpp"

namespace tessera {

// Nothing where no baseline took part.
std::optional<double> noise_of(const TimedMode& mode, std::optional<double> control);

double distance_from_one(double ratio);  // 0.5 -> 1, 2 -> 1
bool is_measurable(double ratio, double noise);

// "no measurable difference: 0.200 % is within this run's noise of 0.700 %", "a difference of 0.806 %, and this run's noise is 0.700 %"
std::string difference_text(double ratio, double noise);

// p10 to p90 relative to the median, in percent; nothing where the median is 0.
std::optional<double> spread_percent(const Spread& spread);

}  // namespace tessera
