// SPDX-License-Identifier: BSD-3-Clause
// complement: the layout that fills what another leaves out.
//
// Why the result needs no check afterwards: the modes of L, sorted by stride, are accepted only when each stride d is at least
// `last`, the reach so far. A new mode takes floor(d / last) steps of `last`, so it ends at or below d. Every index that L and
// the result form together therefore has one digit string: the sum is injective, whether or not d is a multiple of `last`.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/base/selector.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

Error overlap(const Layout& layout, const FlatMode& mode, std::int64_t last) {
  return Error{
      ErrorCode::not_injective,
      fmt::format("Non-injective Layout detected in complement: in {} the mode {}:{} starts below {}, which the modes of smaller stride "
                  "reach already, so two coordinates meet",
                  to_string(layout), mode.shape, mode.stride, last),
      {},
      {}};
}

Error not_countable(const Layout& layout, const FlatModes& modes) {
  for (const FlatMode& m : modes) {
    if (m.path.length == 0) continue;
    return Error{
        ErrorCode::wrong_type, fmt::format("complement needs integer strides, but {} goes to coordinates", to_string(layout)), {}, {}};
  }
  return Error{
      ErrorCode::not_representable,
      fmt::format(
          "complement of {}: the stride {} is negative, and a complement counts upwards from 0", to_string(layout),
          std::min_element(modes.begin(), modes.end(), [](const FlatMode& a, const FlatMode& b) { return a.stride < b.stride; })->stride),
      {},
      {}};
}

Error too_far(const Layout& layout) {
  return Error{ErrorCode::overflow, fmt::format("complement of {}: the reach of a mode is beyond 2^62", to_string(layout)), {}, {}};
}

// The path of a mode that is made here, with the marks of its extent and of its stride `last`.
BasisPath gap_path(unsigned extent, unsigned last) {
  return BasisPath{}.marked((extent != 0 ? marks::kShapeDynamic : 0) | (last & (marks::kDynamic | marks::kOtherForm)));
}

// sort_by_stride, which takes numbers along: the marks are those of the mode with this stride and extent.
void sort_marked(FlatModes& modes) {
  std::stable_sort(modes.begin(), modes.end(), [](const FlatMode& a, const FlatMode& b) { return a.stride < b.stride; });
}

}  // namespace

Status complement_modes(const Layout& layout, const FlatModes& cotarget, FlatModes& result, Cover& cover) {
  // CuTe filters L first. Its coalescing would change nothing here: where two modes merge, the second starts where the first ends.
  FlatModes modes = flat_modes(layout);
  bool countable = true;
  unsigned left_out = marks::kStatic;
  std::size_t count = 0;  // counts by values, not by branches: which modes are left out is as random as the layout
  for (const FlatMode m : modes) {
    const bool counts = (m.shape != 1) & (m.stride != 0);
    countable &= (!counts) | ((m.path.length == 0) & (m.stride > 0));
    left_out |= counts ? 0u : m.mark();
    modes[count] = m;
    count += counts;
  }
  modes.shrink(modes.size() - count);
  if (!countable) return not_countable(layout, modes);
  bool any_mark = false;
  for (const FlatMode& m : modes) any_mark |= m.mark() != 0;
  if (any_mark)
    sort_marked(modes);
  else
    sort_by_stride(modes, &FlatMode::shape);
  // What lies below the next mode of L, smallest first. None merges with the one before: it would have to end where that mode starts.
  FlatMode* const out = result.extend(count + 1);
  unsigned reach = left_out != 0 ? marks::kOtherForm : marks::kStatic;  // the marks of `last`; CuTe leaves out what it knows
  std::size_t place = 0;
  std::int64_t last = 1;
  for (const FlatMode& mode : modes) {
    if (mode.stride < last) return overlap(layout, mode, last);
    const std::int64_t steps = quotient(mode.stride, last);
    const unsigned known = (mode.mark() | reach) & marks::kDynamic;
    out[place] = {steps, last, gap_path(known, reach)};
    place += steps != 1;
    if (known != 0 && steps == 1) reach |= marks::kOtherForm;  // CuTe keeps an extent that only turns out to be 1
    reach |= mode.mark() | ((mode.mark() & marks::kShapeDynamic) != 0 ? marks::kDynamic : 0);
    const std::int64_t filled = steps * last;
    cover.first_gap = Selector((filled != mode.stride) & (cover.first_gap < 0))(filled, cover.first_gap);
    if (__builtin_mul_overflow(mode.stride, mode.shape, &last) || last > kLargestIndex) return too_far(layout);
  }
  // ceil(M / last) with M a tree: the fold that ceil_div makes over the modes, not the quotient of the product.
  std::int64_t rest = 1, divisor = last;
  for (const FlatMode& m : cotarget) {
    rest *= quotient(m.shape + divisor - 1, divisor);
    if (&m != &cotarget.back()) divisor = quotient(divisor + m.shape - 1, m.shape);
  }
  unsigned target = marks::kStatic;
  for (const FlatMode& m : cotarget) target |= m.extent().mark();
  const unsigned known = (target | reach) & marks::kDynamic;
  out[place] = {rest, last, gap_path(known, reach | (target & marks::kOtherForm))};
  place += rest != 1;
  if (known != 0 && rest == 1) {  // CuTe keeps it
    reach |= marks::kOtherForm;
    for (std::size_t i = 0; i < place; ++i) out[i].path.mark |= marks::kOtherForm;
  }
  cover.reach = static_cast<__int128>(rest) * last;
  if (place == 0) out[place++] = {1, 0, gap_path(known, (reach & marks::kOtherForm))};
  result.shrink(count + 1 - place);
  return Done{};
}

