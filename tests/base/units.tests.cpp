// SPDX-License-Identifier: BSD-3-Clause
// Measured numbers: three digits and the prefix that fits, whatever their size.
#include "core/base/units.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a rate has three significant digits and the prefix that fits, over all orders of magnitude") {
  CHECK(rate_text(5.32e9) == "5.32 GFLOP/s");
  CHECK(rate_text(812e6) == "812 MFLOP/s");
  CHECK(rate_text(611.4e12) == "611 TFLOP/s");
  const char* const expected[] = {"1.23 FLOP/s",  "12.3 FLOP/s",  "123 FLOP/s",  "1.23 kFLOP/s", "12.3 kFLOP/s", "123 kFLOP/s",
                                  "1.23 MFLOP/s", "12.3 MFLOP/s", "123 MFLOP/s", "1.23 GFLOP/s", "12.3 GFLOP/s", "123 GFLOP/s",
                                  "1.23 TFLOP/s", "12.3 TFLOP/s", "123 TFLOP/s", "1.23 PFLOP/s", "12.3 PFLOP/s", "123 PFLOP/s"};
  double rate = 1.234;
  for (const char* text : expected) {
    CHECK(rate_text(rate) == text);
    CHECK(rate_text(-rate) == std::string("-") + text);
    rate *= 10;
  }
}

TEST_CASE("a time has three significant digits, from nanoseconds to seconds") {
  CHECK(time_text(1.8437) == "1.84 us");
  CHECK(time_text(12345) == "12.3 ms");
  const char* const expected[] = {"1.23 ns", "12.3 ns", "123 ns", "1.23 us", "12.3 us", "123 us",
                                  "1.23 ms", "12.3 ms", "123 ms", "1.23 s",  "12.3 s",  "123 s"};
  double us = 1.234e-3;
  for (const char* text : expected) {
    CHECK(time_text(us) == text);
    us *= 10;
  }
}

TEST_CASE("rounding carries into the next digit and into the next unit") {
  CHECK(time_text(9.996) == "10.0 us");
  CHECK(time_text(9.994) == "9.99 us");
  CHECK(time_text(99.96) == "100 us");
  CHECK(time_text(999.4) == "999 us");
  CHECK(time_text(999.96) == "1.00 ms");
  CHECK(time_text(999.96e-3) == "1.00 us");
  CHECK(time_text(999.96e3) == "1.00 s");
  CHECK(rate_text(999.96) == "1.00 kFLOP/s");
  CHECK(rate_text(999.96e9) == "1.00 TFLOP/s");
  CHECK(rate_text(0.99996) == "1.00 FLOP/s");
}

TEST_CASE("a quantity of no size, an infinite one and none at all are written too") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(time_text(0) == "0 us");
  CHECK(rate_text(0) == "0 FLOP/s");
  CHECK(rate_text(-0.0) == "0 FLOP/s");
  CHECK(percent_text(0) == "0 %");
  CHECK(time_text(inf) == "inf us");
  CHECK(rate_text(-inf) == "-inf FLOP/s");
  CHECK(rate_text(std::nan("")) == "nan FLOP/s");
  CHECK(time_text(-std::nan("")) == "nan us");
  CHECK(percent_text(std::nan("")) == "nan %");
  CHECK(rate_of(4.5e6).number == "4.50");
  CHECK(rate_of(4.5e6).unit == "MFLOP/s");
  CHECK(time_of(4.5).unit == "us");
}

TEST_CASE("before the first unit and beyond the last the digits stay three") {
  CHECK(time_text(1.234e-4) == "0.123 ns");
  CHECK(time_text(1.234e-6) == "0.00123 ns");
  CHECK(time_text(1.234e-7) == "0.000123 ns");
  CHECK(time_text(1.234e-8) == "1.23e-05 ns");
  CHECK(time_text(1.234e10) == "12300 s");
  CHECK(time_text(1.234e12) == "1.23e+06 s");
  CHECK(rate_text(1.234e31) == "1.23e+07 YFLOP/s");
  CHECK(time_text(std::numeric_limits<double>::max()) == "1.80e+302 s");
  CHECK(rate_text(1.234e27) == "1230 YFLOP/s");
  CHECK(rate_text(std::numeric_limits<double>::max()) == "1.80e+284 YFLOP/s");
  CHECK(rate_text(std::numeric_limits<double>::denorm_min()) == "4.94e-324 FLOP/s");
  CHECK(percent_text(9.7) == "9.70 %");
  CHECK(percent_text(0.0053) == "0.00530 %");
  CHECK(percent_text(99.96) == "100 %");
  CHECK(percent_text(60.61) == "60.6 %");
  CHECK(percent_text(1234.5) == "1230 %");
}
