// SPDX-License-Identifier: BSD-3-Clause
// Operations that move a swizzle onto other bits: composition with a layout, inverses, products, casts.
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"

namespace tessera {

Result<Swizzle> make_swizzle(std::int64_t y, std::int64_t z) {
  if (y < 0 || z < 0)
    return Error{ErrorCode::bad_extent, fmt::format("the bit masks of a swizzle are at least 0, but they are {} and {}", y, z), {}, {}};
  const auto uy = static_cast<std::uint64_t>(y), uz = static_cast<std::uint64_t>(z);
  const int bits = std::popcount(uy);
  if (bits != std::popcount(uz)) {
    return Error{
        ErrorCode::not_representable,
        fmt::format("Number of bits in Y and Z don't match: the masks {:#b} and {:#b} have {} and {}", y, z, bits, std::popcount(uz)),
        {},
        {}};
  }
  if (bits == 0) return Swizzle();
  const int low_y = std::countr_zero(uy), low_z = std::countr_zero(uz);
  TESSERA_TRY(swizzle, Swizzle::make(bits, std::min(low_y, low_z), low_y - low_z));
  if ((y | z) == (swizzle.y_mask() | swizzle.z_mask())) return swizzle;
  return Error{ErrorCode::not_representable,
               fmt::format("no Sw<B,M,S> reads the bits {:#b} and flips the bits {:#b}: each mask must be one run of adjacent bits", y, z),
               {},
               {}};
}

Result<Swizzle> composition(const Swizzle& a, const Swizzle& b) {
  if (a.shift() != b.shift()) {
    return Error{ErrorCode::not_representable,
                 fmt::format("Can only merge swizzles of the same shift, but {} shifts by {} and {} by {}", to_string(a), a.shift(),
                             to_string(b), b.shift()),
                 {},
                 {}};
  }
  TESSERA_TRY(merged, make_swizzle(a.y_mask() ^ b.y_mask(), a.z_mask() ^ b.z_mask()));
  for (int bit = 0; bit < 62; ++bit) {  // linear over bits, so single bits decide
    const std::int64_t x = std::int64_t{1} << bit;
    if (merged(x) == a(b(x))) continue;
    return Error{ErrorCode::breaks_law,
                 fmt::format("composition({}, {}) is not {}: at {} that gives {}, but one after the other they give {}", to_string(a),
                             to_string(b), to_string(merged), x, merged(x), a(b(x))),
                 {},
                 {"the bits that one reads are flipped by the other"}};
  }
  return merged;
}

namespace {

Result<int> log2_of(std::string_view operation, std::int64_t n) {
  if (n >= 1 && std::has_single_bit(static_cast<std::uint64_t>(n))) return std::countr_zero(static_cast<std::uint64_t>(n));
  return Error{ErrorCode::not_divisible, fmt::format("{} of a swizzle: N must be a power of two, but it is {}", operation, n), {}, {}};
}

}  // namespace

Result<Swizzle> upcast(const Swizzle& s, std::int64_t n) {
  TESSERA_TRY(log2_n, log2_of("upcast", n));
  const int base = s.base() - log2_n;
  if (base >= 0) return Swizzle::make(s.bits(), base, s.shift());
  return Swizzle::make(std::max(s.bits() + base, 0), 0, s.shift());
}

Result<Swizzle> downcast(const Swizzle& s, std::int64_t n) {
  TESSERA_TRY(log2_n, log2_of("downcast", n));
  return Swizzle::make(s.bits(), s.base() + log2_n, s.shift());
}

namespace {

// recast as upcast by `up` after which downcast by `down`, on anything that has both.
template <class T>
Result<T> recast(const T& value, std::int64_t old_bits, std::int64_t new_bits) {
  if (old_bits < 1 || new_bits < 1) {
    return Error{
        ErrorCode::bad_extent, fmt::format("recast_layout: widths are at least 1 bit, but they are {} and {}", old_bits, new_bits), {}, {}};
  }
  const std::int64_t common = std::gcd(old_bits, new_bits), up = new_bits / common, down = old_bits / common;
  if (up == 1 && down == 1) return value;
  if (up == 1) return downcast(value, down);
  if (down == 1) return upcast(value, up);
  TESSERA_TRY(coarse, upcast(value, up));
  return downcast(coarse, down);
}

}  // namespace

Result<Swizzle> recast_layout(const Swizzle& s, std::int64_t old_bits, std::int64_t new_bits) { return recast(s, old_bits, new_bits); }

namespace {
constexpr std::int64_t kMostCompared = std::int64_t{1} << 20;  // coordinates
}

Result<AnyLayout> composition(const Layout& a, const Swizzle& b, Law law) {
  if (a.has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} goes to coordinates, so no swizzle can follow it", to_string(a)), {}, {}};
  TESSERA_TRY(moved, make_swizzle(a(b.y_mask()), a(b.z_mask())));
  AnyLayout made = composition(moved, 0, a);
  if (law == Law::as_cute) return made;
  // Law: result(i) == a(b(i)). The masks decide it only where a keeps bits apart.
  if (a.size() > kMostCompared) {
    return Error{ErrorCode::limit,
                 fmt::format("composition({}, {}) is compared point by point on up to {} coordinates, and this has {}", to_string(a),
                             to_string(b), kMostCompared, a.size()),
                 {},
                 {}};
  }
  for (std::int64_t i = 0; i < a.size(); ++i) {
    if (evaluate(made, i) == a(b(i))) continue;
    return Error{ErrorCode::breaks_law,
                 fmt::format("composition({}, {}) is not {}: at {} that layout gives {}, but A({}) = {}", to_string(a), to_string(b),
                             to_string(made), i, evaluate(made, i), b(i), a(b(i))),
                 {},
                 {"CuTe moves the swizzle to the left by its masks alone"}};
  }
  return made;
}

Result<AnyLayout> composition(const Layout& a, const ComposedLayout& b, Law law) {
  const auto* swizzle = std::get_if<Swizzle>(&b.outer);
  const Layout* inner = inner_layout(b);
  if (!swizzle || !inner || b.offset != IntTuple(0)) {
    return Error{ErrorCode::not_representable,
                 fmt::format("composition({}, {}): Require offset == 0, and a swizzle before a layout", to_string(a), to_string(b)),
                 {},
                 {}};
  }
  TESSERA_TRY(left, composition(a, *swizzle, law));
  return composition(left, Tiler(*inner), law);
}

namespace {

using Inverse = Result<Layout> (*)(const Layout&);

// (Sw o 0 o L)^-1 = L^-1 o Sw, whose swizzle CuTe moves to the left; with an offset, L^-1 o -offset o Sw.
Result<AnyLayout> inverse_of(const AnyLayout& any, Inverse inverse, std::string_view name, Law law) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, inverse(*plain));
    return AnyLayout(std::move(result));
  }
  const auto& composed = std::get<ComposedLayout>(any);
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  const Layout* inner = inner_layout(composed);
  if (!swizzle || !inner || !composed.offset.is_int()) {
    return Error{
        ErrorCode::not_representable, fmt::format("{} is for a swizzle before a layout, not for {}", name, to_string(composed)), {}, {}};
  }
  TESSERA_TRY(inverted, inverse(*inner));
  if (composed.offset == IntTuple(0)) return composition(inverted, *swizzle, law);
  return AnyLayout(ComposedLayout{std::move(inverted), -composed.offset.value(), *swizzle});
}

}  // namespace

