// SPDX-License-Identifier: BSD-3-Clause
// layout_figure: each cell is a coordinate, and says where the layout puts it.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/attack/attack.hpp"
#include "tests/attack/model.hpp"
#include "tests/pictures/wanted.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::pictures;
using namespace tessera::pictures::owned;
using tessera::attack::Dice;
using tessera::attack::Function;
using tessera::attack::Plain;
using tessera::attack::Tree;

namespace {

constexpr Int kMostCells = 600, kStrip = 32;

// The coordinate of an index, mode by mode: "((1,0),3)".
Tree coordinate_of(const Tree& shape, Int index) {
  if (!shape.tuple) return index;
  std::vector<Tree> modes;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) {
    const Int extent = product(shape.modes[k]);
    modes.push_back(coordinate_of(shape.modes[k], index % extent));
    index /= extent;
  }
  return modes;
}

struct SomeLayout {
  Function function;
  Plain inner;  // whose coordinates are drawn
  std::string text;

  Int extent(std::size_t k) const { return k < rank(inner) ? size(mode(inner, k)) : 1; }
  bool is_strip() const { return rank(inner) == 1; }
  // Of the modes beyond the second: "2", "2,(0,1)".
  std::string rest(Int panel) const {
    std::string text;
    for (std::size_t k = 2; k < rank(inner); ++k) {
      text += (text.empty() ? "" : ",") + to_text(coordinate_of(inner.shape.modes[k], panel % extent(k)));
      panel /= extent(k);
    }
    return text;
  }
};

SomeLayout some(Dice& dice) {
  for (;;) {
    SomeLayout made;
    switch (dice.up_to(3)) {
      case 0: made.inner = tessera::attack::wild_layout(dice, 4, tessera::attack::Signs::any); break;
      case 1: made.inner = tessera::attack::compact_layout(dice); break;
      case 2: {  // rows or columns with padding behind them, also in two parts
        const Int rows = dice.of({2, 3, 4, 8, 12}), cols = dice.of({2, 4, 5, 8, 16}), pitch = cols + dice.between(1, 6);
        Plain down{rows, pitch};
        if (rows % 4 == 0 && dice.one_in(2)) down = tessera::attack::beside({{rows / 4, 4 * pitch}, {4, pitch}});
        made.inner = dice.one_in(2) ? tessera::attack::beside({down, {cols, 1}}) : tessera::attack::beside({{cols, 1}, down});
        break;
      }
      default: made.inner = tessera::attack::some_layout(dice);
    }
    if (size(made.inner) > kMostCells) continue;
    made.function = tessera::attack::plain(made.inner);
    const std::vector<Int> values = image(made.inner);
    const bool negative = *std::min_element(values.begin(), values.end()) < 0;
    if (!negative && dice.one_in(3))
      made.function = tessera::attack::swizzled(tessera::attack::some_swizzle(dice), dice.one_in(2) ? 0 : dice.up_to(50), made.inner);
    if (!negative && dice.one_in(6)) {
      const Int reach = cosize(made.inner) + 8;
      const Plain outer =
          dice.one_in(2) ? Plain{reach, dice.between(2, 5)} : tessera::attack::beside({{4, (reach + 3) / 4}, {(reach + 3) / 4, 1}});
      made.function = Function{Function::Part(outer), dice.up_to(8), made.inner};
    }
    made.text = to_text(made.function);
    return made;
  }
}

// The elements that no coordinate reaches behind each row, or each column, of a matrix whose rows lie one pitch apart.
struct Gaps {
  bool behind_rows = true;
  Int count = 0;
};

Gaps gaps_of(const SomeLayout& layout) {
  if (layout.function.outer || rank(layout.inner) != 2) return {};
  const Int rows = layout.extent(0), cols = layout.extent(1);
  for (const bool behind_rows : {true, false}) {
    const Int along = behind_rows ? cols : rows, lines = behind_rows ? rows : cols;
    const auto offset = [&](Int line, Int k) { return at(layout.inner, behind_rows ? line + rows * k : k + rows * line); };
    bool neighbours = along >= 2;
    for (Int line = 0; line < lines && neighbours; ++line) {
      for (Int k = 1; k < along; ++k) neighbours = neighbours && offset(line, k) == offset(line, 0) + k;
    }
    std::vector<Int> starts;
    for (Int line = 0; line < lines; ++line) starts.push_back(offset(line, 0));
    std::sort(starts.begin(), starts.end());
    const Int pitch = starts.size() < 2 ? 0 : starts[1] - starts[0];
    for (std::size_t i = 1; i < starts.size(); ++i) neighbours = neighbours && starts[i] - starts[i - 1] == pitch;
    if (neighbours && starts.front() == 0 && pitch > along && pitch - along <= std::min<Int>(16, along))
      return {behind_rows, pitch - along};
  }
  return {};
}

