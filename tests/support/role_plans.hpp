// SPDX-License-Identifier: BSD-3-Clause
// Plans of several roles that multiply by mma.sync: a role copies for the others, by cp.async or by TMA, and barriers order them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/lower/blocks.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/gemm/edit_plan.hpp"
#include "tests/gemm/plans.hpp"
#include "tests/support/gemm_specs.hpp"

namespace tessera::support {

enum class Parted : std::uint8_t {
  at_one_barrier,     // one stage, between two waits on the CTA's barrier
  cp_async_producer,  // three stages; whoever copies waits for its groups, and arrives
  tma_producer,       // three stages; one warp begins boxes of TMA
};

namespace parted {

using namespace plan;
using namespace lowering::blocks;

constexpr Id kCta = 0, kFull = 1, kEmpty = 2, kRead = 0, kWrite = 1, kCopyTile = 0;

inline Matches is_call(Id function) {
  return [function](const Op& op) { return as<Named>(op) != nullptr && as<Named>(op)->function == function; };
}

// A ring of `stages` places with mbarriers, whose full ones count `arrivals` and `bytes` a phase.
inline void add_ring(GemmPlan& plan, std::int64_t stages, std::int64_t arrivals, const Num& bytes) {
  auto &sA = plan.tensors[plan.path(Operand::a).smem], &sB = plan.tensors[plan.path(Operand::b).smem];
  plan.rings[sA.ring].stages = stages;
  sB.byte_offset = stages * sA.stage_elements * bits(sA.type) / 8;
  const std::int64_t end = sB.byte_offset + stages * sB.stage_elements * bits(sB.type) / 8;
  plan.barriers.push_back({"full", BarrierKind::mbarrier, arrivals, bytes, sA.ring, end});
  plan.barriers.push_back({"empty", BarrierKind::mbarrier, plan.threads, 0, sA.ring, end + 8 * stages});
  plan.rings[sA.ring].full = kFull, plan.rings[sA.ring].empty = kEmpty;
  plan.smem_bytes = end + 16 * stages;
}

// Those who multiply wait for a stage to be full, and release it.
inline Block consumer(const GemmPlan& plan) {
  int found = 0, waits = 0;
  Block own = edited(
      plan.roles.front().block,
      [](const Op& op) {
        const auto* advance = as<Advance>(op);
        return as<Commit>(op) != nullptr || as<WaitGroup>(op) != nullptr || is_call(kCopyTile)(op) || as<Wait>(op) != nullptr ||
               (advance != nullptr && advance->cursor == kWrite);
      },
      [&](const Op& of) -> Block {
        if (as<Wait>(of) == nullptr) return {};
        if (waits++ % 2 == 0) return {op(Wait{kFull, {kRead}}, "the tile is there")};
        return {op(Arrive{kEmpty, {kRead}, plan.threads}, "the tile is no longer needed")};
      },
      found);
  Block all{first_thread({op(Fence{FenceKind::mbarrier_init}, "barriers are initialised before anybody arrives")}),
            op(Wait{kCta}, "the barriers are initialised")};
  append(all, std::move(own));
  return all;
}

inline Block producer(const GemmPlan& plan, bool by_tma, std::int64_t threads) {
  Block fill{op(Wait{kEmpty, {kWrite}}, "everybody has released the stage")};
  if (by_tma) fill.push_back(op(Expect{kFull, {kWrite}}, "the stage's bytes are announced"));
  fill.push_back(op(Named{kCopyTile, {Index{"k_tile"}}}));
  if (!by_tma) {
    append(fill, {op(Commit{GroupOf::cp_async}), op(WaitGroup{GroupOf::cp_async, 0}, "this thread's copies have arrived"),
                  op(Arrive{kFull, {kWrite}, threads})});
  }
  fill.push_back(op(Advance{kWrite}));
  Op k_tiles = loop("k_tile", plan.named(tessera::plan::Symbol::k_tiles), false, std::move(fill));
  Block all{op(Wait{kCta}, "the barriers are initialised"), op(NextTile{})};
  all.push_back(by_tma ? first_thread({std::move(k_tiles)}) : std::move(k_tiles));
  return all;
}

// The tile of an operand is one box.
inline void by_box(GemmPlan& plan, Operand operand) {
  const OperandPath& path = plan.path(operand);
  const auto &gmem = plan.tensors[path.gmem], &smem = plan.tensors[path.smem];
  const Layout any_thread = Layout::trusted(1, 0);
  const auto of = [&](const Layout& tile) { return make_layout({any_thread, make_layout({tile})}); };
  plan.partitions[path.tXgX].layout = of(gmem.tiles[0]);                                          // (thr, (element)) -> gA
  plan.partitions[path.tXsX].layout = with_plain_part(smem.layout, of(plain_part(smem.layout)));  // (thr, (element)) -> sA
  for (const Id id : {path.tXgX, path.tXsX}) plan.partitions[id].modes = {"element"};
  const Layout plain = plain_part(smem.layout);
  plan.maps.push_back({"m" + gmem.name.substr(1), path.gmem, plain[0].size(), plain[1].size(), 128});
  Copy copy;
  copy.by = CopyBy::tma_load, copy.atom = "SM90_TMA_LOAD";
  copy.from = At{path.tXgX, {{"k_tile", Index{"k_tile"}}}}, copy.to = At{path.tXsX, {}, {kWrite}};
  copy.map = static_cast<Id>(plan.maps.size() - 1), copy.barrier = kFull;
  plan.functions[kCopyTile].body.push_back(op(std::move(copy)));
}

// Two roles that meet at the CTA's barrier: one has the copies of the kernel of one role, the other the rest.
inline void part_at_one_barrier(GemmPlan& plan) {
  Role copier = plan.roles.front();
  int found = 0;
  plan.roles.front().block = edited(
      copier.block, [](const Op& op) { return is_call(kCopyTile)(op) || as<Commit>(op) != nullptr || as<WaitGroup>(op) != nullptr; },
      nothing, found);
  copier.block = edited(
      copier.block,
      [](const Op& op) {
        return (as<Named>(op) != nullptr && !is_call(kCopyTile)(op)) || as<Convert>(op) != nullptr || as<Copy>(op) != nullptr;
      },
      nothing, found);
  copier.name = "copier", copier.first_thread = plan.threads;
  plan.threads += copier.threads, plan.barriers[kCta].arrivals = plan.threads;
  plan.roles.push_back(std::move(copier));
}

}  // namespace parted

inline GemmPlan parted_plan(Parted how, std::int64_t k = 320) {
  using namespace parted;
  GemmSpec spec = tensor(128, 192, k, 64, 64, 64, 1);
  const char* const names[] = {"roles_at_a_barrier", "cp_async_producer", "tma_and_mma_sync"};
  spec.name = names[static_cast<std::size_t>(how)];
  spec.alpha = 0.5, spec.beta = 2.0;
  if (how == Parted::cp_async_producer) spec.copy_a = spec.copy_b = rows_of_8("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 128, 64);
  GemmPlan plan = lower(spec).value();
  if (how == Parted::at_one_barrier) {
    part_at_one_barrier(plan);
    return plan;
  }
  const bool by_tma = how == Parted::tma_producer;
  const std::int64_t threads = by_tma ? 32 : plan.threads;
  add_ring(plan, 3, by_tma ? 1 : threads, by_tma ? plan.named(plan::Symbol::stage_bytes) : Num());
  if (by_tma) {
    plan.functions[kCopyTile].body.clear();
    by_box(plan, Operand::a), by_box(plan, Operand::b);
  }
  plan::Block multiplies = consumer(plan), copies = producer(plan, by_tma, threads);
  plan.roles = {plan::Role{"consumer", 0, plan.threads, 0, std::move(multiplies)},
                plan::Role{"producer", plan.threads, threads, 0, std::move(copies)}};
  plan.threads += threads, plan.barriers[kCta].arrivals = plan.threads;
  return plan;
}

constexpr Parted kParted[] = {Parted::at_one_barrier, Parted::cp_async_producer, Parted::tma_producer};

}  // namespace tessera::support
