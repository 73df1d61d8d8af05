// SPDX-License-Identifier: BSD-3-Clause
// bit_matrix_figure: which bits of a coordinate flip which bits of its offset.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Function;
using tessera::attack::Plain;
using tessera::attack::Tree;

namespace {

struct Matrix {
  std::string text, named;                         // named: behind the layout, "" or ", modes=..."
  std::vector<std::pair<std::string, int>> modes;  // what their bits are called, and how many there are
  std::vector<Int> columns;                        // the offset of each bit of the coordinate
};

int bits_of(Int n) { return std::countr_zero(static_cast<std::uint64_t>(n)); }

int rank_of(std::vector<Int> columns) {
  int rank = 0;
  for (int bit = 62; bit >= 0; --bit) {
    const auto pivot = std::find_if(columns.begin(), columns.end(), [&](Int v) { return (v >> bit & 1) != 0; });
    if (pivot == columns.end()) continue;
    const Int value = *pivot;
    columns.erase(pivot);
    for (Int& v : columns) v ^= (v >> bit & 1) != 0 ? value : 0;
    ++rank;
  }
  return rank;
}

std::string wrong_matrix(const Picture& picture, const Matrix& of) {
  Int all = 0;
  for (const Int column : of.columns) all |= column;
  const Int rows = std::max<Int>(1, std::bit_width(static_cast<std::uint64_t>(all))), cols = static_cast<Int>(of.columns.size());
  std::vector<std::string> names;
  std::vector<std::string> words;
  for (const auto& [name, count] : of.modes) {
    for (int bit = 0; bit < count; ++bit) names.push_back(fmt::format("{}{}", name, bit));
    const std::string what = name == "t" ? " the thread" : name == "v" ? " the value" : "";
    if (count > 1) words.push_back(fmt::format("{}0-{}{}: bits of{}", name, name, count - 1, what));
    if (count == 1) words.push_back(fmt::format("{}0: bit of{}", name, what));
  }
  WantedCells wanted;
  std::vector<Int> summed;
  for (Int r = 0; r < rows; ++r) {
    std::vector<std::string> taps;
    for (Int c = 0; c < cols; ++c) {
      Link link;
      link.row = rows - 1 - r, link.col = c;
      const bool one = (of.columns[static_cast<std::size_t>(c)] >> link.row & 1) != 0;
      wanted[{r, c}] = {one ? "1" : "", {link}};
      if (one) taps.push_back(names[static_cast<std::size_t>(c)]);
    }
    if (taps.size() < 2) continue;
    summed.push_back(r);
    if (summed.size() <= 6) words.push_back(fmt::format("o{} = {}", rows - 1 - r, fmt::join(taps, " ⊕ ")));
  }
  const int rank = rank_of(of.columns);
  words.push_back(rank == cols ? fmt::format("rank {}, no two coordinates share an offset", rank)
                               : fmt::format("rank {} of {}", rank, cols));
  if (rank < cols) words.push_back(fmt::format("{} coordinates have the same offset as coordinate 0", (Int{1} << (cols - rank)) - 1));
  const PanelDrawn& panel = *picture.panel("matrix");
  const Place place = place_of(panel);
  // Ones are as many colours as there are modes.
  std::vector<std::pair<Int, std::string>> colors;
  for (const CellDrawn& cell : panel.cells) {
    Int mode = 0;
    for (Int first = of.modes[0].second; cell.links.front().col >= first;) first += of.modes[static_cast<std::size_t>(++mode)].second;
    if (cell.label == "1") colors.emplace_back(mode, cell.fill);
  }
  // A sign behind each row with a sum.
  std::vector<Int> signs;
  for (const LabelDrawn& label : panel.labels) {
    if (label.text == "⊕") signs.push_back(static_cast<Int>(label.y - place.y));
  }
  std::sort(signs.begin(), signs.end());
  if (signs != summed) return fmt::format("sums are in rows {}, and signs in {}", fmt::join(summed, ","), fmt::join(signs, ","));
  return first_of({wrong_cells(panel, wanted, place),
                   wrong_axes(
                       panel, place, rows, cols, [&](Int r) { return fmt::format("o{}", rows - 1 - r); },
                       [&](Int c) { return names[static_cast<std::size_t>(c)]; }),
                   wrong_words(picture, words), wrong_colors(picture, colors)});
}

// Modes of powers of two, each bit of a coordinate onto a bit of its own, or onto none or a shared one.
Plain linear_layout(Dice& dice, std::size_t modes) {
  std::vector<Int> free;  // bits that are left
  for (Int k = 0; k < 9; ++k) free.push_back(k);
  std::vector<Plain> parts;
  for (std::size_t k = 0; k < modes; ++k) {
    std::vector<Plain> leaves;
    for (Int leaf = dice.between(1, 2); leaf > 0; --leaf) {
      const Int bits = dice.up_to(2), at = dice.up_to(8);
      bool fits = bits > 0;
      for (Int bit = at; bit < at + bits; ++bit) fits = fits && std::find(free.begin(), free.end(), bit) != free.end();
      for (Int bit = at; fits && bit < at + bits; ++bit) std::erase(free, bit);
      leaves.push_back({Int{1} << bits, fits ? Int{1} << at : Int{0}});
    }
    parts.push_back(leaves.size() == 1 ? leaves[0] : tessera::attack::beside(leaves));
  }
  return parts.size() == 1 ? parts[0] : tessera::attack::beside(parts);
}

// Which thread and which value have an element: bits of these, not of rows and columns.
Matrix some_owners(Dice& dice) {
  const std::vector<std::string> atoms{"SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT",
                                       "SM90_64x64x16_F32F16F16_SS"};
  for (;;) {
    Matrix of;
    of.text = fmt::format("get_layout{}_TV(make_tiled_mma({}))", dice.of(std::vector<std::string>{"A", "B", "C"}), dice.of(atoms));
    const tessera::attack::Answer answer = tessera::attack::ask(of.text);
    const auto function = tessera::attack::read_function(answer.text);
    if (answer.refused || !function) continue;
    const Plain& layout = std::get<Plain>(function->inner);
    for (Int i = 1; i < size(layout); i *= 2) of.columns.push_back(tessera::attack::at(layout, i));
    of.modes = {{"t", bits_of(size(mode(layout, 0)))}, {"v", bits_of(size(mode(layout, 1)))}};
    return of;
  }
}

Matrix some_matrix(Dice& dice) {
  if (dice.one_in(6)) return some_owners(dice);
  for (;;) {
    const Plain layout = linear_layout(dice, static_cast<std::size_t>(dice.between(1, 4)));
    const Function function =
        dice.one_in(2) ? tessera::attack::swizzled(tessera::attack::some_swizzle(dice), 0, layout) : tessera::attack::plain(layout);
    if (size(layout) < 2) continue;
    Matrix of;
    of.text = to_text(function);
    for (Int i = 1; i < size(layout); i *= 2) of.columns.push_back(tessera::attack::at(function, i));
    const std::size_t modes = layout.shape.tuple ? rank(layout) : 1;
    for (std::size_t k = 0; k < modes; ++k) {
      const std::string name = modes == 1 ? "i" : k == 0 ? "m" : k == 1 ? "n" : modes == 3 ? "k" : fmt::format("k{}", k - 2);
      of.modes.emplace_back(name, bits_of(modes == 1 ? size(layout) : size(mode(layout, k))));
    }
    if (modes == 2 && dice.one_in(3)) {
      of.named = ", modes=\"val,thread\"";
      of.modes[0].first = "v", of.modes[1].first = "t";
    }
    return of;
  }
}

}  // namespace

TEST_CASE("a picture of a bit matrix has a one where a bit of the coordinate flips one of the offset", "[pictures]") {
  Dice dice(214);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Matrix of = some_matrix(dice);
    cases.push_back(
        {fmt::format("bit_matrix_figure({}{})", of.text, of.named), [of](const Picture& picture) { return wrong_matrix(picture, of); }});
  }
  hold("bit_matrix", cases);
}
