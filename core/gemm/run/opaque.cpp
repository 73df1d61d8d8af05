// SPDX-License-Identifier: BSD-3-Clause
// Operations of which a name, what is read and written and how long it takes are all that is known: ordered and raced as any other.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/run/machine.hpp"

namespace tessera::machine {

namespace {

By by_of(const plan::Opaque& opaque) {
  if (opaque.barrier != plan::kNone) return By::tma;
  if (!opaque.group) return By::threads;
  switch (*opaque.group) {
    case plan::GroupOf::cp_async: return By::cp_async;
    case plan::GroupOf::wgmma: return By::wgmma;
    case plan::GroupOf::bulk: return By::bulk;
  }
  return By::threads;
}

}  // namespace

void Machine::opaque(Actor& actor, const plan::Step& step, const plan::Opaque& opaque) {
  std::vector<Place> reads, writes;
  for (const auto& [ats, places] : {std::pair{&opaque.reads, &reads}, {&opaque.writes, &writes}}) {
    for (const plan::At& at : *ats) {
      if (plan_.tensors[plan_.partitions[at.partition].tensor].space == plan::Space::global) continue;  // has no order here
      auto place = shared_.addresses.place(at, actor.walk);
      if (!place) return fail_place(actor, *step.op, place.error());
      places->push_back(*place);
    }
  }
  const By by = by_of(opaque);
  if (by == By::tma && !one_thread(actor, step)) return;
  const Place* const shown = !writes.empty() ? &writes.front() : !reads.empty() ? &reads.front() : nullptr;
  const std::uint32_t action = begin(actor, step, by, shown);
  const auto units = static_cast<std::int64_t>(std::ceil(opaque.units));
  if (by == By::tma) arrives_later(actor, opaque, writes, action, units);
  actions_[action].ready = time_ + units;
  if (by == By::threads) {
    actor.busy_until = time_ + units;
    if (actions_[action].event >= 0) shared_.result.timeline[static_cast<std::size_t>(actions_[action].event)].end = time_ + units;
  }
  if (!shared_.options.values) return;
  const bool asynchronous = by != By::threads && by != By::cp_async;
  for (const std::int64_t thread : threads_of(actor, step, 0)) {
    const Viewer viewer = this->viewer(actor, step, thread - actor.is->first_thread, asynchronous);
    for (const Place& place : reads) {
      for (std::int64_t i = 0; i < place.count() && !error_; ++i) load(actor, place, thread, place.element(thread, i), viewer, action);
    }
    const Viewer writer = by == By::tma ? this->viewer(actor, step, 0, false) : viewer;
    for (const Place& place : writes) {
      for (std::int64_t i = 0; i < place.count() && !error_; ++i) store(actor, place, thread, place.element(thread, i), writer, action, 0);
    }
    if (error_) return;
  }
  if (by != By::wgmma) return;
  for (const Place& place : writes) {
    if (place.tensor().space != plan::Space::registers) continue;
    Registers& registers = this->registers(actor, place);
    for (std::int64_t i = 0; i < place.count(); ++i)
      registers.under_way[static_cast<std::size_t>(actor.role * registers.elements + place.element(actor.is->first_thread, i))] = action;
  }
}

// The bytes of what TMA writes, on the barrier of the stage that it writes.
void Machine::arrives_later(Actor& actor, const plan::Opaque& opaque, const std::vector<Place>& writes, std::uint32_t action,
                            std::int64_t units) {
  std::int64_t bytes = 0;
  for (const Place& place : writes) bytes += place.count() * bits(place.tensor().type) / 8;
  const std::size_t barrier =
      state_of(actor.cta, opaque.barrier, member_of(actor, opaque.barrier, opaque.member), actor.walk.stage(opaque.writes.front().stage));
  actions_[action].entry = static_cast<std::uint16_t>(first_barrier_entry_ + barrier);
  in_flight_.push_back({action, barrier, bytes, time_ + std::max<std::int64_t>(units - kStepsOnTheWay, 0)});
}

// Until when the last of the groups that are waited for has its units; 0: there is none.
std::int64_t Machine::ready_at(const Actor& actor, const plan::WaitGroup& wait) const {
  std::int64_t latest = 0, left = wait.pending;
  const std::deque<std::vector<std::uint32_t>>& committed = actor.groups[static_cast<std::size_t>(wait.of)].committed;
  for (auto group = committed.rbegin(); group != committed.rend(); ++group) {
    if (left-- > 0) continue;
    for (const std::uint32_t action : *group) latest = std::max(latest, actions_[action].ready);
  }
  return latest;
}

// Is anybody at work, or anything on its way, that only time can end?
bool Machine::time_will_help() const {
  return std::any_of(actors_.begin(), actors_.end(), [&](const Actor& actor) { return actor.busy_until > time_; }) ||
         (shared_.options.interleaving == 0 && !in_flight_.empty() && in_flight_.front().since > time_);
}

}  // namespace tessera::machine
