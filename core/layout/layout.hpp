// SPDX-License-Identifier: BSD-3-Clause
// Layout: a function from coordinates to integers, written shape:stride.
//
// The index of a coordinate is the sum over the leaves of coordinate * stride. Coordinates are numbered colexicographically:
// the leftmost mode runs fastest, and the last mode is never reduced, so layout(i) is defined for i >= size too.
//
//   (4,8):(8,1)     row-major 4x8      (2,3) -> 2*8 + 3*1 = 19
//   8:1             8 elements in a row
//   (2,(2,2)):(4,(1,2))
//
// A Layout that exists is well formed: shape and stride are congruent, every extent is at least 1, and size, cosize and
// every partial sum fit in 62 bits. So evaluation inside the domain cannot overflow and returns plain values.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/layout/int_tuple.hpp"

namespace tessera {

class Layout {
 public:
  Layout() : shape_(1), stride_(0) {}  // 1:0

  // Refuses incongruent trees, extents < 1, underscores, and sizes or cosizes beyond 62 bits.
  static Result<Layout> make(Shape shape, Stride stride);
  // Column-major: strides 1, s0, s0*s1, ...; an extent of 1 gets stride 0, as in CuTe. make_compact((4,1,2)) -> (4,1,2):(1,0,4)
  static Result<Layout> make_compact(Shape shape);
  // For code that has just made congruent trees within bounds; asserts what `make` checks.
  static Layout trusted(Shape shape, Stride stride) {
    assert(well_formed(shape, stride));
    return Layout(std::move(shape), std::move(stride));
  }

  const Shape& shape() const { return shape_; }
  const Stride& stride() const { return stride_; }
  std::size_t rank() const { return shape_.rank(); }
  int depth() const { return tessera::depth(shape_); }
  std::int64_t size() const { return tessera::size(shape_); }
  std::int64_t cosize() const;                // 1 + sum (s-1)*|d|; for integer strides
  Layout operator[](std::size_t mode) const;  // the mode as a layout
  bool has_basis() const { return tessera::has_basis(stride_); }

  // The index of 1-D coordinate i >= 0. Requires integer strides.
  std::int64_t operator()(std::int64_t i) const;
  // The index of coordinate (c0, c1, ...), one 1-D coordinate a top-level mode. Requires integer strides.
  std::int64_t operator()(std::int64_t c0, std::int64_t c1) const;
  std::int64_t operator()(std::int64_t c0, std::int64_t c1, std::int64_t c2) const;

  friend bool operator==(const Layout& a, const Layout& b) = default;

 private:
  Layout(Shape shape, Stride stride) : shape_(std::move(shape)), stride_(std::move(stride)) {}
  static bool well_formed(const Shape& shape, const Stride& stride);

  Shape shape_;
  Stride stride_;
};

std::string to_string(const Layout& layout);  // "(4,8):(8,1)"

// Any coordinate congruent to (or coarser than) the shape; basis strides give an ArithTuple such as (1,0).
Result<IntTuple> evaluate(const Layout& layout, const Coord& coord);
IntTuple evaluate(const Layout& layout, std::int64_t i);
// [layout(0), ..., layout(size-1)]. The caller bounds size first.
std::vector<std::int64_t> image(const Layout& layout);

// Concatenation: make_layout(a, b) has modes a and b. The plain form is for modes whose joint size is known to fit.
Layout make_layout(std::vector<Layout> modes);
Result<Layout> checked_make_layout(std::vector<Layout> modes);

}  // namespace tessera
