// SPDX-License-Identifier: BSD-3-Clause
// How many values of a thread CuTe's copy() takes at once where the copy finds its width: AutoVectorizingCopyWithAssumedAlignment<N>, and
// DefaultCopy, which is the one of 8 bits. CuTe decides by types, so that only what is known when it compiles counts:
//
//   common    the values of both parts that are neighbours: max_common_vector(src, dst), in layouts that a thread known only when it runs
//   has vector    gcd(common * bits, max_alignment(src), max_alignment(dst), N), where that is whole bytes and more than one value
//
// Where a part begins is no part of it: a vector that is misaligned there faults when it runs. Source: cute/algorithm/copy.hpp,
// cute/swizzle_layout.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/swizzle.hpp"

namespace tessera {

// What the threads have of one side: thread, value -> offset before any swizzle.
struct ThreadParts {
  AnyLayout tensor;  // whose swizzle it is
  Layout threads, values;
};

struct CuteVector {
  std::int64_t values = 1;          // of one vector
  std::vector<std::int64_t> order;  // of a thread's values, so that those of a vector follow each other; empty: as they are
  // Are all strides of a side known when it compiles, under a swizzle?
  bool known_source = true, known_destination = true;
  bool to_registers = false;  // the destination is registers, whose elements are read one by one
};

// A side of registers, as make_fragment_like makes them of the other one, is none. most: N, in bits. bits: of an element.
CuteVector cute_vector(const std::optional<ThreadParts>& source, const std::optional<ThreadParts>& destination, std::int64_t bits,
                       std::int64_t most);

}  // namespace tessera
