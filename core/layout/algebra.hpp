// SPDX-License-Identifier: BSD-3-Clause
// The algebra of layouts. Read this page first.
//
// A layout is a function from {0, .., size-1} to integers. Every operation below makes a new layout, and each states the law
// that its result satisfies. Functions that return a plain Layout cannot fail. Functions that return Result<Layout> may be
// impossible for the given values. Where CuTe's formula can break the law, a `Law` says what then happens (law.hpp). A composition
// of plain layouts is always held to its law; the others give by default the layout that CuTe's compiler gives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/layout/law.hpp"
#include "core/layout/layout.hpp"
#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"

namespace tessera {

// ---- rearranging: the function, or a part of it, in another profile ------------------------------------------------

// Law: coalesce(L)(i) == L(i) for all i < size; no two neighbouring modes could be one. (2,(1,6)):(1,(6,2)) -> 12:1
Layout coalesce(const Layout& layout);
Result<Layout> coalesce(const Layout& layout, const IntTuple& profile);  // by mode; profile rank <= layout rank
Layout filter_zeros(const Layout& layout);                               // leaves of stride 0 get extent 1
Layout filter(const Layout& layout);  // coalesce(filter_zeros(L)): same image, no mode of stride 0 or extent 1
Result<Layout> filter(const Layout& layout, const IntTuple& profile);
Layout flatten(const Layout& layout);
Result<Layout> unflatten(const Layout& layout, const IntTuple& profile);
Result<Layout> group(const Layout& layout, std::int64_t begin, std::int64_t end);
Result<Layout> take(const Layout& layout, std::int64_t begin, std::int64_t end);
Result<Layout> select(const Layout& layout, const std::vector<std::int64_t>& modes);
Result<Layout> append(const Layout& layout, std::int64_t rank, const Layout& mode = Layout());  // `mode` until the rank is reached
Result<Layout> prepend(const Layout& layout, std::int64_t rank, const Layout& mode = Layout());
// The same of tuples.
Result<IntTuple> unflatten(const IntTuple& tuple, const IntTuple& profile);
Result<IntTuple> group(const IntTuple& tuple, std::int64_t begin, std::int64_t end);
Result<IntTuple> take(const IntTuple& tuple, std::int64_t begin, std::int64_t end);
Result<IntTuple> select(const IntTuple& tuple, const std::vector<std::int64_t>& modes);
Result<IntTuple> zip(const IntTuple& tuple);
Result<IntTuple> zip(const IntTuple& a, const IntTuple& b);
Result<Layout> zip(const Layout& layout);  // CuTe's, of the modes: ((a,b),(c,d)) -> ((a,c),(b,d))
Result<Layout> zip(const Layout& a, const Layout& b);

// ---- coordinates ---------------------------------------------------------------------------------------------------

Result<std::int64_t> crd2idx(const Coord& coord, const Shape& shape);  // colexicographic number
Coord idx2crd(std::int64_t i, const Shape& shape);                     // the last mode is not reduced
// Of an *index*: each leaf is (i / stride) mod extent. Right for compact layouts only; refuses strides of 0.
Result<Coord> get_hier_coord(const Layout& layout, std::int64_t i);
Result<Coord> get_flat_coord(const Layout& layout, std::int64_t i);
Result<std::int64_t> get_1d_coord(const Layout& layout, std::int64_t i);
Result<Layout> slice(const Coord& coord, const Layout& layout);     // keeps the modes at `_`
Result<Layout> dice(const Coord& coord, const Layout& layout);      // keeps the modes at integers
Result<IntTuple> slice(const Coord& coord, const IntTuple& tuple);  // the same of tuples and tilers
Result<IntTuple> dice(const Coord& coord, const IntTuple& tuple);
Result<Tiler> dice(const Coord& coord, const Tiler& tiler);
struct SliceAndOffset {
  AnyLayout layout;
  IntTuple offset = 0;
};
// Of a swizzled layout, CuTe's: the start's bits that the swizzle acts on go inside and the others outside, and where no bits of the slice
// meet under the swizzle it is plain strides. A dynamic integer of `coord` makes a mode of 2 for each bit whose stride depends on it.
Result<SliceAndOffset> slice_and_offset(const Coord& coord, const AnyLayout& layout);
// What CuTe's slice_and_offset gives of a swizzled layout where it has other values than the layout, since the rest carries into bits that
// the coordinate has set; nothing where it is right. slice_and_offset keeps the whole start inside then.
std::optional<SliceAndOffset> broken_slice(const Coord& coord, const AnyLayout& layout);

// While one lives on this thread, slices keep their swizzle, and the whole start goes inside it: the swizzle stands in a tensor's pointer,
// and CuTe cuts only the layout behind it.
class SwizzleInPointer {
 public:
  explicit SwizzleInPointer(bool is_there) : is_there_(is_there) { count_ += is_there_ ? 1 : 0; }
  ~SwizzleInPointer() { count_ -= is_there_ ? 1 : 0; }
  SwizzleInPointer(const SwizzleInPointer&) = delete;
  SwizzleInPointer& operator=(const SwizzleInPointer&) = delete;
  static bool here() { return count_ > 0; }

