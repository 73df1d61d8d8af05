// SPDX-License-Identifier: BSD-3-Clause
// What the tests of pictures with cells share: the cells that a grid should have, numbers beside it, and the words below a picture.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/attack/model.hpp"
#include "tests/pictures/picture.hpp"

namespace tessera::pictures::owned {

// A cell as it should be, at a row and a column of the drawing.
struct Wanted {
  Int down = 0, across = 0;
  std::string label;
  std::vector<Link> links;
  bool faint = false;
};

// How a panel's cells are counted: from its corner on, all of them equally far apart, in pieces where the picture is folded.
struct Spread {
  std::vector<double> xs, ys;  // the left edges of columns, the upper ones of rows
  double width = 1;            // of a cell
};
Spread spread_of(const PanelDrawn& panel);

// What is wrong with a panel's cells: each wanted one is there once, where it should be, says and stands for what it should, and there is
// no other. `folded`: the drawing may stand in pieces beside or below each other.
std::string wrong_cells(const PanelDrawn& panel, std::vector<Wanted> wanted, bool folded = false);

// Numbers before rows and above columns: each stands at the middle of the row or column that it names. Nothing drawn: nothing wrong.
std::string wrong_axes(const PanelDrawn& panel, const std::function<std::string(Int)>& row, const std::function<std::string(Int)>& column);
std::string numbers(Int n);

// Only these panels, one with the words below, and nothing else.
std::string wrong_panels(const Picture& picture, const std::vector<std::string>& ids);

// The words below the picture, a line for each sentence, note or legend.
std::string words_below(const Picture& picture);
// Empty where the words are there.
std::string missing_words(const Picture& picture, std::string_view words);

// Cells of one key have one colour; where there are few keys, others have another one. Cells without a key are not asked.
std::string wrong_colors(const PanelDrawn& panel, const std::function<std::optional<Int>(const CellDrawn&)>& key,
                         std::map<Int, std::string>& known);

// The swatches of a legend with numbers: the number and its colour.
std::vector<std::pair<Int, std::string>> swatches(const Picture& picture);

// The first of several complaints.
template <class... Next>
std::string first_of(std::string wrong, Next... next) {
  ((wrong.empty() ? void(wrong = next()) : void()), ...);
  return wrong;
}

// The bank of an element at `offset`, -1 where nothing is known of its width.
Int bank_at(Int offset, Int bits, Int byte_offset = 0);

}  // namespace tessera::pictures::owned
