// SPDX-License-Identifier: BSD-3-Clause
// Measured numbers as a person reads them: three significant digits and the prefix that fits. JSON and CSV keep the raw numbers.
//
//   time_text(1.8437)       -> "1.84 us"         rate_text(5.3e9)     -> "5.30 GFLOP/s"
//   time_text(12345)        -> "12.3 ms"         rate_text(6.11e14)   -> "611 TFLOP/s"
//   time_text(999.96)       -> "1.00 ms"         percent_text(9.7)    -> "9.70 %"
//   time_text(0)            -> "0 us"            percent_text(0.0053) -> "0.00530 %"
#pragma once

#include <string>

namespace tessera {

// A number without its unit and the unit, where the two are written apart.
struct Quantity {
  std::string number, unit;
  std::string text() const { return number + " " + unit; }
};

// Infinities are "inf" and "-inf", what is no number is "nan". Beyond the last prefix there are zeros, and at last an exponent:
// "1230 %", "1.23e+30 YFLOP/s".
Quantity time_of(double microseconds);         // ns, us, ms, s
Quantity rate_of(double operations_a_second);  // FLOP/s to YFLOP/s
std::string time_text(double microseconds);
std::string rate_text(double operations_a_second);
std::string percent_text(double percent);

}  // namespace tessera
