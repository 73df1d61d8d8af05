// SPDX-License-Identifier: BSD-3-Clause
// verify: is a stage written only when it is empty, read only when it is full, and released only after it was read?
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

const char* const kWaitForCopy = "a Wait or WaitGroup before the read, and a barrier after the WaitGroup";
const char* const kWaitForReaders = "a wait between the last read and the write";

// Fills are counted upwards, so that those of laps long past are not asked for again.
template <class Fills, class Fill>
void forget_before(Fills& fills, Fill first) {
  fills.erase(fills.lower_bound(Fill{first.first, std::numeric_limits<std::int64_t>::min()}), fills.lower_bound(first));
}

}  // namespace

std::string Stages::where(const At& at, const Walk& walk) const {
  return at.stage.cursor == kNone ? tensor(at).name : fmt::format("stage {} of {}", walk.stage(at.stage), tensor(at).name);
}

std::string Stages::now(const Walk& walk) const {
  const std::int64_t k_tile = walk.variable("k_tile"), tile = walk.tile().number;
  return who_ + (k_tile >= 0 ? fmt::format(" at k_tile {}", k_tile) : std::string()) +
         (tile > 0 ? fmt::format(" of tile {}", tile) : std::string());
}

Stages::Place& Stages::place(const At& at, const Walk& walk) {
  return places_[{plan_.partitions[at.partition].tensor, at.stage.cursor == kNone ? 0 : walk.stage(at.stage)}];
}

Status Stages::step(const Step& step, const Walk& walk) {
  if (const auto* of = std::get_if<Copy>(&step.op->op)) return copy(*of, step, walk);
  if (std::holds_alternative<NextTile>(step.op->op)) ++tiles_;
  if (const auto* mma = std::get_if<Mma>(&step.op->op)) {
    for (const At* at : {&mma->a, &mma->b}) {
      if (tensor(*at).space == Space::shared) TESSERA_CHECK(read(*at, step.first_thread_only, mma->by == MmaBy::wgmma, walk));
    }
  }
  if (const auto* commit = std::get_if<Commit>(&step.op->op)) ++groups(commit->of).open;
  if (const auto* of = std::get_if<WaitGroup>(&step.op->op)) {
    Groups& kind = groups(of->of);
    kind.done = std::max(kind.done, kind.open - of->pending);
    for (auto& [key, at] : places_) {
      if (of->of == GroupOf::cp_async && at.copied_by < kind.done && at.copied_by != kNever) at.copied_by = kNever, at.written = time_;
      if (of->of == GroupOf::bulk && at.stored_by < kind.done && at.stored_by != kNever) at.stored_by = kNever, at.read = time_;
    }
  }
  if (const auto* fence = std::get_if<Fence>(&step.op->op); fence != nullptr && fence->kind == FenceKind::proxy_async) {
    for (auto& [key, at] : places_) {
      if (at.written != kNever && at.fenced == kNever) at.fenced = time_;
    }
  }
  if (const auto* of = std::get_if<Wait>(&step.op->op)) return wait(*of, step.first_thread_only, walk);
  if (const auto* of = std::get_if<Arrive>(&step.op->op)) return release(*of, walk);
  return Done{};
}

Status Stages::copy(const Copy& of, const Step& step, const Walk& walk) {
  if (tensor(of.from).space == Space::shared) TESSERA_CHECK(read(of.from, step.first_thread_only, of.by == CopyBy::tma_store, walk));
  TESSERA_CHECK(follow_k_tile(of, walk));
  return tensor(of.to).space == Space::shared ? write(of, walk) : Status(Done{});
}

Status Stages::wait(const Wait& of, bool one_thread, const Walk& walk) {
  const Barrier& barrier = plan_.barriers[of.barrier];
  if (barrier.kind != BarrierKind::mbarrier) {
    if (!one_thread) ++time_;
    return Done{};
  }
  const Fill fill{barrier.ring, walk.fill(of.stage)}, old{barrier.ring, fill.second - 4 * plan_.rings[barrier.ring].stages};
  if (plan_.rings[barrier.ring].full == of.barrier) {
    forget_before(full_, old);
    full_[fill] = full_[fill] || !one_thread;
  }
  if (plan_.rings[barrier.ring].empty == of.barrier) {
    forget_before(empty_, old);
    empty_.insert(fill);
  }
  return Done{};
}

