// SPDX-License-Identifier: BSD-3-Clause
// tma_figure: the boxes of a tensor, and where 16 bytes of one of them lie in shared memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
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
using tessera::attack::Tree;

namespace {

struct Copy {
  Int extent[2] = {1, 1}, box[2] = {1, 1}, pitch = 0;
  bool row_major = true;  // neighbours along mode 1
  bool store = false;
  Int bits = 16, number = -1;
  std::string type, labels, color;
  Function smem;
  std::size_t inner() const { return row_major ? 1 : 0; }
  Int per() const { return 128 / bits; }
  Int boxes(std::size_t mode) const { return (extent[mode] + box[mode] - 1) / box[mode]; }
  Plain gmem() const {
    return {std::vector<Tree>{extent[0], extent[1]}, row_major ? std::vector<Tree>{pitch, 1} : std::vector<Tree>{1, pitch}};
  }
  Int followed() const {
    if (number >= 0) return number;
    const auto whole = [&](std::size_t mode) { return std::max<Int>(0, extent[mode] / box[mode] - 1); };
    return whole(0) + boxes(0) * whole(1);
  }
  bool inside(Int row, Int col) const { return row < extent[0] && col < extent[1]; }
};

std::string wrong_tensor(const Picture& picture, const Copy& of) {
  const PanelDrawn& panel = *picture.panel("gmem");
  const Int per[2] = {of.row_major ? 1 : of.per(), of.row_major ? of.per() : 1};
  const Int rows = of.boxes(0) * of.box[0] / per[0], cols = of.boxes(1) * of.box[1] / per[1];
  const Int first[2] = {of.followed() % of.boxes(0) * of.box[0], of.followed() / of.boxes(0) * of.box[1]};
  WantedCells wanted;
  std::vector<std::pair<Int, std::string>> colors;
  for (Int r = 0; r < rows; ++r) {
    for (Int c = 0; c < cols; ++c) {
      Link link;
      link.row = r * per[0], link.col = c * per[1], link.tensor = to_text(of.gmem());
      const bool inside = of.inside(link.row, link.col);
      if (inside) link.offset = of.row_major ? link.row * of.pitch + link.col : link.row + link.col * of.pitch;
      const Int in_row = link.row - first[0], in_col = link.col - first[1];
      const bool lit = in_row >= 0 && in_row < of.box[0] && in_col >= 0 && in_col < of.box[1];
      std::string label;
      if (lit && inside && of.labels == "place")
        label = std::to_string(tessera::attack::at(of.smem, in_row + of.box[0] * in_col) / of.per());
      wanted[{r, c}] = {label, {link}};
      const auto cell = static_cast<std::size_t>(r * cols + c);
      if (lit && inside && of.color != "none" && cell < panel.cells.size()) {
        const Int along = of.row_major ? in_col : in_row, across = of.row_major ? in_row : in_col;
        colors.emplace_back((of.color == "chunk" ? along / of.per() : across) % 8, panel.cells[cell].fill);
      }
    }
  }
  // The number of each box but the one that is followed stands in it.
  std::map<Int, int> numbered;
  for (const LabelDrawn& label : panel.labels) {
    if (label.role != "panel_name" || label.anchor != "center") continue;
    const Int n = std::atoll(label.text.c_str());
    const Place place = place_of(panel);
    const Int r = static_cast<Int>((label.y - place.y) * static_cast<double>(per[0]) / static_cast<double>(of.box[0]));
    const Int c = static_cast<Int>((label.x - place.x) * static_cast<double>(per[1]) / static_cast<double>(of.box[1]));
    if (r + of.boxes(0) * c != n) return fmt::format("the number {} stands in box {}", n, r + of.boxes(0) * c);
    if (++numbered[n] > 1) return fmt::format("box {} has two numbers", n);
  }
  for (Int n = 0; n < of.boxes(0) * of.boxes(1); ++n) {
    if (!numbered.contains(n) && n != of.followed()) return fmt::format("box {} has no number", n);
  }
  const Place place = place_of(panel);
  return first_of({wrong_cells(panel, wanted, place), wrong_colors(picture, colors),
                   wrong_axes(
                       panel, place, rows, cols, [&](Int r) { return std::to_string(r * per[0]); },
                       [&](Int c) { return std::to_string(c * per[1]); })});
}

std::string wrong_shared(const Picture& picture, const Copy& of) {
  const PanelDrawn& panel = *picture.panel("smem");
  const Int first[2] = {of.followed() % of.boxes(0) * of.box[0], of.followed() / of.boxes(0) * of.box[1]};
  const Int step[2] = {of.row_major ? 1 : of.per(), of.row_major ? of.per() : 1};
  std::map<Int, std::pair<Int, Int>> at;  // by 16 bytes: the first element's coordinate
  for (Int r = 0; r < of.box[0]; r += step[0]) {
    for (Int c = 0; c < of.box[1]; c += step[1])
      at[tessera::attack::at(of.smem, r + of.box[0] * c) / of.per()] = {first[0] + r, first[1] + c};
  }
  const Int least = at.begin()->first / 8 * 8, all = at.rbegin()->first / 8 - least / 8 + 1, lines = std::min<Int>(16, all);
  WantedCells wanted;
  for (Int i = 0; i < lines * 8; ++i) {
    Wanted cell;
    Link link;
    link.offset = (least + i) * of.per(), link.bank = (least + i) * 4 % 32, link.tensor = to_text(of.smem);
    if (const auto here = at.find(least + i); here != at.end()) {
      link.row = here->second.first, link.col = here->second.second;
      if (of.labels == "place") cell.label = of.inside(link.row, link.col) ? fmt::format("{},{}", link.row, link.col) : "zero";
    }
    cell.links = {link};
    wanted[{i / 8, i % 8}] = cell;
  }
  const Place place = place_of(panel);
  return first_of({wrong_cells(panel, wanted, place),
                   wrong_axes(
                       panel, place, lines, 8, [&](Int r) { return std::to_string((least / 8 + r) * 128); },
                       [](Int c) { return std::to_string(c * 16); }),
                   lines < all ? wrong_words(picture, {fmt::format("drawn: {} of the box's {} lines of 128 bytes", lines, all)}) : ""});
}

std::string wrong_copy(const Picture& picture, const Copy& of) {
  const Int boxes = of.boxes(0) * of.boxes(1), all = of.box[0] * of.box[1], bytes = all * of.bits / 8;
  Int inside = 0, sectors = 0;
  for (Int n = 0; n < boxes; ++n) {
    std::set<std::pair<Int, Int>> touched;  // 32 bytes of global memory, by each row of the box for itself
    for (Int i = 0; i < all; ++i) {
      const Int row = n % of.boxes(0) * of.box[0] + i % of.box[0], col = n / of.boxes(0) * of.box[1] + i / of.box[0];
      if (!of.inside(row, col)) continue;
      inside += n == of.followed() ? 1 : 0;
      touched.insert({of.row_major ? row : col, (of.row_major ? row * of.pitch + col : row + col * of.pitch) * of.bits / 256});
    }
    sectors += static_cast<Int>(touched.size());
  }
  std::vector<std::string> words{fmt::format("in {} of {} × {} elements, {} bytes each",
                                             boxes == 1 ? "one box" : fmt::format("{} boxes (large numbers)", boxes), of.box[0], of.box[1],
                                             bytes)};
  const Int number = of.followed();
  words.push_back(
      inside == all ? fmt::format("box {}: all of its {} elements are the tensor's", number, all)
      : of.store    ? fmt::format("box {}: {} of its {} elements are outside (grey) and not written", number, all - inside, all)
                    : fmt::format("box {}: {} of its {} elements are outside (grey) and arrive as zeros; the mbarrier counts all {} bytes",
                                  number, all - inside, all, bytes));
  words.push_back(fmt::format("{} {} {} sectors of 32 bytes", boxes == 1 ? "the box" : fmt::format("the {} boxes together", boxes),
                              boxes == 1 ? (of.store ? "writes" : "reads")
                              : of.store ? "write"
                                         : "read",
                              sectors));
  return first_of({wrong_tensor(picture, of), wrong_shared(picture, of), wrong_words(picture, words)});
}

Copy some_copy(Dice& dice) {
  const std::vector<std::pair<std::string, Int>> types{{"half_t", 16}, {"half_t", 16}, {"float", 32}, {"uint8_t", 8}, {"double", 64}};
  for (;;) {
    Copy of;
    std::tie(of.type, of.bits) = dice.of(types);
    of.row_major = dice.one_in(2), of.store = dice.one_in(3);
    const std::size_t inner = of.inner(), outer = 1 - inner;
    const Int units = dice.of({1, 2, 4, 8});  // of 16 bytes
    of.box[inner] = units * of.per(), of.box[outer] = dice.of({1, 2, 4, 8, 16});
    of.extent[inner] = dice.between(1, of.box[inner] * 3), of.extent[outer] = dice.between(1, of.box[outer] * 4);
    const Int pitch = (of.extent[inner] + of.per() - 1) / of.per() * of.per();
    of.pitch = pitch + of.per() * dice.up_to(2);
    if (of.pitch == of.box[inner]) of.pitch += of.per();  // else rows of a box would be one
    if (of.boxes(inner) * units > 48 || of.boxes(outer) * of.box[outer] > 48) continue;
    if (of.extent[0] < 2 || of.extent[1] < 2 || of.box[0] < 2 || of.box[1] < 2) continue;
    // Rows of so many units of 16 bytes, and a swizzle of them: 2, 4 or 8 units.
    const Plain rows{std::vector<Tree>{of.box[0], of.box[1]},
                     of.row_major ? std::vector<Tree>{of.box[1], 1} : std::vector<Tree>{1, of.box[0]}};
    of.smem = tessera::attack::plain(rows);
    const int bits = units == 2 ? 1 : units == 4 ? 2 : units == 8 ? 3 : 0;
    int base = 0;
    while ((Int{1} << base) < of.per()) ++base;
    if (bits > 0 && dice.one_in(2)) of.smem = tessera::attack::swizzled({bits, base, 3}, 0, rows);
    if (dice.one_in(2)) of.number = dice.up_to(of.boxes(0) * of.boxes(1) - 1);
    of.labels = dice.one_in(4) ? "none" : "place";
    of.color = std::vector<std::string>{"chunk", "row", "none"}[static_cast<std::size_t>(dice.up_to(2))];
    return of;
  }
}

}  // namespace

