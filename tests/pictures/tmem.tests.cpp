// SPDX-License-Identifier: BSD-3-Clause
// tmem_figure: which element of C lies in which lane and column of tensor memory, and which register of a load receives it. The lanes are
// those of the PTX ISA's data paths: all 128 for M = 128 of one CTA, 16 of each 32 for M = 64, and for M = 128 of two CTAs both halves.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Dice;

namespace {

constexpr Int kLanes = 128;

struct Accumulator {
  std::string atom, load, labels, color;  // load: "32dp32b8x"; empty: none
  Int m = 128, n = 64, ctas = 1, cta = 0;
  Int load_lanes = 32, load_columns = 8;
  bool by_element = false;
  std::pair<Int, Int> at = {-1, -1};  // -1: nothing is asked
  Int used() const { return ctas == 2 && m == 128 ? n / 2 : n; }
  Int allocated() const { return std::max<Int>(32, static_cast<Int>(std::bit_ceil(static_cast<std::uint64_t>(used())))); }
  // The element in a lane and column; rows are -1 where there is none.
  std::pair<Int, Int> lying(Int lane, Int column) const {
    if (column >= used()) return {-1, -1};
    if (ctas == 1 && m == 128) return {lane, column};
    if (ctas == 1) return lane % 32 < 16 ? std::pair{lane % 32 + lane / 32 * 16, column} : std::pair<Int, Int>{-1, -1};
    if (m == 256) return {lane + 128 * cta, column};
    return {lane % 64 + 64 * cta, column + lane / 64 * (n / 2)};
  }
  std::pair<Int, Int> place() const {  // lane, column
    if (at.first < 0) return {0, 0};
    for (Int lane = 0; lane < kLanes; ++lane) {
      for (Int column = 0; column < used(); ++column) {
        if (lying(lane, column) == at) return {lane, column};
      }
    }
    return {0, 0};
  }
  std::string letters() const { return labels != "auto" ? labels : by_element ? "none" : load.empty() ? "coordinate" : "register"; }
};

// Which thread of a warp receives a lane and column of one load, and in which register: shapes of the PTX ISA's tcgen05.ld.
std::pair<Int, Int> register_of(const Accumulator& of, Int lane, Int column) {
  if (lane >= of.load_lanes || column >= of.load_columns) return {-1, -1};
  if (of.load.starts_with("32dp32b")) return {lane, column};
  if (of.load.starts_with("16dp256b")) return {lane % 8 * 4 + column % 8 / 2, column % 2 + lane / 8 * 2 + column / 8 * 4};
  return {lane % 8 * 4 + column % 4, lane / 8 + column / 4 * 2};  // 16dp128b
}

std::string range(Int first, Int last) { return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last); }

std::string wrong_map(const Picture& picture, const Accumulator& of) {
  const PanelDrawn& panel = *picture.panel("map");
  const Place place = place_of(panel);
  double right = place.x;
  for (const CellDrawn& cell : panel.cells) right = std::max(right, cell.x + cell.w);
  const Int blocks = static_cast<Int>((right - place.x) / place.w + 0.5), columns = of.used() / blocks;
  if (blocks * columns != of.used()) return fmt::format("{} blocks of {} columns", blocks, of.used());
  WantedCells wanted;
  for (Int r = 0; r < kLanes / 8; ++r) {
    for (Int c = 0; c < blocks; ++c) {
      std::set<Int> ms, ns;
      Int count = 0;
      for (Int i = 0; i < 8 * columns; ++i) {
        const auto [m, n] = of.lying(r * 8 + i % 8, c * columns + i / 8);
        if (m < 0) continue;
        ms.insert(m), ns.insert(n), ++count;
      }
      if (static_cast<Int>(ms.size() * ns.size()) != count) return "a block has a part of its rows and columns only";
      Link link;
      const std::string where = fmt::format("lanes {}, columns {}: ", range(r * 8, r * 8 + 7), range(c * columns, (c + 1) * columns - 1));
      const std::string rows = count > 0 ? range(*ms.begin(), *ms.rbegin()) : "", cols = count > 0 ? range(*ns.begin(), *ns.rbegin()) : "";
      const std::string what = count > 0 ? fmt::format("C rows {}, columns {}", rows, cols) : "no element of C";
      link.words = fmt::format("{}{}; warp {} reaches them", where, what, r / 4);
      wanted[{r, c}] = {count > 0 ? fmt::format("m {}\nn {}", rows, cols) : "", {link}};
    }
  }
  return first_of({wrong_cells(panel, wanted, place), wrong_axes(
                                                          panel, place, kLanes / 8, blocks, [](Int r) { return std::to_string(r * 8); },
                                                          [&](Int c) { return std::to_string(c * columns); })});
}

