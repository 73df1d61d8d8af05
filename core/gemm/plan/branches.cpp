// SPDX-License-Identifier: BSD-3-Clause
// The barriers at which all roles begin and end: a barrier of the whole CTA or cluster that stands at the same place in every block.
#include "core/gemm/plan/branches.hpp"

#include <algorithm>
#include <set>
#include <variant>
#include <vector>

#include "core/gemm/plan/walk.hpp"

namespace tessera::plan {

namespace {

// By one thread of the family's first member.
bool initialises(const Role& role, const Op& op) {
  const auto* when = std::get_if<When>(&op.op);
  if (when == nullptr || when->body->size() != 1) return false;
  if (when->only == Only::equal && when->index == Index{role.name} && when->bound == 0) return initialises(role, when->body->front());
  const auto* fence = std::get_if<Fence>(&when->body->front().op);
  return when->only == Only::first_thread && fence != nullptr && fence->kind == FenceKind::mbarrier_init;
}

// The barrier of all threads on which `op` waits.
Id meets(const GemmPlan& plan, const Op& op) {
  const auto* wait = std::get_if<Wait>(&op.op);
  if (wait == nullptr) return kNone;
  const BarrierKind kind = plan.barriers[wait->barrier].kind;
  return kind == BarrierKind::cta || kind == BarrierKind::cluster ? wait->barrier : kNone;
}

// Each function once, so that one which calls itself ends here too.
void add_called(const GemmPlan& plan, const Block& block, std::set<Id>& functions) {
  each_op(block, [&](const Op& op) {
    const auto* call = std::get_if<Named>(&op.op);
    if (call != nullptr && functions.insert(call->function).second) add_called(plan, plan.functions[call->function].body, functions);
  });
}

bool has_mma(const Block& block) {
  return !each_op(block, [](const Op& op) { return !std::holds_alternative<Mma>(op.op); });
}

}  // namespace

std::set<Id> called(const GemmPlan& plan, const Block& block) {
  std::set<Id> functions;
  add_called(plan, block, functions);
  return functions;
}

bool multiplies(const GemmPlan& plan, const Block& block) {
  const std::set<Id> functions = called(plan, block);
  return has_mma(block) || std::any_of(functions.begin(), functions.end(), [&](Id id) { return has_mma(plan.functions[id].body); });
}

std::vector<OwnPart> own_parts(const GemmPlan& plan) {
  std::vector<OwnPart> parts;
  for (const Role& role : plan.roles) {
    const auto is_one = [&](const Op& op) { return initialises(role, op); };
    const auto initialised = std::find_if_not(role.block.begin(), role.block.end(), is_one) - role.block.begin();
    parts.push_back({static_cast<std::size_t>(initialised), static_cast<std::size_t>(initialised), role.block.size()});
  }
  // Does every role have operations left, of which the one that `at` says waits on one barrier of all?
  const auto all_meet = [&](auto at) {
    Id barrier = kNone;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Id here = parts[i].first < parts[i].last ? meets(plan, plan.roles[i].block[at(parts[i])]) : kNone;
      if (here == kNone || (i > 0 && here != barrier)) return false;
      barrier = here;
    }
    return !parts.empty();
  };
  while (all_meet([](const OwnPart& part) { return part.first; })) {
    for (OwnPart& part : parts) ++part.first;
  }
  while (all_meet([](const OwnPart& part) { return part.last - 1; })) {
    for (OwnPart& part : parts) --part.last;
  }
  return parts;
}

}  // namespace tessera::plan
