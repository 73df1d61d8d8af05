// SPDX-License-Identifier: BSD-3-Clause
#include "core/atom/copy/check_copy.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/copy/automatic_copy.hpp"
#include "core/layout/composed_algebra.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kMostBits = 128;  // of one lane at once; and what the begin of a tensor is surely a multiple of

// A thread's value with its places on both sides, in elements, and when it is taken where a side decides; of a side in registers 0.
struct Moved {
  std::int64_t value = 0;
  std::int64_t place[2] = {0, 0};
  std::int64_t turn[2] = {0, 0};
};

// Which values are neighbours, taken in an order that all threads have: a copy's width is the widest run that both sides have.
class Runs {
 public:
  Runs(std::int64_t bits, bool source, bool destination) : bits_(bits), in_memory_{source, destination} {}
  void add(std::vector<Moved> thread) { threads_.push_back(std::move(thread)); }

  std::int64_t widest(bool source, bool destination) {
    source = source && in_memory_[0];
    destination = destination && in_memory_[1];
    sort_by(source ? 0 : 1);
    std::int64_t count = 1;
    while (2 * count * bits_ <= kMostBits && fits(2 * count, source, destination)) count *= 2;
    return count;
  }

  // Why not `count` at a time, on one side.
  std::string obstacle(CopySide side, std::int64_t count) {
    const int s = side == CopySide::source ? 0 : 1;
    sort_by(s);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      const std::vector<Moved>& all = threads_[t];
      if (all.size() % static_cast<std::size_t>(count) != 0) return fmt::format("thread {} has {} values", t, all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Moved& begin = all[i / static_cast<std::size_t>(count) * static_cast<std::size_t>(count)];
        if (begin.place[s] % count != 0)
          return fmt::format("value {} of thread {} begins at byte {}, no multiple of {}", begin.value, t, begin.place[s] * bits_ / 8,
                             count * bits_ / 8);
        if (i == 0 || &all[i] == &begin || all[i].place[s] == all[i - 1].place[s] + 1) continue;
        return fmt::format("values {} and {} of thread {} lie {} elements apart, and none of its others between them", all[i - 1].value,
                           all[i].value, t, all[i].place[s] - all[i - 1].place[s]);
      }
    }
    return "";
  }
  // The same of the pairs of both sides.
  std::string mismatch() {
    sort_by(0);
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      for (std::size_t i = 1; i < threads_[t].size(); ++i) {
        const Moved &a = threads_[t][i - 1], &b = threads_[t][i];
        if (b.place[0] != a.place[0] + 1 || b.place[1] == a.place[1] + 1) continue;
        return fmt::format("values {} and {} of thread {} are neighbours in the source, and lie {} elements apart in the destination",
                           a.value, b.value, t, b.place[1] - a.place[1]);
      }
    }
    return "runs of neighbours begin at different multiples in the source and in the destination";
  }

 private:
  void sort_by(int side) {
    for (std::vector<Moved>& thread : threads_)
      std::stable_sort(thread.begin(), thread.end(), [&](const Moved& a, const Moved& b) { return a.turn[side] < b.turn[side]; });
  }
  bool fits(std::int64_t count, bool source, bool destination) const {
    return std::all_of(threads_.begin(), threads_.end(), [&](const std::vector<Moved>& all) {
      if (all.size() % static_cast<std::size_t>(count) != 0) return false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t k = static_cast<std::int64_t>(i) % count;
        const Moved& begin = all[i - static_cast<std::size_t>(k)];
        for (int s = 0; s < 2; ++s) {
          if (!(s == 0 ? source : destination)) continue;
          if (begin.place[s] % count != 0 || all[i].place[s] != begin.place[s] + k) return false;
        }
      }
      return true;
    });
  }

  std::int64_t bits_;
  bool in_memory_[2];
  std::vector<std::vector<Moved>> threads_;
};

std::string why_no_more(Runs& runs, const CopyCheck& made, std::int64_t bits, bool source, bool destination) {
  if (2 * made.vector * bits > kMostBits) return "";
  const std::int64_t a = made.source.neighbours, b = made.destination.neighbours;
  if (source && destination && std::min(a, b) > made.vector) return "both sides: " + runs.mismatch();
  const bool by_source = source && (!destination || a <= b), by_destination = destination && (!source || b <= a);
  const std::string at_source = by_source ? runs.obstacle(CopySide::source, 2 * made.vector) : "";
  const std::string at_destination = by_destination ? runs.obstacle(CopySide::destination, 2 * made.vector) : "";
  if (at_source == at_destination) return "both sides: " + at_source;
  if (at_destination.empty()) return "source: " + at_source;
  if (at_source.empty()) return "destination: " + at_destination;
  return fmt::format("source: {}; destination: {}", at_source, at_destination);
}

