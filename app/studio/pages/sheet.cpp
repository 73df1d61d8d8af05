// SPDX-License-Identifier: BSD-3-Clause
// Pages over the window: what the keys and the mouse do, and what this program is.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

// What is in no row of the table.
constexpr std::pair<const char*, const char*> kGestures[] = {
    {"move over a cell", "light up the same thread, value and address everywhere"},
    {"click a cell", "select it; with Ctrl, one more"},
    {"drag over cells", "select them"},
    {"middle drag, Space drag", "move the figure"},
    {"wheel", "zoom at the mouse"},
    {"double click", "fit the figure"},
    {"Enter in the list", "edit the selected line; F4, too"},
    {"drag a tab", "to another pane, or to a side of it"},
    {"Ctrl+click a line", "show it beside the others"},
    {"right click a line", "what can be done with it"},
};

void line(Ui& ui, std::string_view left, std::string_view right, float column) {
  const float x = ImGui::GetCursorPosX();
  text(ui, left, ui.theme.accent, ui.fonts.mono_small);
  ImGui::SameLine();
  ImGui::SetCursorPosX(x + column);  // SameLine would count the group's place twice
  text(ui, right, ui.theme.text, ui.fonts.small);
}

void draw_keys(Ui& ui) {
  constexpr float kTwoColumns = 780;  // units that both have room in; else the second stands below the first
  const bool two = ImGui::GetContentRegionAvail().x >= ui.px(kTwoColumns);
  const float half = (ImGui::GetContentRegionAvail().x - ui.px(20)) / 2, column = ui.px(170);
  const ImVec2 begin = ImGui::GetCursorPos();
  float lowest = begin.y;
  const std::vector<std::string> all = menus();
  // Menus in two columns, the pointer's in the second.
  for (std::size_t c = 0; c < 2; ++c) {
    ImGui::SetCursorPos(two ? ImVec2(begin.x + static_cast<float>(c) * (half + ui.px(20)), begin.y) : ImVec2(begin.x, lowest));
    ImGui::BeginGroup();
    for (std::size_t m = c == 0 ? 0 : 4; m < (c == 0 ? std::min<std::size_t>(4, all.size()) : all.size()); ++m) {
      heading(ui, all[m]);
      for (const ActionRow& row : actions()) {
        if (row.menu == all[m] && !row.keys.empty()) line(ui, row.keys, row.title, column);
      }
    }
    if (c == 1) {
      heading(ui, "Mouse");
      for (const auto& [gesture, does] : kGestures) line(ui, gesture, does, column);
    }
    ImGui::EndGroup();
    lowest = std::max(lowest, ImGui::GetCursorPosY());
  }
  ImGui::SetCursorPosY(lowest);
}

void draw_about(Ui& ui, const std::vector<std::pair<std::string, std::string>>& facts) {
  wrapped_text(ui, "Tessera shows, checks and runs CuTe layouts.", ui.theme.text, ui.fonts.body);
  ImGui::Dummy({0, ui.px(6)});
  for (const auto& [name, value] : facts) fact(ui, name, value);
}

void draw_log(Ui& ui, const Messages& messages, float screen) {
  draw_messages(ui, messages, std::min(ui.px(420), screen * 0.6f));
  ImGui::Dummy({0, ui.px(2)});
  if (button(ui, "Copy all", ButtonLook::plain, !messages.all().empty())) ImGui::SetClipboardText(to_text(messages).c_str());
  ImGui::SameLine();
}

const char* title_of(Sheet sheet) {
  switch (sheet) {
    case Sheet::none: break;
    case Sheet::keys: return "Shortcuts";
    case Sheet::about: return "About Tessera";
    case Sheet::messages: return "Messages";
  }
  return "";
}

}  // namespace

bool draw_sheet(Ui& ui, Sheet sheet, const SheetInput& input) {
  const char* const title = title_of(sheet);
  if (!ImGui::IsPopupOpen(title)) ImGui::OpenPopup(title);
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(sheet == Sheet::keys ? 980 : sheet == Sheet::messages ? 760 : 560), screen.x - ui.px(40));
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, sheet == Sheet::keys ? std::min(ui.px(880), screen.y - ui.px(40)) : 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(24), ui.px(18)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(10));
  const bool shown =
      ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
  ImGui::PopStyleVar(2);
  if (!shown) return false;
  ui.recorder.enter(title);
  text(ui, title, ui.theme.text, ui.fonts.title);
  // The button may be out of sight.
  constexpr std::string_view kClose = "Esc closes it";
  const Face& small = ui.fonts.small;
  ImGui::SameLine(ImGui::GetWindowWidth() - text_size(small.font, small.size, kClose.data(), kClose.data() + kClose.size()).x - ui.px(34));
  if (sheet == Sheet::keys)
    text(ui, kClose, ui.theme.dim, small);
  else
    ImGui::NewLine();
  if (sheet == Sheet::keys)
    draw_keys(ui);
  else if (sheet == Sheet::messages)
    draw_log(ui, input.messages, screen.y);
  else
    draw_about(ui, input.facts);
  if (sheet != Sheet::messages) ImGui::Dummy({0, ui.px(8)});
  const bool done = button(ui, "Close", ButtonLook::primary) || key_pressed(ImGuiKey_Escape) || enter_pressed();
  if (done) ImGui::CloseCurrentPopup();
  ui.recorder.leave();
  ImGui::EndPopup();
  return done;
}

}  // namespace tessera::studio
