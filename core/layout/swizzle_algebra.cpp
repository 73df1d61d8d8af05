// SPDX-License-Identifier: BSD-3-Clause
// Operations that move a swizzle onto other bits: composition with a layout, inverses, products, casts.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"
#include "core/layout/recast_law.hpp"

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

// recast as upcast by `up` after which downcast by `down`.
struct Ratio {
  std::int64_t up, down;
};
Result<Ratio> ratio_of(std::int64_t old_bits, std::int64_t new_bits) {
  if (old_bits < 1 || new_bits < 1) {
    return Error{
        ErrorCode::bad_extent, fmt::format("recast_layout: widths are at least 1 bit, but they are {} and {}", old_bits, new_bits), {}, {}};
  }
  const std::int64_t common = std::gcd(old_bits, new_bits);
  return Ratio{new_bits / common, old_bits / common};
}

}  // namespace

Result<Swizzle> recast_layout(const Swizzle& s, std::int64_t old_bits, std::int64_t new_bits) {
  TESSERA_TRY(ratio, ratio_of(old_bits, new_bits));
  TESSERA_TRY(coarse, upcast(s, ratio.up));
  return downcast(coarse, ratio.down);
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

// product(i, j) == block(i) + free(tiler(j)), free = complement(block, size(block) * cosize(tiler)).
Status check_swizzled_product(const Layout& block, const ComposedLayout& tiler, const AnyLayout& made) {
  TESSERA_TRY(free, complement(block, Shape(block.size() * cosize(AnyLayout(tiler)))));
  const std::int64_t copies = size(AnyLayout(tiler));
  const auto wanted = [&](std::int64_t n) {
    const auto start = static_cast<std::uint64_t>(free(evaluate(tiler, n / block.size())));  // may wrap: a tiler's value may be large
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(block(n % block.size())) + start);
  };
  const auto n = first_broken(block.size() * copies, [&](std::int64_t i) { return evaluate(made, i) == wanted(i); });
  if (!n) return Done{};
  return Error{ErrorCode::breaks_law,
               fmt::format("logical_product({}, {}) is not {}: element {} of copy {} has index {} there, but lies at {}", to_string(block),
                           to_string(tiler), to_string(made), *n % block.size(), *n / block.size(), evaluate(made, *n), wanted(*n)),
               {},
               {"CuTe moves the swizzle onto the bits that the copies take"}};
}

Result<AnyLayout> multiply_by_swizzled(const Layout& block, const ComposedLayout& tiler, Law law) {
  const auto* swizzle = std::get_if<Swizzle>(&tiler.outer);
  const auto* inner = std::get_if<Layout>(&tiler.inner);
  if (!swizzle || !inner || tiler.offset != IntTuple(0)) {
    return Error{ErrorCode::not_representable, fmt::format("logical_product by {}: Require Swizzle offset == 0", to_string(tiler)), {}, {}};
  }
  TESSERA_TRY(product, logical_product(block, Tiler(*inner)));
  TESSERA_TRY(active, active_bits(*swizzle, *inner));
  // Where the tiler puts its active bits, the product puts the same bits of mode 1: those carry the new swizzle.
  const auto moved = [&](std::int64_t bits) { return product(0, (*inner)(bits)); };
  TESSERA_TRY(result, make_swizzle(moved(active & swizzle->y_mask()), moved(active & swizzle->z_mask())));
  AnyLayout made = composition(result, 0, product);
  TESSERA_CHECK(law.hold(false, [&] { return check_swizzled_product(block, tiler, made); }));
  return made;
}

}  // namespace

