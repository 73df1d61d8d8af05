// SPDX-License-Identifier: BSD-3-Clause
// How much room a scene's words need beside and below its cells: what the painter and the camera that fits a figure agree on.
#pragma once

#include <vector>

#include "app/studio/paint/scene_painter.hpp"

namespace tessera::studio {

constexpr float kGlyphAspect = 0.6f, kLineStep = 1.12f, kLeastFace = 7;  // of cells: letters' width and lines in ems; units

// Lines under everything: their sizes are in pixels, so they are stacked in pixels.
bool is_caption(const Label& label, const SceneIndex& index);
// Figures say their name above and their expression below; on a canvas both stand in the header already.
bool says_expression(const Scene& scene, const Label& label);
bool says_name(const Scene& scene, const Panel& panel, const Label& label);
// A line of a figure's title, which the person gave.
bool is_title(const Scene& scene, const Panel& panel, const Label& label);
constexpr float kTitleLine = 24;  // units
// As wide as a caption is where the figure is shown whole.
float caption_width(const ScreenRect& area, float ui_scale);

// What of a scene needs room.
struct Extent {
  Bounds cells;
  std::vector<std::size_t> captions;  // how long each is, in signs
  std::size_t heading = 0;            // of a panel with another to its right: as long, over cells as wide
  float under_heading = 0;
  std::size_t title = 0;  // how long it is, in signs
  float readable = 0;     // units a cell from which on every cell shows its words; 0: cells have none
};
Extent extent_of(const Scene& scene, const SceneIndex& index);

// How much larger captions are than where cells are small: as the cells, as long as the longest needs no second line for that.
float caption_type(const Extent& extent, const ScreenRect& area, float ui_scale, float scale);

}  // namespace tessera::studio
