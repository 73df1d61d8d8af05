// SPDX-License-Identifier: BSD-3-Clause
// verify: is a stage written only when it is empty, read only when it is full, and released only after it was read?
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

constexpr std::int64_t kLapsKnown = 4;  // fills only count upwards: what was known of laps long past is not asked for again

// The tensors of shared memory that a role copies to or from, or multiplies.
void add_tensors(const GemmPlan& plan, const Role& role, std::set<Id>& tensors) {
  const auto add = [&](const At& at) {
    if (at.partition == kNone) return;
    const Id tensor = plan.partitions[at.partition].tensor;
    if (plan.tensors[tensor].space == Space::shared) tensors.insert(tensor);
  };
  each_op_of(plan, role.block, [&](const Op& op) {
    if (!std::holds_alternative<Convert>(op.op)) each_at(op, [&](const At& at, bool) { add(at); });
  });
}

}  // namespace

// The members of a family have their own parts of what its block names.
StageOrder::StageOrder(const GemmPlan& plan, const Member& role, std::string who) : plan_(plan), role_(role), who_(std::move(who)) {
  for (const Role& other : plan.roles) {
    if (&other != role.role) add_tensors(plan, other, shared_);
  }
}

std::string StageOrder::where(const At& at, const Walk& walk) const {
  return at.stage.cursor == kNone ? tensor(at).name : fmt::format("stage {} of {}", walk.stage(at.stage), tensor(at).name);
}

std::string StageOrder::now(const Walk& walk) const {
  const std::int64_t k_tile = walk.variable("k_tile"), tile = walk.tile().number;
  return who_ + (k_tile >= 0 ? fmt::format(" at k_tile {}", k_tile) : std::string()) +
         (tile > 0 ? fmt::format(" of tile {}", tile) : std::string());
}

Error StageOrder::read_too_early(const At& at, const Walk& walk, const std::string& why) const {
  return wrong(fmt::format("{} is read by {} before its copy has arrived: {}", where(at, walk), now(walk), why),
               "a wait or wait_group before the read, and a barrier after the wait_group");
}

Error StageOrder::written_too_early(const At& at, const Walk& walk, const std::string& why) const {
  return wrong(fmt::format("{} is overwritten too early by {}: {}", where(at, walk), now(walk), why),
               "a wait between the last read and the write");
}

std::string StageOrder::unwaited(Id barrier, const At& at, const Walk& walk) const {
  const std::string& name = plan_.barriers[barrier].name;
  bool is_waited = waited_.contains(barrier);
  Walk ahead = walk;
  while (const std::optional<Step> step = ahead.next()) {
    const auto* of = std::get_if<Wait>(&step->op->op);
    if (of == nullptr || of->barrier != barrier) continue;
    if (ahead.fill(of->stage) == walk.fill(at.stage)) return fmt::format("{} waits for {} too late", who_, name);
    is_waited = true;
  }
  return is_waited ? fmt::format("{} waits for {}, but never for this fill of the stage", who_, name)
                   : fmt::format("nobody here waits for {}", name);
}

StageOrder::Place& StageOrder::place(const At& at, const Walk& walk) {
  return places_[{plan_.partitions[at.partition].tensor, at.stage.cursor == kNone ? 0 : walk.stage(at.stage)}];
}

StageOrder::Known& StageOrder::known(Id ring, std::int64_t fill) {
  const Fill oldest{ring, fill - kLapsKnown * plan_.rings[ring].stages};
  auto first = known_.lower_bound(Fill{ring, std::numeric_limits<std::int64_t>::min()});
  while (first != known_.end() && first->first < oldest) first = known_.erase(first);
  return known_[{ring, fill}];
}

