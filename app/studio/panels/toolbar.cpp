// SPDX-License-Identifier: BSD-3-Clause
// The toolbar: what document this is, and what can be done with it.
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

// Four tiles of a mosaic.
void draw_mark(const Ui& ui, ImVec2 at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float s = ui.px(8), gap = ui.px(2);
  const ImU32 colors[] = {ui.theme.accent, ui.theme.link, ui.theme.emulated, ui.theme.good};
  for (int i = 0; i < 4; ++i) {
    const ImVec2 a(at.x + static_cast<float>(i % 2) * (s + gap), at.y + static_cast<float>(i / 2) * (s + gap));
    list->AddRectFilled(a, {a.x + s, a.y + s}, colors[i], ui.px(2));
  }
}

std::string undo_hint(std::string_view verb, std::string_view label, const char* keys) {
  return label.empty() ? fmt::format("Nothing to {}", verb) : fmt::format("{}: {}   {}", verb, label, keys);
}

}  // namespace

Answer draw_toolbar(Ui& ui, const Session& session, const std::vector<std::string>& recent, MenuBarState& menus, const ScreenRect& area) {
  Region region(ui, "Toolbar", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({area.a.x, area.b.y - 0.5f}, {area.b.x, area.b.y - 0.5f}, ui.theme.border);
  draw_mark(ui, {area.a.x + ui.px(16), area.a.y + ui.px(15)});
  const float row = area.a.y + (area.b.y - area.a.y - ImGui::GetFrameHeight()) / 2;
  ImGui::SetCursorScreenPos({area.a.x + ui.px(46), row + ui.px(4)});
  const bool narrow = area.b.x - area.a.x < ui.px(1160);
  text(ui, elided(ui.fonts.strong, session.title(), ui.px(narrow ? 94 : 170)), ui.theme.text, ui.fonts.strong);
  if (session.dirty()) {
    ImGui::SameLine(0, ui.px(8));
    text(ui, "unsaved", ui.theme.accent, ui.fonts.small);
  }
  Answer answer = draw_menu_bar(ui, session, recent, menus, area.a.x + ui.px(narrow ? 212 : 300), row);
  ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + ui.px(24), row});
  ImGui::SameLine(0, ui.px(16));
  if (session.can_recover()) {
    if (button(ui, "Recover", ButtonLook::primary, true, "Take up the changes that were not saved last time; they can be undone"))
      answer = Recover{};
    ImGui::SameLine(0, ui.px(2));
    if (button(ui, "Forget them", ButtonLook::quiet, true, "Remove the changes that were not saved last time")) answer = DiscardRecovery{};
    ImGui::SameLine(0, ui.px(2));
  }
  const float right = ImGui::CalcTextSize("Find").x + ImGui::CalcTextSize("Export figure").x + ImGui::CalcTextSize("Fit").x + ui.px(92);
  // Where the menus leave no room for a button, its row of the menus is there.
  const auto has_room = [&](const char* label, float end) {
    return ImGui::GetCursorScreenPos().x + ImGui::CalcTextSize(label).x + ui.px(28) < end;
  };
  const bool has_file = session.path().has_value();
  const auto add = [&](const char* label, bool can, const std::string& hint, const char* action) {
    if (!has_room(label, area.b.x - right)) return;
    if (button(ui, label, ButtonLook::quiet, can, hint.c_str())) answer = Do{action};
    ImGui::SameLine(0, ui.px(2));
  };
  add("Save", session.dirty() || !has_file || session.conflicts(), "Save the document   Ctrl+S", "file.save");
  add("Undo", session.can_undo(), undo_hint("Undo", session.undo_label(), "Ctrl+Z"), "edit.undo");
  add("Redo", session.can_redo(), undo_hint("Redo", session.redo_label(), "Ctrl+Y"), "edit.redo");
  const bool has_buttons = ImGui::GetCursorScreenPos().x < area.b.x - right;
  if (has_buttons) ImGui::SetCursorScreenPos({area.b.x - right, row});
  if (has_buttons && button(ui, "Find", ButtonLook::quiet, true, "Every action, binding, atom and function by its name   Ctrl+K"))
    answer = Do{"help.actions"};
  ImGui::SameLine(0, ui.px(2));
  if (has_buttons && button(ui, "Fit", ButtonLook::quiet, true, "Show every figure whole   Ctrl+0")) answer = Do{"view.fit"};
  ImGui::SameLine(0, ui.px(8));
  if (!has_room("Export figure", area.b.x)) return answer;
  if (button(ui, "Export figure", ButtonLook::primary, !session.workspace().selected.empty(),
             "Write the selected figure to a file   Ctrl+E"))
    answer = Do{"file.export"};
  return answer;
}

}  // namespace tessera::studio
