// SPDX-License-Identifier: BSD-3-Clause
// Operations on composed layouts that act on the layout part and keep what stands before it.
#include "core/layout/composed_algebra.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace tessera {

namespace {

// What stands before L, before f(L); f(L) for a plain layout.
template <class F>
Result<AnyLayout> on_layout_part(std::string_view operation, const AnyLayout& any, F&& f) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, Result<Layout>(f(*plain)));
    return AnyLayout(std::move(result));
  }
  const auto& composed = std::get<ComposedLayout>(any);
  const Layout* inner = inner_layout(composed);
  if (!inner) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("{}: in {} the part on the right is a swizzle, which has no modes", operation, to_string(composed)),
                 {},
                 {}};
  }
  TESSERA_TRY(result, Result<Layout>(f(*inner)));
  return simplify(with_plain_part(any, std::move(result)));
}

}  // namespace

Result<AnyLayout> composition(const AnyLayout& a, const Tiler& tiler, Law law) {
  if (const auto* composed = std::get_if<ComposedLayout>(&tiler.value)) return composition(a, AnyLayout(*composed), law);
  if (std::holds_alternative<Layout>(a))
    return on_layout_part("composition", a, [&](const Layout& l) { return composition(l, tiler, Law::checked); });
  const auto* layout = std::get_if<Layout>(&tiler.value);
  if (layout && !inner_layout(std::get<ComposedLayout>(a))) return composition(a, AnyLayout(*layout), law);
  return on_layout_part("composition", a, [&](const Layout& l) { return composition(l, tiler, law); });
}

Result<Layout> complement(const AnyLayout& layout, const Shape& cotarget, Law law) {
  return complement(layout_part(layout), cotarget, law);
}

Result<AnyLayout> coalesce(const AnyLayout& layout) {
  return on_layout_part("coalesce", layout, [](const Layout& l) { return coalesce(l); });
}
AnyLayout shortest(const AnyLayout& layout) {
  Result<AnyLayout> short_form = coalesce(layout);
  return short_form ? *std::move(short_form) : layout;
}
Result<AnyLayout> coalesce(const AnyLayout& layout, const IntTuple& profile) {
  return on_layout_part("coalesce", layout, [&](const Layout& l) { return coalesce(l, profile); });
}
Result<AnyLayout> filter(const AnyLayout& layout) {
  return on_layout_part("filter", layout, [](const Layout& l) { return filter(l); });
}
Result<AnyLayout> filter(const AnyLayout& layout, const IntTuple& profile) {
  return on_layout_part("filter", layout, [&](const Layout& l) { return filter(l, profile); });
}
Result<AnyLayout> zip(const AnyLayout& layout) {
  return on_layout_part("zip", layout, [](const Layout& l) { return zip(l); });
}
Result<AnyLayout> slice(const Coord& coord, const AnyLayout& layout) {
  if (std::holds_alternative<Layout>(layout)) return on_layout_part("slice", layout, [&](const Layout& l) { return slice(coord, l); });
  TESSERA_TRY(part, slice_and_offset(coord, layout));
  return std::move(part.layout);
}
AnyLayout opened(const AnyLayout& layout, std::size_t mode) {
  const Layout& plain = plain_part(layout);
  if (mode >= plain.rank() || !plain.shape().is_tuple() || !plain.shape()[mode].is_tuple() || plain.shape()[mode].rank() != 1)
    return layout;
  const auto open = [&](const IntTuple& tuple) {
    std::vector<IntTuple> modes(tuple.modes().begin(), tuple.modes().end());
    modes[mode] = IntTuple(tuple[mode][0]);
    return IntTuple::tuple(std::move(modes));
  };
  return with_plain_part(layout, Layout::trusted(open(plain.shape()), open(plain.stride())));
}

