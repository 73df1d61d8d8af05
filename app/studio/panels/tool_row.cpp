// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/tool_row.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace tessera::studio {
namespace {

// The tabs of a pane, where it has several: a click shows one, a drag takes it to another pane.
Answer draw_tabs(Ui& ui, const CanvasInput& input, float right) {
  Answer answer;
  const std::size_t count = input.pane.tabs.size();
  float wanted = 0;  // of all names, whole
  for (const View& tab : input.pane.tabs)
    wanted += text_size(ui.fonts.strong.font, ui.fonts.strong.size, tab.binding.data(), nullptr).x + ui.px(18);
  const float room = std::max(right - ImGui::GetCursorScreenPos().x, 0.0f),
              each = room / static_cast<float>(std::max<std::size_t>(count, 1));
  // Where they have no room beside each other all are cut; where that leaves too little, they begin with the one that is shown.
  const bool cut = wanted > room, few = cut && each < ui.px(56);
  for (std::size_t i = few ? input.pane.shown : 0, first = i; i < count; ++i) {
    const std::string& name = input.pane.tabs[i].binding;
    const bool shown = i == input.pane.shown;
    const Face& face = shown ? ui.fonts.strong : ui.fonts.body;
    const float most = (few ? right - ImGui::GetCursorScreenPos().x : each) - ui.px(18);
    const std::string words = cut && most > 0 && (!few || i == first) ? elided(face, name, most) : name;
    const ImVec2 size(text_size(face.font, face.size, words.data(), words.data() + words.size()).x + ui.px(16), ui.px(kToolRow - 6));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (i > first && at.x + size.x > right + 1) break;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("tab", size) && !(shown && input.selected)) answer = Do{"figure.show", {{"binding", name}}};
    ui.recorder.add(name, "tab", shown ? "selected" : "", at, {at.x + size.x, at.y + size.y});
    const std::string expression = shown ? one_line(input.session.expression(name)) : std::string();
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && !expression.empty()) tooltip(ui, expression);
    if (shown) ui.recorder.add(expression, "text", "expression", at, {at.x + size.x, at.y + size.y});
    if (ImGui::BeginDragDropSource()) {
      const std::string carried = input.place + " " + name;
      ImGui::SetDragDropPayload("figure", carried.data(), carried.size());
      text(ui, name, ui.theme.text, ui.fonts.strong);
      ImGui::EndDragDropSource();
    }
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (shown && input.pane.tabs.size() > 1) list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ui.theme.raised, ui.px(5));
    const ImU32 ink = shown && input.selected ? ui.theme.text : ui.theme.dim;
    list->AddText(face.font, face.size, {at.x + ui.px(8), at.y + (size.y - face.size) / 2}, ink, words.c_str());
    ImGui::SameLine(0, ui.px(2));
  }
  return answer;
}

// Tab walks through the row of the figure that has the focus, while nothing else takes keys; a click, a field and Escape end the walk.
bool takes_tab(const CanvasInput& input) {
  if (!input.selected || input.presented) return false;
  const bool ends = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || key_pressed(ImGuiKey_Escape);
  const bool popup = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (ImGui::GetIO().WantTextInput || (ends && !popup)) input.bar.row = {};
  return !popup && !ImGui::GetIO().WantTextInput;
}

}  // namespace

Answer draw_tool_row(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area) {
  std::optional<InRing> in_ring;
  if (takes_tab(input)) in_ring.emplace(ui, input.bar.row);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = area.a.y + ui.px(kToolRow), width = area.b.x - area.a.x;
  list->AddRectFilled(area.a, {area.b.x, y}, ui.theme.panel);
  list->AddLine({area.a.x, y - 0.5f}, {area.b.x, y - 0.5f}, ui.theme.border);
  if (input.selected) list->AddRectFilled({area.a.x, area.a.y}, {area.b.x, area.a.y + ui.px(2)}, ui.theme.accent);
  // In a slit there are no signs: keys and menus do what they would.
  constexpr float kSlit = 250, kSign = 26;  // units
  const bool is_slit = width < ui.px(kSlit);
  const bool folds = state.fitted && state.captions == CaptionsAt::sign;  // what is said has no line of its own
  const float signs = is_slit ? 0 : ui.px(kSign) * static_cast<float>(2 + input.closable + folds);
  // More leads to all that can be chosen; it keeps its room.
  const float more = text_size(ui.fonts.small.font, ui.fonts.small.size, "More", nullptr).x + ui.px(18);
  const float right = area.b.x - signs - ui.px(4), most = std::max(right - more, area.a.x + 0.4f * width);
  ImGui::SetCursorScreenPos({area.a.x + ui.px(6), area.a.y + ui.px(3)});
  Answer answer = draw_tabs(ui, input, input.pane.tabs.size() > 1 ? std::min(most, area.a.x + 0.6f * width) : most);
  const ScreenRect bar{{ImGui::GetCursorScreenPos().x + ui.px(2), area.a.y + ui.px(2)}, {right, y}};
  if (Answer chosen = draw_figure_bar(ui, input, input.bar, input.picks, bar)) answer = std::move(chosen);
  if (is_slit) return answer;
  const ImVec2 sign(ui.px(kSign), ui.px(kToolRow - 8));
  ImGui::SetCursorScreenPos({area.b.x - signs - ui.px(2), area.a.y + ui.px(5)});
  if (folds) {
    const char* const label = state.drawer ? "Fold what is said##" : "All that is said##";
    if (sign_button(ui, (label + input.name).c_str(), state.drawer ? Sign::down : Sign::up, sign, true, "All that is said of the figure"))
      state.drawer = !state.drawer;
    ImGui::SameLine(0, 0);
  }
  if (sign_button(ui, ("Fit##" + input.name).c_str(), Sign::fit, sign, !state.fitted, "Show the whole figure (double click)"))
    state.fit_again();
  ImGui::SameLine(0, 0);
  if (sign_button(ui, ((input.maximised ? "Restore##" : "Max##") + input.name).c_str(), input.maximised ? Sign::smaller : Sign::larger,
                  sign, true, "Give it the whole room, or its own again   Ctrl+M"))
    answer = Do{"figure.maximise", {{"binding", input.view.binding}}};
  if (input.closable) {
    ImGui::SameLine(0, 0);
    if (sign_button(ui, ("Close##" + input.name).c_str(), Sign::close, sign, true, "Close it   Ctrl+W"))
      answer = Do{"figure.close", {{"binding", input.view.binding}, {"place", input.place}}};
  }
  return answer;
}

}  // namespace tessera::studio
