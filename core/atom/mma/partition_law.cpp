// SPDX-License-Identifier: BSD-3-Clause
// MmaPartition: the definition of thrfrg, evaluated, and results compared with it.
#include "core/atom/mma/partition_law.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace tessera {

namespace {

std::int64_t take(std::int64_t& number, std::int64_t extent) {
  const std::int64_t digit = number % extent;
  number /= extent;
  return digit;
}

Error wrong(const AnyLayout& tensor, const std::string& place, std::int64_t given, std::int64_t wanted) {
  return {ErrorCode::breaks_law,
          fmt::format("the partition of {} is wrong: at {} it gives {}, but the tensor has {} at that thread's coordinate",
                      to_string(tensor), place, given, wanted),
          {},
          {"CuTe's divisibility conditions accept this tensor, and a tile cuts one of its modes where the extents do not split"}};
}

}  // namespace

// Along both modes; `others` is the number of the rest over the tensor's further modes.
std::array<std::int64_t, 2> MmaPartition::coordinate(const FragmentPlace& place, std::int64_t& others) const {
  const std::int64_t in_atom = atom_tv_(place.thr_v, place.frg_v), rows = modes_[0].atom.tile_size();
  const std::array<std::int64_t, 2> in_mode{in_atom % rows, in_atom / rows};
  others = place.rest;
  std::array<std::int64_t, 2> made{};
  for (std::size_t j = 0; j < 2; ++j) {
    const bool last = j == 1 && tensor_.rank() == 2;
    const std::int64_t rest = last ? others : take(others, modes_[j].threads.rest_size());
    made[j] = modes_[j].permutation(modes_[j].atom(in_mode[j], modes_[j].threads(place.thr[j], rest)));
  }
  return made;
}

std::int64_t MmaPartition::value(const FragmentPlace& place) const {
  std::int64_t others = 0;
  const auto [row, col] = coordinate(place, others);
  std::int64_t sum = tensor_[0](row) + tensor_[1](col);
  for (std::size_t k = 2; k < tensor_.rank(); ++k)
    sum += tensor_[k](k + 1 == tensor_.rank() ? others : take(others, size(tensor_.shape()[k])));
  return sum;
}

Status MmaPartition::check(const Layout& fragments) const {
  const Shape& threads = fragments.shape()[0];
  const Shape& values = fragments.shape()[1];
  const auto place = [&](std::int64_t i) {
    FragmentPlace at;
    at.thr_v = take(i, size(threads[0]));
    at.thr[0] = take(i, size(threads[1][0]));
    at.thr[1] = take(i, size(threads[1][1]));
    at.frg_v = take(i, size(values[0]));
    at.rest = i;
    return at;
  };
  const auto i = first_broken(fragments.size(), [&](std::int64_t n) { return fragments(n) == value(place(n)); });
  if (!i) return Done{};
  return wrong(tensor_, fmt::format("coordinate {} of {}", to_string(idx2crd(*i, fragments.shape())), to_string(fragments)), fragments(*i),
               value(place(*i)));
}

Status MmaPartition::check(const SliceAndOffset& part, FragmentPlace thread, const AnyLayout& tensor) const {
  const std::int64_t values = atom_tv_[1].size();
  const auto wanted = [&](std::int64_t i) {
    thread.frg_v = take(i, values);
    thread.rest = i;
    return finish(tensor, value(thread));
  };
  const auto given = [&](std::int64_t i) { return part.offset.value() + evaluate(part.layout, i); };
  const auto i = first_broken(size(part.layout), [&](std::int64_t n) { return given(n) == wanted(n); });
  if (!i) return Done{};
  return wrong(tensor, fmt::format("coordinate {} of {}", to_string(idx2crd(*i, shape(part.layout))), to_string(part.layout)), given(*i),
               wanted(*i));
}

std::optional<Error> MmaPartition::overhang() const {
  for (std::size_t j = 0; j < 2; ++j) {
    const Mode& mode = modes_[j];
    const std::int64_t extent = size(tensor_.shape()[j]);
    const std::int64_t walked = mode.threads.tile_size() * mode.threads.rest_size();
    const bool exact =
        mode.threads.reach() <= mode.atom.rest_size() && mode.atom.reach() <= mode.permutation.tile_size() * mode.permutation.rest_size();
    if (exact && mode.permutation.reach() <= extent) continue;
    // Which of the tiles does not decide it: threads may repeat a mode of stride 0.
    const std::int64_t in_atom = mode.atom.tile_size();
    const auto along = [&](std::int64_t i) {
      const std::int64_t place = take(i, in_atom);
      return mode.permutation(mode.atom(place, mode.threads(i)));
    };
    const auto beyond = first_broken(in_atom * walked, [&](std::int64_t i) { return along(i) < extent; });
    if (!beyond) continue;
    return Error{ErrorCode::not_divisible,
                 fmt::format("the tiles do not divide the shape {}: the last of them reach beyond it, in mode {} to coordinate {} of {}",
                             to_string(tensor_.shape()), j, along(*beyond), extent),
                 {},
                 {"CuTe rounds up without a word; who uses the result must leave out what lies beyond the layout"}};
  }
  return std::nullopt;
}

}  // namespace tessera
