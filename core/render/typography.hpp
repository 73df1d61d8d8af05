// SPDX-License-Identifier: BSD-3-Clause
// What all renderers agree on: stroke widths, colours of lines and texts, and the type size that fits a panel's cells.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/utf8.hpp"
#include "core/diagram/palette.hpp"
#include "core/diagram/scene.hpp"

namespace tessera {

struct StrokeLook {
  double width;  // in cells
  Rgb color;
};
StrokeLook stroke_look(StrokeRole role, const Scene& scene);  // CuTe draws its grids in black

inline constexpr double kSharedCorner = 0.14;  // of a cell: the triangle that marks one with several owners
inline constexpr double kCapMiddle = 0.36;     // from a line's vertical middle down to its baseline, in type sizes
inline constexpr double kLinePitch = 1.16;     // distance of two lines of a label, in type sizes
inline constexpr double kSecondLine = 0.88;    // size of the second line against the first

std::string_view name_of(StrokeRole role);  // "hairline", "grid", "boundary", "strong", "highlight"
Rgb label_color(LabelRole role, const Page& page = {});
bool is_bold(LabelRole role);
bool is_mono(LabelRole role);

// What margins are measured in, in cells: 1, and more around pictures of many cells.
double page_unit(const Bounds& picture);

// How wide a line is in Inter, or in its semi-bold, in type sizes.
double text_width(std::string_view line, bool bold = false);
// The largest type, in cells, with which every label of the panel fits its cell.
double panel_type_size(const Scene& scene, std::size_t panel);
// The same; labels of the operands of one picture that have as many lines are of one size.
double cell_type_size(const Scene& scene, std::size_t panel);
Rgb cell_text_color(const Scene& scene, const CellView& cell);

// The same for many cells, found once for each colour of the palette.
class TextColors {
 public:
  explicit TextColors(const Scene& scene);
  Rgb of(const CellView& cell) const;

 private:
  std::vector<std::array<Rgb, 2>> colors_;  // on each fill, the faint one second; last, on the paper
};

// The lines of a cell's label, at most two of them drawn, with their vertical offsets from the middle of the cell in type sizes.
struct LabelLines {
  std::string_view line[2];
  double offset[2] = {0, 0};
  double size[2] = {1, 1};  // against the cell's type size
  int count = 0;
};
LabelLines label_lines(std::string_view label);

// "T0 V1, row 0, col 1, offset 3"; other owners follow.
std::string subject_title(const Scene& scene, const ElementId& id);

// Adds a number with at most `decimals` digits after the point, without trailing zeros. No locale.
void append_number(std::string& out, double value, int decimals = 2);

// Text as a file can hold it and a font can set it: UTF-8, without controls other than line ends and tabs, and without what XML forbids.
// Each sign that is neither becomes U+FFFD.
char32_t drawable(const Utf8Character& character);
std::string drawable(std::string_view text);

}  // namespace tessera
