// SPDX-License-Identifier: BSD-3-Clause
// What all renderers agree on: colours of texts, their widths, and the type size that fits a panel's cells.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera {

inline constexpr double kSharedCorner = 0.12;  // of a cell: the triangle that marks one with several owners
inline constexpr double kCornerInset = 0.04;   // of a cell: from its edges to that triangle, which a frame would cover
inline constexpr double kSampleCorner = 0.5;   // of the cell that explains the mark
inline constexpr double kCapMiddle = 0.36;     // from a line's vertical middle down to its baseline, in type sizes
inline constexpr double kLinePitch = 1.16;     // distance of two lines of a label, in type sizes
inline constexpr double kSecondLine = 0.94;    // size of the second line against the first

// Lines of a page. Viewers draw each line at least a pixel wide, and many of them in a small picture would cover it: so lines side by side
// are filled as one area, which is as dark as what it covers, and are wide enough to be seen.
inline constexpr double kLeastLine = 0.3;     // points
inline constexpr double kMostOfAStep = 0.06;  // of the distance of a grid's lines

// Does a cell that stands for nothing explain that mark?
inline bool is_sample(const Cell& cell) { return cell.subject == kNoSubject && cell.subject_count > 1; }

std::string_view name_of(StrokeRole role);  // "hairline", "grid", "boundary", "strong", "highlight"
Rgb label_color(LabelRole role, const Page& page = {});
bool is_bold(LabelRole role);
bool is_mono(LabelRole role);

// What margins are measured in, in cells: 1, and more around pictures of many cells.
double page_unit(const Bounds& picture);
// How large a picture is with the margins around it, in cells.
struct PictureSize {
  double width = 0, height = 0;
};
PictureSize with_margins(const Bounds& picture);

// How wide a line is in Inter, or in its semi-bold, in type sizes.
double text_width(std::string_view line, bool bold = false);
// The largest type, in cells, with which every label of the panel fits its cell. There is room for a face that is wider by a tenth, as that
// of an SVG's reader may be, so that all formats show one picture.
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