Result<AnyLayout> right_inverse(const AnyLayout& layout, Law law) { return inverse_of(layout, right_inverse, "right_inverse", law); }
Result<AnyLayout> left_inverse(const AnyLayout& layout, Law law) { return inverse_of(layout, left_inverse, "left_inverse", law); }

namespace {

bool is_composed(const AnyLayout& layout) { return std::holds_alternative<ComposedLayout>(layout); }
std::int64_t untouched(const AnyLayout& layout) { return std::int64_t{1} << get_swizzle(layout).base(); }  // 2^M elements stay together

}  // namespace

Result<std::int64_t> max_common_vector(const AnyLayout& a, const AnyLayout& b) {
  TESSERA_TRY(vector, max_common_vector(get_nonswizzle(a), get_nonswizzle(b)));
  if (is_composed(a) && is_composed(b) && get_swizzle(a) == get_swizzle(b)) return vector;
  if (is_composed(a)) vector = std::min(vector, untouched(a));
  if (is_composed(b)) vector = std::min(vector, untouched(b));
  return vector;
}

Result<Layout> max_common_layout(const AnyLayout& a, const AnyLayout& b) {
  if (is_composed(a) && is_composed(b)) {
    return Error{ErrorCode::not_representable,
                 "max_common_layout is for one swizzled layout and a plain one, not for two swizzled ones",
                 {},
                 {"max_common_vector takes both"}};
  }
  if (is_composed(b)) return max_common_layout(b, a);  // CuTe puts the swizzled one first
  TESSERA_TRY(common, max_common_layout(get_nonswizzle(a), get_nonswizzle(b)));
  if (!is_composed(a) || untouched(a) >= common.size()) return common;
  return composition(common, Tiler(untouched(a)));
}

Result<std::int64_t> max_alignment(const AnyLayout& layout) {
  TESSERA_TRY(alignment, max_alignment(get_nonswizzle(layout)));
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (!composed) return alignment;
  if (!std::holds_alternative<Swizzle>(composed->outer)) return std::int64_t{1};
  return std::gcd(std::gcd(untouched(layout), composed->offset.value()), alignment);
}

