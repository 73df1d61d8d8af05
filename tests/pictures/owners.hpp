// SPDX-License-Identifier: BSD-3-Clause
// Who has which cell of a tile, as partitions say it, and how a picture of such a tile should look.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/mma/tiled_mma.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/wanted.hpp"

namespace tessera::pictures::owned {

struct Who {
  Int thread = -1, value = -1;
  friend auto operator<=>(const Who&, const Who&) = default;
};

// The owners of each cell, by thread and then by value.
struct Tile {
  Int rows = 0, cols = 0;
  std::vector<std::vector<Who>> of;  // [row + rows * col]
  const std::vector<Who>& at(Int row, Int col) const { return of[static_cast<std::size_t>(row + rows * col)]; }
  Int threads() const;  // that have a cell
  friend bool operator==(const Tile&, const Tile&) = default;
};
Tile nobodys(Int rows, Int cols);
void add(Tile& tile, Int index, Who who);  // at row + rows * col

// What is asked of a picture to stand out.
struct Lit {
  std::string parameter;  // "highlight=\"T0-3\""; empty: nothing
  std::function<bool(const Who&)> owner = [](const Who&) { return false; };
  std::function<bool(Int, Int)> cell = [](Int, Int) { return false; };
  bool of_owners = false;  // only owners are named
};
// Threads, a warp, a quad or a value that a tile has; with `cells` also rows, columns or one element.
Lit some_highlight(attack::Dice& dice, const Tile& tile, bool cells);

// How a tile is drawn.
struct Style {
  std::string labels = "tv";  // tv, thread, value, offset, coordinate, none
  bool turned = false;        // its rows go across
  std::function<Int(Int, Int)> offset = {};
  Int bits = 0, byte_offset = 0;  // bits: of an element, where banks are known
  std::string tensor = {};
  Lit lit = {};
  Int first_row = 0, rows = -1, first_col = 0, cols = -1;  // the part of the drawing that is left; -1: all
};
std::vector<Wanted> wanted_cells(const Tile& tile, const Style& style);

// The numbers of a sentence "each of 8 threads owns 4 of the 32 elements ..." about the tile, with this verb.
std::string wrong_share(const Picture& picture, std::string_view verb, const Tile& tile);

// Colours by thread, value, warp or quad of the owner that is drawn: alike in all panels, and as the legend's swatches say.
std::string wrong_owner_colors(const Picture& picture, std::string_view by);

// The tile of an operand as `partition` gives it; nobody's where it lies in no registers.
std::optional<Tile> tile_of(const TiledMma& mma, Operand operand, Int rows, Int cols);
bool is_in_registers(const MmaAtom& atom, Operand operand);

// A cell of a panel, by its id, about which explain-cell is asked.
struct Question {
  std::string expression, panel;
  Tile tile;  // of the panel
  Int row = 0, col = 0;
};
// Asks all in one run, and checks that each answer names the owners of the cell: the first one, its warp and lane, those that have it too,
// or that no thread has it; and that asking for that thread's value finds the cell.
void hold_explained(std::string_view kind, const std::vector<Question>& questions);
// Some cells of a tile.
void ask(std::vector<Question>& questions, attack::Dice& dice, const std::string& expression, const std::string& panel, const Tile& tile);

// The values of an expression that is of this kind; nothing where it is refused or another one.
template <class T>
std::optional<T> value_of(const std::string& expression);

struct SomeMma {
  std::string text, atom;
  std::optional<TiledMma> mma;
  Int extent[3] = {0, 0, 0};  // of its tile: M, N, K
};
// A tiled MMA, or an atom alone, of any architecture, whose tiles have at most so many cells each.
SomeMma some_mma(attack::Dice& dice, Int most_cells);

}  // namespace tessera::pictures::owned
