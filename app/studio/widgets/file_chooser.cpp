// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/widgets/file_chooser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tessera::studio {
namespace {

namespace fs = std::filesystem;
// What can be opened; only documents are saved.
constexpr std::string_view kEndings[] = {".tess", ".lesson.md", ".cu", ".cuh", ".hpp", ".h", ".cpp", ".py"};

// "slides/" of "slides/lect".
std::string folder_part(const std::string& typed) { return typed.substr(0, typed.size() - typed_name(typed).size()); }

bool leads_into_folder(const FileChooser& chooser, const std::string& typed) {
  std::error_code ignored;
  return !typed.empty() && fs::is_directory(chosen_path(chooser, typed), ignored);
}

void list_again(FileChooser& chooser, const std::string& typed, bool saves) {
  const std::string folder = folder_part(typed);
  fs::path path = typed_path(folder.empty() ? "." : folder, chooser.base);
  if (path == chooser.listing.folder && chooser.listing.refused.empty() && !ImGui::IsWindowAppearing()) return;
  chooser.listing = list_folder(path, saves ? std::span(kEndings).first(1) : std::span(kEndings));
}

// A row; 1: clicked, 2: clicked twice.
int draw_row(Ui& ui, const std::string& name, bool is_folder, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, ui.px(26));
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ui.recorder.add(name, is_folder ? "folder" : "file", chosen ? "selected" : "", at, end);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered()) list->AddRectFilled(at, end, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(5));
  const Face& face = is_folder ? ui.fonts.strong : ui.fonts.body;
  const std::string shown = elided(face, name, size.x - ui.px(20));
  list->AddText(face.font, face.size, {at.x + ui.px(10), at.y + (size.y - face.size) / 2 - ui.px(1)},
                is_folder ? ui.theme.link : ui.theme.text, shown.c_str());
  if (chosen && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  return !pressed ? 0 : ImGui::GetIO().MouseClickedLastCount[0] > 1 ? 2 : 1;
}

}  // namespace

std::string chosen_path(const FileChooser& chooser, const std::string& typed) { return typed_path(typed, chooser.base).string(); }

Chosen draw_file_chooser(Ui& ui, FileChooser& chooser, std::string& typed, const ChooserInput& input) {
  Chosen answer = Chosen::nothing;
  list_again(chooser, typed, input.saves);
  text(ui, elided(ui.fonts.small, "in " + chooser.base, ImGui::GetContentRegionAvail().x), ui.theme.dim, ui.fonts.small);
  if (ImGui::IsWindowAppearing() || chooser.focus) focus_next_item();
  chooser.focus = false;
  if (edit_with_tab(ui, "path", typed, [&](const std::string& so_far) { return completed(so_far, chooser.listing); })) {
    chooser.chosen = -1;
    answer = Chosen::changed;
    list_again(chooser, typed, input.saves);
  }
  std::vector<FileEntry> rows = input.saves ? chooser.listing.entries : matching(chooser.listing, typed_name(typed));
  rows.insert(rows.begin(), FileEntry{"..", true});
  chooser.chosen = std::min(chooser.chosen, static_cast<int>(rows.size()) - 1);
  if (key_pressed(ImGuiKey_DownArrow) && chooser.chosen + 1 < static_cast<int>(rows.size())) ++chooser.chosen;
  if (key_pressed(ImGuiKey_UpArrow) && chooser.chosen >= 0) --chooser.chosen;
  const auto enter_folder = [&](const fs::path& folder) {
    chooser.base = folder.lexically_normal().string();
    typed.clear();
    chooser.chosen = -1;
    chooser.focus = true;
    answer = Chosen::folder;
  };
  const auto take = [&](const FileEntry& entry, bool for_good) {
    const fs::path& here = chooser.listing.folder;
    if (entry.name == "..") return enter_folder((here.has_filename() ? here : here.parent_path()).parent_path());
    if (entry.is_folder) return enter_folder(here / entry.name);
    typed = folder_part(typed) + entry.name;
    chooser.chosen = -1;
    answer = for_good ? Chosen::file : Chosen::changed;
  };
  const bool enter = enter_pressed();
  ImGui::Dummy({0, ui.px(2)});
  {
    Region region(ui, "Files", ImGui::GetCursorScreenPos(), {ImGui::GetContentRegionAvail().x, ui.px(input.height)}, ui.theme.window, 4);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool chosen = static_cast<int>(i) == chooser.chosen;
      const int clicks = draw_row(ui, rows[i].name + (rows[i].is_folder && rows[i].name != ".." ? "/" : ""), rows[i].is_folder, chosen);
      if (clicks > 0 || (enter && chosen)) take(rows[i], clicks != 1);
    }
    ImGui::PopStyleVar();
    if (!chooser.listing.refused.empty()) wrapped_text(ui, chooser.listing.refused, ui.theme.bad, ui.fonts.small);
    if (rows.size() == 1 && chooser.listing.refused.empty())
      text(ui, chooser.listing.entries.empty() ? "no document and no source here" : "nothing here begins so", ui.theme.dim, ui.fonts.small);
    if (chooser.listing.cut) text(ui, fmt::format("only the first {} are listed", kMostListed), ui.theme.dim, ui.fonts.small);
  }
  if (answer == Chosen::nothing && enter && leads_into_folder(chooser, typed)) enter_folder(chosen_path(chooser, typed));
  return answer;
}

}  // namespace tessera::studio