namespace {

// The bits of P(L) at the last coordinate, P = the projection on the bits that the swizzle reads or flips.
Result<std::int64_t> active_bits(const Swizzle& s, const Layout& layout) {
  const std::int64_t run = std::int64_t{1} << s.bits();
  const int gap = (s.shift() < 0 ? -s.shift() : s.shift()) - s.bits();
  const std::int64_t low = std::int64_t{1} << s.base();
  const Shape shape = IntTuple::tuple({low, run, std::int64_t{1} << gap, run, 1});
  TESSERA_TRY(projection, Layout::make(shape, IntTuple::tuple({0, low, 0, low << (s.bits() + gap), 0})));
  TESSERA_TRY(projected, composition_unchecked(projection, layout));
  return projected(projected.size() - 1);
}

Result<AnyLayout> multiply_by_swizzled(const Layout& block, const ComposedLayout& tiler, Law law) {
  const auto* swizzle = std::get_if<Swizzle>(&tiler.outer);
  const Layout* inner = inner_layout(tiler);
  if (!swizzle || !inner || tiler.offset != IntTuple(0)) {
    return Error{ErrorCode::not_representable, fmt::format("logical_product by {}: Require Swizzle offset == 0", to_string(tiler)), {}, {}};
  }
  TESSERA_TRY(product, logical_product(block, Tiler(*inner), law));
  TESSERA_TRY(active, active_bits(*swizzle, *inner));
  // Where the tiler puts its active bits, the product puts the same bits of mode 1: those carry the new swizzle.
  const auto moved = [&](std::int64_t bits) { return product(0, (*inner)(bits)); };
  TESSERA_TRY(result, make_swizzle(moved(active & swizzle->y_mask()), moved(active & swizzle->z_mask())));
  return composition(result, 0, product);
}

}  // namespace

Result<AnyLayout> logical_product(const AnyLayout& block, const Tiler& tiler, Law law) {
  if (const auto* plain = std::get_if<Layout>(&block)) {
    if (const auto* composed = std::get_if<ComposedLayout>(&tiler.value)) {
      const AnyLayout simple = simplify(*composed);
      if (is_composed(simple)) return multiply_by_swizzled(*plain, *composed, law);
      return logical_product(block, Tiler(std::get<Layout>(simple)), law);
    }
    TESSERA_TRY(result, logical_product(*plain, tiler, law));
    return AnyLayout(std::move(result));
  }
  const auto& composed = std::get<ComposedLayout>(block);
  const Layout* inner = inner_layout(composed);
  if (!inner)
    return Error{ErrorCode::wrong_type, fmt::format("logical_product: {} has no modes on its right", to_string(composed)), {}, {}};
  TESSERA_TRY(result, logical_product(*inner, tiler, law));
  return simplify(ComposedLayout{composed.outer, composed.offset, std::move(result)});
}

namespace {

enum class Cast { up, down };

template <class T>
Result<T> cast(const T& value, std::int64_t n, Cast direction) {
  return direction == Cast::up ? upcast(value, n) : downcast(value, n);
}

Result<AnyLayout> cast_all(const AnyLayout& any, std::int64_t n, Cast direction) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, cast(*plain, n, direction));
    return AnyLayout(std::move(result));
  }
  const auto& composed = std::get<ComposedLayout>(any);
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  const Layout* inner = inner_layout(composed);
  if (!swizzle || !inner || !composed.offset.is_int()) {
    return Error{
        ErrorCode::not_representable, fmt::format("only a swizzle before a layout can be cast, not {}", to_string(composed)), {}, {}};
  }
  const std::int64_t offset = composed.offset.value();
  std::int64_t scaled = 0;
  if (direction == Cast::up && offset % std::max<std::int64_t>(n, 1) != 0) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("upcast<{}> of {}: the offset {} is no multiple of {}", n, to_string(composed), offset, n),
                 {},
                 {}};
  }
  if (direction == Cast::down && __builtin_mul_overflow(offset, n, &scaled)) {
    return Error{ErrorCode::overflow, fmt::format("downcast<{}> of {}: the offset leaves 64 bits", n, to_string(composed)), {}, {}};
  }
  TESSERA_TRY(cast_swizzle, cast(*swizzle, n, direction));
  TESSERA_TRY(cast_layout, cast(*inner, n, direction));
  if (direction == Cast::up) scaled = offset / n;
  ComposedLayout made{cast_swizzle, scaled, std::move(cast_layout)};  // an identity swizzle stays here, as in CuTe
  TESSERA_CHECK(check_range(made));
  return AnyLayout(std::move(made));
}

}  // namespace

Result<AnyLayout> upcast(const AnyLayout& layout, std::int64_t n) { return cast_all(layout, n, Cast::up); }
Result<AnyLayout> downcast(const AnyLayout& layout, std::int64_t n) { return cast_all(layout, n, Cast::down); }
Result<AnyLayout> recast_layout(const AnyLayout& layout, std::int64_t old_bits, std::int64_t new_bits) {
  return recast(layout, old_bits, new_bits);
}

}  // namespace tessera
