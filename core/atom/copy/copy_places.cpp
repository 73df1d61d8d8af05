// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/copy_places.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/budget.hpp"
#include "core/layout/tiling.hpp"

namespace tessera {
namespace {

constexpr int kRounds = 8;  // until the extents that tiles reach stop growing

std::vector<std::int64_t> extents_of(const Shape& tensor) {
  if (!tensor.is_tuple()) return {size(tensor)};
  std::vector<std::int64_t> made;
  for (const IntTuple& mode : tensor.modes()) made.push_back(size(mode));
  return made;
}

// The smallest extent, from this one on, that whole tiles fill.
Result<std::int64_t> whole_tiles(const Tiler& tiler, std::int64_t extent) {
  if (const auto* n = std::get_if<TileSize>(&tiler.value)) return (extent + *n - 1) / *n * *n;
  if (std::holds_alternative<Underscore>(tiler.value)) return extent;
  const auto* tile = std::get_if<Layout>(&tiler.value);
  for (int i = 0; tile && i < kRounds; ++i) {
    TESSERA_TRY(mode, Layout::make_compact(extent));
    TESSERA_TRY(map, TileMap::of(mode, *tile));
    if (map.reach() <= extent) return extent;
    extent = map.reach();
  }
  return Error{
      ErrorCode::not_divisible, fmt::format("tiles {} of a mode do not fill any extent near {}", to_string(tiler), extent), {}, {}};
}

Coord coordinate(std::int64_t index, const std::vector<std::int64_t>& extents) {  // the last one is not reduced
  std::vector<IntTuple> made;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    made.emplace_back(k + 1 < extents.size() ? index % extents[k] : index);
    index /= extents[k];
  }
  return made.size() == 1 ? made.front() : IntTuple::tuple(std::move(made));
}

// The index of a coordinate of `from` in `to`; -1: it lies beyond.
std::int64_t index_in(std::int64_t index, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  std::int64_t made = 0, step = 1;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const std::int64_t c = k + 1 < from.size() ? index % from[k] : index;
    if (c >= to[k]) return -1;
    made += c * step;
    step *= to[k];
    index /= from[k];
  }
  return made;
}

}  // namespace

Result<CopyPlaces> copy_places(const TiledCopy& copy, CopySide side, const Shape& tensor) {
  const std::vector<std::int64_t> extents = extents_of(tensor);
  std::vector<std::int64_t> filled = extents;
  std::vector<Tiler> tiles{copy.tiler_mn()};
  if (const auto* modes = std::get_if<std::vector<Tiler>>(&copy.tiler_mn().value)) tiles = *modes;
  for (std::size_t k = 0; k < std::min(tiles.size(), filled.size()); ++k) {
    TESSERA_TRY(extent, whole_tiles(tiles[k], filled[k]));
    filled[k] = extent;
  }
  std::vector<IntTuple> shape(filled.begin(), filled.end());
  std::int64_t all = 1;
  for (const std::int64_t extent : filled) all = count_product(all, extent);
  TESSERA_CHECK(spend_cells(all, [&] { return fmt::format("the elements of {} that a copy's threads take", to_string(tensor)); }));
  TESSERA_TRY(whole, Layout::make_compact(tensor.is_tuple() ? IntTuple::tuple(std::move(shape)) : shape.front()));
  // (Thr,(FrgV,FrgX),(RestM,RestN,...)) -> element of the whole tiles
  TESSERA_TRY(fragments, side == CopySide::source ? copy.tidfrg_s(whole) : copy.tidfrg_d(whole));
  CopyPlaces made;
  made.threads = fragments[0].size();
  made.each = fragments.size() / made.threads;
  made.element = image(fragments);
  for (std::size_t i = 0; i < made.element.size(); ++i) {
    const std::int64_t place = made.element[i];
    made.element[i] = index_in(place, filled, extents);
    if (made.element[i] >= 0 || made.outside++ > 0) continue;
    made.first_outside = coordinate(place, filled);
    made.outside_thread = static_cast<std::int64_t>(i) % made.threads;
    made.outside_value = static_cast<std::int64_t>(i) / made.threads;
  }
  return made;
}

CopyCoverage coverage_of(const CopyPlaces& places, const Shape& tensor) {
  CopyCoverage made;
  made.elements = size(tensor);
  made.outside = places.outside;
  const std::vector<std::int64_t> extents = extents_of(tensor);
  if (places.outside > 0) {
    made.first_outside = places.first_outside;
    made.outsider = {places.outside_thread, places.outside_value};
  }
  std::vector<std::int64_t> taken(static_cast<std::size_t>(made.elements), 0);
  for (const std::int64_t at : places.element) {
    if (at >= 0) ++taken[static_cast<std::size_t>(at)];
  }
  for (std::int64_t i = 0; i < made.elements; ++i) {
    const std::int64_t n = taken[static_cast<std::size_t>(i)];
    if (n == 0 && made.missed++ == 0) made.first_missed = coordinate(i, extents);
    if (n < 2 || made.repeated++ > 0) continue;
    made.first_repeated = coordinate(i, extents);
    const auto owner = [&](std::vector<std::int64_t>::const_iterator at) {
      const std::int64_t place = at - places.element.begin();
      return CopyOwner{place % places.threads, place / places.threads};
    };
    const auto first = std::find(places.element.begin(), places.element.end(), i);
    made.first = owner(first);
    made.second = owner(std::find(first + 1, places.element.end(), i));
  }
  return made;
}

std::string describe(const CopyCoverage& coverage, const Shape& tensor) {
  if (coverage.complete()) return fmt::format("every element of {} is copied once", to_string(tensor));
  std::vector<std::string> parts;
  const auto who = [](const CopyOwner& owner) { return fmt::format("thread {}, value {}", owner.thread, owner.value); };
  if (coverage.missed > 0)
    parts.push_back(fmt::format("{} of {} elements are missed, the first is {}", coverage.missed, coverage.elements,
                                to_string(*coverage.first_missed)));
  if (coverage.repeated > 0)
    parts.push_back(fmt::format("{} of {} elements are copied more than once, the first is {}: by {} and by {}", coverage.repeated,
                                coverage.elements, to_string(*coverage.first_repeated), who(coverage.first), who(coverage.second)));
  if (coverage.outside > 0)
    parts.push_back(fmt::format("{} accesses lie outside of {}, the first at {}: {}", coverage.outside, to_string(tensor),
                                to_string(*coverage.first_outside), who(coverage.outsider)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace tessera
