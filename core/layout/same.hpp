// SPDX-License-Identifier: BSD-3-Clause
// Are two layouts the same function, and if not, where do they part first?
//
// The same function means: the named modes have the same sizes, and at every coordinate of them, one number a mode, both give the same.
// How a mode is written inside does not matter, (4,8):(8,1) and ((2,2),8):((8,16),1) are the same. What does matter is where one mode ends
// and the next begins: (4,8):(1,4) and (8,4):(1,8) have the same values in the same order, and are two functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/layout/swizzle.hpp"

namespace tessera {

struct LayoutDifference {
  enum class Of { ranks, sizes, values };
  Of of = Of::values;
  std::size_t mode = 0;                // of sizes: which one
  std::int64_t first = 0, second = 0;  // of ranks and sizes: both
  IntTuple at;                         // of values: the coordinate, one number a mode
  IntTuple first_value, second_value;
};

// Nothing where they are the same on these modes; the other modes stay at 0. Each mode is one of both.
Result<std::optional<LayoutDifference>> first_difference(const AnyLayout& a, const AnyLayout& b, std::span<const std::size_t> modes);
// On all modes; another number of them is a difference.
Result<std::optional<LayoutDifference>> first_difference(const AnyLayout& a, const AnyLayout& b);

// "at (1,2) the first gives 6 and the second 9"
std::string to_string(const LayoutDifference& difference);

}  // namespace tessera