TEST_CASE("a TMA copy's picture has every 16 bytes of a box where the tensor and shared memory have them", "[pictures]") {
  Dice dice(220);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Copy of = some_copy(dice);
    std::string figure =
        fmt::format("tma_figure(make_tma_atom(SM90_TMA_{}, make_tensor(make_gmem_ptr({}), {}), {}, ({},{})), labels={}, color={}",
                    of.store ? "STORE" : "LOAD", of.type, to_text(of.gmem()), to_text(of.smem), of.box[0], of.box[1], of.labels, of.color);
    if (of.number >= 0) figure += fmt::format(", box={}", of.number);
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_copy(picture, of); }});
  }
  hold("tma", cases);
}

namespace {

struct Volume {
  Int extent[3] = {1, 1, 1}, stride[3] = {0, 0, 0}, box[3] = {1, 1, 1}, smem[3] = {0, 0, 0};
};
using Coordinate = std::array<Int, 3>;

std::optional<Coordinate> read_coordinate(const std::string& text) {
  long long at[3] = {0, 0, 0};
  char more = 0;
  if (std::sscanf(text.c_str(), "(%lld,%lld,%lld)%c", &at[0], &at[1], &at[2], &more) != 3) return std::nullopt;
  return Coordinate{at[0], at[1], at[2]};
}

// Which of so many different numbers each is.
std::map<Int, Int> places_of(const PanelDrawn& panel, Int Link::*of) {
  std::map<Int, Int> places;
  for (const CellDrawn& cell : panel.cells) places[cell.links.front().*of] = 0;
  Int next = 0;
  for (auto& [number, place] : places) place = next++;
  return places;
}

std::string wrong_volume(const Picture& picture, const Volume& of) {
  const auto sum = [](const Coordinate& at, const Int(&by)[3]) { return at[0] * by[0] + at[1] * by[1] + at[2] * by[2]; };
  const auto inside = [&](const Coordinate& at) { return at[0] < of.extent[0] && at[1] < of.extent[1] && at[2] < of.extent[2]; };
  const PanelDrawn &gmem = *picture.panel("gmem"), &smem = *picture.panel("smem");
  // In shared memory 16 bytes a cell, and in them the box's elements from its first one on.
  std::optional<Coordinate> first;
  Int units = 0;
  for (const CellDrawn& cell : smem.cells) {
    if (cell.links.front().row < 0) continue;
    const auto at = read_coordinate(cell.links.front().coordinate);
    if (!at) return "a cell of shared memory has the coordinate " + cell.links.front().coordinate;
    if (!first) first = at;
    for (std::size_t k = 0; k < 3; ++k) (*first)[k] = std::min((*first)[k], (*at)[k]);
    ++units;
  }
  if (!first) return "nothing lies in shared memory";
  const Place shared = place_of(smem);
  for (const CellDrawn& cell : smem.cells) {
    const Link& link = cell.links.front();
    const double index = (cell.y - shared.y) * 8 + (cell.x - shared.x) / shared.w;
    if (std::abs(index * 8 - static_cast<double>(link.offset)) > 0.1) return fmt::format("offset {} stands at {}", link.offset, index);
    if (link.row < 0) {
      if (!cell.label.empty()) return "an empty cell says " + cell.label;
      continue;
    }
    Coordinate at = *read_coordinate(link.coordinate);
    const std::string label = inside(at) ? link.coordinate.substr(1, link.coordinate.size() - 2) : "zero";
    if (cell.label != label) return fmt::format("{} is called {}", link.coordinate, cell.label);
    for (std::size_t k = 0; k < 3; ++k) at[k] -= (*first)[k];
    if (sum(at, of.smem) != link.offset) return fmt::format("{} lies at {}, not {}", link.coordinate, link.offset, sum(at, of.smem));
  }
  const Int lines = std::min<Int>(16, (of.box[0] * of.box[1] * of.box[2] + 63) / 64);
  if (static_cast<Int>(smem.cells.size()) != lines * 8) return fmt::format("{} cells of shared memory", smem.cells.size());
  if (units != std::min(lines * 8, of.box[0] * of.box[1] * of.box[2] / 8)) return fmt::format("{} pieces of the box", units);
  const std::map<Int, Int> rows = places_of(gmem, &Link::row), cols = places_of(gmem, &Link::col);
  const Place place = place_of(gmem);
  std::set<std::string> there;
  for (const CellDrawn& cell : gmem.cells) {
    const Link& link = cell.links.front();
    const auto at = read_coordinate(link.coordinate);
    if (!at) return "a cell of the tensor has the coordinate " + link.coordinate;
    if (link.offset != (inside(*at) ? sum(*at, of.stride) : -1)) return fmt::format("{} is at {}", link.coordinate, link.offset);
    const bool stands = near(cell.x, place.x + place.w * static_cast<double>(cols.at(link.col))) &&
                        near(cell.y, place.y + static_cast<double>(rows.at(link.row)));
    if (!stands || !there.insert(link.coordinate).second) return link.coordinate + " stands elsewhere";
    Coordinate in_box = *at;
    bool lit = inside(*at);
    for (std::size_t k = 0; k < 3; ++k) in_box[k] -= (*first)[k], lit = lit && in_box[k] >= 0 && in_box[k] < of.box[k];
    if (cell.label != (lit ? std::to_string(sum(in_box, of.smem) / 8) : ""))
      return fmt::format("{} has the number {}", link.coordinate, cell.label);
  }
  return there.size() == rows.size() * cols.size() ? "" : fmt::format("{} cells of {} x {}", there.size(), rows.size(), cols.size());
}

}  // namespace

