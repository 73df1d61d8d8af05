// SPDX-License-Identifier: BSD-3-Clause
// How much of a picture can be read at the size at which it will be seen: labels, the lines between cells, and cells one by one.
#pragma once

#include <string_view>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {

inline constexpr double kPixelsOfAPoint = 96.0 / 72;  // of SVG and CSS
inline constexpr double kLeastLabel = 4.5;            // points of type that can still be read in print
inline constexpr double kLeastCell = 6;               // points of a cell's edge at which lines between cells are no grey haze

// "3.33in", "84mm", "8cm", "240pt", and the widths that papers and slides have: columnwidth 3.33 in (two columns), textwidth 6.5 in,
// slide 128 mm (beamer). In points of 1/72 inch. Refuses others, and what is not above 0 and at most 200 inches.
Result<double> width_in_points(std::string_view text);
// The same of a height: textheight 9 in, slide 90 mm.
Result<double> height_in_points(std::string_view text);

// The cell's edge with which a picture and the margins around it (TikZ has none) are so wide.
double cell_for_width(const Scene& scene, double points, bool margins = true);

struct Detail {
  bool all_labels = false;  // cells keep them whatever their size is
  float beside = 0;   // how wide the whole may be, in cells, where a block that is opened stands beside the picture; 0: all stand below
  bool opens = true;  // of a panel whose labels cannot be read a part is drawn enlarged
};
// The scene for cells of this edge. Where a panel's type would be smaller than kLeastLabel its cells lose their labels; below kLeastCell a
// cell, grids lose their lines, and neighbours of one colour and without a label become one shape. A note says what was left out. Pictures
// in CuTe's styles stay as they are.
Scene at_size(Scene scene, double cell_points, const Detail& detail = {});

// Is it a block of another panel that is drawn once more, enlarged?
bool is_opened(const Panel& panel);

// Takes the labels of a mark's cells away; how many they were.
std::size_t take_labels(Mark& mark);

// Adds a line of small type below the picture, or several: it does not become wider.
void add_note(Scene& scene, double cell_points, std::string_view text);

}  // namespace tessera
