// SPDX-License-Identifier: BSD-3-Clause
// What the machine says of a plan whose operations do not fit together: who did what to which stage at which k_tile, and what is missing.
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/gemm/refuse.hpp"
#include "core/gemm/run/machine.hpp"

namespace tessera::machine {

std::string kind_of(const plan::Op& op) {
  const auto copy = [](const plan::Copy& of) -> std::string {
    switch (of.by) {
      case plan::CopyBy::load_store: return "copy";
      case plan::CopyBy::cp_async: return "cp_async";
      case plan::CopyBy::ldmatrix:
      case plan::CopyBy::ldmatrix_trans: return "ldmatrix";
      case plan::CopyBy::stmatrix: return "stmatrix";
      case plan::CopyBy::tma_load: return "tma_load";
      case plan::CopyBy::tma_store: return "tma_store";
      case plan::CopyBy::wmma_load: return "wmma_load";
      case plan::CopyBy::wmma_store: return "wmma_store";
    }
    return {};
  };
  return std::visit(Overloaded{
                        copy,
                        [](const plan::Mma& of) -> std::string { return of.by == plan::MmaBy::wgmma ? "wgmma" : "mma"; },
                        [](const plan::Convert&) -> std::string { return "conversion"; },
                        [](const plan::Commit&) -> std::string { return "commit"; },
                        [](const plan::WaitGroup&) -> std::string { return "wait for a group"; },
                        [](const plan::Expect&) -> std::string { return "expect"; },
                        [](const plan::Arrive&) -> std::string { return "arrival"; },
                        [](const plan::Wait&) -> std::string { return "wait"; },
                        [](const plan::Advance&) -> std::string { return "advance"; },
                        [](const plan::Fence&) -> std::string { return "fence"; },
                        [](const plan::SetRegisters&) -> std::string { return "register count"; },
                        [](const plan::NextTile&) -> std::string { return "next tile"; },
                        [](const plan::Opaque& of) -> std::string { return of.name; },
                        [](const plan::Loop&) -> std::string { return "loop"; },
                        [](const plan::When&) -> std::string { return "condition"; },
                        [](const plan::Named&) -> std::string { return "call"; },
                    },
                    op.op);
}

void Machine::fail(std::string message, std::string what_to_try) {
  if (op_ != nullptr && op_->line > 0) message = fmt::format("line {} of the plan: {}", op_->line, message);
  if (!error_) error_ = refuse(ErrorCode::bad_spec, std::move(message), std::move(what_to_try));
}

std::string Machine::who(const Actor& actor) const {
  return actor.is->name + (ctas_ > 1 ? fmt::format(" of CTA {}", first_cta_ + actor.cta) : std::string());
}

namespace {
std::string time_words(std::int64_t k_tile, std::int64_t tile) {
  return (k_tile >= 0 ? fmt::format(" at k_tile {}", k_tile) : std::string()) +
         (tile > 0 ? fmt::format(" of tile {}", tile) : std::string());
}
}  // namespace

std::string Machine::when(const Actor& actor) const { return time_words(actor.walk.variable("k_tile"), actor.walk.tile().number); }
std::string Machine::when(const Action& action) const { return time_words(action.k_tile, action.tile); }

std::string Machine::where(const Place& place) const {
  return place.stage >= 0 ? fmt::format("stage {} of {}", place.stage, place.tensor().name) : place.tensor().name;
}

void Machine::fail_access(const Actor& actor, const Place& place, std::int64_t thread, const Verdict& verdict, std::uint32_t action,
                          std::int64_t cta) {
  const Action &mine = actions_[action], &other = actions_[verdict.other.action];
  const std::string here = where(place) + (cta >= 0 && cta != actor.cta ? fmt::format(" of CTA {}", first_cta_ + cta) : std::string());
  const std::string me = who(actor), now = when(mine), mine_is = kind_of(*mine.op);
  const std::string them = verdict.other.action == kNoAction ? std::string() : who(actors_[other.actor]);
  const std::string their = verdict.other.action == kNoAction ? std::string() : kind_of(*other.op);
  const auto one = [](std::uint16_t t) { return t == kAllThreads ? std::string("other threads") : fmt::format("thread {}", t); };
  const bool same_role = verdict.other.action != kNoAction && &actors_[other.actor] == &actor;
  switch (verdict.clash) {
    case Clash::none: return;
    case Clash::outside:
      return fail(fmt::format("the {} of {}{} goes beyond {}: its partition {} leaves the tensor", mine_is, me, now, here,
                              place.walked->partition->name));
    case Clash::unwritten:
      return fail(fmt::format("{} is read by {}{} before its copy has arrived: nothing was written there", here, me, now),
                  fmt::format("the {} of thread {}", mine_is, thread));
    case Clash::under_way:
      return fail(fmt::format("{} is read by {}{} before its copy has arrived: the {} of {}{} is {}", here, me, now, their, them,
                              when(other), other.over == kNever ? "under way" : "not waited for by who reads"),
                  "a wait or wait_group before the read, and a barrier after the wait_group");
    case Clash::no_barrier:
      return fail(fmt::format("{} is read by {}{} before its copy has arrived: {} reads what {}{} wrote{}, without a barrier in between",
                              here, me, now, one(static_cast<std::uint16_t>(thread - actor.is->first_thread)), one(verdict.other.thread),
                              same_role ? std::string() : " of " + them, when(other)),
                  "a wait on a barrier of both");
    case Clash::no_fence:
      return fail(fmt::format("{} is read by the {} of {}{}, but {} of {} wrote it{} without a fence proxy_async before the barrier", here,
                              mine_is, me, now, one(verdict.other.thread), them, when(other)),
                  "a fence proxy_async of those who write, then a barrier, then the asynchronous read");
    case Clash::older_fill:
      return fail(fmt::format("{} is read by {}{} before its copy has arrived: {} wants fill {} of the ring, and fill {} is there", here,
                              me, now, me, place.fill, other.fill),
                  "cursors that begin and advance alike in the roles that write and read");
    case Clash::newer_fill:
      return fail(fmt::format("{} is overwritten too early: {} reads fill {} of the ring{}, and fill {} of {} is there", here, me,
                              place.fill, now, other.fill, them),
                  "a wait before the stage is written again, and cursors that advance alike");
    case Clash::still_read:
      return fail(
          fmt::format("{} is overwritten too early: the {} of {}{} writes it while the {} of {}{} may still read it", here, mine_is, me,
                      now, their, them, when(other)),
          other.over == kNever ? "a wait_group of the reader before it releases the stage" : "a barrier between the read and the write");
    case Clash::still_written:
      return fail(fmt::format("{} is overwritten too early: the {} of {}{} writes it while the {} of {}{} may still write it", here,
                              mine_is, me, now, their, them, when(other)),
                  "a barrier between the two, or places of their own");
  }
}

void Machine::fail_outside(const Actor& actor, const Place& place, std::int64_t thread, std::int64_t i, const char* does) {
  const plan::TwoModes at = place.coordinate(thread, i);
  fail(fmt::format("thread {} of {}{} {} ({},{}) of {}, which has {} x {} elements", thread - actor.is->first_thread, who(actor),
                   when(actor), does, at[0], at[1], place.tensor().name, place.extents[0], place.extents[1]),
       "a predicate by the coordinates of its partition");
}

void Machine::fail_unwritten(const Actor& actor, const Place& place, std::int64_t thread, std::int64_t element) {
  fail(fmt::format("register {} of {} in thread {} of {} is read{} before anything was written there", element, place.tensor().name,
                   thread - actor.is->first_thread, who(actor), when(actor)));
}

void Machine::fail_accumulators(const Actor& actor, const Place& place, std::uint32_t action, const char* what) {
  fail(fmt::format("{} of {} is {}{} before the wgmma that writes it is waited for: the one{} is under way", place.tensor().name,
                   who(actor), what, when(actor), when(actions_[action])),
       "a wait_group wgmma before its accumulators are touched");
}

void Machine::fail_no_fence(const Actor& actor, const Place& place) {
  fail(fmt::format("the wgmma of {}{} begins without a fence wgmma after other instructions touched its registers {}", who(actor),
                   when(actor), place.tensor().name),
       "a fence wgmma before the first wgmma, and whenever its registers were touched");
}

void Machine::fail_uninitialised(const Actor& actor, std::size_t barrier) {
  fail(fmt::format("the {} of {}{} is on {}, of which {} does not know that it is initialised", kind_of(*op_), who(actor), when(actor),
                   barrier_words(barrier), who(actor)),
       "a Fence mbarrier_init of one thread, and a barrier between it and whoever uses an mbarrier");
}

void Machine::fail_place(const Actor& actor, const plan::Op& op, const Error& error) {
  fail(fmt::format("the {} of {}{}: {}", kind_of(op), who(actor), when(actor), error.message));
}

plan::Id Machine::barrier_id(std::size_t index) const {
  const std::size_t of_cta = index % barriers_of_cta_;
  plan::Id id = 0;
  while (id + 1U < barrier_begin_.size() && barrier_begin_[id + 1U] <= of_cta) ++id;
  return id;
}

std::string Machine::barrier_words(std::size_t index) const {
  const plan::Id id = barrier_id(index);
  const plan::Barrier& barrier = plan_.barriers[id];
  const auto stages = static_cast<std::size_t>(stages_of(plan_.rings, barrier.ring)), place = index % barriers_of_cta_ - barrier_begin_[id];
  std::string words = barrier.name_of(static_cast<std::int64_t>(place / stages));
  if (barrier.kind == plan::BarrierKind::mbarrier) words += fmt::format(" of stage {}", place % stages);
  if (ctas_ > 1 && barrier.kind != plan::BarrierKind::cluster)
    words += fmt::format(" of CTA {}", first_cta_ + static_cast<std::int64_t>(index / barriers_of_cta_));
  return words;
}

std::string Machine::element_of_c(std::int64_t element) const {
  for (std::int64_t n = 0; n < plan_.n; ++n) {
    for (std::int64_t m = 0; m < plan_.m; ++m) {
      if (evaluate(plan_.gmem(Operand::c).layout, m, n) == element) return fmt::format("({},{})", m, n);
    }
  }
  return fmt::format("{}", element);
}

void Machine::fail_deadlock() {
  std::string waiting, ended;
  for (const Actor& actor : actors_) {
    if (actor.ended) {
      ended += (ended.empty() ? "" : ", ") + who(actor);
      continue;
    }
    const plan::Wait* const wait = actor.next ? std::get_if<plan::Wait>(&actor.next->op->op) : nullptr;
    if (wait == nullptr) continue;
    const bool of_ring = plan_.barriers[wait->barrier].kind == plan::BarrierKind::mbarrier;
    const std::size_t index =
        state_of(actor.cta, wait->barrier, member_of(actor, wait->barrier, wait->member), of_ring ? actor.walk.stage(wait->stage) : -1);
    const BarrierState& barrier = barriers_[index];
    waiting += (waiting.empty() ? "" : "; ") + fmt::format("{} waits{} for {}, which has {} of {} arrivals", who(actor), when(actor),
                                                           barrier_words(index), barrier.arrived, arrivals_of(wait->barrier));
    if (barrier.bytes > 0) waiting += fmt::format(" and waits for {} bytes", barrier.bytes);
    if (barrier.bytes < 0) waiting += fmt::format(" and {} bytes that nobody has announced", -barrier.bytes);
  }
  fail(fmt::format("the roles wait for ever: {}{}", waiting, ended.empty() ? std::string() : fmt::format("; ended: {}", ended)),
       "each phase of a barrier gets the arrivals and the bytes that it counts");
}

}  // namespace tessera::machine
