// SPDX-License-Identifier: BSD-3-Clause
// The machine's steps: who moves next, what an operation begins, and when what is asynchronous is over.
#include "core/gemm/run/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/overloaded.hpp"
#include "core/gemm/run/numerics.hpp"

namespace tessera::machine {

namespace {

std::uint64_t next_random(std::uint64_t& state) {  // xorshift64*
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return state * 0x2545f4914f6cdd1dULL;
}

// An Mma's c begins at 0 (ops.hpp).
std::vector<std::uint8_t> accumulators(const GemmPlan& plan) {
  std::vector<std::uint8_t> are(plan.tensors.size(), 0);
  plan::each_op(plan, [&](const plan::Op& op) {
    if (const auto* mma = std::get_if<plan::Mma>(&op.op)) are[plan.partitions[mma->c.partition].tensor] = 1;
  });
  return are;
}

// What is executed is of use, unless the machine looks for it.
bool is_of_use(const plan::Op& op) {
  const auto* const fence = std::get_if<plan::Fence>(&op.op);
  return !std::holds_alternative<plan::Arrive>(op.op) && !std::holds_alternative<plan::Expect>(op.op) &&
         !std::holds_alternative<plan::WaitGroup>(op.op) && !(fence && fence->kind == plan::FenceKind::wgmma);
}

}  // namespace

Machine::Machine(Shared& shared, std::int64_t first_cta)
    : shared_(shared), plan_(shared.plan), first_cta_(first_cta), ctas_(plan_.cluster_size()) {
  const std::size_t roles = shared.members.size();
  clock_entries_ = 2 * roles * static_cast<std::size_t>(ctas_);
  for (const plan::Barrier& barrier : plan_.barriers) {
    barrier_begin_.push_back(barriers_of_cta_);
    barriers_of_cta_ += static_cast<std::size_t>(barrier.members * stages_of(plan_.rings, barrier.ring));
  }
  first_barrier_entry_ = clock_entries_;
  clock_entries_ += barriers_of_cta_ * static_cast<std::size_t>(ctas_);
  const Clock zero(clock_entries_, 0);
  BarrierState state;
  state.gathered = state.gathered_visible = state.released = state.released_visible = zero;
  barriers_.assign(barriers_of_cta_ * static_cast<std::size_t>(ctas_), state);
  // A plan of opaque operations alone has no kernel, and says nothing of how its barriers begin.
  if (plan_.mma) initialised_.resize(static_cast<std::size_t>(ctas_));
  actions_.resize(1);  // kNoAction
  sums_ = accumulators(plan_);
  for (std::int64_t cta = 0; cta < ctas_; ++cta) {
    memory_.emplace_back(plan_, actions_);
    std::vector<Registers>& registers = registers_.emplace_back(plan_.tensors.size());
    for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
      const plan::Tensor& tensor = plan_.tensors[i];
      if (tensor.space != plan::Space::registers) continue;
      const auto elements = static_cast<std::size_t>(tensor.elements);
      registers[i].elements = tensor.elements;
      registers[i].values.assign(static_cast<std::size_t>(shared.threads) * elements, sums_[i] ? 0.0 : kUnwritten);
      registers[i].under_way.resize(roles * elements, kNoAction);
      registers[i].touched.resize(roles * elements, 0);
      registers[i].multiplied.resize(roles * elements, 0);
      registers[i].fill.resize(roles * elements, -1);
    }
    for (std::size_t role = 0; role < roles; ++role) {
      const plan::Member& member = shared.members[role];
      Actor actor{cta, static_cast<std::int64_t>(role), &member, plan::Walk(plan_, *member.role, first_cta + cta, member.index)};
      for (Clock* clock : {&actor.before[0], &actor.before[1], &actor.visible[0], &actor.visible[1]}) *clock = zero;
      actors_.push_back(std::move(actor));
    }
  }
  random_ = 0x9e3779b97f4a7c15ULL * (shared.options.interleaving + 1);
  timed_ = shared.options.timeline && first_cta == 0;
}

Status Machine::run() {
  std::size_t vain = 0;  // turns that moved nobody
  while (!error_ && std::any_of(actors_.begin(), actors_.end(), [](const Actor& actor) { return !actor.ended; })) {
    if (late()) return past_deadline("the simulation");
    if (arrivals_are_due() && deliver_one()) vain = 0;
    const bool moved = step(next_in_turn(vain));
    vain = moved ? 0 : vain + 1;
    if (moved && in_order()) --turn_;  // as far as it can
    // Whoever is at work, or waits for what is on its way, has turns again once that is over.
    if (!moved && time_will_help()) vain = std::min(vain, actors_.size());
    if (vain <= 4 * actors_.size()) continue;
    // Nobody can move: what is under way arrives now, or never.
    op_ = nullptr;
    if (!deliver_one()) fail_deadlock();
    vain = 0;
  }
  if (error_) return std::move(*error_);
  return Done{};
}

bool Machine::in_order() const { return shared_.options.interleaving >= 1 && shared_.options.interleaving <= 3; }

