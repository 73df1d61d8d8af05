// SPDX-License-Identifier: BSD-3-Clause
// Cells in reading order.
#include "core/render/tikz_cells.hpp"

#include <algorithm>
#include <tuple>

namespace tessera {

std::size_t end_of_cells(const Panel& panel, std::size_t begin) {
  std::size_t end = begin;
  while (end < panel.marks.size() && std::holds_alternative<Cell>(panel.marks[end])) ++end;
  return end;
}

std::vector<const Cell*> reading_order(const Panel& panel, std::size_t begin, std::size_t end) {
  std::vector<const Cell*> cells;
  cells.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) cells.push_back(&std::get<Cell>(panel.marks[i]));
  const auto above = [](const Cell* a, const Cell* b) { return std::tie(a->y, a->x) < std::tie(b->y, b->x); };
  if (!std::is_sorted(cells.begin(), cells.end(), above)) std::stable_sort(cells.begin(), cells.end(), above);
  return cells;
}

}  // namespace tessera