std::string wrong_opened(const Picture& picture, const Accumulator& of) {
  const PanelDrawn& panel = *picture.panel("opened");
  const bool registers = of.letters() == "register";
  const auto [at_lane, at_column] = of.place();
  Int lanes = kLanes, columns = of.allocated(), lane = 0, column = 0;
  if (!of.by_element) {
    lanes = registers ? of.load_lanes : 16;
    columns = std::min(of.allocated(), registers ? std::min<Int>(16, of.load_columns) : 8);
    const Int step = std::min(of.allocated(), registers ? of.load_columns : 8);
    lane = at_lane / lanes * lanes, column = std::min(at_column / step * step, of.allocated() - columns);
  }
  WantedCells wanted;
  std::vector<std::pair<Int, std::string>> colors;
  for (Int r = 0; r < lanes; ++r) {
    for (Int c = 0; c < columns; ++c) {
      Link link;
      std::tie(link.row, link.col) = of.lying(lane + r, column + c);
      link.offset = (lane + r) << 16 | (column + c), link.tensor = "tensor memory";
      const auto [thread, value] = registers ? register_of(of, r, c) : std::pair<Int, Int>{-1, -1};
      if (thread >= 0) link.thread = lane / 32 * 32 + thread, link.value = value;
      const std::string label = registers ? (thread >= 0 ? fmt::format("T{}\nr{}", link.thread, value) : "")
                                : of.letters() == "coordinate" && link.row >= 0 ? fmt::format("{},{}", link.row, link.col)
                                                                                : "";
      wanted[{r, c}] = {label, {link}};
    }
  }
  if (of.by_element && of.color != "none") {
    for (const CellDrawn& cell : panel.cells) {
      const Link& link = cell.links.front();
      const Int hue = of.color == "m" ? link.row / 16 : of.color == "n" ? link.col / 32 : of.color == "warp" ? (link.offset >> 16) / 32 : 0;
      if (link.row >= 0) colors.emplace_back(hue, cell.fill);
    }
  }
  const Place place = place_of(panel);
  return first_of({wrong_cells(panel, wanted, place), wrong_colors(picture, colors),
                   wrong_axes(
                       panel, place, lanes, columns, [&](Int r) { return std::to_string(lane + r); },
                       [&](Int c) { return std::to_string(column + c); })});
}

