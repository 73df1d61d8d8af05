// SPDX-License-Identifier: BSD-3-Clause
// The inspector's list of the cells that are selected, and how one of them comes about.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/session/actions/cell_table.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/diagram/scene/selection.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kShownRows = 200, kNamedOwners = 24;

// Its figure is on the screen and a newer one is on its way.
bool is_on_its_way(const Session& session, const std::string& binding) {
  const Workspace& now = session.workspace();
  const std::vector<View> shown = shown_views(now.arrangement);
  const auto view = std::find_if(shown.begin(), shown.end(), [&](const View& each) { return each.binding == binding; });
  const EvaluatedBinding* found = session.find(binding);
  return view != shown.end() && now.maximised.empty() && !now.presenting && found && found->value &&
         !session.kept_figure(binding, view->options);
}

// Every owner and reader of a cell.
std::string owners_of(const Scene& scene, const ElementId& id) {
  std::string words;
  std::size_t count = 0;
  for (const Subject& each : subjects_of(scene, id)) {
    if (each.thread < 0) continue;
    if (++count > kNamedOwners) continue;
    words += fmt::format("{}T{}", words.empty() ? "" : ", ", each.thread);
    if (each.value >= 0) words += fmt::format(" V{}", each.value);
  }
  if (count > kNamedOwners) words += fmt::format(" and {} more", count - kNamedOwners);
  return words;
}

}  // namespace

const CellTablePage& CellTables::get(const Session& session) {
  const CellSelection& selection = session.workspace().selection;
  if (page_.selection == selection && page_.revision == session.values_revision()) return page_;
  if (page_.selection == selection && is_on_its_way(session, selection.binding)) return page_;  // the list stays until then
  page_ = {selection, session.values_revision(), selected_cell_table(session)};
  if (page_.table) detail(session, 0);
  return page_;
}

void CellTables::detail(const Session& session, std::size_t cell) {
  const View view = view_of(session.workspace().arrangement, page_.selection.binding);
  const Result<Scene>& scene = session.figure(view.binding, view.options);
  const Result<Selection> selectors = read_selection(page_.selection.cells, "cells");
  if (!scene || !selectors) return;
  if (page_.cells.empty()) {
    page_.cells = selected_cells(*scene, *selectors);
    page_.count = page_.cells.size(), page_.of = cell_count(*scene);
    if (page_.cells.size() > kShownRows) page_.cells.resize(kShownRows);
    for (std::size_t i = 0; i < page_.cells.size(); ++i)
      page_.cell_of.insert(page_.cell_of.end(), meant_subjects(*scene, page_.cells[i], *selectors).size(), i);
  }
  page_.detailed = cell;
  page_.explained.reset();
  page_.owners.clear();
  if (cell >= page_.cells.size()) return;
  page_.explained = explain(*scene, page_.cells[cell]);
  page_.owners = owners_of(*scene, page_.cells[cell]);
}

namespace {

void draw_table(Ui& ui, const Session& session, CellTables& tables, const CellTable& table) {
  const CellTablePage& page = tables.get(session);
  const float room = ImGui::GetContentRegionAvail().x, column = room / static_cast<float>(table.columns.size());
  const auto row = [&](const std::vector<std::string>& cells, ImU32 ink, const Face& face) {
    const float x = ImGui::GetCursorPosX();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) ImGui::SameLine(x + column * static_cast<float>(c));
      text(ui, cells[c].empty() ? "-" : elided(face, cells[c], column - ui.px(4)), ink, face);
    }
  };
  row(table.columns, ui.theme.dim, ui.fonts.small);
  std::optional<std::size_t> clicked;
  for (std::size_t r = 0; r < std::min(table.rows.size(), kShownRows); ++r) {
    const std::size_t cell = r < page.cell_of.size() ? page.cell_of[r] : 0;
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(room, ui.fonts.mono_small.size + ui.px(2));
    if (cell == page.detailed && page.cells.size() > 1)
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - ui.px(6), at.y - ui.px(1)}, {at.x + size.x, at.y + size.y}, ui.theme.hover,
                                                ui.px(4));
    ImGui::PushID(static_cast<int>(r));
    if (ImGui::InvisibleButton("row", size)) clicked = cell;
    ui.recorder.add(fmt::format("selected cell {}", r + 1), "row", cell == page.detailed ? "selected" : "", at,
                    {at.x + size.x, at.y + size.y});
    ImGui::PopID();
    ImGui::SetCursorScreenPos(at);
    row(table.rows[r], ui.theme.text, ui.fonts.mono_small);
  }
  if (table.rows.size() > kShownRows)
    text(ui, fmt::format("and {} more; Copy as table takes all", table.rows.size() - kShownRows), ui.theme.dim, ui.fonts.small);
  if (clicked) tables.detail(session, *clicked);
}

}  // namespace

std::string words_of_selected(const Session& session, CellTables& tables) {
  const CellSelection& selection = session.workspace().selection;
  if (!has_selection_in_sight(session.workspace())) return {};
  const CellTablePage& page = tables.get(session);
  std::string words = fmt::format("{} {}", selection.binding, selection.cells);
  if (!page.table) return words;
  if (page.cells.size() == 1) return words + (page.owners.empty() ? "" : ": " + page.owners);
  return words + fmt::format(": {} of its {} cells", page.count, page.of);
}

Answer draw_selected_cells(Ui& ui, const Session& session, CellTables& tables) {
  const CellSelection& selection = session.workspace().selection;
  if (!has_selection_in_sight(session.workspace())) return {};
  heading(ui, "SELECTED");
  Answer answer;
  fact(ui, selection.binding, selection.cells);
  const CellTablePage& page = tables.get(session);
  if (!page.table) {
    wrapped_text(ui, page.table.error().message, ui.theme.bad, ui.fonts.body);
    return answer;
  }
  const CellTable& table = *page.table;
  if (button(ui, "Copy as table", ButtonLook::plain, !table.rows.empty(), "Ctrl+C")) answer = Do{"edit.copy_cells"};
  ImGui::SameLine();
  if (button(ui, "Select none", ButtonLook::quiet, true, "Esc")) answer = Do{"cells.clear"};
  if (table.columns.empty()) {
    text(ui, "no cell of the figure is meant any more", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  if (page.explained) draw_explained(ui, *page.explained, page.owners);
  ImGui::Dummy({0, ui.px(4)});
  draw_table(ui, session, tables, table);
  return answer;
}

}  // namespace tessera::studio
