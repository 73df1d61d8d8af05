// SPDX-License-Identifier: BSD-3-Clause
// group, take, select, append, zip, slice and dice: which modes a layout has, and how they nest. No function value changes.
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"

namespace tessera {

Error too_many_modes(std::string_view operation, std::size_t guide_rank, const Layout& layout) {
  return Error{ErrorCode::rank_mismatch,
               fmt::format("{}: the second argument has {} modes, but the layout {} has {}", operation, guide_rank, to_string(layout),
                           layout.rank()),
               {},
               {}};
}

namespace {

// What these operations work on: a layout, a tuple, or a tiler. Modes move; nothing else is looked at.
bool has_modes(const Layout& layout) { return layout.shape().is_tuple(); }
bool has_modes(const IntTuple& tuple) { return tuple.is_tuple(); }
bool has_modes(const Tiler& tiler) { return std::holds_alternative<std::vector<Tiler>>(tiler.value); }
std::size_t rank_of(const Layout& layout) { return layout.rank(); }
std::size_t rank_of(const IntTuple& tuple) { return tuple.rank(); }
std::size_t rank_of(const Tiler& tiler) { return std::get<std::vector<Tiler>>(tiler.value).size(); }
Layout mode_of(const Layout& layout, std::size_t i) { return layout[i]; }
IntTuple mode_of(const IntTuple& tuple, std::size_t i) { return tuple[i]; }
Tiler mode_of(const Tiler& tiler, std::size_t i) { return std::get<std::vector<Tiler>>(tiler.value)[i]; }
Result<Layout> of_modes(std::vector<Layout> modes) { return checked_make_layout(std::move(modes)); }
Result<Tiler> of_modes(std::vector<Tiler> modes) { return Tiler{std::move(modes)}; }
Result<IntTuple> of_modes(std::vector<IntTuple> modes) {
  IntTuple tuple = IntTuple::tuple(std::move(modes));
  TESSERA_CHECK(checked_depth(tuple));
  return tuple;
}

template <class Whole>
Status check_range(std::string_view operation, const Whole& whole, std::int64_t begin, std::int64_t end) {
  if (begin >= 0 && begin < end && end <= static_cast<std::int64_t>(rank_of(whole))) return Done{};
  return Error{ErrorCode::out_of_range,
               fmt::format("{}: the modes [{}, {}) are not a range of modes of {}, which has rank {}", operation, begin, end,
                           to_string(whole), rank_of(whole)),
               {},
               {}};
}

template <class Whole>
Result<Whole> take_modes(const Whole& whole, std::int64_t begin, std::int64_t end) {
  TESSERA_CHECK(check_range("take", whole, begin, end));
  std::vector<Whole> modes;
  for (std::int64_t i = begin; i < end; ++i) modes.push_back(mode_of(whole, static_cast<std::size_t>(i)));
  return of_modes(std::move(modes));
}

template <class Whole>
Result<Whole> group_modes(const Whole& whole, std::int64_t begin, std::int64_t end) {
  TESSERA_CHECK(check_range("group", whole, begin, end));
  std::vector<Whole> modes;
  for (std::int64_t i = 0; i < begin; ++i) modes.push_back(mode_of(whole, static_cast<std::size_t>(i)));
  TESSERA_TRY(grouped, take_modes(whole, begin, end));
  modes.push_back(std::move(grouped));
  for (std::size_t i = static_cast<std::size_t>(end); i < rank_of(whole); ++i) modes.push_back(mode_of(whole, i));
  return of_modes(std::move(modes));
}

template <class Whole>
Result<Whole> select_modes(const Whole& whole, const std::vector<std::int64_t>& indices) {
  if (indices.empty()) return Error{ErrorCode::wrong_arity, "select: name at least one mode", {}, {}};
  std::vector<Whole> modes;
  for (const std::int64_t i : indices) {
    if (i < 0 || i >= static_cast<std::int64_t>(rank_of(whole))) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("select: there is no mode {} in {}, which has rank {}", i, to_string(whole), rank_of(whole)),
                   {},
                   {}};
    }
    modes.push_back(mode_of(whole, static_cast<std::size_t>(i)));
  }
  return of_modes(std::move(modes));
}

