// SPDX-License-Identifier: BSD-3-Clause
// A selection of cells by what they stand for, as highlight= and crop= name it: "T0-3, W1, rows=0-7, (2,5)".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene/scene.hpp"
#include "core/diagram/scene/selector.hpp"

namespace tessera {

// Selectors between commas or blanks; a range is 0-3 or 0..3. Refuses the first that is none, naming what there is.
Result<Selection> read_selection(std::string_view text, std::string_view parameter);

// The row and column of a text that names one element, "(2,5)"; nothing where it is another selection. Refused as that is.
Result<std::optional<std::pair<std::int64_t, std::int64_t>>> read_coordinate(std::string_view text, std::string_view parameter);

// Does it name this owner, by thread, warp, quad or value?
bool selects(const Selection& selection, const Owner& owner);
// Is it about owners?
bool names_owners(Selects what);

// The cells of a figure that a selection names, panel by panel and row by row, by any of their owners.
std::vector<ElementId> selected_cells(const Scene& scene, const Selection& selection);
// That a selector matches no cell of the figure, and which numbers its cells have.
Error matches_nothing(const Scene& scene, const CellSelector& selector, std::string_view parameter);
// What of a selected cell is meant: of one that a selector of owners alone names, these owners and not the others that share it.
std::vector<Subject> meant_subjects(const Scene& scene, const ElementId& id, const Selection& selection);

// The numbers that a cell has, as a selector counts them; empty where it has none of that kind: C has no k.
// Rows and columns of a picture of several operands are C's: m and n.
struct CellNumbers {
  Subject subject;
  PanelOperand operand = PanelOperand::none;
  bool several = false;      // of the figure's panels are operands
  bool transposed = false;   // drawn with the coordinate's row across
  std::string_view panel{};  // its id
};
// Without its subject.
CellNumbers numbers_of(const Panel& panel, const GridColumns& grid, bool several);
bool has_several_operands(const Scene& scene);
// -1: it has none.
std::int64_t number_of(const CellNumbers& cell, Selects what);
// The kind that a word names: "thread", "col"; nothing where none is.
std::optional<Selects> selects_of(std::string_view word);
// How a selector of this kind begins: "T", "rows=".
std::string_view spelling(Selects what);

}  // namespace tessera