Result<AnyLayout> logical_product(const AnyLayout& block, const Tiler& tiler, Law law) {
  if (const auto* plain = std::get_if<Layout>(&block)) {
    if (const auto* composed = std::get_if<ComposedLayout>(&tiler.value)) {
      const AnyLayout simple = simplify(*composed);
      if (std::holds_alternative<ComposedLayout>(simple)) return multiply_by_swizzled(*plain, *composed, law);
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
  return simplify(with_plain_part(block, std::move(result)));
}

namespace {

enum class Cast { up, down };

template <class T>
Result<T> cast(const T& value, std::int64_t n, Cast direction) {
  return direction == Cast::up ? upcast(value, n) : downcast(value, n);
}
Result<Layout> cast(const Layout& value, std::int64_t n, Cast direction, Law law) {
  return direction == Cast::up ? upcast(value, n, law) : downcast(value, n, law);
}

// upcast<n> of a swizzle may tear wide elements apart only where it reads bits inside one: those below n, and flips higher ones.
bool reads_below(const Swizzle& s, std::int64_t n) { return !s.is_identity() && s.shift() < 0 && (s.y_mask() & (n - 1)) != 0; }

Status check_cast(const AnyLayout& before, const AnyLayout& after, std::int64_t old_width, std::int64_t new_width) {
  TESSERA_CHECK(check_same_bits(before, after, old_width, new_width));
  if (new_width > old_width) TESSERA_CHECK(check_same_places(before, after, old_width, new_width));
  return Done{};
}

Result<std::int64_t> cast_offset(const ComposedLayout& composed, std::int64_t n, Cast direction) {
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
  return direction == Cast::up ? offset / std::max<std::int64_t>(n, 1) : scaled;
}

// Every part and every offset, as in CuTe; an identity swizzle stays here. `proven`: no bit is lost.
Result<ComposedLayout> cast_chain(const ComposedLayout& composed, std::int64_t n, Cast direction, bool& proven) {
  if (!inner_layout(composed) || !composed.offset.is_int()) {
    return Error{ErrorCode::not_representable, fmt::format("only what ends in a layout can be cast, not {}", to_string(composed)), {}, {}};
  }
  TESSERA_TRY(offset, cast_offset(composed, n, direction));
  ComposedLayout made;
  made.offset = offset;
  if (const auto* swizzle = std::get_if<Swizzle>(&composed.outer)) {
    TESSERA_TRY(outer, cast(*swizzle, n, direction));
    made.outer = outer;
    proven = proven && !(direction == Cast::up && reads_below(*swizzle, n));
  } else {
    TESSERA_TRY(outer, cast(std::get<Layout>(composed.outer), n, direction, Law::as_cute));
    made.outer = std::move(outer);
    proven = false;
  }
  if (const auto* rest = std::get_if<Nested>(&composed.inner)) {
    TESSERA_TRY(inner, cast_chain(**rest, n, direction, proven));
    made.inner = Nested(std::move(inner));
    proven = false;  // a swizzle may carry bits from an element's inside to where the next one reads them
  } else {
    TESSERA_TRY(inner, cast(std::get<Layout>(composed.inner), n, direction, Law::proving(proven)));
    made.inner = std::move(inner);
  }
  return made;
}

Result<AnyLayout> cast_all(const AnyLayout& any, std::int64_t n, Cast direction, Law law) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, cast(*plain, n, direction, law));
    return AnyLayout(std::move(result));
  }
  bool proven = true;
  TESSERA_TRY(made, cast_chain(std::get<ComposedLayout>(any), n, direction, proven));
  TESSERA_CHECK(check_range(made));
  const bool up = direction == Cast::up;
  TESSERA_CHECK(law.hold(proven, [&] { return check_cast(any, made, up ? 1 : n, up ? n : 1); }));
  return AnyLayout(std::move(made));
}

}  // namespace

Result<AnyLayout> upcast(const AnyLayout& layout, std::int64_t n, Law law) { return cast_all(layout, n, Cast::up, law); }
Result<AnyLayout> downcast(const AnyLayout& layout, std::int64_t n, Law law) { return cast_all(layout, n, Cast::down, law); }
Result<AnyLayout> recast_layout(const AnyLayout& layout, std::int64_t old_bits, std::int64_t new_bits, Law law) {
  if (const auto* plain = std::get_if<Layout>(&layout)) {
    TESSERA_TRY(result, recast_layout(*plain, old_bits, new_bits, law));
    return AnyLayout(std::move(result));
  }
  TESSERA_TRY(ratio, ratio_of(old_bits, new_bits));
  if (ratio.up == 1 && ratio.down == 1) return layout;
  if (ratio.up == 1) return downcast(layout, ratio.down, law);
  if (ratio.down == 1) return upcast(layout, ratio.up, law);
  bool proven = true;
  TESSERA_TRY(coarse, upcast(layout, ratio.up, Law::proving(proven)));
  TESSERA_TRY(made, downcast(coarse, ratio.down, Law::proving(proven)));
  TESSERA_CHECK(law.hold(proven, [&] { return check_same_bits(layout, made, ratio.down, ratio.up); }));
  return made;
}

}  // namespace tessera
