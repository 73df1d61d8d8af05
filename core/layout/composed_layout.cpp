// SPDX-License-Identifier: BSD-3-Clause
// Chains of swizzles and layouts: made, bounded, taken apart and evaluated.
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {

namespace {

std::size_t count(const ChainPart& part) {
  const auto* composed = std::get_if<ComposedLayout>(&part);
  return composed ? parts(*composed) : 1;
}

Error too_long(std::size_t count) {
  return {ErrorCode::limit,
          fmt::format("a composed layout has at most {} parts, and this one would have {}", kMostParts, count),
          {},
          {"compositions of plain layouts are one part: write composition(A, B)"}};
}

decltype(ComposedLayout::inner) as_inner(ChainPart part) {
  return std::visit(Overloaded{[](Swizzle&& s) { return decltype(ComposedLayout::inner)(s); },
                               [](Layout&& l) { return decltype(ComposedLayout::inner)(std::move(l)); },
                               [](ComposedLayout&& c) { return decltype(ComposedLayout::inner)(Nested(std::move(c))); }},
                    std::move(part));
}

// What the chain ends in, replaced.
ComposedLayout with_last_pair(const ComposedLayout& like, ComposedLayout pair) {
  const auto* rest = std::get_if<Nested>(&like.inner);
  if (!rest) return pair;
  return ComposedLayout{like.outer, like.offset, Nested(with_last_pair(**rest, std::move(pair)))};
}

// A o offset o B, where a composed A is taken apart: (X o p o Y) o offset o B is X o p o (Y o offset o B).
ComposedLayout joined(ChainPart a, const IntTuple& offset, ChainPart b) {
  auto inner = as_inner(std::move(b));
  if (const auto* swizzle = std::get_if<Swizzle>(&a)) return ComposedLayout{*swizzle, offset, std::move(inner)};
  if (auto* layout = std::get_if<Layout>(&a)) return ComposedLayout{std::move(*layout), offset, std::move(inner)};
  const auto& chain = std::get<ComposedLayout>(a);
  const ComposedLayout& pair = last_pair(chain);
  ComposedLayout end;
  if (const auto* swizzle = std::get_if<Swizzle>(&pair.inner))
    end = ComposedLayout{*swizzle, offset, std::move(inner)};
  else
    end = ComposedLayout{std::get<Layout>(pair.inner), offset, std::move(inner)};
  return with_last_pair(chain, ComposedLayout{pair.outer, pair.offset, Nested(std::move(end))});
}

bool has_layout(const ComposedLayout& c) {
  if (std::holds_alternative<Layout>(c.outer) || std::holds_alternative<Layout>(c.inner)) return true;
  const auto* rest = std::get_if<Nested>(&c.inner);
  return rest && has_layout(**rest);
}

}  // namespace

ChainPart to_part(AnyLayout layout) {
  return std::visit([](auto&& each) { return ChainPart(std::move(each)); }, std::move(layout));
}

Result<ComposedLayout> make_composed_layout(std::vector<ChainPart> chain, const std::vector<IntTuple>& offsets) {
  assert(chain.size() == offsets.size() + 1 && chain.size() >= 2);
  std::size_t n = 0;
  for (const ChainPart& part : chain) n += count(part);
  if (n > kMostParts) return too_long(n);
  ChainPart made = std::move(chain.back());
  for (std::size_t k = offsets.size(); k-- > 0;) made = joined(std::move(chain[k]), offsets[k], std::move(made));
  auto& composed = std::get<ComposedLayout>(made);
  if (!has_layout(composed)) {
    return Error{ErrorCode::wrong_type, "two swizzles around an offset have no domain; write Sw<B,M,S> o offset o layout", {}, {}};
  }
  TESSERA_CHECK(check_range(composed));
  return std::move(composed);
}

Result<ComposedLayout> make_composed_layout(ChainPart a, const IntTuple& offset, ChainPart b) {
  return make_composed_layout({std::move(a), std::move(b)}, {offset});
}

Result<ComposedLayout> with_last_part(const ComposedLayout& like, ChainPart last) {
  if (const std::size_t n = parts(like) - 1 + count(last); n > kMostParts) return too_long(n);
  const ComposedLayout& pair = last_pair(like);
  return with_last_pair(like, ComposedLayout{pair.outer, pair.offset, as_inner(std::move(last))});
}

Result<ComposedLayout> with_last_offset(const ComposedLayout& like, const IntTuple& offset) {
  const ComposedLayout& pair = last_pair(like);
  ComposedLayout made = with_last_pair(like, ComposedLayout{pair.outer, offset, pair.inner});
  TESSERA_CHECK(check_range(made));
  return made;
}

namespace {

// No value behind a part is larger, positive or negative.
using Bound = __int128;

Bound magnitude(Bound x) { return x < 0 ? -x : x; }

Error has_basis_strides() {
  return {ErrorCode::wrong_type, "a composed layout has integer strides, but one here is a basis stride such as 1@0", {}, {}};
}

// A swizzle flips bits of its mask at most.
Bound behind(const Swizzle& swizzle, Bound bound) { return swizzle.is_identity() ? bound : bound + swizzle.z_mask(); }

// A layout runs on in its last mode.
Result<Bound> behind(const Layout& layout, Bound bound) {
  if (layout.has_basis()) return has_basis_strides();
  Bound largest = 1;
  for (const std::int64_t stride : leaf_values(layout.stride())) largest = std::max(largest, magnitude(stride));
  return bound * largest;
}

// The bound behind the chain's first part. `whole` is named in a refusal, `domain` is what the last part is given.
Result<Bound> bound_of(const ComposedLayout& c, const ComposedLayout& whole, std::int64_t domain) {
  if (!c.offset.is_int()) {
    return Error{ErrorCode::wrong_type, "the offset of a composed layout is an integer, but this is " + to_string(c.offset), {}, {}};
  }
  const auto refuse = [&] {
    return Error{ErrorCode::overflow, "the values of this composed layout leave 62 bits: " + to_string(whole), {}, {}};
  };
  Bound reach = 0;
  if (const auto* rest = std::get_if<Nested>(&c.inner)) {
    TESSERA_TRY(inside, bound_of(**rest, whole, domain));
    reach = inside;
  } else if (const auto* layout = std::get_if<Layout>(&c.inner)) {
    if (layout->has_basis()) return has_basis_strides();
    reach = layout->cosize();
  } else {
    reach = behind(std::get<Swizzle>(c.inner), domain);
  }
  const Bound offset = c.offset.value();
  if (magnitude(offset) > kLargestIndex || offset + reach > kLargestIndex) return refuse();
  const Bound sum = magnitude(offset) + reach;
  const auto* swizzle = std::get_if<Swizzle>(&c.outer);
  if (swizzle) return behind(*swizzle, sum);
  TESSERA_TRY(bound, behind(std::get<Layout>(c.outer), sum));
  if (bound > kLargestIndex) return refuse();
  return bound;
}

}  // namespace

Status check_range(const ComposedLayout& composed) {
  if (const std::size_t n = parts(composed); n > kMostParts) return too_long(n);
  TESSERA_CHECK(bound_of(composed, composed, layout_part(composed).size()));
  return Done{};
}

AnyLayout simplify(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return layout;
  const auto* swizzle = std::get_if<Swizzle>(&composed->outer);
  if (!swizzle || !swizzle->is_identity() || composed->offset != IntTuple(0)) return layout;
  if (const auto* inner = std::get_if<Layout>(&composed->inner)) return *inner;
  const auto* rest = std::get_if<Nested>(&composed->inner);
  return rest ? simplify(**rest) : layout;
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

AnyLayout get_nonswizzle(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return layout;
  if (const auto* rest = std::get_if<Nested>(&composed->inner)) return **rest;
  return layout_part(layout);
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
  Result<IntTuple> operator()(const Nested& rest) const { return chain(*rest); }

  Result<IntTuple> chain(const ComposedLayout& c) const {
    TESSERA_TRY(inner, std::visit(*this, c.inner));
    TESSERA_TRY(sum, add(c.offset, inner));
    return std::visit(ApplyTo{sum}, c.outer);
  }
};

}  // namespace

Result<IntTuple> evaluate(const AnyLayout& layout, const Coord& coord) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return evaluate(*plain, coord);
  const auto& composed = std::get<ComposedLayout>(layout);
  if (!coord.is_tuple() || inner_layout(composed)) return ApplyTo{coord}.chain(composed);
  TESSERA_TRY(number, crd2idx(coord, shape(layout)));  // a swizzle on the right takes the coordinate's number
  return ApplyTo{IntTuple(number)}.chain(composed);
}

}  // namespace tessera
