// SPDX-License-Identifier: BSD-3-Clause
// IntTuple: an integer, or a tuple of IntTuples. Shapes, strides, coordinates and profiles are all IntTuples.
//
//   8            rank 1, depth 0
//   (8)          rank 1, depth 1: a different value from 8
//   (4,(2,3))    rank 2, depth 2, size 24
//
// An integer remembers whether CuTe knows it when it compiles (`_8`, Int<8>{}) or only when it runs (`8` beside one of those): see Mark.
//
// Two more leaves occur: in strides the basis element `v@i` (v times the unit vector of mode i; `v@j@i` is mode j of mode i,
// innermost first, as CuTe prints it), and in coordinates and tilers the underscore `_` ("all of this mode").
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

inline constexpr std::int64_t kLargestIndex = std::int64_t{1} << 62;  // sizes, cosizes and indices stay within it
inline constexpr int kDeepestTuple = 64;                              // so that recursion over a tuple is bounded

// What an integer remembers of the types that CuTe would give it. No value depends on it, equality ignores it, and print() shows it:
// every operation marks what it makes as CuTe's types come out, where an integer made from a dynamic one is dynamic.
namespace marks {
inline constexpr std::uint8_t kStatic = 0;        // CuTe's C<8>: known when it compiles; and every integer of which nothing was written
inline constexpr std::uint8_t kDynamic = 1;       // known when it runs
inline constexpr std::uint8_t kOtherForm = 2;     // CuTe, not knowing an integer when it compiles, has other modes or strides at this place
inline constexpr std::uint8_t kShapeDynamic = 4;  // beside a stride, in flat_modes.hpp: its extent is dynamic
}  // namespace marks

// Path of a basis stride: outermost mode first. Bounded so that a leaf needs no heap. The mark of its integer lies in the same word.
struct alignas(8) BasisPath {
  static constexpr int kDeepest = 7;
  std::uint8_t length : 3 = 0;
  std::uint8_t mark : 5 = marks::kStatic;
  std::array<std::uint8_t, kDeepest> modes{};
  constexpr BasisPath() = default;
  constexpr BasisPath(std::uint8_t deep, std::array<std::uint8_t, kDeepest> path) : length(deep & kDeepest), modes(path) {}
  // One word, so that paths are copied and compared in a register.
  friend bool operator==(const BasisPath& a, const BasisPath& b) {
    static_assert(std::endian::native == std::endian::little);  // the first bit-field is the lowest
    return ((std::bit_cast<std::uint64_t>(a) ^ std::bit_cast<std::uint64_t>(b)) & ~std::uint64_t{0xf8}) == 0;
  }
  BasisPath marked(unsigned bits) const {  // the same path with this mark
    BasisPath made = *this;
    made.mark = bits & 0x1f;
    return made;
  }
};

class IntTuple {
 public:
  enum class Kind : std::uint8_t { integer, tuple, basis, underscore };

  IntTuple(std::int64_t value = 0) : of_{value} {}
  IntTuple(int value) : of_{value} {}
  IntTuple(const IntTuple& other) : kind_(other.kind_), path_(other.path_), of_(other.of_) {
    if (is_tuple()) retain();
  }
  IntTuple(IntTuple&& other) noexcept : kind_(other.kind_), path_(other.path_), of_(other.of_) { other.become_zero(); }
  IntTuple& operator=(IntTuple other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(path_, other.path_);
    std::swap(of_, other.of_);
    return *this;
  }
  ~IntTuple() {
    if (is_tuple()) release();
  }

  static IntTuple tuple(std::vector<IntTuple> modes);
  static IntTuple zeros(std::size_t rank);                     // (0,0,..,0), to be filled through fill()
  static IntTuple basis(std::int64_t value, BasisPath path) {  // an empty path gives the plain integer
    IntTuple t(value);
    t.kind_ = path.length == 0 ? Kind::integer : Kind::basis;
    t.path_ = path;
    return t;
  }
  static IntTuple underscore();
  static IntTuple marked(std::int64_t value, unsigned bits) {  // bits of namespace marks
    IntTuple t(value);
    t.path_.mark = bits & 0x1f;
    return t;
  }

