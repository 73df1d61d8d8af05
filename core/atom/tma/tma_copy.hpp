// SPDX-License-Identifier: BSD-3-Clause
// TmaCopy: a copy by tensor descriptor (TMA), as CuTe's make_tma_atom and make_tma_copy derive it from a tensor in global memory, a layout
// of shared memory and a tile. The descriptor numbers the tensor's modes in the order in which shared memory walks them; a coordinate of
// the tensor becomes one of the descriptor by `tensor_stride`.
//
//   (512,256):(256,1), Sw<3,3,3> o 0 o (128,64):(64,1), tile (128,64)
//   box (64,128):(1@1,1@0)           shared memory walks 64 of mode 1, then 128 of mode 0
//   tensor_stride (1@1,1@0)          so mode 0 of the tensor is coordinate 1 of the descriptor, and mode 1 is coordinate 0
#pragma once

#include <cstdint>
#include <optional>

#include "core/atom/copy/tiled_copy.hpp"

namespace tessera {

struct TmaRequest {
  CopyTraits operation;        // SM90_TMA_LOAD, ..., whose bits are found here
  Layout gmem;                 // the tensor, in elements
  ValueType type;              // theirs
  AnyLayout smem;              // of one tile, perhaps swizzled
  Layout cta_values;           // value of the tile -> mode of the tensor: strides are basis elements
  std::int64_t multicast = 1;  // CTAs that share the copy
};

struct TmaCopy {
  CopyAtom atom;         // the instruction with the bits that it moves
  Layout box;            // extents : modes of the tensor, in the descriptor's order; of all CTAs that share the copy
  IntTuple box_of_cta;   // its extents cut by the multicast: what the descriptor says
  Stride tensor_stride;  // mode of the tensor -> coordinate of the descriptor
  Swizzle swizzle;       // on places in shared memory
  std::int64_t multicast = 1;
  std::optional<TiledCopy> tiled;  // of make_tma_copy, whose threads are CTAs
};

// CuTe's make_tma_atom. Refuses what its assertions refuse: a tile that shared memory does not walk along the tensor's contiguous mode,
// strides that are no multiples of 16 bytes, boxes of more than 256 elements in a mode.
Result<TmaCopy> make_tma_atom(const TmaRequest& request);
// CuTe's make_tma_copy: the same as a tiled copy. cta_threads: CTA -> its place among those that share the copy.
Result<TmaCopy> make_tma_copy(TmaRequest request, const Layout& cta_threads);

// One part of tma_partition: a tensor ((tile), rest...) as ((box, boxes), rest...), from where this CTA copies.
Result<SliceAndOffset> tma_partition(const CopyAtom& atom, std::int64_t cta, const Layout& cta_layout, const AnyLayout& smem_tile,
                                     const AnyLayout& tensor);

}  // namespace tessera
