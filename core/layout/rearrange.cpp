// SPDX-License-Identifier: BSD-3-Clause
// group, take, select, append, zip, slice and dice: which modes a layout has, and how they nest. No function value changes.
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

Status check_range(std::string_view operation, const Layout& layout, std::int64_t begin, std::int64_t end) {
  if (begin >= 0 && begin < end && end <= static_cast<std::int64_t>(layout.rank())) return Done{};
  return Error{ErrorCode::out_of_range,
               fmt::format("{}: the modes [{}, {}) are not a range of modes of {}, which has rank {}", operation, begin, end,
                           to_string(layout), layout.rank()),
               {},
               {}};
}

}  // namespace

Result<Layout> take(const Layout& layout, std::int64_t begin, std::int64_t end) {
  TESSERA_CHECK(check_range("take", layout, begin, end));
  std::vector<Layout> modes;
  for (std::int64_t i = begin; i < end; ++i) modes.push_back(layout[static_cast<std::size_t>(i)]);
  return make_layout(std::move(modes));
}

Result<Layout> group(const Layout& layout, std::int64_t begin, std::int64_t end) {
  TESSERA_CHECK(check_range("group", layout, begin, end));
  std::vector<Layout> modes;
  for (std::int64_t i = 0; i < begin; ++i) modes.push_back(layout[static_cast<std::size_t>(i)]);
  TESSERA_TRY(grouped, take(layout, begin, end));
  modes.push_back(std::move(grouped));
  for (std::int64_t i = end; i < static_cast<std::int64_t>(layout.rank()); ++i) modes.push_back(layout[static_cast<std::size_t>(i)]);
  return checked_make_layout(std::move(modes));
}

Result<Layout> select(const Layout& layout, const std::vector<std::int64_t>& indices) {
  if (indices.empty()) return Error{ErrorCode::wrong_arity, "select: name at least one mode", {}, {}};
  std::vector<Layout> modes;
  for (const std::int64_t i : indices) {
    TESSERA_CHECK(check_range("select", layout, i, i + 1));
    modes.push_back(layout[static_cast<std::size_t>(i)]);
  }
  return checked_make_layout(std::move(modes));
}

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

std::vector<Layout> modes_of(const Layout& layout) {
  std::vector<Layout> modes;
  for (std::size_t i = 0; i < layout.rank(); ++i) modes.push_back(layout[i]);
  return modes;
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

Result<Layout> zip(const Layout& a, const Layout& b) {
  // CuTe's zip of the pair (a, b): an integer on the left takes b as it is.
  if (!a.shape().is_tuple()) return checked_make_layout({make_layout({a, b})});
  if (!b.shape().is_tuple() || a.rank() != b.rank()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("zip pairs mode with mode, but {} has {} modes and {} has {}{}", to_string(a), a.rank(), to_string(b),
                             b.rank(), b.shape().is_tuple() ? "" : " (it is no tuple)"),
                 {},
                 {}};
  }
  std::vector<Layout> pairs;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    TESSERA_TRY(pair, checked_make_layout({a[i], b[i]}));
    pairs.push_back(std::move(pair));
  }
  return checked_make_layout(std::move(pairs));
}

namespace {

// Splits `profile` over the modes of a layout, one mode a leaf. `next` is the first mode not yet used.
Result<Layout> unflatten_from(const Layout& layout, std::size_t& next, const IntTuple& profile) {
  if (!profile.is_tuple()) {
    if (next >= layout.rank()) {
      return Error{
          ErrorCode::rank_mismatch, fmt::format("unflatten: the profile has more leaves than {} has modes", to_string(layout)), {}, {}};
    }
    return layout[next++];
  }
  std::vector<Layout> modes;
  for (const IntTuple& p : profile.modes()) {
    TESSERA_TRY(mode, unflatten_from(layout, next, p));
    modes.push_back(std::move(mode));
  }
  return checked_make_layout(std::move(modes));
}

}  // namespace

Result<Layout> unflatten(const Layout& layout, const IntTuple& profile) {
  TESSERA_CHECK(checked_depth(profile));
  std::size_t next = 0;
  TESSERA_TRY(result, unflatten_from(layout, next, profile));
  if (next == layout.rank()) return result;
  return Error{ErrorCode::rank_mismatch,
               fmt::format("unflatten: the profile {} has {} leaves, but {} has {} modes", to_string(profile), next, to_string(layout),
                           layout.rank()),
               {},
               {}};
}

namespace {

enum class Keep { underscores, integers };

// Appends to `modes` what `coord` keeps of shape:stride. Kept parts of nested modes are spliced into the result, as in CuTe.
Status collect(const IntTuple& coord, const Layout& layout, Keep keep, std::vector<Layout>& modes) {
  if (coord.is_tuple()) {
    if (!layout.shape().is_tuple() || layout.rank() != coord.rank()) {
      return Error{ErrorCode::rank_mismatch,
                   fmt::format("the coordinate {} has {} modes, but the mode {} has {}", to_string(coord), coord.rank(),
                               to_string(layout.shape()), layout.rank()),
                   {},
                   {}};
    }
    for (std::size_t i = 0; i < coord.rank(); ++i) TESSERA_CHECK(collect(coord[i], layout[i], keep, modes));
    return Done{};
  }
  if (coord.is_underscore() == (keep == Keep::underscores)) modes.push_back(layout);
  return Done{};
}

Result<Layout> kept_part(std::string_view operation, const Coord& coord, const Layout& layout, Keep keep) {
  if (!coord.is_tuple() && coord.is_underscore() == (keep == Keep::underscores)) return layout;
  std::vector<Layout> modes;
  TESSERA_CHECK(collect(coord, layout, keep, modes));
  if (!modes.empty()) return checked_make_layout(std::move(modes));
  return Error{ErrorCode::out_of_range,
               fmt::format("{}: the coordinate {} keeps no mode of {}", operation, to_string(coord), to_string(layout)),
               {},
               {keep == Keep::underscores ? "put `_` where a mode is to stay" : "put an integer where a mode is to stay"}};
}

}  // namespace

Result<Layout> slice(const Coord& coord, const Layout& layout) { return kept_part("slice", coord, layout, Keep::underscores); }
Result<Layout> dice(const Coord& coord, const Layout& layout) { return kept_part("dice", coord, layout, Keep::integers); }

}  // namespace tessera
