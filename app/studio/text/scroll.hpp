// SPDX-License-Identifier: BSD-3-Clause
// Scroll: where a long content stands under a window on it. ImGui's own scrolling takes effect a frame later, by which a list whose rows
// change their height would tremble; this one is drawn where it is put.
#pragma once

#include "app/studio/paint/scene_painter.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

struct Scroll {
  float y = 0;      // of the content, at the window's upper edge
  float least = 0;  // below 0: so much room above the content
};

// Takes the wheel when the mouse is over the area, keeps the place inside of the content, and draws the bar at the right, which can be
// dragged. True when the person has moved it.
bool scroll(Ui& ui, const char* name, Scroll& state, const ScreenRect& area, float content, float line);

}  // namespace tessera::studio
