// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/paint/picking.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "app/session/actions/cell_table.hpp"
#include "app/studio/paint/hover.hpp"
#include "core/diagram/scene/difference.hpp"
#include "core/diagram/scene/selection.hpp"

namespace tessera::studio {
namespace {

void sort_unique(std::vector<ElementId>& cells) {
  const auto place = [](const ElementId& id) { return std::tuple(id.panel, id.mark, id.cell); };
  std::sort(cells.begin(), cells.end(), [&](const ElementId& a, const ElementId& b) { return place(a) < place(b); });
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
}

}  // namespace

const std::vector<ElementId>& SelectionLights::get(const CellSelection& selection, const Figure& made_in, const std::string& canvas,
                                                   const Figure& shown, bool is_own) {
  Kept& kept = kept_[canvas];
  if (kept.selection == selection && kept.made_in == made_in.serial && kept.shown == shown.serial && kept.shown != 0) return kept.cells;
  kept = {selection, made_in.serial, shown.serial, {}};
  const Result<Selection> selectors = read_selection(selection.cells, "cells");
  if (!selectors || !made_in.scene || !shown.scene) return kept.cells;
  const std::vector<ElementId> named = selected_cells(*made_in.scene, *selectors);
  if (is_own) {
    kept.cells = named;
    return kept.cells;
  }
  for (const ElementId& id : named) {
    Hovered one;
    one.figure = selection.binding;
    one.element = id;
    one.links = subjects_of(*made_in.scene, id);
    one.operand = made_in.scene->panels[id.panel].operand;
    if (!one.links.empty()) one.tensor = tensor_name(*made_in.scene, one.links.front().tensor);
    const Highlights lit = highlights_of(one, {}, *shown.scene, *shown.index);
    kept.cells.insert(kept.cells.end(), lit.same.begin(), lit.same.end());
  }
  sort_unique(kept.cells);
  return kept.cells;
}

const std::vector<ElementId>& ChangedCells::get(const Figure& was, const Figure& now) {
  if (was_ == was.serial && now_ == now.serial) return cells_;
  was_ = was.serial;
  now_ = now.serial;
  cells_ = was.scene && now.scene ? different_cells(*was.scene, *now.scene) : std::vector<ElementId>();
  return cells_;
}

}  // namespace tessera::studio
