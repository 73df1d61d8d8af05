// SPDX-License-Identifier: BSD-3-Clause
// Cells in reading order.
#include "core/render/tikz/tikz_cells.hpp"

#include <algorithm>
#include <tuple>
#include <variant>
#include <vector>

namespace tessera {

std::size_t end_of_cells(const Panel& panel, std::size_t begin) {
  if (std::holds_alternative<Grid>(panel.marks[begin])) return begin + 1;
  std::size_t end = begin;
  while (end < panel.marks.size() && std::holds_alternative<Cell>(panel.marks[end])) ++end;
  return end;
}

std::vector<CellView> reading_order(const Scene& scene, const Panel& panel, std::size_t begin, std::size_t end) {
  std::vector<CellView> cells;
  if (const auto* grid = std::get_if<Grid>(&panel.marks[begin])) {
    cells.reserve(grid->of->size());
    for (std::size_t i = 0; i < grid->of->size(); ++i) cells.push_back(view(*grid, i));
    return cells;
  }
  cells.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) cells.push_back(view(scene, std::get<Cell>(panel.marks[i])));
  const auto above = [](const CellView& a, const CellView& b) { return std::tie(a.y, a.x) < std::tie(b.y, b.x); };
  if (!std::is_sorted(cells.begin(), cells.end(), above)) std::stable_sort(cells.begin(), cells.end(), above);
  return cells;
}

}  // namespace tessera
