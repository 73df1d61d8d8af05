// SPDX-License-Identifier: BSD-3-Clause
// layout_figure: each cell is a coordinate, and says where the layout puts it.
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Plain;

namespace {

// A layout of two modes: row and column are 1-D coordinates of its modes.
std::string wrong_in_matrix(const Picture& picture, const Plain& layout) {
  const Int rows = size(mode(layout, 0)), cols = size(mode(layout, 1));
  std::set<std::pair<Int, Int>> drawn;
  for (const CellDrawn& cell : picture.panels.at(0).cells) {
    if (cell.links.size() != 1) return fmt::format("a cell stands for {} things", cell.links.size());
    const Link& link = cell.links.front();
    if (link.row < 0 || link.row >= rows || link.col < 0 || link.col >= cols) return fmt::format("({},{}) is none", link.row, link.col);
    const Int offset = at(layout, link.row + rows * link.col);
    if (cell.x != static_cast<double>(link.col) || cell.y != static_cast<double>(link.row))
      return fmt::format("({},{}) stands at {}, {}", link.row, link.col, cell.x, cell.y);
    if (link.offset != offset || cell.label != std::to_string(offset))
      return fmt::format("({},{}) has offset {}, not {}, \"{}\"", link.row, link.col, offset, link.offset, cell.label);
    drawn.insert({link.row, link.col});
  }
  return static_cast<Int>(drawn.size()) == rows * cols ? "" : fmt::format("{} cells of {}", drawn.size(), rows * cols);
}

}  // namespace

TEST_CASE("a layout's figure says of every coordinate where the layout puts it", "[pictures]") {
  Dice dice(201);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Plain layout = tessera::attack::some_layout(dice);
    while (rank(layout) != 2 || size(layout) > 400) layout = tessera::attack::some_layout(dice);
    cases.push_back(
        {fmt::format("layout_figure({})", to_text(layout)), [layout](const Picture& picture) { return wrong_in_matrix(picture, layout); }});
  }
  hold("layout", cases);
}
