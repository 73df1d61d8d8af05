// SPDX-License-Identifier: BSD-3-Clause
// Who holds each element of C of a tiled MMA? One thread does, as long as atom layout and permutation are one to one; CuTe makes the
// tiled MMA all the same where they are not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/atom/mma/tiled_mma.hpp"

namespace tessera {

struct OwnerCensus {
  std::int64_t elements = 0;      // of C's tile
  std::int64_t lost = 0;          // elements that no thread holds
  std::int64_t shared = 0;        // elements that several threads hold, or one thread several times; not by atoms along K
  std::int64_t most = 0;          // holders of one element
  std::int64_t outside = 0;       // values of threads that lie beyond the tile
  std::int64_t partial_sums = 1;  // atoms along K: each holds a part of every sum
  std::array<std::int64_t, 2> first_lost{}, first_shared{};  // (m, n), where there are such
  std::array<std::int64_t, 2> sharing{};                     // two threads that hold first_shared; the same one twice
  bool one_owner_each() const { return lost == 0 && shared == 0 && outside == 0; }
};

// From the layout that CuTe gives, (thr, val) -> (m, n). Nothing for accumulators that no thread holds (tensor memory), and for more
// values than 2^22. Refused where C cannot be taken apart at all: a permutation whose elements overlap has no complement.
Result<std::optional<OwnerCensus>> census_of_c(const TiledMma& mma);

// "512 of 2048 elements of C are held by 2 threads each (threads 0 and 64 both hold (0,0)), and 1024 by none: (0,32) is the first"; empty
// where each has one owner.
std::string describe(const OwnerCensus& census);

}  // namespace tessera
