// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/tma/tma_boxes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/layout/algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostOfATile = std::int64_t{1} << 20;  // elements: far beyond shared memory

std::vector<IntTuple> leaves_of(const IntTuple& tuple) {
  std::vector<IntTuple> leaves;
  append_leaves(tuple, leaves);
  return leaves;
}

// Which mode a basis stride walks; the number of modes where it is none.
std::size_t mode_of(const IntTuple& stride, const std::vector<IntTuple>& bases) {
  const auto found =
      std::find_if(bases.begin(), bases.end(), [&](const IntTuple& each) { return stride.is_basis() && each.path() == stride.path(); });
  return static_cast<std::size_t>(found - bases.begin());
}

// value of the tile -> its coordinate, one of each mode of the tensor; calls use(value, coordinate) for every value.
template <class Use>
void each_value(const Layout& cta_values, const std::vector<IntTuple>& bases, Use use) {
  const std::vector<std::int64_t> extents = leaf_values(cta_values.shape());
  const std::vector<IntTuple> strides = leaves_of(cta_values.stride());
  std::vector<std::int64_t> digits(extents.size(), 0), at(bases.size(), 0);
  for (std::int64_t value = 0; value < cta_values.size() && !late(); ++value) {
    use(value, at);
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::size_t mode = mode_of(strides[i], bases);
      const std::int64_t step = mode < bases.size() ? strides[i].value() : 0;
      if (++digits[i] < extents[i]) {
        if (step != 0) at[mode] += step;
        break;
      }
      if (step != 0) at[mode] -= step * (extents[i] - 1);
      digits[i] = 0;
    }
  }
}

std::vector<IntTuple> bases_of(const TmaRequest& request) {
  const Result<Layout> identity = make_identity_layout(request.gmem.shape());
  return identity ? leaves_of(identity->stride()) : std::vector<IntTuple>();
}

// Colexicographic place of a coordinate in the tile.
std::size_t in_tile(const TmaBoxes& boxes, const std::vector<std::int64_t>& at) {
  std::int64_t place = 0, times = 1;
  for (std::size_t i = 0; i < boxes.modes.size(); ++i) {
    place += at[i] % boxes.modes[i].of_tile * times;
    times *= boxes.modes[i].of_tile;
  }
  return static_cast<std::size_t>(place);
}

}  // namespace

std::int64_t TmaBoxes::count() const {
  std::int64_t made = 1;
  for (const Mode& mode : modes) made *= mode.boxes();
  return made;
}

std::int64_t TmaBoxes::elements() const {
  std::int64_t made = 1;
  for (const Mode& mode : modes) made *= mode.of_box;
  return made;
}

std::int64_t TmaBoxes::bytes() const { return elements() * bits(request.type) / 8; }

std::vector<std::int64_t> TmaBoxes::origin(std::int64_t number) const {
  std::vector<std::int64_t> made;
  for (const Mode& mode : modes) {
    made.push_back(number % mode.boxes() * mode.of_box);
    number /= mode.boxes();
  }
  return made;
}

std::int64_t TmaBoxes::inside(std::int64_t number) const {
  const std::vector<std::int64_t> first = origin(number);
  std::int64_t made = 1;
  for (std::size_t i = 0; i < modes.size(); ++i) made *= std::min(modes[i].of_box, modes[i].extent - first[i]);
  return made;
}

Result<TmaBoxes> tma_boxes(TmaRequest request, TmaCopy copy) {
  TmaBoxes made;
  const std::vector<IntTuple> bases = bases_of(request);
  const std::vector<std::int64_t> extents = leaf_values(request.gmem.shape()), strides = leaf_values(request.gmem.stride());
  for (std::size_t i = 0; i < extents.size(); ++i) made.modes.push_back({extents[i], strides[i]});
  const std::vector<std::int64_t> of_box = leaf_values(copy.box.shape());
  const std::vector<IntTuple> walked = leaves_of(copy.box.stride());
  for (std::size_t i = 0; i < walked.size(); ++i) {
    const std::size_t mode = mode_of(walked[i], bases);
    if (mode == bases.size()) continue;
    made.modes[mode].of_box *= of_box[i];
    if (of_box[i] > 1 && std::find(made.walk.begin(), made.walk.end(), mode) == made.walk.end()) made.walk.push_back(mode);
  }
  if (request.cta_values.size() > kMostOfATile)
    return Error{ErrorCode::limit,
                 fmt::format("a tile of {} elements is larger than shared memory", request.cta_values.size()),
                 {},
                 {"choose a smaller tile"}};
  each_value(request.cta_values, bases, [&](std::int64_t, const std::vector<std::int64_t>& at) {
    for (std::size_t i = 0; i < at.size(); ++i) made.modes[i].of_tile = std::max(made.modes[i].of_tile, at[i] + 1);
  });
  std::int64_t block = 1;
  bool whole = true;
  for (const TmaBoxes::Mode& mode : made.modes) {
    block *= mode.of_tile;
    whole = whole && mode.of_tile % mode.of_box == 0;
  }
  if (block != request.cta_values.size() || !whole)
    return Error{ErrorCode::not_divisible,
                 fmt::format("the tile {} is no block of neighbours that boxes of {} fill", to_string(request.cta_values),
                             to_string(copy.box.shape())),
                 {},
                 {"take a tile of extents alone: (128,64)"}};
  made.request = std::move(request);
  made.copy = std::move(copy);
  return made;
}

std::vector<TmaElement> elements_of_box(const TmaBoxes& boxes, std::int64_t number) {
  std::vector<std::int64_t> place(static_cast<std::size_t>(boxes.request.cta_values.size()), 0);  // in the tile -> in shared memory
  each_value(boxes.request.cta_values, bases_of(boxes.request), [&](std::int64_t value, const std::vector<std::int64_t>& at) {
    place[in_tile(boxes, at)] = evaluate(boxes.request.smem, value);
  });
  const std::vector<std::int64_t> first = boxes.origin(number);
  std::vector<std::int64_t> at = first;
  std::vector<TmaElement> made;
  for (std::int64_t i = 0; i < boxes.elements() && !late(); ++i) {
    TmaElement element{at, place[in_tile(boxes, at)], true};
    for (std::size_t mode = 0; mode < at.size(); ++mode) element.inside = element.inside && at[mode] < boxes.modes[mode].extent;
    made.push_back(std::move(element));
    for (const std::size_t mode : boxes.walk) {
      if (++at[mode] < first[mode] + boxes.modes[mode].of_box) break;
      at[mode] = first[mode];
    }
  }
  return made;
}

}  // namespace tessera