Result<SliceAndOffset> domain_offset(const Coord& coord, const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) {
    TESSERA_TRY(start, evaluate(std::get<Layout>(layout), coord));
    return SliceAndOffset{layout, std::move(start)};
  }
  const ComposedLayout& pair = last_pair(*composed);
  const Layout* inner = inner_layout(*composed);
  if (!inner) return Error{ErrorCode::wrong_type, fmt::format("domain_offset: {} has no modes on its right", to_string(*composed)), {}, {}};
  TESSERA_TRY(start, evaluate(*inner, coord));
  std::int64_t offset = 0;
  if (!start.is_int() || !pair.offset.is_int() || __builtin_add_overflow(pair.offset.value(), start.value(), &offset)) {
    return Error{ErrorCode::not_representable,
                 fmt::format("domain_offset: {} and the start {} do not add up to one offset", to_string(layout), to_string(start)),
                 {},
                 {}};
  }
  TESSERA_TRY(moved, with_last_offset(*composed, offset));
  return SliceAndOffset{std::move(moved), 0};
}
Result<AnyLayout> flatten(const AnyLayout& layout) {
  return on_layout_part("flatten", layout, [](const Layout& l) { return flatten(l); });
}
Result<AnyLayout> unflatten(const AnyLayout& layout, const IntTuple& profile) {
  return on_layout_part("unflatten", layout, [&](const Layout& l) { return unflatten(l, profile); });
}
Result<AnyLayout> group(const AnyLayout& layout, std::int64_t begin, std::int64_t end) {
  return on_layout_part("group", layout, [&](const Layout& l) { return group(l, begin, end); });
}
Result<AnyLayout> take(const AnyLayout& layout, std::int64_t begin, std::int64_t end) {
  return on_layout_part("take", layout, [&](const Layout& l) { return take(l, begin, end); });
}
Result<AnyLayout> select(const AnyLayout& layout, const std::vector<std::int64_t>& modes) {
  return on_layout_part("select", layout, [&](const Layout& l) { return select(l, modes); });
}
Result<AnyLayout> append(const AnyLayout& layout, std::int64_t rank, const Layout& mode) {
  return on_layout_part("append", layout, [&](const Layout& l) { return append(l, rank, mode); });
}
Result<AnyLayout> prepend(const AnyLayout& layout, std::int64_t rank, const Layout& mode) {
  return on_layout_part("prepend", layout, [&](const Layout& l) { return prepend(l, rank, mode); });
}
Result<AnyLayout> get(const AnyLayout& layout, std::int64_t mode) {
  return on_layout_part("get", layout, [&](const Layout& l) -> Result<Layout> {
    if (mode >= 0 && mode < static_cast<std::int64_t>(l.rank())) return l[static_cast<std::size_t>(mode)];
    return Error{
        ErrorCode::out_of_range, fmt::format("get: there is no mode {} in {}, which has rank {}", mode, to_string(l), l.rank()), {}, {}};
  });
}

Result<AnyLayout> logical_divide(const AnyLayout& layout, const Tiler& tiler, Law law) {
  return on_layout_part("logical_divide", layout, [&](const Layout& l) { return logical_divide(l, tiler, law); });
}
Result<AnyLayout> zipped_divide(const AnyLayout& layout, const Tiler& tiler, Law law) {
  return on_layout_part("zipped_divide", layout, [&](const Layout& l) { return zipped_divide(l, tiler, law); });
}
Result<AnyLayout> tiled_divide(const AnyLayout& layout, const Tiler& tiler, Law law) {
  return on_layout_part("tiled_divide", layout, [&](const Layout& l) { return tiled_divide(l, tiler, law); });
}
Result<AnyLayout> flat_divide(const AnyLayout& layout, const Tiler& tiler, Law law) {
  return on_layout_part("flat_divide", layout, [&](const Layout& l) { return flat_divide(l, tiler, law); });
}
Result<AnyLayout> zipped_product(const AnyLayout& block, const Tiler& tiler, Law law) {
  return on_layout_part("zipped_product", block, [&](const Layout& l) { return zipped_product(l, tiler, law); });
}
Result<AnyLayout> tiled_product(const AnyLayout& block, const Tiler& tiler, Law law) {
  return on_layout_part("tiled_product", block, [&](const Layout& l) { return tiled_product(l, tiler, law); });
}
Result<AnyLayout> flat_product(const AnyLayout& block, const Tiler& tiler, Law law) {
  return on_layout_part("flat_product", block, [&](const Layout& l) { return flat_product(l, tiler, law); });
}
Result<AnyLayout> blocked_product(const AnyLayout& block, const Layout& tiler, Law law) {
  return on_layout_part("blocked_product", block, [&](const Layout& l) { return blocked_product(l, tiler, law); });
}
Result<AnyLayout> raked_product(const AnyLayout& block, const Layout& tiler, Law law) {
  return on_layout_part("raked_product", block, [&](const Layout& l) { return raked_product(l, tiler, law); });
}
Result<AnyLayout> tile_to_shape(const AnyLayout& block, const Shape& target, Law law) {
  return on_layout_part("tile_to_shape", block, [&](const Layout& l) { return tile_to_shape(l, target, law); });
}
Result<AnyLayout> tile_to_shape(const AnyLayout& block, const Shape& target, const IntTuple& order, Law law) {
  return on_layout_part("tile_to_shape", block, [&](const Layout& l) { return tile_to_shape(l, target, order, law); });
}
Result<Layout> make_fragment_like(const AnyLayout& layout) { return make_fragment_like(layout_part(layout)); }
Result<Layout> make_layout_like(const AnyLayout& layout) { return make_layout_like(layout_part(layout)); }

}  // namespace tessera