namespace {

// Where the complement ends beyond its cotarget, or with its layout before it.
std::optional<Error> out_of_bound(const Layout& layout, const Layout& made, const Shape& cotarget) {
  const std::int64_t wanted = size(cotarget);
  const __int128 both = static_cast<__int128>(layout.cosize()) + made.cosize() - 1;
  const std::string call = fmt::format("complement({}, {}) is {}", to_string(layout), to_string(cotarget), to_string(made));
  const std::string note = cotarget.is_tuple() ? "CuTe counts the repetitions mode by mode of the cotarget, rounding up each time"
                                               : "CuTe fills what lies between the layout's strides, and then whole repetitions of it";
  if (made.cosize() > wanted) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("{}: at its last coordinate {} it gives {}, which the cotarget of {} does not have", call,
                             to_string(idx2crd(made.size() - 1, made.shape())), made.cosize() - 1, wanted),
                 {},
                 {note}};
  }
  if (both < wanted && cotarget.is_tuple()) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("{}: with it the layout ends at {}, and the cotarget has {} indices: {} is the first that is left out", call,
                             static_cast<std::int64_t>(both - 1), wanted, static_cast<std::int64_t>(both)),
                 {},
                 {note}};
  }
  return std::nullopt;
}

// An index below the bound that the two side by side leave out, since a stride of the layout is no multiple of what lies below it.
std::optional<Error> gap(const Layout& layout, const Layout& made, const Shape& cotarget, std::int64_t first) {
  if (first < 0 || first >= size(cotarget)) return std::nullopt;
  return Error{
      ErrorCode::not_divisible,
      fmt::format("complement({}, {}) is {}: with it the layout leaves out {}, since a stride of the layout is no multiple of what "
                  "its smaller strides and the complement reach",
                  to_string(layout), to_string(cotarget), to_string(made), first),
      {},
      {"CuTe divides the strides and drops the remainder without a word"}};
}

}  // namespace

Result<Layout> complement(const Layout& layout, const Shape& cotarget, Law law) {
  TESSERA_CHECK(checked_size(cotarget));
  FlatModes extents;
  append_flat_modes(cotarget, cotarget, extents);
  FlatModes modes;
  Cover cover;
  TESSERA_CHECK(complement_modes(layout, extents, modes, cover));
  TESSERA_TRY(made, to_checked_layout(modes));
  law.remark([&] {
    std::optional<Error> found = out_of_bound(layout, made, cotarget);
    return found ? found : gap(layout, made, cotarget, cover.first_gap);
  });
  return made;
}

Result<Layout> complement(const Layout& layout) { return complement(layout, Shape(filter(layout).cosize())); }

}  // namespace tessera
