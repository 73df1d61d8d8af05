// SPDX-License-Identifier: BSD-3-Clause
// Which cell lies under a point. Later panels and later marks lie on top.
#include "core/diagram/scene.hpp"

namespace tessera {

namespace {

bool covers(const Mark& mark, float x, float y) {
  const Cell* cell = std::get_if<Cell>(&mark);
  return cell != nullptr && x >= cell->x && x < cell->x + cell->w && y >= cell->y && y < cell->y + cell->h;
}

}  // namespace

std::optional<ElementId> pick(const Scene& scene, float x, float y) {
  for (std::size_t p = scene.panels.size(); p-- > 0;) {
    const std::vector<Mark>& marks = scene.panels[p].marks;
    for (std::size_t m = marks.size(); m-- > 0;) {
      if (covers(marks[m], x, y)) return ElementId{static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(m)};
    }
  }
  return std::nullopt;
}

}  // namespace tessera
