// SPDX-License-Identifier: BSD-3-Clause
// Inverses of swizzled and composed layouts, and what two of them have in common.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"

namespace tessera {

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

// (A o p o B o q o C)^-1 = C^-1 o -q o B^-1 o -p o A^-1, where a swizzle undoes itself.
class TurnedRound {
 public:
  explicit TurnedRound(Inverse inverse) : inverse_(inverse) {}

  Result<ComposedLayout> operator()(const ComposedLayout& chain) {
    TESSERA_CHECK(check_range(chain));
    TESSERA_CHECK(std::visit(*this, chain.outer));
    TESSERA_CHECK(append(chain));
    TESSERA_CHECK(check_range(made_));
    return std::move(made_);
  }

  Status operator()(const Swizzle& swizzle) { return begin_with(swizzle); }
  Status operator()(const Layout& layout) {
    TESSERA_TRY(inverted, inverse_(layout));
    return begin_with(std::move(inverted));
  }

 private:
  // The next part, to stand before what there is.
  Status begin_with(std::variant<Swizzle, Layout> part) {
    if (!offset_) {
      behind_ = std::visit([](auto& p) { return decltype(behind_)(std::move(p)); }, part);
      return Done{};
    }
    made_ = ComposedLayout{std::move(part), -*offset_, std::move(behind_)};
    behind_ = Nested(made_);
    return Done{};
  }

  Status append(const ComposedLayout& pair) {
    offset_ = pair.offset.value();
    const auto* rest = std::get_if<Nested>(&pair.inner);
    if (!rest) return std::visit(*this, last_of(pair));
    TESSERA_CHECK(std::visit(*this, (*rest)->outer));
    return append(**rest);
  }

  static std::variant<Swizzle, Layout> last_of(const ComposedLayout& pair) {
    if (const auto* swizzle = std::get_if<Swizzle>(&pair.inner)) return *swizzle;
    return std::get<Layout>(pair.inner);
  }

  Inverse inverse_;
  std::optional<std::int64_t> offset_;      // before the part that comes next; none before the first
  decltype(ComposedLayout::inner) behind_;  // the parts that are turned round
  ComposedLayout made_;                     // the same, from the second part on
};

// CuTe's (Sw o 0 o L)^-1 = L^-1 o Sw, whose swizzle it moves to the left; otherwise the chain turned round.
Result<AnyLayout> inverse_of(const AnyLayout& any, Inverse inverse, Side side, Law law) {
  if (const auto* plain = std::get_if<Layout>(&any)) {
    TESSERA_TRY(result, inverse(*plain));
    AnyLayout made = std::move(result);
    if (side == Side::left) law.remark([&] { return leaves_domain(any, made); });
    return made;
  }
  const auto& composed = std::get<ComposedLayout>(any);
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  const auto* inner = std::get_if<Layout>(&composed.inner);
  AnyLayout made;
  if (swizzle && inner && composed.offset == IntTuple(0)) {
    TESSERA_TRY(inverted, inverse(*inner));
    TESSERA_TRY(swizzled, composition(inverted, *swizzle));
    made = std::move(swizzled);
  } else {
    TESSERA_TRY(turned, TurnedRound(inverse)(composed));
    made = simplify(turned);
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

const Swizzle* first_swizzle(const AnyLayout& layout) {
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  return composed ? std::get_if<Swizzle>(&composed->outer) : nullptr;
}

std::int64_t untouched(const Swizzle& swizzle) { return std::int64_t{1} << swizzle.base(); }  // 2^M elements stay together

// What undoes a layout, also where CuTe finds no swizzle for it on the left.
Result<AnyLayout> undoing(const AnyLayout& layout) {
  Result<AnyLayout> made = right_inverse(layout);
  const auto* composed = std::get_if<ComposedLayout>(&layout);
  if (made || !composed) return made;
  TESSERA_TRY(turned, TurnedRound(right_inverse)(*composed));
  return AnyLayout(std::move(turned));
}

// The n for which a(R(i)) == i == b(R(i)) for all i < n, R = right_inverse(b); at least 1, as CuTe counts.
Result<std::int64_t> counted_in_common(const AnyLayout& a, const AnyLayout& b) {
  TESSERA_TRY(undo, undoing(b));
  const auto common = [&](std::int64_t i) {
    const std::int64_t coordinate = evaluate(undo, i);
    return evaluate(a, coordinate) == i && evaluate(b, coordinate) == i;
  };
  const std::int64_t n = size(undo);
  return std::max<std::int64_t>(first_broken(n, common).value_or(n), 1);
}

}  // namespace

Result<std::int64_t> max_common_vector(const AnyLayout& a, const AnyLayout& b) {
  if (!is_composed(a) && !is_composed(b)) return max_common_vector(std::get<Layout>(a), std::get<Layout>(b));
  const Swizzle *swizzle_a = first_swizzle(a), *swizzle_b = first_swizzle(b);
  if (!swizzle_a && !swizzle_b) return counted_in_common(a, b);
  TESSERA_TRY(vector, max_common_vector(swizzle_a ? get_nonswizzle(a) : a, swizzle_b ? get_nonswizzle(b) : b));
  if (swizzle_a && swizzle_b && *swizzle_a == *swizzle_b) return vector;
  if (swizzle_a) vector = std::min(vector, untouched(*swizzle_a));
  if (swizzle_b) vector = std::min(vector, untouched(*swizzle_b));
  return vector;
}

Result<AnyLayout> max_common_layout(const AnyLayout& a, const AnyLayout& b) {
  const auto *plain_a = std::get_if<Layout>(&a), *plain_b = std::get_if<Layout>(&b);
  if (plain_b) {
    const Swizzle* swizzle = first_swizzle(a);
    const AnyLayout of_a = swizzle ? get_nonswizzle(a) : a;
    if (const auto* plain = std::get_if<Layout>(&of_a)) {
      TESSERA_TRY(common, max_common_layout(*plain, *plain_b));
      if (!swizzle || untouched(*swizzle) >= common.size()) return AnyLayout(std::move(common));
      return composition(AnyLayout(std::move(common)), Tiler(untouched(*swizzle)));
    }
  } else if (plain_a) {
    return max_common_layout(b, a);  // CuTe puts the swizzled one first
  }
  TESSERA_TRY(vector, max_common_vector(a, b));
  if (vector == 1) return AnyLayout(Layout());
  TESSERA_TRY(undo, undoing(b));
  TESSERA_TRY(common, composition(undo, AnyLayout(Layout::trusted(vector, 1))));
  return coalesce(common);
}

Result<std::int64_t> max_alignment(const AnyLayout& layout) {
  if (const auto* plain = std::get_if<Layout>(&layout)) return max_alignment(*plain);
  const auto& composed = std::get<ComposedLayout>(layout);
  const auto* swizzle = std::get_if<Swizzle>(&composed.outer);
  if (!swizzle) return std::int64_t{1};  // CuTe does not attempt it
  const std::int64_t aligned = std::gcd(untouched(*swizzle), composed.offset.value());
  if (const auto* inner = std::get_if<Swizzle>(&composed.inner)) return std::gcd(aligned, untouched(*inner));
  TESSERA_TRY(behind, max_alignment(get_nonswizzle(layout)));
  return std::gcd(aligned, behind);
}

}  // namespace tessera
