// SPDX-License-Identifier: BSD-3-Clause
// The figure of a swizzle: cells have what the layout gives with and without it, and the bits are those of the offset that is followed.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
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

FigureSpec of(const AnyLayout& layout, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(
      std::holds_alternative<Layout>(layout) ? FigureObject(std::get<Layout>(layout)) : FigureObject(std::get<ComposedLayout>(layout)),
      FigureStyle::tessera, "swizzle");
  spec.parameters = std::move(parameters);
  return spec;
}

// Of the panel with this identity: the first cell's label at an element's coordinate.
std::string label_at(const Scene& scene, std::string_view id, int row, int col) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    if (scene.panels[p].id == id) return std::string(find_cell(scene, p, row, col).value().label);
  }
  return "no such panel";
}

// The digits of the bit rows, as they stand: the offset's, then the address'.
std::string digits(const Scene& scene) {
  std::string text;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (panel.id == "bits" && cell) text += scene.text_of(cell->label);
    }
  }
  return text;
}

std::vector<std::string> bits_of(const Scene& scene) {
  std::vector<std::string> rows(2);
  float first = -1e9f;
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (panel.id != "bits" || !cell) continue;
      if (first < -1e8f) first = cell->y;
      rows[cell->y == first ? 0 : 1] += scene.text_of(cell->label);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("each cell of a swizzle's figure has the layout's own offset, and the plain one beside it", "[swizzle]") {
  for (const char* text :
       {"Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,3,3> o 0 o (16,32):(32,1)", "Sw<1,0,2> o 0 o (4,4):(4,1)", "Sw<3,3,3> o 0 o (64,8):(1,64)",
        "Sw<2,1,-3> o 0 o (8,8):(8,1)", "Sw<3,3,3> o 64 o (4,64):(64,1)", "Sw<3,3,3> o 0 o ((2,2,4),64):((64,512,128),1)"}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    const Swizzle swizzle = std::get<Swizzle>(std::get<ComposedLayout>(layout).outer);
    const Scene scene = drawn(of(layout));
    REQUIRE(scene.panels.size() >= 3);
    std::size_t compared = 0;
    for (std::size_t p = 0; p < 2; ++p) {
      for (const CellView& cell : cells_of(scene, p)) {
        const Subject subject = *subject_of(scene, cell.id);
        const std::int64_t address = evaluate(layout, subject.row, subject.col);
        CHECK(subject.address == (p == 0 ? swizzle(address) : address));
        CHECK(cell.label == std::to_string(subject.address));
        ++compared;
      }
    }
    CHECK(compared > 8);
  }
}

TEST_CASE("row 5, chunk 2 of a swizzled tile of halves is at 376", "[swizzle]") {
  const Scene scene = drawn(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any));
  CHECK(label_at(scene, "plain", 5, 16) == "336");
  CHECK(label_at(scene, "swizzled", 5, 16) == "376");
}

TEST_CASE("the bits under a swizzle are those of the element that is followed", "[swizzle]") {
  const auto rows = bits_of(drawn(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, {{"at", "(5,16)"}})));
  CHECK(rows[0] == "101010000");  // 336
  CHECK(rows[1] == "101111000");  // 376: 010 xor 101
  const auto other = bits_of(drawn(of("Sw<2,0,3> o 0 o (8,8):(8,1)"_any, {{"at", "(3,2)"}})));
  CHECK(other[0] == "011010");  // 26
  CHECK(other[1] == "011001");
  CHECK(digits(drawn(of("Sw<2,0,3> o 0 o (8,8):(8,1)"_any))).size() == 12);
}

TEST_CASE("a large tile is drawn as far as its pattern goes before it repeats", "[swizzle]") {
  const Scene scene = drawn(of("Sw<3,3,3> o 0 o (128,64):(64,1)"_any));
  CHECK(cells_of(scene, 0).size() == 64);
  std::string notes;
  for (const std::string& note : texts_of(scene, LabelRole::note)) notes += note + "\n";
  CHECK(notes.find("rows 0-7 of 128; the pattern repeats every 8 rows") != std::string::npos);
  CHECK(notes.find("chunk of rows 0-7: 8 wavefronts plain, 1 swizzled: no bank conflict\n") != std::string::npos);
}

