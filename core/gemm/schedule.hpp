// SPDX-License-Identifier: BSD-3-Clause
// When things happen in a GEMM, as a person may choose it: each a field of the spec, each with an opposite to be measured against.
#pragma once

#include <cstdint>

namespace tessera {

// What a thread's registers hold of A and B at once.
enum class Fragments : std::uint8_t {
  automatic,     // one_k_block with one stage, else next_k_block
  one_k_block,   // loaded, multiplied, loaded again into the same registers
  next_k_block,  // the next k-block is loaded while this one is multiplied
  all_k_blocks,  // the whole k-tile, before any of it is multiplied
};

// When a tile is copied to shared memory.
enum class Copies : std::uint8_t {
  automatic,   // waited_for with one stage, else ahead
  waited_for,  // nothing is multiplied until the copies are done
  ahead,       // later tiles are copied while this one is multiplied
};

}  // namespace tessera