TEST_CASE("a TMA copy's picture of a tensor of three modes says all of each coordinate", "[pictures]") {
  Dice dice(229);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind() / 4) {
    // The contiguous mode is any of the three.
    const auto inner = static_cast<std::size_t>(dice.up_to(2));
    Volume of;
    Int reached = 1, in_box = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t mode = (inner + k) % 3;
      of.box[mode] = k == 0 ? 8 * dice.of({1, 2, 4}) : dice.of({2, 4});
      of.extent[mode] = of.box[mode] * dice.between(1, 2) + (k == 0 ? 8 : 1);
      of.stride[mode] = reached, reached *= of.extent[mode];
      of.smem[mode] = in_box, in_box *= of.box[mode];
    }
    const auto text = [](const Int(&each)[3]) { return to_text(Tree(std::vector<Tree>{each[0], each[1], each[2]})); };
    const std::string copy = fmt::format("make_tma_atom(SM90_TMA_LOAD, make_tensor(make_gmem_ptr(half_t), {}:{}), {}:{}, {})",
                                         text(of.extent), text(of.stride), text(of.box), text(of.smem), text(of.box));
    if (tessera::attack::ask(copy).refused) continue;
    cases.push_back({fmt::format("tma_figure({})", copy), [of](const Picture& picture) { return wrong_volume(picture, of); }});
  }
  hold("tma of three modes", cases);
}
