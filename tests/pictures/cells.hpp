// SPDX-License-Identifier: BSD-3-Clause
// What several kinds of pictures are asked: the cells of a grid, the numbers beside it, the words below it, and what its colours mean.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/attack/model.hpp"
#include "tests/pictures/picture.hpp"

namespace tessera::pictures {

struct Wanted {
  std::string label;
  std::vector<Link> links;
};
using WantedCells = std::map<std::pair<Int, Int>, Wanted>;  // by row and column as they are drawn

// Where a grid's first cell is, and how wide its cells are; they are one high.
struct Place {
  double x = 0, y = 0, w = 1;
};
Place place_of(const PanelDrawn& panel);  // of a panel with one grid: its least x and y

bool near(double one, double other);  // to a thousandth of a cell, as the file has them
std::string to_text(const Link& link);

// Each cell that is wanted is there exactly once, in its place, with its label and what it stands for; and there is no other.
std::string wrong_cells(const PanelDrawn& panel, const WantedCells& wanted, const Place& place);

// Numbers of the axes: each says which row or column it stands beside. `row` and `col`: the text of each. There is one for the first row
// and column at least, where the text is not empty.
using NameOf = std::function<std::string(Int)>;
std::string wrong_axes(const PanelDrawn& panel, const Place& place, Int rows, Int cols, const NameOf& row, const NameOf& col);
std::string number(Int i);

// Words below the picture and its legends, a line each, as one text; lines that were broken are joined.
std::string words_below(const Picture& picture);
// What is not among them, of what should be; nothing where all is.
std::string wrong_words(const Picture& picture, const std::vector<std::string>& wanted);
// Colours by the number that stands in their swatch; empty where swatches have none.
std::map<std::string, std::string> swatches(const Picture& picture);
// Of cells that are coloured by a number, the number and the colour: the same number has the same colour, and that of its swatch. Where
// the legend says "div 4", hues stand for four numbers each, and the last of them has the swatch's colour.
std::string wrong_colors(const Picture& picture, const std::vector<std::pair<Int, std::string>>& colored);

// "(3,(0,1))": the coordinate with this number; the last mode is not reduced.
std::string coordinate_of(const attack::Tree& shape, Int index);
// "2" or "2,(0,1)": the same in the modes beyond the second; empty where there are none.
std::string rest_of(const attack::Plain& layout, Int index);

std::string first_of(std::initializer_list<std::string> wrongs);  // the first that is not empty

// "1 element", "2 elements"
std::string count_of(Int n, std::string_view what);

}  // namespace tessera::pictures
