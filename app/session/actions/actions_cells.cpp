// SPDX-License-Identifier: BSD-3-Clause
// Actions on what is selected, pinned and presented.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "app/session/actions/picked_cells.hpp"
#include "app/session/actions/said_cells.hpp"
#include "core/diagram/scene/selection.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::action {
namespace {

Changed quiet(const Session& session);

struct Cells {
  const Scene* scene = nullptr;
  std::vector<ElementId> selected;  // of the figure
};

Result<Cells> cells_of(const Session& session, const std::string& name) {
  const Result<Scene>& scene = session.figure(name, view_of(session.workspace().arrangement, name).options);
  if (!scene) return scene.error();
  const CellSelection& now = session.workspace().selection;
  if (now.empty() || now.binding != name) return Cells{&*scene, {}};
  TESSERA_TRY(selectors, read_selection(now.cells, "cells"));
  return Cells{&*scene, selected_cells(*scene, selectors)};
}

// "sA, sB and gC": the panels whose cells can be named.
std::string panels_of(const Scene& scene) {
  std::vector<std::string> names;
  for (const Panel& panel : scene.panels) {
    if (has_cells(panel) && !panel.id.empty()) names.push_back(panel.id);
  }
  if (names.size() < 2) return names.empty() ? std::string() : names.front();
  const std::string last = std::move(names.back());
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

// That words name no cell of a figure, and what would.
Error names_no_cell(const Scene& scene, const std::string& words, const std::string& binding, const Selection& selectors) {
  std::string message = fmt::format("{} names no cell of {}", words, binding);
  const auto of_panel = std::find_if(selectors.begin(), selectors.end(), [](const CellSelector& each) { return !each.panel.empty(); });
  const std::string panels = panels_of(scene);
  const bool has_it = of_panel == selectors.end() || std::any_of(scene.panels.begin(), scene.panels.end(),
                                                                 [&](const Panel& panel) { return panel.id == of_panel->panel; });
  if (!has_it && !panels.empty())
    message += fmt::format(", whose {} {}; another figure's name goes in front: FIGURE {}",
                           panels.find(' ') == std::string::npos ? "panel is" : "panels are", panels, of_panel->text);
  else if (!selectors.empty())
    message += fmt::format(": {}", matches_nothing(scene, selectors.front(), "cells").notes.front());
  return {ErrorCode::out_of_range, std::move(message), {}, {}};
}

Error no_cells(const std::string& name) {
  return {ErrorCode::wrong_type, fmt::format("the figure of {} has no cells that can be named", name), {}, {}};
}

// The cursor: the first of the selected cells, or where none is selected the figure's first cell; moved, and selected alone.
Result<Changed> move_cell(const Session& session, const Arguments& arguments, int right, int down) {
  const std::string name = binding(session, arguments);
  TESSERA_TRY(cells, cells_of(session, name));
  std::optional<ElementId> at;
  if (!cells.selected.empty()) {
    at = cell_beside(*cells.scene, cells.selected.front(), right, down);
    if (!at) at = cells.selected.front();  // the edge
  }
  if (!at) at = first_cell(*cells.scene);
  const std::string text = at ? picked(*cells.scene, *at, *at, Picks::cells) : std::string();
  if (text.empty()) return no_cells(name);
  Changed changed = quiet(session);
  changed.workspace.selection = {name, text};
  return changed;
}

// The rectangle from the cell where it began to the one beside its other corner; it ends at the edge of its grid.
Result<Changed> grow_cells(const Session& session, const Arguments& arguments, int right, int down) {
  const std::string name = binding(session, arguments);
  TESSERA_TRY(cells, cells_of(session, name));
  if (cells.selected.empty()) return move_cell(session, arguments, right, down);
  ElementId from = cells.selected.front();
  if (const std::string& began = session.workspace().selection.from; !began.empty()) {
    TESSERA_TRY(selectors, read_selection(began, "cells"));
    if (const std::vector<ElementId> there = selected_cells(*cells.scene, selectors); !there.empty()) from = there.front();
  }
  ElementId to = opposite_corner(*cells.scene, cells.selected, from);
  const std::optional<ElementId> next = cell_beside(*cells.scene, to, right, down);
  if (next && next->panel == to.panel && next->mark == to.mark) to = *next;
  const std::string text = picked(*cells.scene, from, to, Picks::cells);
  if (text.empty()) return no_cells(name);
  Changed changed = quiet(session);
  changed.workspace.selection = {name, text, picked(*cells.scene, from, from, Picks::cells)};
  return changed;
}

Changed quiet(const Session& session) { return {session.workspace(), {}, {}, false}; }

// The figure's own steps, as it is presented: what it is made of is chosen on the screen, which of its steps is not.
std::size_t steps_of(const Session& session, const std::string& name) {
  return session.steps(name, view_of(session.workspace().arrangement, name).options);
}

// The screen at a figure of the presentation, alone; at its first step, or at its last.
Changed at_figure(const Session& session, std::size_t figure, bool last = false) {
  const std::vector<std::string> figures = presentation_of(session);
  Changed changed = quiet(session);
  Workspace& next = changed.workspace;
  next.presenting = true;
  next.step = std::min(figure, figures.size() - 1);
  next.selected = figures[next.step];
  const std::size_t steps = steps_of(session, next.selected);
  next.told = last ? steps : std::min<std::size_t>(steps, 1);
  next.covered = next.words_first && !last;
  return changed;
}

Changed covered(const Session& session, bool is_covered) {
  Changed changed = quiet(session);
  changed.workspace.covered = is_covered;
  return changed;
}

}  // namespace

Result<Changed> select_cells(const Session& session, const Arguments& arguments) {
  const std::string cells = text(arguments, "cells");
  TESSERA_CHECK(read_selection(cells, "cells"));
  Changed changed = quiet(session);
  changed.workspace.selection = {binding(session, arguments), cells};
  return changed;
}

Result<Changed> add_cells(const Session& session, const Arguments& arguments) {
  const CellSelection& now = session.workspace().selection;
  Arguments both = arguments;
  if (!now.empty() && now.binding == binding(session, arguments)) both["cells"] = now.cells + ", " + text(arguments, "cells");
  return select_cells(session, both);
}

Result<Changed> cell_left(const Session& session, const Arguments& arguments) { return move_cell(session, arguments, -1, 0); }
Result<Changed> cell_right(const Session& session, const Arguments& arguments) { return move_cell(session, arguments, 1, 0); }
Result<Changed> cell_above(const Session& session, const Arguments& arguments) { return move_cell(session, arguments, 0, -1); }
Result<Changed> cell_below(const Session& session, const Arguments& arguments) { return move_cell(session, arguments, 0, 1); }

Result<Changed> grow_left(const Session& session, const Arguments& arguments) { return grow_cells(session, arguments, -1, 0); }
Result<Changed> grow_right(const Session& session, const Arguments& arguments) { return grow_cells(session, arguments, 1, 0); }
Result<Changed> grow_up(const Session& session, const Arguments& arguments) { return grow_cells(session, arguments, 0, -1); }
Result<Changed> grow_down(const Session& session, const Arguments& arguments) { return grow_cells(session, arguments, 0, 1); }

Result<Changed> go_to_cells(const Session& session, const Arguments& arguments) {
  const std::string words = text(arguments, "cells");
  std::optional<SaidCells> said = said_cells(session, words);
  if (!said) {
    TESSERA_CHECK(read_selection(words, "cells"));  // which says what there is
    return Error{ErrorCode::parse, "no cells are named", {}, {"A(5,2), warp 3, T0-3, rows=0-7, bank 2"}};
  }
  if (const std::string name = text(arguments, "binding"); !name.empty()) said->binding = name;
  TESSERA_TRY(changed, show_figure(session, {{"binding", said->binding}}));
  const Result<Scene>& scene = session.figure(said->binding, view_of(changed.workspace.arrangement, said->binding).options);
  if (!scene) return scene.error();
  TESSERA_TRY(selectors, read_selection(said->cells, "cells"));
  if (selected_cells(*scene, selectors).empty()) return names_no_cell(*scene, words, said->binding, selectors);
  changed.workspace.selection = {said->binding, said->cells};
  return changed;
}

Result<Changed> clear_cells(const Session& session, const Arguments&) {
  Changed changed = quiet(session);
  changed.workspace.selection = {};
  return changed;
}

Result<Changed> pin_binding(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  Changed changed{session.workspace(), "Pin " + name};
  changed.workspace.pinned = Pin{name, session.workspace().document};
  // Two figures side by side want the room of all.
  if (!pane_of(changed.workspace.arrangement, name)) {
    TESSERA_TRY(shown, show_figure(session, {{"binding", name}}));
    changed.workspace.arrangement = std::move(shown.workspace.arrangement);
  }
  changed.workspace.maximised = changed.workspace.selected = name;
  return changed;
}

Result<Changed> clear_pin(const Session& session, const Arguments&) {
  Changed changed{session.workspace(), "Unpin " + session.workspace().pinned->binding};
  unpin(changed.workspace);
  return changed;
}

Result<Changed> start_presenting(const Session& session, const Arguments&) {
  const std::vector<std::string> figures = presentation_of(session);
  const std::string& here = session.workspace().selected;
  const auto found = std::find(figures.begin(), figures.end(), here);
  if (found == figures.end()) return at_figure(session, 0);
  Changed changed = at_figure(session, static_cast<std::size_t>(found - figures.begin()));
  // It goes on from the step that was chosen.
  if (const std::size_t chosen = chosen_step(view_of(session.workspace().arrangement, here).options); chosen > 0)
    changed.workspace.told = std::min(chosen, steps_of(session, here));
  return changed;
}

Result<Changed> put_words_first(const Session& session, const Arguments&) {
  Changed changed = quiet(session);
  Workspace& next = changed.workspace;
  next.words_first = !next.words_first;
  next.covered = next.presenting && next.words_first && next.told <= 1;
  return changed;
}

Result<Changed> stop_presenting(const Session& session, const Arguments&) {
  Changed changed = quiet(session);
  Workspace& next = changed.workspace;
  next.presenting = false;
  // The last figure has the focus where it has a pane; else the first that has one, and no key goes nowhere.
  const std::vector<View> shown = shown_views(next.arrangement);
  if (!shown.empty() && !pane_of(next.arrangement, next.selected)) next.selected = shown.front().binding;
  return changed;
}

Result<Changed> next_step(const Session& session, const Arguments&) {
  const Workspace& now = session.workspace();
  if (now.covered) return covered(session, false);
  const std::vector<std::string> figures = presentation_of(session);
  const std::size_t figure = std::min(now.step, figures.size() - 1);
  if (now.told < steps_of(session, figures[figure])) {
    Changed changed = quiet(session);
    ++changed.workspace.told;
    return changed;
  }
  return figure + 1 < figures.size() ? at_figure(session, figure + 1) : at_figure(session, figure, true);
}

Result<Changed> previous_step(const Session& session, const Arguments&) {
  const Workspace& now = session.workspace();
  if (now.told > 1) {
    Changed changed = quiet(session);
    --changed.workspace.told;
    return changed;
  }
  if (now.words_first && !now.covered) return covered(session, true);
  return now.step > 0 ? at_figure(session, now.step - 1, true) : at_figure(session, 0);
}

}  // namespace tessera::action

namespace tessera {

std::vector<std::string> presentation_of(const Session& session) {
  std::vector<std::string> figures, others;
  for (const EvaluatedBinding& binding : session.bindings()) {
    if (binding.name.empty() || !binding.value || !binding.needs.empty() || !is_drawable(*binding.value)) continue;
    (kind_name(*binding.value) == "figure" ? figures : others).push_back(binding.name);
  }
  return figures.empty() ? others : figures;
}

}  // namespace tessera
