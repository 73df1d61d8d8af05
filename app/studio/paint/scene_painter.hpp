// SPDX-License-Identifier: BSD-3-Clause
// Scene -> ImDrawList, with the detail that the size on the screen deserves.
//
//   below 1 px a cell    an averaged picture, so that fine patterns do not flicker into moiré
//   below 4 px           one texel a cell
//   below 14 px    the same, with lines between the cells
//   above                tiles with labels, of the visible cells only
#pragma once

#include <vector>

#include "app/studio/paint/hover.hpp"
#include "app/studio/paint/scene_index.hpp"
#include "app/studio/widgets/theme.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

// Where a scene's cells land on the screen: pixel = origin + scale * cell.
struct Camera {
  ImVec2 origin{0, 0};
  float scale = 28;  // pixels a cell
  ImVec2 to_screen(float x, float y) const { return {origin.x + scale * x, origin.y + scale * y}; }
  ImVec2 to_scene(ImVec2 p) const { return {(p.x - origin.x) / scale, (p.y - origin.y) / scale}; }
};

struct ScreenRect {
  ImVec2 a, b;
};

struct PaintContext {
  ImDrawList* list;
  const Theme& theme;
  const Fonts& fonts;
  Textures& textures;
  float ui_scale = 1;
};

constexpr float kLinesFrom = 4, kTilesFrom = 14;  // pixels a cell

constexpr float kLargestCell = 72, kLargestPresented = 120;  // units a cell of a figure that is shown whole

// The camera that shows everything inside `area`, with room for labels.
Camera fit(const Scene& scene, const SceneIndex& index, const ScreenRect& area, float ui_scale, float largest = kLargestCell);
// The same of two scenes that are shown in areas of one size, so that their cells are as large and stand at the same places.
struct FittedScene {
  const Scene& scene;
  const SceneIndex& index;
};
Camera fit_both(const FittedScene& one, const FittedScene& other, const ScreenRect& area, float ui_scale);

// Paints what lies inside `area`. Textures are made at the first need and kept in the index.
void paint(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area);
void paint_highlights(const PaintContext& context, const Scene& scene, const Highlights& highlights, const ElementId* under_mouse,
                      const Camera& camera, const ScreenRect& area);

// Lets these cells stand out: everything else stands back behind the canvas's colour.
void paint_selection(const PaintContext& context, const Scene& scene, SceneIndex& index, const std::vector<ElementId>& cells,
                     const Camera& camera, const ScreenRect& area);

// Marks cells with a corner and a border, which leave what is in them readable.
void paint_changed_mark(const PaintContext& context, ImVec2 a, ImVec2 b);
void paint_changed(const PaintContext& context, const Scene& scene, const std::vector<ElementId>& cells, const Camera& camera,
                   const ScreenRect& area);

// Gives an index's textures back.
void release(SceneIndex& index, Textures& textures);

}  // namespace tessera::studio