// CuTe's zip of modes: ((a,b,..),(c,d,..),..) -> ((a,c,..),(b,d,..),..); where the first one is an integer, the modes are one mode.
template <class Whole>
Result<Whole> zip_modes(std::vector<Whole> modes) {
  const Whole first = modes.front();
  if (!has_modes(first)) {
    TESSERA_TRY(one, of_modes(std::move(modes)));
    return of_modes(std::vector<Whole>{std::move(one)});
  }
  for (const Whole& mode : modes) {
    if (has_modes(mode) && rank_of(mode) == rank_of(first)) continue;
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("zip pairs mode with mode, but {} has {} modes and {} has {}", to_string(first), rank_of(first),
                             to_string(mode), has_modes(mode) ? fmt::format("{}", rank_of(mode)) : "none (it is no tuple)"),
                 {},
                 {}};
  }
  std::vector<Whole> rows;
  for (std::size_t i = 0; i < rank_of(first); ++i) {
    std::vector<Whole> row;
    for (const Whole& mode : modes) row.push_back(mode_of(mode, i));
    TESSERA_TRY(made, of_modes(std::move(row)));
    rows.push_back(std::move(made));
  }
  return of_modes(std::move(rows));
}

template <class Whole>
std::vector<Whole> modes_of(const Whole& whole) {
  std::vector<Whole> modes;
  for (std::size_t i = 0; i < rank_of(whole); ++i) modes.push_back(mode_of(whole, i));
  return modes;
}

}  // namespace

Result<Layout> take(const Layout& layout, std::int64_t begin, std::int64_t end) { return take_modes(layout, begin, end); }
Result<IntTuple> take(const IntTuple& tuple, std::int64_t begin, std::int64_t end) { return take_modes(tuple, begin, end); }
Result<Layout> group(const Layout& layout, std::int64_t begin, std::int64_t end) { return group_modes(layout, begin, end); }
Result<IntTuple> group(const IntTuple& tuple, std::int64_t begin, std::int64_t end) { return group_modes(tuple, begin, end); }
Result<Layout> select(const Layout& layout, const std::vector<std::int64_t>& modes) { return select_modes(layout, modes); }
Result<IntTuple> select(const IntTuple& tuple, const std::vector<std::int64_t>& modes) { return select_modes(tuple, modes); }

namespace {

constexpr std::int64_t kLargestRank = 1024;  // of a padded layout: far above any real one

Result<std::size_t> padding(std::string_view operation, const Layout& layout, std::int64_t rank) {
  if (rank < static_cast<std::int64_t>(layout.rank())) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("{}: {} has {} modes already, more than the {} asked for", operation, to_string(layout), layout.rank(), rank),
                 {},
                 {}};
  }
  if (rank > kLargestRank) {
    return Error{ErrorCode::limit, fmt::format("{}: at most {} modes, but {} were asked for", operation, kLargestRank, rank), {}, {}};
  }
  return static_cast<std::size_t>(rank) - layout.rank();
}

}  // namespace

Result<Layout> append(const Layout& layout, std::int64_t rank, const Layout& mode) {
  TESSERA_TRY(missing, padding("append", layout, rank));
  if (missing == 0) return layout;  // also an int stays an int
  std::vector<Layout> modes = modes_of(layout);
  modes.insert(modes.end(), missing, mode);
  return checked_make_layout(std::move(modes));
}

Result<Layout> prepend(const Layout& layout, std::int64_t rank, const Layout& mode) {
  TESSERA_TRY(missing, padding("prepend", layout, rank));
  if (missing == 0) return layout;
  std::vector<Layout> modes = modes_of(layout);
  modes.insert(modes.begin(), missing, mode);
  return checked_make_layout(std::move(modes));
}

Result<Layout> zip(const Layout& layout) {
  if (!layout.shape().is_tuple()) return layout;
  return zip_modes(modes_of(layout));
}

Result<Layout> zip(const Layout& a, const Layout& b) { return zip_modes<Layout>({a, b}); }
Result<IntTuple> zip(const IntTuple& tuple) {
  if (!tuple.is_tuple()) return tuple;
  return zip_modes(modes_of(tuple));
}
Result<IntTuple> zip(const IntTuple& a, const IntTuple& b) { return zip_modes<IntTuple>({a, b}); }