Status Stages::release(const Arrive& of, const Walk& walk) {
  const Barrier& barrier = plan_.barriers[of.barrier];
  if (barrier.kind != BarrierKind::mbarrier || plan_.rings[barrier.ring].empty != of.barrier) return Done{};
  const Fill fill{barrier.ring, walk.fill(of.stage)}, old{barrier.ring, fill.second - 4 * plan_.rings[barrier.ring].stages};
  if (const auto reader = multiplied_.find(fill); reader != multiplied_.end() && reader->second >= groups(GroupOf::wgmma).done) {
    return wrong(fmt::format("stage {} is released by {} while its wgmma may still read it", walk.stage(of.stage), now(walk)),
                 "a WaitGroup of the reader before it releases the stage");
  }
  forget_before(multiplied_, old);
  forget_before(released_, old);
  released_.insert(fill);
  return Done{};
}

Status Stages::read(const At& at, bool one_thread, bool asynchronous, const Walk& walk) {
  const auto too_early = [&](std::string why) {
    return wrong(fmt::format("{} is read by {} before its copy has arrived: {}", where(at, walk), now(walk), why), kWaitForCopy);
  };
  const Tensor& from = tensor(at);
  if (from.ring != kNone && at.stage.cursor != kNone && from.operand != Operand::c) read_[from.operand].insert(walk.fill(at.stage));
  if (has_mbarriers(from)) {
    const Fill fill{from.ring, walk.fill(at.stage)};
    const auto waited = full_.find(fill);
    if (waited == full_.end()) return too_early(fmt::format("nobody here waits for {}", plan_.barriers[plan_.rings[from.ring].full].name));
    if (!waited->second && !one_thread) return too_early("one thread waits, and all of them read");
    if (released_.contains(fill))
      return wrong(fmt::format("{} is overwritten too early: {} reads it after it has released it", where(at, walk), now(walk)),
                   "the Arrive after the last read");
    if (asynchronous) multiplied_[fill] = groups(GroupOf::wgmma).open;
    return Done{};
  }
  Place& is = place(at, walk);
  const std::int64_t fill = at.stage.cursor == kNone ? 0 : walk.fill(at.stage);
  if (is.written == kNever && is.copied_by == kNever) return too_early("nothing was written there");
  if (is.fill < fill) return too_early(fmt::format("{} wants fill {} of the ring, and fill {} is there", who_, fill, is.fill));
  if (is.fill > fill)
    return wrong(fmt::format("{} is overwritten too early: {} reads fill {} of the ring, and fill {} is there", where(at, walk), now(walk),
                             fill, is.fill),
                 kWaitForReaders);
  if (is.copied_by != kNever) return too_early("the cp_async is under way");
  if (is.written == time_ && role_.threads > 1) return too_early("other threads wrote it, without a barrier in between");
  if (asynchronous && (is.fenced == kNever || (is.fenced == time_ && role_.threads > 1)))
    return wrong(fmt::format("{} is read by {} without a Fence proxy_async before the barrier", where(at, walk), now(walk)),
                 "a Fence proxy_async of those who write, then a barrier, then the asynchronous read");
  is.read = time_;
  if (asynchronous) is.stored_by = groups(GroupOf::bulk).open;
  return Done{};
}

Status Stages::write(const Copy& of, const Walk& walk) {
  const auto too_early = [&](std::string_view why) {
    return wrong(fmt::format("{} is overwritten too early by {}: {}", where(of.to, walk), now(walk), why), kWaitForReaders);
  };
  const Tensor& to = tensor(of.to);
  if (has_mbarriers(to)) {
    const Id empty = plan_.rings[to.ring].empty;
    if (empty == kNone || empty_.contains({to.ring, walk.fill(of.to.stage)})) return Done{};
    return too_early(fmt::format("nobody here waits for {}", plan_.barriers[empty].name));
  }
  Place& is = place(of.to, walk);
  const std::int64_t fill = of.to.stage.cursor == kNone ? 0 : walk.fill(of.to.stage);
  const bool again = is.written != kNever || is.copied_by != kNever;
  if (is.stored_by != kNever) return too_early("its tma_store may still read it");
  if (is.read == time_ && is.read != kNever && role_.threads > 1) return too_early("other threads may still read it");
  if (again && is.fill != fill && is.copied_by != kNever) return too_early(fmt::format("the copy of fill {} may still write it", is.fill));
  is = Place{fill, time_, kNever, kNever, kNever, kNever};
  if (of.by == CopyBy::cp_async) is.copied_by = groups(GroupOf::cp_async).open;
  return Done{};
}

