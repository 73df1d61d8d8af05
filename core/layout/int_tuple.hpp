// SPDX-License-Identifier: BSD-3-Clause
// IntTuple: an integer, or a tuple of IntTuples. Shapes, strides, coordinates and profiles are all IntTuples.
//
//   8            rank 1, depth 0
//   (8)          rank 1, depth 1: a different value from 8
//   (4,(2,3))    rank 2, depth 2, size 24
//
// Two more leaves occur: in strides the basis element `v@i` (v times the unit vector of mode i; `v@j@i` is mode j of mode i,
// innermost first, as CuTe prints it), and in coordinates and tilers the underscore `_` ("all of this mode").
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

inline constexpr std::int64_t kLargestIndex = std::int64_t{1} << 62;  // sizes, cosizes and indices stay within it
inline constexpr int kDeepestTuple = 64;                              // so that recursion over a tuple is bounded

// Path of a basis stride: outermost mode first. Bounded so that a leaf needs no heap.
struct BasisPath {
  static constexpr int kDeepest = 6;
  std::uint8_t length = 0;
  std::array<std::uint8_t, kDeepest> modes{};
  friend bool operator==(const BasisPath&, const BasisPath&) = default;
};

class IntTuple {
 public:
  enum class Kind : std::uint8_t { integer, tuple, basis, underscore };

  IntTuple(std::int64_t value = 0) : value_(value) {}
  IntTuple(int value) : value_(value) {}
  static IntTuple tuple(std::vector<IntTuple> modes);
  static IntTuple basis(std::int64_t value, BasisPath path);  // an empty path gives the plain integer
  static IntTuple underscore();

  Kind kind() const { return kind_; }
  bool is_int() const { return kind_ == Kind::integer; }
  bool is_tuple() const { return kind_ == Kind::tuple; }
  bool is_basis() const { return kind_ == Kind::basis; }
  bool is_underscore() const { return kind_ == Kind::underscore; }

  std::int64_t value() const { return value_; }    // of an integer or a basis leaf
  const BasisPath& path() const { return path_; }  // of a basis leaf

  // Modes of a tuple; a leaf is its own only mode, as in CuTe's get<0>(8).
  std::size_t rank() const { return is_tuple() ? modes_.size() : 1; }
  const IntTuple& operator[](std::size_t i) const { return is_tuple() ? modes_[i] : *this; }
  std::span<const IntTuple> modes() const { return is_tuple() ? std::span<const IntTuple>(modes_) : std::span<const IntTuple>(this, 1); }

  friend bool operator==(const IntTuple& a, const IntTuple& b);

 private:
  Kind kind_ = Kind::integer;
  BasisPath path_;
  std::int64_t value_ = 0;
  std::vector<IntTuple> modes_;
};

using Shape = IntTuple;
using Stride = IntTuple;
using Coord = IntTuple;

std::string to_string(const IntTuple& t);

std::size_t rank(const IntTuple& t);
int depth(const IntTuple& t);  // depth(8) -> 0, depth((8)) -> 1
bool has_underscore(const IntTuple& t);
bool has_basis(const IntTuple& t);
// Product of the leaves. size((4,(2,3))) -> 24. Requires a shape whose product was checked (see Layout::make, checked_size).
std::int64_t size(const IntTuple& shape);
Result<std::int64_t> checked_size(const IntTuple& shape);  // refuses extents < 1 and products beyond 64 bits
Status checked_depth(const IntTuple& t);                   // refuses nesting deeper than kDeepestTuple
IntTuple flatten(const IntTuple& t);                       // (1,(2,3)) -> (1,2,3); an integer stays an integer
void append_leaves(const IntTuple& t, std::vector<IntTuple>& out);
std::vector<std::int64_t> leaf_values(const IntTuple& t);  // integers only

bool congruent(const IntTuple& a, const IntTuple& b);         // same profile
bool weakly_congruent(const IntTuple& a, const IntTuple& b);  // a's profile is a prefix of b's
bool compatible(const IntTuple& a, const IntTuple& b);        // every coordinate of a is one of b; sizes agree mode by mode
bool evenly_divides(const IntTuple& a, const IntTuple& b);    // CuTe's evenly_divides(a, b)

// ceil_div mode by mode, the divisor losing each mode's size in turn: ceil_div((2,12), 12) -> (1,2). Leaves >= 1, b >= 1.
IntTuple ceil_div(const IntTuple& a, std::int64_t b);
// CuTe's ceil_div and shape_div on any pair of IntTuples. shape_div refuses a quotient that is not exact either way round.
Result<IntTuple> ceil_div(const IntTuple& a, const IntTuple& b);
Result<IntTuple> shape_div(const IntTuple& a, const IntTuple& b);

// A tuple of the mode sizes: product_each((2,(3,4))) -> (2,12)
IntTuple product_each(const IntTuple& shape);
// Replaces every leaf of `profile` by the leaves in order (a leaf of `profile` takes one leaf).
IntTuple with_profile(std::span<const IntTuple> leaves, const IntTuple& profile);

}  // namespace tessera