Status StageOrder::step(const Step& step, const Walk& walk) {
  const bool one_thread = step.first_thread_only;
  if (const auto* of = std::get_if<Copy>(&step.op->op)) return copy(*of, step, walk);
  if (std::holds_alternative<NextTile>(step.op->op)) {
    ++tiles_;
    // No stage is read, whose tiles `end` would count: all of them have to be loaded.
    for (const Operand operand : {Operand::a, Operand::b}) {
      if (!plan_.has_smem()) copied_.try_emplace({operand, walk.tile().number});
    }
  }
  if (const auto* mma = std::get_if<Mma>(&step.op->op)) {
    const bool is_wgmma = mma->by == MmaBy::wgmma;
    groups(GroupOf::wgmma).begun += is_wgmma, groups(GroupOf::wgmma).of_all |= is_wgmma;
    for (const At* at : {&mma->a, &mma->b}) {
      if (tensor(*at).space != Space::shared) continue;
      TESSERA_CHECK(read(*at, one_thread, is_wgmma ? std::optional(GroupOf::wgmma) : std::nullopt, walk));
    }
  }
  if (const auto* of = std::get_if<Opaque>(&step.op->op)) return opaque(*of, step, walk);
  if (const auto* of = std::get_if<Convert>(&step.op->op);
      of != nullptr && of->c.partition != kNone && tensor(of->c).space == Space::shared)
    return read(of->c, one_thread, std::nullopt, walk);
  if (const auto* of = std::get_if<Commit>(&step.op->op)) return commit(*of, one_thread, walk);
  if (const auto* of = std::get_if<WaitGroup>(&step.op->op)) return wait(*of, step, walk);
  if (const auto* fence = std::get_if<Fence>(&step.op->op); fence != nullptr && fence->kind == FenceKind::proxy_async) {
    for (auto& [key, at] : places_) {
      if (at.written != kNever && !at.writer && at.fenced == kNever && !alone(one_thread)) at.fenced = time_;
    }
  }
  if (const auto* of = std::get_if<Wait>(&step.op->op)) return wait(*of, one_thread, walk);
  if (const auto* of = std::get_if<Arrive>(&step.op->op)) return release(*of, one_thread, walk);
  return Done{};
}

Status StageOrder::copy(const Copy& of, const Step& step, const Walk& walk) {
  const auto begins = [&](GroupOf kind) { ++groups(kind).begun, groups(kind).of_all |= !step.first_thread_only; };
  if (of.by == CopyBy::cp_async) begins(GroupOf::cp_async);
  if (of.by == CopyBy::tma_store) begins(GroupOf::bulk);
  if (tensor(of.from).space == Space::shared) {
    TESSERA_CHECK(read(of.from, step.first_thread_only, of.by == CopyBy::tma_store ? std::optional(GroupOf::bulk) : std::nullopt, walk));
  }
  TESSERA_CHECK(follow_k_tile(of, walk));
  if (tensor(of.to).space != Space::shared) return Done{};
  TESSERA_CHECK(write(of.to, step.first_thread_only, walk));
  begin_write(of.to, of.by == CopyBy::cp_async ? std::optional(GroupOf::cp_async) : std::nullopt, of.by == CopyBy::tma_load, walk);
  return Done{};
}

Status StageOrder::opaque(const Opaque& of, const Step& step, const Walk& walk) {
  if (of.group) ++groups(*of.group).begun, groups(*of.group).of_all |= !step.first_thread_only;
  for (const At& at : of.reads) {
    if (tensor(at).space == Space::shared) TESSERA_CHECK(read(at, step.first_thread_only, of.group, walk));
  }
  for (const At& at : of.writes) {
    if (tensor(at).space != Space::shared) continue;
    TESSERA_CHECK(write(at, step.first_thread_only, walk));
    begin_write(at, of.group, of.barrier != kNone, walk);
  }
  return Done{};
}

// ---- groups and barriers
// -----------------------------------------------------------------------------------------------------------------

Status StageOrder::commit(const Commit& of, bool one_thread, const Walk& walk) {
  Groups& kind = groups(of.of);
  if (kind.of_all && alone(one_thread))
    return wrong(fmt::format("one thread of {} commits what every thread began: a thread commits its own operations", now(walk)));
  ++kind.open, kind.begun = 0;
  return Done{};
}

Status StageOrder::wait(const WaitGroup& of, const Step& step, const Walk& walk) {
  Groups& kind = groups(of.of);
  if (of.pending < 0) return wrong(fmt::format("{} waits until {} groups are under way", now(walk), of.pending));
  if (kind.begun > 0) {
    return wrong(fmt::format("{} waits for groups while {} of this kind {} not committed: {}", now(walk),
                             kind.begun == 1 ? "an operation" : fmt::format("{} operations", kind.begun), kind.begun == 1 ? "is" : "are",
                             explain(plan_, *step.op)),
                 "a commit before the wait_group");
  }
  if (kind.of_all && alone(step.first_thread_only))
    return wrong(fmt::format("one thread of {} waits for groups that every thread began: a thread waits for its own", now(walk)));
  kind.done = std::max(kind.done, kind.open - of.pending);
  for (auto& [key, at] : places_) {
    if (at.writer && !is_under_way(at.writer)) at.writer.reset(), at.written = time_, at.fenced = kNever;
    if (!at.reader || is_under_way(at.reader)) continue;
    at.read_alone = step.first_thread_only && (at.read != time_ || at.read_alone);
    at.reader.reset(), at.read = time_;
  }
  return Done{};
}

