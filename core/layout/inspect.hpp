// SPDX-License-Identifier: BSD-3-Clause
// What is true of a layout, and why not: predicates that come with the coordinates or numbers that decide them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/layout/swizzle.hpp"

namespace tessera {

// A predicate's answer. `reason` is one sentence, for yes as for no.
struct Finding {
  bool holds = false;
  std::string reason;
};

// Two coordinates with one index.
struct AliasingPair {
  std::int64_t first = 0, second = 0;  // 1-D coordinates, first < second
  IntTuple first_coord, second_coord;
  IntTuple index;  // an integer, or a coordinate for basis strides
};

// How many numbers a value of the layout has: 1, or of basis strides what a coordinate has.
std::int64_t numbers_in_a_value(const AnyLayout& layout);

// Where strides alone cannot decide, these functions walk the domain, as far as the request's budget lets them (core/base/budget.hpp);
// beyond it they refuse with ErrorCode::limit.

// The first coordinate (in colexicographic order) whose index was seen before, with the one that had it; none if injective.
Result<std::optional<AliasingPair>> aliasing_pair(const AnyLayout& layout);
Result<Finding> is_injective(const AnyLayout& layout);
// Onto {0, .., range-1}; without range, onto {0, .., largest index}.
Result<Finding> is_surjective(const AnyLayout& layout, std::int64_t range);
Result<Finding> is_surjective(const AnyLayout& layout);
// One run of memory in order: coalesce(L) is n:1, so that layout(i) == i.
Finding is_contiguous(const AnyLayout& layout);
// A bijection onto {0, .., size-1}: some order of its elements is one run of memory.
Result<Finding> is_compact(const AnyLayout& layout);

// Indices between 0 and the largest one that no coordinate has, as half-open runs; the first `limit` of them.
struct Gap {
  std::int64_t begin = 0, end = 0;
  friend bool operator==(const Gap&, const Gap&) = default;
};
struct Gaps {
  std::vector<Gap> runs;
  std::int64_t missing = 0;  // how many indices in all
};
Result<Gaps> gaps(const AnyLayout& layout, std::size_t limit = 64);

// With the mode at which they part.
Finding is_congruent(const IntTuple& a, const IntTuple& b);
Finding is_compatible(const IntTuple& a, const IntTuple& b);

}  // namespace tessera
