// SPDX-License-Identifier: BSD-3-Clause
// Operations that move a swizzle onto other bits: composition with a layout, inverses, products, casts.
#include <bit>
#include <numeric>

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

// result(i) == a(b(i)) for all i of its domain.
template <class B>
Status check_moved(const Layout& a, const B& b, const AnyLayout& made) {
  const AnyLayout walked = shortest(made);
  const auto inner = [&](std::int64_t i) {
    if constexpr (std::is_same_v<B, Swizzle>)
      return b(i);
    else
      return evaluate(b, i);
  };
  const auto i = first_broken(size(made), [&](std::int64_t n) { return evaluate(walked, n) == a(inner(n)); });
  if (!i) return Done{};
  return Error{ErrorCode::breaks_law,
               fmt::format("composition({}, {}) is not {}: at {} that layout gives {}, but A({}) = {}", to_string(a), to_string(b),
                           to_string(made), to_string(idx2crd(*i, shape(made))), evaluate(made, *i), inner(*i), a(inner(*i))),
               {},
               {"CuTe moves the swizzle to the left by its masks alone"}};
}

// The swizzle of b on the bits where a has b's.
Result<Swizzle> moved_swizzle(const Layout& a, const Swizzle& b) {
  if (a.has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} goes to coordinates, so no swizzle can follow it", to_string(a)), {}, {}};
  return make_swizzle(a(b.y_mask()), a(b.z_mask()));
}

}  // namespace

Result<AnyLayout> composition(const Layout& a, const Swizzle& b, Law law) {
  TESSERA_TRY(moved, moved_swizzle(a, b));
  AnyLayout made = composition(moved, 0, a);
  TESSERA_CHECK(law.hold(b.is_identity(), [&] { return check_moved(a, b, made); }));
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
  TESSERA_TRY(moved, moved_swizzle(a, *swizzle));
  bool proven = true;
  TESSERA_TRY(made, composition(composition(moved, 0, a), Tiler(*inner), Law::proving(proven)));
  TESSERA_CHECK(law.hold(proven && swizzle->is_identity(), [&] { return check_moved(a, b, made); }));
  return made;
}

namespace {

using Inverse = Result<Layout> (*)(const Layout&);

enum class Side { right, left };

// right: L(R(i)) == i for all i < size(R). left: L(R(L(i))) == L(i) for all i < size(L).
Status check_inverse(const AnyLayout& layout, const AnyLayout& made, Side side) {
  const bool right = side == Side::right;
  const auto there = [&](std::int64_t i) { return right ? i : evaluate(layout, i); };
  const auto back = [&](std::int64_t i) { return evaluate(layout, evaluate(made, there(i))); };
  const auto i = first_broken(right ? size(made) : size(layout), [&](std::int64_t n) { return back(n) == there(n); });
  if (!i) return Done{};
  const std::int64_t index = there(*i);
  return Error{
      ErrorCode::breaks_law,
      fmt::format("{}_inverse of {} is {}, but L(R({})) = L({}) = {}{}", right ? "right" : "left", to_string(layout), to_string(made),
                  index, evaluate(made, index), back(*i), right ? "" : fmt::format(", and {} is L({})", index, *i)),
      {},
      {"CuTe inverts the layout part and moves the swizzle by its masks alone"}};
}

// A left inverse may keep its law and yet lead beyond the domain, where L runs on.
std::optional<Error> leaves_domain(const AnyLayout& layout, const AnyLayout& made) {
  const auto i = first_broken(size(layout), [&](std::int64_t n) {
    const std::int64_t coordinate = evaluate(made, evaluate(layout, n));
    return coordinate >= 0 && coordinate < size(layout);
  });
  if (!i) return std::nullopt;
  const std::int64_t index = evaluate(layout, *i);
  return Error{ErrorCode::not_injective,
               fmt::format("left_inverse of {} is {}, but R(L({})) = R({}) = {}, which is no coordinate below {}", to_string(layout),
                           to_string(made), *i, index, evaluate(made, index), size(layout)),
               {},
               {"a left inverse needs a layout in which no two coordinates meet"}};
}

// (Sw o 0 o L)^-1 = L^-1 o Sw, whose swizzle CuTe moves to the left; with an offset, L^-1 o -offset o Sw.
Result<AnyLayout> inverse_of(const AnyLayout& any, Inverse inverse, Side side, Law law) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, inverse(*plain));
    AnyLayout made = std::move(result);
    if (side == Side::left) law.remark([&] { return leaves_domain(any, made); });
    return made;
  }
  const auto& composed = std::get<ComposedLayout>(any);
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  const Layout* inner = inner_layout(composed);
  if (!swizzle || !inner || !composed.offset.is_int()) {
    return Error{
        ErrorCode::not_representable,
        fmt::format("{}_inverse is for a swizzle before a layout, not for {}", side == Side::right ? "right" : "left", to_string(composed)),
        {},
        {}};
  }
  TESSERA_TRY(inverted, inverse(*inner));
  AnyLayout made;
  if (composed.offset == IntTuple(0)) {
    TESSERA_TRY(swizzled, composition(inverted, *swizzle));
    made = std::move(swizzled);
  } else {
    ComposedLayout shifted{std::move(inverted), -composed.offset.value(), *swizzle};
    TESSERA_CHECK(check_range(shifted));
    made = std::move(shifted);
  }
  TESSERA_CHECK(law.hold(false, [&] { return check_inverse(any, made, side); }));
  if (side == Side::left) law.remark([&] { return leaves_domain(any, made); });
  return made;
}

}  // namespace

Result<AnyLayout> right_inverse(const AnyLayout& layout, Law law) { return inverse_of(layout, right_inverse, Side::right, law); }
Result<AnyLayout> left_inverse(const AnyLayout& layout, Law law) { return inverse_of(layout, left_inverse, Side::left, law); }

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
  const Layout* inner = inner_layout(tiler);
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

Result<AnyLayout> cast_all(const AnyLayout& any, std::int64_t n, Cast direction, Law law) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, cast(*plain, n, direction, law));
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
  bool proven = true;
  TESSERA_TRY(cast_layout, cast(*inner, n, direction, Law::proving(proven)));
  if (direction == Cast::up) scaled = offset / n;
  ComposedLayout made{cast_swizzle, scaled, std::move(cast_layout)};  // an identity swizzle stays here, as in CuTe
  TESSERA_CHECK(check_range(made));
  const bool up = direction == Cast::up;
  proven = proven && !(up && reads_below(*swizzle, n));
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
