// SPDX-License-Identifier: BSD-3-Clause
// A quoted place has the number of its line, wherever in the text the line ends.
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>

#include "core/base/quote.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

TEST_CASE("the line of a place is one more than the newlines before it, in texts of all bytes") {
  std::mt19937 random(11);
  const std::string bytes("\n\x0b\x8a\x09\x00\xff a", 8);  // a newline, and what differs from it in few bits
  for (std::size_t length = 0; length < 200; ++length) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += bytes[random() % bytes.size()];
    for (std::size_t at = 0; at <= length; at += 1 + random() % 5) {
      const auto newlines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      CHECK(quote(text, {at, at + 1}).line == static_cast<std::size_t>(newlines) + 1);
    }
  }
}
