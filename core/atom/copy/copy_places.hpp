// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a tensor the threads of a tiled copy take, also where its tiles hang over the tensor, leave elements out or take them
// twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/atom/copy/copy_access.hpp"

namespace tessera {

struct CopyPlaces {
  std::int64_t threads = 0;
  std::int64_t each = 0;              // values of one thread, all tiles together
  std::vector<std::int64_t> element;  // [value * threads + thread]: index in the tensor's shape, leftmost mode fastest; -1: beyond it
  std::int64_t outside = 0;           // how many are beyond it
  Coord first_outside = 0;            // the coordinate of the first of them, one integer a mode; and whose it is
  std::int64_t outside_thread = 0, outside_value = 0;
};

// Places beyond the tensor are those that CuTe gives by rounding tiles up. Refused: tensors of fewer modes than the tile, and tiles whose
// modes are tuples themselves.
Result<CopyPlaces> copy_places(const TiledCopy& copy, CopySide side, const Shape& tensor);

struct CopyOwner {
  std::int64_t thread = 0, value = 0;
};

// How often each element of the tensor is taken.
struct CopyCoverage {
  std::int64_t elements = 0, missed = 0, repeated = 0, outside = 0;  // of the tensor; never taken, taken twice or more; beyond it
  std::optional<Coord> first_missed, first_repeated, first_outside;  // one integer a mode
  CopyOwner first, second;                                           // of first_repeated
  CopyOwner outsider;                                                // of first_outside
  bool complete() const { return missed == 0 && repeated == 0 && outside == 0; }
};
CopyCoverage coverage_of(const CopyPlaces& places, const Shape& tensor);
// "every element of (64,64) is copied once", or what is wrong, with the first such element and whose it is.
std::string describe(const CopyCoverage& coverage, const Shape& tensor);

}  // namespace tessera
