// SPDX-License-Identifier: BSD-3-Clause
// Private to the painting of scenes: the walk over the marks, but for words, which scene_words.hpp places.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "app/studio/paint/scene_painter.hpp"

namespace tessera::studio {

ImU32 color_of(const Scene& scene, ColorIndex index, ImU32 otherwise);
// As in files.
ImU32 ink_on(ImU32 ground);

class ScenePainter {
 public:
  ScenePainter(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area);

  void panel(std::size_t number) {
    panel_ = number;
    for (Layer& layer : index_.panels()[number]) {
      if (layer.grid != kNoMark) {
        grid(layer, std::get<Grid>(scene_.panels[number].marks[layer.grid]));
      } else {
        for (const std::uint32_t mark : layer.marks) std::visit(*this, scene_.panels[number].marks[mark]);
      }
    }
  }

  // One cell over what was painted.
  void again(const ElementId& id) { tile(cell_of(scene_, id), face_in(id)); }
  // The type of a cell's label where it stands in the cell; null where it has no room there.
  const Face* face_in(const ElementId& id) const {
    const Mark& mark = scene_.panels[id.panel].marks[id.mark];
    if (const auto* cell = std::get_if<Cell>(&mark))
      return face_for(cell->w, cell->h, columns_of(*cell), std::max<std::size_t>(cell->lines, 1));
    const auto* grid = std::get_if<Grid>(&mark);
    for (const Layer& layer : index_.panels()[id.panel]) {
      if (grid && layer.grid == id.mark) return face_for(grid->w, grid->h, layer.columns, layer.lines);
    }
    return nullptr;
  }

  void operator()(const Cell& cell) {
    if (cell.label.length == 0 && cell.subject == kNoSubject && band(cell)) return;
    tile(view(scene_, cell), face_for(cell.w, cell.h, columns_of(cell), std::max<std::size_t>(cell.lines, 1)));
  }
  void operator()(const Grid&) const {}  // a layer of its own
  void operator()(const Outline& outline) const;
  void operator()(const Line& line) const;
  void operator()(const Label&) const {}
  void operator()(const Arrow& arrow) const;

 private:
  void grid(Layer& layer, const Grid& grid);
  void far_grid(Layer& layer, const Grid& grid);
  // A grey that says nothing is paper, or lies behind others: it stands out of a dark canvas as little as it does out of its page. False
  // where it is painted as cells are.
  bool band(const Cell& cell) const;
  void tile(const CellView& cell, const Face* face) const {
    tile(cell, face, camera_.to_screen(cell.x, cell.y), camera_.to_screen(cell.x + cell.w, cell.y + cell.h));
  }
  void tile(const CellView& cell, const Face* face, ImVec2 a, ImVec2 b) const;  // from corner to corner on the screen
  void shared_corner(const CellView& cell) const;
  void cell_label(const CellView& cell, const Face& face, ImVec2 a, ImVec2 b) const;
  // Of text on this fill; worked out once, since contrast takes powers.
  ImU32 ink_on_fill(ColorIndex fill) const {
    const std::size_t at = fill < scene_.palette.size() ? fill : scene_.palette.size();
    if (inks_.empty()) inks_.resize(scene_.palette.size() + 1);
    if (!inks_[at]) inks_[at] = ink_on(color_of(scene_, fill, c_.theme.cell));
    return *inks_[at];
  }
  const Face* face_for(float w, float h, std::size_t columns, std::size_t lines) const;
  static std::size_t columns_of(const Cell& cell) {
    const std::size_t lines = std::max<std::size_t>(cell.lines, 1);
    return (cell.label.length + lines - 1) / lines;
  }
  bool outside(ImVec2 a, ImVec2 b) const { return b.x < area_.a.x || a.x > area_.b.x || b.y < area_.a.y || a.y > area_.b.y; }
  bool stand_dense(const Line& line) const;
  bool on_cells(float x, float y) const {
    const Bounds& b = index_.cell_bounds()[panel_];
    return x >= b.x0 && x <= b.x1 && y >= b.y0 && y <= b.y1;
  }
  const PaintContext& c_;
  const Scene& scene_;
  SceneIndex& index_;
  const Camera& camera_;
  const ScreenRect& area_;
  mutable std::vector<std::optional<ImU32>> inks_;  // by fill, the last of no fill
  std::size_t panel_ = 0;
};

}  // namespace tessera::studio