// ---- which tile of K -------------------------------------------------------------------------------------------------------------------

Status Stages::follow_k_tile(const Copy& of, const Walk& walk) {
  const Tensor &from = tensor(of.from), &to = tensor(of.to);
  if (to.operand == Operand::c) return Done{};
  if (from.space == Space::global) {
    const auto pick = std::find_if(of.from.picks.begin(), of.from.picks.end(), [](const Pick& p) { return p.mode == "k_tile"; });
    if (pick == of.from.picks.end()) return wrong(fmt::format("{} copies {} without saying which k_tile", now(walk), from.name));
    const std::int64_t k_tile = walk.k_tile(pick->at);
    if (k_tile < 0 || k_tile >= plan_.k_tiles)
      return wrong(fmt::format("{} copies k_tile {} of {}, which has {}", now(walk), k_tile, from.name, plan_.k_tiles));
    if (!copied_[{to.operand, walk.tile().number}].insert(k_tile).second)
      return wrong(fmt::format("{} copies k_tile {} of {} twice", now(walk), k_tile, from.name));
    if (to.space == Space::shared) return put_k_tile(to, k_tile, of.to, walk);
    fetched_[to.operand] = k_tile;
    return Done{};
  }
  if (from.space != Space::registers || to.space != Space::shared) return Done{};
  const auto fetched = fetched_.find(to.operand);
  if (fetched == fetched_.end())
    return wrong(fmt::format("{} puts registers of {} into {} that hold no tile of it", now(walk), from.name, to.name));
  const std::int64_t k_tile = fetched->second;
  fetched_.erase(fetched);
  return put_k_tile(to, k_tile, of.to, walk);
}

Status Stages::put_k_tile(const Tensor& to, std::int64_t k_tile, const At& at, const Walk& walk) {
  if (to.ring == kNone || at.stage.cursor == kNone) return Done{};
  const Fill fill{to.ring, walk.fill(at.stage)}, old{to.ring, fill.second - plan_.rings[to.ring].stages};
  const Operand other = to.operand == Operand::a ? Operand::b : Operand::a;
  k_tiles_.erase(k_tiles_.begin(), k_tiles_.lower_bound({old, Operand::a}));
  k_tiles_[{fill, to.operand}] = k_tile;
  const auto there = k_tiles_.find({fill, other});
  if (there == k_tiles_.end() || there->second == k_tile) return Done{};
  return wrong(
      fmt::format("{} gets k_tile {} by {}; the other operand has k_tile {} there", where(at, walk), k_tile, now(walk), there->second),
      "the same k_tile for A and B");
}

Status Stages::end() const {
  for (const auto& [key, k_tiles] : copied_) {
    if (static_cast<std::int64_t>(k_tiles.size()) == plan_.k_tiles) continue;
    std::int64_t missing = 0;
    while (k_tiles.contains(missing)) ++missing;
    return wrong(fmt::format("{} never copies k_tile {} of {} for tile {}", who_, missing, plan_.gmem(key.first).name, key.second));
  }
  for (const auto& [operand, fills] : read_) {
    if (static_cast<std::int64_t>(fills.size()) == tiles_ * plan_.k_tiles) continue;
    return wrong(fmt::format("{} multiplies {} k-tiles of {}; {} of C and {} k-tiles each are {}", who_, fills.size(),
                             plan_.gmem(operand).name, tiles_ == 1 ? "1 tile" : fmt::format("{} tiles", tiles_), plan_.k_tiles,
                             tiles_ * plan_.k_tiles));
  }
  for (const auto& [key, at] : places_) {
    if (at.stored_by != kNever)
      return wrong(fmt::format("{} ends while its tma_store may still read {}", who_, plan_.tensors[key.first].name),
                   "a WaitGroup of bulk stores");
  }
  return Done{};
}

}  // namespace tessera::plan
