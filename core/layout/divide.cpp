// SPDX-License-Identifier: BSD-3-Clause
// The divides: a layout as a tile and the arrangement of its tiles.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/layout/algebra.hpp"
#include "core/layout/by_mode.hpp"
#include "core/layout/composition.hpp"
#include "core/layout/tile_unzip.hpp"

namespace tessera {

namespace {

// Where tiles and their arrangement leave an element of A out: CuTe's complement truncates, and rounds mode by mode.
Status check_cover(const Layout& a, const Layout& b, const Layout& rest, const Cover& cover) {
  const std::int64_t n = a.size();
  const std::int64_t left_out = cover.first_gap >= 0 && cover.first_gap < n ? cover.first_gap : static_cast<std::int64_t>(cover.reach);
  if (left_out >= n) return Done{};
  const Layout different = make_layout({filter(b), rest});
  std::string kept = "less than all";
  if (different.size() <= kPointwise) {
    const std::vector<std::int64_t> inside = image(different);
    kept = std::to_string(std::count_if(inside.begin(), inside.end(), [n](std::int64_t i) { return i < n; }));
  }
  return Error{
      ErrorCode::breaks_law,
      fmt::format("tiles {} arranged as {} keep {} of the {} elements of {}: the one at coordinate {} is in no tile", to_string(b),
                  to_string(rest), kept, n, to_string(a), to_string(idx2crd(left_out, a.shape()))),
      {},
      {"CuTe truncates here without a word; a tile whose strides divide one another, and whose size divides the mode's, loses none"}};
}

std::optional<Error> overhang(const Layout& a, const Layout& b, const Layout& rest) {
  const __int128 reach = static_cast<__int128>(b.cosize()) + rest.cosize() - 1;
  if (reach <= a.size()) return std::nullopt;
  return Error{ErrorCode::not_divisible,
               fmt::format("the tiles {} do not divide the shape {}: the last of them reach beyond it, to {} of {}", to_string(b),
                           to_string(a.shape()), static_cast<std::int64_t>(reach - 1), a.size()),
               {},
               {"CuTe rounds up without a word; who uses the result must leave out what lies beyond the layout"}};
}

// A o (B, complement(B, shape(coalesce(A)))). Law: R(i) == A((B, B*)(i)), and every element of A is in a tile.
Result<Layout> divide_by_layout(const Layout& a, const Layout& b, Law law) {
  FlatModes cotarget = flat_modes(a);
  coalesce_in_place(cotarget, false);
  FlatModes rest;
  Cover cover;
  TESSERA_CHECK(complement_modes(b, cotarget, rest, cover));
  TESSERA_TRY(composed, compose_pair(a, b, rest));
  TESSERA_CHECK(law.hold(composed.proven, [&]() -> Status {
    TESSERA_TRY(tile_and_rest, checked_make_layout({b, to_layout(rest)}));
    return check_composition(a, tile_and_rest, composed);
  }));
  const bool covers = cover.first_gap < 0 && cover.reach >= a.size();
  TESSERA_CHECK(law.hold_whole(covers, [&] { return check_cover(a, b, to_layout(rest), cover); }));
  law.remark([&] { return overhang(a, b, to_layout(rest)); });
  return std::move(composed.layout);
}

struct DivideBy {
  const Layout& a;
  Law law;

  Result<Layout> operator()(const Layout& b) const { return divide_by_layout(a, b, law); }
  Result<Layout> operator()(const ComposedLayout& b) const {
    return Error{ErrorCode::wrong_type, fmt::format("logical_divide: {} has no complement, so it cannot be a tiler", to_string(b)), {}, {}};
  }
  Result<Layout> operator()(TileSize n) const {
    TESSERA_TRY(tile, Layout::make_compact(n.number()));
    return divide_by_layout(a, tile, law);
  }
  Result<Layout> operator()(Underscore) const { return a; }
  Result<Layout> operator()(const std::vector<Tiler>& tilers) const {
    return by_mode("logical_divide", a, tilers, tilers.size(), Rest::kept,
                   [this](const Layout& mode, const Tiler& tiler) { return logical_divide(mode, tiler, law); });
  }
};

}  // namespace

Result<Layout> tile_unzip(std::string_view operation, const Layout& layout, const Tiler& tiler) {
  const auto* tilers = std::get_if<std::vector<Tiler>>(&tiler.value);
  if (!tilers) {
    if (layout.shape().is_tuple() && layout.rank() == 2) return layout;
    return Error{
        ErrorCode::rank_mismatch,
        fmt::format("{}: at `{}` the mode must be a pair (tile, rest), but it is {}", operation, to_string(tiler), to_string(layout)),
        {},
        {"`_` leaves a mode as it is, and here that is not a pair"}};
  }
  if (tilers->size() > layout.rank()) return too_many_modes(operation, tilers->size(), layout);
  std::vector<Layout> tiles, rests;
  for (std::size_t i = 0; i < tilers->size(); ++i) {
    TESSERA_TRY(pair, tile_unzip(operation, layout[i], (*tilers)[i]));
    tiles.push_back(pair[0]);
    rests.push_back(pair[1]);
  }
  for (std::size_t i = tilers->size(); i < layout.rank(); ++i) rests.push_back(layout[i]);
  return checked_make_layout({make_layout(std::move(tiles)), make_layout(std::move(rests))});
}

// A mode of rank 1 is not unpacked: CuTe's repeat<1>(_) is `_` itself, not the tuple (_).
Layout unpack_modes(const Layout& pair, bool first) {
  std::vector<Layout> modes;
  const auto unpack = [&modes](const Layout& mode, bool splice) {
    if (!splice || mode.rank() == 1) return modes.push_back(mode);
    for (std::size_t i = 0; i < mode.rank(); ++i) modes.push_back(mode[i]);
  };
  unpack(pair[0], first);
  unpack(pair[1], true);
  return make_layout(std::move(modes));
}

Result<Layout> logical_divide(const Layout& layout, const Tiler& tiler, Law law) { return std::visit(DivideBy{layout, law}, tiler.value); }

Result<Layout> zipped_divide(const Layout& layout, const Tiler& tiler, Law law) {
  TESSERA_TRY(divided, logical_divide(layout, tiler, law));
  return tile_unzip("zipped_divide", divided, tiler);
}

Result<Layout> tiled_divide(const Layout& layout, const Tiler& tiler, Law law) {
  TESSERA_TRY(zipped, zipped_divide(layout, tiler, law));
  return unpack_modes(zipped, false);
}

Result<Layout> flat_divide(const Layout& layout, const Tiler& tiler, Law law) {
  TESSERA_TRY(zipped, zipped_divide(layout, tiler, law));
  return unpack_modes(zipped, true);
}

}  // namespace tessera
