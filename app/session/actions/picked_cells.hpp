// SPDX-License-Identifier: BSD-3-Clause
// Picked: what a click, a drag or a key on a figure selects, in the words of highlight=.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

// What a cell is taken for.
enum class Picks { cells, threads, values, warps, banks };
constexpr Picks kAllPicks[] = {Picks::cells, Picks::threads, Picks::values, Picks::warps, Picks::banks};
std::string_view name_of(Picks picks);

// "sA(0-3,2)", "T0-3, T8" or "banks=0-3": what the rectangle of cells between two cells of one grid stands for; of cells in two grids only
// the second counts. Empty where the cells stand for nothing of that kind.
std::string picked(const Scene& scene, const ElementId& from, const ElementId& to, Picks picks);

// The cell beside another, `right` columns and `down` rows away as drawn; at an edge the first cell of the grid that comes next there.
// Nothing where there is none.
std::optional<ElementId> cell_beside(const Scene& scene, const ElementId& from, int right, int down);
// The corner opposite to `from` of the rectangle that cells fill in its grid.
ElementId opposite_corner(const Scene& scene, const std::vector<ElementId>& cells, const ElementId& from);
// Has the panel cells that stand for something?
bool has_cells(const Panel& panel);
// The first cell of the first grid that stands for something.
std::optional<ElementId> first_cell(const Scene& scene);

}  // namespace tessera