namespace {

// Splits `profile` over the modes, one mode a leaf. `next` is the first mode not yet used.
template <class Whole>
Result<Whole> unflatten_from(const Whole& whole, std::size_t& next, const IntTuple& profile) {
  if (!profile.is_tuple()) {
    if (next >= rank_of(whole)) {
      return Error{
          ErrorCode::rank_mismatch, fmt::format("unflatten: the profile has more leaves than {} has modes", to_string(whole)), {}, {}};
    }
    return mode_of(whole, next++);
  }
  std::vector<Whole> modes;
  for (const IntTuple& p : profile.modes()) {
    TESSERA_TRY(mode, unflatten_from(whole, next, p));
    modes.push_back(std::move(mode));
  }
  return of_modes(std::move(modes));
}

template <class Whole>
Result<Whole> unflatten_modes(const Whole& whole, const IntTuple& profile) {
  TESSERA_CHECK(checked_depth(profile));
  std::size_t next = 0;
  TESSERA_TRY(result, unflatten_from(whole, next, profile));
  if (next == rank_of(whole)) return result;
  return Error{ErrorCode::rank_mismatch,
               fmt::format("unflatten: the profile {} has {} leaves, but {} has {} modes", to_string(profile), next, to_string(whole),
                           rank_of(whole)),
               {},
               {}};
}

}  // namespace

Result<Layout> unflatten(const Layout& layout, const IntTuple& profile) { return unflatten_modes(layout, profile); }
Result<IntTuple> unflatten(const IntTuple& tuple, const IntTuple& profile) { return unflatten_modes(tuple, profile); }

namespace {

enum class Keep { underscores, integers };

// Appends to `kept` what `coord` keeps of the whole. Kept parts of nested modes are spliced into the result, as in CuTe.
template <class Whole>
Status collect(const IntTuple& coord, const Whole& whole, Keep keep, std::vector<Whole>& kept) {
  if (coord.is_tuple()) {
    if (!has_modes(whole) || rank_of(whole) != coord.rank()) {
      return Error{ErrorCode::rank_mismatch,
                   fmt::format("the coordinate {} has {} modes, but {} has {}", to_string(coord), coord.rank(), to_string(whole),
                               has_modes(whole) ? fmt::format("{}", rank_of(whole)) : "none to pick from"),
                   {},
                   {}};
    }
    for (std::size_t i = 0; i < coord.rank(); ++i) TESSERA_CHECK(collect(coord[i], mode_of(whole, i), keep, kept));
    return Done{};
  }
  if (coord.is_underscore() == (keep == Keep::underscores)) kept.push_back(whole);
  return Done{};
}

template <class Whole>
Result<Whole> kept_part(std::string_view operation, const Coord& coord, const Whole& whole, Keep keep) {
  if (!coord.is_tuple() && coord.is_underscore() == (keep == Keep::underscores)) return whole;
  std::vector<Whole> kept;
  TESSERA_CHECK(collect(coord, whole, keep, kept));
  if (kept.empty()) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("{}: the coordinate {} keeps no mode of {}", operation, to_string(coord), to_string(whole)),
                 {},
                 {keep == Keep::underscores ? "put `_` where a mode is to stay" : "put an integer where a mode is to stay"}};
  }
  return of_modes(std::move(kept));
}

}  // namespace

Result<Layout> slice(const Coord& coord, const Layout& layout) { return kept_part("slice", coord, layout, Keep::underscores); }
Result<Layout> dice(const Coord& coord, const Layout& layout) { return kept_part("dice", coord, layout, Keep::integers); }
Result<IntTuple> slice(const Coord& coord, const IntTuple& tuple) { return kept_part("slice", coord, tuple, Keep::underscores); }
Result<IntTuple> dice(const Coord& coord, const IntTuple& tuple) { return kept_part("dice", coord, tuple, Keep::integers); }
Result<Tiler> dice(const Coord& coord, const Tiler& tiler) { return kept_part("dice", coord, tiler, Keep::integers); }

}  // namespace tessera
