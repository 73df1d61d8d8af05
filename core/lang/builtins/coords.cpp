// SPDX-License-Identifier: BSD-3-Clause
// Builtins: sizes, coordinates, slices, shapes and how two shapes compare.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/remarks.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/index_marks.hpp"

#include <fmt/format.h>

namespace tessera {
namespace {

constexpr std::int64_t kLongestTuple = 4096;  // values that image() lists

// f of the value, or of the mode that further arguments name: size(x, 0) is CuTe's size<0>(x).
template <class F>
Result<Value> of_mode(const Call& call, const F& f) {
  TESSERA_TRY(modes, mode_numbers(call));
  Result<Value> part = mode_of(*call[0].value, modes);
  if (!part) return argument_error(call, "", call.rest.empty() ? call[0] : call.rest[0], std::move(part).error());
  Call of_part = call;
  of_part.parameters[0].value = &*part;
  of_part.rest.clear();
  return call_with(of_part, f);
}

// The same for what a tuple has as well as a layout.
template <class OfTuple>
Result<Value> of_shape(const Call& call, OfTuple f) {
  return of_mode(call, [&](const Value& value) -> Result<IntTuple> {
    if (const auto* tuple = std::get_if<IntTuple>(&value.any)) return f(*tuple);
    if (const auto* mma = std::get_if<std::shared_ptr<const TiledMma>>(&value.any)) return f((*mma)->thr_layout_vmnk().shape());
    TESSERA_TRY(layout, as_any_layout(value));
    return f(shape(layout));
  });
}

Result<Value> crd2idx_call(const Call& call) {
  TESSERA_TRY(coord, argument<IntTuple>(call, 0));
  if (call.has(2)) {
    return call_with(call, [&](const IntTuple& c, const IntTuple& shape, const std::optional<IntTuple>& stride) -> Result<IntTuple> {
      TESSERA_TRY(layout, Layout::make(shape, *stride));
      if (has_underscore(c)) return evaluate(layout, c);  // it refuses
      TESSERA_TRY(index, layout_at(Remarks(call), layout, c));
      return std::get<IntTuple>(std::move(index.any));
    });
  }
  if (std::holds_alternative<IntTuple>(call[1].value->any)) {
    return call_with(call, [&](const IntTuple& c, const IntTuple& shape) -> Result<std::int64_t> {
      TESSERA_CHECK(checked_size(shape));
      remark_outside(Remarks(call), c, shape);
      return crd2idx(c, shape);
    });
  }
  if (const auto* both = std::get_if<Tensor>(&call[1].value->any))
    return call_with(call, [&](const IntTuple& c, const Value&) { return layout_at(Remarks(call), *both, c); });
  return call_with(call, [&](const IntTuple& c, const AnyLayout& layout) {
    return layout_at(Remarks(call), layout, current_dialect() == Dialect::python ? at_origin(c) : c);  // the DSL takes None for 0
  });
}

Result<Value> make_tuple_call(const Call& call) {
  std::vector<Value> elements;
  const bool of_integers = call.function() == "make_shape" || call.function() == "make_stride" || call.function() == "make_coord";
  for (const CallArgument& each : call.rest) {
    const bool is_memory = std::holds_alternative<Pointer>(each.value->any) || std::holds_alternative<Tensor>(each.value->any);
    if (of_integers && is_memory)
      return argument_error(
          call, "", each,
          {ErrorCode::wrong_type, "an integer or a tuple of integers is wanted, but this is " + described(*each.value), {}, {}});
    elements.push_back(*each.value);
  }
  if (elements.empty())
    return Error{ErrorCode::wrong_arity, fmt::format("{} needs at least one element", call.function()), call.span(), {}};
  Result<Value> made = make_tuple(std::move(elements));
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return made;
}

Result<IntTuple> image_tuple(const AnyLayout& layout) {
  const std::int64_t n = size(layout);
  if (n > kLongestTuple) {
    return Error{ErrorCode::limit, fmt::format("image lists at most {} values; this layout has {}", kLongestTuple, n), {}, {}};
  }
  std::vector<IntTuple> values;
  const auto* plain = std::get_if<Layout>(&layout);
  for (std::int64_t i = 0; i < n; ++i) values.push_back(plain ? evaluate(*plain, i) : IntTuple(evaluate(layout, i)));
  return IntTuple::tuple(std::move(values));
}

// A tile that the tensor does not have.
void remark_tile(const Call& call, const AnyLayout& layout, const Tiler& tiler, const IntTuple& coord) {
  if (!call.warnings) return;
  const Result<AnyLayout> divided = zipped_divide(layout, tiler);
  if (!divided) return;
  const Shape& rest = shape(*divided)[1];
  std::vector<IntTuple> at(coord.modes().begin(), coord.modes().end());
  if (coord.is_tuple()) at.resize(std::max(at.size(), rest.rank()), IntTuple::underscore());
  remark_tile_outside(Remarks(call), coord.is_tuple() ? IntTuple::tuple(std::move(at)) : coord, rest);
}

// The DSL keeps the modes of a coordinate that a projection has none for: (m,n,_,l) by (1,_,1) is (m,_,l).
Result<IntTuple> diced_coordinate(const IntTuple& projection, const IntTuple& coord) {
  const bool longer = projection.is_tuple() && coord.is_tuple() && coord.rank() > projection.rank();
  if (!longer || current_dialect() != Dialect::python) return dice(projection, coord);
  const auto end = coord.modes().begin() + static_cast<std::ptrdiff_t>(projection.rank());
  TESSERA_TRY(front, dice(projection, IntTuple::tuple({coord.modes().begin(), end})));
  std::vector<IntTuple> modes = front.is_tuple() ? std::vector<IntTuple>(front.modes().begin(), front.modes().end()) : std::vector{front};
  modes.insert(modes.end(), end, coord.modes().end());
  return IntTuple::tuple(std::move(modes));
}

// One tile of a tensor; with a projection, of tiler and coordinate: local_tile(C, (bM,bN,bK), (m,n,_), Step<_1,_1,X>).
Result<SliceAndOffset> local_tile_of(const Call& call, const AnyLayout& layout, const Tiler& tiler, const IntTuple& coord,
                                     const std::optional<IntTuple>& projection) {
  if (projection) {
    TESSERA_TRY(kept, dice(*projection, tiler));
    TESSERA_TRY(at, diced_coordinate(*projection, coord));
    return local_tile_of(call, layout, kept, at, std::nullopt);
  }
  remark_tile(call, layout, tiler, coord);
  TESSERA_TRY(made, lawful(call, [&](Law law) { return local_tile(layout, tiler, coord, law); }));
  // The DSL asks for ((None,), coord), and has no tuple around the one mode of such a tile.
  const auto* modes = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (current_dialect() == Dialect::python && modes && modes->size() == 1) made.layout = opened(made.layout, 0);
  return made;
}

// What one thread gets; where one mode is left, the DSL has no tuple around it.
Result<SliceAndOffset> local_partition_of(const Call& call, const AnyLayout& layout, const Layout& threads, std::int64_t thread) {
  TESSERA_TRY(made, lawful(call, [&](Law law) { return local_partition(layout, threads, thread, law); }));
  if (current_dialect() == Dialect::python && rank(made.layout) == 1) made.layout = opened(made.layout, 0);
  return made;
}

// CuTe's idx2crd: an index of each mode that a tuple has one for.
Result<IntTuple> coordinate_at(const IntTuple& index, const IntTuple& shape) {
  if (!index.is_tuple()) {
    if (!index.is_int()) return Error{ErrorCode::wrong_type, fmt::format("idx2crd: {} is no index", to_string(index)), {}, {}};
    if (index.value() < 0) return Error{ErrorCode::out_of_range, fmt::format("idx2crd: the index {} is negative", index.value()), {}, {}};
    return mark_coordinate(idx2crd(index.value(), shape), index, shape);
  }
  if (!shape.is_tuple() || shape.rank() != index.rank()) {
    return Error{
        ErrorCode::rank_mismatch, fmt::format("idx2crd: {} does not fit the shape {}", to_string(index), to_string(shape)), {}, {}};
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < index.rank(); ++i) {
    TESSERA_TRY(mode, coordinate_at(index[i], shape[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

Call coordinate_first(const Call& call) {
  Call made = call;
  std::swap(made.parameters[0], made.parameters[1]);
  return made;
}

// One of get_hier_coord and its kin.
template <auto F>
Result<Value> coordinate_call(const Call& call) {
  return call_with(call, [&](const Layout& layout, std::int64_t index) {
    const auto coord = F(layout, index);
    if (coord) remark_not_there(Remarks(call), layout, index, *coord);
    return coord;
  });
}

Result<Value> slice_call(const Call& call) {
  if (std::holds_alternative<IntTuple>(call[1].value->any))
    return call_with(call, [](const IntTuple& coord, const IntTuple& tuple) -> Result<IntTuple> {
      if (coord.is_tuple() && coord.rank() == tuple.rank() && !has_underscore(coord)) return IntTuple::tuple({});  // none of its modes
      return slice(coord, tuple);
    });
  const Value& tensor = *call[1].value;  // a tensor's slice is a tensor, which may begin elsewhere
  if (std::holds_alternative<Tensor>(tensor.any) || tensor.element.space != MemorySpace::unknown)
    return call_with(call, [&](const IntTuple& coord, const Value&) { return tensor_at(Remarks(call), tensor, coord); });
  return call_with(call, [&](const IntTuple& coord, const AnyLayout& layout) {
    remark_outside(Remarks(call), coord, shape(layout));
    remark_broken_slice(Remarks(call), layout, coord);
    return slice(coord, layout);
  });
}

Result<Value> dice_call(const Call& call) {
  if (std::holds_alternative<IntTuple>(call[1].value->any))
    return call_with(call, [](const IntTuple& coord, const IntTuple& tuple) { return dice(coord, tuple); });
  return call_with(call, [](const IntTuple& coord, const Layout& layout) { return dice(coord, layout); });
}

IntTuple repeat_like(const IntTuple& tuple, const IntTuple& value) {
  if (!tuple.is_tuple()) return value;
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : tuple.modes()) modes.push_back(repeat_like(mode, value));
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> round_up(const IntTuple& a, const IntTuple& b) {
  if (a.is_tuple()) {
    if (!b.is_tuple() || b.rank() > a.rank())
      return Error{
          ErrorCode::rank_mismatch, fmt::format("round_up: {} has no multiple for each mode of {}", to_string(b), to_string(a)), {}, {}};
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < a.rank(); ++i) {
      TESSERA_TRY(mode, round_up(a[i], i < b.rank() ? b[i] : IntTuple(1)));
      modes.push_back(std::move(mode));
    }
    return IntTuple::tuple(std::move(modes));
  }
  std::int64_t rounded = 0;
  const bool fits =
      a.is_int() && b.is_int() && a.value() >= 0 && b.value() >= 1 && !__builtin_add_overflow(a.value(), b.value() - 1, &rounded);
  if (!fits) return Error{ErrorCode::out_of_range, fmt::format("round_up: {} to a multiple of {}", to_string(a), to_string(b)), {}, {}};
  return IntTuple::marked(rounded / b.value() * b.value(), marks_of(a, b));
}

// The first integer of the mode's stride is 1.
Result<bool> is_major(std::int64_t mode, const IntTuple& stride) {
  if (mode < 0 || mode >= static_cast<std::int64_t>(stride.rank()))
    return Error{ErrorCode::out_of_range, fmt::format("there is no mode {} in {}", mode, to_string(stride)), {}, {}};
  const IntTuple* front = stride.is_tuple() ? &stride[static_cast<std::size_t>(mode)] : &stride;
  while (front->is_tuple() && front->rank() > 0) front = &(*front)[0];
  return front->is_int() && front->value() == 1;
}

// Of a shape by a tiler with layouts: the rest modes of the division.
Result<Value> ceil_div_call(const Call& call) {
  if (std::holds_alternative<IntTuple>(call[1].value->any))
    return call_with(call, [](const IntTuple& a, const IntTuple& b) { return ceil_div(a, b); });
  return call_with(call, [&](const Layout& a, const Tiler& b) -> Result<IntTuple> {
    TESSERA_TRY(divided, lawful(call, [&](Law law) { return zipped_divide(AnyLayout(a), b, law); }));
    return IntTuple(shape(divided)[1]);
  });
}

// The DSL's: the rest modes of zipped_divide, each as one number.
Result<Value> dsl_ceil_div_call(const Call& call) {
  if (!std::holds_alternative<IntTuple>(call[1].value->any)) return ceil_div_call(call);
  return call_with(call, [](const IntTuple& a, const IntTuple& b) -> Result<IntTuple> {
    if (a.is_int() && b.is_int() && a.value() == 0 && b.value() > 0) return IntTuple(0);  // of a number that is no extent
    TESSERA_CHECK(checked_size(a));
    if (b.is_int()) return ceil_div(IntTuple(size(a)), b);
    if (a.is_int() && b.rank() == 1 && b[0].is_int()) return ceil_div(a, b[0]);
    if (!a.is_tuple() || b.rank() > a.rank())
      return Error{
          ErrorCode::rank_mismatch, fmt::format("ceil_div: the tiler {} has more modes than {}", to_string(b), to_string(a)), {}, {}};
    std::vector<IntTuple> modes(a.modes().begin(), a.modes().end());
    for (std::size_t i = 0; i < std::min(modes.size(), b.rank()); ++i) {
      if (b[i].is_int()) modes[i] = IntTuple(size(modes[i]));
    }
    return ceil_div(IntTuple::tuple(std::move(modes)), b);
  });
}

// What is_congruent and its kin compare: a tuple itself, which may be a coordinate or a stride, and the shape of a layout.
Result<IntTuple> profile(const Call& call, std::size_t i) {
  if (const auto* tuple = std::get_if<IntTuple>(&call[i].value->any)) return *tuple;
  TESSERA_TRY(layout, argument<AnyLayout>(call, i));
  return IntTuple(shape(layout));
}

// Null where it is no tiled copy.
std::shared_ptr<const TiledCopy> copy_in(const Value& value) {
  if (const auto* copy = std::get_if<std::shared_ptr<const TiledCopy>>(&value.any)) return *copy;
  if (!std::holds_alternative<std::shared_ptr<const TmaValue>>(value.any)) return nullptr;
  auto copy = as_tiled_copy(value);
  return copy ? std::move(*copy) : nullptr;
}

// clang-format off
constexpr Builtin kRows[] = {
  {"size", "size(layout, modes...)", "the number of coordinates; of a tiled MMA or copy, of its threads", [](const Call& c) {
     if (const auto copy = c.rest.empty() ? copy_in(*c[0].value) : nullptr) return Result<Value>(Value{IntTuple(copy->num_threads())});
     return of_shape(c, [](const IntTuple& t) -> Result<IntTuple> {
       TESSERA_CHECK(checked_size(t));
       return size_of(t); }); }},
  {"cosize", "cosize(layout, modes...)", "one more than the largest value", [](const Call& c) {
     return of_mode(c, [](const AnyLayout& layout) { return marked_cosize(layout); }); }},
  {"rank", "rank(layout, modes...)", "the number of modes", [](const Call& c) {
     return of_shape(c, [](const IntTuple& t) { return Result<IntTuple>(static_cast<std::int64_t>(rank(t))); }); }},
  {"depth", "depth(layout, modes...)", "the levels of nesting; 0 for an integer", [](const Call& c) {
     return of_shape(c, [](const IntTuple& t) { return Result<IntTuple>(depth(t)); }); }},
  {"shape", "shape(layout, modes...)", "the shape", [](const Call& c) {
     return of_mode(c, [](const AnyLayout& layout) { return IntTuple(shape(layout)); }); }},
  {"stride", "stride(layout, modes...)", "the stride", [](const Call& c) {
     return of_mode(c, [](const Layout& layout) { return IntTuple(layout.stride()); }); }},
  {"image", "image(layout)", "the values at 0, 1, ..., size-1, as a tuple", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return image_tuple(layout); }); }},

  {"crd2idx", "crd2idx(coord, layout, stride=)", "the value at a coordinate; of a shape, the coordinate's colexicographic number",
   crd2idx_call},
  {"idx2crd", "idx2crd(index, shape)", "the coordinate with this colexicographic number; of a tuple, mode by mode", [](const Call& c) {
     return call_with(c, [&](const IntTuple& index, const AnyLayout& layout) {
       remark_outside(Remarks(c), index, shape(layout));
       return coordinate_at(index, shape(layout)); }); }},
  {"get_hier_coord", "get_hier_coord(layout, index)", "the coordinate where a compact layout has this value",
   coordinate_call<get_hier_coord>},
  {"get_flat_coord", "get_flat_coord(layout, index)", "the same, one number a mode", coordinate_call<get_flat_coord>},
  {"get_1d_coord", "get_1d_coord(layout, index)", "the same, one number", coordinate_call<get_1d_coord>},
  {"slice", "slice(coord, layout)", "the modes where the coordinate is _; of a layout or a tuple", slice_call},
  {"slice_", "slice_(src, coord)", "CuTe DSL: slice, with the coordinate last", [](const Call& c) {
     return slice_call(coordinate_first(c)); }},
  {"dice", "dice(coord, layout)", "the modes where the coordinate is an integer; of a layout or a tuple", dice_call},
  {"dice_", "dice_(src, coord)", "CuTe DSL: dice, with the coordinate last", [](const Call& c) {
     return dice_call(coordinate_first(c)); }},
  {"slice_and_offset", "slice_and_offset(coord, layout)", "the slice, and the value at the coordinate with _ read as 0", [](const Call& c) {
     return call_with(c, [&](const IntTuple& coord, const AnyLayout& layout) {
       remark_outside(Remarks(c), coord, shape(layout));
       remark_broken_slice(Remarks(c), layout, coord);
       return slice_and_offset(coord, layout); }); }},

  {"make_shape", "make_shape(elements...)", "a tuple", make_tuple_call},
  {"make_stride", "make_stride(elements...)", "a tuple", make_tuple_call},
  {"make_coord", "make_coord(elements...)", "a tuple", make_tuple_call},
  {"make_step", "make_step(elements...)", "a tuple", make_tuple_call},
  {"make_tuple", "make_tuple(elements...)", "a tuple", make_tuple_call},
  {"ArithTuple", "ArithTuple(elements...)", "a tuple, as CuTe prints coordinates", make_tuple_call},
  {"make_tile", "make_tile(elements...)", "a tuple tiler", make_tuple_call},
  {"make_tiler", "make_tiler(elements...)", "a tuple tiler", make_tuple_call},
  {"product_each", "product_each(shape)", "the size of each mode", [](const Call& c) {
     return call_with(c, [](const IntTuple& shape) -> Result<IntTuple> {
       TESSERA_CHECK(checked_size(shape));
       if (!shape.is_tuple() && current_dialect() == Dialect::python) return shape;  // the DSL makes no tuple of it
       return product_each(shape); }); }},
  {"shape_div", "shape_div(a, b)", "the shape a in pieces of b", [](const Call& c) {
     return call_with(c, [](const IntTuple& a, const IntTuple& b) { return shape_div(a, b); }); }},
  {"round_up", "round_up(a, b)", "the smallest multiple of b that is at least a, mode by mode", [](const Call& c) {
     return call_with(c, [](const IntTuple& a, const IntTuple& b) { return round_up(a, b); }); }},
  {"ceil_div", "ceil_div(a, b)", "a / b rounded up, mode by mode; by a tiler, how many of its tiles cover a", ceil_div_call},
  {"ceil_div_", "ceil_div_(a, b)", "CuTe DSL: how many tiles b cover a; a nested mode counts as one number", dsl_ceil_div_call},
  {"len", "len(tuple)", "CuTe DSL: the number of elements", [](const Call& c) -> Result<Value> {
     TESSERA_TRY(elements, elements_of(*c[0].value));
     return Value{IntTuple(static_cast<std::int64_t>(elements.size()))}; }},
  {"repeat_like", "repeat_like(tuple, value)", "the value in the place of every integer", [](const Call& c) {
     return call_with(c, [](const IntTuple& tuple, const IntTuple& value) { return repeat_like(tuple, value); }); }},
  {"assume", "assume(src, divby=)", "CuTe DSL: the integer, which is a multiple of divby", [](const Call& c) {
     return call_with(c, [](const IntTuple& src, const std::optional<std::int64_t>& divby) -> Result<IntTuple> {
       if (divby && *divby < 1) return Error{ErrorCode::out_of_range, fmt::format("assume: {} divides nothing", *divby), {}, {}};
       if (divby && src.is_int() && src.value() % *divby != 0)
         return Error{ErrorCode::not_divisible, fmt::format("assume: {} is no multiple of {}", src.value(), *divby), {}, {}};
       return src; }); }},
  {"is_major", "is_major(mode, stride)", "is the stride of this mode 1? is_major<0, Stride<_1,int64_t>>()", [](const Call& c) {
     return call_with(c, [](std::int64_t mode, const IntTuple& stride) { return is_major(mode, stride); }); }},
  {"is_mn_major", "is_mn_major(stride)", "is the stride of mode 0 1?", [](const Call& c) {
     return call_with(c, [](const IntTuple& stride) { return is_major(0, stride); }); }},
  {"is_k_major", "is_k_major(stride)", "is the stride of mode 1 1?", [](const Call& c) {
     return call_with(c, [](const IntTuple& stride) { return is_major(1, stride); }); }},
  {"local_tile", "local_tile(layout, tiler, coord, proj=)",
   "the tile at this coordinate, and where it begins; proj=Step<_1,X,_1> picks from tiler and coord", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const Tiler& tiler, const IntTuple& coord, const std::optional<IntTuple>& proj) {
       return local_tile_of(c, layout, tiler, coord, proj); }); }},
  {"local_partition", "local_partition(layout, thr_layout, thread, proj=)",
   "one thread's elements when threads take turns, and where they begin", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const Layout& threads, std::int64_t thread,
                             const std::optional<IntTuple>& proj) -> Result<SliceAndOffset> {
       remark_thread(Remarks(c), threads, thread);
       if (!proj) return local_partition_of(c, layout, threads, thread);
       TESSERA_TRY(kept, dice(*proj, threads));
       return local_partition_of(c, layout, kept, thread); }); }},
  {"domain_offset", "domain_offset(coord, layout)", "the layout, and where it begins when the coordinate is its origin; `_` moves nothing", [](const Call& c) {
     return call_with(c, [&](const IntTuple& coord, const AnyLayout& layout) {
       remark_outside(Remarks(c), coord, shape(layout));
       return domain_offset(at_origin(coord), layout); }); }},

  {"congruent", "congruent(a, b)", "do the shapes have the same profile?", [](const Call& c) -> Result<Value> {
     TESSERA_TRY(a, profile(c, 0));
     TESSERA_TRY(b, profile(c, 1));
     return result_value(holds(c, is_congruent(a, b), ErrorCode::not_congruent)); }},
  {"weakly_congruent", "weakly_congruent(a, b)", "is the profile of a that of b, cut off somewhere?", [](const Call& c) -> Result<Value> {
     TESSERA_TRY(a, profile(c, 0));
     TESSERA_TRY(b, profile(c, 1));
     return result_value(weakly_congruent(a, b)); }},
  {"compatible", "compatible(a, b)", "is every coordinate of a one of b?", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& a, const AnyLayout& b) {
       return holds(c, is_compatible(shape(a), shape(b)), ErrorCode::not_congruent); }); }},
  {"evenly_divides", "evenly_divides(a, b)", "does b divide a, mode by mode?", [](const Call& c) {
     return call_with(c, [](const AnyLayout& a, const AnyLayout& b) { return evenly_divides(shape(a), shape(b)); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> coord_builtins() { return kRows; }

}  // namespace tessera