// A vector of which some elements lie beyond the tensor, in words.
std::string hanging_over(const AccessPattern& pattern) {
  for (std::int64_t first = 0; first + pattern.at_once <= pattern.each; first += pattern.at_once) {
    for (std::int64_t t = 0; t < pattern.threads; ++t) {
      int inside = 0;
      for (std::int64_t v = first; v < first + pattern.at_once; ++v)
        inside += pattern.element[static_cast<std::size_t>(v * pattern.threads + t)] >= 0 ? 1 : 0;
      if (inside > 0 && inside < pattern.at_once)
        return fmt::format("values {} to {} of thread {} hang over the edge, and no predicate of theirs leaves out a part of a vector",
                           first, first + pattern.at_once - 1, t);
    }
  }
  return "";
}

class Checker {
 public:
  Checker(const TiledCopy& copy, const CopyTile& source, const CopyTile& destination, std::int64_t bits)
      : copy_(copy), source_(source), destination_(destination), bits_(bits) {}

  Result<CopyCheck> run() {
    const CopyKind kind = copy_.atom().traits.kind;
    matrices_ =
        kind == CopyKind::ldmatrix || kind == CopyKind::ldmatrix_trans || kind == CopyKind::stmatrix || kind == CopyKind::stmatrix_trans;
    const Shape& tensor = shape(source_.layout);
    TESSERA_CHECK(check_shapes());
    made_.to_registers = !destination_.space;
    for (const auto& [tile, side] : {std::pair{&source_, CopySide::source}, {&destination_, CopySide::destination}}) {
      if (!tile->space) continue;
      TESSERA_CHECK(access_form(copy_, side));
    }
    TESSERA_CHECK(load(source_, CopySide::source, 0));
    TESSERA_CHECK(load(destination_, CopySide::destination, 1));
    const bool stores = kind == CopyKind::stmatrix || kind == CopyKind::stmatrix_trans;  // whose idle lanes are on the destination's side
    if (!matrices_ && (places_[0].each != places_[1].each || places_[0].threads != places_[1].threads))
      return Error{
          ErrorCode::wrong_type,
          fmt::format("{} gives a thread {} values of the source and {} of the destination: they cannot be held against each other",
                      copy_.atom().traits.name, places_[0].each, places_[1].each),
          {},
          {}};
    made_.collision = collision();
    made_.coverage = coverage_of(places_[stores ? 0 : 1], tensor);
    look_at_runs();
    vector_ = cute_vector(copy_, source_.space ? &source_.layout : nullptr, destination_.space ? &destination_.layout : nullptr, bits_);
    TESSERA_CHECK(look_at(source_, CopySide::source, made_.source));
    TESSERA_CHECK(look_at(destination_, CopySide::destination, made_.destination));
    partition();
    for (const CopySideCheck* each : {&made_.source, &made_.destination}) {
      if (!each->access) continue;
      made_.units += each->access->units;
      made_.least += each->access->least;
      made_.instructions = kind == CopyKind::cp_async ? std::max(made_.instructions, each->access->instructions)
                                                      : made_.instructions + each->access->instructions;
    }
    return std::move(made_);
  }

 private:
  Status check_shapes() const {
    const Shape &a = shape(source_.layout), &b = shape(destination_.layout);
    const auto extents = [](const Shape& s) {
      std::vector<std::int64_t> all;
      for (std::size_t i = 0; s.is_tuple() && i < s.rank(); ++i) all.push_back(size(s[i]));
      return all;
    };
    if (size(a) == size(b) && extents(a) == extents(b)) return Done{};
    return Error{ErrorCode::not_congruent,
                 fmt::format("the source has the shape {} and the destination {}: a copy takes both by the same coordinates", to_string(a),
                             to_string(b)),
                 {},
                 {}};
  }

  Status load(const CopyTile& tile, CopySide side, std::size_t s) {
    TESSERA_TRY(places, copy_places(copy_, side, shape(tile.layout)));
    places_[s] = std::move(places);
    if (!tile.space) return Done{};
    TESSERA_TRY(offsets, element_offsets(tile.layout));
    for (std::int64_t& each : offsets) each += tile.offset;
    offsets_[s] = std::move(offsets);
    return Done{};
  }

