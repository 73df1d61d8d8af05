// SPDX-License-Identifier: BSD-3-Clause
// A pane's one row of tools: its tabs, what can be chosen for the figure that is shown, and what is done with the pane.
#pragma once

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {

constexpr float kToolRow = 36;  // units: its height

Answer draw_tool_row(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area);

}  // namespace tessera::studio
