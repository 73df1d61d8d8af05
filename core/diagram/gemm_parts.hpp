// SPDX-License-Identifier: BSD-3-Clause
// Private to the figures of GEMMs: the tiles of a plan with their owners.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/diagram/tv_parts.hpp"
#include "core/gemm/plan/gemm_plan.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera {

// One tile of the picture: where its elements are, and which thread's which value reads or owns them.
struct PlanTile {
  Operand operand = Operand::c;
  std::string heading;
  std::int64_t rows = 0, cols = 0;
  AnyLayout layout;  // (row, col) -> element offset
  std::int64_t byte_offset = 0;
  std::int32_t element_bytes = 0;  // 0: not in shared memory
  OwnerMap map;
  std::int64_t atom_values = 1;
};

// What threads load their fragments from: A's or B's tile, shared or global.
Result<PlanTile> operand_tile(const GemmPlan& plan, Operand operand);
Result<PlanTile> c_tile(const GemmPlan& plan);

// Calls use(role, copy) for the copies between partitions that the roles of the first CTA begin with, role by role, until it gives false.
template <class Use>
void each_copy(const GemmPlan& plan, Use use) {
  constexpr int kMostSteps = 4096;  // of a role
  for (const plan::Role& role : plan.roles) {
    plan::Walk walk(plan, role, 0);
    for (int i = 0; i < kMostSteps; ++i) {
      const std::optional<plan::Step> step = walk.next();
      if (!step) break;
      const auto* copy = std::get_if<plan::Copy>(&step->op->op);
      if (!copy || copy->from.partition == plan::kNone || copy->to.partition == plan::kNone) continue;
      if (!use(role, *copy)) return;
    }
  }
}

}  // namespace tessera
