// SPDX-License-Identifier: BSD-3-Clause
// A number is rounded to three digits before its prefix is chosen, so that 999.96 takes the next one.
#include "core/base/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tessera {
namespace {

// Each unit is 1000 times the one before it; `value` is in units[whole], which a zero, an infinity and a NaN keep.
Quantity fitting(double value, std::span<const std::string_view> units, std::size_t whole) {
  if (std::isnan(value)) return {"nan", std::string(units[whole])};
  const std::string sign = value < 0 ? "-" : "";
  if (std::isinf(value)) return {sign + "inf", std::string(units[whole])};
  if (value == 0) return {"0", std::string(units[whole])};
  const std::string rounded = fmt::format("{:.2e}", std::abs(value));  // "9.99e+05"
  const std::string digits = {rounded[0], rounded[2], rounded[3]};
  const int exponent = std::atoi(rounded.c_str() + 5) + 3 * static_cast<int>(whole), last = 3 * static_cast<int>(units.size()) - 1;
  const auto unit = static_cast<std::size_t>(std::clamp(exponent, 0, last) / 3);
  const int before = exponent - 3 * static_cast<int>(unit) + 1;  // digits before the point
  const auto number = [&] {
    if (before > 6) return fmt::format("{}.{}e+{:02}", digits.substr(0, 1), digits.substr(1), before - 1);
    if (before < -3) return fmt::format("{}.{}e-{:02}", digits.substr(0, 1), digits.substr(1), 1 - before);
    if (before <= 0) return "0." + std::string(static_cast<std::size_t>(-before), '0') + digits;
    if (before >= 3) return digits + std::string(static_cast<std::size_t>(before - 3), '0');
    return digits.substr(0, static_cast<std::size_t>(before)) + "." + digits.substr(static_cast<std::size_t>(before));
  };
  return {sign + number(), std::string(units[unit])};
}

}  // namespace

Quantity time_of(double microseconds) {
  static constexpr std::string_view kUnits[] = {"ns", "us", "ms", "s"};
  return fitting(microseconds, kUnits, 1);
}

Quantity rate_of(double operations_a_second) {
  static constexpr std::string_view kUnits[] = {"FLOP/s",  "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s",
                                                "PFLOP/s", "EFLOP/s", "ZFLOP/s", "YFLOP/s"};
  return fitting(operations_a_second, kUnits, 0);
}

std::string time_text(double microseconds) { return time_of(microseconds).text(); }
std::string rate_text(double operations_a_second) { return rate_of(operations_a_second).text(); }

std::string percent_text(double percent) {
  static constexpr std::string_view kUnits[] = {"%"};
  return fitting(percent, kUnits, 0).text();
}

}  // namespace tessera
