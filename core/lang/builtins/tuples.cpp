// SPDX-License-Identifier: BSD-3-Clause
// Builtins: the CuTe DSL's functions of tuples of any values, where its order of arguments or its rule is not C++'s.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/lang/builtins/builtins.hpp"
#include "core/lang/values/members.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostElements = 4096;  // of a tuple that is made here

bool is_tuple(const Value& value) {
  if (const auto* tuple = std::get_if<IntTuple>(&value.any)) return tuple->is_tuple();
  if (const auto* tiler = std::get_if<Tiler>(&value.any)) return tiler->is_tuple();
  return std::holds_alternative<std::shared_ptr<const ValueList>>(value.any);
}

// The elements of a tuple; another value is a tuple of one.
Result<std::vector<Value>> wrapped(const Value& value) {
  if (!is_tuple(value)) return std::vector<Value>{value};
  return elements_of(value);
}

Result<Value> wrap_call(const Call& call) {
  if (is_tuple(*call[0].value)) return *call[0].value;
  return make_tuple({*call[0].value});
}

Result<Value> unwrap_call(const Call& call) {
  Value value = *call[0].value;
  while (is_tuple(value)) {
    TESSERA_TRY(elements, elements_of(value));
    if (elements.size() != 1) break;
    value = std::move(elements[0]);
  }
  return value;
}

Result<Value> tuple_cat_call(const Call& call) {
  std::vector<Value> all;
  for (const CallArgument& each : call.rest) {
    TESSERA_TRY(elements, wrapped(*each.value));
    std::move(elements.begin(), elements.end(), std::back_inserter(all));
  }
  return make_tuple(std::move(all));
}

// x n times, in a tuple: repeat gives x itself where n is 1.
template <bool AlwaysTuple>
Result<Value> repeat_call(const Call& call) {
  TESSERA_TRY(n, argument<std::int64_t>(call, 1));
  if (n < 1 || n > kMostElements)
    return Error{
        ErrorCode::out_of_range, fmt::format("{}: n is 1 to {}, and this is {}", call.function(), kMostElements, n), call[1].span, {}};
  if (n == 1 && !AlwaysTuple) return *call[0].value;
  return make_tuple(std::vector<Value>(static_cast<std::size_t>(n), *call[0].value));
}

Result<Value> repeated_like(const Value& value, const Value& target) {
  if (!is_tuple(target)) return value;
  TESSERA_TRY(modes, elements_of(target));
  for (Value& mode : modes) {
    TESSERA_TRY(made, repeated_like(value, mode));
    mode = std::move(made);
  }
  return make_tuple(std::move(modes));
}

Result<Value> flattened(const Value& value) {
  TESSERA_TRY(elements, wrapped(value));
  std::vector<Value> all;
  for (const Value& each : elements) {
    if (!is_tuple(each)) {
      all.push_back(each);
      continue;
    }
    TESSERA_TRY(inner, flattened(each));
    TESSERA_TRY(leaves, elements_of(inner));
    std::move(leaves.begin(), leaves.end(), std::back_inserter(all));
  }
  return make_tuple(std::move(all));
}

// The product of what stands at each leaf of the profile.
Result<IntTuple> product_like(const IntTuple& a, const IntTuple& profile) {
  if (!profile.is_tuple()) {
    TESSERA_TRY(product, checked_size(a));
    return IntTuple(product);
  }
  if (!a.is_tuple() || a.rank() != profile.rank()) {
    return Error{ErrorCode::not_congruent,
                 fmt::format("product_like: {} has no mode for each one of the profile {}", to_string(a), to_string(profile)),
                 {},
                 {}};
  }
  std::vector<IntTuple> modes;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    TESSERA_TRY(mode, product_like(a[i], profile[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

// Where x stands first in the tuple: the numbers of the modes that lead there, outermost first. Empty: nowhere.
std::vector<IntTuple> place_of(const IntTuple& tuple, std::int64_t x) {
  for (std::size_t i = 0; i < tuple.rank(); ++i) {
    const IntTuple& mode = tuple.is_tuple() ? tuple[i] : tuple;
    std::vector<IntTuple> place{IntTuple(static_cast<std::int64_t>(i))};
    if (mode.is_int() && mode.value() == x) return place;
    if (!mode.is_tuple()) continue;
    std::vector<IntTuple> inner = place_of(mode, x);
    if (inner.empty()) continue;
    std::move(inner.begin(), inner.end(), std::back_inserter(place));
    return place;
  }
  return {};
}

Result<IntTuple> found(const IntTuple& tuple, std::int64_t x, bool hierarchical) {
  std::vector<IntTuple> place = place_of(tuple, x);
  if (place.empty()) return IntTuple::underscore();
  if (place.size() == 1 || !hierarchical) return place[0];
  return IntTuple::tuple(std::move(place));
}

// One bit for each value of the layout where the coordinate varies in one mode and stays in the others.
Result<std::int64_t> image_mask(const Call& call, const AnyLayout& layout, const IntTuple& coord, std::int64_t mode) {
  constexpr std::int64_t kBits = 16;
  const IntTuple modes = shape(layout);
  if (!coord.is_tuple() || coord.rank() != rank(modes)) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{}: {} has no coordinate for each mode of {}", call.function(), to_string(coord), to_string(layout)),
                 {},
                 {}};
  }
  if (mode < 0 || mode >= static_cast<std::int64_t>(coord.rank()))
    return Error{ErrorCode::out_of_range, fmt::format("{}: there is no mode {} in {}", call.function(), mode, to_string(layout)), {}, {}};
  std::vector<IntTuple> slicer(coord.modes().begin(), coord.modes().end());
  slicer[static_cast<std::size_t>(mode)] = IntTuple::underscore();
  if (cosize(layout) > kBits) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("{}: {} reaches {}, and a mask has {} bits", call.function(), to_string(layout), cosize(layout) - 1, kBits),
                 {},
                 {}};
  }
  TESSERA_TRY(slice, slice_and_offset(IntTuple::tuple(std::move(slicer)), layout));
  std::int64_t mask = 0;
  for (std::int64_t i = 0; i < size(slice.layout); ++i) mask |= std::int64_t{1} << (evaluate(slice.layout, i) + slice.offset.value());
  return mask;
}

