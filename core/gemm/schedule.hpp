// SPDX-License-Identifier: BSD-3-Clause
// When things happen in a GEMM, as a person may choose it: each a field of the spec, each with an opposite to be measured against.
#pragma once

#include <cstdint>

namespace tessera {

// Where threads load their fragments of A and B from.
enum class Operands : std::uint8_t {
  smem,  // tiles are copied to shared memory, and fragments are loaded from there
  gmem,  // each thread loads its fragments from global memory itself
};

// What a thread's registers hold of A and B at once.
enum class Fragments : std::uint8_t {
  automatic,     // one_k_block with one stage, else next_k_block
  one_k_block,   // loaded, multiplied, loaded again into the same registers
  next_k_block,  // the next k-block is loaded while this one is multiplied
  all_k_blocks,  // the whole k-tile, before any of it is multiplied
};

// When a tile is copied to shared memory.
enum class Copies : std::uint8_t {
  automatic,   // of wgmma producer; else waited_for with one stage, and ahead with more
  waited_for,  // nothing is multiplied until the copies are done
  ahead,       // later tiles are copied while this one is multiplied, and those who multiply begin the copies
  producer,    // the same, and a warpgroup that does nothing else begins them (wgmma)
};

// Where the stores of a tile hide, when a producer warpgroup copies and consumer warpgroups multiply (wgmma).
enum class Overlap : std::uint8_t {
  none,       // a tile is stored, then the next is multiplied
  deferred,   // the tile stays in registers as C's type, and leaves a box at a time under the next tile's first k-tiles
  skewed,     // each warpgroup has two halves of a tile: one is stored while the other is multiplied
  ping_pong,  // each warpgroup has a tile of its own: one stores while the other multiplies
};

// How a tile of C leaves the registers of those who multiplied it.
enum class Stores : std::uint8_t {
  automatic,  // of wgmma staged; else direct
  direct,     // each thread stores its own sums to global memory
  staged,     // through boxes of shared memory, each of which one thread stores by TMA (wgmma)
};

// In which order a CTA walks the tiles of K.
enum class KOrder : std::uint8_t {
  forward,
  zigzag,  // backwards in every second tile of C, whose first operands are then still in L2
};

// How a kernel knows M, N, K and the leading dimensions of A, B and C.
enum class Extents : std::uint8_t {
  literals,   // they stand in its text, and what they decide is decided there
  arguments,  // they are its arguments: one cubin serves every size
};

}  // namespace tessera
