// SPDX-License-Identifier: BSD-3-Clause
// The inspector's list of the cells that are selected.
#include <fmt/format.h>

#include <algorithm>

#include "app/session/cell_table.hpp"
#include "app/studio/panels.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kShownRows = 200;

}  // namespace

const CellTablePage& CellTables::get(const Session& session) {
  const CellSelection& selection = session.workspace().selection;
  if (page_.selection == selection && page_.revision == session.revision()) return page_;
  // While its figure is being made anew, the list stays as it is.
  const std::vector<View> shown = shown_views(session.workspace().arrangement);
  const auto view = std::find_if(shown.begin(), shown.end(), [&](const View& each) { return each.binding == selection.binding; });
  const bool on_its_way = page_.selection == selection && view != shown.end() && session.workspace().maximised.empty() &&
                          session.find(selection.binding)->value && !session.kept_figure(view->binding, view->options);
  if (on_its_way) return page_;
  page_ = {selection, session.revision(), selected_cell_table(session)};
  return page_;
}

Answer draw_selected_cells(Ui& ui, const Session& session, CellTables& tables) {
  const CellSelection& selection = session.workspace().selection;
  if (selection.empty()) return {};
  heading(ui, "SELECTED");
  Answer answer;
  fact(ui, selection.binding, selection.cells);
  const Result<CellTable>& table = tables.get(session).table;
  if (!table) {
    wrapped_text(ui, table.error().message, ui.theme.bad, ui.fonts.body);
    return answer;
  }
  if (button(ui, "Copy as table", ButtonLook::plain, !table->rows.empty(), "Ctrl+C")) answer = Do{"edit.copy_cells"};
  ImGui::SameLine();
  if (button(ui, "Select none", ButtonLook::quiet, true, "Esc")) answer = Do{"cells.clear"};
  if (table->columns.empty()) {
    text(ui, "no cell of the figure is meant any more", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  const float room = ImGui::GetContentRegionAvail().x, column = room / static_cast<float>(table->columns.size());
  const auto row = [&](const std::vector<std::string>& cells, ImU32 ink, const Face& face) {
    const float x = ImGui::GetCursorPosX();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) ImGui::SameLine(x + column * static_cast<float>(c));
      text(ui, cells[c].empty() ? "-" : elided(face, cells[c], column - ui.px(4)), ink, face);
    }
  };
  row(table->columns, ui.theme.dim, ui.fonts.small);
  for (std::size_t r = 0; r < std::min(table->rows.size(), kShownRows); ++r) row(table->rows[r], ui.theme.text, ui.fonts.mono_small);
  if (table->rows.size() > kShownRows)
    text(ui, fmt::format("and {} more; Copy as table takes all", table->rows.size() - kShownRows), ui.theme.dim, ui.fonts.small);
  return answer;
}

}  // namespace tessera::studio
