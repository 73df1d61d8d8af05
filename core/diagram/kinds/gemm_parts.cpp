// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/gemm_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/gemm/plan/edges.hpp"

namespace tessera {

bool has_owners(const GemmPlan& plan, Operand operand) {
  const MmaAtom& atom = plan.mma->atom();
  return operand == Operand::c || (operand == Operand::a ? atom.source_a : atom.source_b) == OperandSource::registers;
}

namespace {

// Owners by element offset: the plan's partitions name offsets, a picture needs coordinates.
Result<PlanTile> with_owners(PlanTile tile, const GemmPlan& plan, const plan::Partition& of) {
  const AnyLayout& partition = of.layout;
  const TiledMma& mma = *plan.mma;
  const std::string& name = of.name;
  std::unordered_map<std::int64_t, std::int64_t> cell_of;
  const std::int64_t cells = tile.rows * tile.cols;
  TESSERA_CHECK(check_cells(cells, name));
  cell_of.reserve(static_cast<std::size_t>(cells));
  for (std::int64_t i = 0; i < cells; ++i) cell_of.emplace(evaluate(tile.layout, i), i);
  const std::int64_t threads = size(shape(partition)[0]), values = size(partition) / threads;
  tile.atom_values = std::max<std::int64_t>(1, size(shape(partition)[1][0]));
  // Beyond the end of a row offsets repeat; the plan has the coordinates then.
  std::optional<plan::Coordinates> coordinates;
  if (of.coordinates != plan::kNone) coordinates.emplace(plain_part(plan.partitions[of.coordinates].layout));
  // Where several elements lie at one offset, as those of a broadcast row do, the MMA's partition says which of them it is.
  const bool apart = static_cast<std::int64_t>(cell_of.size()) == cells;
  OwnerMap::Index by_coordinate;
  if (!apart) {
    TESSERA_TRY(made, partition_index(mma, tile.operand, tile.rows, tile.cols));
    by_coordinate = std::move(made);
  }
  const OwnerMap::Index index = [&](std::int64_t t, std::int64_t v) {
    if (coordinates) {
      const auto [row, column] = (*coordinates)(t, v);
      return row + tile.rows * column;
    }
    if (const std::int64_t cell = apart ? -1 : by_coordinate(t, v);
        cell >= 0 && cell < cells && evaluate(tile.layout, cell) == evaluate(partition, t, v))
      return cell;
    const auto found = cell_of.find(evaluate(partition, t, v));  // (thr, (val, MMA, MMA)) -> element offset
    return found == cell_of.end() ? std::int64_t{-1} : found->second;
  };
  const bool held = has_owners(plan, tile.operand);
  const std::vector<std::int64_t> ids = held ? mma.thread_ids() : std::vector<std::int64_t>();
  TESSERA_TRY(map, OwnerMap::make(held ? threads : 0, held ? values : 0, index, tile.rows, tile.cols, ids, name));
  tile.map = std::move(map);
  return tile;
}

}  // namespace

Result<PlanTile> operand_tile(const GemmPlan& plan, Operand operand) {
  const bool is_a = operand == Operand::a;
  const plan::Tensor& tensor = plan.partitioned(operand);
  const bool shared = tensor.space == plan::Space::shared;
  PlanTile tile;
  tile.operand = operand;
  tile.rows = is_a ? plan.blk_m : plan.blk_n;
  tile.cols = plan.blk_k;
  tile.layout = shared ? tensor.layout : AnyLayout(tensor.tiles[0]);
  tile.byte_offset = tensor.byte_offset;
  tile.element_bits = shared ? static_cast<std::int32_t>(bits(tensor.type)) : 0;
  tile.heading = is_a ? fmt::format("{}  M{} × K{}  {}", tensor.name, tile.rows, tile.cols, short_name(tensor.type))
                      : fmt::format("{}  K{} × N{}  {}", tensor.name, tile.cols, tile.rows, short_name(tensor.type));
  const plan::Partition& partition = plan.partition(operand);
  return with_owners(std::move(tile), plan, partition);
}

Result<PlanTile> c_tile(const GemmPlan& plan) {
  PlanTile tile;
  tile.operand = Operand::c;
  tile.rows = plan.blk_m;
  tile.cols = plan.blk_n;
  const plan::Tensor& gC = plan.gmem(Operand::c);
  tile.layout = gC.tiles[0];
  tile.heading = fmt::format("{}  M{} × N{}  {}", gC.name, tile.rows, tile.cols, short_name(gC.type));
  const plan::Partition& partition = plan.partition(Operand::c);
  return with_owners(std::move(tile), plan, partition);
}

}  // namespace tessera