  // Two elements of the destination at one place.
  std::string collision() const {
    std::vector<std::size_t> order(offsets_[1].size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return offsets_[1][a] < offsets_[1][b]; });
    const auto same = std::adjacent_find(order.begin(), order.end(), [&](auto a, auto b) { return offsets_[1][a] == offsets_[1][b]; });
    if (same == order.end()) return "";
    const auto at = [&](std::size_t i) { return to_string(idx2crd(static_cast<std::int64_t>(i), shape(destination_.layout))); };
    return fmt::format("elements {} and {} of the destination lie at one place", at(*same), at(*(same + 1)));
  }

  std::int64_t place(std::size_t s, std::size_t i) const {
    const std::int64_t element = places_[s].element[i];
    return element < 0 || offsets_[s].empty() ? -1 : offsets_[s][static_cast<std::size_t>(element)];
  }

  void look_at_runs() {
    const bool source = source_.space.has_value(), destination = destination_.space.has_value();
    if (matrices_) {  // rows of 16 bytes; measure() says where they are none
      made_.vector = made_.source.neighbours = made_.destination.neighbours = kMostBits / bits_;
      return;
    }
    Runs runs(bits_, source, destination);
    const CopyPlaces& all = places_[source ? 0 : 1];
    const std::vector<std::int64_t> turn[2] = {turns(0), turns(1)};
    for (std::int64_t t = 0; t < all.threads; ++t) {
      std::vector<Moved> thread;
      for (std::int64_t v = 0; v < all.each; ++v) {
        const auto i = static_cast<std::size_t>(v * all.threads + t);
        if (all.element[i] >= 0)
          thread.push_back({v, {place(0, i), place(1, i)}, {turn[0][static_cast<std::size_t>(v)], turn[1][static_cast<std::size_t>(v)]}});
      }
      runs.add(std::move(thread));
    }
    if (!source && !destination) return;
    made_.source.neighbours = source ? runs.widest(true, false) : 1;
    made_.destination.neighbours = destination ? runs.widest(false, true) : 1;
    made_.vector = runs.widest(true, true);
    made_.limit = why_no_more(runs, made_, bits_, source, destination);
  }

  // When each value is taken where this side decides.
  std::vector<std::int64_t> turns(std::size_t s) const {
    std::vector<std::int64_t> made(static_cast<std::size_t>(places_[s].each));
    std::iota(made.begin(), made.end(), 0);
    if (offsets_[s].empty()) return made;
    const std::vector<std::int64_t> order =
        common_order(places_[s].element, places_[s].threads, s == 0 ? source_.layout : destination_.layout);
    for (std::size_t i = 0; i < order.size(); ++i) made[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    return made;
  }

  Status look_at(const CopyTile& tile, CopySide side, CopySideCheck& made) {
    if (!tile.space) return Done{};
    const std::size_t s = side == CopySide::source ? 0 : 1;
    TESSERA_TRY(pattern, access_form(copy_, side));
    pattern.threads = places_[s].threads;
    pattern.each = places_[s].each;
    pattern.element = places_[s].element;
    leave_out_idle_lanes(pattern);
    choose_width(pattern, copy_.atom().traits, vector_, tile.layout, offsets_[s], bits_, *tile.space);
    std::int64_t at_once = pattern.at_once;
    Result<AccessReport> report = measure(pattern, offsets_[s], bits_, *tile.space);
    if (*tile.space == AccessSpace::smem && at_once * bits_ > kMostBits) {
      made.refused = fmt::format("{} moves {} bits a thread, and shared memory is accessed by up to {}", copy_.atom().traits.name,
                                 at_once * bits_, kMostBits);
    } else if (report) {
      at_once = report->bits / bits_;
      made.narrowed = at_once < pattern.at_once;
      if (is_automatic(copy_.atom().traits) && at_once > vector_.values) made.joined = vector_.values;
      made.access = std::move(*report);
      if (made.narrowed) {
        const std::string edge = hanging_over(pattern);
        made.why_narrowed = edge.empty() ? made.access->why_not : edge;
      }
    } else {
      made.refused = report.error().message;
    }
    std::uint64_t together = kMostBits;
    for (std::int64_t v = 0; v < pattern.each; v += at_once) {
      for (std::int64_t t = 0; t < pattern.threads; ++t) {
        const std::int64_t element = pattern.element[static_cast<std::size_t>(v * pattern.threads + t)];
        if (element >= 0) together |= static_cast<std::uint64_t>(offsets_[s][static_cast<std::size_t>(element)] * bits_);
      }
    }
    made.alignment = std::int64_t{1} << std::countr_zero(together);
    return Done{};
  }

  // What CuTe itself says of thread 0.
  void partition() {
    const Result<SliceAndOffset> s = copy_.partition_s(source_.layout, 0, Law::as_cute),
                                 d = copy_.partition_d(destination_.layout, 0, Law::as_cute);
    if (!s && source_.space) made_.no_partition = "source: " + s.error().message;
    if (!d && destination_.space && made_.no_partition.empty()) made_.no_partition = "destination: " + d.error().message;
    if (!s || !d || matrices_ || !source_.space || !destination_.space) return;
    if (const auto common = max_common_vector(s->layout, d->layout)) made_.common = *common;
  }

  const TiledCopy& copy_;
  const CopyTile &source_, &destination_;
  std::int64_t bits_;
  bool matrices_ = false;
  CopyPlaces places_[2];
  std::vector<std::int64_t> offsets_[2];  // of the tensors' elements, in elements; empty: registers
  CuteVector vector_;
  CopyCheck made_;
};

}  // namespace

Result<CopyCheck> check_copy(const TiledCopy& copy, const CopyTile& source, const CopyTile& destination, std::int64_t bits) {
  if (bits < 1 || bits > kMostBits)
    return Error{ErrorCode::out_of_range, fmt::format("an element has 1 to {} bits, not {}", kMostBits, bits), {}, {}};
  return Checker(copy, source, destination, bits).run();
}

}  // namespace tessera
