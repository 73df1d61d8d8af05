// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/run/removals.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/budget.hpp"
#include "core/gemm/plan/explain_op.hpp"
#include "core/gemm/plan/verify.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera {
namespace {

using plan::Block;
using plan::Op;

constexpr std::uint32_t kOrdersThatTell = 8;  // the four that have names, and four that are drawn

bool orders_others(const Op& op) {
  return std::holds_alternative<plan::Wait>(op.op) || std::holds_alternative<plan::WaitGroup>(op.op) ||
         std::holds_alternative<plan::Arrive>(op.op) || std::holds_alternative<plan::Expect>(op.op) ||
         std::holds_alternative<plan::Commit>(op.op) || std::holds_alternative<plan::Fence>(op.op);
}

// In every member of a family but one.
Block in_all_but(const Op& op, const plan::Role& family, std::int64_t member) {
  Block block;
  for (std::int64_t i = 0; i < family.members; ++i) {
    if (i == member) continue;
    block.push_back(Op{plan::When{plan::Only::equal, {family.name}, plan::Num(i), std::make_shared<const Block>(Block{op})}});
  }
  return block;
}

// What the whole plan's run says of an operation that nobody misses; nothing where it was of use.
std::string why_idle(const GemmPlan& plan, const OrderingOp& of, const RacedProblem& problem) {
  const Op& op = *operations_of(plan)[of.number];
  bool is_executed = false;
  for (const auto& [executed, of_use] : problem.of_use) {
    if (executed.first != &op || (of.member >= 0 && executed.second != of.member)) continue;
    if (of_use) return {};
    is_executed = true;
  }
  if (!is_executed) return "no thread comes to it at this size";
  if (std::holds_alternative<plan::Fence>(op.op)) return "since the fence before it nothing but wgmma has touched the sums";
  if (std::holds_alternative<plan::WaitGroup>(op.op)) return "no group is under way that it would wait for";
  return "nobody waits for the phase that it ends, nor for a later one of that stage";
}

}  // namespace

std::vector<OrderingOp> ordering_ops(const GemmPlan& plan, bool members) {
  std::vector<OrderingOp> ops;
  std::string of;
  std::size_t number = 0;
  std::int64_t family = 1;
  for (const ProgramLine& line : program(plan)) {
    if (!line.op) {
      of = line.text;
      family = 1;
      for (const plan::Role& role : plan.roles) {
        if (role.name == line.text) family = role.members;
      }
      continue;
    }
    const std::size_t here = number++;
    if (!orders_others(*line.op)) continue;
    ops.push_back({here, of, line.text, -1});
    for (std::int64_t i = 0; members && family > 1 && i < family; ++i) ops.push_back({here, of, line.text, i});
  }
  return ops;
}

GemmPlan without(const GemmPlan& plan, const OrderingOp& op) {
  const Op* const gone = operations_of(plan)[op.number];
  GemmPlan other = plan;
  for (std::size_t i = 0; i < plan.functions.size(); ++i) {
    other.functions[i].body = plan::rewrite(
        plan.functions[i].body, [&](const Op& of) -> std::optional<Block> { return &of == gone ? std::optional(Block()) : std::nullopt; });
  }
  for (std::size_t i = 0; i < plan.roles.size(); ++i) {
    const plan::Role& role = plan.roles[i];
    other.roles[i].block = plan::rewrite(role.block, [&](const Op& of) -> std::optional<Block> {
      if (&of != gone) return std::nullopt;
      return op.member < 0 ? Block() : in_all_but(of, role, op.member);
    });
  }
  return other;
}

Result<Removal> judge_removal(const GemmPlan& plan, const OrderingOp& op, const RacedProblem& problem, std::uint32_t orders) {
  Removal removal;
  removal.op = op;
  const GemmPlan other = without(plan, op);
  if (Status fits = verify(other); !fits) removal.refused = std::move(fits).error();
  const std::string idle = why_idle(plan, op, problem);
  for (std::uint32_t order = 0; order < orders; ++order) {
    // Clocks say what lies before what, and they say it in any order; so some orders tell of all, unless they do not agree.
    const bool agree = removal.noticed_in == order || (removal.noticed_in == 0 && !idle.empty());
    if (order >= kOrdersThatTell && agree) break;
    TESSERA_CHECK(check_time("a plan without one operation"));
    TESSERA_TRY(caught, fault_on_machine(other, problem, order));
    ++removal.orders;
    if (!caught) continue;
    ++removal.noticed_in;
    if (!removal.caught) removal.caught = std::move(caught);
  }
  if (!removal.is_noticed()) removal.idle = idle;
  return removal;
}

}  // namespace tessera
