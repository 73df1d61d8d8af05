// SPDX-License-Identifier: BSD-3-Clause
// Swizzle<B,M,S> and ComposedLayout: layouts that no shape:stride can write.
//
// Sw<B,M,S>(o) = o xor ((o & Y) >> S), Y = B ones at bit M + max(0,S). It is its own inverse.
// ComposedLayout `A o offset o B` computes A(offset + B(c)): the addition comes first, then the swizzle.
//
// A and B may be composed themselves. Composition is associative, (A o p o B) o q o C == A o p o (B o q o C), so what is kept is always
// the second form: a chain of parts `A o p o B o q o C`, each a swizzle or a layout, with an offset before each but the first.
//   Sw<1,0,2> o 0 o (4,4):(4,1) o 3 o Sw<3,0,3> o 0 o 16:1       at c: Sw<1,0,2>((4,4):(4,1)(3 + Sw<3,0,3>(c)))
// The last layout of the chain has the modes and the domain; swizzles behind it permute it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/layout/layout.hpp"

namespace tessera {

class Swizzle {
 public:
  Swizzle() = default;  // Sw<0,0,0>, the identity
  // Refuses |S| < B, negative B or M, and bits beyond 62.
  static Result<Swizzle> make(int bits, int base, int shift);

  int bits() const { return bits_; }
  int base() const { return base_; }
  int shift() const { return shift_; }
  bool is_identity() const { return bits_ == 0; }
  std::int64_t y_mask() const;  // the bits that are read
  std::int64_t z_mask() const;  // the bits that are flipped
  std::int64_t operator()(std::int64_t offset) const {
    const std::int64_t y = offset & y_mask();
    return offset ^ (shift_ >= 0 ? y >> shift_ : y << -shift_);
  }
  friend bool operator==(const Swizzle&, const Swizzle&) = default;

 private:
  int bits_ = 0, base_ = 0, shift_ = 0;
};

struct ComposedLayout;

// The rest of a chain. Shared, since it never changes; equal where the layouts are.
class Nested {
 public:
  explicit Nested(ComposedLayout rest);
  const ComposedLayout& operator*() const { return *rest_; }
  const ComposedLayout* operator->() const { return rest_.get(); }
  friend bool operator==(const Nested& a, const Nested& b);

 private:
  std::shared_ptr<const ComposedLayout> rest_;
};

struct ComposedLayout {
  std::variant<Swizzle, Layout> outer;          // A
  IntTuple offset = 0;                          // an integer, or a coordinate when A is a layout on coordinates
  std::variant<Layout, Swizzle, Nested> inner;  // B

  friend bool operator==(const ComposedLayout&, const ComposedLayout&) = default;
};

// What an smem or gmem tensor's layout can be.
using AnyLayout = std::variant<Layout, ComposedLayout>;

inline constexpr std::size_t kMostParts = 64;  // of a chain; a longer one is refused where it is made

std::string to_string(const Swizzle& swizzle);          // "Sw<3,4,3>"
std::string to_string(const ComposedLayout& composed);  // "Sw<3,3,3> o 0 o (8,64):(64,1)"
std::string to_string(const AnyLayout& layout);

std::int64_t evaluate(const ComposedLayout& composed, std::int64_t i);
std::int64_t evaluate(const AnyLayout& layout, std::int64_t i);
std::int64_t evaluate(const AnyLayout& layout, std::int64_t c0, std::int64_t c1);
std::int64_t finish(const AnyLayout& layout, std::int64_t index);  // A(offset + index): what stands before the last part
std::size_t parts(const ComposedLayout& composed);                 // at least 2
const ComposedLayout& last_pair(const ComposedLayout& composed);   // what the chain ends in, `Y o offset o Z`
const Layout* inner_layout(const ComposedLayout& composed);        // the last part; null when that is a swizzle
const Layout& layout_part(const ComposedLayout& composed);         // the last layout, which has the modes
const Layout& layout_part(const AnyLayout& layout);
const Shape& shape(const AnyLayout& layout);
std::int64_t size(const AnyLayout& layout);
std::int64_t cosize(const AnyLayout& layout);  // of the layout part, as in CuTe

// The last part of what a tensor in memory has, and the same swizzle and offset around another one. Not for a composed layout that
// ends in a swizzle.
const Layout& plain_part(const AnyLayout& layout);
AnyLayout with_plain_part(const AnyLayout& like, Layout plain);

}  // namespace tessera
