// SPDX-License-Identifier: BSD-3-Clause
// Which PermutationMNK makes the elements that a thread owns of C, A or B neighbours, so that wide stores or loads take them?
//
// A permutation sets which coordinate of the tile stands where the atoms' is i: element i comes from coordinate perm(i). Over a mode of
// extent E of the atom, T atoms of threads and R repetitions, i is (e, t, r). The indices e fall into classes of c that one thread owns
// together; the place of e in its class is p(e), the class's number q(e). Then
//
//   perm(e, t, r) = p(e) + c * r + c * R * (q(e) + E / c * t)
//
// has a thread's c * R indices follow each other. Of SM80_16x8x16 along N (E = 8, c = 2) with R = 4 it is (2,4,4):(1,8,2).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/atom/mma/tiled_mma.hpp"

namespace tessera {

struct PermutationWish {
  Operand operand = Operand::c;
  bool first_mode = false;         // neighbours along the operand's mode 0 (M of C and A, N of B); else along its mode 1 (N of C, else K)
  std::int64_t element_bits = 16;  // in memory
  std::int64_t bits = 128;         // of one access: 8 to 128, a power of two
};

// What a tile costs whose rows are contiguous along the mode and begin at multiples of 32 bytes.
struct TileAccess {
  std::int64_t neighbours = 1;    // elements that every thread can take at once, at most those wished for
  std::int64_t instructions = 0;  // of one thread for all of its elements
  std::int64_t sectors = 0;       // of the first warp for all of them
};

struct PermutationAdvice {
  TiledMma mma;                  // with the permutation
  std::size_t mode = 1;          // the one it permutes: 0 M, 1 N, 2 K
  TileAccess before, after;      // of the same tile without the permutation, and with it
  bool changed = false;          // false: the elements are neighbours as it is
  std::int64_t other_after = 0;  // along K: neighbours of the other operand, which is permuted alike
};

// The atom layout and the other modes' permutations are kept. An extent given for the mode is kept too; `_` becomes the smallest that
// gives a thread enough elements. The answer is checked on the partition that it makes: its elements are neighbours, each has an owner,
// and each of C just one.
// Refused: a fixed extent that leaves a thread too few elements; modes that an instruction reads through a descriptor, whose order is the
// hardware's; tensor memory; ownership that differs from row to row, or that no layout of the mode can gather.
Result<PermutationAdvice> permutation_for(const TiledMma& mma, const PermutationWish& wish);

std::string_view mode_name(std::size_t mode);  // "M", "N", "K"

}  // namespace tessera
