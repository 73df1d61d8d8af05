// SPDX-License-Identifier: BSD-3-Clause
// Which units take a layout of shared memory as it is: TMA, which writes boxes, and ldmatrix, which reads rows of 16 bytes. (wgmma and
// UMMA: smem_descriptor.hpp.)
#pragma once

#include <cstdint>
#include <string>

#include "core/layout/swizzle.hpp"

namespace tessera {

struct Taken {
  bool is_taken = false;
  std::string how;  // "64x128 by 128 B"; where it is not taken, which rule refuses it: "boxes 144 B apart"
};

// By boxes of a tensor that is contiguous along the same mode. layout: (m, n) of elements of 4 to 64 bits. Refused where CuTe's
// make_tma_atom refuses it; where a box's inner extent is no multiple of 16 bytes, or not the bytes of the swizzle (PTX ISA: Sw<1..3,4,3>
// over bytes swizzles rows of 32, 64 and 128); and where a box would not begin at a multiple of 128 bytes.
Taken tma_takes(const AnyLayout& layout, std::size_t contiguous, std::int64_t bits);
// Bytes that a mode of TMA swizzles together; 16: nothing is swizzled, 0: it has no such mode.
std::int64_t tma_span(const Swizzle& swizzle, std::int64_t bits);
// By ldmatrix along `contiguous`, transposed where that is mode 0.
Taken ldmatrix_takes(const AnyLayout& layout, std::size_t contiguous, std::int64_t bits);

}  // namespace tessera
