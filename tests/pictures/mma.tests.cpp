// SPDX-License-Identifier: BSD-3-Clause
// mma_figure, tv_a, tv_b and tv_c: each cell is where partition_A, partition_B and partition_C put a thread's value.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/atom/instructions/catalog.hpp"
#include "tests/attack/attack.hpp"
#include "tests/pictures/owners.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::Operand;
using tessera::attack::Dice;

namespace {

constexpr Int kMostCells = 2048;

struct Side {
  Operand operand;
  char letter;
  int row, col;  // of M, N, K
};
constexpr Side kSides[] = {{Operand::a, 'A', 0, 2}, {Operand::b, 'B', 1, 2}, {Operand::c, 'C', 0, 1}};

Style style_of(const tessera::MmaAtom& atom, Operand operand, Style asked) {
  if (!is_in_registers(atom, operand) && asked.labels != "coordinate") asked.labels = "none";
  return asked;
}

std::string some_style(Dice& dice, const Tile& owned, Style& style, std::string& color) {
  std::string parameters;
  if (dice.one_in(2)) {
    style.labels = dice.of(std::vector<std::string>{"tv", "thread", "value", "coordinate", "none"});
    parameters += ", labels=" + style.labels;
  }
  if (dice.one_in(2)) {
    color = dice.of(std::vector<std::string>{"thread", "value", "warp", "quad"});
    parameters += ", color=" + color;
  }
  if (dice.one_in(3)) style.lit = some_highlight(dice, owned, false);
  if (!style.lit.parameter.empty()) parameters += ", " + style.lit.parameter;
  return parameters;
}

// The one colour that a picture without color= has.
std::string color_of(const std::string& asked, Int cells, Int threads) {
  if (!asked.empty()) return asked;
  return cells >= 2048 && threads > 32 ? "warp" : "thread";
}

Case mma_case(Dice& dice) {
  for (;;) {
    const SomeMma some = some_mma(dice, kMostCells);
    std::vector<Tile> tiles;
    for (const Side& side : kSides) {
      if (auto tile = tile_of(*some.mma, side.operand, some.extent[side.row], some.extent[side.col])) tiles.push_back(std::move(*tile));
    }
    if (tiles.size() < 3) continue;
    Style style;
    std::string color;
    const std::string parameters = some_style(dice, tiles[2], style, color);
    const std::string by = color_of(color, some.extent[0] * some.extent[1], some.mma->num_threads());
    const auto wrong = [=](const Picture& picture) {
      std::string found = wrong_panels(picture, {"A", "B", "C"});
      std::vector<Spread> spreads;
      for (std::size_t i = 0; found.empty() && i < 3; ++i) {
        Style drawn = style_of(some.mma->atom(), kSides[i].operand, style);
        drawn.turned = kSides[i].letter == 'B';
        const PanelDrawn& panel = *picture.panel(std::string(1, kSides[i].letter));
        spreads.push_back(spread_of(panel));
        found = first_of(wrong_cells(panel, wanted_cells(tiles[i], drawn)), [&] { return wrong_axes(panel, numbers, numbers); });
      }
      if (!found.empty()) return found;
      // A's rows are C's, B's columns too.
      if (spreads[0].ys != spreads[2].ys) return std::string("rows of A are not those of C");
      if (spreads[1].xs != spreads[2].xs) return std::string("columns of B are not those of C");
      if (spreads[0].xs.back() + 1 > spreads[2].xs.front()) return std::string("A is not left of C");
      if (spreads[1].ys.back() + 1 > spreads[2].ys.front()) return std::string("B is not above C");
      const auto [m, n, k] = some.extent;
      return first_of(
          wrong_owner_colors(picture, by),
          [&, m = m, n = n, k = k] {
            return missing_words(picture, fmt::format("A ({} × {}) by B ({} × {}) into C ({} × {})", m, k, k, n, m, n));
          },
          [&, m = m, n = n, k = k] {
            const auto threads = static_cast<Int>(some.mma->thread_ids().size());
            return missing_words(picture, fmt::format("{} × {} × {}   {} thread{}", m, n, k, threads, threads == 1 ? "" : "s"));
          });
    };
    return {fmt::format("mma_figure({}{})", some.text, parameters), wrong};
  }
}

Case operand_case(Dice& dice, const Side& side) {
  for (;;) {
    const SomeMma some = some_mma(dice, kMostCells);
    const Int rows = some.extent[side.row], cols = some.extent[side.col];
    const auto tile = tile_of(*some.mma, side.operand, rows, cols);
    if (!tile) continue;
    Style style;
    std::string color;
    std::string parameters = some_style(dice, *tile, style, color);
    const std::string by = color_of(color, rows * cols, some.mma->num_threads());
    style = style_of(some.mma->atom(), side.operand, style);
    if (style.lit.parameter.empty() && dice.one_in(3)) {
      style.first_row = dice.up_to(rows - 1), style.rows = dice.between(1, rows - style.first_row);
      style.first_col = dice.up_to(cols - 1), style.cols = dice.between(1, cols - style.first_col);
      parameters +=
          fmt::format(", crop=\"{}={}-{}, {}={}-{}\"", side.letter == 'B' ? 'n' : 'm', style.first_row, style.first_row + style.rows - 1,
                      side.letter == 'C' ? 'n' : 'k', style.first_col, style.first_col + style.cols - 1);
    }
    const bool held = is_in_registers(some.mma->atom(), side.operand);
    const auto wrong = [=, tile = *tile](const Picture& picture) {
      const std::string id(1, side.letter);
      const PanelDrawn* panel = picture.panel(id);
      if (!panel) return std::string("no panel");
      return first_of(
          wrong_panels(picture, {id}), [&] { return wrong_cells(*panel, wanted_cells(tile, style)); },
          [&] {
            return wrong_axes(
                *panel, [&](Int r) { return numbers(r + style.first_row); }, [&](Int c) { return numbers(c + style.first_col); });
          },
          [&] { return wrong_owner_colors(picture, by); },
          [&] { return held ? wrong_share(picture, "owns", tile) : missing_words(picture, "and no thread owns it"); });
    };
    return {fmt::format("tv_{}_figure({}{})", static_cast<char>(side.letter | 0x20), some.text, parameters), wrong};
  }
}

}  // namespace

TEST_CASE("an MMA's figure says of every element of A, B and C who holds it", "[pictures]") {
  Dice dice(221);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(mma_case(dice));
  hold("mma", cases);
}

TEST_CASE("the figure of one operand says of every element who holds it", "[pictures]") {
  for (const Side& side : kSides) {
    Dice dice(222 + static_cast<unsigned>(side.letter - 'A'));
    std::vector<Case> cases;
    while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(operand_case(dice, side));
    hold(fmt::format("tv_{}", static_cast<char>(side.letter | 0x20)), cases);
  }
}

TEST_CASE("who holds an element of an MMA is explained as it is drawn", "[pictures]") {
  Dice dice(226);
  std::vector<Question> questions;
  for (int i = 0; i < cases_a_kind(); ++i) {
    const SomeMma some = some_mma(dice, kMostCells);
    for (const Side& side : kSides) {
      if (const auto tile = tile_of(*some.mma, side.operand, some.extent[side.row], some.extent[side.col]))
        ask(questions, dice, some.text, std::string(1, side.letter), *tile);
    }
  }
  hold_explained("mma", questions);
}
