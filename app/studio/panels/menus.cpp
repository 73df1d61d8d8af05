// SPDX-License-Identifier: BSD-3-Clause
// The menus: the rows of the table of actions by where they stand, and what can be done with one line of the list.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
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
  const std::string title(row.title), keys = first_key(row.keys);
  const bool chosen = menu_row(ui, {title, row.title, keys.c_str(), why});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) tooltip(ui, why.empty() ? std::string(row.help) : why);
  return chosen ? Answer(Do{std::string(row.id), arguments}) : Answer();
}

// Each form in which a value is copied.
Answer draw_copy_forms(Ui& ui, const Session& session, const ActionRow& row, Arguments arguments) {
  const std::string why = row.why_not(session, arguments);
  Answer answer;
  const std::string title(row.title);
  const bool focused = ui.ring && why.empty() && ui.ring->stop(ImGui::GetID(title.c_str()), TabRing::Stop::choices);
  const bool open = ImGui::BeginMenu(title.c_str(), why.empty());
  ui.recorder.add(row.title, "menu item", why.empty() ? "" : "disabled: " + why, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!open && focused && pressed_by_key(ui)) ImGui::OpenPopup(title.c_str());
  if (!open) return answer;
  ui.recorder.enter("Copy as");
  for (const CopyForm& form : copy_forms()) {
    arguments["form"] = form.name;
    if (menu_row(ui, {std::string(form.title), form.title})) answer = Do{std::string(row.id), arguments};
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
    const std::string name = elided(ui.fonts.body, std::filesystem::path(path).filename().string(), ui.px(260));
    const bool chosen = menu_row(ui, {name + "##" + path, path});
    if (ImGui::IsItemHovered()) tooltip(ui, path);
    if (chosen) answer = Do{"file.open", {{"path", path}}};
  }
  return answer;
}

}  // namespace

namespace {

// Which of its letters opens a menu with Alt: the first that opens none before it.
std::size_t letter_of(const std::vector<std::string>& all, const std::string& wanted) {
  std::string taken;
  for (const std::string& menu : all) {
    const std::size_t at = std::min(menu.find_first_not_of(taken), menu.size() - 1);
    if (menu == wanted) return at;
    taken += {static_cast<char>(std::toupper(static_cast<unsigned char>(menu[at]))),
              static_cast<char>(std::tolower(static_cast<unsigned char>(menu[at])))};
  }
  return 0;
}

// A line below it, in the last button.
void underline_letter(const Ui& ui, const std::string& menu, std::size_t letter) {
  const auto width = [&](std::size_t end) { return ImGui::CalcTextSize(menu.data(), menu.data() + end).x; };
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float left = a.x + (b.x - a.x - width(menu.size())) / 2, y = std::round((a.y + b.y + ImGui::GetFontSize()) / 2);
  ImGui::GetWindowDrawList()->AddLine({left + width(letter), y}, {left + width(letter + 1), y}, faded(ui.theme.dim, 0.7f));
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

std::string menu_of_keys(std::string_view keys) {
  const std::vector<std::string> all = menus();
  if (keys == "F10") return all.front();
  for (const std::string& menu : all) {
    if (keys == std::string("Alt+") + static_cast<char>(std::toupper(static_cast<unsigned char>(menu[letter_of(all, menu)])))) return menu;
  }
  return {};
}

Answer draw_menus(Ui& ui, const Session& session, const std::string& popup, const std::vector<std::string>& menus, TabRing& ring,
                  const Arguments& arguments, const std::vector<std::string>& recent, const std::function<Answer()>& above) {
  Answer answer;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(16), ui.px(7)));
  if (ImGui::BeginPopup(popup.c_str())) {
    ui.recorder.enter("Menu " + menus.front());
    const InRing in_ring(ui, ring);
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
    if (menu_row(ui, {title, "Select " + cells})) answer = Do{"cells.select", {{"binding", state.binding}, {"cells", cells}}};
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
  return draw_menus(ui, session, kPopup, {"Edit", "Figure", "Binding"}, state.ring, {{"binding", state.binding}}, {},
                    [&] { return draw_cell_rows(ui, session, state); });
}

Answer draw_menu_bar(Ui& ui, const Session& session, const std::vector<std::string>& recent, MenuBarState& state, float x, float y) {
  Answer answer;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(5)));
  ImGui::SetCursorScreenPos({x, y});
  const std::vector<std::string> all = menus();
  // Of an open menu Left and Right open the neighbours.
  const auto open =
      std::find_if(all.begin(), all.end(), [](const std::string& menu) { return ImGui::IsPopupOpen(("menu " + menu).c_str()); });
  const std::ptrdiff_t count = std::ssize(all), by = key_pressed(ImGuiKey_RightArrow) - key_pressed(ImGuiKey_LeftArrow);
  if (open != all.end() && by != 0) state.opens = all[static_cast<std::size_t>((open - all.begin() + by + count) % count)];
  for (const std::string& menu : all) {
    const std::string popup = "menu " + menu;
    const bool pressed = button(ui, menu.c_str(), ButtonLook::quiet) || state.opens == menu;
    if (state.opens == menu) state.opens.clear();
    underline_letter(ui, menu, letter_of(all, menu));
    // With one menu open, the mouse opens its neighbours.
    const bool over = open != all.end() && ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), false);
    if (pressed || (over && !ImGui::IsPopupOpen(popup.c_str()))) ImGui::OpenPopup(popup.c_str());
    const ImVec2 below(ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui.px(2));
    ImGui::SetNextWindowPos(below);
    ImGui::PopStyleVar();
    if (Answer chosen = draw_menus(ui, session, popup, {menu}, state.ring, {}, menu == "File" ? recent : std::vector<std::string>()))
      answer = std::move(chosen);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(5)));
    ImGui::SameLine(0, 0);
  }
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
