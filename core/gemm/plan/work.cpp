// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/work.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "core/base/overloaded.hpp"
#include "core/gemm/plan/walk.hpp"

namespace tessera::plan {
namespace {

bool only_orders(const Op& op) {
  return std::visit(Overloaded{[](const Commit&) { return true; }, [](const WaitGroup&) { return true; },
                               [](const Expect&) { return true; }, [](const Arrive&) { return true; }, [](const Wait&) { return true; },
                               [](const Fence&) { return true; }, [](const auto&) { return false; }},
                    op.op);
}

Block work_of(const Block& block);

// What stands in place of an operation; nothing: itself, with the work of what is inside it.
std::optional<Block> work_of(const Op& op) {
  if (only_orders(op)) return Block{};
  if (const auto* when = std::get_if<When>(&op.op); when && work_of(*when->body).empty()) return Block{};
  if (const auto* loop = std::get_if<Loop>(&op.op); loop && work_of(*loop->body).empty()) return Block{};
  if (inside(op, nullptr) != nullptr) return std::nullopt;
  Op work = op;
  work.why.clear();
  if (auto* copy = std::get_if<Copy>(&work.op)) copy->barrier = kNone, copy->member = {};
  if (auto* opaque = std::get_if<Opaque>(&work.op)) opaque->barrier = kNone, opaque->member = {};
  return Block{std::move(work)};
}

Block work_of(const Block& block) {
  return rewrite(block, [](const Op& op) { return work_of(op); });
}

}  // namespace

GemmPlan work_of(const GemmPlan& plan) {
  GemmPlan work = plan;
  work.name.clear();
  work.barriers.clear();
  for (Ring& ring : work.rings) ring.full = ring.empty = kNone;
  for (Function& function : work.functions) function.body = work_of(function.body);
  for (Role& role : work.roles) role.block = work_of(role.block);
  return work;
}

}  // namespace tessera::plan
