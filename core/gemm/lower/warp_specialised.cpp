// SPDX-License-Identifier: BSD-3-Clause
// wgmma: a producer warpgroup fills a ring of stages by TMA, consumer warpgroups multiply from shared memory, and store by stmatrix and TMA
// or each thread its own sums.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gemm/lower/steps.hpp"
#include "core/gemm/plan/register_file.hpp"
#include "core/layout/algebra.hpp"

namespace tessera::lowering {

namespace {

using plan::kNone;
using plan::kWarpgroup;

// What the schedule asks of the tile: how many warpgroups, and how many 64-row halves each.
Status check_schedule(const GemmSpec& spec, const Draft& plan, std::int64_t warpgroups) {
  const std::int64_t halves = plan.mma_m, n = shape_extent(plan.mma->atom(), 1);
  if (plan.mma->num_threads() % kWarpgroup != 0 || warpgroups < 1 || warpgroups > 2 || plan.mma->thr_layout_vmnk()[2].size() != 1) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("the tiled MMA has {} threads in {}; one or two warpgroups of 128 multiply, one below the other",
                              plan.mma->num_threads(), to_string(plan.mma->atom_layout_mnk())),
                  "an atom layout of (1,1,1) or (2,1,1)");
  }
  if (plan.mma_n != 1) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("BLK_N is {} and {} is {} wide; a warpgroup multiplies the whole width with one instruction", plan.blk_n,
                              plan.mma->atom().name, n),
                  fmt::format("cta_tiler with BLK_N {}, or an atom of that width", n));
  }
  if (spec.overlap == Overlap::ping_pong && warpgroups != 1) {
    return refuse(ErrorCode::bad_spec, "overlap=ping_pong gives each warpgroup a tile of its own; the tiled MMA has two warpgroups",
                  "an atom layout of (1,1,1)");
  }
  if (spec.overlap == Overlap::deferred && halves != 1) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("overlap=deferred holds a tile in registers, 64 rows a warpgroup; BLK_M {} is {}", plan.blk_m, 64 * halves),
                  fmt::format("cta_tiler with BLK_M {}", 64 * warpgroups));
  }
  if (spec.overlap == Overlap::skewed && (halves != 2 || plan.k_tiles < 2)) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format(
            "overlap=skewed needs two halves of 64 rows a warpgroup and two tiles of K; BLK_M {} makes {}, and there are {} k-tiles",
            plan.blk_m, halves, plan.k_tiles),
        fmt::format("cta_tiler with BLK_M {}, or a larger k", 128 * warpgroups));
  }
  return Done{};
}

// How setmaxnreg shares out the registers that a CTA begins with.
class Registers {
 public:
  Registers(const GemmSpec& spec, const Draft& plan, std::int64_t consumers)
      : spec_(spec),
        consumers_(consumers),
        at_entry_(plan::registers_at_entry(plan.threads)),
        sums_(plan.fragment[kC].cosize() * bits(plan.mma->atom().val_c) / 32) {}

  // What the spec asks for, or nothing where the compiler decides.
  Result<RegisterSplit> split(bool has_producer) const {
    const Shape& asked = spec_.registers;
    if (asked.is_int() && asked.value() == 0) return has_producer && consumers_ > 1 ? kUsual : RegisterSplit{};
    if (!asked.is_tuple() || asked.rank() != 2 || depth(asked) != 1)
      return refuse(ErrorCode::bad_spec,
                    fmt::format("registers is {}; it must be (PRODUCER,CONSUMER), registers of a thread", to_string(asked)), said(kUsual));
    const RegisterSplit of{asked[0].value(), asked[1].value()};
    TESSERA_CHECK(check(of));
    return of;
  }

 private:
  static constexpr RegisterSplit kUsual{40, 232};

  static std::string said(const RegisterSplit& of) { return fmt::format("registers=({},{})", of.producer, of.consumer); }
  std::int64_t in_all(const RegisterSplit& of) const { return of.producer + consumers_ * of.consumer; }  // of a thread of each warpgroup
  std::int64_t at_most() const { return (consumers_ + 1) * at_entry_; }

  Status check(const RegisterSplit& of) const {
    for (const std::int64_t count : {of.producer, of.consumer}) {
      if (plan::is_register_count(count)) continue;
      return refuse(ErrorCode::bad_spec,
                    fmt::format("registers is {}; setmaxnreg takes multiples of {} from {} to {}, and {} is none",
                                to_string(spec_.registers), plan::kRegisterStep, plan::kLeastRegisters, plan::kMostRegisters, count),
                    said(nearest(of)));
    }
    if (in_all(of) > at_most()) {
      return refuse(
          ErrorCode::limit,
          fmt::format("registers is {}: {} threads begin with {} registers each, {} of a multiprocessor's {}; a producer of {} x {} "
                      "and {} of {} x {} want {}",
                      to_string(spec_.registers), (consumers_ + 1) * kWarpgroup, at_entry_, at_most() * kWarpgroup, plan::kRegisterFile,
                      kWarpgroup, of.producer, consumers_ == 1 ? "a consumer" : fmt::format("{} consumers", consumers_), kWarpgroup,
                      of.consumer, in_all(of) * kWarpgroup),
          said(nearest(of)));
    }
    if (of.consumer > sums_ || sums_ >= plan::kMostRegisters) return Done{};
    return refuse(ErrorCode::bad_spec,
                  fmt::format("registers is {}: a consumer's sums alone take {} registers of a thread", to_string(spec_.registers), sums_),
                  said(nearest(of)));
  }

