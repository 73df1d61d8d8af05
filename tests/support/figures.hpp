// SPDX-License-Identifier: BSD-3-Clause
// The objects that figures are tested with, and a way to make them in one line.
#pragma once

#include <vector>

#include "core/atom/catalog.hpp"
#include "core/diagram/figures.hpp"

namespace tessera::testing {

inline IntTuple tup(std::vector<IntTuple> modes) { return IntTuple::tuple(std::move(modes)); }
inline Layout lay(IntTuple shape, IntTuple stride) { return Layout::make(std::move(shape), std::move(stride)).value(); }
inline Layout compact(IntTuple shape) { return Layout::make_compact(std::move(shape)).value(); }

inline TiledMma tiled(std::string_view atom, Layout atoms, Tiler permutation = Underscore{}) {
  return TiledMma::make(find_mma_atom(atom).value(), std::move(atoms), std::move(permutation)).value();
}
inline CopyAtom copy_atom(std::string_view name, ValueType type) { return CopyAtom::make(find_copy_atom(name).value(), type).value(); }
inline Tiler tiler(std::vector<Tiler> modes) { return Tiler(std::move(modes)); }

// (thr, val) -> (m, n) of a 4x8 tile: eight threads with 1x2 values, twice along n.
inline Layout seed_tv() { return lay(tup({tup({2, 4}), tup({2, 2})}), tup({tup({8, 1}), tup({4, 16})})); }

inline FigureSpec figure(FigureObject object, FigureStyle style = FigureStyle::tessera, std::string kind = {}) {
  FigureSpec spec;
  spec.kind = std::move(kind);
  spec.objects = {std::move(object)};
  spec.style = style;
  return spec;
}

// The cell of panel p with this coordinate.
inline const Cell* find_cell(const Scene& scene, std::size_t p, int row, int col) {
  for (const Mark& mark : scene.panels[p].marks) {
    const Cell* cell = std::get_if<Cell>(&mark);
    if (cell != nullptr && cell->link != kNoLink && scene.links[cell->link].row == row && scene.links[cell->link].col == col) return cell;
  }
  return nullptr;
}

}  // namespace tessera::testing
