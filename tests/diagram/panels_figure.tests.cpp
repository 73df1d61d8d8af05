// SPDX-License-Identifier: BSD-3-Clause
// Several figures as one: their cells as they are alone, identities that differ, one scale of colours, and each legend once.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureObject part(FigureSpec spec) { return std::make_shared<const FigureSpec>(std::move(spec)); }

FigureSpec panels(std::vector<FigureObject> parts, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec;
  spec.kind = "panels";
  spec.objects = std::move(parts);
  spec.parameters = std::move(parameters);
  return spec;
}

const GridColumns& first_grid(const Panel& panel) {
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) return *grid->of;
  }
  throw std::runtime_error("no grid");
}

}  // namespace

TEST_CASE("an offset has one colour in all figures that stand side by side", "[panels]") {
  const Scene scene = drawn(panels({part(figure("(4,8):(8,1)"_layout)), part(figure("(4,8):(16,2)"_layout))}));
  const GridColumns &a = first_grid(scene.panels[0]), &b = first_grid(scene.panels[1]);
  std::map<std::int64_t, ColorIndex> color;
  for (std::size_t i = 0; i < b.size(); ++i) color[b.address[i]] = b.fills[i];
  std::size_t both = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!color.contains(a.address[i])) continue;
    CHECK(color.at(a.address[i]) == a.fills[i]);
    ++both;
  }
  CHECK(both == 16);
  // Alone, the largest offset is the end of its own ramp.
  const Scene alone = make_figure(figure("(4,8):(8,1)"_layout)).value();
  CHECK(alone.palette[first_grid(alone.panels[0]).fills.back()] != scene.palette[a.fills.back()]);
}

TEST_CASE("parts keep their cells and links, have identities of their own, and are lettered", "[panels]") {
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.objects.push_back("(4,8):(8,1)"_layout);
  const Scene scene =
      drawn(panels({part(tv), part(figure("(4,8):(8,1)"_layout)), part(figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value()))},
                   {{"titles", "who owns it; where it lies"}}));
  std::set<std::string> ids;
  std::size_t grids = 0;
  for (const Panel& panel : scene.panels) {
    if (panel.name == kCaptionPanel) continue;
    CHECK(ids.insert(panel.id).second);
    grids += !cells_of(scene, static_cast<std::size_t>(&panel - scene.panels.data())).empty();
  }
  CHECK(grids == 5);
  const Scene alone = make_figure(tv).value();
  const std::vector<CellView> here = cells_of(scene, 0), there = cells_of(alone, 0);
  REQUIRE(here.size() == there.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    CHECK(here[i].label == there[i].label);
    CHECK(scene.palette[here[i].fill] == alone.palette[there[i].fill]);
    const Subject a = *subject_of(scene, here[i].id), b = *subject_of(alone, there[i].id);
    CHECK(a.thread == b.thread);
    CHECK(a.address == b.address);
    CHECK(scene.tensors.at(static_cast<std::size_t>(a.tensor)) == alone.tensors.at(static_cast<std::size_t>(b.tensor)));
  }
  const std::vector<std::string> names = texts_of(scene, LabelRole::panel_name);
  for (const char* name : {"(a)  who owns it", "(b)  where it lies", "(c)"}) CHECK(std::count(names.begin(), names.end(), name) == 1);
}

TEST_CASE("no two parts lie on one another, however many stand side by side", "[panels]") {
  const FigureObject one = part(figure("(4,8):(8,1)"_layout)), other = part(figure("(16,4):(4,1)"_layout));
  for (const char* across : {"1", "2", "3", "4"}) {
    const Scene scene = drawn(panels({one, other, one, other}, {{"across", across}}));
    std::vector<Bounds> boxes;
    for (const Panel& panel : scene.panels) {
      if (panel.name != kCaptionPanel) boxes.push_back(bounds(panel));
    }
    REQUIRE(boxes.size() == 4);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart =
            boxes[i].x0 >= boxes[j].x1 || boxes[j].x0 >= boxes[i].x1 || boxes[i].y0 >= boxes[j].y1 || boxes[j].y0 >= boxes[i].y1;
        CHECK(apart);
      }
    }
  }
}

TEST_CASE("a legend that two parts share stands once", "[panels]") {
  const Scene scene = drawn(panels({part(figure("(4,8):(8,1)"_layout)), part(figure("(4,8):(1,4)"_layout))}));
  const std::vector<std::string> legends = texts_of(scene, scene.panels.back(), LabelRole::legend);
  CHECK(std::count(legends.begin(), legends.end(), "colour: the offset, 0 to 31") == 1);
  const std::vector<std::string> notes = texts_of(scene, scene.panels.back(), LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "(b) (4,8):(1,4) puts 32 elements at offsets 0 to 31, without gaps.") == 1);
}

TEST_CASE("figures of figures, too many titles and refused parts are refused by their letter", "[panels]") {
  const auto refusal = [](const FigureSpec& spec) {
    const Result<Scene> scene = make_figure(spec);
    REQUIRE(!scene);
    return scene.error().message;
  };
  const FigureObject good = part(figure("(4,8):(8,1)"_layout));
  CHECK(refusal(panels({good, part(panels({good}))})) == "(b) is a figure of figures itself");
  CHECK(refusal(panels({good}, {{"titles", "one; two"}})) == "titles= has 2 titles, and there are 1 figures");
  CHECK(
      refusal(panels({good, part(figure("(4,8):(8,1)"_layout, FigureStyle::tessera, "mma"))})).find("(b): this figure needs an MMA atom") ==
      0);
  CHECK(refusal(panels({"(4,8):(8,1)"_layout})).find("is of figures, and got a layout") != std::string::npos);
}

TEST_CASE("what is grey in a part is said with its swatch", "[panels]") {
  const Scene scene = drawn(panels({part(figure("(4,8):(8,1)"_layout)), part(figure("(4,8):(9,1)"_layout))}));
  const std::vector<std::string> legends = texts_of(scene, scene.panels.back(), LabelRole::legend);
  CHECK(std::find(legends.begin(), legends.end(), "grey: 1 unused element after each row but the last") != legends.end());
}
