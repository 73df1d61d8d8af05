// SPDX-License-Identifier: BSD-3-Clause
// The checks of a program that need no values: names first, then threads and memory, then the edges of the problem, then what a walk
// through each role counts, then what tensor maps and descriptors say.
#include "core/gemm/plan/verify.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera {

namespace {

using namespace plan;

constexpr std::int64_t kNamedBarriers = 15, kWarp = 32;

// Whoever raises its registers waits until others have given up as many; a role that sets none keeps those that it begins with.
Status check_registers_at_entry(const GemmPlan& plan) {
  const bool shares = std::any_of(plan.roles.begin(), plan.roles.end(), [](const Role& role) { return role.registers > 0; });
  if (!shares) return Done{};
  const std::int64_t at_entry = registers_at_entry(plan.threads);
  std::int64_t wanted = 0;
  for (const Role& role : plan.roles) wanted += (role.registers > 0 ? role.registers : at_entry) * role.threads * role.members;
  if (wanted <= at_entry * plan.threads) return Done{};
  return wrong(fmt::format("the roles want {} registers in all; {} threads begin with {} each, {}, and wait for more forever", wanted,
                           plan.threads, at_entry, at_entry * plan.threads),
               "fewer registers a thread");
}

Status check_threads(const GemmPlan& plan) {
  if (plan.roles.empty()) return wrong("the plan has no roles, so that nobody computes");
  std::int64_t registers = 0;
  for (const Role& a : plan.roles) {
    if (a.threads < 1 || a.first_thread < 0 || a.members < 1)
      return wrong(fmt::format("{} has {} members of {} threads from {} on", a.name, a.members, a.threads, a.first_thread));
    if (a.registers != 0 && !is_register_count(a.registers))
      return wrong(fmt::format("{} sets {} registers; setmaxnreg takes multiples of {} from {} to {}", a.name, a.registers, kRegisterStep,
                               kLeastRegisters, plan::kMostRegisters));
    if (a.last_thread() >= plan.threads)
      return wrong(fmt::format("{} has threads {} to {}; the CTA has {}", a.name, a.first_thread, a.last_thread(), plan.threads));
    registers += a.registers * a.threads * a.members;
    for (const Role& b : plan.roles) {
      if (&a < &b && a.name == b.name) return wrong(fmt::format("two families of roles have the name {}", a.name));
      if (&a >= &b || a.last_thread() < b.first_thread || b.last_thread() < a.first_thread) continue;
      return wrong(fmt::format("{} has threads {} to {}, {} threads {} to {}: a thread has one role", a.name, a.first_thread,
                               a.last_thread(), b.name, b.first_thread, b.last_thread()));
    }
  }
  if (registers > kRegisterFile)
    return wrong(fmt::format("the roles set {} registers in all; the register file has {}", registers, kRegisterFile),
                 "fewer registers a thread");
  return Done{};
}

Status check_barriers(const GemmPlan& plan) {
  std::int64_t named = 0;
  for (const Barrier& barrier : plan.barriers) {
    if (barrier.arrivals < 1) return wrong(fmt::format("{} counts {} arrivals", barrier.name, barrier.arrivals));
    if (barrier.members < 1) return wrong(fmt::format("{} has {} members", barrier.name, barrier.members));
    if (barrier.kind != BarrierKind::named) continue;
    named += barrier.members;
    if (barrier.arrivals % kWarp != 0)
      return wrong(fmt::format("{} counts {} threads; a named barrier counts whole warps of {}", barrier.name, barrier.arrivals, kWarp));
  }
  if (named > kNamedBarriers)
    return wrong(fmt::format("the plan has {} named barriers; a CTA has {} beside its own", named, kNamedBarriers));
  return Done{};
}

std::int64_t bytes_of(const GemmPlan& plan, const Tensor& tensor) {
  const std::int64_t stages = tensor.ring == kNone ? 1 : plan.rings[tensor.ring].stages;
  return count_product(stages, tensor.stage_elements) * bits(tensor.type) / 8;
}

// Whether a device has as much is `check_device`'s question.
Status check_memory(const GemmPlan& plan) {
  for (const Tensor& a : plan.tensors) {
    if (a.space != Space::shared) continue;
    const std::int64_t end = a.byte_offset + bytes_of(plan, a);
    if (a.byte_offset < 0 || end > plan.smem_bytes)
      return wrong(
          fmt::format("{} is at bytes {} to {}; the CTA has {} of shared memory", a.name, a.byte_offset, end - 1, plan.smem_bytes));
    for (const Tensor& b : plan.tensors) {
      if (&a >= &b || b.space != Space::shared || end <= b.byte_offset || b.byte_offset + bytes_of(plan, b) <= a.byte_offset) continue;
      return wrong(
          fmt::format("{} at bytes {} to {} and {} from {} on lie over each other", a.name, a.byte_offset, end - 1, b.name, b.byte_offset));
    }
  }
  return Done{};
}

}  // namespace

Error plan::at_line(Error error, const Op& op) {
  if (op.line > 0 && !error.message.starts_with("line ")) error.message = fmt::format("line {} of the plan: {}", op.line, error.message);
  return error;
}

Status verify(const GemmPlan& plan, std::vector<std::string>* notes) {
  TESSERA_CHECK(check_names(plan));
  TESSERA_CHECK(check_threads(plan));
  TESSERA_CHECK(check_barriers(plan));
  TESSERA_CHECK(check_memory(plan));
  TESSERA_CHECK(check_resources(plan));
  TESSERA_CHECK(check_edges(plan));
  TESSERA_CHECK(check_counts(plan, notes));
  TESSERA_CHECK(check_descriptors(plan));
  return check_registers_at_entry(plan);
}

}  // namespace tessera
