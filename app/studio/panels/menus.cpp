// SPDX-License-Identifier: BSD-3-Clause
// The menus: the rows of the table of actions by where they stand, and what can be done with one line of the list.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/picked_cells.hpp"
#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

// "Ctrl+Y" of "Ctrl+Y Ctrl+Shift+Z".
std::string first_key(std::string_view keys) { return std::string(keys.substr(0, keys.find(' '))); }

Answer draw_row(Ui& ui, const Session& session, const ActionRow& row, const Arguments& arguments) {
  const std::string why = row.why_not ? row.why_not(session, arguments) : std::string();
  const bool chosen = ImGui::MenuItem(std::string(row.title).c_str(), first_key(row.keys).c_str(), false, why.empty());
  ui.recorder.add(row.title, "menu item", why.empty() ? "" : "disabled: " + why, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(ui, why.empty() ? std::string(row.help) : why);
  return chosen ? Answer(Do{std::string(row.id), arguments}) : Answer();
}

// Each form in which a value is copied.
Answer draw_copy_forms(Ui& ui, const Session& session, const ActionRow& row, Arguments arguments) {
  const std::string why = row.why_not(session, arguments);
  Answer answer;
  const bool open = ImGui::BeginMenu(std::string(row.title).c_str(), why.empty());
  ui.recorder.add(row.title, "menu item", why.empty() ? "" : "disabled: " + why, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!open) return answer;
  ui.recorder.enter("Copy as");
  for (const CopyForm& form : copy_forms()) {
    arguments["form"] = form.name;
    const bool chosen = ImGui::MenuItem(std::string(form.title).c_str());
    ui.recorder.add(form.title, "menu item", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (chosen) answer = Do{std::string(row.id), arguments};
  }
  ui.recorder.leave();
  ImGui::EndMenu();
  return answer;
}

Answer draw_recent(Ui& ui, const std::vector<std::string>& recent) {
  Answer answer;
  if (recent.empty()) return answer;
  ImGui::Separator();
  text(ui, "Recent", ui.theme.dim, ui.fonts.small);
  for (const std::string& path : recent) {
    const bool chosen =
        ImGui::MenuItem((elided(ui.fonts.body, std::filesystem::path(path).filename().string(), ui.px(260)) + "##" + path).c_str());
    ui.recorder.add(path, "menu item", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (ImGui::IsItemHovered()) tooltip(ui, path);
    if (chosen) answer = Do{"file.open", {{"path", path}}};
  }
  return answer;
}

}  // namespace

std::vector<std::string> menus() {
  std::vector<std::string> names;
  for (const ActionRow& row : actions()) {
    if (!row.menu.empty() && (names.empty() || std::find(names.begin(), names.end(), row.menu) == names.end()))
      names.emplace_back(row.menu);
  }
  return names;
}

Answer draw_menus(Ui& ui, const Session& session, const std::string& popup, const std::vector<std::string>& menus,
                  const Arguments& arguments, const std::vector<std::string>& recent, const std::function<Answer()>& above) {
  Answer answer;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(16), ui.px(7)));
  if (ImGui::BeginPopup(popup.c_str())) {
    ui.recorder.enter("Menu " + menus.front());
    if (above) answer = above();
    for (const std::string& menu : menus) {
      if (menu != menus.front()) ImGui::Separator();
      for (const ActionRow& row : actions()) {
        if (row.menu != menu) continue;
        // Of a line of the list only what is about a line.
        const bool takes = row.parameters.size() > 0 && row.parameters.front().name == "binding";
        if (!arguments.empty() && !takes) continue;
        Answer chosen = row.id == "edit.copy" ? draw_copy_forms(ui, session, row, arguments) : draw_row(ui, session, row, arguments);
        if (chosen) answer = std::move(chosen);
      }
    }
    if (Answer chosen = draw_recent(ui, recent)) answer = std::move(chosen);
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ui.recorder.leave();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  return answer;
}

namespace {

// What a cell of a figure can be taken for, each once.
std::vector<std::string> cells_under(const Session& session, const Hovered& hovered) {
  const View view = view_of(session.workspace().arrangement, hovered.figure);
  const Result<Scene>& scene = session.figure(view.binding, view.options);
  std::vector<std::string> made;
  if (!scene) return made;
  for (const Picks picks : kAllPicks) {
    if (std::string cells = picked(*scene, hovered.element, hovered.element, picks); !cells.empty()) made.push_back(std::move(cells));
  }
  return made;
}

// What can be done with the cell under the mouse and with those that are selected.
Answer draw_cell_rows(Ui& ui, const Session& session, const CanvasMenuState& state) {
  Answer answer;
  for (const std::string& cells : state.cells) {
    const std::string title = "Select " + elided(ui.fonts.body, cells, ui.px(220));
    const bool chosen = ImGui::MenuItem(title.c_str());
    ui.recorder.add("Select " + cells, "menu item", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (chosen) answer = Do{"cells.select", {{"binding", state.binding}, {"cells", cells}}};
  }
  for (const ActionRow& row : actions()) {
    if (session.workspace().selection.empty()) break;
    if (!row.traits.of_cells) continue;
    if (Answer chosen = draw_row(ui, session, row, {})) answer = std::move(chosen);
  }
  if (!state.cells.empty() || !session.workspace().selection.empty()) ImGui::Separator();
  return answer;
}

}  // namespace

Answer draw_canvas_menu(Ui& ui, const Session& session, const std::optional<Hovered>& hovered, CanvasMenuState& state) {
  constexpr const char* kPopup = "menu of a figure";
  if (ImGui::IsMouseClicked(1) && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId)) {
    for (const RecordedItem& item : ui.recorder.items()) {
      if (item.role != "canvas" || !ImGui::IsMouseHoveringRect({item.x, item.y}, {item.x + item.w, item.y + item.h}, false)) continue;
      const std::string name = item.label.substr(0, item.label.find('/'));  // of several panes of one binding: data/01
      if (!session.find(name)) continue;
      state.binding = name;
      state.cells = hovered && hovered->figure == name ? cells_under(session, *hovered) : std::vector<std::string>();
      ImGui::OpenPopup(kPopup);
    }
  }
  return draw_menus(ui, session, kPopup, {"Edit", "Figure", "Binding"}, {{"binding", state.binding}}, {},
                    [&] { return draw_cell_rows(ui, session, state); });
}

Answer draw_menu_bar(Ui& ui, const Session& session, const std::vector<std::string>& recent, float x, float y) {
  Answer answer;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(5)));
  ImGui::SetCursorScreenPos({x, y});
  const std::vector<std::string> all = menus();
  const bool any_open =
      std::any_of(all.begin(), all.end(), [](const std::string& menu) { return ImGui::IsPopupOpen(("menu " + menu).c_str()); });
  for (const std::string& menu : all) {
    const std::string popup = "menu " + menu;
    const bool pressed = button(ui, menu.c_str(), ButtonLook::quiet);
    // With one menu open, the mouse opens its neighbours.
    const bool over = any_open && ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false);
    if (pressed || (over && !ImGui::IsPopupOpen(popup.c_str()))) ImGui::OpenPopup(popup.c_str());
    const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui.px(2));
    ImGui::SetNextWindowPos(below);
    ImGui::PopStyleVar();
    if (Answer chosen = draw_menus(ui, session, popup, {menu}, {}, menu == "File" ? recent : std::vector<std::string>()))
      answer = std::move(chosen);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(5)));
    ImGui::SameLine(0, 0);
  }
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
