// SPDX-License-Identifier: BSD-3-Clause
// A selection of cells by what they stand for, as highlight= and crop= name it: "T0-3, W1, rows=0-7, (2,5)".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/diagram/scene.hpp"

namespace tessera {

// T3, W1, Q2 (a quad: threads 4 to 7 are Q1), V0; (2,5); row=, col= of the picture; m=, n=, k= of an operand; offset=; bank=.
enum class Selects : std::uint8_t { thread, warp, quad, value, coordinate, row, col, m, n, k, offset, bank };

struct Selector {
  Selects what = Selects::thread;
  std::int64_t first = 0, last = 0;  // of a coordinate: row and column
  std::string text;                  // as it was written
};
using Selection = std::vector<Selector>;

// Selectors between commas or blanks; a range is 0-3 or 0..3. Refuses the first that is none, naming what there is.
Result<Selection> read_selection(std::string_view text, std::string_view parameter);

// Does it name this owner, by thread, warp, quad or value?
bool selects(const Selection& selection, const Owner& owner);
// Is it about owners?
bool names_owners(Selects what);

// The numbers that a cell has, as a selector counts them; empty where it has none of that kind: C has no k.
// Rows and columns of a picture of several operands are C's: m and n.
struct CellNumbers {
  Subject subject;
  PanelOperand operand = PanelOperand::none;
  bool several = false;     // of the figure's panels are operands
  bool transposed = false;  // drawn with the coordinate's row across
};
// -1: it has none.
std::int64_t number_of(const CellNumbers& cell, Selects what);
// How a selector of this kind begins: "T", "rows=".
std::string_view spelling(Selects what);

}  // namespace tessera
