// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: what the cells of a TikZ picture are called, so that a document can draw arrows between them.
//
// The cell of panel C in row 3 and column 5, counted from 0 as drawn, is C-3-5: a coordinate at its middle. Naming a cell costs TeX time
// and memory, so of large panels only the corners have names; \tesseraAt{C}{3}{5} is the place of any of their cells.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

inline constexpr long kMostNamedCells = 2048;  // of a panel: a tenth of a second of TeX's time

// A panel's: of its first grid, or of cells on a lattice of unit cells. Without a name where there is neither, as in a chart.
struct CellNames {
  std::string name;     // "C"
  double x = 0, y = 0;  // corner of the first cell
  long rows = 0, cols = 0;
  double w = 1;  // of a cell
  bool all() const { return rows * cols <= kMostNamedCells; }
};

std::vector<CellNames> cell_names(const Scene& scene);  // one a panel
void append_names(std::string& out, const CellNames& names);
void append_names_comment(std::string& out, const std::vector<CellNames>& names);  // for the head of a file

}  // namespace tessera
