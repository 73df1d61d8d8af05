// SPDX-License-Identifier: BSD-3-Clause
// complement: the layout that fills what another leaves out.
//
// Why the result needs no check afterwards: the modes of L, sorted by stride, are accepted only when each stride d is at least
// `last`, the reach so far. A new mode takes floor(d / last) steps of `last`, so it ends at or below d. Every index that L and
// the result form together therefore has one digit string: the sum is injective, whether or not d is a multiple of `last`.
#include <fmt/format.h>

#include "core/base/checked.hpp"
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

Status check_filtered(const Layout& layout, const FlatModes& modes) {
  for (const FlatMode& m : modes) {
    if (m.path.length != 0) {
      return Error{
          ErrorCode::wrong_type, fmt::format("complement needs integer strides, but {} goes to coordinates", to_string(layout)), {}, {}};
    }
    if (m.stride < 0) {
      return Error{
          ErrorCode::not_representable,
          fmt::format("complement of {}: the stride {} is negative, and a complement counts upwards from 0", to_string(layout), m.stride),
          {},
          {}};
    }
  }
  return Done{};
}

}  // namespace

Status complement_modes(const Layout& layout, const FlatModes& cotarget, FlatModes& result) {
  FlatModes modes = flat_modes(layout);
  for (FlatMode& m : modes) {
    if (m.stride == 0) m.shape = 1;
  }
  coalesce_in_place(modes, false);
  std::int64_t last = 1;
  if (modes.size() != 1 || modes[0].stride != 0) {  // otherwise L is constant: everything is left out
    TESSERA_CHECK(check_filtered(layout, modes));
    for (std::size_t left = modes.size(); left > 0; --left) {
      std::size_t smallest = 0;  // the first one on ties
      for (std::size_t i = 1; i < left; ++i) {
        if (modes[i].stride < modes[smallest].stride) smallest = i;
      }
      const FlatMode mode = modes[smallest];
      if (mode.stride < last) return overlap(layout, mode, last);
      result.push_back({quotient(mode.stride, last), last, {}});
      if (__builtin_mul_overflow(mode.stride, mode.shape, &last) || last > kLargestIndex) {
        return Error{ErrorCode::overflow, fmt::format("complement of {}: the reach of a mode is beyond 2^62", to_string(layout)), {}, {}};
      }
      for (std::size_t i = smallest; i + 1 < left; ++i) modes[i] = modes[i + 1];
    }
  }
  // ceil(M / last) with M a tree: the fold that ceil_div makes over the modes, not the quotient of the product.
  std::int64_t rest = 1, divisor = last;
  for (const FlatMode& m : cotarget) {
    rest *= quotient(m.shape + divisor - 1, divisor);
    if (&m != &cotarget.back()) divisor = quotient(divisor + m.shape - 1, m.shape);
  }
  result.push_back({rest, last, {}});
  coalesce_in_place(result, false);
  return Done{};
}

Result<Layout> complement(const Layout& layout, const Shape& cotarget) {
  TESSERA_CHECK(checked_size(cotarget));
  FlatModes extents;
  append_flat_modes(cotarget, cotarget, extents);
  FlatModes modes;
  TESSERA_CHECK(complement_modes(layout, extents, modes));
  return to_checked_layout(modes);
}

Result<Layout> complement(const Layout& layout) { return complement(layout, Shape(filter(layout).cosize())); }

}  // namespace tessera
