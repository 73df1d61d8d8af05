// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/chain_drawn.hpp"

#include <algorithm>
#include <map>

namespace tessera {

namespace {

constexpr std::int64_t kLineBits = 1024;  // a row of all banks
constexpr std::int64_t kMostRows = 8, kMostColumns = 128;
constexpr std::int64_t kMostLines = 16;  // of shared memory, in a panel

std::int64_t element_at(const ChainStage& stage, const ChainPart& part, std::int64_t d, std::int64_t a) {
  const std::int64_t down = part.first_down + d, across = part.first_across + a;
  return part.swap ? across + stage.rows * down : down + stage.rows * across;
}

}  // namespace

bool neighbours_go_down(const ChainStage& stage) {
  return !stage.offset.empty() && stage.rows > 1 && stage.offset[1] == stage.offset[0] + 1 &&
         !(stage.cols > 1 && stage.offset[static_cast<std::size_t>(stage.rows)] == stage.offset[0] + 1);
}

ChainPart part_of(const ChainStage& stage, bool swap, std::int64_t row, std::int64_t col) {
  const std::int64_t down = swap ? stage.cols : stage.rows, across = swap ? stage.rows : stage.cols;
  const std::int64_t at_down = swap ? col : row, at_across = swap ? row : col;
  const std::int64_t wide = std::clamp<std::int64_t>(kLineBits / stage.bits, kMostRows, kMostColumns);
  ChainPart part;
  part.swap = swap;
  part.across = std::min(across, wide);
  part.first_across = std::min(at_across / wide * wide, across - part.across);
  part.down = std::min(down, kMostRows);
  part.first_down = std::min(at_down / kMostRows * kMostRows, down - part.down);
  return part;
}

ChainDrawn by_coordinates(const ChainStage& stage, const ChainPart& part) {
  ChainDrawn made;
  made.part = part;
  made.frame = {0, 0, part.down, part.across};
  for (std::int64_t d = 0; d < part.down; ++d) {
    for (std::int64_t a = 0; a < part.across; ++a) made.element.push_back(element_at(stage, part, d, a));
  }
  return made;
}

ChainDrawn by_addresses(const ChainStage& stage, const ChainPart& part) {
  const std::int64_t cells = std::max<std::int64_t>(1, kLineBits / stage.bits);
  std::map<std::int64_t, std::vector<std::int64_t>> lines;
  for (std::int64_t d = 0; d < part.down; ++d) {
    for (std::int64_t a = 0; a < part.across; ++a) {
      const std::int64_t element = element_at(stage, part, d, a);
      const std::int64_t bit = stage.byte_offset * 8 + stage.offset[static_cast<std::size_t>(element)] * stage.bits;
      std::vector<std::int64_t>& line = lines[bit / kLineBits];
      line.resize(static_cast<std::size_t>(cells), -1);
      line[static_cast<std::size_t>(std::min(bit % kLineBits / stage.bits, cells - 1))] = element;
    }
  }
  ChainDrawn made;
  made.part = part;
  for (const auto& [number, line] : lines) {
    if (static_cast<std::int64_t>(made.line.size()) == kMostLines) break;
    made.line.push_back(number * kLineBits / 8);
    made.element.insert(made.element.end(), line.begin(), line.end());
  }
  made.frame = {0, 0, static_cast<std::int64_t>(made.line.size()), cells};
  return made;
}

}  // namespace tessera