// Columns of tensor memory that an allocation takes at least and at most: the same of every architecture that has it.
template <std::int64_t Columns>
Result<Value> tmem_columns(const Call& call) {
  TESSERA_TRY(arch, argument<std::string>(call, 0));
  if (!arch.starts_with("sm_10"))
    return Error{ErrorCode::unknown_name, fmt::format("{}: {} has no tensor memory", call.function(), arch), call[0].span, {}};
  return Value{IntTuple(Columns)};
}

// clang-format off
constexpr Builtin kRows[] = {
  {"get_min_tmem_alloc_cols", "get_min_tmem_alloc_cols(arch)", "CuTe DSL: the fewest columns of tensor memory that are allocated",
   tmem_columns<32>},
  {"get_max_tmem_alloc_cols", "get_max_tmem_alloc_cols(arch)", "CuTe DSL: the most columns of tensor memory that are allocated",
   tmem_columns<512>},
  {"wrap", "wrap(x)", "CuTe DSL: a tuple of x, where it is none itself", wrap_call},
  {"unwrap", "unwrap(x)", "CuTe DSL: what stands in tuples of one", unwrap_call},
  {"tuple_cat", "tuple_cat(tuples...)", "the elements of several tuples in one; another value counts as one element", tuple_cat_call},
  {"repeat", "repeat(x, n)", "CuTe DSL: x n times in a tuple; x itself where n is 1", repeat_call<false>},
  {"repeat_as_tuple", "repeat_as_tuple(x, n)", "CuTe DSL: x n times in a tuple", repeat_call<true>},
  {"repeat_like_", "repeat_like_(x, target)", "CuTe DSL: repeat_like, with the value first", [](const Call& c) {
     return repeated_like(*c[0].value, *c[1].value); }},
  {"flatten_to_tuple", "flatten_to_tuple(x)", "CuTe DSL: the leaves in one tuple", [](const Call& c) { return flattened(*c[0].value); }},
  {"product_like", "product_like(tuple, profile)", "CuTe DSL: the product of what stands at each leaf of the profile", [](const Call& c) {
     return call_with(c, [](const IntTuple& a, const IntTuple& profile) { return product_like(a, profile); }); }},
  {"find", "find(tuple, x, hierarchical=True)", "CuTe DSL: where x stands first: a mode's number, or a tuple of them; None where it does not",
   [](const Call& c) {
     return call_with(c, [](const IntTuple& tuple, std::int64_t x, const std::optional<bool>& hierarchical) {
       return found(tuple, x, hierarchical.value_or(true)); }); }},
  {"has_underscore", "has_underscore(coord)", "does the coordinate leave a mode open?", [](const Call& c) {
     return call_with(c, [](const IntTuple& coord) { return has_underscore(coord); }); }},
  {"make_layout_image_mask", "make_layout_image_mask(layout, coord, mode)",
   "CuTe DSL: one bit for each CTA that differs from this one in that mode alone", [](const Call& c) {
     return call_with(c, [&](const AnyLayout& layout, const IntTuple& coord, std::int64_t mode) {
       return image_mask(c, layout, coord, mode); }); }},
};
// clang-format on

}  // namespace

std::span<const Builtin> tuple_builtins() { return kRows; }

}  // namespace tessera