Status StageOrder::wait(const Wait& of, bool one_thread, const Walk& walk) {
  const Barrier& barrier = plan_.barriers[of.barrier];
  if (barrier.kind != BarrierKind::mbarrier) {
    if (alone(one_thread))
      return wrong(fmt::format("one thread of {} waits on {}, where all of them have to come", now(walk), barrier.name));
    ++time_;
    for (auto& [fill, is] : known_) is.full_to_all |= is.full, is.empty_to_all |= is.empty;  // whoever waited tells the others
    return Done{};
  }
  waited_.insert(of.barrier);
  Known& is = known(barrier.ring, walk.fill(of.stage));
  if (plan_.rings[barrier.ring].full == of.barrier) is.full = true, is.full_to_all |= !alone(one_thread);
  for (auto& [key, at] : places_) {  // what was under way is there: to all who wait
    const bool is_this = plan_.tensors[key.first].ring == barrier.ring && at.fill == walk.fill(of.stage);
    if (at.arriving && is_this && plan_.rings[barrier.ring].full == of.barrier)
      at.arriving = false, at.written = alone(one_thread) ? time_ : std::max<std::int64_t>(time_ - 1, 0);
  }
  if (plan_.rings[barrier.ring].empty == of.barrier) is.empty = true, is.empty_to_all |= !alone(one_thread);
  return Done{};
}

Status StageOrder::release(const Arrive& of, bool one_thread, const Walk& walk) {
  const Barrier& barrier = plan_.barriers[of.barrier];
  if (barrier.kind != BarrierKind::mbarrier || plan_.rings[barrier.ring].empty != of.barrier) return Done{};
  Known& is = known(barrier.ring, walk.fill(of.stage));
  const auto released = [&](std::string_view readers) {
    return wrong(fmt::format("stage {} is released by {} while {} may still read it", walk.stage(of.stage), now(walk), readers),
                 "a wait_group of the reader, or a barrier of the threads that read, before the stage is released");
  };
  if (is_under_way(is.reader)) return released(is.reader->of == GroupOf::wgmma ? "its wgmma" : "its tma_store");
  if (is.read == time_ && (alone(one_thread) || of.threads < role_.threads)) return released("other threads");
  is.released = true;
  return Done{};
}

// ---- reads and writes
// --------------------------------------------------------------------------------------------------------------------

Status StageOrder::read_known(const At& at, bool one_thread, std::optional<GroupOf> asynchronous, const Walk& walk) {
  const Ring& ring = plan_.rings[tensor(at).ring];
  Known& is = known(tensor(at).ring, walk.fill(at.stage));
  if (!is.full) return read_too_early(at, walk, unwaited(ring.full, at, walk));
  if (!is.full_to_all && !one_thread) return read_too_early(at, walk, "one thread waits, and all of them read");
  if (is.released)
    return wrong(fmt::format("{} is overwritten too early: {} reads it after it has released it", where(at, walk), now(walk)),
                 "the arrive after the last read");
  if (asynchronous)
    is.reader = Group{*asynchronous, groups(*asynchronous).open};
  else
    is.read = time_;
  return Done{};
}

Status StageOrder::read(const At& at, bool one_thread, std::optional<GroupOf> asynchronous, const Walk& walk) {
  const Tensor& from = tensor(at);
  const std::int64_t fill = at.stage.cursor == kNone ? 0 : walk.fill(at.stage);
  if (from.ring != kNone && &from == smem_of(from.operand)) read_[from.operand].insert(fill);
  if (has_mbarriers(from)) return read_known(at, one_thread, asynchronous, walk);
  if (shared_.contains(plan_.partitions[at.partition].tensor)) return Done{};
  Place& is = place(at, walk);
  if (is.written == kNever && !is.writer) return read_too_early(at, walk, "nothing was written there");
  if (is.fill < fill)
    return read_too_early(at, walk, fmt::format("{} wants fill {} of the ring, and fill {} is there", who_, fill, is.fill));
  if (is.fill > fill)
    return wrong(fmt::format("{} is overwritten too early: {} reads fill {} of the ring, and fill {} is there", where(at, walk), now(walk),
                             fill, is.fill),
                 "a wait between the last read and the write");
  if (is.writer) return read_too_early(at, walk, "the cp_async is under way");
  if (is.arriving) return read_too_early(at, walk, unwaited(plan_.rings[from.ring].full, at, walk));
  if (is.written == time_ && role_.threads > 1) return read_too_early(at, walk, "other threads wrote it, without a barrier in between");
  if (asynchronous && (is.fenced == kNever || (is.fenced == time_ && role_.threads > 1)))
    return wrong(fmt::format("{} is read by {} without a fence proxy_async before the barrier", where(at, walk), now(walk)),
                 "a fence proxy_async of those who write, then a barrier, then the asynchronous read");
  is.read_alone = one_thread && (is.read != time_ || is.read_alone);
  is.read = time_;
  if (asynchronous) is.reader = Group{*asynchronous, groups(*asynchronous).open};
  return Done{};
}