std::string wrong_accumulator(const Picture& picture, const Accumulator& of) {
  std::vector<std::string> words{fmt::format("in {} of 512 columns; {} are allocated", of.used(), of.allocated())};
  if (of.ctas == 2)
    words.push_back(fmt::format("CTA {} of a pair has half of C {} × {}, rows {}-{}", of.cta, of.m, of.n, of.cta * of.m / 2,
                                (of.cta + 1) * of.m / 2 - 1));
  if (of.ctas == 1 && of.m == 64) words.emplace_back("C is in 64 of the 128 lanes");
  if (of.at.first >= 0 && !of.by_element) {
    const auto [lane, column] = of.place();
    const bool shown = of.letters() != "register" || (column % of.load_columns < 16);
    if (shown) words.push_back(fmt::format("C({},{}) lies in lane {}, column {}", of.at.first, of.at.second, lane, column));
  }
  if (of.letters() == "register" && !of.by_element) {
    // The warp whose lanes are opened needs so many loads for what it reaches.
    const Int first = of.place().first / 32 * 32;
    std::set<std::pair<Int, Int>> loads;
    for (Int lane = 0; lane < 32; ++lane) {
      for (Int column = 0; column < of.used(); ++column) {
        if (of.lying(first + lane, column).first >= 0) loads.insert({lane / of.load_lanes, column / of.load_columns});
      }
    }
    words.push_back(fmt::format("warp {} reads its part of C in {}", first / 32, count_of(static_cast<Int>(loads.size()), "load")));
  }
  // A swatch of a number is of that many rows, columns or warps.
  return first_of({of.by_element ? "" : wrong_map(picture, of), wrong_opened(picture, of), wrong_words(picture, words)});
}

Accumulator some_accumulator(Dice& dice) {
  for (;;) {
    Accumulator of;
    of.ctas = dice.of({1, 1, 2});
    of.m = of.ctas == 1 ? dice.of({64, 128}) : dice.of({128, 256});
    of.n = dice.of({16, 32, 48, 64, 96, 128, 192, 256});
    if (of.n % (of.ctas == 2 || of.m == 128 ? 16 : 8) != 0 || (of.m == 256 && of.n % 32 != 0)) continue;
    if (of.ctas == 2 && of.n % 32 != 0) continue;
    of.cta = of.ctas == 2 ? dice.up_to(1) : 0;
    const std::string type = dice.one_in(3) ? "half_t" : "float";
    of.atom = fmt::format("SM100_MMA_F16BF16_{}SS<half_t,half_t,{},{},{},K,K>", of.ctas == 2 ? "2x1SM_" : "", type, of.m, of.n);
    of.by_element = of.n <= 48 && dice.one_in(3);
    if (!of.by_element && dice.one_in(2)) {
      const Int times = dice.of({1, 2, 4, 8});
      const Int shape = dice.up_to(2);
      of.load = shape == 0   ? fmt::format("32dp32b{}x", times)
                : shape == 1 ? fmt::format("16dp256b{}x", times)
                             : fmt::format("16dp128b{}x", times);
      of.load_lanes = shape == 0 ? 32 : 16, of.load_columns = times * (shape == 0 ? 1 : shape == 1 ? 8 : 4);
      if (of.used() % of.load_columns != 0) continue;
    }
    of.labels = dice.one_in(2) ? "auto" : dice.one_in(2) ? "coordinate" : of.load.empty() ? "none" : "register";
    of.color = std::vector<std::string>{"m", "n", "warp", "none"}[static_cast<std::size_t>(dice.up_to(3))];
    if (dice.one_in(2)) {
      do of.at = {dice.up_to(of.m - 1), dice.up_to(of.n - 1)};
      while (of.ctas == 2 && of.at.first / (of.m / 2) != of.cta);
    }
    return of;
  }
}

}  // namespace

TEST_CASE("a picture of tensor memory has every element in its lane and column, and in its register", "[pictures]") {
  Dice dice(221);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Accumulator of = some_accumulator(dice);
    std::string figure = fmt::format("tmem_figure({}", of.atom);
    if (!of.load.empty()) figure += fmt::format(", SM100_TMEM_LOAD_{}", of.load);
    figure += fmt::format(", labels={}, color={}", of.labels, of.color);
    if (of.by_element) figure += ", cells=element";
    if (of.ctas == 2) figure += fmt::format(", cta={}", of.cta);
    if (of.at.first >= 0) figure += fmt::format(", at=\"({},{})\"", of.at.first, of.at.second);
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_accumulator(picture, of); }});
  }
  hold("tmem", cases);
}
