// SPDX-License-Identifier: BSD-3-Clause
// Operations whose meaning depends on the kinds of their values: `A o B`, a layout at a coordinate, printed pointers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/lang/builtins/remarks.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {

// composition(a, b) and `a o b`: layouts, tilers and swizzles on either side, as far as CuTe has them.
Result<Value> composition_of(const Value& a, const Value& b, Law law = Law::as_cute);

// Where b is a tiler that reaches elements which a does not have.
void remark_composition(const Remarks& remarks, const Value& a, const Value& b);

// `A o (L1, L2)` is by mode, and might be meant as composition with the one layout that L1 and L2 make side by side.
void remark_other_reading(const Remarks& remarks, const Value& a, const Value& b, const Value& by_mode);

// The swizzle of bytes that a layout's pointer will have, where the layout waits for one as CuTe's GMMA::Layout_K_SW128_Atom<half_t> does.
std::optional<Swizzle> awaited_swizzle(const Value& layout);

// layout(coord): an index, or with `_` in the coordinate the slice and its offset.
Result<Value> layout_at(const Remarks& remarks, const AnyLayout& layout, const Coord& coord);

// The same of coordinates behind an offset, (64,128) o (128,64):(1@0,1@1): the offset plus the coordinate that the layout gives.
Result<Value> layout_at(const Remarks& remarks, const Tensor& both, const Coord& coord);
// Either of them, or a tensor whose elements are known: what it gives has the same elements.
Result<Value> tensor_at(const Remarks& remarks, const Value& tensor, const Coord& coord);
// (64,128) o (128,64):(1@0,1@1), as the DSL prints a tensor of coordinates; without the offset where that is the origin.
Result<Value> coordinates_behind(const IntTuple& offset, Layout layout);

// One mode of a tuple or a layout; more numbers go deeper. CuTe's get<I>(x) and layout<I>(x).
Result<Value> mode_of(const Value& value, std::span<const std::int64_t> modes);

// Sw o smem_ptr[bits b] o layout in units of elements: the swizzle acts on byte addresses.
Result<Value> byte_swizzled(const Swizzle& swizzle, std::int64_t bits, Layout layout);

// A o offset o B as it is written. An identity swizzle stays here, as CuTe's upcast and max_alignment see it; `evaluate` drops it.
Result<Value> make_composed(const Value& outer, const IntTuple& offset, const Value& inner);
// The same of any number of parts: A, offset, B, offset, C, ... as `A o offset o B o offset o C` is written.
Result<Value> compose_chain(std::span<const Value> parts);
// The first n coordinates of a shape, as a shape; the remainder of shape_div. By mode where n is a tuple.
Result<IntTuple> shape_mod(const IntTuple& shape, const IntTuple& n);
// Sw<B,M,S>
Result<Swizzle> swizzle_of(std::span<const IntTuple> numbers);
// scale@modes, outermost mode first, as ScaledBasis<scale,modes...>
Result<IntTuple> basis_stride(std::int64_t scale, std::span<const std::int64_t> modes);

// Where an operand is read, by the DSL's word for it: "SMEM", "RMEM" or "TMEM".
Result<OperandSource> operand_source(const std::string& word);

}  // namespace tessera
