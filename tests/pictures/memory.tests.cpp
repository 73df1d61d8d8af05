// SPDX-License-Identifier: BSD-3-Clause
// memory_figure: each cell is an address, and says which coordinates a layout puts there.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;
using tessera::attack::Function;
using tessera::attack::Plain;

namespace {

struct Memory {
  Plain layout;
  Function function;
  std::string text;
  Int wrap = 32, bits = 0;  // 0: not known
  std::string labels, color;
};

// Row, column and, beyond the second mode, the whole coordinate.
Link link_of(const Memory& memory, Int index, Int address) {
  Link link;
  link.offset = address < 0 ? -1 : address;
  link.bank = memory.bits > 0 && address >= 0 ? address * memory.bits / 32 % 32 : -1;
  link.tensor = memory.text;
  if (index < 0) return link;
  const bool matrix = rank(memory.layout) > 1;
  const Int rows = matrix ? size(mode(memory.layout, 0)) : size(memory.layout), cols = matrix ? size(mode(memory.layout, 1)) : 1;
  link.row = index % rows, link.col = index / rows % cols;
  if (rank(memory.layout) > 2) link.coordinate = fmt::format("({},{},{})", link.row, link.col, rest_of(memory.layout, index / rows / cols));
  return link;
}

std::string label_of(const Memory& memory, const std::vector<Int>& indices, Int address) {
  if (memory.labels == "none") return "";
  std::string text = memory.labels == "offset" ? std::to_string(address) : "";
  if (indices.empty()) return text;
  if (text.empty()) {
    const Link link = link_of(memory, indices.front(), address);
    text = memory.labels == "index" || rank(memory.layout) < 2 ? std::to_string(indices.front()) : fmt::format("{},{}", link.row, link.col);
    if (memory.labels == "coordinate" && !link.coordinate.empty()) text = link.coordinate.substr(1, link.coordinate.size() - 2);
  }
  return indices.size() > 1 ? fmt::format("{}\n+{}", text, indices.size() - 1) : text;
}

std::string wrong_in_memory(const Picture& picture, const Memory& memory) {
  std::map<Int, std::vector<Int>> at;  // coordinates by their address
  const Int all = size(memory.layout);
  for (Int i = 0; i < all; ++i) at[tessera::attack::at(memory.function, i)].push_back(i);
  const Int least = at.begin()->first, most = at.rbegin()->first;
  const Int first = least >= 0 ? least / memory.wrap * memory.wrap : least;
  WantedCells wanted;
  Int shared = 0;
  for (Int address = least; address <= most; ++address) {
    const auto here = at.find(address);
    const std::vector<Int> indices = here == at.end() ? std::vector<Int>() : here->second;
    shared += indices.size() > 1 ? 1 : 0;
    Wanted cell{label_of(memory, indices, address), {}};
    for (const Int index : indices) cell.links.push_back(link_of(memory, index, address));
    if (indices.empty()) cell.links.push_back(link_of(memory, -1, address));
    wanted[{(address - first) / memory.wrap, (address - first) % memory.wrap}] = cell;
  }
  const PanelDrawn& panel = *picture.panel("memory");
  const Place place{0, 0, place_of(panel).w};
  const Int addresses = most - least + 1, unused = addresses - static_cast<Int>(at.size());
  std::vector<std::string> words{
      fmt::format("{} lays {} over {}{}", memory.text, count_of(all, "element"), addresses, addresses == 1 ? " address" : " addresses")};
  if (unused > 0) words.push_back(fmt::format("{} of them unused", unused));
  if (shared > 0) words.push_back(fmt::format("{} with several elements", shared));
  if (unused > 0) words.emplace_back("grey: no element lies there");
  if (shared > 0 && memory.labels != "none") words.emplace_back("+1: so many more elements have the same address");
  if (memory.wrap * memory.bits == 1024) words.emplace_back("each line is 128 bytes, one row of the 32 banks of shared memory");
  std::vector<std::pair<Int, std::string>> colors;
  for (const CellDrawn& cell : panel.cells) {
    const Link& link = cell.links.front();
    const Int of = memory.color == "row" ? link.row : memory.color == "col" ? link.col : memory.color == "bank" ? link.bank : -1;
    if (of >= 0 && link.row >= 0) colors.emplace_back(of, cell.fill);
  }
  return first_of({wrong_cells(panel, wanted, place),
                   wrong_axes(
                       panel, place, (most - first) / memory.wrap + 1, memory.wrap,
                       [&](Int line) { return number(first + line * memory.wrap); }, number),
                   wrong_words(picture, words), wrong_colors(picture, colors)});
}

Memory some_memory(Dice& dice) {
  for (;;) {
    Memory memory;
    memory.layout =
        dice.one_in(3) ? tessera::attack::some_layout(dice) : tessera::attack::wild_layout(dice, 4, tessera::attack::Signs::any);
    memory.function = tessera::attack::plain(memory.layout);
    const std::vector<Int> image = tessera::attack::image(memory.layout);
    const Int least = *std::min_element(image.begin(), image.end());
    if (dice.one_in(3))
      memory.function =
          tessera::attack::swizzled(tessera::attack::some_swizzle(dice), std::max(Int{0}, -least) + dice.up_to(9), memory.layout);
    const std::vector<Int> places = tessera::attack::image(memory.function);
    const auto [low, high] = std::minmax_element(places.begin(), places.end());
    if (size(memory.layout) > 300 || *high - *low > 600) continue;
    memory.text = to_text(memory.function);
    memory.bits = dice.of({0, 4, 6, 8, 16, 32, 64, 128});
    memory.labels = std::vector<std::string>{"coordinate", "index", "offset", "none"}[static_cast<std::size_t>(dice.up_to(3))];
    memory.color = std::vector<std::string>{"row", "col", "index", "none"}[static_cast<std::size_t>(dice.up_to(3))];
    if (memory.bits > 0 && dice.one_in(3)) memory.color = "bank";
    return memory;
  }
}

}  // namespace

TEST_CASE("a picture of memory says of every address which coordinates lie there", "[pictures]") {
  Dice dice(211);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    Memory memory = some_memory(dice);
    std::string figure = fmt::format("memory_figure({}, labels={}, color={}", memory.text, memory.labels, memory.color);
    if (memory.bits > 0) figure += fmt::format(", bits={}", memory.bits);
    const bool row_of_banks = memory.bits >= 16 && dice.one_in(2);
    memory.wrap = row_of_banks ? 1024 / memory.bits : dice.of({1, 5, 8, 16, 32, 48, 64});
    if (!row_of_banks) figure += fmt::format(", wrap={}", memory.wrap);
    cases.push_back({figure + ")", [memory](const Picture& picture) { return wrong_in_memory(picture, memory); }});
  }
  hold("memory", cases);
}
