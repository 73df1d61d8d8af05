// SPDX-License-Identifier: BSD-3-Clause
// Tables of the plan's partitions, and the values of them that an operation names.
#include "core/gemm/run/addresses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/gemm/refuse.hpp"

namespace tessera::machine {

namespace {

// The modes of a thread's values: of registers the layout's own, else those of its second mode.
Layout values_of(const plan::Partition& partition, bool registers) {
  const Layout& plain = plain_part(partition.layout);
  return registers ? plain : plain[1];
}

AddressTable tabulate(const plan::Partition& partition, plan::Space space) {
  const bool registers = space == plan::Space::registers;
  AddressTable table;
  const Layout& plain = plain_part(partition.layout);
  const Layout values = values_of(partition, registers);
  table.threads = registers ? 1 : plain[0].size();
  table.values = values.size();
  std::int64_t weight = 1;
  for (std::size_t mode = 0; mode < partition.modes.size(); ++mode) {
    const std::int64_t extent = partition.modes.size() == 1 ? values.size() : values[mode].size();
    table.extents.push_back(extent);
    table.weights.push_back(weight);
    weight *= extent;
  }
  table.elements.reserve(static_cast<std::size_t>(table.threads * table.values));
  if (space == plan::Space::coordinates) {
    const plan::Coordinates coordinates(plain);
    for (std::int64_t thread = 0; thread < table.threads; ++thread) {
      for (std::int64_t value = 0; value < table.values && !late(); ++value) {
        const auto [first, second] = coordinates(thread, value);
        table.elements.push_back(first + kSecond * second);
      }
    }
    return table;
  }
  if (registers) {
    for (std::int64_t value = 0; value < table.values && !late(); ++value) table.elements.push_back(evaluate(partition.layout, value));
    return table;
  }
  const ValueTable place(partition.layout);
  for (std::int64_t thread = 0; thread < table.threads; ++thread) {
    for (std::int64_t value = 0; value < table.values && !late(); ++value) table.elements.push_back(place(thread, value));
  }
  return table;
}

}  // namespace

std::int64_t Addresses::bytes(const GemmPlan& plan) {
  std::int64_t entries = 0;
  for (const plan::Partition& partition : plan.partitions) entries = count_sum(entries, size(partition.layout));
  return count_product(entries, 2 * static_cast<std::int64_t>(sizeof(std::int64_t)));
}

Addresses::Addresses(const GemmPlan& plan) : plan_(plan) {
  for (const plan::Partition& partition : plan.partitions) tables_.push_back(tabulate(partition, plan.tensors[partition.tensor].space));
}

const Walked& Addresses::walked(const plan::At& at) {
  const auto [found, is_new] = walked_.try_emplace(&at);
  Walked& walked = found->second;
  if (!is_new) return walked;
  walked.at = &at;
  walked.partition = &plan_.partitions[at.partition];
  walked.table = &tables_[at.partition];
  walked.tensor = &plan_.tensors[walked.partition->tensor];
  if (walked.partition->coordinates != plan::kNone) walked.coordinates = &tables_[walked.partition->coordinates];
  walked.values = {0};
  for (std::size_t mode = 0; mode < walked.partition->modes.size(); ++mode) {
    const auto pick =
        std::find_if(at.picks.begin(), at.picks.end(), [&](const plan::Pick& p) { return p.mode == walked.partition->modes[mode]; });
    if (pick != at.picks.end()) {
      walked.picked.emplace_back(mode, &pick->at);
      continue;
    }
    const std::size_t before = walked.values.size();
    for (std::int64_t i = 1; i < walked.table->extents[mode]; ++i) {
      for (std::size_t v = 0; v < before; ++v) walked.values.push_back(walked.values[v] + i * walked.table->weights[mode]);
    }
  }
  for (const plan::Pick& pick : at.picks) {
    if (pick.mode == "k_tile") walked.k_tile = &pick.at;
  }
  return walked;
}

Result<Place> Addresses::place(const plan::At& at, const plan::Walk& walk) {
  const Walked& walked = this->walked(at);
  Place place{&walked};
  for (const auto& [mode, index] : walked.picked) {
    const std::int64_t coordinate = walk.value(*index), extent = walked.table->extents[mode];
    if (coordinate < 0 || coordinate >= extent) {
      return refuse(ErrorCode::out_of_range,
                    fmt::format("{} is taken at {} {}, of {}", walked.partition->name, walked.partition->modes[mode], coordinate, extent));
    }
    place.base += coordinate * walked.table->weights[mode];
  }
  const plan::Tensor& tensor = *walked.tensor;
  if (tensor.space == plan::Space::shared && tensor.ring != plan::kNone && at.stage.cursor != plan::kNone) {
    place.fill = walk.fill(at.stage), place.stage = walk.stage(at.stage);
    place.offset = place.stage * tensor.stage_elements;
  }
  if (tensor.space != plan::Space::global) return place;
  const plan::TilePlace& tile = walk.tile(at.tiles_back);
  const std::int64_t k_tile = walked.k_tile != nullptr ? walk.k_tile(*walked.k_tile) : 0;
  const std::int64_t first = tensor.operand == Operand::b ? tile.n_tile : tile.m_tile,
                     second = tensor.operand != Operand::c ? k_tile : tile.n_tile;
  const auto [firsts, seconds] = plan::tile_counts(plan_, tensor.operand);
  if (tile.number < 0) return refuse(ErrorCode::out_of_range, fmt::format("{} is taken before there is a tile", walked.partition->name));
  if (first < 0 || first >= firsts || second < 0 || second >= seconds) {
    return refuse(ErrorCode::out_of_range,
                  fmt::format("{} is taken at tile ({},{}), of {} x {}", walked.partition->name, first, second, firsts, seconds));
  }
  place.offset = tensor.tiles(0, first + second * firsts);
  const plan::TwoModes tile_extents = plan::tile_extents(plan_, tensor.operand);
  place.origin = {first * tile_extents[0], second * tile_extents[1]};
  place.extents = plan::extents(plan_, tensor.operand);
  return place;
}

}  // namespace tessera::machine