struct LayoutStyle {
  std::string labels = "offset";
  Int bits = 0;
  bool color_none = false;
  std::string tensor;
  std::string lit;
  Int lit_first = 0, lit_last = -1;  // rows that stand out
  bool nested = false;
};

std::string label_of(const SomeLayout& layout, const LayoutStyle& style, Int index, Int row, Int col, const std::string& rest) {
  if (style.labels == "none") return "";
  if (style.labels == "index") return std::to_string(index);
  if (style.labels == "hier_coordinate") return to_text(coordinate_of(layout.inner.shape, index));
  if (style.labels == "coordinate")
    return layout.is_strip() ? std::to_string(index) : fmt::format("{},{}{}{}", row, col, rest.empty() ? "" : ",", rest);
  return std::to_string(at(layout.function, index));
}

Wanted cell_of(const SomeLayout& layout, const LayoutStyle& style, Int index, Int down, Int across, Int row, Int col,
               const std::string& rest) {
  const Int offset = at(layout.function, index);
  Link link;
  link.row = row, link.col = col, link.offset = std::max<Int>(offset, -1), link.bank = bank_at(offset, style.bits);
  link.tensor = style.tensor, link.coordinate = rest.empty() ? rest : fmt::format("({},{},{})", row, col, rest);
  const bool lit = style.lit.empty() || (row >= style.lit_first && row <= style.lit_last);
  return {down, across, label_of(layout, style, index, row, col, rest), {link}, !lit};
}

std::string wrong_strip(const Picture& picture, const SomeLayout& layout, const LayoutStyle& style) {
  const PanelDrawn* panel = picture.panel("layout");
  if (!panel) return "no strip";
  std::vector<Wanted> wanted;
  for (Int i = 0; i < size(layout.inner); ++i) wanted.push_back(cell_of(layout, style, i, i / kStrip, i % kStrip, i, 0, ""));
  return first_of(wrong_cells(*panel, wanted), [&] {
    return wrong_axes(
        *panel, [](Int r) { return fmt::format("{} +", r * kStrip); }, numbers);
  });
}

std::string wrong_matrices(const Picture& picture, const SomeLayout& layout, const LayoutStyle& style) {
  const Int rows = layout.extent(0), cols = layout.extent(1), panels = size(layout.inner) / rows / cols;
  std::vector<std::string> ids;
  for (Int k = 0; k < panels; ++k) ids.push_back(panels > 1 ? fmt::format("layout{}", k) : "layout");
  std::string found = wrong_panels(picture, ids);
  const Gaps gaps = style.color_none ? Gaps{} : gaps_of(layout);
  for (Int k = 0; found.empty() && k < panels; ++k) {
    const PanelDrawn& panel = *picture.panel(ids[static_cast<std::size_t>(k)]);
    std::vector<Wanted> wanted;
    const std::string rest = layout.rest(k);
    for (Int r = 0; r < rows; ++r) {
      for (Int c = 0; c < cols; ++c) wanted.push_back(cell_of(layout, style, r + rows * (c + cols * k), r, c, r, c, rest));
    }
    const auto values = image(layout.inner);
    const Int last = *std::max_element(values.begin(), values.end());
    for (Int line = 0; gaps.count > 0 && line < (gaps.behind_rows ? rows : cols); ++line) {
      const Int first = at(layout.inner, gaps.behind_rows ? line : rows * line), along = gaps.behind_rows ? cols : rows;
      for (Int j = 0; j < gaps.count; ++j) {
        Link link;
        link.offset = first + along + j, link.tensor = style.tensor, link.bank = bank_at(link.offset, style.bits);
        if (link.offset > last) continue;
        wanted.push_back({gaps.behind_rows ? line : along + j,
                          gaps.behind_rows ? along + j : line,
                          style.labels == "offset" ? std::to_string(link.offset) : "",
                          {link},
                          true});
      }
    }
    const auto within = [&](Int extent) { return [extent](Int i) { return i < extent ? numbers(i) : "none"; }; };
    found = first_of(wrong_cells(panel, std::move(wanted)),
                     [&] { return style.nested ? std::string() : wrong_axes(panel, within(rows), within(cols)); });
    if (found.empty() && panels > 1 && panel.name.find(rest) == std::string::npos)
      found = fmt::format("panel {} is called {}", k, panel.name);
  }
  return found;
}

