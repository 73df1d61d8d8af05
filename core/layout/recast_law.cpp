// SPDX-License-Identifier: BSD-3-Clause
// The law of upcast, downcast and recast: the elements before and after occupy the same bits.
#include "core/layout/recast_law.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/layout/composed_algebra.hpp"
#include "core/layout/flat_modes.hpp"

namespace tessera {

namespace {

// Half-open ranges of memory, in units of which an element before and one after are both multiples.
struct Run {
  __int128 begin, end;
  std::int64_t coordinate;  // 1-D, of an element that begins here
};

// The elements of `width` units each, in order, neighbours and repetitions joined.
std::vector<Run> occupied(const AnyLayout& layout, std::int64_t width) {
  const AnyLayout walked = shortest(layout);
  std::vector<Run> elements;
  const std::int64_t n = size(layout);
  elements.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const __int128 at = static_cast<__int128>(evaluate(walked, i)) * width;
    elements.push_back({at, at + width, i});
  }
  std::sort(elements.begin(), elements.end(),
            [](const Run& a, const Run& b) { return a.begin != b.begin ? a.begin < b.begin : a.coordinate < b.coordinate; });
  return elements;
}

// The first element of `some` that does not lie in `others`, if there is one.
const Run* first_outside(const std::vector<Run>& some, const std::vector<Run>& others) {
  std::size_t k = 0;
  __int128 covered = 0;  // others cover everything from begin of `some`'s element up to here
  bool any = false;
  for (const Run& run : some) {
    if (!any || covered < run.begin) covered = run.begin;
    any = true;
    while (k < others.size() && others[k].begin <= covered) {
      covered = std::max(covered, others[k].end);
      ++k;
    }
    if (covered < run.end) return &run;
  }
  return nullptr;
}

// The first unit that the elements of one meet more often than those of the other.
std::optional<__int128> first_counted_otherwise(const std::vector<Run>& a, const std::vector<Run>& b) {
  std::vector<std::pair<__int128, int>> steps;  // where the counts' difference changes
  for (const Run& run : a) steps.insert(steps.end(), {{run.begin, 1}, {run.end, -1}});
  for (const Run& run : b) steps.insert(steps.end(), {{run.begin, -1}, {run.end, 1}});
  std::sort(steps.begin(), steps.end());
  for (std::size_t k = 0; k < steps.size();) {
    const __int128 at = steps[k].first;
    int change = 0;
    for (; k < steps.size() && steps[k].first == at; ++k) change += steps[k].second;
    if (change != 0) return at;
  }
  return std::nullopt;
}

std::string place(const AnyLayout& layout, std::int64_t i) {
  return fmt::format("coordinate {} (index {})", to_string(idx2crd(i, shape(layout))), evaluate(layout, i));
}

}  // namespace

Status check_same_bits(const AnyLayout& before, const AnyLayout& after, std::int64_t old_width, std::int64_t new_width) {
  const auto broken = [&](std::string what) {
    return Error{
        ErrorCode::breaks_law,
        fmt::format("{} and {} are not the same memory: {}", to_string(before), to_string(after), what),
        {},
        {fmt::format("CuTe casts mode by mode; the bits stay the same where neighbours fill whole elements {} times as wide", new_width)}};
  };
  // Of any size: as many bits before as after.
  const __int128 old_units = static_cast<__int128>(size(before)) * old_width, new_units = static_cast<__int128>(size(after)) * new_width;
  if (old_units != new_units && (size(before) > kPointwise || size(after) > kPointwise)) {
    return broken(
        fmt::format("the first has {} elements of width {}, the second {} of width {}", size(before), old_width, size(after), new_width));
  }
  if (size(before) > kPointwise || size(after) > kPointwise) {
    return Error{
        ErrorCode::limit, fmt::format("{} has more elements than the {} that are compared", to_string(before), kPointwise), {}, {}};
  }
  const std::vector<Run> old_runs = occupied(before, old_width), new_runs = occupied(after, new_width);
  if (const Run* lost = first_outside(old_runs, new_runs))
    return broken(fmt::format("the element at {} of the first is not wholly in the second", place(before, lost->coordinate)));
  if (const Run* added = first_outside(new_runs, old_runs))
    return broken(fmt::format("the element at {} of the second has bits that the first has not", place(after, added->coordinate)));
  if (const auto unit = first_counted_otherwise(old_runs, new_runs)) {
    return broken(fmt::format("index {} of the first is met another number of times in the second",
                              static_cast<std::int64_t>(*unit / static_cast<__int128>(old_width))));
  }
  return Done{};
}

Status check_same_places(const AnyLayout& before, const AnyLayout& after, std::int64_t old_width, std::int64_t new_width) {
  const FlatModes fine = flat_modes(layout_part(before)), coarse = flat_modes(layout_part(after));
  const std::int64_t n = std::min(size(before), kPointwise);
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t rest = i, place = 0, step = 1;
    for (std::size_t k = 0; k < fine.size(); ++k) {
      const std::int64_t digit = take_digit(rest, fine[k].shape);
      place += digit / ceil_div(fine[k].shape, coarse[k].shape) * step;
      step *= coarse[k].shape;
    }
    const std::int64_t inner = evaluate(before, i), outer = evaluate(after, place);
    const __int128 begin = static_cast<__int128>(inner) * old_width, end = begin + old_width;
    const __int128 wide = static_cast<__int128>(outer) * new_width;
    if (wide <= begin && end <= wide + new_width) continue;
    return Error{ErrorCode::breaks_law,
                 fmt::format("{} tears the elements of {} apart: coordinate {} has index {}, and the wide element of it is {}",
                             to_string(after), to_string(before), to_string(idx2crd(i, shape(before))), inner, outer),
                 {},
                 {"the swizzle reads bits inside the wide element and flips bits outside it"}};
  }
  return Done{};
}

}  // namespace tessera