bool Machine::arrivals_are_due() {
  const std::uint32_t how = shared_.options.interleaving;
  if (how == 0) return !in_flight_.empty() && in_flight_.front().since + kStepsOnTheWay <= time_;
  return how == 2 || how == 3 || (how > 3 && next_random(random_) % 4 == 0);
}

Actor& Machine::next_in_turn(std::size_t vain) {
  const std::uint32_t how = shared_.options.interleaving;
  const std::size_t count = actors_.size();
  if (how != 0 || turn_ % count == 0) ++time_;
  std::size_t pick = turn_++ % count;
  if (how > 3 && vain < 2 * count) pick = static_cast<std::size_t>(next_random(random_) % count);
  return actors_[how == 2 ? count - 1 - pick : pick];
}

bool Machine::deliver_one() {
  if (in_flight_.empty()) return false;
  const std::uint32_t how = shared_.options.interleaving;
  const std::size_t pick = how > 3 ? static_cast<std::size_t>(next_random(random_) % in_flight_.size()) : 0;
  const InFlight arrived = in_flight_[pick];
  in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(pick));
  BarrierState& barrier = barriers_[arrived.barrier];
  barrier.bytes -= arrived.bytes;
  actions_[arrived.action].over = barrier.completed + 1;
  if (actions_[arrived.action].event >= 0) barrier.last_event = actions_[arrived.action].event;
  over(arrived.action);
  complete(arrived.barrier);
  return true;
}

bool Machine::step(Actor& actor) {
  if (actor.ended || actor.busy_until > time_) return false;
  if (!actor.next) {
    actor.next = actor.walk.next();
    ++actor.count;
    if (!actor.next) {
      finish(actor);
      return true;
    }
  }
  const plan::Step step = *actor.next;
  op_ = step.op;
  if (const auto* group = std::get_if<plan::WaitGroup>(&step.op->op); group != nullptr && ready_at(actor, *group) > time_) {
    if (actor.blocked_since < 0) actor.blocked_since = time_;
    actor.busy_until = ready_at(actor, *group);
    return false;
  }
  const plan::Wait* const wait = std::get_if<plan::Wait>(&step.op->op);
  if (wait != nullptr && !pass(actor, step, *wait)) {
    if (actor.blocked_since < 0) actor.blocked_since = time_;
    return false;
  }
  if (wait == nullptr) execute(actor, step);
  shared_.result.of_use.try_emplace({step.op, actor.is->index}, is_of_use(*step.op));
  actor.blocked_since = -1;
  actor.next.reset();
  return true;
}

void Machine::execute(Actor& actor, const plan::Step& step) {
  std::visit(Overloaded{
                 [&](const plan::Copy& op) { copy(actor, step, op); },
                 [&](const plan::Mma& op) { multiply(actor, step, op); },
                 [&](const plan::Convert& op) { convert(actor, step, op); },
                 [&](const plan::Commit& op) {
                   Groups& groups = actor.groups[static_cast<std::size_t>(op.of)];
                   if (groups.of_all && step.first_thread_only && actor.is->threads > 1)
                     return fail(fmt::format("one thread of {}{} commits what every thread began: a thread commits its own operations",
                                             who(actor), when(actor)));
                   groups.committed.push_back(std::move(groups.open));
                   groups.open.clear();
                 },
                 [&](const plan::WaitGroup& op) { wait_group(actor, step, op); },
                 [&](const plan::Expect& op) { expect(actor, step, op); },
                 [&](const plan::Arrive& op) { arrive(actor, step, op); },
                 [&](const plan::Wait&) {},  // `step` has passed it
                 [&](const plan::Advance&) {},
                 [&](const plan::Fence& op) { fence(actor, step, op); },
                 [&](const plan::SetRegisters&) { note(actor, step, -1); },
                 [&](const plan::NextTile&) {},
                 [&](const plan::Opaque& op) { opaque(actor, step, op); },
                 [&](const plan::Loop&) {},  // the walk enters blocks itself
                 [&](const plan::When&) {},
                 [&](const plan::Named&) {},
             },
             step.op->op);
}

void Machine::finish(Actor& actor) {
  actor.ended = true;
  op_ = nullptr;
  for (const Groups& groups : actor.groups) {
    std::vector<std::uint32_t> left = groups.open;
    for (const auto& group : groups.committed) left.insert(left.end(), group.begin(), group.end());
    if (left.empty()) continue;
    const Action& action = actions_[left.front()];
    fail(fmt::format("{} ends while its {}{} is under way: no wait_group waits for it", who(actor), kind_of(*action.op), when(action)));
    return;
  }
}

