// SPDX-License-Identifier: BSD-3-Clause
// The lists of a plan: each tensor and each partition once, under the name that CuTe gives it.
#include <string>
#include <utility>
#include <vector>

#include "core/gemm/lower/steps.hpp"
#include "core/layout/algebra.hpp"

namespace tessera::lowering {

namespace {

using plan::Id;
using plan::Partition;
using plan::Space;
using plan::Tensor;

Id add_global(Draft& plan, const GmemTensor& gmem, Operand operand) {
  Tensor tensor{gmem.name, Space::global, operand, gmem.type, gmem.layout};
  tensor.tiles = gmem.tiles;
  tensor.elements = gmem.elements;
  return append(plan.tensors, std::move(tensor));
}

Id add_shared(Draft& plan, const SmemTensor& smem, Operand operand) {
  Tensor tensor{smem.name, Space::shared, operand, smem.type, smem.layout};
  tensor.ring = kTileRing;
  tensor.stage_elements = smem.stage_elements;
  tensor.byte_offset = smem.byte_offset;
  return append(plan.tensors, std::move(tensor));
}

Id add_registers(Draft& plan, std::string name, Operand operand, ValueType type, const Layout& layout) {
  Tensor tensor{std::move(name), Space::registers, operand, type, layout};
  tensor.elements = layout.cosize();
  return append(plan.tensors, std::move(tensor));
}

// Through registers: what a thread holds between reading global and writing shared memory.
bool passes_registers(const Draft& plan, const GmemToSmemStep& step) {
  return plan.copies == Copies::ahead && step.instruction == GmemToSmem::load_store;
}

// The copy to shared memory: where it begins and ends, and the registers in between.
Status add_copy(Draft& plan, Operand operand, const std::string& letter, plan::OperandPath& path) {
  const GmemToSmemStep& g2s = plan.to_smem[static_cast<std::size_t>(operand)];
  const std::vector<std::string> copied{"vec", "copy"};
  const Id coordinates = add_coordinates(plan, operand, "t" + letter + "c" + letter, g2s.coordinates, copied);
  path.tXgX = append(plan.partitions, Partition{"t" + letter + "g" + letter, path.gmem, g2s.gmem, copied, coordinates});
  path.tXsX = append(plan.partitions, Partition{"t" + letter + "s" + letter, path.smem, g2s.smem, copied});
  if (!passes_registers(plan, g2s)) return Done{};
  TESSERA_TRY(compact, Layout::make_compact(g2s.gmem[1].shape()));  // (vec, copy) -> register element
  const Id registers = add_registers(plan, "t" + letter + "r" + letter, operand, plan.tensors[path.gmem].type, compact);
  path.tXrX = append(plan.partitions, Partition{"t" + letter + "r" + letter, registers, compact, copied});
  return Done{};
}

Status add_operand(Draft& plan, Operand operand) {
  const bool a = operand == Operand::a;
  const std::string letter = a ? "A" : "B", mma_mode = a ? "MMA_M" : "MMA_N";
  const auto i = static_cast<std::size_t>(operand);
  const SmemToRmemStep& s2r = plan.to_rmem[i];
  plan::OperandPath path;
  path.gmem = add_global(plan, plan.global[i], operand);
  if (plan.copies_tiles) path.smem = add_shared(plan, plan.shared[i], operand);
  path.rmem = add_registers(plan, "r" + letter, operand, plan.global[i].type, plan.fragment[i]);
  if (plan.copies_tiles) TESSERA_CHECK(add_copy(plan, operand, letter, path));
  const std::vector<std::string> consumed{"val", mma_mode, "MMA_K"};
  const Id source = plan.copies_tiles ? path.smem : path.gmem;
  const Id coordinates = plan.copies_tiles ? plan::kNone : add_coordinates(plan, operand, "tCc" + letter, plan.coordinates[i], consumed);
  path.partition =
      append(plan.partitions, Partition{(plan.copies_tiles ? "tCs" : "tCg") + letter, source, plan.consumed[i], consumed, coordinates});
  path.fragment = append(plan.partitions, Partition{"tCr" + letter, path.rmem, plan.fragment[i], consumed});
  path.read = path.partition, path.received = path.fragment;
  if (s2r.instruction == SmemToRmem::warp) {
    path.read = append(plan.partitions, Partition{"tXs" + letter, path.smem, s2r.smem, {"element", mma_mode, "MMA_K"}});
  } else if (s2r.has_own_partition) {
    const std::vector<std::string> loaded{s2r.instruction == SmemToRmem::load ? "vec" : "val", "copy", "MMA_K"};
    path.read = append(plan.partitions, Partition{"tXs" + letter, path.smem, s2r.smem, loaded});
    path.received = append(plan.partitions, Partition{"tXr" + letter, path.rmem, s2r.rmem, loaded});
  }
  plan.operands[i] = path;
  return Done{};
}

}  // namespace

Status add_stored_result(Draft& plan) {
  plan::OperandPath path;
  path.gmem = add_global(plan, plan.global[kC], Operand::c);
  path.rmem = add_registers(plan, "rC", Operand::c, plan.mma->atom().val_c, plan.fragment[kC]);
  const std::vector<std::string> values{"val", "MMA_M", "MMA_N"}, stored{"vec", "store"};
  const Id coordinates = add_coordinates(plan, Operand::c, "tCcC", plan.coordinates[kC], values);
  path.partition = append(plan.partitions, Partition{"tCgC", path.gmem, plan.tCgC, values, coordinates});
  path.fragment = append(plan.partitions, Partition{"tCrC", path.rmem, plan.fragment[kC], values});
  TESSERA_TRY(vec_places, composition(plan.tCgC[1], plan.store_order[0]));
  TESSERA_TRY(store_places, composition(plan.tCgC[1], plan.store_order[1]));
  TESSERA_TRY(vec_values, composition(plan.fragment[kC], plan.store_order[0]));
  TESSERA_TRY(store_values, composition(plan.fragment[kC], plan.store_order[1]));
  const bool by_warps = plan.mma->atom().kind == MmaKind::wmma;
  if (by_warps) TESSERA_CHECK(add_patches_of_sums(plan, path));
  const Layout places = make_layout({plan.tCgC[0], make_layout({vec_places, store_places})});  // (thr, (vec, store)) -> element of the tile
  const Layout registers = make_layout({vec_values, store_values});                            // (vec, store) -> register element
  const Layout one = Layout::trusted(plan.epilogue_vector, 1);                                 // vec -> register element
  const Id rD = add_registers(plan, "rD", Operand::c, plan.global[kC].type, one);
  Id stored_coordinates = plan::kNone;
  if (plan::has_edge(plan, Operand::c)) {
    TESSERA_TRY(vec_coordinates, composition(plan.coordinates[kC][1], plan.store_order[0]));
    TESSERA_TRY(store_coordinates, composition(plan.coordinates[kC][1], plan.store_order[1]));
    const Layout of_stores = make_layout({plan.coordinates[kC][0], make_layout({vec_coordinates, store_coordinates})});
    stored_coordinates = add_coordinates(plan, Operand::c, "tDcC", of_stores, stored);
  }
  path.tXgX = append(plan.partitions, Partition{"tDgC", path.gmem, places, stored, stored_coordinates});
  path.read = append(plan.partitions, Partition{"tDrC", by_warps ? plan.partitions[plan.settled].tensor : path.rmem, registers, stored});
  path.received = append(plan.partitions, Partition{"tDrD", rD, one, {"vec"}});
  plan.operands[static_cast<std::size_t>(Operand::c)] = path;
  return Done{};
}

Status lower_resources(Draft& plan) {
  plan.grid = plan.m_tiles * plan.n_tiles;
  if (plan.copies_tiles) {
    plan.cursors = {plan::Cursor{"read", kTileRing}, plan::Cursor{"write", kTileRing}};
    plan.barriers = {plan::Barrier{"cta", plan::BarrierKind::cta, plan.threads}};
  }
  TESSERA_CHECK(add_operand(plan, Operand::a));
  TESSERA_CHECK(add_operand(plan, Operand::b));
  return add_stored_result(plan);
}

}  // namespace tessera::lowering
