// SPDX-License-Identifier: BSD-3-Clause
// Private to the painting of scenes: the walk over the marks. Cells, lines and arrows are in scene_painter.cpp, words in scene_words.cpp.
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
    thin_numbers();
    for (Layer& layer : index_.panels()[number]) {
      if (layer.grid != kNoMark) {
        grid(layer, std::get<Grid>(scene_.panels[number].marks[layer.grid]));
      } else {
        for (const std::uint32_t mark : layer.marks) std::visit(*this, scene_.panels[number].marks[mark]);
      }
    }
  }

  // One cell over what was painted.
  void again(const ElementId& id) {
    const CellView cell = cell_of(scene_, id);
    const Face* face = nullptr;
    for (const Layer& layer : index_.panels()[id.panel]) {
      if (layer.grid == id.mark && camera_.scale * std::min(cell.w, cell.h) >= kTilesFrom * c_.ui_scale)
        face = face_for(cell.w, cell.h, layer.columns, layer.lines);
    }
    tile(cell, face);
  }

  void operator()(const Cell& cell) {
    if (scene_.panels[panel_].name == kCaptionPanel) return swatches_.push_back(cell.fill);  // painted with the words behind them
    tile(view(scene_, cell), face_for(cell.w, cell.h, columns_of(cell), std::max<std::size_t>(cell.lines, 1)));
  }
  void operator()(const Grid&) const {}  // a layer of its own
  void operator()(const Outline& outline) const;
  void operator()(const Line& line) const;
  void operator()(const Label& label);
  void operator()(const Arrow& arrow) const;

 private:
  void grid(Layer& layer, const Grid& grid);
  void far_grid(Layer& layer, const Grid& grid);
  void tile(const CellView& cell, const Face* face) const;
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
  struct Span {
    float begin, end;
  };
  float place_of_captions() const { return std::round(camera_.to_screen(index_.all_cells().x0, 0).x); }
  Span room_for_heading(ImVec2 at, ImVec2 size) const;
  void thin_numbers();
  const Face& face_of(const Label& label) const;
  void heading(const Label& label, const Face& face, std::string_view words, ImU32 color);
  void title();
  void caption(const Label& label, const Face& face, std::string_view words, ImU32 color);
  ImVec2 place_label(const Label& label, ImVec2 size);
  float indent(const Label& label, float type);
  void swatches(ImVec2 at, float height, float type);

  const PaintContext& c_;
  const Scene& scene_;
  SceneIndex& index_;
  const Camera& camera_;
  const ScreenRect& area_;
  const float caption_type_;                        // how large captions are
  mutable std::vector<std::optional<ImU32>> inks_;  // by fill, the last of no fill
  std::size_t panel_ = 0;
  bool titled_ = false;                     // the title is painted
  std::vector<ScreenRect> taken_;           // by axis numbers, so that none is written over another
  std::vector<const Label*> thinned_;       // numbers of the panel's axes that are left out, sorted
  float captions_ = 0;                      // height of the captions so far
  std::vector<ColorIndex> swatches_;        // of the legend whose words come next
  std::vector<std::string_view> numbers_;   // that stand in them
  float legend_x_ = 0, legend_indent_ = 0;  // where its words begin in the scene, and how far behind the swatches on the screen
};

}  // namespace tessera::studio
