// SPDX-License-Identifier: BSD-3-Clause
// local_tile and local_partition: one part of a divided layout, and the law that it is the part that was asked for.
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/layout/composed_algebra.hpp"
#include "core/layout/digits.hpp"
#include "core/layout/tiling.hpp"

namespace tessera {

namespace {

// CuTe's repeat<rank>(_), which for one is `_` itself.
Coord underscores(std::size_t rank) {
  if (rank == 1) return IntTuple::underscore();
  return IntTuple::tuple(std::vector<IntTuple>(rank, IntTuple::underscore()));
}

// The coordinate with `_` for the modes that it does not name; an integer numbers them all.
Result<Coord> padded(const Coord& coord, const Shape& modes, std::string_view what) {
  if (!coord.is_tuple()) return coord;
  if (coord.rank() > modes.rank()) {
    return Error{ErrorCode::rank_mismatch,
                 fmt::format("the coordinate {} names more modes than the {} {} have", to_string(coord), what, to_string(modes)),
                 {},
                 {}};
  }
  std::vector<IntTuple> all(coord.modes().begin(), coord.modes().end());
  all.resize(modes.rank(), IntTuple::underscore());
  return IntTuple::tuple(std::move(all));
}

bool in_range(const Coord& coord, const Shape& shape) {
  if (coord.is_underscore()) return true;
  if (!coord.is_tuple()) return coord.value() >= 0 && coord.value() < size(shape);
  for (std::size_t k = 0; k < coord.rank(); ++k) {
    if (!in_range(coord[k], shape[k])) return false;
  }
  return true;
}

// The numbers that a coordinate with `_` keeps of a mode: the i-th of them is numbers(i) + first.
struct Kept {
  Layout numbers;
  std::int64_t first = 0;

  static Result<Kept> of(const Coord& coord, const Shape& shape) {
    if (!has_underscore(coord)) {
      TESSERA_TRY(number, crd2idx(coord, shape));
      return Kept{Layout(), number};
    }
    TESSERA_TRY(all, Layout::make_compact(shape));
    TESSERA_TRY(part, slice_and_offset(coord, AnyLayout(all)));
    return Kept{std::get<Layout>(part.layout), part.offset.value()};
  }
};

// The part of a divided layout at (in_tile, which), one of them with `_`.
class Part {
 public:
  static Result<Part> of(const AnyLayout& whole, const Tiler& tiler, const Shape& divided, const Coord& in_tile, const Coord& which) {
    TESSERA_TRY(tiling, Tiling::of(layout_part(whole), tiler));
    TESSERA_TRY(places, Kept::of(in_tile, divided[0]));
    TESSERA_TRY(tiles, Kept::of(which, divided[1]));
    return Part(whole, std::move(tiling), std::move(places), std::move(tiles));
  }

  std::int64_t size() const { return places_.numbers.size() * tiles_.numbers.size(); }
  std::int64_t in_tile(std::int64_t i) const { return places_.first + places_.numbers(i % places_.numbers.size()); }
  std::int64_t which(std::int64_t i) const { return tiles_.first + tiles_.numbers(i / places_.numbers.size()); }
  std::int64_t value(std::int64_t i) const { return finish(whole_, tiling_(in_tile(i), which(i))); }
  bool tiles_reach_beyond() const { return tiling_.reaches_beyond(); }  // some tile, not always this part

 private:
  Part(AnyLayout whole, Tiling tiling, Kept places, Kept tiles)
      : whole_(std::move(whole)), tiling_(std::move(tiling)), places_(std::move(places)), tiles_(std::move(tiles)) {}

  AnyLayout whole_;
  Tiling tiling_;
  Kept places_, tiles_;
};

Status check_part(const Part& part, const AnyLayout& whole, const SliceAndOffset& made) {
  const auto given = [&](std::int64_t i) { return made.offset.value() + evaluate(made.layout, i); };
  const auto i = first_broken(part.size(), [&](std::int64_t n) { return given(n) == part.value(n); });
  if (!i) return Done{};
  return Error{ErrorCode::breaks_law,
               fmt::format("the part {} + {} is wrong: at coordinate {} it gives {}, but element {} of tile {} of {} is {}",
                           to_string(made.offset), to_string(made.layout), to_string(idx2crd(*i, shape(made.layout))), given(*i),
                           part.in_tile(*i), part.which(*i), to_string(whole), part.value(*i)),
               {},
               {"CuTe's divisibility conditions accept this tiler, and it cuts a mode where its extents do not split"}};
}

std::optional<Error> overhang(const Part& part, const AnyLayout& whole) {
  if (!part.tiles_reach_beyond()) return std::nullopt;
  return Error{ErrorCode::not_divisible,
               fmt::format("the tiles do not divide the shape {}: the last of them reach beyond it", to_string(shape(whole))),
               {},
               {"CuTe rounds up without a word; who uses the result must leave out what lies beyond the layout"}};
}

Result<SliceAndOffset> part_of(const AnyLayout& whole, const Tiler& tiler, const AnyLayout& divided, const Coord& in_tile,
                               const Coord& which, bool proven, Law law) {
  TESSERA_TRY(made, slice_and_offset(IntTuple::tuple({in_tile, which}), divided));
  const Shape& shapes = shape(divided);
  // Of a coordinate outside, or a layout on coordinates, only the steps can be held.
  if (!law.looks() || layout_part(whole).has_basis() || !in_range(in_tile, shapes[0]) || !in_range(which, shapes[1])) return made;
  TESSERA_TRY(part, Part::of(whole, tiler, shapes, in_tile, which));
  TESSERA_CHECK(law.hold(proven, [&] { return check_part(part, whole, made); }));
  law.remark([&] { return overhang(part, whole); });
  return made;
}

}  // namespace

Result<SliceAndOffset> local_tile(const AnyLayout& layout, const Tiler& tiler, const Coord& coord, Law law) {
  bool proven = true;
  TESSERA_TRY(divided, zipped_divide(layout, tiler, Law::proving(proven)));
  TESSERA_TRY(which, padded(coord, shape(divided)[1], "tiles"));
  return part_of(layout, tiler, divided, underscores(shape(divided)[0].rank()), which, proven, law);
}

Result<SliceAndOffset> local_partition(const AnyLayout& layout, const Layout& threads, std::int64_t thread, Law law) {
  bool proven = true;
  const Tiler tiler = to_tiler(product_each(threads.shape()));
  TESSERA_TRY(divided, zipped_divide(layout, tiler, Law::proving(proven)));
  TESSERA_TRY(coord, get_flat_coord(threads, thread));
  TESSERA_TRY(in_tile, padded(coord, shape(divided)[0], "threads"));
  return part_of(layout, tiler, divided, in_tile, underscores(shape(divided)[1].rank()), proven, law);
}

}  // namespace tessera
