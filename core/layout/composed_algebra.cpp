// SPDX-License-Identifier: BSD-3-Clause
// Operations on composed layouts that act on the layout part and keep what stands before it.
#include "core/layout/composed_algebra.hpp"

#include <fmt/format.h>

namespace tessera {

namespace {

// F o offset o f(L), or f(L) for a plain layout.
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
  return simplify(ComposedLayout{composed.outer, composed.offset, std::move(result)});
}

}  // namespace

Status check_range(const ComposedLayout& composed) {
  if (!composed.offset.is_int()) {
    return Error{ErrorCode::wrong_type, "the offset of a composed layout is an integer, but this is " + to_string(composed.offset), {}, {}};
  }
  const __int128 offset = composed.offset.value();
  const Layout* inner = inner_layout(composed);
  const auto* outer = std::get_if<Layout>(&composed.outer);
  if ((inner && inner->has_basis()) || (outer && outer->has_basis())) {
    return Error{ErrorCode::wrong_type, "a composed layout has integer strides, but one here is a basis stride such as 1@0", {}, {}};
  }
  const auto refuse = [&] {
    return Error{ErrorCode::overflow, "the values of this composed layout leave 62 bits: " + to_string(composed), {}, {}};
  };
  const __int128 reach = inner ? inner->cosize() : outer ? outer->size() : 1;
  if (offset > kLargestIndex || offset < -kLargestIndex || offset + reach > kLargestIndex) return refuse();
  // A layout outside is evaluated at offset + B(c), where its last mode runs on.
  if (outer) {
    __int128 largest = 1;
    for (const std::int64_t stride : leaf_values(outer->stride()))
      largest = std::max<__int128>(largest, stride < 0 ? -static_cast<__int128>(stride) : stride);
    if ((std::max<__int128>(offset, -offset) + reach) * largest > kLargestIndex) return refuse();
  }
  return Done{};
}

AnyLayout simplify(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return layout;
  const auto* swizzle = std::get_if<Swizzle>(&composed->outer);
  const Layout* inner = inner_layout(*composed);
  if (swizzle && swizzle->is_identity() && inner && composed->offset == IntTuple(0)) return *inner;
  return layout;
}

AnyLayout composition(const Swizzle& swizzle, const IntTuple& offset, const Layout& layout) {
  return simplify(ComposedLayout{swizzle, offset, layout});
}

AnyLayout make_layout(const Swizzle& s) {
  const int extent = s.base() + s.bits() + (s.shift() < 0 ? -s.shift() : s.shift());
  if (extent < 1) return Layout();
  return composition(s, 0, Layout::trusted(extent, 1));
}

Swizzle get_swizzle(const AnyLayout& layout) {
  if (const auto* composed = std::get_if<ComposedLayout>(&layout)) {
    if (const auto* swizzle = std::get_if<Swizzle>(&composed->outer)) return *swizzle;
  }
  return Swizzle::make(0, 4, 3).value();  // CuTe's spelling of the identity
}

Layout get_nonswizzle(const AnyLayout& layout) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return *plain;
  const auto& composed = std::get<ComposedLayout>(layout);
  if (const Layout* inner = inner_layout(composed)) return *inner;
  const auto* outer = std::get_if<Layout>(&composed.outer);
  return outer ? *outer : Layout();
}

std::size_t rank(const AnyLayout& layout) { return shape(layout).rank(); }
int depth(const AnyLayout& layout) { return depth(shape(layout)); }

namespace {

Result<IntTuple> add(const IntTuple& a, const IntTuple& b) {
  if (a.is_tuple() && b.is_tuple()) {
    std::vector<IntTuple> modes;
    for (std::size_t i = 0; i < std::max(a.rank(), b.rank()); ++i) {
      TESSERA_TRY(mode, add(i < a.rank() ? a[i] : IntTuple(0), i < b.rank() ? b[i] : IntTuple(0)));
      modes.push_back(std::move(mode));
    }
    return IntTuple::tuple(std::move(modes));
  }
  if (a == IntTuple(0)) return b;
  if (b == IntTuple(0)) return a;
  std::int64_t sum = 0;
  if (a.is_int() && b.is_int() && !__builtin_add_overflow(a.value(), b.value(), &sum)) return IntTuple(sum);
  return Error{ErrorCode::not_congruent, fmt::format("the offset {} and the value {} cannot be added", to_string(a), to_string(b)), {}, {}};
}

struct ApplyTo {
  const IntTuple& x;

  Result<IntTuple> operator()(const Layout& layout) const { return evaluate(layout, x); }
  Result<IntTuple> operator()(const Swizzle& swizzle) const {
    if (swizzle.is_identity()) return x;
    if (x.is_int()) return IntTuple(swizzle(x.value()));
    return Error{ErrorCode::wrong_type, fmt::format("{} works on an integer, not on {}", to_string(swizzle), to_string(x)), {}, {}};
  }
};

}  // namespace

Result<IntTuple> evaluate(const AnyLayout& layout, const Coord& coord) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return evaluate(*plain, coord);
  const auto& composed = std::get<ComposedLayout>(layout);
  TESSERA_TRY(inner, std::visit(ApplyTo{coord}, composed.inner));
  TESSERA_TRY(sum, add(composed.offset, inner));
  return std::visit(ApplyTo{sum}, composed.outer);
}

Result<AnyLayout> composition(const AnyLayout& a, const Tiler& tiler, Law law) {
  if (const auto* plain = std::get_if<Layout>(&a)) {
    if (const auto* composed = std::get_if<ComposedLayout>(&tiler.value)) return composition(*plain, *composed, law);
    return on_layout_part("composition", a, [&](const Layout& l) { return composition(l, tiler, Law::checked); });
  }
  return on_layout_part("composition", a, [&](const Layout& l) { return composition(l, tiler, law); });
}

Result<AnyLayout> composition(const AnyLayout& a, const AnyLayout& b, Law law) {
  return std::visit([&](const auto& layout) { return composition(a, Tiler(layout), law); }, b);
}

Result<Layout> complement(const AnyLayout& layout, const Shape& cotarget, Law law) {
  return complement(get_nonswizzle(layout), cotarget, law);
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
Result<SliceAndOffset> domain_offset(const Coord& coord, const AnyLayout& layout) {
  TESSERA_TRY(start, evaluate(get_nonswizzle(layout), coord));
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return SliceAndOffset{layout, std::move(start)};
  std::int64_t offset = 0;
  if (!start.is_int() || !composed->offset.is_int() || __builtin_add_overflow(composed->offset.value(), start.value(), &offset)) {
    return Error{ErrorCode::not_representable,
                 fmt::format("domain_offset: {} and the start {} do not add up to one offset", to_string(layout), to_string(start)),
                 {},
                 {}};
  }
  ComposedLayout moved = *composed;
  moved.offset = offset;
  TESSERA_CHECK(check_range(moved));
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
Result<Layout> make_fragment_like(const AnyLayout& layout) { return make_fragment_like(get_nonswizzle(layout)); }
Result<Layout> make_layout_like(const AnyLayout& layout) { return make_layout_like(get_nonswizzle(layout)); }

}  // namespace tessera