// Of one actor: its count, and what is known of the operation for sentences and pictures.
std::uint32_t Machine::begin(Actor& actor, const plan::Step& step, By by, const Place* place) {
  Action action;
  action.by = by;
  action.actor = static_cast<std::uint16_t>(&actor - actors_.data());
  action.over = by == By::threads ? actor.count : kNever;
  action.op = step.op;
  const bool of_k = place != nullptr && place->tensor().operand != Operand::c;
  if (place != nullptr) action.fill = place->fill;
  const std::int64_t fill = of_k ? fill_of(actor, *place) : -1;
  action.k_tile = k_tile_of(actor, fill), action.tile = actor.walk.tile().number;
  action.event = note(actor, step, place != nullptr ? place->stage : -1, fill);
  actions_.push_back(action);
  const auto index = static_cast<std::uint32_t>(actions_.size() - 1);
  const auto in_group = [&](plan::GroupOf of) {
    Groups& groups = actor.groups[static_cast<std::size_t>(of)];
    groups.open.push_back(index), groups.of_all |= !step.first_thread_only;
  };
  if (by == By::cp_async) in_group(plan::GroupOf::cp_async);
  if (by == By::wgmma) in_group(plan::GroupOf::wgmma);
  if (by == By::bulk) in_group(plan::GroupOf::bulk);
  return index;
}

void Machine::over(std::uint32_t action) {
  const std::int64_t event = actions_[action].event;
  if (event >= 0) shared_.result.timeline[static_cast<std::size_t>(event)].end = time_;
}

void Machine::wait_group(Actor& actor, const plan::Step& step, const plan::WaitGroup& wait) {
  const std::int64_t event = note(actor, step, -1);
  Groups& groups = actor.groups[static_cast<std::size_t>(wait.of)];
  if (wait.pending < 0) return fail(fmt::format("{}{} waits until {} groups are under way", who(actor), when(actor), wait.pending));
  if (groups.of_all && step.first_thread_only && actor.is->threads > 1)
    return fail(
        fmt::format("one thread of {}{} waits for groups that every thread began: a thread waits for its own", who(actor), when(actor)));
  if (static_cast<std::int64_t>(groups.committed.size()) > wait.pending) was_of_use({step.op, actor.is->index});
  while (static_cast<std::int64_t>(groups.committed.size()) > wait.pending) {
    for (const std::uint32_t action : groups.committed.front()) {
      actions_[action].over = actor.count;
      over(action);
      if (event >= 0) shared_.result.timeline[static_cast<std::size_t>(event)].released_by = actions_[action].event;
    }
    groups.committed.pop_front();
  }
}

void Machine::fence(Actor& actor, const plan::Step& step, const plan::Fence& fence) {
  note(actor, step, -1);
  if (fence.kind == plan::FenceKind::wgmma) {
    actor.registers_fenced = actor.count;
    actor.fences.emplace_back(actor.count, step.op);
  }
  if (fence.kind == plan::FenceKind::mbarrier_init && !initialised_.empty())
    initialised_[static_cast<std::size_t>(actor.cta)] = {static_cast<std::size_t>(&actor - actors_.data()), actor.count};
  if (fence.kind != plan::FenceKind::proxy_async) return;
  const std::size_t all = 2 * static_cast<std::size_t>(&actor - actors_.data());
  actor.visible[1][all + 1] = actor.count;
  if (!step.first_thread_only) actor.fenced = actor.count;
}

Viewer Machine::viewer(const Actor& actor, const plan::Step& step, std::int64_t thread, bool asynchronous) const {
  const bool first = step.first_thread_only || thread == 0 || actor.is->threads == 1;
  Viewer viewer;
  viewer.actor = static_cast<std::uint16_t>(&actor - actors_.data());
  viewer.thread = first ? std::uint16_t{0} : static_cast<std::uint16_t>(thread);
  viewer.before = &actor.before[first ? 1 : 0];
  if (asynchronous) viewer.visible = &actor.visible[first ? 1 : 0];
  return viewer;
}

// A tile of K that comes from global memory lies in no stage: tiles are counted as if each filled one.
std::int64_t Machine::fill_of(const Actor& actor, const Place& place) const {
  if (place.tensor().space != plan::Space::global || place.walked->k_tile == nullptr) return place.fill;
  return actor.walk.tile().number * plan_.k_tiles + actor.walk.k_tile(*place.walked->k_tile);
}

// The tile of K: of the loop around an operation, or the one that a fill of the operands' ring holds.
std::int64_t Machine::k_tile_of(const Actor& actor, std::int64_t fill) const {
  const std::int64_t k_tile = actor.walk.variable("k_tile");
  return k_tile < 0 && fill >= 0 && plan_.k_tiles > 0 ? fill % plan_.k_tiles : k_tile;
}

std::int64_t Machine::note(Actor& actor, const plan::Step& step, std::int64_t stage, std::int64_t fill) {
  if (!timed_) return -1;
  Event event;
  event.cta = actor.cta, event.role = actor.role, event.stage = stage;
  event.fill = fill;
  event.k_tile = k_tile_of(actor, fill), event.tile = actor.walk.tile().number;
  event.start = actor.blocked_since >= 0 ? actor.blocked_since : time_;
  event.end = time_ + 1;
  event.op = step.op;
  shared_.result.timeline.push_back(event);
  return static_cast<std::int64_t>(shared_.result.timeline.size() - 1);
}

}  // namespace tessera::machine
