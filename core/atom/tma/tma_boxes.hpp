// SPDX-License-Identifier: BSD-3-Clause
// The boxes that a TMA copy cuts its tensor into, numbered colexicographically over the tensor's modes, and where each element of one
// lands in shared memory. What of a box lies outside of the tensor is filled with zeros, and counted in its bytes all the same: PTX ISA,
// cp.async.bulk.tensor and its out-of-bound handling.
#pragma once

#include <cstdint>
#include <vector>

#include "core/atom/tma/tma_copy.hpp"

namespace tessera {

struct TmaBoxes {
  // A leaf of the tensor's shape.
  struct Mode {
    std::int64_t extent = 1, stride = 0;   // of the tensor, in elements
    std::int64_t of_box = 1, of_tile = 1;  // elements of one box, and of the tile that shared memory holds
    std::int64_t boxes() const { return (extent + of_box - 1) / of_box; }
  };
  TmaRequest request;
  TmaCopy copy;
  std::vector<Mode> modes;
  std::vector<std::size_t> walk;  // modes of several elements a box, in the order in which shared memory walks them

  std::int64_t count() const;                                   // of all boxes that reach into the tensor
  std::int64_t elements() const;                                // of one box
  std::int64_t bytes() const;                                   // of one box, whole: what an mbarrier is told to expect
  std::vector<std::int64_t> origin(std::int64_t number) const;  // the first element's coordinate
  std::int64_t inside(std::int64_t number) const;               // elements that the tensor has
};

// Refuses tiles that are no block of neighbours, or hold no whole number of boxes.
Result<TmaBoxes> tma_boxes(TmaRequest request, TmaCopy copy);

struct TmaElement {
  std::vector<std::int64_t> at;  // its coordinate, one of each mode
  std::int64_t place = 0;        // in the tile's shared memory, in elements
  bool inside = true;            // of the tensor; otherwise it is zero
};
// The elements of one box, as the descriptor walks them.
std::vector<TmaElement> elements_of_box(const TmaBoxes& boxes, std::int64_t number);

}  // namespace tessera
