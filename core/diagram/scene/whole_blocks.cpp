// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/scene/whole_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <unordered_map>

#include "core/base/budget.hpp"

namespace tessera {
namespace {

std::size_t place(std::int32_t cols, std::int32_t row, std::int32_t col) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(col);
}

// The least divisor of `extent` that is at least `n`.
std::int32_t divisor_from(std::int32_t n, std::int32_t extent) {
  while (n < extent && extent % n != 0) ++n;
  return std::min(n, extent);
}

// Do addresses repeat every `rows` rows, or with `down` false every `rows` columns?
bool repeats(const GridColumns& grid, std::int32_t every, bool down) {
  const std::int32_t along = down ? grid.rows : grid.cols, across = down ? grid.cols : grid.rows;
  const auto address = [&](std::int32_t i, std::int32_t j) { return grid.address[down ? place(grid.cols, i, j) : place(grid.cols, j, i)]; };
  for (std::int32_t i = every; i < along && !late(); ++i) {
    const std::int64_t moved = address(i / every * every, 0) - address(0, 0);
    for (std::int32_t j = 0; j < across; ++j) {
      if (address(i, j) - address(i % every, j) != moved) return false;
    }
  }
  return true;
}

std::int32_t period(const GridColumns& grid, bool down) {
  const std::int32_t extent = down ? grid.rows : grid.cols;
  for (std::int32_t every = 1; every < extent; ++every) {
    if (extent % every == 0 && repeats(grid, every, down)) return every;
  }
  return std::max(extent, 1);
}

}  // namespace

WholeBlock whole_groups(std::int32_t rows, std::int32_t cols, std::span<const std::int32_t> groups) {
  std::unordered_map<std::int32_t, WholeBlock> reach;  // how far each group goes
  for (std::int32_t r = 0; r < rows; ++r) {
    for (std::int32_t c = 0; c < cols; ++c) {
      WholeBlock& last = reach[groups[place(cols, r, c)]];
      last = {std::max(last.rows, r + 1), std::max(last.cols, c + 1)};
    }
  }
  reach.erase(-1);
  WholeBlock whole;
  for (WholeBlock before{0, 0}; before != whole;) {
    before = whole;
    for (std::int32_t r = 0; r < before.rows; ++r) {
      for (std::int32_t c = 0; c < before.cols; ++c) {
        const auto last = reach.find(groups[place(cols, r, c)]);
        if (last != reach.end()) whole = {std::max(whole.rows, last->second.rows), std::max(whole.cols, last->second.cols)};
      }
    }
    whole = {divisor_from(whole.rows, rows), divisor_from(whole.cols, cols)};
  }
  return whole;
}

WholeBlock address_period(const GridColumns& grid) {
  if (grid.address.empty() || grid.address.size() != grid.size()) return {};
  return {period(grid, true), period(grid, false)};
}

void widen_whole(GridColumns& grid, const WholeBlock& block) {
  const auto widened = [](std::int32_t is, std::int32_t also, std::int32_t most) {
    return static_cast<std::int32_t>(std::min<std::int64_t>(std::lcm<std::int64_t>(std::max(is, 1), std::max(also, 1)), most));
  };
  grid.whole_rows = widened(grid.whole_rows, block.rows, grid.rows);
  grid.whole_cols = widened(grid.whole_cols, block.cols, grid.cols);
}

}  // namespace tessera
