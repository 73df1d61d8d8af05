// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/kinds/chain_drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

Result<Followed> followed(const FigureSpec& spec, const ChainStage& first) {
  Followed made{std::min<std::int64_t>(first.rows - 1, 3), std::min<std::int64_t>(first.cols - 1, 10)};
  const std::string_view written = parameter(spec, "at");
  if (written.empty()) return made;
  TESSERA_TRY(selection, read_selection(written, "at"));
  const bool one = selection.size() == 1 && selection.front().what == Selects::coordinate &&
                   selection.front().first == selection.front().last && selection.front().first_col == selection.front().last_col;
  if (!one || selection.front().first >= first.rows || selection.front().first_col >= first.cols)
    return Error{ErrorCode::out_of_range,
                 fmt::format("at={} is no element of the tile that is copied", written),
                 {},
                 {fmt::format("it is {} x {}: at=\"(0,0)\" to at=\"({},{})\"", first.rows, first.cols, first.rows - 1, first.cols - 1)}};
  return Followed{selection.front().first, selection.front().first_col};
}

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

std::vector<std::string> pointing_words(const Chain& chain, const Followed& at) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < chain.steps.size(); ++i) {
    const ChainStage &from = chain.stages[i], &to = chain.stages[i + 1];
    if (!points_at_rows(chain.steps[i].name) || to.place != ChainPlace::registers || from.rows != to.rows) continue;
    const auto place = static_cast<std::size_t>(at.row + from.rows * at.col);
    if (place >= std::min(from.touch.size(), to.touch.size())) continue;
    const std::int32_t pointing = from.touch[place].thread, receiving = to.touch[place].thread;
    if (pointing < 0 || receiving < 0) continue;
    words.push_back(
        fmt::format("{}: T{} points at the 16 bytes that hold the element, and T{} receives it", chain.steps[i].name, pointing, receiving));
  }
  return words;
}

void move_number(Panel& panel, const Frame& frame, std::int64_t column) {
  constexpr float kGap = 0.14f;
  const float middle = (frame.column(column) + frame.column(column + 1)) / 2;
  for (Mark& mark : panel.marks) {
    auto* label = std::get_if<Label>(&mark);
    if (!label || label->role != LabelRole::axis || label->y > frame.y || std::abs(label->x - middle) > 0.01f) continue;
    const Bounds box = bounds(Panel{"", {mark}});
    const float right = middle + kGap + box.width();
    if (right + kGap > middle + frame.w - box.width() / 2) continue;
    label->x = middle + kGap + box.width() / 2;
  }
}

}  // namespace tessera
