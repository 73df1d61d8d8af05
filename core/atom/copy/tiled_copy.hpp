// SPDX-License-Identifier: BSD-3-Clause
// TiledCopy: a copy atom repeated over a tile by a (thr, val) layout in the atom's reference terms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/instructions/copy_atom.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

class TiledCopy {
 public:
  // `operand`: whose tile of an MMA it moves, where that is known.
  static Result<TiledCopy> make(CopyAtom atom, Layout layout_tv, Tiler tiler_mn, std::optional<Operand> operand = {});

  const CopyAtom& atom() const { return atom_; }
  const Layout& layout_tv() const { return layout_tv_; }  // (thr, val) -> (m, n), reference terms
  const Tiler& tiler_mn() const { return tiler_mn_; }
  const std::optional<Operand>& operand() const { return operand_; }  // whose tile is (m,k), (n,k) or (m,n); none: any tensor's
  std::int64_t num_threads() const;

  Result<Layout> layout_s_tv() const;  // (thr, val) -> (m, n) as the source is read
  Result<Layout> layout_d_tv() const;  // (thr, val) -> (m, n) as the destination is written
  // (Thr,(FrgV,FrgX),(RestM,..)). Law: each element is the tensor at the place in its tile that (thr, val) -> (m, n) names.
  Result<Layout> tidfrg_s(const Layout& tensor, Law law = Law::checked) const;
  Result<Layout> tidfrg_d(const Layout& tensor, Law law = Law::checked) const;
  // `thread`: an integer; a dynamic one is a thread that only the running program knows, as threadIdx.x is (see slice_and_offset).
  Result<SliceAndOffset> partition_s(const AnyLayout& tensor, const IntTuple& thread, Law law = Law::checked) const;
  Result<SliceAndOffset> partition_d(const AnyLayout& tensor, const IntTuple& thread, Law law = Law::checked) const;
  Result<Layout> retile(const Layout& fragment) const;

 private:
  CopyAtom atom_;
  Layout layout_tv_;  // (thr, val) -> (m, n)
  Tiler tiler_mn_ = Underscore{};
  std::optional<Operand> operand_;
};

// thr and val map (m,n) to ids; the product must be a bijection onto the tile.
Result<TiledCopy> make_tiled_copy(const CopyAtom& atom, const Layout& thr, const Layout& val);
Result<TiledCopy> make_tiled_copy_a(const CopyAtom& atom, const TiledMma& mma);
Result<TiledCopy> make_tiled_copy_b(const CopyAtom& atom, const TiledMma& mma);
Result<TiledCopy> make_tiled_copy_c(const CopyAtom& atom, const TiledMma& mma);
Result<TiledCopy> make_tiled_copy_c_atom(const CopyAtom& atom, const TiledMma& mma);
Result<TiledCopy> make_cotiled_copy(const CopyAtom& atom, const Layout& atom_tv, const Layout& data);

}  // namespace tessera
