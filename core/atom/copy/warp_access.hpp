// SPDX-License-Identifier: BSD-3-Clause
// What the hardware makes of one memory instruction of one warp: wavefronts of shared memory, sectors of global memory. The rule was
// measured on an H200 against the hardware's own counters, without a disagreement in 6,673 cases of shared and 234 of global memory:
//
//   A wavefront serves each of the 32 banks (4 bytes wide) with one word: a group of lanes takes as many wavefronts as the most distinct
//   words that it asks one bank for. Bytes and halves of one word merge, and so do lanes that ask for the same word.
//   8 to 32 bits a lane: one group of 32 lanes. 64 bits: two groups of 16. 128 bits: four groups of 8. Groups are summed.
//   Loads of 64 and 128 bits pair lanes: if every lane has the address of lane^1, or every lane that of lane^2, groups are twice as wide.
//   ldmatrix and stmatrix: one group of 8 row addresses, 16 bytes each, a matrix.
//   cp.async of 16 bytes writes shared memory as a store of 128 bits does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/small_vector.hpp"

namespace tessera {

inline constexpr int kLanes = 32, kBanks = 32, kBankBytes = 4, kSectorBytes = 32, kLineBytes = 128;

struct WarpAccess {
  enum class Kind : std::uint8_t { load, store, matrix };  // matrix: one row address a lane, of ldmatrix or stmatrix
  Kind kind = Kind::load;
  std::int64_t bytes = 4;                      // of one lane, at most 16; of a matrix's row 16
  std::array<std::int64_t, kLanes> address{};  // in bytes; -1: the lane takes no part
};

// Lanes that the hardware serves together.
struct Phase {
  int first_lane = 0, lanes = kLanes;
  std::int64_t wavefronts = 0;
  std::int64_t least = 0;  // for as many distinct words without a conflict
};
SmallVector<Phase, 4> phases(const WarpAccess& access);  // those with a lane that takes part

struct Wavefronts {
  std::int64_t count = 0;  // of one instruction of one warp
  std::int64_t least = 0;  // what it would take without conflicts
};
Wavefronts smem_wavefronts(const WarpAccess& access);

// A word of a bank that some lanes ask for, and the wavefront of their group that has room for it: the words of a bank one after the
// other, in the order of the lanes that ask for them first. How many wavefronts there are is the hardware's; which serves what is an order
// in which it can be done, and keeps a lane's words together.
struct ServedWord {
  int phase = 0, wavefront = 0, bank = 0;  // wavefront: of its phase; phase: as in phases(access)
  std::int64_t word = 0;                   // 4-byte words behind the tensor's start
  SmallVector<int, kLanes> lanes;
};
std::vector<ServedWord> served_words(const WarpAccess& access);

// The first lanes that ask the same banks for different words.
struct BankConflict {
  int phase = 0;                      // counted over all groups of the instruction
  SmallVector<int, kLanes> lanes;     // one for each word of the busiest bank
  int first_bank = 0, last_bank = 0;  // neighbours that these lanes meet in
};
std::optional<BankConflict> first_conflict(const WarpAccess& access);
std::string describe(const BankConflict& conflict, bool writes);  // "phase 0: lanes 0, 2, 4, 6 read banks 0-3"

std::int64_t gmem_sectors(const WarpAccess& access);        // distinct segments of 32 bytes
std::int64_t gmem_lines(const WarpAccess& access);          // distinct segments of 128 bytes
std::int64_t least_gmem_sectors(const WarpAccess& access);  // for as many distinct bytes

}  // namespace tessera
