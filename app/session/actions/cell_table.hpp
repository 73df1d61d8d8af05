// SPDX-License-Identifier: BSD-3-Clause
// CellTable: what the selected cells are, a row each, to be pasted into a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/document/session.hpp"

namespace tessera {

struct CellTable {
  std::vector<std::string> columns;  // "panel", "coordinate", "thread", "value", "offset", "bank": those that any cell has
  std::vector<std::vector<std::string>> rows;
};

// Of the workspace's selection, in the figure that it was made in; a cell with several owners has a row for each that is meant: of the
// cells of a warp its threads, and not those that read the same elements.
Result<CellTable> selected_cell_table(const Session& session);
// The name of a tensor that a subject's address is of; empty where it is of none.
std::string tensor_name(const Scene& scene, std::int64_t tensor);
std::string to_tsv(const CellTable& table);  // tabs between, a line each, the columns' names first

constexpr std::size_t kMostTableRows = 100'000;

}  // namespace tessera
