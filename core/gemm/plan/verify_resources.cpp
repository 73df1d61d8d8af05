// SPDX-License-Identifier: BSD-3-Clause
// verify: the resources of a plan are what the operations take them for, also where a person wrote them.
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/plan/edges.hpp"
#include "core/gemm/plan/verify_parts.hpp"

namespace tessera::plan {

namespace {

constexpr std::int64_t kMostThreads = 1024, kMostCtasOfCluster = 16;
constexpr std::int64_t kMostElements = 1 << 26;  // of a partition, or of a tensor in shared memory or registers
constexpr std::int64_t kMostStages = 1 << 12, kMostExtent = std::int64_t{1} << 40;

Status within(std::string_view who, std::string_view what, std::int64_t is, std::int64_t least, std::int64_t most) {
  if (is >= least && is <= most) return Done{};
  return wrong(fmt::format("{} has {} {}; it is {} to {}", who, what, is, least, most));
}

Status check_launch(const GemmPlan& plan) {
  TESSERA_CHECK(within("the CTA", "threads", plan.threads, 1, kMostThreads));
  TESSERA_CHECK(within("the cluster", "cluster_m", plan.cluster_m, 1, kMostCtasOfCluster));
  TESSERA_CHECK(within("the cluster", "cluster_n", plan.cluster_n, 1, kMostCtasOfCluster));
  TESSERA_CHECK(within("the grid", "CTAs", plan.grid, plan.cluster_size(), kMostExtent));
  if (plan.grid % plan.cluster_size() != 0)
    return wrong(fmt::format("the grid has {} CTAs, which are no whole clusters of {}", plan.grid, plan.cluster_size()));
  return Done{};
}

Status check_tensor(const GemmPlan& plan, const Tensor& tensor) {
  if (tensor.space == Space::global || tensor.space == Space::coordinates) return Done{};
  TESSERA_CHECK(within(tensor.name, "elements", tensor.elements, 0, kMostElements));
  TESSERA_CHECK(within(tensor.name, "stage_elements", tensor.stage_elements, 0, kMostElements));
  return within(tensor.name, "stages", stages_of(plan.rings, tensor.ring), 1, kMostStages);
}

// A mode of the layout for each name; in registers all of it are values, elsewhere its second mode.
Status check_partition(const GemmPlan& plan, const Partition& partition) {
  const Tensor& tensor = plan.tensors[partition.tensor];
  const bool registers = tensor.space == Space::registers;
  const Layout& plain = plain_part(partition.layout);
  const auto says = [&](const auto& what) { return wrong(fmt::format("{} = {}: {}", partition.name, to_string(partition.layout), what)); };
  if (!registers && plain.rank() != 2) return says(fmt::format("a partition of {} has the modes (thr, values)", tensor.name));
  if (plain.size() > kMostElements) return says(fmt::format("it has {} values; the limit is {}", plain.size(), kMostElements));
  const Layout values = registers ? plain : plain[1];
  if (partition.modes.empty() || (partition.modes.size() > 1 && values.rank() != partition.modes.size()))
    return says(fmt::format("its values have {} modes, and {} names", values.rank(), partition.modes.size()));
  if (plain.has_basis() != (tensor.space == Space::coordinates))
    return says(tensor.space == Space::coordinates ? "coordinates have basis strides" : "its strides are elements, and no coordinates");
  if (plain.has_basis()) return Done{};
  for (const std::int64_t stride : leaf_values(plain.stride())) {
    if (stride < 0) return says(fmt::format("the stride {} is negative", stride));
  }
  if (registers && plain.cosize() > tensor.elements)
    return says(fmt::format("it reaches element {} of {}, which has {} a thread", plain.cosize() - 1, tensor.name, tensor.elements));
  return Done{};
}

// What a GEMM has: tiles that cover its problem, and where its operands lie.
Status check_operand(const GemmPlan& plan, Operand operand) {
  const OperandPath& path = plan.path(operand);
  const char* const name = operand == Operand::a ? "A" : operand == Operand::b ? "B" : "C";
  for (const Id id : {path.gmem, path.smem, path.rmem}) {
    if (id != kNone && id >= plan.tensors.size())
      return wrong(fmt::format("operand {} names tensor {}, and the plan has {}", name, id, plan.tensors.size()));
  }
  for (const Id id : {path.tXgX, path.tXsX, path.tXrX, path.read, path.received, path.partition, path.fragment}) {
    if (id != kNone && id >= plan.partitions.size())
      return wrong(fmt::format("operand {} names partition {}, and the plan has {}", name, id, plan.partitions.size()));
  }
  if (path.gmem == kNone || path.partition == kNone || (operand == Operand::c && path.fragment == kNone))
    return wrong(fmt::format("operand {} of a GEMM has gmem{}, and what the atom takes of it, partition", name,
                             operand == Operand::c ? ", fragment" : ""));
  const Tensor& gmem = plan.gmem(operand);
  const TwoModes tile = tile_extents(plan, operand), counts = tile_counts(plan, operand);
  if (gmem.space != Space::global || gmem.operand != operand)
    return wrong(fmt::format("operand {} has gmem {}, which is not in global memory or of another operand", name, gmem.name));
  if (gmem.tiles.rank() != 2 || gmem.tiles[0].size() != tile[0] * tile[1] || gmem.tiles[1].size() != counts[0] * counts[1] ||
      gmem.tiles.has_basis())
    return wrong(fmt::format("{} has tiles {}; they are ((tile),(tiles)) of {} x {} elements and {} x {} tiles", gmem.name,
                             to_string(gmem.tiles), tile[0], tile[1], counts[0], counts[1]));
  return Done{};
}

Status check_problem(const GemmPlan& plan) {
  const std::pair<std::string_view, std::int64_t> extents[] = {{"m", plan.m},
                                                               {"n", plan.n},
                                                               {"k", plan.k},
                                                               {"batch", plan.batch},
                                                               {"blk_m", plan.blk_m},
                                                               {"blk_n", plan.blk_n},
                                                               {"blk_k", plan.blk_k},
                                                               {"m_tiles", plan.m_tiles},
                                                               {"n_tiles", plan.n_tiles},
                                                               {"k_tiles", plan.k_tiles},
                                                               {"mma_m", plan.mma_m},
                                                               {"mma_n", plan.mma_n},
                                                               {"mma_k", plan.mma_k}};
  for (const auto& [name, extent] : extents) TESSERA_CHECK(within("the problem", name, extent, 1, kMostExtent));
  for (const auto& [name, tiles, block, extent] : {std::tuple{"m", plan.m_tiles, plan.blk_m, plan.m},
                                                   {"n", plan.n_tiles, plan.blk_n, plan.n},
                                                   {"k", plan.k_tiles, plan.blk_k, plan.k}}) {
    if (count_product(tiles, block) < extent)
      return wrong(fmt::format("{} tiles of {} along {} do not cover its {} elements", tiles, block, name, extent));
  }
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) TESSERA_CHECK(check_operand(plan, operand));
  const std::int64_t clusters = plan.m_tiles * plan.n_tiles / plan.cluster_size();
  for (const std::int64_t place : {std::int64_t{0}, clusters - 1}) {
    const IntTuple at = clusters == plan.cta_raster.size() ? evaluate(plan.cta_raster, place) : IntTuple();
    if (at.is_tuple() && at.rank() == 2) continue;
    return wrong(fmt::format("raster is {}; it says of each of {} clusters its place (m, n)", to_string(plan.cta_raster), clusters));
  }
  return Done{};
}

}  // namespace

Status check_resources(const GemmPlan& plan) {
  const auto tensors = static_cast<std::int64_t>(plan.tensors.size());
  TESSERA_CHECK(check_launch(plan));
  for (const Tensor& tensor : plan.tensors) TESSERA_CHECK(check_tensor(plan, tensor));
  for (const Partition& partition : plan.partitions) TESSERA_CHECK(check_partition(plan, partition));
  for (const TensorMap& map : plan.maps) TESSERA_CHECK(within(map.name, "tensor", map.tensor, 0, tensors - 1));
  for (const Descriptor& descriptor : plan.descriptors) TESSERA_CHECK(within(descriptor.name, "tensor", descriptor.tensor, 0, tensors - 1));
  return plan.mma ? check_problem(plan) : Status(Done{});
}

}  // namespace tessera::plan
