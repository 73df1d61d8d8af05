// SPDX-License-Identifier: BSD-3-Clause
// Composition where one side is a swizzle or a chain.
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"

namespace tessera {

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
  auto moved = moved_swizzle(a, b);
  if (!moved)
    return std::move(moved).error().note(
        fmt::format("make_composed_layout({}, 0, {}) keeps the two beside each other", to_string(a), to_string(b)));
  AnyLayout made = composition(*moved, 0, a);
  TESSERA_CHECK(law.hold(b.is_identity(), [&] { return check_moved(a, b, made); }));
  return made;
}

Result<AnyLayout> composition(const AnyLayout& a, const Swizzle& b, Law law) {
  if (const auto* plain = std::get_if<Layout>(&a)) return composition(*plain, b, law);
  const auto& composed = std::get<ComposedLayout>(a);
  const Layout* last = inner_layout(composed);
  if (!last) {
    TESSERA_TRY(chain, make_composed_layout(composed, 0, b));
    return simplify(chain);
  }
  TESSERA_TRY(swizzled, composition(*last, b, law));
  TESSERA_TRY(made, with_last_part(composed, to_part(std::move(swizzled))));
  return simplify(made);
}

Result<AnyLayout> composition(const Swizzle& a, const AnyLayout& b) {
  if (const auto* plain = std::get_if<Layout>(&b)) {
    if (plain->has_basis())
      return Error{ErrorCode::wrong_type, "a swizzle acts on integers, but this layout has basis strides: " + to_string(*plain), {}, {}};
    return composition(a, 0, *plain);
  }
  if (a.is_identity()) return b;
  TESSERA_TRY(made, make_composed_layout(a, 0, std::get<ComposedLayout>(b)));
  return AnyLayout(std::move(made));
}

namespace {

// CuTe's (a o A) o L of b = A o 0 o L, where that is a(b(i)). An error otherwise, for a longer chain too.
Result<AnyLayout> associated(const Layout& a, const ComposedLayout& b) {
  const auto* inner = std::get_if<Layout>(&b.inner);
  if (!inner || b.offset != IntTuple(0)) {
    return Error{ErrorCode::not_representable, fmt::format("composition({}, {}): Require offset == 0", to_string(a), to_string(b)), {}, {}};
  }
  AnyLayout before;
  if (const auto* swizzle = std::get_if<Swizzle>(&b.outer)) {
    TESSERA_TRY(moved, moved_swizzle(a, *swizzle));
    before = composition(moved, 0, a);
  } else {
    TESSERA_TRY(both, composition_unchecked(a, std::get<Layout>(b.outer)));
    before = std::move(both);
  }
  TESSERA_TRY(rest, composition_unchecked(layout_part(before), *inner));
  AnyLayout made = with_plain_part(before, std::move(rest));
  TESSERA_CHECK(check_moved(a, b, made));
  return made;
}

}  // namespace

Result<AnyLayout> composition(const Layout& a, const ComposedLayout& b, Law law) {
  if (a.has_basis())
    return Error{ErrorCode::wrong_type, fmt::format("{} goes to coordinates, so no swizzle can follow it", to_string(a)), {}, {}};
  TESSERA_TRY(chain, make_composed_layout(a, 0, b));
  Result<AnyLayout> made = associated(a, b);
  if (made) return made;
  law.remark([&]() -> std::optional<Error> {
    if (parts(b) > 2) return std::nullopt;
    return Error{ErrorCode::not_representable,
                 fmt::format("CuTe's formula has no layout of A(B(c)) here, and the two stay beside each other: {}", made.error().message),
                 {},
                 {"in a kernel, make_composed_layout(A, 0, B) is this function"}};
  });
  return AnyLayout(std::move(chain));
}

Result<AnyLayout> composition(const AnyLayout& a, const AnyLayout& b, Law law) {
  const auto* plain = std::get_if<Layout>(&a);
  const auto* right = std::get_if<Layout>(&b);
  if (plain && right) {
    TESSERA_TRY(made, composition(*plain, *right));
    return AnyLayout(std::move(made));
  }
  if (plain) return composition(*plain, std::get<ComposedLayout>(b), law);
  const auto& composed = std::get<ComposedLayout>(a);
  const ComposedLayout& end = last_pair(composed);
  AnyLayout last;
  if (const auto* swizzle = std::get_if<Swizzle>(&end.inner)) {
    TESSERA_TRY(made, composition(*swizzle, b));
    last = std::move(made);
  } else if (right) {
    TESSERA_TRY(made, composition(std::get<Layout>(end.inner), Tiler(*right), law));
    last = std::move(made);
  } else {
    TESSERA_TRY(made, composition(std::get<Layout>(end.inner), std::get<ComposedLayout>(b), law));
    last = std::move(made);
  }
  TESSERA_TRY(made, with_last_part(composed, to_part(std::move(last))));
  return simplify(made);
}

}  // namespace tessera
