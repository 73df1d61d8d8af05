// SPDX-License-Identifier: BSD-3-Clause
// The numbers of an expression, found and exchanged.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/document/numbers_in.hpp"

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

std::vector<std::int64_t> values(std::string_view text) {
  std::vector<std::int64_t> found;
  for (const NumberInText& each : numbers_in(text)) found.push_back(each.value);
  return found;
}

}  // namespace

TEST_CASE("numbers are found where they are numbers of their own") {
  CHECK(values("((2,4),(2,2)):((8,1),(4,16))") == std::vector<std::int64_t>{2, 4, 2, 2, 8, 1, 4, 16});
  CHECK(values("Sw<3,3,3> o 0 o (128,64):(64,1)") == std::vector<std::int64_t>{3, 3, 3, 0, 128, 64, 64, 1});
  CHECK(values("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,_4))  # of 8 warps") == std::vector<std::int64_t>{2, 4});
  CHECK(values("tv_figure(tv4, data, title=\"T0-3\", alpha=2.5)").empty());
  CHECK(values("").empty());
  CHECK(values("\"open").empty());
}

TEST_CASE("another number takes one's place, and everything else stays") {
  const std::string text = "(4, _8) : (8,1)  # rows";
  const auto numbers = numbers_in(text);
  REQUIRE(numbers.size() == 4);
  CHECK(with_number(text, numbers[0], 16) == "(16, _8) : (8,1)  # rows");
  CHECK(with_number(text, numbers[1], 9) == "(4, _9) : (8,1)  # rows");
  CHECK(with_number(text, numbers[3], -2) == "(4, _8) : (8,-2)  # rows");
}
