// SPDX-License-Identifier: BSD-3-Clause
// Where a problem ends: tiles cover it, and the last ones along a mode may reach beyond. M = 65 in tiles of 32 is 3 tiles, of which the
// last has one row.
#pragma once

#include <array>
#include <cstdint>

#include "core/gemm/plan/gemm_plan.hpp"
#include "core/layout/value_table.hpp"

namespace tessera {

// The part of a layout with basis strides that lands in mode `mode`, as an integer layout.
Layout basis_part(const Layout& layout, std::uint8_t mode);

namespace plan {

// Of an operand's two modes, (M,K), (N,K) or (M,N).
using TwoModes = std::array<std::int64_t, 2>;
TwoModes extents(const GemmPlan& plan, Operand operand);       // of the tensor
TwoModes tile_extents(const GemmPlan& plan, Operand operand);  // of a tile
TwoModes tile_counts(const GemmPlan& plan, Operand operand);
std::array<const char*, 2> mode_names(Operand operand);  // "M", "K"
// The tile of C that a CTA computes: `number` of the raster, whose numbers are clusters' where there are any, and `rank` in its cluster.
TwoModes tile_of_raster(const GemmPlan& plan, std::int64_t number, std::int64_t rank);

// A partition of coordinates, (thr, values), as numbers: value `val` of `thr` is at (m, k) of the tile.
class Coordinates {
 public:
  explicit Coordinates(const Layout& layout) : first_(in_mode(layout, 0)), second_(in_mode(layout, 1)) {}
  TwoModes operator()(std::int64_t thr, std::int64_t val) const { return {first_(thr, val), second_(thr, val)}; }

 private:
  static ValueTable in_mode(const Layout& layout, std::uint8_t mode) {
    return ValueTable(make_layout({basis_part(layout[0], mode), basis_part(layout[1], mode)}));
  }
  ValueTable first_, second_;
};

// Does the last tile along a mode reach beyond the tensor? With extents as arguments: may it?
bool has_edge(const GemmPlan& plan, Operand operand, std::size_t mode);
bool has_edge(const GemmPlan& plan, Operand operand);
// Does (or may) the end of the contiguous mode cut vectors of so many elements?
bool cuts_vectors(const GemmPlan& plan, Operand operand, std::size_t contiguous, std::int64_t vector);
// What a map has of its tensor: all but the columns that it leaves over.
TwoModes extents(const GemmPlan& plan, const TensorMap& map);
// How many elements of the last tile that has any are inside.
std::int64_t rest(const GemmPlan& plan, Operand operand, std::size_t mode);

// The mode along which neighbours of a tile lie side by side in memory; the second where neither does.
std::size_t contiguous_mode(const Layout& tile);

}  // namespace plan
}  // namespace tessera
