// SPDX-License-Identifier: BSD-3-Clause
// right_inverse, left_inverse, nullspace, and the vectors that two layouts have in common.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

// The modes of coalesce(L) with `position` = the number of coordinate (0,..,1,..,0), sorted by stride.
struct PlacedMode {
  std::int64_t shape, stride, position;
  std::int64_t marks;  // of the mode, and from bit 8 on whether the position is dynamic
};
using PlacedModes = SmallVector<PlacedMode, 12>;

Status check_integers(std::string_view operation, const Layout& layout) {
  if (!layout.has_basis()) return Done{};
  return Error{
      ErrorCode::wrong_type, fmt::format("{} needs integer strides, but {} goes to coordinates", operation, to_string(layout)), {}, {}};
}

PlacedModes sorted_by_stride(const FlatModes& coalesced) {
  PlacedModes modes;
  std::int64_t position = 1;
  unsigned before = marks::kStatic;
  for (const FlatMode& m : coalesced) {
    modes.push_back({m.shape, m.stride, position, static_cast<std::int64_t>(m.mark() | before << 8)});
    position *= m.shape;
    before |= m.extent().mark() & marks::kDynamic;
  }
  sort_by_stride(modes, &PlacedMode::shape, &PlacedMode::position, &PlacedMode::marks);
  return modes;
}

// The path of a mode of an inverse, whose extent is made of `extent` and whose stride is the position that `marks` has.
BasisPath inverse_path(unsigned extent, std::int64_t marks, bool other) {
  return BasisPath{}.marked(((extent & marks::kDynamic) != 0 ? marks::kShapeDynamic : 0) | static_cast<unsigned>(marks >> 8) |
                            (other ? marks::kOtherForm : 0));
}
unsigned extent_mark(const PlacedMode& m) { return (m.marks & marks::kShapeDynamic) != 0 ? marks::kDynamic : marks::kStatic; }

}  // namespace

Result<Layout> right_inverse(const Layout& layout) {
  TESSERA_CHECK(check_integers("right_inverse", layout));
  FlatModes modes = flat_modes(layout);
  coalesce_in_place(modes, false);
  // The law holds by construction: mode k is kept when its stride is the product of the extents kept before it, so digit k of i
  // goes to coordinate digit k, whose value is digit * that product.
  FlatModes result;
  std::int64_t current = 1;
  bool known = true;   // CuTe follows what it knows of the strides when it compiles
  bool other = false;  // ... which ends before this does
  for (const PlacedMode& m : sorted_by_stride(modes)) {
    if (m.stride != current) continue;
    other = other || !known || (m.marks & (marks::kDynamic | marks::kOtherForm)) != 0;
    result.push_back({m.shape, m.position, inverse_path(extent_mark(m), m.marks, other)});
    known = known && extent_mark(m) == marks::kStatic;
    current *= m.shape;
  }
  if (result.empty()) return Layout();
  coalesce_in_place(result, false);
  return to_checked_layout(result);
}

namespace {

// L(R(L(i))) == L(i). Proven from the digits where no mode reaches into the next; else pointwise.
Status check_left_inverse(const Layout& layout, const PlacedModes& sorted, const Layout& result) {
  bool digits = true;
  const PlacedMode* before = nullptr;
  for (const PlacedMode& m : sorted) {
    if (m.stride == 0) continue;
    if (m.stride < 0) digits = false;
    if (before && before->stride * static_cast<__int128>(before->shape) > m.stride) digits = false;
    before = &m;
  }
  if (digits) return Done{};
  const std::int64_t n = layout.size();
  if (n > kPointwise) {
    return Error{
        ErrorCode::not_injective,
        fmt::format("left_inverse of {}: its modes overlap, and its {} coordinates are more than the {} that are checked one by one",
                    to_string(layout), n, kPointwise),
        {},
        {}};
  }
  const FlatModes modes = flat_modes(layout);  // not coalesced: R may lead beyond the domain, where the last mode counts
  const FlatModes inverse = flat_modes(result);
  for (std::int64_t i = 0; i < n; ++i) {
    const __int128 value = evaluate_flat(modes, i);
    const __int128 again = evaluate_flat(modes, evaluate_flat(inverse, value));
    if (again == value) continue;
    return Error{ErrorCode::breaks_law,
                 fmt::format("left_inverse of {} would be {}, but L({}) = {} and L(R({})) = {}", to_string(layout), to_string(result), i,
                             static_cast<std::int64_t>(value), static_cast<std::int64_t>(value), static_cast<std::int64_t>(again)),
                 {},
                 {"a left inverse needs an injective layout whose strides divide one another"}};
  }
  return Done{};
}

}  // namespace

