// SPDX-License-Identifier: BSD-3-Clause
// What a Value may stand for: 8 is an integer, a shape, the layout 8:1 and the tiler 8:1. A refusal names what was given and what
// is wanted; the caller adds the place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lang/values/value.hpp"

namespace tessera {

Result<std::int64_t> as_integer(const Value& value);
Result<double> as_number(const Value& value);  // also an integer
Result<bool> as_bool(const Value& value);      // also 0 and 1
Result<IntTuple> as_int_tuple(const Value& value);
Result<Layout> as_layout(const Value& value);  // an IntTuple is a compact column-major layout; not a swizzled one
Result<AnyLayout> as_any_layout(const Value& value);
Result<Tiler> as_tiler(const Value& value);  // a tuple is a tuple tiler
Result<Swizzle> as_swizzle(const Value& value);
Result<std::string> as_text(const Value& value);
Result<ValueType> as_value_type(const Value& value);  // half_t, "f16"
Result<MmaAtom> as_mma_atom(const Value& value);
Result<CopyTraits> as_copy_traits(const Value& value);
Result<CopyAtom> as_copy_atom(const Value& value);
Result<std::shared_ptr<const TiledMma>> as_tiled_mma(const Value& value);  // also an atom: one of it
Result<std::shared_ptr<const TiledCopy>> as_tiled_copy(const Value& value);

Value to_value(AnyLayout layout);
// The value, a layout or a tensor, with another layout; all else that is known of it stays.
Value with_layout(Value value, const AnyLayout& layout);
Value to_value(SliceAndOffset slice);
Value tiler_value(Tiler tiler);  // an integer, a layout or `_` where it is one
// A tuple of values, as `(a, b)` makes it: an IntTuple when all are, a tiler where all are tilers, else a list.
Result<Value> make_tuple(std::vector<Value> elements);
// make_tiled_mma(atom) of CuTe: one atom, no permutation.
Result<TiledMma> tiled_mma_of(MmaAtom atom);

// "the layout (4,8):(8,1)", "the string \"f16\"": for messages; long values are cut.
std::string described(const Value& value);

}  // namespace tessera
