// SPDX-License-Identifier: BSD-3-Clause
// The status line: the cell under the mouse in words, else what happened last.
#include "app/studio/panels.hpp"

namespace tessera::studio {

void draw_status(Ui& ui, const StatusLine& line, const ScreenRect& area) {
  Region region(ui, "Status", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.a.x, area.a.y + 0.5f}, {area.b.x, area.a.y + 0.5f}, ui.theme.border);
  const float y = area.a.y + (area.b.y - area.a.y - ui.fonts.mono_small.size) / 2 - ui.px(1);
  ImGui::SetCursorScreenPos({area.a.x + ui.px(16), y});
  const float facts =
      text_size(ui.fonts.small.font, ui.fonts.small.size, line.figure_facts.data(), line.figure_facts.data() + line.figure_facts.size()).x;
  const float room = area.b.x - area.a.x - facts - ui.px(60);
  if (line.hovered) {
    text(ui, elided(ui.fonts.mono_small, line.hovered->words, room), ui.theme.accent, ui.fonts.mono_small);
  } else if (line.is_error) {
    text(ui, elided(ui.fonts.body, line.words, room), ui.theme.bad, ui.fonts.body);
  } else {
    text(ui, elided(ui.fonts.body, line.words, room), ui.theme.dim, ui.fonts.body);
  }
  ImGui::SetCursorScreenPos({area.b.x - facts - ui.px(16), y + ui.px(1)});
  text(ui, line.figure_facts, ui.theme.faint, ui.fonts.small);
}

}  // namespace tessera::studio
