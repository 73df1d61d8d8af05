// SPDX-License-Identifier: BSD-3-Clause
// Private to the figures of GEMMs: the tiles of a plan with their owners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/diagram/kinds/tv_parts.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera {

// One tile of the picture: where its elements are, and which thread's which value reads or owns them.
struct PlanTile {
  Operand operand = Operand::c;
  std::string heading;
  std::int64_t rows = 0, cols = 0;
  AnyLayout layout;  // (row, col) -> element offset
  std::int64_t byte_offset = 0;
  std::int32_t element_bits = 0;  // 0: not in shared memory
  OwnerMap map;
  std::int64_t atom_values = 1;
};

// Do threads hold the operand in registers? What an instruction reads in shared memory by a descriptor, no thread does.
bool has_owners(const GemmPlan& plan, Operand operand);
// What threads load their fragments from: A's or B's tile, shared or global. Without owners where threads load none.
Result<PlanTile> operand_tile(const GemmPlan& plan, Operand operand);
Result<PlanTile> c_tile(const GemmPlan& plan);

// The copies between partitions that a block holds, at any depth, each once: how often a loop goes round does not matter. False where `use`
// wants no more.
template <class Use>
bool each_copy_in(const GemmPlan& plan, const plan::Block& block, Use& use) {
  const plan::Then then = plan::each_op_of(plan, block, [&](const plan::Op& op) {
    if (const auto* loop = std::get_if<plan::Loop>(&op.op))
      return loop->tiles || loop->first < loop->count ? plan::Then::inside : plan::Then::behind;
    const auto* copy = std::get_if<plan::Copy>(&op.op);
    if (copy == nullptr || copy->from.partition == plan::kNone || copy->to.partition == plan::kNone) return plan::Then::inside;
    return use(*copy) ? plan::Then::inside : plan::Then::nothing;
  });
  return then != plan::Then::nothing;
}

// Calls use(role, copy) for the copies of every role, role by role, until it gives false.
template <class Use>
void each_copy(const GemmPlan& plan, Use use) {
  for (const plan::Role& role : plan.roles) {
    const auto of_role = [&](const plan::Copy& copy) { return use(role, copy); };
    if (!each_copy_in(plan, role.block, of_role)) return;
  }
}

}  // namespace tessera
