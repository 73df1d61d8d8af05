// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/plan/edges.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "core/gemm/plan/descriptors.hpp"

namespace tessera {

Layout basis_part(const Layout& layout, std::uint8_t mode) {
  std::vector<IntTuple> shapes, strides, kept;
  append_leaves(layout.shape(), shapes);
  append_leaves(layout.stride(), strides);
  for (const IntTuple& stride : strides) {
    const bool here = stride.is_basis() && stride.path().length == 1 && stride.path().modes[0] == mode;
    kept.emplace_back(here ? stride.value() : 0);
  }
  return Layout::trusted(IntTuple::tuple(shapes), IntTuple::tuple(kept));
}

namespace plan {

namespace {

TwoModes of_operand(Operand operand, std::int64_t m, std::int64_t n, std::int64_t k) {
  return {operand == Operand::b ? n : m, operand == Operand::c ? n : k};
}

}  // namespace

TwoModes extents(const GemmPlan& plan, Operand operand) { return of_operand(operand, plan.m, plan.n, plan.k); }
TwoModes extents(const GemmPlan& plan, const TensorMap& map) {
  TwoModes all = extents(plan, plan.tensors[map.tensor].operand);
  if (map.left_over == 0) return all;
  const auto matrix = matrix_of_rows(plan.tensors[map.tensor]);
  all[matrix && matrix->along_first ? 0 : 1] -= map.left_over;
  return all;
}
TwoModes tile_extents(const GemmPlan& plan, Operand operand) { return of_operand(operand, plan.blk_m, plan.blk_n, plan.blk_k); }
TwoModes tile_counts(const GemmPlan& plan, Operand operand) { return of_operand(operand, plan.m_tiles, plan.n_tiles, plan.k_tiles); }

std::array<const char*, 2> mode_names(Operand operand) { return {operand == Operand::b ? "N" : "M", operand == Operand::c ? "N" : "K"}; }

bool has_edge(const GemmPlan& plan, Operand operand, std::size_t mode) {
  return plan.extents == Extents::arguments ||
         tile_counts(plan, operand)[mode] * tile_extents(plan, operand)[mode] != extents(plan, operand)[mode];
}
bool has_edge(const GemmPlan& plan, Operand operand) { return has_edge(plan, operand, 0) || has_edge(plan, operand, 1); }

bool cuts_vectors(const GemmPlan& plan, Operand operand, std::size_t contiguous, std::int64_t vector) {
  if (vector == 1 || !has_edge(plan, operand, contiguous)) return false;
  return plan.extents == Extents::arguments || extents(plan, operand)[contiguous] % vector != 0;
}

std::int64_t rest(const GemmPlan& plan, Operand operand, std::size_t mode) {
  const std::int64_t tile = tile_extents(plan, operand)[mode];
  return (extents(plan, operand)[mode] - 1) % tile + 1;
}

TwoModes tile_of_raster(const GemmPlan& plan, std::int64_t number, std::int64_t rank) {
  const IntTuple cluster = evaluate(plan.cta_raster, number);  // (m, n), in clusters
  return {cluster[0].value() * plan.cluster_m + rank / plan.cluster_n, cluster[1].value() * plan.cluster_n + rank % plan.cluster_n};
}

std::size_t contiguous_mode(const Layout& tile) { return tile[0].size() > 1 && tile(1, 0) - tile(0, 0) == 1 ? 0 : 1; }

}  // namespace plan
}  // namespace tessera
