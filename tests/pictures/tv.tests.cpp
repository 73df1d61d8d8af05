// SPDX-License-Identifier: BSD-3-Clause
// tv_figure: each cell of a tile is where a thread's value lies; tv_inverse_figure: each thread's value says where it lies.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/owners.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::attack::Dice;
using tessera::attack::Function;
using tessera::attack::Plain;

namespace {

struct SomeTv {
  Plain layout;  // (thr, val) -> row + rows * col
  Int rows = 1, cols = 1;
  std::optional<Function> data;  // (row, col) -> offset
  std::string arguments;         // of the figure

  Int threads() const { return size(mode(layout, 0)); }
  Int values() const { return size(mode(layout, 1)); }
  Int place(Int thread, Int value) const { return at(mode(layout, 0), thread) + at(mode(layout, 1), value); }
  Tile tile() const {
    Tile made = nobodys(rows, cols);
    for (Int t = 0; t < threads(); ++t) {
      for (Int v = 0; v < values(); ++v) add(made, place(t, v), {t, v});
    }
    return made;
  }
};

// Data of a tile: in any order, padded, swizzled or behind an offset.
Function some_data(Dice& dice, Int rows, Int cols) {
  const Int pad = dice.one_in(3) ? dice.between(1, 4) : 0;
  Plain layout =
      dice.one_in(2) ? tessera::attack::beside({{rows, cols + pad}, {cols, 1}}) : tessera::attack::beside({{rows, 1}, {cols, rows + pad}});
  if (dice.one_in(4) && rows % 2 == 0 && rows > 2)
    layout = tessera::attack::beside({tessera::attack::beside({{2, cols}, {rows / 2, 2 * cols}}), {cols, 1}});
  if (dice.one_in(3)) return tessera::attack::swizzled(tessera::attack::some_swizzle(dice), dice.one_in(2) ? 0 : dice.up_to(40), layout);
  return tessera::attack::plain(layout);
}

// Threads and values in any order of a tile's factors; now and then several own a cell, and some cells have no owner.
SomeTv some_tv(Dice& dice, bool with_data) {
  for (;;) {
    SomeTv made;
    const Plain modes = dice.one_in(4) ? tessera::attack::wild_layout(dice, 2) : tessera::attack::compact_layout(dice);
    if (rank(modes) < 2 || cosize(modes) > 600 || size(modes) > 1024) continue;
    std::vector<Plain> parts;
    for (std::size_t k = 0; k < rank(modes); ++k) parts.push_back(mode(modes, k));
    const auto split = static_cast<std::size_t>(dice.between(1, static_cast<Int>(parts.size()) - 1));
    const auto joined = [&](std::size_t first, std::size_t end) {
      if (end - first == 1) return parts[first];
      return tessera::attack::beside(
          {parts.begin() + static_cast<std::ptrdiff_t>(first), parts.begin() + static_cast<std::ptrdiff_t>(end)});
    };
    made.layout = tessera::attack::beside({joined(0, split), joined(split, parts.size())});
    const Int reach = cosize(made.layout);
    made.rows = dice.of({1, 2, 4, 5, 8, 16});
    made.cols = (reach + made.rows - 1) / made.rows + (dice.one_in(6) ? 1 : 0);
    made.arguments = to_text(made.layout);
    if (with_data) {
      made.data = some_data(dice, made.rows, made.cols);
      made.arguments += ", " + to_text(*made.data);
    } else {
      made.arguments += fmt::format(", tile=\"{}x{}\"", made.rows, made.cols);
    }
    return made;
  }
}

// The width of elements as it is said; 0: it is not.
Int some_bits(Dice& dice, std::string& parameters) {
  switch (dice.up_to(4)) {
    case 0: parameters += ", bits=16"; return 16;
    case 1: parameters += ", bytes=8"; return 64;
    case 2: parameters += ", type=float_e4m3_t"; return 8;
    default: return 0;
  }
}

Int cells_with(const Tile& tile, bool several) {
  return std::count_if(tile.of.begin(), tile.of.end(), [&](const auto& owners) { return several ? owners.size() > 1 : owners.empty(); });
}

// "4 cells have more than one owner", "1 cell has no owner"
std::string wrong_counts(const Picture& picture, const Tile& tile) {
  const Int shared = cells_with(tile, true), free = cells_with(tile, false);
  const std::string words = words_below(picture);
  if ((words.find(" more than one owner") != std::string::npos) != (shared > 0)) return "whether cells are shared is not said: " + words;
  if ((words.find(" no owner") != std::string::npos) != (free > 0)) return "whether cells have no owner is not said: " + words;
  if (shared > 0 && words.find(fmt::format("{} cell{} have more than one owner", shared, shared == 1 ? "" : "s")) == std::string::npos)
    return fmt::format("{} cells are shared: {}", shared, words);
  if (free > 0 &&
      words.find(fmt::format("{} cell{} {} no owner", free, free == 1 ? "" : "s", free == 1 ? "has" : "have")) == std::string::npos)
    return fmt::format("{} cells have no owner: {}", free, words);
  return {};
}

Case tv_case(Dice& dice) {
  const bool with_data = dice.one_in(2);
  const SomeTv tv = some_tv(dice, with_data);
  const Tile tile = tv.tile();
  Style style;
  std::string parameters, color = "thread";
  if (dice.one_in(2)) {
    style.labels = dice.of(std::vector<std::string>{"tv", "thread", "value", "coordinate", "none"});
    if (with_data && dice.one_in(2)) style.labels = "offset";
    parameters += ", labels=" + style.labels;
  }
  if (dice.one_in(2)) {
    color = dice.of(with_data ? std::vector<std::string>{"thread", "value", "warp", "quad", "bank"}
                              : std::vector<std::string>{"thread", "value", "warp", "quad"});
    parameters += ", color=" + color;
  }
  if (with_data) {
    style.bits = some_bits(dice, parameters);
    if (style.bits == 0 && color == "bank") style.bits = 32;
    style.tensor = to_text(*tv.data);
    style.offset = [data = *tv.data, rows = tv.rows](Int r, Int c) { return at(data, r + rows * c); };
  }
  if (dice.one_in(3)) style.lit = some_highlight(dice, tile, true);
  if (!style.lit.parameter.empty()) parameters += ", " + style.lit.parameter;
  bool folded = false;
  if (style.lit.parameter.empty() && dice.one_in(3)) {
    style.first_row = dice.up_to(tile.rows - 1), style.rows = dice.between(1, tile.rows - style.first_row);
    style.first_col = dice.up_to(tile.cols - 1), style.cols = dice.between(1, tile.cols - style.first_col);
    parameters += fmt::format(", crop=\"rows={}-{}, cols={}-{}\"", style.first_row, style.first_row + style.rows - 1, style.first_col,
                              style.first_col + style.cols - 1);
  } else if (dice.one_in(4)) {
    folded = true;
    parameters += fmt::format(", fold={}", dice.between(2, 3));
  }
  const auto wrong = [=](const Picture& picture) {
    const PanelDrawn* panel = picture.panel("tile");
    if (!panel) return std::string("no tile");
    return first_of(
        wrong_panels(picture, {"tile"}), [&] { return wrong_cells(*panel, wanted_cells(tile, style), folded); },
        [&] {
          return folded ? std::string()
                        : wrong_axes(
                              *panel, [&](Int r) { return numbers(r + style.first_row); },
                              [&](Int c) { return numbers(c + style.first_col); });
        },
        [&] { return wrong_share(picture, "owns", tile); }, [&] { return wrong_counts(picture, tile); },
        [&] { return color == "bank" ? std::string() : wrong_owner_colors(picture, color); });
  };
  return {fmt::format("tv_figure({}{})", tv.arguments, parameters), wrong};
}

Case inverse_case(Dice& dice) {
  const bool with_data = dice.one_in(2);
  const SomeTv tv = some_tv(dice, with_data);
  std::string parameters;
  Int bits = with_data ? some_bits(dice, parameters) : 0;
  const std::string color = dice.one_in(2) ? "thread" : dice.of(std::vector<std::string>{"value", "warp", "quad"});
  if (color != "thread") parameters += ", color=" + color;
  Lit lit;
  if (dice.one_in(3)) lit = some_highlight(dice, tv.tile(), false);
  if (!lit.parameter.empty()) parameters += ", " + lit.parameter;
  const auto wrong = [=](const Picture& picture) {
    const PanelDrawn* panel = picture.panel("tv");
    if (!panel) return std::string("no table");
    std::vector<Wanted> wanted;
    for (Int t = 0; t < tv.threads(); ++t) {
      for (Int v = 0; v < tv.values(); ++v) {
        const Int place = tv.place(t, v);
        Link link;
        link.thread = t, link.value = v, link.row = place % tv.rows, link.col = place / tv.rows;
        std::string label = tv.rows > 1 ? fmt::format("({},{})", link.row, link.col) : std::to_string(place);
        if (tv.data) {
          link.offset = at(*tv.data, place), link.bank = bank_at(link.offset, bits), link.tensor = to_text(*tv.data);
          label += fmt::format("\n{}", link.offset);
        }
        wanted.push_back({t, v, label, {link}, !lit.parameter.empty() && !lit.owner({t, v})});
      }
    }
    return first_of(
        wrong_panels(picture, {"tv"}), [&] { return wrong_cells(*panel, wanted); },
        [&] {
          return wrong_axes(
              *panel, [](Int r) { return fmt::format("T{}", r); }, [](Int c) { return fmt::format("V{}", c); });
        },
        [&] { return wrong_counts(picture, tv.tile()); },
        [&] {
          return missing_words(picture,
                               tv.threads() == 1 ? std::string("The row lists") : fmt::format("Each of {} rows lists", tv.threads()));
        },
        [&] { return tv.values() == 1 ? std::string() : missing_words(picture, fmt::format("the {} values of a thread", tv.values())); },
        [&] { return missing_words(picture, fmt::format("in the {} × {} tile", tv.rows, tv.cols)); },
        [&] { return wrong_owner_colors(picture, color); });
  };
  return {fmt::format("tv_inverse_figure({}{})", tv.arguments, parameters), wrong};
}

}  // namespace

TEST_CASE("a tile's figure says of every cell which threads' values lie there, and where", "[pictures]") {
  Dice dice(211);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(tv_case(dice));
  hold("tv", cases);
}

TEST_CASE("the way back says of every thread's value where it lies", "[pictures]") {
  Dice dice(212);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(inverse_case(dice));
  hold("tv_inverse", cases);
}
