// SPDX-License-Identifier: BSD-3-Clause
#include "core/layout/same.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

IntTuple mode_of(const IntTuple& shape, std::size_t i) { return shape.is_int() ? shape : shape[i]; }

// A coordinate of the whole layout: the numbers of the named modes, and 0 in the others.
IntTuple coordinate(std::size_t rank, std::span<const std::size_t> modes, std::span<const std::int64_t> place) {
  std::vector<IntTuple> made(rank, IntTuple(0));
  for (std::size_t i = 0; i < modes.size(); ++i) made[modes[i]] = IntTuple(place[i]);
  return rank == 1 ? made[0] : IntTuple::tuple(std::move(made));
}

}  // namespace

Result<std::optional<LayoutDifference>> first_difference(const AnyLayout& a, const AnyLayout& b, std::span<const std::size_t> modes) {
  using Of = LayoutDifference::Of;
  const IntTuple shape_a = shape(a), shape_b = shape(b);
  std::vector<std::int64_t> sizes;
  std::int64_t count = 1;
  for (const std::size_t i : modes) {
    const std::int64_t of_a = size(mode_of(shape_a, i)), of_b = size(mode_of(shape_b, i));
    if (of_a != of_b) return std::optional(LayoutDifference{Of::sizes, i, of_a, of_b, {}, {}, {}});
    sizes.push_back(of_a);
    count = count_product(count, of_a);
  }
  TESSERA_CHECK(spend_cells(count, [&] { return fmt::format("comparing {} coordinates", count); }));
  std::vector<std::int64_t> place(modes.size(), 0);
  for (std::int64_t n = 0; n < count; ++n) {
    if (late()) return past_deadline("comparing two layouts");
    const IntTuple at = coordinate(rank(shape_a), modes, place);
    TESSERA_TRY(of_a, evaluate(a, at));
    TESSERA_TRY(of_b, evaluate(b, coordinate(rank(shape_b), modes, place)));
    if (!(of_a == of_b)) return std::optional(LayoutDifference{Of::values, 0, 0, 0, at, std::move(of_a), std::move(of_b)});
    for (std::size_t i = 0; i < place.size() && ++place[i] == sizes[i]; ++i) place[i] = 0;
  }
  return std::optional<LayoutDifference>();
}

Result<std::optional<LayoutDifference>> first_difference(const AnyLayout& a, const AnyLayout& b) {
  const std::size_t of_a = rank(shape(a)), of_b = rank(shape(b));
  if (of_a != of_b) {
    return std::optional(
        LayoutDifference{LayoutDifference::Of::ranks, 0, static_cast<std::int64_t>(of_a), static_cast<std::int64_t>(of_b), {}, {}, {}});
  }
  std::vector<std::size_t> modes(of_a);
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  return first_difference(a, b, modes);
}

std::string to_string(const LayoutDifference& difference) {
  switch (difference.of) {
    case LayoutDifference::Of::ranks: return fmt::format("the first has {} modes, the second {}", difference.first, difference.second);
    case LayoutDifference::Of::sizes:
      return fmt::format("mode {} has {} coordinates in the first and {} in the second", difference.mode, difference.first,
                         difference.second);
    case LayoutDifference::Of::values: break;
  }
  return fmt::format("at {} the first gives {} and the second {}", to_string(difference.at), to_string(difference.first_value),
                     to_string(difference.second_value));
}

}  // namespace tessera
