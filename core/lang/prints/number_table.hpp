// SPDX-License-Identifier: BSD-3-Clause
// Tables of numbers back to the layout that gives them.
//
//   0 2 1 3          f(m, n) of a layout is a sum of what m and what n give: (2,(2,2)):(4,(2,1))
//   4 6 5 7
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

struct NumberTable {
  std::size_t rows = 0, columns = 0;
  std::vector<std::int64_t> numbers;  // row by row
};

// Law: the result at (m, n) is the number in row m and column n; a table of one row has a layout of one mode. Where the numbers begin
// elsewhere than at 0, the layout with that offset. A swizzle in front is looked for when no layout alone gives them.
Result<Value> layout_of(const NumberTable& table);

// The first number that the layout does not give: "the table has 5 at (0,1), the layout gives 4"; empty when it gives all.
std::string contradiction(const NumberTable& table, const AnyLayout& layout);

constexpr std::size_t kMostTableNumbers = std::size_t{1} << 16;

}  // namespace tessera
