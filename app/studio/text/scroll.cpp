// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/text/scroll.hpp"

#include <algorithm>

namespace tessera::studio {

bool scroll(Ui& ui, const char* name, Scroll& state, const ScreenRect& area, float content, float line) {
  const float view = area.b.y - area.a.y, most = std::max(content - view, 0.0f), before = state.y;
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                    ImGui::IsMouseHoveringRect(area.a, area.b, false);
  bool moved = false;
  if (over && io.MouseWheel != 0 && !io.KeyCtrl && !io.KeyShift) {
    state.y -= io.MouseWheel * 3 * line;
    state.least = 0;
    moved = true;
  }
  state.y = std::clamp(state.y, std::min(state.least, 0.0f), most);
  if (most <= 0) return moved && state.y != before;
  const float width = ui.px(8), length = std::max(view * view / content, ui.px(24)), way = view - length;
  const ImVec2 at(area.b.x - width - ui.px(2), area.a.y + way * std::clamp(state.y / most, 0.0f, 1.0f));
  ImGui::SetCursorScreenPos({at.x, area.a.y});
  ImGui::InvisibleButton(name, {width, view});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (ImGui::IsItemActive() && way > 0) {
    state.y = std::clamp((io.MousePos.y - area.a.y - length / 2) / way, 0.0f, 1.0f) * most;
    moved = true;
  }
  ui.recorder.add(name, "scroll bar", "", {at.x, area.a.y}, {at.x + width, area.b.y});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + length}, hot ? ui.theme.faint : ui.theme.border, ui.px(4));
  return moved && state.y != before;
}

}  // namespace tessera::studio
