// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/shared/fill_runs.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera {

std::vector<FillRun> fill_runs(const GridColumns& grid) {
  std::vector<FillRun> runs;
  if (grid.fills.empty()) return runs;
  const auto row_at = [&](std::int32_t r) { return grid.fills.begin() + static_cast<std::ptrdiff_t>(r) * grid.cols; };
  for (std::int32_t r = 0; r < grid.rows;) {
    std::int32_t below = r + 1;
    while (below < grid.rows && std::equal(row_at(r), row_at(r + 1), row_at(below))) ++below;
    for (std::int32_t c = 0; c < grid.cols;) {
      const ColorIndex fill = *(row_at(r) + c);
      std::int32_t right = c + 1;
      while (right < grid.cols && *(row_at(r) + right) == fill) ++right;
      if (fill != kNoColor) runs.push_back({r, c, below - r, right - c, fill});
      c = right;
    }
    r = below;
  }
  return runs;
}

}  // namespace tessera
