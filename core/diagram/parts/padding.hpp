// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: is a layout a matrix whose rows (or columns) lie further apart than they are long?
#pragma once

#include <cstdint>

#include "core/layout/composed_algebra.hpp"

namespace tessera {

// Elements that no coordinate reaches, behind each row or column of a matrix whose pitch is larger than its extent.
struct Padding {
  bool columns = true;                // behind rows: grey cells in columns at the right; else below
  std::int64_t count = 0, pitch = 0;  // of each row; elements from one row to the next
};

// One mode is contiguous, and every stride of the other is a multiple of one pitch that is larger than the contiguous mode. count = 0: it
// is no such matrix.
Padding padding_of(const AnyLayout& layout);

}  // namespace tessera
