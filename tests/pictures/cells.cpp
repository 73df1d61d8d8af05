// SPDX-License-Identifier: BSD-3-Clause
#include "tests/pictures/cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::pictures {
namespace {

// Which step of `w` from `from` on a coordinate is; -1: none.
Int step_at(double at, double from, double w) {
  const double step = std::round((at - from) / w);
  return std::abs(from + step * w - at) < 0.004 ? static_cast<Int>(step) : -1;
}

std::string text_of(const std::vector<Link>& links) {
  std::vector<std::string> each;
  for (const Link& link : links) each.push_back(to_text(link));
  return fmt::format("[{}]", fmt::join(each, "; "));
}

}  // namespace

bool near(double one, double other) { return std::abs(one - other) < 0.004; }

Place place_of(const PanelDrawn& panel) {
  if (panel.cells.empty()) return {};
  Place place{panel.cells.front().x, panel.cells.front().y, panel.cells.front().w};
  for (const CellDrawn& cell : panel.cells) place.x = std::min(place.x, cell.x), place.y = std::min(place.y, cell.y);
  return place;
}

std::string to_text(const Link& link) {
  std::string text;
  const auto say = [&](std::string_view what, Int n) {
    if (n >= 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, n);
  };
  say("thread", link.thread), say("value", link.value), say("row", link.row), say("col", link.col), say("offset", link.offset);
  say("bank", link.bank);
  return text + fmt::format(" of \"{}\" \"{}\" \"{}\"", link.tensor, link.coordinate, link.words);
}

std::string wrong_cells(const PanelDrawn& panel, const WantedCells& wanted, const Place& place) {
  std::set<std::pair<Int, Int>> there;
  for (const CellDrawn& cell : panel.cells) {
    const std::pair at{step_at(cell.y, place.y, 1), step_at(cell.x, place.x, place.w)};
    const std::string where = fmt::format("{}: the cell at row {} column {}", panel.id, at.first, at.second);
    const auto is = wanted.find(at);
    if (is == wanted.end()) return where + " should not be there";
    if (!near(cell.w, place.w) || !near(cell.h, 1)) return fmt::format("{} is {} x {}", where, cell.w, cell.h);
    if (!there.insert(at).second) return where + " is there twice";
    if (cell.label != is->second.label) return fmt::format("{} says \"{}\", not \"{}\"", where, cell.label, is->second.label);
    if (cell.links != is->second.links)
      return fmt::format("{} stands for {}, not {}", where, text_of(cell.links), text_of(is->second.links));
  }
  if (there.size() == wanted.size()) return "";
  for (const auto& [at, cell] : wanted) {
    if (!there.contains(at))
      return fmt::format("{}: there is no cell at row {} column {}, \"{}\"", panel.id, at.first, at.second, cell.label);
  }
  return "";
}

std::string number(Int i) { return std::to_string(i); }

std::string wrong_axes(const PanelDrawn& panel, const Place& place, Int rows, Int cols, const NameOf& row, const NameOf& col) {
  bool first_row = row(0).empty(), first_col = col(0).empty();
  for (const LabelDrawn& label : panel.labels) {
    if (label.role != "axis" || label.anchor == "left") continue;
    const bool beside = label.x < place.x && label.anchor == "right", above = label.y < place.y && label.anchor == "center";
    const Int at = beside ? step_at(label.y, place.y + 0.5, 1) : above ? step_at(label.x, place.x + place.w / 2, place.w) : -1;
    if (at < 0 || at >= (beside ? rows : cols)) return fmt::format("{}: \"{}\" stands at no row or column", panel.id, label.text);
    const std::string wanted = beside ? row(at) : col(at);
    if (label.text != wanted)
      return fmt::format("{}: {} {} is called {}, not {}", panel.id, beside ? "row" : "column", at, label.text, wanted);
    (beside ? first_row : first_col) |= at == 0;
  }
  return first_row && first_col ? "" : fmt::format("{}: its first row or column has no number", panel.id);
}

std::string words_below(const Picture& picture) {
  std::string text;
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name != "caption") continue;
    for (const LabelDrawn& label : panel.labels) {
      text += label.text;
      if (!label.text.ends_with(' ') && !label.text.ends_with(',')) text += '\n';
    }
  }
  return text;
}

std::string wrong_words(const Picture& picture, const std::vector<std::string>& wanted) {
  const auto unbroken = [](std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  const std::string words = words_below(picture), all = unbroken(words);
  for (const std::string& each : wanted) {
    if (all.find(unbroken(each)) == std::string::npos) return fmt::format("nothing says \"{}\":\n{}", each, words);
  }
  return "";
}

std::map<std::string, std::string> swatches(const Picture& picture) {
  std::map<std::string, std::string> found;
  for (const PanelDrawn& panel : picture.panels) {
    if (panel.name != "caption") continue;
    for (const CellDrawn& cell : panel.cells) {
      for (const LabelDrawn& label : panel.labels) {
        const bool inside = label.x > cell.x && label.x < cell.x + cell.w && label.y > cell.y && label.y < cell.y + cell.h;
        if (inside) found[label.text] = cell.fill;
      }
    }
  }
  return found;
}

std::string wrong_colors(const Picture& picture, const std::vector<std::pair<Int, std::string>>& colored) {
  const std::string words = words_below(picture);
  const std::map<std::string, std::string> of = swatches(picture);
  const std::size_t div = words.find(" div ");
  const Int shades = div == std::string::npos ? 1 : std::atoll(words.c_str() + div + 5);
  const bool again = words.find(", again after") != std::string::npos;  // a hue stands for many numbers then
  if (!colored.empty() && of.empty() && !again && words.find("hue: ") != std::string::npos) return "colours have no numbers in the legend";
  std::map<Int, std::string> by_number;
  for (const auto& [n, fill] : colored) {
    if (const std::string& first = by_number.try_emplace(n, fill).first->second; first != fill)
      return fmt::format("{} has the colours {} and {}", n, first, fill);
    const auto swatch = of.find(std::to_string(n / shades));
    if (!again && n % shades == shades - 1 && swatch != of.end() && swatch->second != fill)
      return fmt::format("{} has the colour {}, and its swatch {}", n, fill, swatch->second);
  }
  return "";
}

std::string coordinate_of(const attack::Tree& shape, Int index) {
  if (!shape.tuple) return std::to_string(index);
  std::string text;
  for (std::size_t k = 0; k < shape.modes.size(); ++k) {
    const Int extent = attack::product(shape.modes[k]);
    const bool last = k + 1 == shape.modes.size();
    text += (k == 0 ? "" : ",") + coordinate_of(shape.modes[k], last ? index : index % extent);
    index /= extent;
  }
  return "(" + text + ")";
}

std::string rest_of(const attack::Plain& layout, Int index) {
  if (attack::rank(layout) < 3) return "";
  const std::vector<attack::Tree> rest(layout.shape.modes.begin() + 2, layout.shape.modes.end());
  const std::string text = coordinate_of(attack::Tree(rest), index);
  return text.substr(1, text.size() - 2);
}

std::string first_of(std::initializer_list<std::string> wrongs) {
  const auto* found = std::find_if(wrongs.begin(), wrongs.end(), [](const std::string& wrong) { return !wrong.empty(); });
  return found == wrongs.end() ? "" : *found;
}

std::string count_of(Int n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace tessera::pictures
