// SPDX-License-Identifier: BSD-3-Clause
// Which CTAs there are: clusters of them that share operands, the grid, and the order in which it walks the tiles of C.
#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/base/checked.hpp"
#include "core/gemm/lower/steps.hpp"

namespace tessera::lowering {

namespace {

constexpr std::int64_t kMostCtas = 8;  // of a cluster, on every device

Status check_cluster(const GemmSpec& spec, const Draft& plan) {
  const auto positive = [](const Shape& shape) {
    for (const std::int64_t extent : leaf_values(shape)) {
      if (extent < 1 || extent > kMostCtas) return false;
    }
    return true;
  };
  const bool pair = spec.cluster.is_tuple() && spec.cluster.rank() == 2 && depth(spec.cluster) == 1;
  if ((!pair && !(spec.cluster.is_int() && spec.cluster.value() == 1)) || !positive(spec.cluster)) {
    return refuse(ErrorCode::bad_spec, fmt::format("cluster is {}; it must be (CLUSTER_M,CLUSTER_N), each 1 to 8", to_string(spec.cluster)),
                  "cluster=(2,1)");
  }
  const std::int64_t cluster = plan.cluster_size();
  if (cluster > kMostCtas) {
    return refuse(ErrorCode::limit,
                  fmt::format("a cluster of {} x {} has {} CTAs; every device has 8", plan.cluster_m, plan.cluster_n, cluster),
                  "cluster=(2,1)");
  }
  return Done{};
}

}  // namespace

// A cluster's CTAs share operands, so that each of them is there, and one whose tile lies outside the problem loads its part for the
// others: the grid of tiles is rounded up to whole clusters. Whether there may be such a cluster is asked with the schedule.
void lower_cluster(const GemmSpec& spec, Draft& plan) {
  if (!spec.cluster.is_tuple() || spec.cluster.rank() != 2 || depth(spec.cluster) != 1) return;
  plan.cluster_m = spec.cluster[0].value(), plan.cluster_n = spec.cluster[1].value();
  if (plan.cluster_m < 1 || plan.cluster_n < 1) return;
  plan.m_tiles = round_up(plan.m_tiles, plan.cluster_m), plan.n_tiles = round_up(plan.n_tiles, plan.cluster_n);
}

Status lower_grid(const GemmSpec& spec, Draft& plan) {
  TESSERA_CHECK(check_cluster(spec, plan));
  const std::int64_t cluster = plan.cluster_size();
  const std::int64_t tiles = plan.m_tiles * plan.n_tiles;  // more CTAs than these have nothing to do, and are none
  if (spec.ctas < 0 || (spec.ctas < tiles && spec.ctas % cluster != 0)) {
    return refuse(
        ErrorCode::bad_spec,
        fmt::format(
            "ctas is {}; a persistent grid has a multiple of {} CTAs, at most one for each of the {} tiles of C, and 0 is one a tile",
            spec.ctas, cluster, tiles),
        fmt::format("ctas={}", std::clamp((spec.ctas + cluster / 2) / cluster * cluster, cluster, tiles)));
  }
  plan.persistent = spec.ctas != 0;
  plan.grid = plan.persistent ? std::min(spec.ctas, tiles) : tiles;
  if (spec.ctas > tiles)
    plan.notes.push_back(
        fmt::format("ctas={} is more than the {} tiles of C: the grid has {} CTAs, one for each", spec.ctas, tiles, tiles));
  return Done{};
}

// Blocks (clusters) walk `group` tiles of M, then the tiles of N, then the next group: the CTAs that run together share operands in L2.
Status lower_raster(const GemmSpec& spec, Draft& plan) {
  const std::int64_t rows = plan.m_tiles / plan.cluster_m, columns = plan.n_tiles / plan.cluster_n;  // of clusters
  plan.raster_group = std::max<std::int64_t>(1, spec.raster_group);
  std::int64_t group = std::min(plan.raster_group, rows);  // a kernel of any size finds it in the same way
  while (rows % group != 0) --group;
  const auto mode = [](std::int64_t value, std::uint8_t i) { return IntTuple::basis(value, BasisPath{1, {i}}); };
  TESSERA_TRY(raster,
              Layout::make(IntTuple::tuple({group, columns, rows / group}), IntTuple::tuple({mode(1, 0), mode(1, 1), mode(group, 0)})));
  plan.cta_raster = std::move(raster);
  return Done{};
}

}  // namespace tessera::lowering
