// SPDX-License-Identifier: BSD-3-Clause
// Texts that are a number as a whole.
#include "core/base/number_text.hpp"

#include <cstdint>
#include <optional>

#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("a text is a number as a whole, within what its type can hold, or none") {
  CHECK(number_in<std::int64_t>("-12") == std::int64_t{-12});
  CHECK(number_in<double>("1.5") == 1.5);
  CHECK(number_in<std::int64_t>("007") == std::int64_t{7});
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "x", "9223372036854775808"}) {
    CAPTURE(text);
    CHECK_FALSE(number_in<std::int64_t>(text));
  }
  CHECK_FALSE(number_in<double>("1.5.2"));
}