TEST_CASE("of rows that do not lie in memory as they are counted, the wavefronts of 8 neighbours are said too, and these are marked",
          "[swizzle]") {
  const auto marked = [](const Scene& scene) {
    std::set<int> rows;
    for (const Mark& mark : scene.panels[0].marks) {
      const auto* line = std::get_if<Line>(&mark);
      if (line && line->role == StrokeRole::highlight && line->x0 == line->x1) rows.insert(static_cast<int>(line->y0));
    }
    return rows;
  };
  const Scene scene = drawn(of("Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1)"_any));
  std::string notes;
  for (const std::string& note : texts_of(scene, LabelRole::note)) notes += note + " ";
  CHECK(notes.find("rows 0-7: 8 wavefronts plain, 2 swizzled ldmatrix") != std::string::npos);
  CHECK(notes.find("rows 0-1, 4-5, 8-9, 12-13, with bars at the edge, which lie together in memory: 8 wavefronts plain, 1 swizzled: no "
                   "bank conflict") != std::string::npos);
  CHECK(marked(scene) == std::set<int>{0, 1, 4, 5, 8, 9, 12, 13});
  CHECK(marked(drawn(of("Sw<3,3,3> o 0 o (128,64):(64,1)"_any))).empty());
}

TEST_CASE("a swizzled layout whose name is longer than its grid is called by its swizzle", "[swizzle]") {
  const auto heading = [](const AnyLayout& layout) { return texts_of(drawn(of(layout)), LabelRole::panel_name).back(); };
  CHECK(heading("Sw<3,3,3> o 0 o ((2,2,4,16),64):((64,512,128,1024),1)"_any) == "the same through Sw<3,3,3>");
  CHECK(heading("Sw<3,3,3> o 0 o (8,64):(64,1)"_any) == "Sw<3,3,3> o 0 o (8,64):(64,1)");
}

TEST_CASE("one cell an element is drawn where it is asked for, or where the chunks have no mode", "[swizzle]") {
  CHECK(cells_of(drawn(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, {{"cells", "element"}})), 0).size() == 512);
  const AnyLayout apart = "Sw<1,1,1> o 0 o (2,4):(1,2)"_any;
  CHECK(cells_of(drawn(of("Sw<1,1,1> o 0 o (4,4):(5,1)"_any)), 0).size() == 16);
  CHECK(cells_of(drawn(of(apart)), 0).size() == 4);
  const Result<Scene> refused = make_figure(of("Sw<1,1,1> o 0 o (4,4):(5,1)"_any, {{"cells", "chunk"}}));
  REQUIRE(!refused);
  CHECK(refused.error().message.find("keeps 2 elements together") != std::string::npos);
}

TEST_CASE("what is no swizzle, and one that moves nothing, is refused with what it reads", "[swizzle]") {
  const auto refusal = [](const FigureSpec& spec) {
    const Result<Scene> scene = make_figure(spec);
    REQUIRE(!scene);
    return scene.error();
  };
  CHECK(refusal(of("(4,8):(8,1)"_any)).message == "this figure needs a layout behind a swizzle, and got (4,8):(8,1)");
  const Error wide = refusal(of("Sw<3,4,3> o 0 o (4,4):(4,1)"_any));
  CHECK(wide.message == "Sw<3,4,3> reads bits 7-9 of an offset, and the largest of Sw<3,4,3> o 0 o (4,4):(4,1) is 15: it moves nothing");
  CHECK(refusal(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, {{"at", "(8,0)"}})).message.find("is not in the picture") != std::string::npos);
  CHECK(refusal(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, {{"at", "T3"}})).message.find("is no coordinate") != std::string::npos);
}

TEST_CASE("a swizzled layout is drawn as such where nothing else is said, and as a layout where only layouts can do it", "[swizzle]") {
  const auto kind = [](const char* text) {
    const AnyLayout layout = Reader(text).any_layout().value();
    return default_kind(figure(FigureObject(std::get<ComposedLayout>(layout))));
  };
  CHECK(kind("Sw<3,3,3> o 0 o (8,64):(64,1)") == "swizzle");
  CHECK(kind("Sw<3,4,3> o 0 o (4,4):(4,1)") == "layout");  // it moves nothing
  CHECK(kind("Sw<0,4,3> o 3 o (4,4):(4,1)") == "layout");
  CHECK(kind("(8,8):(8,1) o 0 o Sw<1,0,2> o 0 o (4,4):(4,1)") == "layout");
  FigureSpec spec = figure(FigureObject(std::get<ComposedLayout>("Sw<3,3,3> o 0 o (8,64):(64,1)"_any)));
  CHECK(make_figure(spec).value().panels.front().id == "plain");
  spec.style = FigureStyle::print_latex;
  CHECK(default_kind(spec) == "layout");
  spec.style = FigureStyle::tessera;
  spec.parameters = {{"color", "bank"}};
  CHECK(default_kind(spec) == "layout");
  spec.parameters = {{"crop", "rows=0-3"}};
  CHECK(default_kind(spec) == "layout");
  CHECK(make_figure(spec).value().panels.front().id == "layout");
}
