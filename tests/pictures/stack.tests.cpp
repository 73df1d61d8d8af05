// SPDX-License-Identifier: BSD-3-Clause
// stack_figure: a sheet for each coordinate behind the second mode, and what lies between one sheet and the next.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
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

namespace {

struct Stack {
  Plain layout;
  Function function;
  std::string text, labels, color;
  Int bits = 0;
  std::vector<Int> asked;  // sheets; empty: all
  Int rows() const { return size(mode(layout, 0)); }
  Int cols() const { return size(mode(layout, 1)); }
  Int deep() const { return size(mode(layout, 2)); }
  Int all() const { return size(layout) / rows() / cols(); }
  Int offset(Int r, Int c, Int sheet) const { return tessera::attack::at(function, r + rows() * (c + cols() * sheet)); }
  // What lies between all elements of two sheets; false: not the same.
  bool apart(Int from, Int to, Int& step) const {
    step = offset(0, 0, to) - offset(0, 0, from);
    for (Int i = 0; i < rows() * cols(); ++i) {
      if (offset(i % rows(), i / rows(), to) - offset(i % rows(), i / rows(), from) != step) return false;
    }
    return true;
  }
};

std::string wrong_sheet(const Picture& picture, const Stack& of, Int sheet, bool first) {
  const PanelDrawn* panel = picture.panel(fmt::format("layout{}", sheet));
  if (panel == nullptr) return fmt::format("sheet {} is not drawn", sheet);
  const std::string rest = rest_of(of.layout, sheet);
  WantedCells wanted;
  for (Int r = 0; r < of.rows(); ++r) {
    for (Int c = 0; c < of.cols(); ++c) {
      Link link;
      const Int offset = of.offset(r, c, sheet);
      link.row = r, link.col = c, link.offset = std::max<Int>(offset, -1), link.tensor = of.text;
      link.bank = of.bits > 0 && offset >= 0 ? offset * of.bits / 32 % 32 : -1;
      link.coordinate = fmt::format("({},{},{})", r, c, rest);
      wanted[{r, c}] = {of.labels == "offset"       ? std::to_string(offset)
                        : of.labels == "index"      ? std::to_string(r + of.rows() * (c + of.cols() * sheet))
                        : of.labels == "coordinate" ? fmt::format("{},{},{}", r, c, rest)
                                                    : "",
                        {link}};
    }
  }
  const std::string heading = rank(of.layout) == 3 ? fmt::format("mode 2 = {}", rest) : fmt::format("(_,_,{})", rest);
  const auto is_said = [&](const LabelDrawn& label) { return label.role == "panel_name" && label.text == heading; };
  if (std::none_of(panel->labels.begin(), panel->labels.end(), is_said)) return fmt::format("sheet {} is not called {}", sheet, heading);
  const Place place = place_of(*panel);
  return first_of({wrong_cells(*panel, wanted, place), first ? wrong_axes(*panel, place, of.rows(), of.cols(), number, number) : ""});
}

std::string wrong_stack(const Picture& picture, const Stack& of) {
  std::vector<Int> sheets = of.asked;
  for (Int k = 0; of.asked.empty() && k < of.all(); ++k) sheets.push_back(k);
  std::size_t drawn = 0;
  for (const PanelDrawn& panel : picture.panels) drawn += panel.id.starts_with("layout") ? 1 : 0;
  if (drawn != sheets.size()) return fmt::format("{} sheets of {}", drawn, sheets.size());
  for (const Int sheet : sheets) {
    if (std::string wrong = wrong_sheet(picture, of, sheet, sheet == sheets.front()); !wrong.empty()) return wrong;
  }
  // From each sheet to the next of one stack, what is added to every offset, where that is the same.
  for (std::size_t k = 1; k < sheets.size(); ++k) {
    const PanelDrawn& panel = *picture.panel(fmt::format("layout{}", sheets[k]));
    if (sheets[k] / of.deep() != sheets[k - 1] / of.deep()) {
      if (!panel.arrows.empty()) return "an arrow goes from one stack to the next";
      continue;
    }
    Int step = 0;
    const bool same = of.apart(sheets[k - 1], sheets[k], step);
    for (const StrokeDrawn& arrow : panel.arrows) {
      const PanelDrawn& before = *picture.panel(fmt::format("layout{}", sheets[k - 1]));
      const Place from = place_of(before), to = place_of(panel);
      const double bottom = from.y + static_cast<double>(of.rows()), next = to.y + static_cast<double>(of.rows());
      const bool on_way = arrow.x0 >= from.x - 0.01 && arrow.x1 <= to.x + 0.01 && arrow.y0 >= bottom - 0.01 && arrow.y1 <= next + 0.01;
      if (!on_way) return "an arrow does not go from sheet to sheet";
      if (!same || !arrow.links.front().words.ends_with(fmt::format(": {:+} in every offset", step)))
        return "an arrow says " + arrow.links.front().words;
    }
    const std::string says = fmt::format("{:+}", step);
    for (const LabelDrawn& label : panel.labels) {
      const bool is_step = label.role == "legend" && (label.text[0] == '+' || label.text[0] == '-');
      if (is_step && (!same || label.text != says)) return fmt::format("{} instead of {}", label.text, says);
    }
  }
  // The sentence is of all sheets of every stack.
  bool even = of.deep() > 1;
  Int step = 0, first = 0;
  for (Int sheet = 0; even && sheet < of.all(); ++sheet) {
    if (sheet % of.deep() == 0) continue;
    even = of.apart(sheet - 1, sheet, step);
    if (sheet == 1) first = step;
    even = even && step == first;
  }
  const std::string words = words_below(picture);
  const std::string shown =
      of.asked.empty() ? count_of(of.all(), "sheet") : fmt::format("{} of its {}", sheets.size(), count_of(of.all(), "sheet"));
  std::vector<std::string> said{sheets.size() == static_cast<std::size_t>(of.all())
                                    ? fmt::format("as {} of {} × {}", count_of(of.all(), "sheet"), of.rows(), of.cols())
                                    : fmt::format("as {} of {} × {}", shown, of.rows(), of.cols())};
  if (even) said.push_back(fmt::format("each offset {} by {}", first < 0 ? "falls" : "grows", std::abs(first)));
  if (!even && words.find("from sheet to sheet") != std::string::npos) return "offsets do not grow evenly from sheet to sheet";
  std::vector<std::pair<Int, std::string>> colors;
  for (const Int sheet : sheets) {
    for (const CellDrawn& cell : picture.panel(fmt::format("layout{}", sheet))->cells) {
      if (of.color == "sheet") colors.emplace_back(sheet % of.deep(), cell.fill);
      if (of.color == "bank" && cell.links.front().bank >= 0) colors.emplace_back(cell.links.front().bank, cell.fill);
      if (of.color == "row") colors.emplace_back(cell.links.front().row, cell.fill);
    }
  }
  return first_of({wrong_words(picture, said), wrong_colors(picture, colors)});
}

Stack some_stack(Dice& dice) {
  for (;;) {
    Stack of;
    of.layout = tessera::attack::wild_layout(dice, 5, dice.one_in(3) ? tessera::attack::Signs::any : tessera::attack::Signs::positive);
    if (rank(of.layout) < 3 || size(of.layout) > 400 || of.all() > 40) continue;
    of.function = tessera::attack::plain(of.layout);
    const std::vector<Int> image = tessera::attack::image(of.layout);
    const Int least = *std::min_element(image.begin(), image.end());
    if (dice.one_in(3))
      of.function = tessera::attack::swizzled(tessera::attack::some_swizzle(dice), std::max(Int{0}, -least) + dice.up_to(8), of.layout);
    if (dice.one_in(6)) {  // a swizzle that moves sheets of further stacks alone
      const int rows = static_cast<int>(dice.between(1, 2)), deep = static_cast<int>(dice.between(1, 2));
      const Int stride = Int{2} << rows, more = stride << deep;
      of.layout =
          tessera::attack::beside({Plain{Int{1} << rows, 1}, Plain{2, Int{1} << rows}, Plain{Int{1} << deep, stride}, Plain{3, more}});
      of.function = tessera::attack::swizzled({1, rows + 1, deep}, 0, of.layout);
    }
    of.text = to_text(of.function);
    of.labels = std::vector<std::string>{"offset", "coordinate", "index", "none"}[static_cast<std::size_t>(dice.up_to(3))];
    of.bits = dice.of({0, 4, 6, 8, 16, 32, 64, 128});
    of.color = std::vector<std::string>{"offset", "sheet", "row", of.bits > 0 ? "bank" : "col"}[static_cast<std::size_t>(dice.up_to(3))];
    for (Int k = dice.one_in(3) ? dice.between(1, 3) : 0; k > 0; --k) of.asked.push_back(dice.up_to(of.all() - 1));
    std::sort(of.asked.begin(), of.asked.end());
    of.asked.erase(std::unique(of.asked.begin(), of.asked.end()), of.asked.end());
    return of;
  }
}

}  // namespace

TEST_CASE("a stack's picture has every sheet, and says what lies between one and the next", "[pictures]") {
  Dice dice(218);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Stack of = some_stack(dice);
    std::string figure = fmt::format("stack_figure({}, labels={}, color={}", of.text, of.labels, of.color);
    if (of.bits > 0) figure += fmt::format(", bits={}", of.bits);
    if (!of.asked.empty()) figure += fmt::format(", sheets=\"{}\"", fmt::join(of.asked, ","));
    cases.push_back({figure + ")", [of](const Picture& picture) { return wrong_stack(picture, of); }});
  }
  hold("stack", cases);
}
