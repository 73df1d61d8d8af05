// SPDX-License-Identifier: BSD-3-Clause
// diagram_figure: the leaves of a layout, the factors of memory in the order of their strides, and an arrow from each leaf to its factor.
#include <algorithm>
#include <cstddef>
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
using tessera::attack::Plain;
using tessera::attack::Tree;

namespace {

struct Leaf {
  Int extent = 1, stride = 0;
};

void append_leaves(const Tree& shape, const Tree& stride, std::vector<Leaf>& leaves) {
  if (!shape.tuple) leaves.push_back({shape.value, stride.value});
  for (std::size_t k = 0; k < shape.modes.size(); ++k) append_leaves(shape.modes[k], stride.modes[k], leaves);
}

// What a box of a leaf, and of the factor that it walks, stands for.
std::vector<Link> links_of(const Leaf& leaf, const std::string& tensor) {
  const std::string name = fmt::format("{}:{}", leaf.extent, leaf.stride);
  Link words;
  words.words = leaf.extent == 1 ? name + " has no arrow: one coordinate walks nowhere"
                                 : fmt::format("{} walks the factor {} of memory, in {} of {}", name, leaf.extent,
                                               count_of(leaf.extent - 1, "step"), leaf.stride);
  std::vector<Link> links{words};
  for (Int i = 0; leaf.stride > 0 && i < std::min<Int>(leaf.extent, 256); ++i) {
    Link at;
    at.offset = i * leaf.stride, at.tensor = tensor;
    links.push_back(at);
  }
  return links;
}

// Boxes from the lowest to the highest, one for each leaf.
std::string wrong_column(std::vector<CellDrawn> cells, const std::vector<Leaf>& leaves, bool factors, const std::string& tensor) {
  std::sort(cells.begin(), cells.end(), [](const CellDrawn& a, const CellDrawn& b) { return a.y > b.y; });
  if (cells.size() != leaves.size()) return fmt::format("{} boxes of {}", cells.size(), leaves.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string label = factors ? std::to_string(leaves[i].extent) : fmt::format("{}:{}", leaves[i].extent, leaves[i].stride);
    if (cells[i].label != label || cells[i].links != links_of(leaves[i], tensor))
      return fmt::format("box {} says {}, not {}", i, cells[i].label, label);
    if (i > 0 && cells[i].y + cells[i].h > cells[i - 1].y + 0.01) return label + " lies over the box below it";
  }
  return "";
}

std::string wrong_diagram(const Picture& picture, const Plain& layout) {
  const PanelDrawn& panel = *picture.panel("diagram");
  const std::string tensor = to_text(layout);
  std::vector<Leaf> leaves, factors;
  append_leaves(layout.shape, layout.stride, leaves);
  for (const Leaf& leaf : leaves) {
    if (leaf.extent > 1) factors.push_back(leaf);
  }
  std::sort(factors.begin(), factors.end(), [](const Leaf& a, const Leaf& b) { return a.stride < b.stride; });
  double left = panel.cells.front().x, right = left;
  for (const CellDrawn& cell : panel.cells) left = std::min(left, cell.x), right = std::max(right, cell.x);
  std::vector<CellDrawn> of_leaves, of_factors;
  for (const CellDrawn& cell : panel.cells) (near(cell.x, left) ? of_leaves : of_factors).push_back(cell);
  for (const CellDrawn& cell : of_factors) {
    if (!near(cell.x, right)) return cell.label + " stands between the leaves and memory";
    const std::string stride = std::to_string(cell.links.size() > 2 ? cell.links[2].offset : -1);
    const auto is_tick = [&](const LabelDrawn& label) {
      return label.role == "axis" && label.anchor == "left" && label.text == stride && label.y > cell.y && label.y < cell.y + cell.h;
    };
    if (std::none_of(panel.labels.begin(), panel.labels.end(), is_tick)) return fmt::format("the factor of stride {} has no tick", stride);
  }
  if (std::string wrong = first_of({wrong_column(of_leaves, leaves, false, tensor), wrong_column(of_factors, factors, true, tensor)});
      !wrong.empty())
    return wrong;
  if (panel.arrows.size() != factors.size()) return fmt::format("{} arrows of {}", panel.arrows.size(), factors.size());
  for (const StrokeDrawn& arrow : panel.arrows) {
    const auto box = [&](const std::vector<CellDrawn>& cells, double y) {
      return std::any_of(cells.begin(), cells.end(), [&](const CellDrawn& cell) {
        return cell.links.front().words == arrow.links.front().words && near(y, cell.y + cell.h / 2);
      });
    };
    if (!box(of_leaves, arrow.y0) || !box(of_factors, arrow.y1)) return "an arrow does not join its boxes: " + arrow.links.front().words;
  }
  return wrong_words(picture, {"no offset is skipped"});
}

}  // namespace

TEST_CASE("a layout's diagram has its leaves, the factors of memory, and an arrow from each to its own", "[pictures]") {
  Dice dice(230);
  std::vector<Case> cases;
  while (static_cast<int>(cases.size()) < cases_a_kind()) {
    const Plain layout = tessera::attack::compact_layout(dice);
    if (size(layout) < 2) continue;
    cases.push_back(
        {fmt::format("diagram_figure({})", to_text(layout)), [layout](const Picture& picture) { return wrong_diagram(picture, layout); }});
  }
  hold("diagram", cases);
}
