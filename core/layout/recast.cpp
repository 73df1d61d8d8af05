// SPDX-License-Identifier: BSD-3-Clause
// upcast, downcast, recast: the same memory counted in elements of another width.
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/flat_modes.hpp"
#include "core/layout/recast_law.hpp"

namespace tessera {

namespace {

Status check_factor(std::string_view operation, std::int64_t n) {
  if (n >= 1 && n <= kLargestIndex) return Done{};
  return Error{ErrorCode::bad_extent, fmt::format("{}: the factor is at least 1, but it is {}", operation, n), {}, {}};
}

Result<Layout> rebuilt(const Layout& layout, const FlatModes& modes) {
  std::vector<IntTuple> shapes, strides;
  for (const FlatMode& m : modes) {
    shapes.push_back(m.extent());
    strides.push_back(m.step());
  }
  return Layout::make(with_profile(shapes, layout.shape()), with_profile(strides, layout.shape()));
}

Status check_integers(std::string_view operation, const Layout& layout) {
  if (!layout.has_basis()) return Done{};
  return Error{
      ErrorCode::wrong_type, fmt::format("{} needs integer strides, but {} goes to coordinates", operation, to_string(layout)), {}, {}};
}

// upcast keeps every bit where the modes that step inside a wide element fill whole ones: compact from 1, and a multiple of n.
bool fills_wide_elements(FlatModes modes, std::int64_t n) {
  sort_by_stride(modes, &FlatMode::shape);
  __int128 filled = 1;
  for (const FlatMode& m : modes) {
    if (m.stride == 0 || m.shape == 1) continue;
    if (m.stride % n == 0) continue;
    if (m.stride != filled) return false;
    filled *= m.shape;
  }
  return filled % n == 0;
}

// Does CuTe not know the stride when it compiles?
bool is_dynamic_step(const FlatMode& m) { return (m.mark() & marks::kDynamic) != 0; }

// downcast keeps every bit where one mode alone walks neighbours, upwards.
bool splits_one_mode(const FlatModes& modes) {
  int up = 0, down = 0;
  for (const FlatMode& m : modes) {
    up += m.stride == 1;
    down += m.stride == -1;
  }
  return up == 1 && down == 0;
}

}  // namespace

Result<Layout> upcast(const Layout& layout, std::int64_t n, Law law) {
  TESSERA_CHECK(check_factor("upcast", n));
  TESSERA_CHECK(check_integers("upcast", layout));
  FlatModes modes = flat_modes(layout);
  bool proven = n == 1 || fills_wide_elements(modes, n);
  for (FlatMode& m : modes) {
    if (m.stride == 0) continue;
    if (is_dynamic_step(m)) {  // CuTe takes it to be a multiple of n
      proven = proven && m.stride % n == 0;
      m.stride /= n;
      continue;
    }
    const std::int64_t d = m.stride < 0 ? -m.stride : m.stride;
    if (d % n != 0 && n % d != 0) {
      return Error{ErrorCode::not_divisible,
                   fmt::format("Divisibility condition: upcast<{}> of {} needs stride {} to divide {} or be its multiple", n,
                               to_string(layout), m.stride, n),
                   {},
                   {}};
    }
    m.shape = ceil_div(m.shape, ceil_div(n, d));
    m.stride = (m.stride < 0 ? -1 : 1) * ceil_div(d, n);
  }
  TESSERA_TRY(made, rebuilt(layout, modes));
  TESSERA_CHECK(law.hold(proven, [&] { return check_same_bits(layout, made, 1, n); }));
  return made;
}

Result<Layout> downcast(const Layout& layout, std::int64_t n, Law law) {
  TESSERA_CHECK(check_factor("downcast", n));
  TESSERA_CHECK(check_integers("downcast", layout));
  FlatModes modes = flat_modes(layout);
  bool adjacent = false;
  for (const FlatMode& m : modes) adjacent = adjacent || (m.stride == 1 && !is_dynamic_step(m));
  if (!adjacent) {
    return Error{ErrorCode::not_divisible,
                 fmt::format("Downcast requires adjacent elements: no mode of {} has the static stride 1, so its elements cannot be split",
                             to_string(layout)),
                 {},
                 {"a stride 1 that CuTe knows when it compiles is _1 or Int<1>{}"}};
  }
  for (FlatMode& m : modes) {
    const bool unit = (m.stride == 1 || m.stride == -1) && !is_dynamic_step(m);
    const auto scaled = checked_mul(unit ? m.shape : m.stride, n);
    if (!scaled) return Error{ErrorCode::overflow, fmt::format("downcast<{}> of {} leaves 64 bits", n, to_string(layout)), {}, {}};
    (unit ? m.shape : m.stride) = *scaled;
  }
  TESSERA_TRY(made, rebuilt(layout, modes));
  TESSERA_CHECK(law.hold(n == 1 || splits_one_mode(flat_modes(layout)), [&] { return check_same_bits(layout, made, n, 1); }));
  return made;
}

Result<Layout> recast_layout(const Layout& layout, std::int64_t old_bits, std::int64_t new_bits, Law law) {
  TESSERA_CHECK(check_factor("recast_layout", old_bits));
  TESSERA_CHECK(check_factor("recast_layout", new_bits));
  const std::int64_t common = std::gcd(old_bits, new_bits), up = new_bits / common, down = old_bits / common;
  if (up == 1 && down == 1) return layout;
  if (up == 1) return downcast(layout, down, law);
  if (down == 1) return upcast(layout, up, law);
  bool proven = true;
  TESSERA_TRY(coarse, upcast(layout, up, Law::proving(proven)));
  TESSERA_TRY(made, downcast(coarse, down, Law::proving(proven)));
  TESSERA_CHECK(law.hold(proven, [&] { return check_same_bits(layout, made, down, up); }));
  return made;
}

}  // namespace tessera
