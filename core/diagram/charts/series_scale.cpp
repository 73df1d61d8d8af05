// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/charts/series_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/diagram/parts/figure_parameters.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

constexpr double kFarAbove = 0.6;  // a scale begins at zero unless the least number is above so much of the greatest
constexpr double kSame = 1e-9;     // relative difference of two numbers that are one

// 1, 2 or 5 times a power of ten, so that there are about `wanted` steps.
double round_step(double range, double wanted) {
  const double rough = range / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= rough * (1 - kSame)) return times * power;
  }
  return 10 * power;
}

// Is it a power of two?
bool is_power(double value) { return value > 0 && std::abs(std::log2(value) - std::round(std::log2(value))) <= kSame; }

bool do_double(const std::vector<double>& xs) {
  if (xs.size() < 3 || xs.front() <= 0) return false;
  for (std::size_t i = 1; i < xs.size(); ++i) {
    if (!is_power(xs[i] / xs[i - 1])) return false;
  }
  return true;
}

// Powers of two from the least to the greatest, with room for a point below.
Scale scale_of_powers(const std::pair<double, double>& range, float length) {
  Scale scale;
  scale.log2 = true;
  scale.length = length;
  const double first = std::floor(std::log2(range.first) + kSame), last = std::max(std::ceil(std::log2(range.second) - kSame), first + 1);
  const double step = std::max(1.0, std::ceil((last - first) / 10));
  scale.least = std::exp2(first - 0.08 * (last - first)), scale.most = std::exp2(last);
  for (double at = first; at <= last; at += step) scale.ticks.push_back(std::exp2(at));
  return scale;
}

}  // namespace

std::vector<double> places_of(const std::vector<SeriesLine>& lines) {
  std::vector<double> xs;
  for (const SeriesLine& line : lines) {
    for (const Point& point : line.points) xs.push_back(point.x);
  }
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  return xs;
}

Result<Scale> scale_across(const FigureSpec& spec, const std::vector<double>& xs, float length) {
  TESSERA_TRY(word, choice(spec, "x", kAxisChoices));
  Scale scale;
  scale.length = length;
  scale.log2 = word == "log2" || (word == "auto" && do_double(xs));
  if (scale.log2 && xs.front() <= 0)
    return Error{
        ErrorCode::out_of_range, fmt::format("{:.6g} has no place on a scale of logarithms", xs.front()), {}, {"leave x=log2 out"}};
  const double range = xs.back() - xs.front();
  if (range <= 0) {  // one point
    scale.log2 = false;
    scale.least = xs.front() - 1, scale.most = xs.front() + 1, scale.ticks = xs;
    return scale;
  }
  constexpr double kMargin = 0.03;
  if (scale.log2) {
    const double room = std::pow(xs.back() / xs.front(), kMargin);
    scale.least = xs.front() / room, scale.most = xs.back() * room;
    for (double at = std::exp2(std::ceil(std::log2(xs.front()) - kSame)); at <= xs.back() * (1 + kSame); at *= 2) scale.ticks.push_back(at);
    if (scale.ticks.size() < 2) scale.ticks = {xs.front(), xs.back()};  // one number alone says no scale
  } else {
    scale.least = xs.front() - kMargin * range, scale.most = xs.back() + kMargin * range;
    const double step = round_step(range, 8);
    for (double i = std::ceil(xs.front() / step - kSame); i * step <= xs.back() * (1 + kSame); ++i) scale.ticks.push_back(i * step);
    if (xs.size() <= 12) scale.ticks = xs;
  }
  return scale;
}

Result<Scale> scale_up(const FigureSpec& spec, const std::vector<SeriesLine>& lines, bool doubling, float length) {
  TESSERA_TRY(word, choice(spec, "y", kScaleChoices));
  std::optional<std::pair<double, double>> range;
  bool powers = true;
  const auto take = [&](double value) {
    range = range ? std::pair{std::min(range->first, value), std::max(range->second, value)} : std::pair{value, value};
  };
  for (const SeriesLine& line : lines) {
    for (const Point& point : line.points) {
      if (point.y) take(*point.y), powers = powers && is_power(*point.y);
      if (point.spread) take(point.spread->first), take(point.spread->second);
    }
  }
  if (!range) return Error{ErrorCode::out_of_range, "there is nothing to show: no line has a number", {}, {}};
  if (word == "log2" && range->first <= 0)
    return Error{
        ErrorCode::out_of_range, fmt::format("{:.6g} has no place on a scale of logarithms", range->first), {}, {"leave y=log2 out"}};
  if (word == "log2" || (word == "auto" && doubling && powers && range->first > 0 && range->second > 2 * range->first))
    return scale_of_powers(*range, length);
  if (word == "zero" || (word == "auto" && !(range->first > kFarAbove * range->second && range->second > 0)))
    range = {std::min(0.0, range->first), std::max(0.0, range->second)};
  double height = range->second - range->first;
  if (!(height > 1e-300)) height = std::max(std::abs(range->second), 1.0);  // all are one number
  const double step = round_step(height, 5);
  Scale scale;
  scale.length = length;
  scale.least = step * std::floor(range->first / step + kSame);
  scale.most = step * std::ceil(range->second / step - kSame);
  if (scale.most <= scale.least) scale.most = scale.least + step;
  const int steps = static_cast<int>(std::round((scale.most - scale.least) / step));
  for (int i = 0; i <= steps; ++i) scale.ticks.push_back(scale.least + i * step);
  for (double& tick : scale.ticks) tick = std::abs(tick) < step * 1e-6 ? 0 : tick;
  return scale;
}

}  // namespace tessera
