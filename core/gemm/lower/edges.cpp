// SPDX-License-Identifier: BSD-3-Clause
// Tensors that their tiles do not divide: cut as if they were as long as the tiles, with the coordinates by which threads see the end.
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/base/checked.hpp"
#include "core/gemm/lower/steps.hpp"
#include "core/layout/algebra.hpp"

namespace tessera::lowering {

namespace {

// The mode with more elements of the same stride.
Result<Layout> longer(const GmemTensor& gmem, std::size_t mode, std::int64_t extent, std::int64_t tile, const char* mode_name) {
  const Layout of = gmem.layout[mode];
  if (of.size() == extent) return of;
  const Layout one = of.depth() == 0 ? of : coalesce(of);
  if (one.depth() == 0) return Layout::make(extent, one.stride());
  return refuse(ErrorCode::not_divisible,
                fmt::format("{} = {}: tiles of {} do not divide {} {}, and the last one cannot reach beyond a mode of several strides, {}",
                            gmem.name, to_string(gmem.layout), tile, mode_name, of.size(), to_string(of)),
                fmt::format("{}, or cta_tiler with a BLK_{} that divides {}",
                            with_padded_rows(gmem, gmem.layout[0].stride() == IntTuple(1)), mode_name, of.size()));
}

}  // namespace

Result<Layout> cut_into_tiles(const GmemTensor& gmem, const plan::TwoModes& tile, const plan::TwoModes& tiles,
                              const std::array<const char*, 2>& modes) {
  TESSERA_TRY(first, longer(gmem, 0, tile[0] * tiles[0], tile[0], modes[0]));
  TESSERA_TRY(second, longer(gmem, 1, tile[1] * tiles[1], tile[1], modes[1]));
  TESSERA_TRY(whole, checked_make_layout({std::move(first), std::move(second)}));
  auto cut = zipped_divide(whole, Tiler(std::vector<Tiler>{tile[0], tile[1]}), Law::checked);
  if (cut) return cut;
  return std::move(cut).error().note(
      fmt::format("{} cannot be cut into tiles of {} x {}: change {} or cta_tiler", gmem.name, tile[0], tile[1], gmem.name));
}

Result<Layout> tile_coordinates(const Draft& plan, Operand operand) {
  const plan::TwoModes tile = plan::tile_extents(plan, operand);
  return make_identity_layout(IntTuple::tuple({tile[0], tile[1]}));
}

Status check_coordinates(const Layout& coordinates, const Layout& places, std::int64_t rows, const char* name) {
  const plan::Coordinates coordinate(coordinates);
  if (coordinates.size() != places.size()) {
    return refuse(ErrorCode::breaks_law, fmt::format("{} has {} coordinates for {} values", name, coordinates.size(), places.size()), {});
  }
  const ValueTable place(places);
  const std::int64_t threads = place.size(0);
  for (std::int64_t i = 0; i < places.size(); ++i) {
    if (late()) return past_deadline("lowering: the coordinates of each thread's values");
    const std::int64_t thr = i % threads, value = i / threads;
    const auto [first, second] = coordinate(thr, value);
    if (first + rows * second == place(thr, value)) continue;
    return refuse(
        ErrorCode::breaks_law,
        fmt::format("value {} of {} is place {} of the tile, and its coordinate says ({},{})", i, name, place(thr, value), first, second),
        {});
  }
  return Done{};
}

bool vectors_end_well(const Draft& plan, Operand operand, const Layout& places, std::int64_t vector, bool whole) {
  if (vector == 1 || !plan::has_edge(plan, operand)) return true;
  const plan::TwoModes tile = plan::tile_extents(plan, operand);
  const std::size_t along = plan::contiguous_mode(plan.global[static_cast<std::size_t>(operand)].tiles[0]);
  const std::int64_t step = along == 0 ? 1 : tile[0];
  const bool is_cut = plan::cuts_vectors(plan, operand, along, vector);
  if (is_cut && (whole || vector * bits(plan.global[static_cast<std::size_t>(operand)].type) < 32)) return false;
  const ValueTable place(places);
  for (std::int64_t thr = 0; thr < place.size(0); ++thr) {
    for (std::int64_t v = 0; v < place.size(1) && !late(); ++v) {  // `lower` looks at the clock afterwards
      const std::int64_t first = place(thr, v - v % vector), in_mode = along == 0 ? first % tile[0] : first / tile[0];
      if (in_mode % vector != 0 || in_mode + vector > tile[along] || place(thr, v) != first + v % vector * step) return false;
    }
  }
  return true;
}

std::int64_t elements_read(const Draft& plan, Operand operand, std::int64_t vector) {
  const GmemTensor& gmem = plan.global[static_cast<std::size_t>(operand)];
  const std::size_t along = plan::contiguous_mode(gmem.tiles[0]);
  const std::int64_t extent = plan::extents(plan, operand)[along];
  if (!plan::has_edge(plan, operand, along) || extent % vector == 0) return gmem.elements;
  return gmem.layout[1 - along].cosize() - 1 + round_up(extent, vector);
}

std::int64_t padded_pitch(ValueType type, std::int64_t elements) {
  const std::int64_t of_16_bytes = 128 / bits(type);
  return round_up(elements, of_16_bytes);
}

std::string with_padded_rows(const GmemTensor& gmem, bool along_first) {
  const std::int64_t extents[2] = {gmem.layout[0].size(), gmem.layout[1].size()};
  const std::int64_t pitch = padded_pitch(gmem.type, extents[along_first ? 0 : 1]);
  return fmt::format("{}=({},{}):({})", gmem.name, extents[0], extents[1],
                     along_first ? fmt::format("1,{}", pitch) : fmt::format("{},1", pitch));
}

plan::Id add_coordinates(Draft& plan, Operand operand, std::string name, Layout coordinates, const std::vector<std::string>& modes) {
  if (!plan::has_edge(plan, operand)) return plan::kNone;
  plan::Id& tensor = plan.coordinate_tensors[static_cast<std::size_t>(operand)];
  if (tensor == plan::kNone) {
    const plan::TwoModes extents = plan::extents(plan, operand);
    plan::Tensor identity{operand == Operand::a   ? "cA"
                          : operand == Operand::b ? "cB"
                                                  : "cC",
                          plan::Space::coordinates, operand, plan.global[static_cast<std::size_t>(operand)].type,
                          make_identity_layout(IntTuple::tuple({extents[0], extents[1]})).value()};
    tensor = append(plan.tensors, std::move(identity));
  }
  return append(plan.partitions, plan::Partition{std::move(name), tensor, std::move(coordinates), modes});
}

}  // namespace tessera::lowering
