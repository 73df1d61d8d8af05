// SPDX-License-Identifier: BSD-3-Clause
// The algebra of layouts that may be swizzled: Swizzle, ComposedLayout, and AnyLayout = Layout or ComposedLayout.
//
// An operation on `F o offset o L` acts on L and keeps F and offset, since what it rearranges is L's domain; so it does on a longer
// chain, whatever stands before L. Two exceptions: a slice moves L's offset into the composed layout (addition comes before the
// swizzle), and inverses and products with a swizzled tiler carry the swizzle over to other bits. `Sw<0,M,S> o 0 o L` is L: the
// identity vanishes.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/layout/layout.hpp"
#include "core/layout/swizzle.hpp"
#include "core/layout/tiler.hpp"

namespace tessera {

// ---- swizzles ------------------------------------------------------------------------------------------------------

// The swizzle that reads the bits `y` and flips the bits `z`: make_swizzle(0b1000, 0b0100) -> Sw<1,2,1>
Result<Swizzle> make_swizzle(std::int64_t y, std::int64_t z);
// a after b, for swizzles of one shift. Law: result(i) == a(b(i)), proven on single bits (swizzles are linear over bits).
Result<Swizzle> composition(const Swizzle& a, const Swizzle& b);
Result<Swizzle> upcast(const Swizzle& swizzle, std::int64_t n);  // n a power of two
Result<Swizzle> downcast(const Swizzle& swizzle, std::int64_t n);
Result<Swizzle> recast_layout(const Swizzle& swizzle, std::int64_t old_bits, std::int64_t new_bits);

// ---- making and taking apart -----------------------------------------------------------------------------------------

// What A and B of `A o offset o B` may be.
using ChainPart = std::variant<Swizzle, Layout, ComposedLayout>;
ChainPart to_part(AnyLayout layout);
// A o offset o B of any A and B, as one chain. Law: result(c) == A(offset + B(c)). Refuses chains of more than kMostParts parts, what
// check_range refuses, and swizzles alone, which have no domain.
Result<ComposedLayout> make_composed_layout(ChainPart a, const IntTuple& offset, ChainPart b);
// The same of two parts or more, offsets[k] between parts k and k+1.
Result<ComposedLayout> make_composed_layout(std::vector<ChainPart> chain, const std::vector<IntTuple>& offsets);
// What stands before the last part of `like`, before `last`. Refuses chains of more than kMostParts parts.
Result<ComposedLayout> with_last_part(const ComposedLayout& like, ChainPart last);
Result<ComposedLayout> with_last_offset(const ComposedLayout& like, const IntTuple& offset);  // before the last part; checks the range

AnyLayout composition(const Swizzle& swizzle, const IntTuple& offset, const Layout& layout);  // Sw o offset o L
AnyLayout make_layout(const Swizzle& swizzle);                                                // Sw o 0 o (M+B+|S|):1, as in CuTe
AnyLayout simplify(const AnyLayout& layout);                                                  // drops an identity swizzle with offset 0
Swizzle get_swizzle(const AnyLayout& layout);                                                 // Sw<0,4,3> of a plain layout
AnyLayout get_nonswizzle(const AnyLayout& layout);                                            // what the first offset is added to
// A coordinate of any depth; also where A is a layout on coordinates and the offset a coordinate.
Result<IntTuple> evaluate(const AnyLayout& layout, const Coord& coord);
std::size_t rank(const AnyLayout& layout);
int depth(const AnyLayout& layout);

// ---- composition and inverses ----------------------------------------------------------------------------------------

// Law: composition(A,B)(i) == A(B(i)) for all i < size(B). A plain layout that is not so is refused; with a swizzle on either side
// `law` says what happens.
Result<AnyLayout> composition(const AnyLayout& a, const Tiler& tiler, Law law = Law::as_cute);
// L o Sw: the swizzle moves to the left of L, onto the bits L(Y) and L(Z), which must be runs of adjacent bits. Where L does not keep
// the other bits apart, or B reaches beyond L, CuTe's layout is not L(Sw(i)).
Result<AnyLayout> composition(const Layout& a, const Swizzle& b, Law law = Law::as_cute);
Result<AnyLayout> composition(const AnyLayout& a, const Swizzle& b, Law law = Law::as_cute);
// Sw after the whole of b.
Result<AnyLayout> composition(const Swizzle& a, const AnyLayout& b);
// L after the whole of b: CuTe's (L o A) o B of b = A o 0 o B where that is L(b(i)), and otherwise the chain L o 0 o b.
Result<AnyLayout> composition(const Layout& a, const ComposedLayout& b, Law law = Law::as_cute);
Result<AnyLayout> composition(const AnyLayout& a, const AnyLayout& b, Law law = Law::as_cute);
Result<Layout> complement(const AnyLayout& layout, const Shape& cotarget, Law law = Law::as_cute);  // of the layout part, as in CuTe
// Laws: L(right_inverse(L)(i)) == i for all i < its size; L(left_inverse(L)(L(i))) == L(i) for all i < size(L). Of `Sw o 0 o L`, the
// inverse of L o Sw; of a longer chain or with an offset, the chain of the inverses turned round: (A o p o B)^-1 = B^-1 o -p o A^-1.
Result<AnyLayout> right_inverse(const AnyLayout& layout, Law law = Law::as_cute);
Result<AnyLayout> left_inverse(const AnyLayout& layout, Law law = Law::as_cute);
// How many leading elements both have at their own index, and where. Behind a swizzle Sw<B,M,S> at most 2^M of them, as in CuTe, unless
// both have the same; behind another layout, which CuTe does not take, they are counted one by one.
Result<std::int64_t> max_common_vector(const AnyLayout& a, const AnyLayout& b);
Result<AnyLayout> max_common_layout(const AnyLayout& a, const AnyLayout& b);
Result<std::int64_t> max_alignment(const AnyLayout& layout);

// ---- operations on the domain ------------------------------------------------------------------------------------------

Result<AnyLayout> coalesce(const AnyLayout& layout);
// Integer offsets and strides, and all values within 62 bits behind every part, so that evaluation cannot overflow.
Status check_range(const ComposedLayout& composed);
// The same value at every index below the size, on as few modes as possible: for walking a whole domain.
AnyLayout shortest(const AnyLayout& layout);
Result<AnyLayout> coalesce(const AnyLayout& layout, const IntTuple& profile);
Result<AnyLayout> filter(const AnyLayout& layout);
Result<AnyLayout> filter(const AnyLayout& layout, const IntTuple& profile);
Result<AnyLayout> flatten(const AnyLayout& layout);
Result<AnyLayout> unflatten(const AnyLayout& layout, const IntTuple& profile);
Result<AnyLayout> group(const AnyLayout& layout, std::int64_t begin, std::int64_t end);
Result<AnyLayout> take(const AnyLayout& layout, std::int64_t begin, std::int64_t end);
Result<AnyLayout> select(const AnyLayout& layout, const std::vector<std::int64_t>& modes);
Result<AnyLayout> append(const AnyLayout& layout, std::int64_t rank, const Layout& mode = Layout());
Result<AnyLayout> prepend(const AnyLayout& layout, std::int64_t rank, const Layout& mode = Layout());
Result<AnyLayout> zip(const AnyLayout& layout);
// The mode, where it is a tuple of one, as what is in it: ((16),4) with mode 0 opened is (16,4).
AnyLayout opened(const AnyLayout& layout, std::size_t mode);
Result<AnyLayout> slice(const Coord& coord, const AnyLayout& layout);
// What a slice of a swizzled layout is where it begins at an offset that is known only at run time, of which these bits may be set: plain
// strides, a mode of 2 for each bit whose sign depends on the beginning, and dynamic there. `rest` is the slice under the swizzle. Refused
// where bits of the slice meet under the swizzle, which then stays. Source: cute/swizzle_layout.hpp, slice_and_offset.
Result<Layout> slice_from_unknown(const Swizzle& swizzle, std::int64_t unknown_bits, const Layout& rest);
std::int64_t bits_of(const Layout& layout);  // all that its values have; of more than 2^20 of them all below the cosize
Coord at_origin(const Coord& coord);         // where the slice begins: each `_` as 0
// The layout with this coordinate as its origin: the start is an offset of a plain layout, and goes into a composed one.
Result<SliceAndOffset> domain_offset(const Coord& coord, const AnyLayout& layout);
Result<AnyLayout> get(const AnyLayout& layout, std::int64_t mode);
// One tile: zipped_divide(layout, tiler)((_,..), coord); modes that a tuple `coord` does not name stay, an integer is the tile's number.
// Law: offset + result(i) is the layout's value at element i of that tile, by the divide's definition.
Result<SliceAndOffset> local_tile(const AnyLayout& layout, const Tiler& tiler, const Coord& coord, Law law = Law::as_cute);
// What one thread gets when threads take turns: zipped_divide(layout, the threads' shape)(the thread's coordinate, (_,..)). Same law.
Result<SliceAndOffset> local_partition(const AnyLayout& layout, const Layout& threads, std::int64_t thread, Law law = Law::as_cute);
Result<AnyLayout> logical_divide(const AnyLayout& layout, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> zipped_divide(const AnyLayout& layout, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> tiled_divide(const AnyLayout& layout, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> flat_divide(const AnyLayout& layout, const Tiler& tiler, Law law = Law::as_cute);
// The tiler may be swizzled when the block is plain: the swizzle moves onto the bits that the copies take.
// Law: result(i, j) == block(i) + complement(block, size * cosize(tiler))(tiler(j)).
Result<AnyLayout> logical_product(const AnyLayout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> zipped_product(const AnyLayout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> tiled_product(const AnyLayout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> flat_product(const AnyLayout& block, const Tiler& tiler, Law law = Law::as_cute);
Result<AnyLayout> blocked_product(const AnyLayout& block, const Layout& tiler, Law law = Law::as_cute);
Result<AnyLayout> raked_product(const AnyLayout& block, const Layout& tiler, Law law = Law::as_cute);
Result<AnyLayout> tile_to_shape(const AnyLayout& block, const Shape& target, Law law = Law::as_cute);
Result<AnyLayout> tile_to_shape(const AnyLayout& block, const Shape& target, const IntTuple& order, Law law = Law::as_cute);
Result<Layout> make_fragment_like(const AnyLayout& layout);
Result<Layout> make_layout_like(const AnyLayout& layout);

// ---- units of another width: swizzle, offset and layout are all cast -----------------------------------------------------

Result<AnyLayout> upcast(const AnyLayout& layout, std::int64_t n, Law law = Law::as_cute);
Result<AnyLayout> downcast(const AnyLayout& layout, std::int64_t n, Law law = Law::as_cute);
Result<AnyLayout> recast_layout(const AnyLayout& layout, std::int64_t old_bits, std::int64_t new_bits, Law law = Law::as_cute);

}  // namespace tessera