 private:
  bool is_there_;
  static thread_local constinit int count_;
};

// ---- composition, complement, inverses -----------------------------------------------------------------------------

// Law: composition(A,B)(i) == A(B(i)) for all i < size(B), and the result is compatible with B.
Result<Layout> composition(const Layout& a, const Layout& b);
Result<Layout> composition(const Layout& a, const Tiler& tiler, Law law = Law::checked);
// The same formula without the law check, for callers that have proven it. Still refuses what CuTe's conditions refuse.
Result<Layout> composition_unchecked(const Layout& a, const Layout& b);

// Law: (L, complement(L, M)) is injective apart from L's own repetition, and its strides are ordered. It fills up to M,
// but for gaps where a stride of L is no multiple of the reach of the smaller ones. Worth a remark: M as a tuple, or a stride that
// does not divide it, can make it end before M, or after M rounded up to L's cosize. complement(4:1, (3,4,4)) -> 8:4
Result<Layout> complement(const Layout& layout, const Shape& cotarget, Law law = Law::as_cute);
Result<Layout> complement(const Layout& layout);  // cotarget = cosize
// Law: L(right_inverse(L)(i)) == i for all i < size of the result, the longest such contiguous range.
Result<Layout> right_inverse(const Layout& layout);
// Law: left_inverse(L)(L(i)) == i up to L's repetition.
Result<Layout> left_inverse(const Layout& layout);
Layout nullspace(const Layout& layout);
Result<std::int64_t> max_common_vector(const Layout& a, const Layout& b);
Result<Layout> max_common_layout(const Layout& a, const Layout& b);

// ---- divide and product --------------------------------------------------------------------------------------------

// A o (B, complement(B, shape(coalesce(A)))): mode 0 walks one tile, mode 1 walks the tiles.
Result<Layout> logical_divide(const Layout& layout, const Tiler& tiler, Law law = Law::as_cute);
Result<Layout> zipped_divide(const Layout& layout, const Tiler& tiler, Law law = Law::as_cute);  // ((tile modes), (rest modes))
Result<Layout> tiled_divide(const Layout& layout, const Tiler& tiler, Law law = Law::as_cute);   // ((tile modes), rest, rest, ...)
Result<Layout> flat_divide(const Layout& layout, const Tiler& tiler, Law law = Law::as_cute);
// (A, complement(A, size(A)*cosize(B)) o B): mode 0 is the block, mode 1 walks the copies of it.
Result<Layout> logical_product(const Layout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<Layout> zipped_product(const Layout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<Layout> tiled_product(const Layout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<Layout> flat_product(const Layout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<Layout> blocked_product(const Layout& block, const Layout& tiler, Law law = Law::as_cute);
Result<Layout> raked_product(const Layout& block, const Layout& tiler, Law law = Law::as_cute);

// ---- making ----------------------------------------------------------------------------------------------------------

Result<Layout> make_ordered_layout(const Shape& shape, const IntTuple& order);
Result<Layout> make_layout_row_major(const Shape& shape);  // LayoutRight
Result<Layout> make_layout_like(const Layout& layout);
Result<Layout> make_fragment_like(const Layout& layout);
Result<Layout> make_identity_layout(const Shape& shape);  // strides 1@0, 1@1, ...
Result<Layout> tile_to_shape(const Layout& block, const Shape& target, const IntTuple& order,
                             Law law = Law::as_cute);                                            // order: any values that compare
Result<Layout> tile_to_shape(const Layout& block, const Shape& target, Law law = Law::as_cute);  // column-major order
// layout (thr, val) -> index of a tile of `shape`, from thread and value layouts (m,n) -> id, whose product must be a bijection onto the
// tile. Also gives the tile's shape.
struct LayoutTV {
  Shape tiler_mn;
  Layout layout_tv;  // (thr, val) -> (m, n), colexicographic
};
Result<LayoutTV> make_layout_tv(const Layout& thr, const Layout& val);

// n elements spread over `shape` as far as common divisors reach: domain_distribute((6,5,6), 4) -> (2,2):(1,30)
Result<Layout> domain_distribute(const Shape& shape, std::int64_t n);

// ---- units of another width -------------------------------------------------------------------------------------------

// Law: the elements before and after occupy the same bits of memory. upcast((8,4):(1,8), 2) -> (4,4):(1,4)
Result<Layout> upcast(const Layout& layout, std::int64_t n, Law law = Law::as_cute);  // strides in units n times as wide
Result<Layout> downcast(const Layout& layout, std::int64_t n, Law law = Law::as_cute);
Result<Layout> recast_layout(const Layout& layout, std::int64_t old_bits, std::int64_t new_bits, Law law = Law::as_cute);
// The largest n that `upcast` takes.
Result<std::int64_t> max_alignment(const Layout& layout);

}  // namespace tessera
