// SPDX-License-Identifier: BSD-3-Clause
// Which block of a grid cuts nothing in two.
#include "core/diagram/scene/whole_blocks.hpp"

#include <cstdint>
#include <vector>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

// Rows of 64 elements of 16 bits under Sw<3,3,3>, `rows` of them; with `swizzled` false plain rows.
GridColumns rows_of_64(std::int32_t rows, bool swizzled) {
  GridColumns grid;
  grid.rows = rows, grid.cols = 64;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < 64; ++c) grid.address.push_back((64 * r + c) ^ (swizzled ? (r % 8) << 3 : 0));
  }
  return grid;
}

}  // namespace

TEST_CASE("a whole block holds every group that it touches", "[whole]") {
  // Columns 0 and 2 are of group 0, 1 and 3 of group 1: neither is whole without the other. Rows 2 and 3 are of others.
  const std::vector<std::int32_t> woven = {0, 1, 0, 1, 4, 4, 4, 4,  //
                                           0, 1, 0, 1, 4, 4, 4, 4,  //
                                           2, 3, 2, 3, 5, 5, 5, 5,  //
                                           2, 3, 2, 3, 5, 5, 5, 5};
  CHECK(whole_groups(4, 8, woven) == WholeBlock{2, 4});
  // The first group reaches column 2, in front of which the second one has a cell, which reaches column 4.
  CHECK(whole_groups(1, 8, std::vector<std::int32_t>{0, 1, 0, -1, 1, -1, -1, -1}) == WholeBlock{1, 8});
  CHECK(whole_groups(2, 2, std::vector<std::int32_t>{-1, 0, 0, 0}) == WholeBlock{1, 1});  // nobody's cell is whole
}

TEST_CASE("addresses repeat after the rows of a swizzle, and a plain layout's at once", "[whole]") {
  CHECK(address_period(rows_of_64(32, true)) == WholeBlock{8, 64});
  CHECK(address_period(rows_of_64(32, false)) == WholeBlock{1, 1});
  CHECK(address_period(GridColumns{}) == WholeBlock{1, 1});
  GridColumns grid = rows_of_64(32, true);
  widen_whole(grid, {16, 16});
  widen_whole(grid, address_period(grid));
  CHECK(grid.whole_rows == 16);
  CHECK(grid.whole_cols == 64);
}
