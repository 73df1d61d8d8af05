// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/describe.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studio/frame/app.hpp"
#include "core/diagram/scene/selection.hpp"

namespace tessera::studio {
namespace {

std::string line_of(const Session& session) {
  const EvaluatedBinding* found = session.find(session.workspace().selected);
  if (!found) return {};
  const auto number = number_of(session.bindings(), *found);
  return fmt::format("list, line {} of {}, {} = {}{}", number + 1, session.bindings().size(), found->name,
                     one_line(session.expression(found->name)),
                     found->value ? "" : (is_awaited(*found) ? ", " : ", refused: ") + found->value.error().message);
}

// The cell cursor: the first of the selected cells, and how many there are.
std::string cell_of(const Session& session) {
  const CellSelection& selection = session.workspace().selection;
  if (selection.empty()) return {};
  std::string words = "figure " + selection.binding;
  const SharedFigure figure = session.kept_figure(selection.binding, view_of(session.workspace().arrangement, selection.binding).options);
  const Result<Selection> selectors = read_selection(selection.cells, "cells");
  const std::vector<ElementId> cells = figure && *figure && selectors ? selected_cells(**figure, *selectors) : std::vector<ElementId>();
  if (cells.empty()) return words + ", " + selection.cells;
  if (cells.size() > 1) words += fmt::format(", {} cells {}, the first", cells.size(), selection.cells);
  const std::vector<Subject> subjects = subjects_of(**figure, cells.front());
  const std::string panel = (*figure)->panels[cells.front().panel].id;
  const Subject subject = subjects.empty() ? Subject{} : subjects.front();
  const std::string coordinate = (*figure)->coordinate_of(subject);
  words +=
      fmt::format(", cell {}{}", (*figure)->panels.size() > 2 ? panel : std::string(), coordinate.empty() ? selection.cells : coordinate);
  if (subject.thread >= 0) words += fmt::format(", thread {}", subject.thread);
  if (subject.value >= 0) words += fmt::format(" value {}", subject.value);
  if (subject.address >= 0) words += fmt::format(", offset {}", subject.address);
  if (subject.bank >= 0) words += fmt::format(", bank {}", subject.bank);
  return words;
}

std::string field_of(const RecordedItem& item) { return fmt::format("{}, field {}: {}", item.region, item.label, item.value); }

}  // namespace

std::vector<std::string> Describer::changes(const App& app) {
  std::vector<std::string> news;
  const auto say = [&](std::string& before, std::string now, const char* nothing) {
    if (now == before) return;
    before = std::move(now);
    if (!before.empty())
      news.push_back(before);
    else if (nothing)
      news.emplace_back(nothing);
  };
  say(line_, line_of(app.session), "list, nothing is selected");
  say(cell_, cell_of(app.session), "no cell is selected");
  const RecordedItem* focused = app.recorder.focused();
  std::string field = focused ? focused->region + "\n" + focused->label : std::string();
  if (focused && (focused->role == "choices" || focused->role == "combo")) field += "\n" + focused->value;  // each choice is said
  if (field != field_ && focused) news.push_back(field_of(*focused));  // where one types, not each letter
  field_ = field;
  say(said_, app.status, nullptr);
  return news;
}

}  // namespace tessera::studio
