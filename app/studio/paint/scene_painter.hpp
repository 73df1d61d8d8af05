// SPDX-License-Identifier: BSD-3-Clause
// Scene -> ImDrawList, with the detail that the size on the screen deserves.
//
//   below 1 px a cell    an averaged picture, so that fine patterns do not flicker into moiré
//   below 4 px           one texel a cell
//   below 14 px    the same, with lines between the cells
//   above                tiles with labels, of the visible cells only
#pragma once

#include <vector>

#include "app/studio/paint/camera.hpp"
#include "app/studio/paint/hover.hpp"
#include "app/studio/paint/scene_index.hpp"
#include "app/studio/widgets/theme.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

struct PaintContext {
  ImDrawList* list;
  const Theme& theme;
  const Fonts& fonts;
  Textures& textures;
  float ui_scale = 1;
};

constexpr float kLinesFrom = 4, kTilesFrom = 14;  // pixels a cell

// Paints what lies inside `area`: cells, lines and arrows; then, over what stands out of them, the words. Textures are made at the first
// need and kept in the index.
void paint_marks(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area);
// `title`: else it is said elsewhere. `taken`: by other words, over which none of these is written.
void paint_words(const PaintContext& context, const Scene& scene, const SceneIndex& index, const Camera& camera, const ScreenRect& area,
                 bool title = true, const std::vector<ScreenRect>& taken = {});
void paint_highlights(const PaintContext& context, const Scene& scene, const Highlights& highlights, const ElementId* under_mouse,
                      const Camera& camera, const ScreenRect& area);

// Lets these cells stand out: everything else stands back behind the canvas's colour.
void paint_selection(const PaintContext& context, const Scene& scene, SceneIndex& index, const std::vector<ElementId>& cells,
                     const Camera& camera, const ScreenRect& area);

// Labels of cells that have no room for them, on plates over the cells or near them, no plate over another. Gives where they are: at most
// of some hundred cells.
std::vector<ScreenRect> paint_plates(const PaintContext& context, const Scene& scene, SceneIndex& index,
                                     const std::vector<ElementId>& cells, const Camera& camera, const ScreenRect& area);

// Marks cells with a corner and a border, which leave what is in them readable.
void paint_changed_mark(const PaintContext& context, ImVec2 a, ImVec2 b);
void paint_changed(const PaintContext& context, const Scene& scene, const std::vector<ElementId>& cells, const Camera& camera,
                   const ScreenRect& area);

// Gives an index's textures back.
void release(SceneIndex& index, Textures& textures);

}  // namespace tessera::studio
