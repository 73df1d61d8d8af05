// SPDX-License-Identifier: BSD-3-Clause
// Picking: which cells of a figure a selection lights up, and which have changed since it was pinned.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/session/actions/picked_cells.hpp"
#include "app/session/document/workspace.hpp"
#include "app/studio/paint/figure_cache.hpp"

namespace tessera::studio {

// The cells of a figure that a selection lights up: in the figure where it was made the ones that it names; in another those of the same
// threads and values, and of the same addresses. Kept until the selection or a figure changes.
class SelectionLights {
 public:
  const std::vector<ElementId>& get(const CellSelection& selection, const Figure& made_in, const std::string& canvas, const Figure& shown,
                                    bool is_own);

 private:
  struct Kept {
    CellSelection selection;
    std::uint64_t made_in = 0, shown = 0;  // serials
    std::vector<ElementId> cells;
  };
  std::map<std::string, Kept> kept_;
};

// The cells of a pinned binding's figure that stand for something else than they did. Kept until one of both figures changes.
class ChangedCells {
 public:
  const std::vector<ElementId>& get(const Figure& was, const Figure& now);

 private:
  std::uint64_t was_ = 0, now_ = 0;  // serials
  std::vector<ElementId> cells_;
};

}  // namespace tessera::studio
