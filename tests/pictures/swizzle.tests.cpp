// SPDX-License-Identifier: BSD-3-Clause
// swizzle_figure: the same coordinates without the swizzle and with it, and one offset bit by bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/cells.hpp"
#include "tests/pictures/picture.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using tessera::attack::Bits;
using tessera::attack::Dice;
using tessera::attack::Plain;

namespace {

struct Swizzled {
  Bits swizzle;
  Int offset = 0;
  Plain layout;
  std::string text, labels;
  Int bits = 0;  // of an element, as it was said; 0: it was not
  bool elements = false;
  Int rows() const { return size(mode(layout, 0)); }
  Int cols() const { return size(mode(layout, 1)); }
  Int plain(Int row, Int col) const { return offset + tessera::attack::at(layout, row + rows() * col); }
  Int moved(Int row, Int col) const { return tessera::attack::at(swizzle, plain(row, col)); }
  // What a cell is: so many elements, along rows or along columns.
  Int bits_taken() const { return bits > 0 ? bits : swizzle.m <= 7 ? 128 >> swizzle.m : 32; }
};

struct Run {
  Int per = 1;
  bool across = true;
};

// As many elements as the swizzle keeps together, where they follow each other in the one mode or the other.
Run run_of(const Swizzled& of) {
  const Int kept = Int{1} << of.swizzle.m;
  for (const bool across : {true, false}) {
    bool together = !of.elements && kept > 1 && (across ? of.cols() : of.rows()) % kept == 0;
    for (Int r = 0; together && r < of.rows(); ++r) {
      for (Int c = 0; c < of.cols(); ++c) {
        const Int in = (across ? c : r) % kept, first = across ? of.moved(r, c - in) : of.moved(r - in, c);
        together = together && first % kept == 0 && of.moved(r, c) == first + in;
      }
    }
    if (together) return {kept, across};
  }
  return {};
}

// Of 8 rows of 16 bytes: how often a bank is asked for another word.
Int wavefronts(const std::vector<Int>& bytes) {
  std::array<std::set<Int>, 32> words;
  for (const Int byte : bytes) {
    for (Int k = 0; k < 4; ++k) words[static_cast<std::size_t>((byte / 4 + k) % 32)].insert(byte / 4 + k);
  }
  std::size_t most = 0;
  for (const auto& each : words) most = std::max(most, each.size());
  return static_cast<Int>(most);
}

std::string range_of_bits(Int first, Int count) {
  return count == 1 ? fmt::format("bit {}", first) : fmt::format("bits {}-{}", first, first + count - 1);
}

// The followed offset in two rows of boxes, highest bit first.
std::string wrong_bits(const Picture& picture, const Swizzled& of) {
  const std::string words = words_below(picture);
  const std::size_t said = words.find("followed: (");
  if (said == std::string::npos) return "nothing says what is followed";
  long long row = 0, col = 0, from = 0, to = 0;
  if (std::sscanf(words.c_str() + said, "followed: (%lld,%lld), from %lld to %lld", &row, &col, &from, &to) != 4)
    return "what is followed?";
  if (of.plain(row, col) != from || of.moved(row, col) != to) return fmt::format("({},{}) does not go from {} to {}", row, col, from, to);
  const PanelDrawn& bits = *picture.panel("bits");
  const Place place = place_of(bits);
  const Int reads = of.swizzle.m + std::max(of.swizzle.s, 0), flips = of.swizzle.m + std::max(-of.swizzle.s, 0);
  const auto is_read = [&](Int bit) { return bit >= reads && bit < reads + of.swizzle.b; };
  const auto is_flipped = [&](Int bit) { return bit >= flips && bit < flips + of.swizzle.b; };
  const auto count = static_cast<Int>(bits.cells.size() / 2);
  if (count < std::max(reads, flips) + of.swizzle.b) return fmt::format("{} bits are drawn", count);
  std::map<std::pair<Int, Int>, int> there;
  const auto x_of = [&](Int bit) { return place.x + place.w * static_cast<double>(count - 1 - bit); };
  double below = place.y;
  for (const CellDrawn& cell : bits.cells) below = std::max(below, cell.y);
  for (const CellDrawn& cell : bits.cells) {
    const Int bit = count - 1 - static_cast<Int>(std::lround((cell.x - place.x) / place.w));
    const bool is_below = near(cell.y, below);
    if (!near(cell.x, x_of(bit)) || (!is_below && !near(cell.y, place.y)) || ++there[{bit, is_below}] > 1)
      return fmt::format("a box of bit {} is elsewhere", bit);
    if (cell.label != (((is_below ? to : from) >> bit & 1) != 0 ? "1" : "0")) return fmt::format("bit {} is {}", bit, cell.label);
    const Int source = bit + of.swizzle.s;
    const std::string what =
        is_below
            ? (is_flipped(bit) ? fmt::format("bit {} xor bit {} of the offset", bit, source) : fmt::format("bit {} of the offset", bit))
        : is_read(bit)    ? fmt::format("bit {} of the offset, read by Sw<{},{},{}>", bit, of.swizzle.b, of.swizzle.m, of.swizzle.s)
        : is_flipped(bit) ? fmt::format("bit {} of the offset, which bit {} may flip", bit, source)
                          : fmt::format("bit {} of the offset, which stays", bit);
    if (cell.links.size() != 1 || cell.links.front().words != what) return fmt::format("bit {} says not \"{}\"", bit, what);
  }
  if (static_cast<Int>(there.size()) != 2 * count) return "a bit is not drawn";
  for (const LabelDrawn& label : bits.labels) {
    if (label.role != "axis") continue;
    const Int bit = std::atoll(label.text.c_str());
    if (!near(label.x, x_of(bit) + place.w / 2)) return fmt::format("the number {} stands beside its bit", label.text);
  }
  // From each bit that is read one arrow goes towards the bit that it flips, and one goes into that bit.
  std::size_t arrows = 0;
  for (const StrokeDrawn& arrow : bits.arrows) {
    for (Int bit = 0; bit < count; ++bit) {
      const double x = x_of(bit) + place.w / 2, from_x = x_of(bit + of.swizzle.s) + place.w / 2;
      if (!is_flipped(bit)) continue;
      if (near(arrow.x0, from_x) && near(arrow.y0, place.y + place.w) && std::abs(arrow.x1 - x) < place.w / 4) ++arrows;
      if (near(arrow.x0, x) && near(arrow.x1, x) && near(arrow.y1, below)) ++arrows;
    }
  }
  if (arrows != bits.arrows.size() || static_cast<Int>(arrows) != 2 * of.swizzle.b)
    return fmt::format("{} arrows of {} join bits", arrows, bits.arrows.size());
  return wrong_words(
      picture, {fmt::format("xors {} of an offset into {}: ", range_of_bits(reads, of.swizzle.b), range_of_bits(flips, of.swizzle.b))});
}

std::string wrong_swizzle(const Picture& picture, const Swizzled& of) {
  const Run run = run_of(of);
  const Int down = run.across ? 1 : run.per, along = run.across ? run.per : 1, bits = of.bits_taken();
  const Int all_rows = of.rows() / down, all_cols = of.cols() / along;
  // How much of it is drawn is said below.
  const std::string words = words_below(picture);
  const auto shown = [&](std::string_view what, Int all, Int step) {
    const std::size_t at = words.find(fmt::format("{} 0-", what));
    const std::size_t end = at == std::string::npos ? at : words.find(fmt::format(" of {}", all * step), at);
    const Int last = at == std::string::npos ? 0 : std::atoll(words.c_str() + at + what.size() + 3);
    const bool says = end != std::string::npos && words.substr(at, end - at) == fmt::format("{} 0-{}", what, last);
    return says ? (last + 1) / step : all;
  };
  const Int rows = shown("rows", all_rows, down), cols = shown("columns", all_cols, along);
  for (const bool swizzled : {false, true}) {
    WantedCells wanted;
    for (Int r = 0; r < rows; ++r) {
      for (Int c = 0; c < cols; ++c) {
        Link link;
        link.row = r * down, link.col = c * along;
        link.offset = swizzled ? of.moved(link.row, link.col) : of.plain(link.row, link.col);
        link.bank = link.offset * bits / 32 % 32;
        link.tensor = swizzled ? of.text : of.offset == 0 ? to_text(of.layout) : fmt::format("{} + {}", of.offset, to_text(of.layout));
        if (const std::string rest = rest_of(of.layout, 0); !rest.empty())
          link.coordinate = fmt::format("({},{},{})", link.row, link.col, rest);
        wanted[{r, c}] = {of.labels == "offset"       ? std::to_string(link.offset)
                          : of.labels == "coordinate" ? fmt::format("{},{}", link.row, link.col)
                                                      : "",
                          {link}};
      }
    }
    const PanelDrawn& panel = *picture.panel(swizzled ? "swizzled" : "plain");
    const Place place = place_of(panel);
    const std::string wrong =
        first_of({wrong_cells(panel, wanted, place),
                  wrong_axes(
                      panel, place, rows, cols, [&](Int r) { return number(r * down); }, [&](Int c) { return number(c * along); })});
    if (!wrong.empty()) return wrong;
  }
  std::vector<std::string> said;
  if (of.bits == 0) said.push_back(fmt::format("elements are taken to have {} bits", bits));
  if (run.per > 1) {
    const std::string wide = run.per * bits % 8 == 0 ? count_of(run.per * bits / 8, "byte") : count_of(run.per * bits, "bit");
    said.push_back(fmt::format("a cell is {} elements, {}, and shows the offset of the first", run.per, wide));
  }
  if (run.per * bits == 128 && (of.bits > 0 || run.per > 1) && (run.across ? rows : cols) >= 8) {
    std::vector<Int> plain, moved;
    for (Int i = 0; i < 8; ++i) {
      plain.push_back((run.across ? of.plain(i, 0) : of.plain(0, i)) * bits / 8);
      moved.push_back((run.across ? of.moved(i, 0) : of.moved(0, i)) * bits / 8);
    }
    said.push_back(fmt::format("ldmatrix of the first chunk of {} 0-7: {} plain, {} swizzled", run.across ? "rows" : "columns",
                               count_of(wavefronts(plain), "wavefront"), wavefronts(moved)));
  } else if (words.find("ldmatrix") != std::string::npos) {
    return "ldmatrix reads no such rows";
  }
  return first_of({wrong_bits(picture, of), wrong_words(picture, said)});
}

Swizzled some_swizzled(Dice& dice) {
  for (;;) {
    Swizzled of;
    of.swizzle = tessera::attack::some_swizzle(dice);
    const Int rows = dice.of({2, 4, 8, 8, 16, 32}), cols = dice.of({2, 4, 8, 16, 32, 64});
    if (rows * cols > 1024) continue;
    of.layout = dice.one_in(2)   ? Plain{std::vector<tessera::attack::Tree>{rows, cols}, std::vector<tessera::attack::Tree>{cols, 1}}
                : dice.one_in(2) ? Plain{std::vector<tessera::attack::Tree>{rows, cols}, std::vector<tessera::attack::Tree>{1, rows}}
                                 : tessera::attack::some_layout(dice);
    if (rank(of.layout) == 2 && dice.one_in(4)) {  // further modes, of which the first coordinate is drawn
      const Plain more = tessera::attack::beside({Plain{2, rows * cols}, Plain{2, 2 * rows * cols}});
      of.layout = tessera::attack::beside({mode(of.layout, 0), mode(of.layout, 1), more});
    }
    if (rank(of.layout) < 2 || size(of.layout) > 4096) continue;
    of.offset = dice.one_in(3) ? dice.of({1, 5, 8, 16, 64, 100}) : 0;
    of.bits = dice.of({0, 0, 4, 6, 8, 16, 16, 32, 64, 128});
    of.labels = std::vector<std::string>{"offset", "offset", "coordinate", "none"}[static_cast<std::size_t>(dice.up_to(3))];
    of.elements = dice.one_in(3);
    of.text = fmt::format("Sw<{},{},{}> o {} o {}", of.swizzle.b, of.swizzle.m, of.swizzle.s, of.offset, to_text(of.layout));
    // It is drawn where it moves something that is drawn.
    bool moves = false;
    const Run run = run_of(of);
    for (Int r = 0; r < std::min<Int>(8, of.rows()); r += run.across ? 1 : run.per) {
      for (Int c = 0; c < std::min<Int>(16, of.cols()); c += run.across ? run.per : 1) moves = moves || of.moved(r, c) != of.plain(r, c);
    }
    if (moves) return of;
  }
}

}  // namespace

TEST_CASE("a swizzle's picture says of every cell its offset without the swizzle and with it", "[pictures]") {
  Dice dice(212);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Swizzled of = some_swizzled(dice);
    std::string figure = fmt::format("swizzle_figure({}, labels={}", of.text, of.labels);
    if (of.bits > 0) figure += fmt::format(", bits={}", of.bits);
    if (of.elements) figure += ", cells=element";
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_swizzle(picture, of); }});
  }
  hold("swizzle", cases);
}