Status StageOrder::write(const At& at, bool one_thread, const Walk& walk) {
  const Tensor& to = tensor(at);
  const std::int64_t fill = at.stage.cursor == kNone ? 0 : walk.fill(at.stage);
  if (has_mbarriers(to)) {
    const Ring& ring = plan_.rings[to.ring];
    if (ring.empty == kNone)
      return fill < ring.stages ? Status(Done{}) : written_too_early(at, walk, "its ring has no barrier that tells when it is empty");
    const Known& is = known(to.ring, fill);
    if (!is.empty) return written_too_early(at, walk, unwaited(ring.empty, at, walk));
    if (!is.empty_to_all && !one_thread) return written_too_early(at, walk, "one thread waits, and all of them write");
    return Done{};
  }
  if (shared_.contains(plan_.partitions[at.partition].tensor)) return Done{};
  Place& is = place(at, walk);
  if (is.reader)
    return written_too_early(at, walk, is.reader->of == GroupOf::bulk ? "its tma_store may still read it" : "its wgmma may still read it");
  if (is.read == time_ && is.read != kNever && role_.threads > 1 && !(is.read_alone && one_thread))
    return written_too_early(at, walk, "other threads may still read it");
  if (is.writer && is.fill != fill) return written_too_early(at, walk, fmt::format("the copy of fill {} may still write it", is.fill));
  if (is.arriving) return written_too_early(at, walk, "its tma_load may still write it");
  return Done{};
}

void StageOrder::begin_write(const At& at, std::optional<GroupOf> group, bool arriving, const Walk& walk) {
  if (has_mbarriers(tensor(at)) || shared_.contains(plan_.partitions[at.partition].tensor)) return;
  Place& is = place(at, walk);
  is = Place{at.stage.cursor == kNone ? 0 : walk.fill(at.stage), time_, kNever, kNever, std::nullopt, std::nullopt, arriving};
  if (group) is.writer = Group{*group, groups(*group).open};
}

// ---- which tile of K
// ---------------------------------------------------------------------------------------------------------------------

Status StageOrder::follow_k_tile(const Copy& of, const Walk& walk) {
  const Tensor &from = tensor(of.from), &to = tensor(of.to);
  if (to.operand == Operand::c) return Done{};
  if (from.space == Space::global) {
    std::int64_t k_tile = kNever;
    std::vector<std::int64_t> copy{static_cast<std::int64_t>(to.operand), walk.tile().number};
    for (const Pick& pick : of.from.picks) {
      copy.push_back(pick.mode == "k_tile" ? walk.k_tile(pick.at) : walk.value(pick.at));
      if (pick.mode == "k_tile") k_tile = copy.back();
    }
    if (k_tile < 0 || k_tile >= plan_.k_tiles)
      return wrong(fmt::format("{} copies k_tile {} of {}, which has {}", now(walk), k_tile, from.name, plan_.k_tiles));
    if (!copies_.insert(std::move(copy)).second) return wrong(fmt::format("{} copies k_tile {} of {} twice", now(walk), k_tile, from.name));
    copied_[{to.operand, walk.tile().number}].insert(k_tile);
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

Status StageOrder::put_k_tile(const Tensor& to, std::int64_t k_tile, const At& at, const Walk& walk) {
  if (to.ring == kNone) return Done{};
  const Fill fill{to.ring, walk.fill(at.stage)}, past{to.ring, fill.second - plan_.rings[to.ring].stages};
  const Operand other = to.operand == Operand::a ? Operand::b : Operand::a;
  for (const Operand operand : {Operand::a, Operand::b}) k_tiles_.erase({past, operand});
  k_tiles_[{fill, to.operand}] = k_tile;
  const auto there = k_tiles_.find({fill, other});
  if (there == k_tiles_.end() || there->second == k_tile) return Done{};
  return wrong(
      fmt::format("{} gets k_tile {} by {}; the other operand has k_tile {} there", where(at, walk), k_tile, now(walk), there->second),
      "the same k_tile for A and B");
}

Status StageOrder::end() const {
  for (const auto& [operand, fills] : read_) {
    if (static_cast<std::int64_t>(fills.size()) == tiles_ * plan_.k_tiles) continue;
    return wrong(fmt::format("{} multiplies {} k-tiles of {}; {} of C and {} k-tiles each are {}", who_, fills.size(),
                             plan_.gmem(operand).name, tiles_ == 1 ? "1 tile" : fmt::format("{} tiles", tiles_), plan_.k_tiles,
                             tiles_ * plan_.k_tiles));
  }
  for (const auto& [key, at] : places_) {
    if (at.reader && at.reader->of == GroupOf::bulk)
      return wrong(fmt::format("{} ends while its tma_store may still read {}", who_, plan_.tensors[key.first].name),
                   "a wait_group of bulk stores");
  }
  return Done{};
}

}  // namespace tessera::plan
