// SPDX-License-Identifier: BSD-3-Clause
// Private to core/diagram and core/render: a part of a panel's grids, with all that belongs to it: its numbers, lines, and cells beside it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagram/scene/scene.hpp"

namespace tessera {

struct Range {
  std::int64_t first = 0, last = -1;
  bool empty() const { return last < first; }
  std::int64_t count() const { return last - first + 1; }
};

// A panel's grids together: where they lie, and which of their rows and columns are left.
struct PanelPart {
  std::size_t panel = 0;
  float x = 0, y = 0, w = 1;
  std::int64_t rows = 0, cols = 0, cells = 0;  // cells: 0 where the panel has no grid
  Range rows_left, cols_left;                  // all of them, until someone cuts
  float left() const { return x + w * static_cast<float>(cols_left.first); }
  float right() const { return x + w * static_cast<float>(cols_left.last + 1); }
  float top() const { return y + static_cast<float>(rows_left.first); }
  float bottom() const { return y + static_cast<float>(rows_left.last + 1); }
  float end_x() const { return x + w * static_cast<float>(cols); }
  float end_y() const { return y + static_cast<float>(rows); }
};
// The four sides of a rectangle.
void add_rectangle(Panel& panel, const Bounds& box, StrokeRole role, ColorIndex color);

PanelPart grids_of(const Scene& scene, std::size_t panel);

// These rows and columns of a grid, with all that is known of their cells.
GridColumns part_of(const GridColumns& of, const Range& rows, const Range& cols);
// What the hues of a block mean that has other ones than its picture: "quad; shade: T mod 4". Without words it has the picture's.
struct OwnHues {
  std::vector<ColorIndex> fills;  // from 0 on
  std::string_view words;
};
// Gives a block whose cells all have one colour, as those of one warp have, hues of its own: by the 16-byte chunk in shared memory, else by
// the quad.
OwnHues color_apart(Scene& scene, GridColumns& columns);
// The grid without what stands in its cells.
GridColumns without_labels(const GridColumns& of);

// Bands across the picture that go, and where what is left moves to.
class Bands {
 public:
  void add(float from, float to) {
    if (to > from) bands_.emplace_back(from, to);
  }
  void sort();  // after the last is added
  float operator()(float at) const;

 private:
  std::vector<std::pair<float, float>> bands_;
};

// Moves a mark of the panel to where it stands when the bands are gone; false: it is gone too.
bool move_part(Mark& mark, const PanelPart& part, const Bands& x, const Bands& y);

void shift(Mark& mark, float dx, float dy);
void shift(Panel& panel, float dx, float dy);  // all its marks

}  // namespace tessera
