// SPDX-License-Identifier: BSD-3-Clause
#include "core/gemm/pipeline_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <fmt/format.h>

#include "core/gemm/refuse.hpp"

namespace tessera {

Result<PipelineModel> pipeline_model(std::int64_t tiles, std::int64_t load, std::int64_t multiply, std::int64_t stages) {
  for (const auto& [name, number, most] : {std::tuple{"tiles", tiles, kMostPipelineTiles},
                                           {"load", load, kLongestPipelinePart},
                                           {"multiply", multiply, kLongestPipelinePart},
                                           {"stages", stages, kMostPipelineStages}}) {
    if (number < 1 || number > most) return refuse(ErrorCode::out_of_range, fmt::format("{} is {}; it is 1 to {}", name, number, most));
  }
  PipelineModel made{load, multiply, stages, {}};
  std::int64_t free = 0;  // when the product before has ended
  for (std::int64_t i = 0; i < tiles; ++i) {
    PipelineTile tile;
    tile.stage = i % stages;
    tile.copy_from = i < stages ? 0 : made.tiles[static_cast<std::size_t>(i - stages)].multiply_to;
    tile.copy_to = tile.copy_from + load;
    tile.multiply_from = std::max(tile.copy_to, free);
    tile.multiply_to = free = tile.multiply_from + multiply;
    made.tiles.push_back(tile);
  }
  return made;
}

}  // namespace tessera
