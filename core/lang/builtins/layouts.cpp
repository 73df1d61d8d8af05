// SPDX-License-Identifier: BSD-3-Clause
// Builtins: making layouts, rearranging them, and the algebra.
#include "core/lang/builtins/builtins.hpp"
#include "core/lang/builtins/operations.hpp"
#include "core/lang/builtins/tensors.hpp"
#include "core/lang/syntax/dialect.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {
namespace {

using MaybeTuple = std::optional<IntTuple>;

// make_layout(shape), (shape, stride), (shape, LayoutRight), (layout, layout, ...), (swizzle)
Result<Value> make_layout_call(const Call& call) {
  const Value& first = *call[0].value;
  if (const auto* swizzle = std::get_if<Swizzle>(&first.any)) {
    if (!call.rest.empty() || call.has(1)) return Error{ErrorCode::wrong_arity, "make_layout(swizzle) takes nothing else", call.span(), {}};
    return to_value(make_layout(*swizzle));
  }
  if (const auto* list = std::get_if<Tiler>(&first.any); list && !call.has(1) && std::holds_alternative<std::vector<Tiler>>(list->value)) {
    std::vector<Layout> modes;  // make_layout([a, b]), the DSL's
    for (const Tiler& each : std::get<std::vector<Tiler>>(list->value)) {
      const auto* layout = std::get_if<Layout>(&each.value);
      if (!layout) return Error{ErrorCode::wrong_type, "make_layout of a list wants layouts: " + to_string(*list), call[0].span, {}};
      modes.push_back(*layout);
    }
    return result_value(checked_make_layout(std::move(modes)));
  }
  const bool concatenates =
      std::holds_alternative<Layout>(first.any) || (call.has(1) && std::holds_alternative<Layout>(call[1].value->any));
  if (concatenates) {
    std::vector<Layout> modes;
    TESSERA_TRY(head, argument<Layout>(call, 0));
    modes.push_back(std::move(head));
    if (call.has(1)) {
      TESSERA_TRY(second, argument<Layout>(call, 1));
      modes.push_back(std::move(second));
    }
    TESSERA_TRY(rest, rest_of<Layout>(call));
    for (Layout& layout : rest) modes.push_back(std::move(layout));
    return result_value(checked_make_layout(std::move(modes)));
  }
  if (!call.rest.empty()) {
    return Error{ErrorCode::wrong_arity,
                 "make_layout takes a shape and a stride, or layouts",
                 call.rest[0].span,
                 {"shapes of several modes are tuples: make_layout((4,8))"}};
  }
  TESSERA_TRY(shape, argument<IntTuple>(call, 0));
  Result<Layout> made = Layout::make_compact(1);
  if (!call.has(1)) {
    made = Layout::make_compact(std::move(shape));
  } else if (const auto* major = std::get_if<std::string>(&call[1].value->any)) {
    if (*major != "LayoutLeft" && *major != "LayoutRight") {
      return Error{
          ErrorCode::unknown_name, fmt::format("make_layout: \"{}\" is neither LayoutLeft nor LayoutRight", *major), call[1].span, {}};
    }
    made = *major == "LayoutRight" ? make_layout_row_major(shape) : Layout::make_compact(std::move(shape));
  } else {
    TESSERA_TRY(stride, argument<IntTuple>(call, 1));
    made = Layout::make(std::move(shape), std::move(stride));
  }
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return Value{std::move(*made)};
}

// Order as a value: LayoutLeft, LayoutRight or a tuple that compares.
Result<MaybeTuple> order_of(const Call& call, std::size_t i, std::size_t rank) {
  if (!call.has(i)) return MaybeTuple(std::nullopt);
  if (const auto* major = std::get_if<std::string>(&call[i].value->any)) {
    if (*major == "LayoutLeft") return MaybeTuple(std::nullopt);
    if (*major == "LayoutRight") {
      std::vector<IntTuple> order;
      for (std::size_t mode = 0; mode < rank; ++mode) order.emplace_back(static_cast<std::int64_t>(rank - 1 - mode));
      return MaybeTuple(IntTuple::tuple(std::move(order)));
    }
  }
  TESSERA_TRY(order, argument<IntTuple>(call, i));
  return MaybeTuple(std::move(order));
}

Result<Value> tile_to_shape_call(const Call& call) {
  TESSERA_TRY(block, argument<AnyLayout>(call, 0));
  TESSERA_TRY(target, argument<IntTuple>(call, 1));
  TESSERA_TRY(order, order_of(call, 2, target.rank()));
  Result<AnyLayout> made =
      lawful(call, [&](Law law) { return order ? tile_to_shape(block, target, *order, law) : tile_to_shape(block, target, law); });
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return to_value(std::move(*made));
}

// A number of bits, or an element type for its width.
Result<std::int64_t> width_of(const Value& value) {
  if (!std::holds_alternative<std::string>(value.any)) return as_integer(value);
  TESSERA_TRY(type, as_value_type(value));
  return std::int64_t{bits(type)};
}

bool is_width(const Value& value) {
  const auto* tuple = std::get_if<IntTuple>(&value.any);
  return std::holds_alternative<std::string>(value.any) || (tuple && tuple->is_int());
}

// f(tuple, argument) gives a tuple and f(layout, argument) a layout: Shape<_4,_8,_2> stays a shape when modes of it are selected.
template <class F, class Argument>
Result<Value> of_tuple_or_layout(const Call& call, const F& f, Result<Argument> argument) {
  if (!argument) return std::move(argument).error();
  Call subject = call;  // without what `argument` was made of
  for (std::size_t i = 1; i < subject.parameters.size(); ++i) subject.parameters[i].value = nullptr;
  if (std::holds_alternative<IntTuple>(call[0].value->any))
    return call_with(subject, [&](const IntTuple& tuple) { return f(tuple, *argument); });
  return call_with(subject, [&](const AnyLayout& layout) { return f(layout, *argument); });
}

// The same with a range of modes; Python's negative end counts from behind.
template <class F>
Result<Value> of_range(const Call& call, const F& f) {
  TESSERA_TRY(begin, argument<std::int64_t>(call, 1));
  const auto range = [&f, first = begin](const auto& x, const std::optional<std::int64_t>& given) {
    const auto modes = static_cast<std::int64_t>(rank(x));
    const std::int64_t end = given.value_or(modes);
    return f(x, first, end < 0 ? end + modes + 1 : end);
  };
  return of_tuple_or_layout(call, range, argument<std::optional<std::int64_t>>(call, 2));
}

// The DSL's group_modes: begin and end count from behind where they are negative, as Python's do, and an integer is a tuple of one.
Result<Value> dsl_group_call(const Call& call) {
  const auto* tuple = std::get_if<IntTuple>(&call[0].value->any);
  if (tuple && tuple->is_int()) return Value{IntTuple::tuple({*tuple})};
  TESSERA_TRY(first, argument<std::int64_t>(call, 1));
  const auto range = [first](const auto& x, const std::optional<std::int64_t>& given) -> decltype(group(x, first, first)) {
    const auto modes = static_cast<std::int64_t>(rank(x));
    const std::int64_t begin = first < 0 ? std::max<std::int64_t>(first + modes, 0) : first;
    const std::int64_t last = given.value_or(modes), end = last < 0 ? last + modes : last;
    if (begin >= end)
      return Error{ErrorCode::out_of_range, fmt::format("group_modes: the modes from {} to {} are none", begin, end), {}, {}};
    return group(x, begin, end);
  };
  return of_tuple_or_layout(call, range, argument<std::optional<std::int64_t>>(call, 2));
}

Result<AnyLayout> filter_of(const AnyLayout& layout, const MaybeTuple& profile) {
  return profile ? filter(layout, *profile) : filter(layout);
}

IntTuple ones_like(const IntTuple& shape) {
  if (!shape.is_tuple()) return IntTuple(1);
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.modes()) modes.push_back(ones_like(mode));
  return IntTuple::tuple(std::move(modes));
}

