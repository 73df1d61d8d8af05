// SPDX-License-Identifier: BSD-3-Clause
// A ring of stages in time, by durations that somebody declares: when each k-tile is copied, and when it is multiplied.
//
//   a stage    room for one k-tile; tile i lies in stage i % stages
//   a copy     begins when its stage is free, takes `load` units, and goes on beside every other copy
//   a product  begins when its tile is there and the product before it has ended, takes `multiply` units, and frees the stage
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.hpp"

namespace tessera {

struct PipelineTile {
  std::int64_t stage = 0;
  std::int64_t copy_from = 0, copy_to = 0, multiply_from = 0, multiply_to = 0;  // declared units
};

struct PipelineModel {
  std::int64_t load = 0, multiply = 0, stages = 1;
  std::vector<PipelineTile> tiles;
  std::int64_t duration() const { return tiles.back().multiply_to; }
  // Units in which nothing is multiplied, that of the first copy among them.
  std::int64_t waiting() const { return duration() - multiply * static_cast<std::int64_t>(tiles.size()); }
};

constexpr std::int64_t kMostPipelineTiles = 4096, kMostPipelineStages = 64, kLongestPipelinePart = 1'000'000'000;

// Refused are counts below 1 and beyond these limits.
Result<PipelineModel> pipeline_model(std::int64_t tiles, std::int64_t load, std::int64_t multiply, std::int64_t stages);

}  // namespace tessera
