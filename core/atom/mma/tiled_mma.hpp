// SPDX-License-Identifier: BSD-3-Clause
// TiledMma: an MMA atom repeated over threads (atom_layout_mnk) and over values (permutation_mnk).
//
// thr_layout_vmnk = tiled_product(thr_id, atom_layout_mnk): (V,M,N,K) -> thread. A permutation sets the tile's extent in its mode and
// reorders it: element i of the tile comes from coordinate perm(i). All of this is CuTe's (mma_atom.hpp of CUTLASS 4.7).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/atom/instructions/mma_atom.hpp"
#include "core/atom/mma/partition_law.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

// Bytes. A descriptor of shared memory counts its start address, LBO and SBO in it, and a fragment of descriptors its addresses.
inline constexpr std::int64_t kDescriptorUnit = 16;

enum class Operand : std::uint8_t { a, b, c };

// Where an atom finds an operand, and leaves C. UMMA's accumulators are in tensor memory.
OperandSource source_of(const MmaAtom& atom, Operand operand);

class TiledMma {
 public:
  // atom_layout_mnk of rank 1 to 3; permutation_mnk: a tuple tiler of integers, layouts and `_`, or `_` for all.
  static Result<TiledMma> make(MmaAtom atom, Layout atom_layout_mnk, Tiler permutation_mnk);

  const MmaAtom& atom() const { return atom_; }
  const Layout& atom_layout_mnk() const { return atom_layout_mnk_; }
  const Tiler& permutation_mnk() const { return permutation_mnk_; }
  const Layout& thr_layout_vmnk() const { return thr_layout_vmnk_; }  // (V,M,N,K) -> thread
  friend bool operator==(const TiledMma& a, const TiledMma& b) {      // atoms are equal where their names are
    return a.atom_.name == b.atom_.name && a.atom_layout_mnk_ == b.atom_layout_mnk_ && a.permutation_mnk_ == b.permutation_mnk_;
  }
  std::int64_t num_threads() const;              // size(thr_layout_vmnk); see thread_ids for gaps
  std::array<std::int64_t, 3> tile_mnk() const;  // extents of the tile in elements

  // (thr, val) -> colexicographic index in the operand's tile: A (tileM,tileK), B (tileN,tileK), C (tileM,tileN).
  Result<Layout> layout_tv(Operand operand, Law law = Law::checked) const;
  // The same with basis strides: (thr, val) -> (m, k) etc. as a coordinate.
  Result<Layout> layout_tv_coords(Operand operand) const;
  // ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN))) of a tensor's layout.
  // Law: each element is the tensor at the coordinate that permutation, atom and threads name, one after the other (partition_law.hpp).
  Result<Layout> thrfrg(Operand operand, const Layout& tensor, Law law = Law::checked) const;
  // (FrgV, RestM, RestN) of one thread: the slice of thrfrg and its offset. Same law. `thread`: an integer; a dynamic one is a thread that
  // only the running program knows, as threadIdx.x is (see slice_and_offset).
  Result<SliceAndOffset> partition(Operand operand, const AnyLayout& tensor, const IntTuple& thread, Law law = Law::checked) const;
  Result<Shape> partition_shape(Operand operand, const Shape& shape, Law law = Law::checked) const;
  // The fragment of one thread's partition of a tensor whose place is not said, so that operands read through descriptors have none.
  Result<Layout> fragment(Operand operand, const Layout& tensor, Law law = Law::checked) const;
  // CuTe's make_fragment_A, B and C of what a partition gave, (val, MMA_M, MMA_K, ...) -> element of `element_bits`.
  // Registers: C column-major over the shape; A, B make_fragment_like. Tensor memory (UMMA): addresses, see tmem_fragment.hpp.
  // Descriptors: ((1), MMA_M, MMA_K, ...) -> units of 16 bytes of shared memory, one descriptor an atom.
  // Refused: fewer than three modes; a first mode of another size than the atom's values.
  // Source: cute/atom/mma_atom.hpp; MakeTensor<smem_desc> in mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp.
  Result<Layout> fragment_of(Operand operand, const AnyLayout& part, std::int64_t element_bits) const;
  // The inverse view, (m, n) -> index of (logical thread, value), threads fastest; A: (m, k), B: (n, k). thr_id_of maps a logical
  // thread (V,M,N) (A: (V,M,K), B: (V,N,K)) to the hardware thread.
  Result<Layout> layout_inverse(Operand operand, Law law = Law::checked) const;
  Result<Layout> thr_id_of(Operand operand) const;
  // (V,M,N,K) of a hardware thread, by CuTe's rule (thread / stride) mod extent; threads outside the atom alias.
  Result<std::array<std::int64_t, 4>> thr_vmnk(std::int64_t thread) const;
  // Every hardware thread that does work, ascending.
  std::vector<std::int64_t> thread_ids() const;

 private:
  struct Steps;
  Result<Steps> thrfrg_steps(Operand operand, const Layout& tensor, Law law, bool& proven) const;
  Result<MmaPartition> definition(Operand operand, const Layout& tensor, const Steps& steps) const;
  std::optional<Error> overhang(Operand operand, const Layout& tensor, const Steps& steps) const;
  Result<Layout> thread_value(Operand operand, const Layout& reference, Law law) const;

  MmaAtom atom_;
  Layout atom_layout_mnk_;  // (M,N,K) -> atom
  Tiler permutation_mnk_ = Underscore{};
  Layout thr_layout_vmnk_;  // (V,M,N,K) -> thread
};

}  // namespace tessera