  // The legal split with the least change: each a number that setmaxnreg takes, room for the sums, and then no more than there are.
  RegisterSplit nearest(const RegisterSplit& of) const {
    const auto legal = [](std::int64_t count) {
      const std::int64_t most = plan::kMostRegisters, kept = std::clamp<std::int64_t>(count, 0, most);
      return std::clamp((kept + plan::kRegisterStep / 2) / plan::kRegisterStep * plan::kRegisterStep, plan::kLeastRegisters, most);
    };
    const std::int64_t with_sums = legal(std::min(sums_ + plan::kRegisterStep, plan::kMostRegisters));
    RegisterSplit made{legal(of.producer), std::max(legal(of.consumer), sums_ < plan::kMostRegisters ? with_sums : 0)};
    const auto down = [](std::int64_t count) { return count / plan::kRegisterStep * plan::kRegisterStep; };
    if (in_all(made) > at_most()) made.consumer = std::max(down((at_most() - made.producer) / consumers_), with_sums);
    if (in_all(made) > at_most()) made.producer = down(at_most() - consumers_ * made.consumer);
    return made;
  }

  const GemmSpec& spec_;
  std::int64_t consumers_, at_entry_, sums_;
};

// C from the registers of each thread, two neighbours at once where both may be written: a part of the tile after the other, each of 64
// rows a warpgroup.
Status add_direct_result(Draft& plan) {
  TESSERA_TRY(tCgC, thread_values(*plan.mma, Operand::c, plan.global[kC].tiles[0]));  // (thr, ((2,2,N/8), MMA_M, MMA_N))
  TESSERA_TRY(places, check_mma_partition(plan, Operand::c, tCgC, plan.global[kC].tiles[0], "gC"));
  plan.tCgC = std::move(tCgC);
  plan.fragment[kC] = Layout::make_compact(plan.tCgC[1].shape()).value();
  const std::int64_t values = plan.tCgC[1].size();
  const auto order = [&](std::int64_t vector) {
    return make_layout({Layout::trusted(vector, 1), Layout::trusted(values / vector, vector)});  // (vec, store) -> value
  };
  plan.epilogue_vector = stores_fit(plan, order(2), places, 2) ? 2 : 1;
  plan.store_order = order(plan.epilogue_vector);
  return add_stored_result(plan);
}

}  // namespace

Status lower_warp_specialised(const GemmSpec& spec, Draft& plan) {
  const std::int64_t warpgroups = plan.mma->num_threads() / kWarpgroup;
  const bool ping_pong = spec.overlap == Overlap::ping_pong;
  const std::int64_t consumers = ping_pong ? 2 : warpgroups;
  TESSERA_CHECK(lower_grid(spec, plan));
  const std::int64_t stages = plan.rings[kTileRing].stages;
  if (stages < 2) {
    return refuse(ErrorCode::bad_spec,
                  fmt::format("stages is {}; one stage is filled while another is multiplied, which needs two", stages), "stages=4");
  }
  TESSERA_CHECK(lower_smem_operand(plan, Operand::a));
  TESSERA_CHECK(lower_smem_operand(plan, Operand::b));
  TESSERA_CHECK(check_schedule(spec, plan, warpgroups));
  const bool is_direct = spec.store == Stores::direct;
  if (!is_direct) {
    TESSERA_TRY(box, box_of_c(spec, plan, consumers));
    plan.box_of_c = box;
  }
  plan.overlap = spec.overlap;
  plan.threads = (consumers + (plan.copies == Copies::producer ? 1 : 0)) * kWarpgroup;
  add_ring(plan);
  if (!is_direct)
    plan.box_barrier = append(plan.barriers, plan::Barrier{"box", plan::BarrierKind::named, kWarpgroup, 0, kNone, 0, consumers});
  if (ping_pong) plan.turn = append(plan.barriers, plan::Barrier{"turn", plan::BarrierKind::named, 2 * kWarpgroup, 0, kNone, 0, consumers});
  std::int64_t smem_bytes = plan.smem_bytes;
  if (is_direct) {
    TESSERA_CHECK(add_direct_result(plan));
  } else {
    TESSERA_CHECK(lower_boxes_of_c(spec, plan, warpgroups, consumers, smem_bytes));
  }
  smem_bytes = round_up(smem_bytes, 16);
  for (plan::Barrier& barrier : plan.barriers) {
    if (barrier.kind != plan::BarrierKind::mbarrier) continue;
    barrier.byte_offset = smem_bytes;
    smem_bytes += 8 * barrier.members * stages_of(plan.rings, barrier.ring);
  }
  plan.smem_bytes = smem_bytes;
  TESSERA_TRY(registers, Registers(spec, plan, consumers).split(plan.copies == Copies::producer));
  write_producer_and_consumers(spec, plan, consumers, registers);
  return Done{};
}

}  // namespace tessera::lowering
