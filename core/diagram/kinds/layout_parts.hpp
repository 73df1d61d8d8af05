// SPDX-License-Identifier: BSD-3-Clause
// Private to the figure of a layout: what is drawn, what stands in its cells, and its words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/kinds/figure_kinds.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/whole_blocks.hpp"

namespace tessera {

constexpr std::int64_t kUnknownBits = 32;  // what banks are coloured for where the width of an element is not known; a note says so

struct LayoutPicture {
  AnyLayout layout;
  std::int64_t rows = 1, cols = 1, panels = 1;
  std::vector<std::int64_t> offsets;  // by 1-D coordinate; empty where strides are basis elements
  std::int64_t least = 0, most = 0;
  std::pair<std::int64_t, std::int64_t> ramp;  // the offsets at its ends
  std::string_view labels, color;
  std::vector<std::string> modes;  // their names; empty: not said
  std::string number;              // what a cell's number is
  std::optional<std::int64_t> thread;
  std::string verb;
  std::string name;  // the document's
  bool is_part = false;
  bool nested = false;    // numbers of each level of a mode
  std::int64_t bits = 0;  // of an element; 0: not known
  bool by_bank() const { return color == "bank" || color == "chunk"; }
  bool says_offsets() const { return labels == "offset" && !offsets.empty(); }
  std::int64_t bank_bits() const { return bits > 0 ? bits : by_bank() ? kUnknownBits : 0; }
};

// Reads the layout and what is asked of its picture; walks its offsets.
Result<LayoutPicture> read_layout(const FigureSpec& spec);

// As it is called above the picture and below it: a layout behind an offset is what it is without the layout that does nothing.
std::string name_of(const AnyLayout& layout);
// What stands in the cell with 1-D coordinate i, at (row, col) of its panel.
std::string cell_label(const LayoutPicture& p, std::int64_t i, std::int64_t row, std::int64_t col, const std::string& rest);

// Above the picture: "sA   (64,16):(17,1)", "tCsA, what thread 0 reads   (4,4,4):(17,272,4)".
std::string heading_of(const LayoutPicture& p);
// "MMA_K = 2", "(_,_,2)" where modes have no names.
std::string name_of_panel(const LayoutPicture& p, std::int64_t index);
ColorIndex padding_fill(Scene& scene);
// Are there lines where a swizzle's pattern begins anew?
bool has_period_lines(const WholeBlock& period);
// `painted`: by colours that layouts have no own rule for.
Captions captions_of(Scene& scene, const LayoutPicture& p, const Palette& palette, Legend painted);

}  // namespace tessera
