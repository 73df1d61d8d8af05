// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/value_type.hpp"
#include "core/gemm/device_model.hpp"
#include "core/gemm/plan/ops.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera {
namespace {

constexpr std::int64_t kRegisterBits = 32, kWidestAccess = 16;  // bytes that one thread moves at once

// "245,760"
std::string with_commas(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(), first = number < 0 ? 4 : 3; at > first; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

// The accumulators of one thread: they live as long as it multiplies.
std::int64_t registers_of_accumulators(const GemmPlan& plan) {
  std::int64_t registers = 0;
  plan::each_op(plan, [&](const plan::Op& op) {
    const auto* mma = std::get_if<plan::Mma>(&op.op);
    if (!mma || mma->c.partition == plan::kNone) return;
    const plan::Tensor& c = plan.tensors[plan.partitions[mma->c.partition].tensor];
    if (c.space == plan::Space::registers) registers = std::max(registers, (c.elements * bits(c.type) + kRegisterBits - 1) / kRegisterBits);
  });
  return registers;
}

// The bytes that the copies of A and B from global memory move at once, the narrowest of each; nothing where TMA moves boxes.
std::array<std::optional<std::int64_t>, 2> widths_of_copies(const GemmPlan& plan) {
  std::array<std::optional<std::int64_t>, 2> widths;
  plan::each_op(plan, [&](const plan::Op& op) {
    const auto* copy = std::get_if<plan::Copy>(&op.op);
    if (!copy || copy->map != plan::kNone || copy->from.partition == plan::kNone) return;
    const plan::Tensor& from = plan.tensors[plan.partitions[copy->from.partition].tensor];
    if (from.space != plan::Space::global || from.operand == Operand::c) return;
    std::optional<std::int64_t>& width = widths[static_cast<std::size_t>(from.operand)];
    const std::int64_t bytes = copy->vector * bits(from.type) / 8;
    width = std::min(width.value_or(bytes), bytes);
  });
  return widths;
}

}  // namespace

std::string words_of(const PlanLimit& limit) {
  return fmt::format("{} of {} {}", with_commas(limit.takes), with_commas(limit.of), limit.unit);
}

std::vector<PlanLimit> limits_of(const GemmPlan& plan) {
  std::vector<PlanLimit> limits;
  if (const std::optional<std::int64_t> allowed = smem_bytes_per_block(plan.arch.sm))
    limits.push_back({"shared memory", plan.smem_bytes, *allowed, "bytes a CTA"});
  limits.push_back({"threads", plan.threads, kMostThreadsOfACta, "a CTA"});
  if (const std::int64_t registers = registers_of_accumulators(plan); registers > 0)
    limits.push_back({"registers", registers, kMostRegisters, "a thread, for accumulators alone"});
  const auto widths = widths_of_copies(plan);
  for (const auto& [operand, name] : {std::pair(Operand::a, "copies of A"), std::pair(Operand::b, "copies of B")}) {
    if (const auto& width = widths[static_cast<std::size_t>(operand)])
      limits.push_back({name, *width, kWidestAccess, "bytes at once", true});
  }
  return limits;
}

}  // namespace tessera
