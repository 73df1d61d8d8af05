// SPDX-License-Identifier: BSD-3-Clause
// A long grid folded: cut into pieces that stand side by side, or one below the other where it is wide, as a long table stands in several
// columns of a page. Cells keep their coordinates, and numbers of rows go on from piece to piece.
#pragma once

#include <cstdint>
#include <optional>

#include "core/diagram/parts/figure_spec.hpp"
#include "core/diagram/scene/panel_part.hpp"

namespace tessera {

// What can be folded: a picture's only grid, in our own style.
struct Foldable {
  PanelPart grid;
  bool rows = true;         // rows are cut: it is higher than wide
  std::int64_t period = 0;  // from one of the strongest lines across it to the next, where its outermost mode begins anew; 0: there is none
  std::int64_t extent() const { return rows ? grid.rows : grid.cols; }
};
std::optional<Foldable> foldable(const Scene& scene);

// Rows or columns of each piece but the last: as many as `pieces` of them need, or up to half as many more, so that no period is cut; else
// a multiple of 8 where they are more than 16.
std::int64_t piece_length(const Foldable& whole, std::int64_t pieces);

// Folds the picture as fold= says; its rows and columns then, nothing where it stays. Refuses pictures of several grids.
struct Folded {
  std::int64_t rows = 0, cols = 0, pieces = 1;
  bool at_lines = false;  // it is cut where the strongest lines across it were
};
Result<std::optional<Folded>> fold(Scene& scene, const FigureSpec& spec, float unit);

}  // namespace tessera
