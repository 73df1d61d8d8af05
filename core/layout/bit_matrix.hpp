// SPDX-License-Identifier: BSD-3-Clause
// A layout over powers of two as a matrix over F2: column k is the index of coordinate 2^k, and xor adds columns.
//
//   (2,2):(2,1)                 columns 0b10, 0b01
//   Sw<1,0,1> o 0 o 4:1         columns 0b01, 0b11
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/layout/swizzle.hpp"

namespace tessera {

struct BitMatrix {
  std::vector<std::int64_t> columns;  // column k as a number: bit r is row r
  friend bool operator==(const BitMatrix&, const BitMatrix&) = default;
};

// Refuses layouts whose size is no power of two or that are not linear over bits, naming the coordinate that shows it.
Result<BitMatrix> bit_matrix(const AnyLayout& layout);
// The layout n:.. with that matrix, plain if its columns are single bits, else behind the smallest swizzle that makes them so.
Result<AnyLayout> from_bit_matrix(const BitMatrix& matrix);
// Rows of 0 and 1, highest bit of the index first, one column a bit of the coordinate, lowest first.
std::string to_string(const BitMatrix& matrix);

}  // namespace tessera
