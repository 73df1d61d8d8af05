// SPDX-License-Identifier: BSD-3-Clause
// What a plan says of itself: its lines, one thread's part, and whether a device can run it.
#include <fmt/format.h>

#include "core/gemm/plan/gemm_plan.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera {

std::optional<std::int64_t> smem_bytes_per_block(int sm) {
  constexpr std::int64_t kKiB = 1024;
  switch (sm) {
    case 70:
    case 72: return 96 * kKiB;
    case 75: return 64 * kKiB;
    case 80:
    case 87: return 163 * kKiB;
    case 86:
    case 89:
    case 120:
    case 121: return 99 * kKiB;
    case 90:
    case 100:
    case 101:
    case 103:
    case 110: return 227 * kKiB;
    default: return std::nullopt;
  }
}

Status check_device(const GemmPlan& plan, int sm, std::int64_t smem_bytes_per_block) {
  const MmaAtom& atom = plan.mma->atom();
  const bool exactly = plan.arch.suffix == 'a';
  if (exactly ? sm != plan.arch.sm : sm < plan.arch.sm) {
    return refuse(ErrorCode::wrong_arch,
                  fmt::format("{} with its copies needs {}; the device is sm_{}", atom.name, to_string(plan.arch), sm),
                  "an atom of an older architecture, such as SM70_8x8x4_F32F16F16F32_TN, or another device");
  }
  if (plan.smem_bytes > smem_bytes_per_block) {
    return refuse(ErrorCode::too_much_smem,
                  fmt::format("the kernel needs {} bytes of shared memory ({} stages of {} + {}); the device has {} for a block",
                              plan.smem_bytes, plan.stages, plan.sA.stage_elements * bits(plan.sA.type) / 8,
                              plan.sB.stage_elements * bits(plan.sB.type) / 8, smem_bytes_per_block),
                  "fewer stages or a smaller cta_tiler");
  }
  return Done{};
}

Result<SliceAndOffset> thread_partition(const GemmPlan& plan, Operand operand, std::int64_t thread) {
  if (thread < 0 || thread >= plan.threads) {
    return refuse(ErrorCode::out_of_range, fmt::format("there is no thread {}; the CTA has threads 0 to {}", thread, plan.threads - 1), {});
  }
  switch (operand) {
    case Operand::a: return plan.mma->partition(operand, plan.sA.layout, thread);
    case Operand::b: return plan.mma->partition(operand, plan.sB.layout, thread);
    case Operand::c: return plan.mma->partition(operand, plan.gC.tiles[0], thread);
  }
  return refuse(ErrorCode::out_of_range, "there is no such operand", {});
}

namespace {

std::string partition_text(const GemmPlan& plan, Operand operand) {
  const auto part = thread_partition(plan, operand, 0);
  return part ? to_string(part->layout) : part.error().message;
}

std::string bytes_text(const GemmPlan& plan, const SmemTensor& tensor) {
  return fmt::format("({},k) -> element; {} bytes a stage, at byte {}", tensor.name == "sB" ? 'n' : 'm',
                     tensor.stage_elements * bits(tensor.type) / 8, tensor.byte_offset) +
         (plan.stages > 1 ? fmt::format(", {} stages", plan.stages) : std::string());
}

void describe_copies(const GemmPlan& plan, std::vector<PlanLine>& lines) {
  for (const auto& [step, gmem, smem] : {std::tuple{&plan.g2s_a, "tAgA", "tAsA"}, std::tuple{&plan.g2s_b, "tBgB", "tBsB"}}) {
    lines.push_back({gmem, to_string(step->gmem),
                     fmt::format("(thr, (vec, copy)) -> element of the tile; {}, {} x {} elements by {} threads", step->atom_name,
                                 step->copies, step->vector, step->threads)});
    lines.push_back({smem, to_string(step->smem), "(thr, (vec, copy)) -> element of the stage"});
  }
}

void describe_fragments(const GemmPlan& plan, std::vector<PlanLine>& lines) {
  lines.push_back({"tCsA", partition_text(plan, Operand::a), "(val, MMA_M, MMA_K) -> element of the stage; thread 0"});
  lines.push_back({"tCsB", partition_text(plan, Operand::b), "(val, MMA_N, MMA_K) -> element of the stage; thread 0"});
  lines.push_back({"tCgC", partition_text(plan, Operand::c), "(val, MMA_M, MMA_N) -> element of the tile; thread 0"});
  lines.push_back({"tCrA", to_string(plan.tCrA), fmt::format("(val, MMA_M, MMA_K) -> register element; by {}", plan.s2r_a.atom_name)});
  lines.push_back({"tCrB", to_string(plan.tCrB), fmt::format("(val, MMA_N, MMA_K) -> register element; by {}", plan.s2r_b.atom_name)});
  lines.push_back({"tCrC", to_string(plan.tCrC),
                   fmt::format("(val, MMA_M, MMA_N) -> accumulator; {} mma a k-tile", plan.mma_m * plan.mma_n * plan.mma_k)});
}

}  // namespace

std::vector<PlanLine> describe(const GemmPlan& plan) {
  std::vector<PlanLine> lines;
  lines.push_back({"problem", fmt::format("{} x {} x {}", plan.m, plan.n, plan.k), "M x N x K elements"});
  lines.push_back({"mma", plan.mma->atom().name,
                   fmt::format("{} as {}; needs {}", to_string(plan.mma->atom_layout_mnk()), to_string(plan.mma->permutation_mnk()),
                               to_string(plan.arch))});
  lines.push_back({"cta_tiler", fmt::format("({},{},{})", plan.blk_m, plan.blk_n, plan.blk_k),
                   fmt::format("{} x {} CTAs, {} k-tiles, {} stages", plan.m_tiles, plan.n_tiles, plan.k_tiles, plan.stages)});
  lines.push_back({"threads", fmt::format("{}", plan.threads), to_string(plan.mma->thr_layout_vmnk()) + "  (V,M,N,K) -> thread"});
  lines.push_back({"cta_raster", to_string(plan.cta_raster), "block -> (m_tile, n_tile)"});
  for (const GmemTensor* tensor : {&plan.gA, &plan.gB, &plan.gC}) {
    lines.push_back({tensor->name, to_string(tensor->layout),
                     fmt::format("{} -> element; {}",
                                 tensor->name == "gA"   ? "(m,k)"
                                 : tensor->name == "gB" ? "(n,k)"
                                                        : "(m,n)",
                                 short_name(tensor->type))});
  }
  for (const SmemTensor* tensor : {&plan.sA, &plan.sB})
    lines.push_back({tensor->name, to_string(tensor->layout), bytes_text(plan, *tensor)});
  describe_copies(plan, lines);
  describe_fragments(plan, lines);
  lines.push_back({"smem", fmt::format("{}", plan.smem_bytes), "bytes a CTA"});
  lines.push_back({"epilogue", fmt::format("alpha {} beta {}", plan.alpha, plan.beta),
                   fmt::format("gC = alpha * tCrC + beta * gC, {} at a time", plan.epilogue_vector)});
  lines.push_back({"store_order", to_string(plan.store_order), "(vec, store) -> value of tCrC"});
  return lines;
}

}  // namespace tessera