// "puts 32 elements at offsets 0 to 31": how many, and from where to where.
std::string wrong_sentence(const Picture& picture, const SomeLayout& layout) {
  std::vector<Int> values = image(layout.function);
  std::sort(values.begin(), values.end());
  const Int least = values.front(), most = values.back(), count = static_cast<Int>(values.size());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const auto distinct = static_cast<Int>(values.size());
  if (count == 1) return missing_words(picture, fmt::format("puts its one element at offset {}.", least));
  if (distinct == 1) return missing_words(picture, fmt::format("puts all {} elements at offset {}.", count, least));
  const Int unused = most - least + 1 - distinct;
  const std::string at = distinct < count ? fmt::format("puts {} elements at {} distinct offsets, {} to {}", count, distinct, least, most)
                                          : fmt::format("puts {} elements at offsets {} to {}", count, least, most);
  return first_of(
      missing_words(picture, at),
      [&] { return unused == 0 ? std::string() : missing_words(picture, fmt::format("leaves {} between", unused)); },
      [&] {
        const bool said = words_below(picture).find("without gaps") != std::string::npos;
        return said == (unused == 0 && distinct == count) ? std::string() : "whether there are gaps is said wrongly";
      });
}

Case layout_case(Dice& dice) {
  const SomeLayout layout = some(dice);
  LayoutStyle style;
  style.tensor = layout.text;
  std::string parameters, color;
  if (dice.one_in(2)) {
    style.labels = dice.of(std::vector<std::string>{"offset", "coordinate", "hier_coordinate", "index", "none"});
    parameters += ", labels=" + style.labels;
  }
  switch (dice.up_to(4)) {
    case 0: style.bits = 16, parameters += ", bits=16"; break;
    case 1: style.bits = 64, parameters += ", bytes=8"; break;
    case 2: style.bits = 4, parameters += ", bits=4"; break;
    default: break;
  }
  // Always one: where none is asked for, a swizzle's chunks decide the width of elements.
  color = dice.of(std::vector<std::string>{"offset", "bank", "chunk", "row", "col", "none"});
  parameters += ", color=" + color;
  style.color_none = color == "none";
  if (style.bits == 0 && (color == "bank" || color == "chunk")) style.bits = 32;
  if (!layout.is_strip() && dice.one_in(4)) style.nested = true, parameters += ", nested=yes";
  if (!layout.is_strip() && dice.one_in(4)) {
    style.lit_first = dice.up_to(layout.extent(0) - 1), style.lit_last = std::min(layout.extent(0) - 1, style.lit_first + 1);
    style.lit = fmt::format(", highlight=\"rows={}-{}\"", style.lit_first, style.lit_last);
    parameters += style.lit;
  }
  const auto wrong = [=](const Picture& picture) {
    std::map<Int, std::string> banks;
    return first_of(
        layout.is_strip() ? wrong_strip(picture, layout, style) : wrong_matrices(picture, layout, style),
        [&] { return wrong_sentence(picture, layout); },
        [&] {
          if (color != "bank" && color != "row" && color != "col") return std::string();
          for (const PanelDrawn& panel : picture.panels) {
            if (panel.name == "caption") continue;
            std::string found = wrong_colors(
                panel,
                [&](const CellDrawn& cell) -> std::optional<Int> {
                  if (cell.faint || cell.links.empty() || cell.links.front().row < 0) return std::nullopt;
                  const Link& link = cell.links.front();
                  const Int key = color == "bank" ? link.bank : color == "row" ? link.row : link.col;
                  return key < 0 ? std::nullopt : std::optional(key);
                },
                banks);
            if (!found.empty()) return found;
          }
          return std::string();
        });
  };
  return {fmt::format("layout_figure({}{})", layout.text, parameters), wrong};
}

}  // namespace

TEST_CASE("a layout's figure says of every coordinate where the layout puts it", "[pictures]") {
  Dice dice(201);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) cases.push_back(layout_case(dice));
  hold("layout", cases);
}
