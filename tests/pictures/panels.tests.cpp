// SPDX-License-Identifier: BSD-3-Clause
// panels_figure: each part says what it says alone, under its letter, beside the others, on one scale of colours.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/owners.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::Operand;
using tessera::attack::Dice;
using tessera::attack::Plain;

namespace {

struct Part {
  std::string text;
  std::vector<std::pair<std::string, std::vector<Wanted>>> panels;  // by their id in the part
  std::string sentence;
  bool by_offset = false;  // coloured so
};

// Cells of a data layout alone.
Part layout_part(Dice& dice) {
  for (;;) {
    const Plain layout = tessera::attack::compact_layout(dice, 3);
    if (rank(layout) != 2 || size(layout) > 200 || size(layout) < 2) continue;  // of one element the words are others
    Part part;
    part.text = to_text(layout);
    const Int rows = size(mode(layout, 0));
    std::vector<Wanted> wanted;
    for (Int i = 0; i < size(layout); ++i) {
      Link link;
      link.row = i % rows, link.col = i / rows, link.offset = at(layout, i), link.tensor = part.text;
      wanted.push_back({link.row, link.col, std::to_string(link.offset), {link}, false});
    }
    part.panels = {{"layout", std::move(wanted)}};
    part.sentence = fmt::format("{} puts {} element", part.text, size(layout));
    part.by_offset = true;
    return part;
  }
}

Part tv_part(Dice& dice) {
  const Int rows = dice.of({2, 4, 8}), cols = dice.of({2, 3, 4}), values = dice.of({1, 2, 4});
  const Plain tv = tessera::attack::beside({tessera::attack::beside({{cols, rows * values}, {rows, 1}}), {values, rows}});
  Part part;
  part.text = fmt::format("tv_figure({}, tile=\"{}x{}\")", to_text(tv), rows, cols * values);
  Tile tile = nobodys(rows, cols * values);
  for (Int t = 0; t < rows * cols; ++t) {
    for (Int v = 0; v < values; ++v) add(tile, at(mode(tv, 0), t) + at(mode(tv, 1), v), {t, v});
  }
  part.panels = {{"tile", wanted_cells(tile, {})}};
  part.sentence = fmt::format("of the {} × {} tile", rows, cols * values);
  return part;
}

std::optional<Part> mma_part(Dice& dice) {
  const SomeMma some = some_mma(dice, 512);
  Part part;
  part.text = fmt::format("mma_figure({}, labels=thread)", some.text);
  for (const auto& [operand, id, row, col] : {std::tuple{Operand::a, "A", 0, 2}, {Operand::b, "B", 1, 2}, {Operand::c, "C", 0, 1}}) {
    const auto tile = tile_of(*some.mma, operand, some.extent[row], some.extent[col]);
    if (!tile) return std::nullopt;
    Style style;
    style.labels = is_in_registers(some.mma->atom(), operand) ? "thread" : "none";
    style.turned = operand == Operand::b;
    part.panels.emplace_back(id, wanted_cells(*tile, style));
  }
  part.sentence = fmt::format("into C ({} × {})", some.extent[0], some.extent[1]);
  return part;
}

struct Area {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  void take(const PanelDrawn& panel) {
    for (const CellDrawn& cell : panel.cells) {
      x0 = std::min(x0, cell.x), y0 = std::min(y0, cell.y);
      x1 = std::max(x1, cell.x + cell.w), y1 = std::max(y1, cell.y + cell.h);
    }
  }
  bool meets(const Area& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
};

Case panels_case(Dice& dice) {
  std::vector<Part> parts;
  const Int count = dice.between(2, 5);
  while (static_cast<Int>(parts.size()) < count) {
    const Int what = dice.up_to(3);
    if (what == 0) {
      if (auto part = mma_part(dice)) parts.push_back(std::move(*part));
    } else {
      parts.push_back(what == 1 ? tv_part(dice) : layout_part(dice));
    }
  }
  std::string arguments, titles, parameters;
  for (const Part& part : parts) {
    arguments += (arguments.empty() ? "" : ", ") + part.text;
    titles += fmt::format("{}name {}", titles.empty() ? "" : "; ", &part - parts.data());
  }
  const bool named = dice.one_in(2);
  if (named) parameters += fmt::format(", titles=\"{}\"", titles);
  if (dice.one_in(3)) parameters += fmt::format(", across={}", dice.between(1, count));
  const auto wrong = [=](const Picture& picture) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const auto& [id, cells] : parts[i].panels) ids.push_back(std::string(1, static_cast<char>('a' + i)) + id);
    }
    std::string found = wrong_panels(picture, ids);
    std::vector<Area> areas(parts.size());
    std::map<Int, std::string> ramp;
    for (std::size_t i = 0; found.empty() && i < parts.size(); ++i) {
      const std::string letter(1, static_cast<char>('a' + i));
      bool is_called = false;
      for (const auto& [id, cells] : parts[i].panels) {
        const PanelDrawn& panel = *picture.panel(letter + id);
        areas[i].take(panel);
        found = first_of(
            found, [&, &cells = cells] { return wrong_cells(panel, cells); }, [&] { return wrong_axes(panel, numbers, numbers); });
        const std::string title = fmt::format("({}){}", letter, named ? fmt::format("  name {}", i) : "");
        is_called = is_called ||
                    std::any_of(panel.labels.begin(), panel.labels.end(), [&](const LabelDrawn& label) { return label.text == title; });
        for (const CellDrawn& cell : panel.cells) {  // one scale: an offset has one colour
          if (!parts[i].by_offset || cell.links.empty()) continue;
          const auto [at, is_new] = ramp.try_emplace(cell.links.front().offset, cell.fill);
          if (!is_new && at->second != cell.fill) return fmt::format("offset {} has two colours", at->first);
        }
      }
      if (found.empty() && !is_called) found = fmt::format("part {} is not called ({})", i, letter);
      for (std::size_t j = 0; j < i && found.empty(); ++j) {
        if (areas[i].meets(areas[j])) found = fmt::format("parts {} and {} lie over each other", j, i);
      }
      const std::string words = words_below(picture);
      const auto line = words.find(fmt::format("({}) ", letter));
      if (found.empty() &&
          (line == std::string::npos || words.substr(line, words.find('\n', line) - line).find(parts[i].sentence) == std::string::npos))
        found = fmt::format("\"{}\" is not said of ({}): {}", parts[i].sentence, letter, words);
    }
    return found;
  };
  return {fmt::format("panels_figure({}{})", arguments, parameters), wrong};
}

}  // namespace

TEST_CASE("figures side by side say what each says alone, and of each other nothing", "[pictures]") {
  Dice dice(271);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(panels_case(dice));
  hold("panels", cases);
}
