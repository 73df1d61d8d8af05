// SPDX-License-Identifier: BSD-3-Clause
// smem_operand_figure: 16 bytes a cell, at the address that the tile's layout has, and the steps, slices and fields of its descriptor.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

namespace {

struct Operand {
  std::string mma, letter, mode, labels, color, layout, text;  // mode: "M" or "N"; layout: as it is written, text: as it is printed
  Function function;
  Int bits = 16, block = 64, k_of_one = 16;  // of one instruction: its M or N, and its K
  Int mn = 64, k = 64, rows = 0;             // of the tile; rows that are asked for, 0: none
  Int span = 128;                            // bytes that are swizzled together; 16: no swizzle
  bool k_major = true, umma = false;
  Int per() const { return 128 / bits; }
  Int offset(Int m, Int kk) const { return tessera::attack::at(function, m + mn * kk); }
  Int byte(Int m, Int kk) const { return offset(m, kk) * bits / 8; }
};

std::string wrong_tile(const Picture& picture, const Operand& of) {
  const Int all_rows = of.k_major ? of.mn : of.k, cols = (of.k_major ? of.k : of.mn) / of.per();
  const Int rows = std::min(all_rows, of.rows > 0 ? of.rows / 8 * 8 : of.k_major ? 16 : 2 * of.k_of_one);
  WantedCells wanted;
  std::vector<std::pair<Int, std::string>> colors;
  const PanelDrawn& panel = *picture.panel("tile");
  for (Int r = 0; r < rows; ++r) {
    for (Int c = 0; c < cols; ++c) {
      Link link;
      link.row = of.k_major ? r : c * of.per(), link.col = of.k_major ? c * of.per() : r;
      link.offset = of.offset(link.row, link.col), link.bank = link.offset * of.bits / 32 % 32, link.tensor = of.text;
      const std::string label = of.labels == "unit"         ? std::to_string(link.offset * of.bits / 128)
                                : of.labels == "offset"     ? std::to_string(link.offset)
                                : of.labels == "coordinate" ? fmt::format("{},{}", link.row, link.col)
                                                            : "";
      wanted[{r, c}] = {label, {link}};
    }
  }
  for (const CellDrawn& cell : panel.cells) {
    const Link& link = cell.links.front();
    if (of.color == "chunk") colors.emplace_back(link.offset * of.bits / 128 % 8, cell.fill);
    if (of.color == "slice") colors.emplace_back(link.col / of.k_of_one, cell.fill);
  }
  const Place place = place_of(panel);
  PanelDrawn numbers = panel;  // "to 63" stands below the last row that is drawn
  std::erase_if(numbers.labels, [](const LabelDrawn& label) { return label.text.starts_with("to "); });
  const std::string wrong = first_of({wrong_cells(panel, wanted, place), wrong_colors(picture, colors),
                                      wrong_axes(numbers, place, rows, cols, number, [&](Int c) { return std::to_string(c * of.per()); })});
  if (!wrong.empty()) return wrong;
  const bool torn = std::any_of(panel.labels.begin(), panel.labels.end(),
                                [&](const LabelDrawn& label) { return label.text == fmt::format("to {}", all_rows - 1); });
  if (torn != (rows < all_rows)) return "where the tile goes on is said wrongly";
  // Steps: from the first element to the one that a field of the descriptor says, and what it is told.
  for (const StrokeDrawn& arrow : panel.arrows) {
    long long m = 0, k = 0, bytes = 0;
    const std::string& words = arrow.links.front().words;
    if (std::sscanf(words.c_str() + 3, ": element (%lld,%lld) begins %lld bytes", &m, &k, &bytes) != 3) return "an arrow says " + words;
    if (of.byte(m, k) - of.byte(0, 0) != bytes) return words + fmt::format(", and lies {} behind", of.byte(m, k));
    const Int down = of.k_major ? m : k, right = (of.k_major ? k : m) / of.per();
    const bool fits =
        down > 0 ? near(arrow.y0, place.y) && near(arrow.y1, place.y + static_cast<double>(down)) && near(arrow.x0, arrow.x1)
                 : near(arrow.x0, place.x) && near(arrow.x1, place.x + place.w * static_cast<double>(right)) && near(arrow.y0, arrow.y1);
    if (!fits || (down > 0 && right > 0)) return "an arrow does not reach its element: " + words;
    const auto says = [&](const std::string& text) {
      return std::any_of(panel.labels.begin(), panel.labels.end(), [&](const LabelDrawn& label) { return label.text.starts_with(text); });
    };
    if (!says(fmt::format("{} {} B", words.substr(0, 3), bytes))) return "no label says " + words.substr(0, 3);
    if (of.labels == "unit" && !says(fmt::format("from number {} to {}", of.byte(0, 0) / 16, of.byte(m, k) / 16)))
      return "numbers of a step are wrong";
  }
  // Blocks that one instruction after the other takes: slices of K and blocks of M or N, each over or beside its own cells.
  for (const LabelDrawn& label : panel.labels) {
    const bool slice = label.text.starts_with("slice "), block = label.text.starts_with("block ");
    if (!slice && !block) continue;
    const Int i = std::atoll(label.text.c_str() + 6), first = slice ? i * of.k_of_one : i * of.block;
    const Int bytes = slice ? of.byte(0, first) : of.byte(first, 0);
    if (label.text != (slice ? fmt::format("slice {}: +{} B", i, bytes) : fmt::format("block {} of {}: +{} B", i, of.mode, bytes)))
      return "a block is called " + label.text;
    const bool across = slice == of.k_major;
    const double size = across ? place.w * static_cast<double>(slice ? of.k_of_one : of.block) / static_cast<double>(of.per())
                               : static_cast<double>(slice ? of.k_of_one : of.block);
    const double middle = across ? (label.x - place.x) / size - 0.5 : (label.y - place.y) / size - 0.5;
    if (across && !near(middle, static_cast<double>(i))) return label.text + " stands over another block";
    if (!across && (middle < static_cast<double>(i) - 0.501 || middle > static_cast<double>(i) + 0.501))
      return label.text + " stands beside another block";
  }
  return "";
}

// The descriptor's bits, and each field in its box.
std::string wrong_descriptor(const Picture& picture, const Operand& of) {
  const PanelDrawn& panel = *picture.panel("descriptor");
  const auto heading = std::find_if(panel.labels.begin(), panel.labels.end(),
                                    [](const LabelDrawn& label) { return label.text.starts_with("descriptor 0x"); });
  if (heading == panel.labels.end()) return "no descriptor is said";
  const std::uint64_t word = std::strtoull(heading->text.c_str() + 11, nullptr, 16);
  const auto bits = [&](int first, int last) { return static_cast<Int>(word >> first & ((std::uint64_t{1} << (last - first + 1)) - 1)); };
  const Int type = of.umma ? bits(61, 63) : bits(62, 63);
  const Int wanted_type = of.span == 16    ? 0
                          : of.umma        ? (of.span == 128  ? 2
                                              : of.span == 64 ? 4
                                                              : 6)
                          : of.span == 128 ? 1
                          : of.span == 64  ? 2
                                           : 3;
  if (type != wanted_type || bits(0, 13) != 0) return fmt::format("the descriptor has layout type {} and start {}", type, bits(0, 13));
  // Canonical layouts of the PTX ISA, by the addresses of elements: rows of `span` bytes, 8 of them a swizzle's pattern.
  const Int run = of.span * 8 / of.bits;
  Int leading = -1, stride = -1;
  if (of.k_major) {
    stride = of.block > 8 ? of.byte(8, 0) : -1;
    if (of.span == 16) leading = of.byte(0, of.per());
  } else if (of.span == 16) {
    stride = of.block > of.per() ? of.byte(of.per(), 0) : -1, leading = of.k_of_one > 8 ? of.byte(0, 8) : -1;
  } else {
    leading = of.block > run ? of.byte(run, 0) : -1, stride = of.k_of_one > 8 ? of.byte(0, 8) : -1;
  }
  if (leading >= 0 && bits(16, 29) * 16 != leading) return fmt::format("LBO is {} and should be {}", bits(16, 29) * 16, leading);
  if (stride >= 0 && bits(32, 45) * 16 != stride) return fmt::format("SBO is {} and should be {}", bits(32, 45) * 16, stride);
  std::size_t fields = 0;
  double last = -1;
  int below = 64;
  for (const CellDrawn& cell : panel.cells) {
    int first_bit = 0, last_bit = 0;
    long long value = 0;
    const std::string words = cell.links.empty() ? "" : cell.links.front().words;
    const std::size_t at = words.find(", bits ");
    if (at == std::string::npos || std::sscanf(words.c_str() + at, ", bits %d-%d: %lld", &first_bit, &last_bit, &value) != 3)
      return "a field says " + words;
    if (bits(first_bit, last_bit) != value || cell.label != std::to_string(value)) return fmt::format("{} says \"{}\"", words, cell.label);
    const std::string name = words.substr(0, at), layout = of.span == 16 ? (of.umma ? "SWIZZLE_NONE" : "INTERLEAVE")
                                                           : of.umma     ? fmt::format("SWIZZLE_{}B", of.span)
                                                                         : fmt::format("B{}", of.span);
    const std::string means = name == "layout_type"     ? layout
                              : name == "start_address" ? fmt::format("{} bytes behind the tile's address", value * 16)
                              : name == "base_offset" ? fmt::format("of a tile at a multiple of {} bytes", of.span == 16 ? 16 : of.span * 8)
                              : name == "version"     ? "Blackwell"
                              : name == "lbo_mode"    ? "relative"
                                                      : fmt::format("{} bytes", value * 16);
    if (words != fmt::format("{}, bits {}-{}: {}, {}", name, first_bit, last_bit, value, means)) return words + " means " + means;
    if (cell.x <= last || last_bit >= below) return words + " stands elsewhere";
    last = cell.x, below = first_bit;
    const std::string range = first_bit == last_bit ? fmt::format("bit {}", first_bit) : fmt::format("{}-{}", last_bit, first_bit);
    const bool numbered = std::any_of(panel.labels.begin(), panel.labels.end(),
                                      [&](const LabelDrawn& label) { return label.text == range && near(label.x, cell.x + cell.w / 2); });
    if (!numbered) return words + " has no bits above it";
    ++fields;
  }
  return fields == (of.umma ? 7U : 5U) ? "" : fmt::format("{} fields", fields);
}

std::string wrong_operand(const Picture& picture, const Operand& of) {
  const Int rows = of.k_major ? of.mn : of.k;
  const Int drawn = std::min(rows, of.rows > 0 ? of.rows / 8 * 8 : of.k_major ? 16 : 2 * of.k_of_one);
  std::vector<std::string> words{fmt::format("One instruction reads {} × {} of {}", of.block, of.k_of_one, of.letter)};
  if (drawn < rows) words.push_back(fmt::format("drawn: {} of {} rows", drawn, rows));
  if (of.k > of.k_of_one) words.push_back(fmt::format("slice: the {} values of k that one instruction reads", of.k_of_one));
  return first_of({wrong_tile(picture, of), wrong_descriptor(picture, of), wrong_words(picture, words)});
}

Operand some_operand(Dice& dice) {
  for (;;) {
    Operand of;
    of.umma = dice.one_in(2);
    of.letter = dice.one_in(2) ? "A" : "B", of.mode = of.letter == "A" ? "M" : "N";
    of.bits = dice.of({8, 16, 16, 32});
    of.k_major = of.bits != 16 || dice.one_in(2);
    of.k_of_one = 256 / of.bits;
    const Int n = dice.of({8, 16, 32, 64, 128});
    const std::string major = of.k_major ? "K" : "MN";
    if (of.umma) {
      const Int m = dice.of({64, 128});
      const std::string kind = of.bits == 16 ? "F16BF16" : of.bits == 32 ? "TF32" : "F8F6F4";
      const std::string type = of.bits == 16 ? "half_t" : of.bits == 32 ? "tfloat32_t" : "float_e4m3_t";
      if (n % 16 != 0) continue;
      of.mma = fmt::format("SM100_MMA_{}_SS<{},{},float,{},{},UMMA::Major::{},UMMA::Major::{}>", kind, type, type, m, n, major, major);
      of.block = of.letter == "A" ? m : n;
    } else {
      of.mma = of.bits == 16   ? fmt::format("SM90_64x{}x16_F32F16F16_SS<GMMA::Major::{},GMMA::Major::{}>", n, major, major)
               : of.bits == 32 ? fmt::format("SM90_64x{}x8_F32TF32TF32_SS_TN", n)
                               : fmt::format("SM90_64x{}x32_F32E4M3E4M3_SS_TN", n);
      of.block = of.letter == "A" ? 64 : n;
    }
    of.span = dice.of({16, 32, 64, 128});
    const Int run = of.span * 8 / of.bits;  // elements that are swizzled together
    of.mn = of.block * dice.of({1, 1, 2}), of.k = of.k_of_one * dice.of({1, 2, 4});
    if ((of.k_major ? of.k : of.mn) % run != 0 || (of.k_major ? of.mn : of.k) % 8 != 0) continue;
    if ((of.k_major ? of.k : of.mn) / of.per() > 32) continue;  // so many columns are drawn
    const std::string swizzle = of.span == 16 ? "INTER" : fmt::format("SW{}", of.span);
    const std::string type = of.bits == 16 ? "half_t" : of.bits == 32 ? "tfloat32_t" : "float_e4m3_t";
    of.layout =
        fmt::format("tile_to_shape({}::Layout_{}_{}_Atom<{}>, ({},{}))", of.umma ? "UMMA" : "GMMA", major, swizzle, type, of.mn, of.k);
    const tessera::attack::Answer answer = tessera::attack::ask(of.layout);
    std::string printed = answer.text;
    const auto function = tessera::attack::read_function(printed);
    if (answer.refused || !function) continue;
    // What is swizzled are bits of the element's address.
    of.function = *function, of.text = printed;
    of.rows = dice.one_in(2) ? dice.of({8, 12, 16, 32, 64}) : 0;
    of.labels = std::vector<std::string>{"unit", "unit", "offset", "coordinate", "none"}[static_cast<std::size_t>(dice.up_to(4))];
    of.color = std::vector<std::string>{"chunk", "slice", "none"}[static_cast<std::size_t>(dice.up_to(2))];
    return of;
  }
}

}  // namespace

TEST_CASE("a picture of an operand in shared memory has its 16 bytes where the layout and the descriptor have them", "[pictures]") {
  Dice dice(219);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Operand of = some_operand(dice);
    std::string figure =
        fmt::format("smem_operand_figure({}, {}, operand={}, labels={}, color={}", of.mma, of.layout, of.letter, of.labels, of.color);
    if (of.rows > 0) figure += fmt::format(", rows={}", of.rows);
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_operand(picture, of); }});
  }
  hold("smem_operand", cases);
}
