// SPDX-License-Identifier: BSD-3-Clause
// Marks (see int_tuple.hpp) of the integers that a layout gives: which of them CuTe knows when it compiles. CuTe's integers follow three
// rules: what is computed from static ones is static, 0 times or divided by anything is a static 0 where that 0 is static, and so is the
// rest of anything divided by a static 1.
#pragma once

#include "core/layout/layout.hpp"
#include "core/layout/swizzle.hpp"

namespace tessera {

// Of the value at a coordinate of integers: of crd2idx(coord, shape, stride). Strides are integers.
unsigned index_mark(const Coord& coord, const Shape& shape, const Stride& stride);
// The cosize with its mark.
IntTuple marked_cosize(const AnyLayout& layout);
// coord is idx2crd(index, shape): each of its integers with its mark.
Coord mark_coordinate(const Coord& coord, const IntTuple& index, const Shape& shape);

}  // namespace tessera
