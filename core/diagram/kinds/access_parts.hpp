// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram: the access that a figure of banks or of sectors is of, and the one instruction of it that is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/atom/copy/copy_access.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/parts/figure_spec.hpp"

namespace tessera {

struct DrawnAccess {
  AnyLayout layout;  // (m, n) -> element offset
  AccessPattern pattern;
  std::int64_t bits = 0;  // of an element
  bool knows_bits = false;
  WarpInstruction instruction;
  AccessReport report;  // of all instructions
  std::int64_t first_thread() const { return instruction.warp * kLanes; }
};

// Of the figure's two objects, what reads or writes and the layout; refused where that side has no access of this memory.
Result<DrawnAccess> drawn_access(const FigureSpec& spec, AccessSpace space);
// thread= names lanes 0-31 of the warp: those that do not exist are refused.
Status check_lanes(const FigureSpec& spec, const DrawnAccess& access);
// What lanes are filled with, by color=thread, quad or none.
struct LaneColors {
  std::vector<ColorIndex> of_lane;  // empty: with nothing
  Legend legend;
};
Result<LaneColors> lane_colors(const FigureSpec& spec, Scene& scene);
// What is read or written, which instruction is drawn, what all of them take, and what was assumed.
std::vector<std::string> notes_of(const DrawnAccess& access);

}  // namespace tessera
