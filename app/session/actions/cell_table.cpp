// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/actions/cell_table.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/diagram/scene/selection.hpp"

namespace tessera {
namespace {

std::string number(std::int64_t n) { return n < 0 ? std::string() : std::to_string(n); }

// Without the columns that no cell has.
CellTable without_empty(CellTable table) {
  CellTable kept;
  kept.rows.resize(table.rows.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    bool any = false;
    for (const auto& row : table.rows) any |= !row[c].empty();
    if (!any) continue;
    kept.columns.push_back(table.columns[c]);
    for (std::size_t r = 0; r < table.rows.size(); ++r) kept.rows[r].push_back(std::move(table.rows[r][c]));
  }
  return kept;
}

}  // namespace

std::string tensor_name(const Scene& scene, std::int64_t tensor) {
  const auto number = static_cast<std::size_t>(tensor);
  return tensor >= 0 && number < scene.tensors.size() ? scene.tensors[number] : std::string();
}

Result<CellTable> selected_cell_table(const Session& session) {
  const CellSelection& selection = session.workspace().selection;
  TESSERA_TRY(selectors, read_selection(selection.cells, "cells"));
  const View view = view_of(session.workspace().arrangement, selection.binding);
  const Result<Scene>& scene = session.figure(view.binding, view.options);
  if (!scene) return scene.error();
  CellTable table{{"panel", "coordinate", "thread", "value", "tensor", "offset", "bank"}, {}};
  for (const ElementId& id : selected_cells(*scene, selectors)) {
    const Panel& panel = scene->panels[id.panel];
    for (const Subject& each : meant_subjects(*scene, id, selectors)) {
      if (table.rows.size() == kMostTableRows)
        return Error{ErrorCode::limit, fmt::format("more than {} rows are selected", kMostTableRows), {}, {"select fewer cells"}};
      table.rows.push_back({panel.id, scene->coordinate_of(each), number(each.thread), number(each.value), tensor_name(*scene, each.tensor),
                            number(each.address), number(each.bank)});
    }
  }
  return without_empty(std::move(table));
}

std::string to_tsv(const CellTable& table) {
  std::string text = fmt::format("{}\n", fmt::join(table.columns, "\t"));
  for (const auto& row : table.rows) text += fmt::format("{}\n", fmt::join(row, "\t"));
  return text;
}

}  // namespace tessera