// The shape with extent 1 wherever the profile has 0.
Result<IntTuple> zeros_filtered(const IntTuple& profile, const IntTuple& shape) {
  if (profile.is_int()) return profile.value() == 0 ? ones_like(shape) : shape;
  if (!profile.is_tuple() || !shape.is_tuple() || profile.rank() != shape.rank()) {
    return Error{ErrorCode::not_congruent,
                 fmt::format("filter_zeros: the profile {} has no stride for each mode of {}", to_string(profile), to_string(shape)),
                 {},
                 {}};
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    TESSERA_TRY(mode, zeros_filtered(profile[i], shape[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

// Of a tuple or an integer: one element more, or as many as reach the rank.
Result<Value> extended_tuple(const Call& call, bool front) {
  const auto* tuple = std::get_if<IntTuple>(&call[0].value->any);
  std::vector<Value> elements = {*call[0].value};
  if (!tuple || tuple->is_tuple()) {
    TESSERA_TRY(modes, elements_of(*call[0].value));
    elements = std::move(modes);
  }
  TESSERA_TRY(up_to_rank, argument<std::optional<std::int64_t>>(call, 2));
  const auto rank = static_cast<std::int64_t>(elements.size());
  const std::int64_t wanted = up_to_rank.value_or(rank + 1);
  constexpr std::int64_t kMostModes = 4096;
  if (wanted > kMostModes)
    return Error{ErrorCode::limit, fmt::format("a tuple is extended to at most {} modes", kMostModes), call[2].span, {}};
  if (wanted < rank) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{}: {} has more modes than {}", call.function(), described(*call[0].value), wanted),
                 call.span(),
                 {}};
  }
  if (up_to_rank && wanted == rank) return *call[0].value;
  const std::size_t more = static_cast<std::size_t>(wanted - rank);
  const auto* element = std::get_if<IntTuple>(&call[1].value->any);
  const bool is_none = element && element->is_underscore() && current_dialect() == Dialect::python;  // for which the DSL takes 1
  elements.insert(front ? elements.begin() : elements.end(), more, is_none ? Value{IntTuple(1)} : *call[1].value);
  Result<Value> made = make_tuple(std::move(elements));
  if (!made) return std::move(std::move(made).error()).at(call.span());
  return made;
}

// append and prepend: (layout, rank), (layout, mode), (layout, mode, rank); of a tuple, (tuple, element).
Result<Value> extended(const Call& call, bool front) {
  const auto extend = [&](const AnyLayout& layout, std::int64_t to_rank, const Layout& mode) -> Result<AnyLayout> {
    if (current_dialect() == Dialect::python && static_cast<std::int64_t>(rank(layout)) > to_rank) return layout;  // as the DSL
    return front ? prepend(layout, to_rank, mode) : append(layout, to_rank, mode);
  };
  if (std::holds_alternative<IntTuple>(call[0].value->any) || std::holds_alternative<std::shared_ptr<const ValueList>>(call[0].value->any))
    return extended_tuple(call, front);
  if (std::holds_alternative<IntTuple>(call[1].value->any) && !call.has(2))
    return call_with(call, [&](const AnyLayout& layout, std::int64_t to_rank) { return extend(layout, to_rank, Layout()); });
  return call_with(call, [&](const AnyLayout& layout, const Layout& mode, const std::optional<std::int64_t>& to_rank) {
    return extend(layout, to_rank.value_or(static_cast<std::int64_t>(rank(layout)) + 1), mode);
  });
}

// The DSL's append_ones and prepend_ones: a layout of that many modes or more stays.
Result<Value> with_ones(const Call& call, bool front) {
  return call_with(call, [&](const AnyLayout& layout, const std::optional<std::int64_t>& up_to_rank) -> Result<AnyLayout> {
    const auto modes = static_cast<std::int64_t>(rank(layout));
    const std::int64_t wanted = up_to_rank.value_or(modes + 1);
    if (wanted <= modes) return layout;
    return front ? prepend(layout, wanted) : append(layout, wanted);
  });
}

Result<AnyLayout> zip_of(const AnyLayout& a, const std::optional<Layout>& b) {
  if (!b) return zip(a);
  const auto* plain = std::get_if<Layout>(&a);
  if (!plain) return Error{ErrorCode::wrong_type, fmt::format("zip: {} cannot be paired with another layout", to_string(a)), {}, {}};
  TESSERA_TRY(zipped, zip(*plain, *b));
  return AnyLayout(std::move(zipped));
}

Result<Value> composition_call(const Call& call) {
  if (call.has(2)) {
    return call_with(call, [](const Value& outer, const IntTuple& offset, const std::optional<Value>& inner) {
      return make_composed(outer, offset, *inner);
    });
  }
  Result<Value> made = lawful(call, [&](Law law) { return composition_of(*call[0].value, *call[1].value, law); });
  if (!made) return std::move(std::move(made).error()).at(call.span());
  remark_composition(Remarks(call), *call[0].value, *call[1].value);
  return made;
}

// Operations that give CuTe's layout also where it breaks their law, with a warning then.
template <Result<AnyLayout> (*F)(const AnyLayout&, const Tiler&, Law)>
Result<Value> tiled_by(const Call& call) {
  return call_with(
      call, [&](const AnyLayout& layout, const Tiler& tiler) { return lawful(call, [&](Law law) { return F(layout, tiler, law); }); });
}
// Is there a tuple of one at this mode?
bool is_tuple_of_one(const Shape& shape, std::size_t mode) {
  return shape.is_tuple() && mode < shape.rank() && shape[mode].is_tuple() && shape[mode].rank() == 1;
}

// The modes over tiles beside each other, and in a flat divide or product those of the tile too. Where there is one of them, C++ keeps the
// tuple around it, since CuTe's repeat<1>(_) is _, and the CuTe DSL has none: ((16),(4)) of tiled_divide is ((16),4) there.
template <Result<AnyLayout> (*F)(const AnyLayout&, const Tiler&, Law), Result<AnyLayout> (*Zipped)(const AnyLayout&, const Tiler&, Law),
          bool IsFlat>
Result<Value> spread_by(const Call& call) {
  return call_with(call, [&](const AnyLayout& layout, const Tiler& tiler) -> Result<AnyLayout> {
    TESSERA_TRY(made, lawful(call, [&](Law law) { return F(layout, tiler, law); }));
    if (current_dialect() != Dialect::python) return made;
    TESSERA_TRY(zipped, Zipped(layout, tiler, Law::as_cute));
    if (is_tuple_of_one(shape(zipped), 1)) made = opened(made, rank(made) - 1);
    return IsFlat && is_tuple_of_one(shape(zipped), 0) ? opened(made, 0) : made;
  });
}

template <Result<AnyLayout> (*F)(const AnyLayout&, const Layout&, Law)>
Result<Value> multiplied(const Call& call) {
  return call_with(
      call, [&](const AnyLayout& block, const Layout& tiler) { return lawful(call, [&](Law law) { return F(block, tiler, law); }); });
}
template <Result<AnyLayout> (*F)(const AnyLayout&, Law)>
Result<Value> inverted(const Call& call) {
  if (awaited_swizzle(*call[0].value))
    Remarks(call).add(
        ErrorCode::wrong_type,
        fmt::format("{}: the layout waits for its pointer, and CuTe refuses its inverse: shown is that of its elements", call.function()),
        {"as_position_independent_swizzle_layout(layout) waits for none"});
  return call_with(call, [&](const AnyLayout& layout) { return lawful(call, [&](Law law) { return F(layout, law); }); });
}
template <Result<AnyLayout> (*F)(const AnyLayout&, std::int64_t, Law), Result<Swizzle> (*OfSwizzle)(const Swizzle&, std::int64_t)>
Result<Value> cast_by(const Call& call) {
  if (std::holds_alternative<Swizzle>(call[0].value->any))
    return call_with(call, [](const Swizzle& s, std::int64_t n) { return OfSwizzle(s, n); });
  return call_with(call, [&](const AnyLayout& layout, std::int64_t n) { return lawful(call, [&](Law law) { return F(layout, n, law); }); });
}

// The answer, and the remark that find(answer) makes on it.
template <class T, class Find>
Result<T> remarked(Result<T> made, const Law& law, const Find& find) {
  if (made) law.remark([&] { return find(*made); });
  return made;
}

// CuTe begins modes of one stride at one place, so that they overlap.
std::optional<Error> equal_strides(const AnyLayout& like, const Layout& made) {
  std::vector<IntTuple> extents, all;
  append_leaves(made.shape(), extents);
  append_leaves(made.stride(), all);
  std::vector<std::int64_t> strides;  // of modes that have more than one element and do not repeat
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (extents[i].value() > 1 && all[i].value() != 0) strides.push_back(all[i].value());
  }
  std::sort(strides.begin(), strides.end());
  if (std::adjacent_find(strides.begin(), strides.end()) == strides.end()) return std::nullopt;
  return Error{ErrorCode::not_injective,
               fmt::format("make_layout_like({}) is {}, whose modes overlap: CuTe begins modes of equal strides at one place",
                           to_string(like), to_string(made)),
               {},
               {"make_ordered_layout(shape, order) with an order without ties gives a compact layout"}};
}

// CuTe composes beyond the end of the first layout, whose last mode goes on.
std::optional<Error> beyond_the_first(const Call& call, const AnyLayout& a, const AnyLayout& b, std::int64_t made) {
  if (made <= size(shape(a))) return std::nullopt;
  return Error{ErrorCode::out_of_range,
               fmt::format("{}({}, {}) has {} elements, and {} has {}: CuTe goes on beyond its end", call.function(), to_string(a),
                           to_string(b), made, to_string(a), size(shape(a))),
               {},
               {fmt::format("{} of them are in both", size(shape(a)))}};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"make_layout", "make_layout(shape, stride=, layouts...)", "of a shape and a stride, LayoutLeft or LayoutRight; or layouts side by side",
   make_layout_call},
  {"make_ordered_layout", "make_ordered_layout(shape, order=)", "compact strides, smallest where the order is smallest; without one from the left",
   [](const Call& c) {
     return call_with(c, [](const IntTuple& shape, const std::optional<IntTuple>& order) {
       return order ? make_ordered_layout(shape, *order) : Layout::make_compact(shape); }); }},
  {"make_layout_like", "make_layout_like(layout)", "compact strides in the order of the layout's own; stride 0 stays", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& l) {
       return lawful(c, [&](Law law) { return remarked(make_layout_like(l), law, [&](const Layout& made) { return equal_strides(l, made); }); }); }); }},
  {"make_fragment_like", "make_fragment_like(layout)", "registers of this shape: mode 0 first, the rest in the order of the strides",
     [](const Call& c) {
     const bool owns = c[0].value->element.is_known();  // a tensor, whose registers are made
     return call_with(c, [&](const AnyLayout& l) { return owns ? as_registers(c, make_fragment_like(l)) : make_fragment_like(l); }); }},
  {"make_identity_layout", "make_identity_layout(shape)", "the layout whose value is the coordinate: strides 1@0, 1@1, ...",
     [](const Call& c) {
     return call_with(c, [](const IntTuple& shape) { return make_identity_layout(shape); }); }},
  {"make_identity_tensor_", "make_identity_tensor_(shape)", "CuTe DSL: the tensor whose elements are their own coordinates", [](const Call& c) {
     return call_with(c, [](const IntTuple& shape) -> Result<Value> {
       TESSERA_TRY(layout, make_identity_layout(shape));
       IntTuple origin = evaluate(layout, 0);
       return Value{Tensor{std::move(layout), std::move(origin)}}; }); }},
  {"tile_to_shape", "tile_to_shape(block, shape, order=LayoutLeft)", "repeats a block until it has the shape", tile_to_shape_call},
  {"make_layout_tv", "make_layout_tv(thr, val)", "(thr, val) -> (m, n) of thread and value layouts (m,n) -> id", [](const Call& c) {
     return call_with(c, [](const Layout& thr, const Layout& val) -> Result<Layout> {
       TESSERA_TRY(made, make_layout_tv(thr, val));
       return std::move(made.layout_tv); }); }},
  {"make_layout_tv_", "make_layout_tv_(thr, val)", "CuTe DSL: the tile (m, n), and (thr, val) -> (m, n) in it", [](const Call& c) {
     return call_with(c, [](const Layout& thr, const Layout& val) -> Result<Value> {
       TESSERA_TRY(made, make_layout_tv(thr, val));
       return make_tuple({Value{IntTuple(made.tiler_mn)}, Value{std::move(made.layout_tv)}}); }); }},

  {"coalesce", "coalesce(layout, profile=)", "the same function with as few modes as possible, or so in each mode of the profile",
     [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout, const MaybeTuple& profile) {
       return profile ? coalesce(layout, *profile) : coalesce(layout); }); }},
  {"filter", "filter(layout, profile=)", "without modes of stride 0 or extent 1", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout, const MaybeTuple& profile) { return filter_of(layout, profile); }); }},
  {"filter_zeros", "filter_zeros(layout, profile=)", "modes of stride 0 get extent 1; with a profile of strides those where it has 0",
   [](const Call& c) {
     return call_with(c, [](const AnyLayout& whole, const MaybeTuple& profile) -> Result<AnyLayout> {
       const Layout& l = plain_part(whole);
       if (!profile) return with_plain_part(whole, filter_zeros(l));
       TESSERA_TRY(extents, zeros_filtered(*profile, l.shape()));
       TESSERA_TRY(made, Layout::make(std::move(extents), l.stride()));
       return with_plain_part(whole, std::move(made)); }); }},
  {"flatten", "flatten(layout)", "one level of modes", [](const Call& c) {
     if (const auto* tuple = std::get_if<IntTuple>(&c[0].value->any)) return Result<Value>(Value{flatten(*tuple)});
     return call_with(c, [](const AnyLayout& layout) { return flatten(layout); }); }},
  {"unflatten", "unflatten(layout, profile)", "flat modes in the nesting of the profile", [](const Call& c) {
     return of_tuple_or_layout(c, [](const auto& x, const IntTuple& profile) { return unflatten(x, profile); }, argument<IntTuple>(c, 1)); }},
  {"group", "group(layout, begin, end=)", "modes begin..end-1 as one mode; to the last one without an end", [](const Call& c) {
     return of_range(c, [](const auto& x, std::int64_t begin, std::int64_t end) { return group(x, begin, end); }); }},
  {"group_modes_", "group_modes_(layout, begin, end=)", "CuTe DSL: modes begin..end-1 as one mode; a negative number counts from behind",
   dsl_group_call},
  {"take", "take(layout, begin, end)", "modes begin..end-1", [](const Call& c) {
     return of_range(c, [](const auto& x, std::int64_t begin, std::int64_t end) { return take(x, begin, end); }); }},
  {"select", "select(layout, modes...)", "the modes with these numbers", [](const Call& c) {
     return of_tuple_or_layout(c, [](const auto& x, const std::vector<std::int64_t>& modes) { return select(x, modes); }, mode_numbers(c)); }},
  {"get", "get(layout, modes...)", "the mode with this number; more numbers go deeper", [](const Call& c) -> Result<Value> {
     TESSERA_TRY(modes, mode_numbers(c));
     const auto* tuple = std::get_if<IntTuple>(&c[0].value->any);
     if (modes.empty() && tuple && tuple->is_int())  // layout(24) means a layout of that name, which is not here
       return Error{ErrorCode::wrong_type, fmt::format("{} is an integer, and no mode of it is asked for", tuple->value()), c.span(),
                    {"get(layout, mode) gives a mode; a layout that has a name is called with a coordinate"}};
     return call_with(c, [&](const Value& value) { return mode_of(value, modes); }); }},
  {"append", "append(layout, element, up_to_rank=)",
   "a layout as last mode, to that rank if one is given; an integer: modes 1:0 until that rank is reached", [](const Call& c) {
     return extended(c, false); }},
  {"prepend", "prepend(layout, element, up_to_rank=)",
   "a layout as first mode, to that rank if one is given; an integer: modes 1:0 until that rank is reached", [](const Call& c) {
     return extended(c, true); }},
  {"append_ones", "append_ones(layout, up_to_rank=)", "modes 1:0 at the end until the rank is reached, as in the DSL; without one, one mode",
   [](const Call& c) { return with_ones(c, false); }},
  {"prepend_ones", "prepend_ones(layout, up_to_rank=)", "modes 1:0 at the front until the rank is reached, as in the DSL; without one, one mode",
   [](const Call& c) { return with_ones(c, true); }},
  {"zip", "zip(a, b=)", "pairs of modes: ((a0,b0),(a1,b1),...); of one layout, its modes: ((a,b),(c,d)) -> ((a,c),(b,d))", [](const Call& c) {
     if (std::holds_alternative<IntTuple>(c[0].value->any)) {
       return call_with(c, [](const IntTuple& a, const MaybeTuple& b) { return b ? zip(a, *b) : zip(a); });
     }
     return call_with(c, [](const AnyLayout& a, const std::optional<Layout>& b) { return zip_of(a, b); }); }},

  {"composition", "composition(a, b, inner=)", "A o B: the function A(B(c)); B may be a tiler, applied mode by mode. Of three, A o offset o B",
   composition_call},
  {"complement", "complement(layout, cotarget=cosize(layout))", "the layout that, beside this one, fills up to the cotarget",
     [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const MaybeTuple& cotarget) -> Result<Layout> {
       const auto* plain = std::get_if<Layout>(&layout);
       const IntTuple bound = cotarget ? *cotarget : IntTuple(plain ? filter(*plain).cosize() : cosize(layout));
       return lawful(c, [&](Law law) { return complement(layout, bound, law); }); }); }},
  {"right_inverse", "right_inverse(layout)", "R with L(R(i)) == i, as long as it is contiguous", inverted<right_inverse>},
  {"left_inverse", "left_inverse(layout)", "R with R(L(i)) == i", inverted<left_inverse>},
  {"nullspace", "nullspace(layout)", "the coordinates that map to 0", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) {  // CuTe does not attempt it for composed ones
       const auto* plain = std::get_if<Layout>(&layout);
       return plain ? nullspace(*plain) : Layout(); }); }},
  {"max_common_vector", "max_common_vector(a, b)", "how many leading elements are contiguous in both", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& a, const AnyLayout& b) {
       return lawful(c, [&](Law law) {
         return remarked(max_common_vector(a, b), law, [&](std::int64_t made) { return beyond_the_first(c, a, b, made); }); }); }); }},
  {"max_common_layout", "max_common_layout(a, b)", "the layout of the leading elements that are contiguous in both", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& a, const AnyLayout& b) {
       return lawful(c, [&](Law law) {
         return remarked(max_common_layout(a, b), law, [&](const AnyLayout& made) { return beyond_the_first(c, a, b, size(made)); }); }); }); }},
  {"max_alignment", "max_alignment(layout)", "the largest number that every value past the first block is a multiple of",
     [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return max_alignment(layout); }); }},
  {"domain_distribute", "domain_distribute(shape, n)", "n elements spread over a shape as far as common divisors reach", [](const Call& c) {
     return call_with(c, [](const IntTuple& shape, std::int64_t n) { return domain_distribute(shape, n); }); }},

  {"logical_divide", "logical_divide(layout, tiler)", "each mode in two: within a tile, and over tiles", tiled_by<logical_divide>},
  {"zipped_divide", "zipped_divide(layout, tiler)", "((tile modes),(rest modes))", tiled_by<zipped_divide>},
  {"tiled_divide", "tiled_divide(layout, tiler)", "((tile modes),rest,rest,...)", spread_by<tiled_divide, zipped_divide, false>},
  {"flat_divide", "flat_divide(layout, tiler)", "(tile,tile,...,rest,rest,...)", spread_by<flat_divide, zipped_divide, true>},
  {"logical_product", "logical_product(block, tiler)", "each mode in two: within the block, and over copies of it", tiled_by<logical_product>},
  {"zipped_product", "zipped_product(block, tiler)", "((block modes),(tiler modes))", tiled_by<zipped_product>},
  {"tiled_product", "tiled_product(block, tiler)", "((block modes),tiler,tiler,...)", spread_by<tiled_product, zipped_product, false>},
  {"flat_product", "flat_product(block, tiler)", "(block,block,...,tiler,tiler,...)", spread_by<flat_product, zipped_product, true>},
  {"blocked_product", "blocked_product(block, tiler)", "copies of the block side by side: ((b0,t0),(b1,t1),...)", multiplied<blocked_product>},
  {"raked_product", "raked_product(block, tiler)", "copies of the block interleaved: ((t0,b0),(t1,b1),...)", multiplied<raked_product>},

  {"upcast", "upcast(layout, n)", "in units of elements n times as wide", cast_by<upcast, upcast>},
  {"downcast", "downcast(layout, n)", "in units of elements n times as narrow", cast_by<downcast, downcast>},
  {"recast_layout", "recast_layout(layout, old_bits, new_bits)", "the same bits in elements of another width", [](const Call& c) {
     const bool as_in_the_dsl = c.has(2) && !is_width(*c[2].value);  // recast_layout(new_bits, old_bits, layout)
     Call in_order = c;
     if (as_in_the_dsl) std::swap(in_order.parameters[0], in_order.parameters[2]);
     return call_with(in_order, [&](const Value& cast, const Value& old_width, const Value& new_width) -> Result<Value> {
       TESSERA_TRY(old_bits, width_of(old_width));
       TESSERA_TRY(new_bits, width_of(new_width));
       if (const auto* swizzle = std::get_if<Swizzle>(&cast.any)) return result_value(recast_layout(*swizzle, old_bits, new_bits));
       TESSERA_TRY(layout, as_any_layout(cast));
       return result_value(lawful(c, [&](Law law) { return recast_layout(layout, old_bits, new_bits, law); })); }); }},
  {"make_swizzle", "make_swizzle(y, z, shift=)", "the swizzle that flips the bits z by the bits y; of three numbers Sw<B,M,S>, as in the DSL",
     [](const Call& c) {
     return call_with(c, [](std::int64_t y, std::int64_t z, const std::optional<std::int64_t>& shift) {
       return shift ? swizzle_of(std::array<IntTuple, 3>{y, z, *shift}) : make_swizzle(y, z); }); }},
  {"with_shape", "with_shape(layout, shape)", "the layout o the shape's compact layout: the same values, counted in another shape",
     [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout, const IntTuple& shape) -> Result<AnyLayout> {
       TESSERA_TRY(compact, Layout::make_compact(shape));
       return composition(layout, AnyLayout(std::move(compact))); }); }},
  {"make_composed_layout", "make_composed_layout(inner, offset, outer)",
   "inner(offset + outer(c)), as in the DSL; of layouts, swizzles and composed layouts", [](const Call& c) {
     return call_with(c, [](const Value& inner, const IntTuple& offset, const Value& outer) {
       return make_composed(inner, offset, outer); }); }},
  {"get_swizzle", "get_swizzle(layout)", "the swizzle of a composed layout; Sw<0,4,3> for a plain one", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return get_swizzle(layout); }); }},
  {"get_nonswizzle", "get_nonswizzle(layout)", "the layout without its first swizzle", [](const Call& c) {
     return call_with(c, [](const AnyLayout& layout) { return get_nonswizzle(layout); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> layout_builtins() { return kRows; }

}  // namespace tessera
