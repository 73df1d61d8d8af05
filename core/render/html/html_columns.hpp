// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: a column of numbers in few signs. Columns of grids are regular, since layouts are: differences of neighbours
// come again after a row, after eight rows of a swizzle, after a warp.
//
//   column  =  differences, the first number's from 0
//   written =  [n, d1 .. dn, back, length, n, ...]: n differences as they are, then `length` of those that stood `back` before
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera {

std::vector<std::int64_t> pack_column(std::span<const std::int64_t> numbers);
// What the page's script reads from it.
std::vector<std::int64_t> unpack_column(std::span<const std::int64_t> packed);
// "[3,1,2,3,1,40]"
void append_column(std::string& out, std::span<const std::int64_t> numbers);

}  // namespace tessera
