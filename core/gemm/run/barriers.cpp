// SPDX-License-Identifier: BSD-3-Clause
// Barriers of the machine: arrivals and bytes of a phase, and what is known to those who have waited for it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/gemm/run/machine.hpp"

namespace tessera::machine {

std::int64_t Machine::member_of(const Actor& actor, plan::Id barrier, const plan::Index& member) {
  const std::int64_t which = actor.walk.value(member), all = plan_.barriers[barrier].members;
  if (which >= 0 && which < all) return which;
  fail(fmt::format("{}{} names member {} of {}, which has {}", who(actor), when(actor), which, plan_.barriers[barrier].name, all));
  return 0;
}

// A barrier of the whole cluster is kept with its first CTA.
std::size_t Machine::state_of(std::int64_t cta, plan::Id barrier, std::int64_t member, std::int64_t stage) const {
  const std::int64_t keeper = plan_.barriers[barrier].kind == plan::BarrierKind::cluster ? 0 : cta;
  return static_cast<std::size_t>(keeper) * barriers_of_cta_ + barrier_begin_[barrier] +
         static_cast<std::size_t>(member * stages_of(plan_.rings, plan_.barriers[barrier].ring) + std::max<std::int64_t>(stage, 0));
}

// The phase that a Wait means: of `empty` the one before the fill, else the fill's own.
std::int64_t Machine::phase_of(const Actor& actor, const plan::Barrier& barrier, plan::Id id, const plan::Stage& stage) const {
  const plan::Ring& ring = plan_.rings[barrier.ring];
  const std::int64_t fill = actor.walk.fill(stage);
  const std::int64_t lap = (fill - actor.walk.stage(stage)) / ring.stages;
  return ring.empty == id ? lap - 1 : lap;
}

// The threads of an operation know that the CTA's mbarriers are initialised.
bool Machine::is_initialised(const Actor& actor, const plan::Step& step, std::size_t index) {
  if (initialised_.empty() || plan_.barriers[barrier_id(index)].kind != plan::BarrierKind::mbarrier) return true;
  const Initialised& by = initialised_[index / barriers_of_cta_];
  const bool first = step.first_thread_only || actor.is->threads == 1;
  if (by.count > 0 && first && &actor == &actors_[by.actor]) return true;
  return by.count > 0 && actor.before[first ? 1 : 0][2 * by.actor + 1] >= by.count;
}

void Machine::arrive(Actor& actor, const plan::Step& step, std::size_t index, std::int64_t threads) {
  const plan::Id id = barrier_id(index);
  BarrierState& barrier = barriers_[index];
  if (!is_initialised(actor, step, index)) return fail_uninitialised(actor, index);
  barrier.arrived += threads;
  barrier.arrivals.emplace_back(step.op, actor.is->index);
  if (barrier.arrived > arrivals_of(id)) {
    const std::string_view them = threads == 1 ? "one thread" : "threads";
    return fail(fmt::format("{}{} of {}{} arrive{} on {}: its phase counts {} arrivals, and these are {} too many",
                            threads == 1 ? std::string() : fmt::format("{} ", threads), them, who(actor), when(actor),
                            threads == 1 ? "s" : "", barrier_words(index), arrivals_of(id), barrier.arrived - arrivals_of(id)),
                "the barrier's count is of the threads that arrive in a phase");
  }
  const std::size_t all = 2 * static_cast<std::size_t>(&actor - actors_.data());
  const bool everybody = !step.first_thread_only && threads >= actor.is->threads;
  Clock before = actor.before[1], visible = actor.visible[1];
  before[all] = everybody ? actor.count : actor.before[0][all];
  before[all + 1] = actor.count;
  visible[all] = everybody ? std::max(actor.fenced, actor.visible[0][all]) : actor.visible[0][all];
  join(barrier.gathered, before);
  join(barrier.gathered_visible, visible);
  complete(index);
}

void Machine::arrive(Actor& actor, const plan::Step& step, const plan::Arrive& arrival) {
  const bool of_ring = plan_.barriers[arrival.barrier].kind == plan::BarrierKind::mbarrier;
  const std::int64_t stage = of_ring ? actor.walk.stage(arrival.stage) : -1;
  const std::int64_t event = note(actor, step, stage);
  const std::int64_t first = arrival.in_whole_cluster ? 0 : actor.cta, last = arrival.in_whole_cluster ? ctas_ - 1 : actor.cta;
  for (std::int64_t cta = first; cta <= last && !error_; ++cta) {
    if (!alive(cta)) {
      return fail(fmt::format("{}{} arrives on {} of CTA {}, whose roles have all ended", who(actor), when(actor),
                              plan_.barriers[arrival.barrier].name, cta),
                  "a cluster barrier at the end keeps a CTA until its peers no longer signal it");
    }
    const std::size_t index = state_of(cta, arrival.barrier, member_of(actor, arrival.barrier, arrival.member), stage);
    barriers_[index].last_event = event;
    arrive(actor, step, index, arrival.threads);
  }
}

void Machine::expect(Actor& actor, const plan::Step& step, const plan::Expect& expected) {
  const std::int64_t stage = actor.walk.stage(expected.stage);
  const std::size_t index = state_of(actor.cta, expected.barrier, member_of(actor, expected.barrier, expected.member), stage);
  barriers_[index].last_event = note(actor, step, stage);
  barriers_[index].bytes += plan_.barriers[expected.barrier].bytes;
  arrive(actor, step, index, 1);
}

bool Machine::alive(std::int64_t cta) const {
  return std::any_of(actors_.begin(), actors_.end(), [&](const Actor& actor) { return actor.cta == cta && !actor.ended; });
}

std::int64_t Machine::arrivals_of(plan::Id id) const { return plan_.barriers[id].arrivals; }

// A phase is over when everybody has arrived and all bytes are there.
void Machine::complete(std::size_t index) {
  BarrierState& barrier = barriers_[index];
  const plan::Id id = barrier_id(index);
  if (barrier.arrived < arrivals_of(id)) return;
  if (barrier.bytes < 0) {
    return fail(fmt::format("{} gets {} bytes more than it expects in a phase, which are {}", barrier_words(index), -barrier.bytes,
                            plan_.barriers[id].bytes),
                "the barrier's bytes are those of all copies that complete on it in a phase");
  }
  if (barrier.bytes > 0) return;
  if (timed_ && plan_.barriers[id].kind == plan::BarrierKind::mbarrier) {
    const std::size_t of_cta = index % barriers_of_cta_;
    shared_.result.phases.push_back({static_cast<std::int64_t>(index / barriers_of_cta_), id,
                                     static_cast<std::int64_t>(of_cta - barrier_begin_[id]), static_cast<std::int64_t>(barrier.completed),
                                     time_});
  }
  ++barrier.completed;
  barrier.arrived = 0;
  join(barrier.released, barrier.gathered);
  join(barrier.released_visible, barrier.gathered_visible);
  barrier.released[first_barrier_entry_ + index] = barrier.completed;
  barrier.releasing_event = barrier.last_event;
  barrier.of_phases_over.insert(barrier.of_phases_over.end(), barrier.arrivals.begin(), barrier.arrivals.end());
  barrier.arrivals.clear();
}

bool Machine::pass(Actor& actor, const plan::Step& step, const plan::Wait& wait) {
  const plan::Barrier& is = plan_.barriers[wait.barrier];
  const std::int64_t stage = is.kind == plan::BarrierKind::mbarrier ? actor.walk.stage(wait.stage) : -1;
  const std::size_t index = state_of(actor.cta, wait.barrier, member_of(actor, wait.barrier, wait.member), stage);
  BarrierState& barrier = barriers_[index];
  if (is.kind == plan::BarrierKind::mbarrier) {
    if (!is_initialised(actor, step, index)) return fail_uninitialised(actor, index), true;
    // The hardware compares one bit: the phase it waits for is over when the barrier is in a phase of the other parity.
    const std::int64_t phase = phase_of(actor, is, wait.barrier, wait.stage);
    if (((static_cast<std::int64_t>(barrier.completed) ^ phase) & 1) == 0) return false;
  } else {
    if (!actor.arrived) {
      actor.arrived = true;
      actor.waits_for = barrier.completed;
      arrive(actor, step, index, step.first_thread_only ? 1 : actor.is->threads);
      if (error_) return true;
    }
    if (barrier.completed == actor.waits_for) return false;
    actor.arrived = false;
  }
  for (const Simulation::Executed& arrival : barrier.of_phases_over) was_of_use(arrival);
  barrier.of_phases_over.clear();
  const std::int64_t event = note(actor, step, stage);
  if (event >= 0) shared_.result.timeline[static_cast<std::size_t>(event)].released_by = barrier.releasing_event;
  if (event >= 0 && is.kind != plan::BarrierKind::mbarrier) barrier.last_event = event;
  for (const int first : {0, 1}) {
    if (first == 0 && step.first_thread_only) continue;
    join(actor.before[first], barrier.released);
    join(actor.visible[first], barrier.released_visible);
  }
  return true;
}

}  // namespace tessera::machine
