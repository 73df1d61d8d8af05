// SPDX-License-Identifier: BSD-3-Clause
// Captions as text: in lines of a width, or folded into one line.
#pragma once

#include <vector>

#include "app/studio/paint/camera.hpp"
#include "app/studio/paint/scene_captions.hpp"
#include "app/studio/paint/scene_painter.hpp"

namespace tessera::studio {

// In pixels, in lines of `width` pixels.
float captions_height(const Fonts& fonts, const std::vector<Caption>& captions, float width);
// Whole, from this corner on.
void paint_captions(const PaintContext& context, const Scene& scene, const std::vector<Caption>& captions, ImVec2 at, float width);
// As many of them as have room in one line, the last one cut with an ellipsis; legends come right behind the sentence. True: all of them,
// whole.
bool paint_captions_in_line(const PaintContext& context, const Scene& scene, const std::vector<Caption>& captions, const ScreenRect& line);

}  // namespace tessera::studio