  Kind kind() const { return kind_; }
  bool is_int() const { return kind_ == Kind::integer; }
  bool is_tuple() const { return kind_ == Kind::tuple; }
  bool is_basis() const { return kind_ == Kind::basis; }
  bool is_underscore() const { return kind_ == Kind::underscore; }

  std::int64_t value() const { return is_tuple() ? 0 : of_.value; }  // of an integer or a basis leaf; 0 of a tuple
  const BasisPath& path() const { return path_; }                    // of a basis leaf
  unsigned mark() const { return path_.mark; }                       // of an integer or a basis leaf; 0 of any other
  bool is_dynamic() const { return (path_.mark & marks::kDynamic) != 0; }
  std::int64_t leaf() const {  // value(), where it is known that this is no tuple
    assert(!is_tuple());
    return of_.value;
  }

  // Modes of a tuple; a leaf is its own only mode, as in CuTe's get<0>(8).
  std::size_t rank() const { return is_tuple() ? block().rank : 1; }
  const IntTuple& operator[](std::size_t i) const {
    assert(i < rank());
    return is_tuple() ? block().modes()[i] : *this;
  }
  std::span<const IntTuple> modes() const { return is_tuple() ? std::span(block().modes(), block().rank) : std::span(this, 1); }

  // Mode i of a tuple that was just made and that nobody shares yet.
  IntTuple& fill(std::size_t i) {
    assert(is_tuple() && i < block().rank && block().uses.load(std::memory_order_relaxed) == 1);
    return block().modes()[i];
  }

  friend bool operator==(const IntTuple& a, const IntTuple& b);

 private:
  // The modes of a tuple follow in the same allocation. They are shared by its copies and never change.
  struct Block {
    std::atomic<std::uint32_t> uses;
    std::uint32_t rank;
    IntTuple* modes() { return reinterpret_cast<IntTuple*>(this + 1); }
    const IntTuple* modes() const { return reinterpret_cast<const IntTuple*>(this + 1); }
  };
  Block& block() { return *of_.block; }
  const Block& block() const { return *of_.block; }
  void retain() const { of_.block->uses.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (block().uses.load(std::memory_order_acquire) == 1 || block().uses.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(of_.block);
  }
  void become_zero() {
    kind_ = Kind::integer;
    path_ = {};
    of_.value = 0;
  }
  static Block* allocate(std::size_t rank);
  static void destroy(Block* block);

  Kind kind_ = Kind::integer;
  BasisPath path_;
  union Payload {
    std::int64_t value;
    Block* block;  // of a tuple
  } of_;
};

using Shape = IntTuple;
using Stride = IntTuple;
using Coord = IntTuple;

std::string to_string(const IntTuple& t);

std::size_t rank(const IntTuple& t);
int depth(const IntTuple& t);  // depth(8) -> 0, depth((8)) -> 1
bool has_underscore(const IntTuple& t);
bool has_basis(const IntTuple& t);
bool is_static(const IntTuple& t);       // no leaf is dynamic
bool has_other_form(const IntTuple& t);  // some leaf is marked kOtherForm
IntTuple as_static(const IntTuple& t);   // the same values, unmarked
IntTuple as_dynamic(const IntTuple& t);  // the same values, marked as dynamic
// The mark of an integer that is computed from all of these leaves.
inline unsigned marks_of(const IntTuple& a, const IntTuple& b) { return a.mark() | b.mark(); }
// Product of the leaves. size((4,(2,3))) -> 24. Requires a shape whose product was checked (see Layout::make, checked_size).
std::int64_t size(const IntTuple& shape);
IntTuple size_of(const IntTuple& shape);                   // the same with its mark: dynamic where an extent is
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

// A tuple of the mode sizes: product_each((2,(3,4))) -> (2,12), product_each(4) -> (4)
IntTuple product_each(const IntTuple& shape);
// Replaces every leaf of `profile` by the leaves in order (a leaf of `profile` takes one leaf).
IntTuple with_profile(std::span<const IntTuple> leaves, const IntTuple& profile);

}  // namespace tessera
