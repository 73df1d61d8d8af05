// SPDX-License-Identifier: BSD-3-Clause
// The table of selected cells: a row for every owner, and only the columns that say something.
#include <string>
#include <utility>
#include <vector>

#include "app/session/actions/cell_table.hpp"

#include "app/session/actions/actions.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

CellTable table_of(const char* expression, const char* cells) {
  Session session;
  REQUIRE(session.open_text(std::string("let x = ") + expression + "\n", "test"));
  REQUIRE(perform(session, "cells.select", {{"binding", "x"}, {"cells", cells}}));
  const Result<CellTable> table = selected_cell_table(session);
  REQUIRE(table);
  return *table;
}

}  // namespace

TEST_CASE("a cell that two threads read has a row for each") {
  const CellTable table = table_of("make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))", "A(5,2)");
  CHECK(table.columns == std::vector<std::string>{"panel", "coordinate", "thread", "value"});
  // T21 of warp 0, and its like in the warp that has the other half of N.
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"A", "(5,2)", "21", "0"}, {"A", "(5,2)", "85", "0"}});
}

TEST_CASE("of cells that are selected by their owners the table has these owners alone") {
  const char* const mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2))";
  // Warp 0 shares its A with warp 2 and its B with warp 1.
  const CellTable warp = table_of(mma, "W0");
  CHECK(warp.rows.size() == 32 * (8 + 4 + 4));
  for (const auto& row : warp.rows) CHECK(std::stoi(row[2]) < 32);
  CHECK(table_of(mma, "T21").rows.size() == 8 + 4 + 4);
  // A cell that is named by its place, too, has all its owners.
  CHECK(table_of(mma, "T21, A(5,2)").rows.size() == 8 + 4 + 4 + 1);
}

TEST_CASE("a layout's cells have offsets and banks, and what is no selection is refused") {
  const CellTable table = table_of("(4,8):(8,1)", "(1,2-3)");
  CHECK(table.rows[0].back() == "10");
  CHECK(table.rows.size() == 2);
  Session session;
  REQUIRE(session.open_text("let x = true\n", "test"));
  Workspace workspace = session.workspace();
  workspace.selection = {"x", "(1,1)"};
  session.show(std::move(workspace));
  CHECK_FALSE(selected_cell_table(session));
}
