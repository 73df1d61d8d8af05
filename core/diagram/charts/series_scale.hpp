// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of lines: the points of a line, and the scales that they stand on.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_spec.hpp"

namespace tessera {

struct Point {
  double x = 0;
  std::optional<double> y{};  // nothing: refused there
  std::optional<std::pair<double, double>> spread{};
  std::string words{};
};
struct SeriesLine {
  std::string name;
  std::vector<Point> points;  // ascending in x
  std::string spread_note{};  // what its band is; empty: it has none
};

// A scale from `least` to `most`, with ticks where a reader looks for them.
struct Scale {
  bool log2 = false;
  double least = 0, most = 1;
  float length = 1;
  std::vector<double> ticks{};

  float place(double value) const {
    const double at =
        log2 ? (std::log2(value) - std::log2(least)) / (std::log2(most) - std::log2(least)) : (value - least) / (most - least);
    return length * static_cast<float>(at);
  }
};

std::vector<double> places_of(const std::vector<SeriesLine>& lines);  // all that points stand at, ascending
Result<Scale> scale_across(const FigureSpec& spec, const std::vector<double>& xs, float length);
// `doubling`: across is a scale of logarithms, on which powers of two stand evenly.
Result<Scale> scale_up(const FigureSpec& spec, const std::vector<SeriesLine>& lines, bool doubling, float length);

}  // namespace tessera