Result<Layout> left_inverse(const Layout& layout) {
  TESSERA_CHECK(check_integers("left_inverse", layout));
  FlatModes modes = flat_modes(layout);
  coalesce_in_place(modes, false);
  const PlacedModes sorted = sorted_by_stride(modes);
  FlatModes result;
  std::int64_t so_far = 1, stride = 0, last_shape = 1, stride_marks = 0;
  unsigned before = marks::kStatic, last_extent = marks::kStatic;
  bool other = false;
  for (const PlacedMode& m : sorted) {
    if (m.stride == 0) continue;
    if (m.stride < 0) {
      return Error{
          ErrorCode::not_representable, fmt::format("left_inverse of {}: the stride {} is negative", to_string(layout), m.stride), {}, {}};
    }
    if (m.stride % so_far != 0) {
      return Error{ErrorCode::not_divisible,
                   fmt::format("Left inverse divisibility condition: in {} the stride {} is no multiple of {}, the next smaller one",
                               to_string(layout), m.stride, so_far),
                   {},
                   {}};
    }
    const auto now = static_cast<unsigned>(m.marks) & marks::kDynamic;
    other = other || now != 0;  // CuTe takes static strides only
    result.push_back({m.stride / so_far, stride, inverse_path(before | now, stride_marks, other)});
    so_far = m.stride;
    stride = m.position;
    stride_marks = m.marks;
    last_shape = m.shape;
    last_extent = extent_mark(m);
    before = now;
  }
  if (result.empty()) return to_layout(modes);  // L is constant, and so is its inverse
  result.push_back({last_shape, stride, inverse_path(last_extent, stride_marks, other)});
  coalesce_in_place(result, false);
  TESSERA_TRY(inverse, to_checked_layout(result));
  TESSERA_CHECK(check_left_inverse(layout, sorted, inverse));
  return inverse;
}

Layout nullspace(const Layout& layout) {
  FlatModes result;
  std::int64_t position = 1;
  unsigned before = marks::kStatic;
  for (const FlatMode& m : flat_modes(layout)) {
    if (m.stride == 0) result.push_back({m.shape, m.shape == 1 ? 0 : position, inverse_path(m.extent().mark(), before << 8, false)});
    position *= m.shape;
    before |= m.extent().mark() & marks::kDynamic;
  }
  return to_layout(result);
}

namespace {

// The contiguous part that a and b share: coalesce(a o right_inverse(b)), when it starts with stride 1.
struct Common {
  Layout inverse_of_b;
  Layout first;  // 1:0 when nothing is shared
};

Result<Common> common_part(const Layout& a, const Layout& b) {
  TESSERA_TRY(inverse, right_inverse(b));
  TESSERA_TRY(composed, composition_unchecked(a, inverse));  // only its first, contiguous mode is used
  const Layout first = coalesce(composed)[0];
  if (first.stride() != IntTuple(1)) return Common{std::move(inverse), Layout()};
  // Law: a(right_inverse(b)(n)) == n for all n of the common part.
  if (first.size() > kPointwise) {  // a checked composition proves it
    const Layout part = Layout::trusted(first.size(), 1);
    TESSERA_TRY(of_b, composition(inverse, part));
    TESSERA_TRY(whole, composition(a, of_b));
    if (coalesce(whole) == part) return Common{std::move(inverse), first};
  }
  for (std::int64_t n = 0; n < std::min(first.size(), kPointwise); ++n) {
    if (a(inverse(n)) == n) continue;
    return Error{ErrorCode::breaks_law,
                 fmt::format("{} and {} would have {} elements in common, but element {} of the second is element {} of the first",
                             to_string(a), to_string(b), first.size(), n, a(inverse(n))),
                 {},
                 {}};
  }
  return Common{std::move(inverse), first};
}

}  // namespace

Result<std::int64_t> max_common_vector(const Layout& a, const Layout& b) {
  TESSERA_TRY(common, common_part(a, b));
  return common.first.size();
}

Result<Layout> max_common_layout(const Layout& a, const Layout& b) {
  TESSERA_TRY(common, common_part(a, b));
  if (common.first == Layout()) return Layout();
  return composition(common.inverse_of_b, common.first);
}

}  // namespace tessera
