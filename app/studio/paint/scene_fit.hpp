// SPDX-License-Identifier: BSD-3-Clause
// How a figure stands on a canvas when it is shown whole: as large as its words leave it, and what is said below it where that costs
// nothing: beside the cells, below them, or folded into one line at the canvas's foot. On a small canvas the title is said in that line
// too, and on one that is smaller still there is no line, but a sign that unfolds all.
#pragma once

#include "app/studio/paint/camera.hpp"
#include "app/studio/paint/scene_index.hpp"
#include "app/studio/widgets/theme.hpp"
#include "core/diagram/scene/scene.hpp"

namespace tessera::studio {

constexpr float kCaptionLine = 26;  // units: the height of the line

enum class CaptionsAt : unsigned char { nowhere, beside, below, line, sign };

struct Fit {
  Camera camera;
  CaptionsAt captions = CaptionsAt::nowhere;
  ScreenRect words{};  // where they stand, unless in the line
  bool title = true;   // it stands over the cells; else it is the first of the captions
};

struct FittedScene {
  const Scene& scene;
  const SceneIndex& index;
};

Fit fit(const Fonts& fonts, const FittedScene& shown, const ScreenRect& area, float ui_scale);
// The same of two scenes that are shown in areas of one size, so that their cells are as large and stand at the same places; the captions
// of both are folded.
Fit fit_both(const Fonts& fonts, const FittedScene& one, const FittedScene& other, const ScreenRect& area, float ui_scale);

// What of the area's width or height the picture takes, whichever is more: cells, and what leads from one grid to another.
float share_of(const FittedScene& shown, const Camera& camera, const ScreenRect& area);

}  // namespace tessera::studio
