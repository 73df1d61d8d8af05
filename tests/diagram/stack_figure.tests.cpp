// SPDX-License-Identifier: BSD-3-Clause
// The figure of a stack: every element of a layout of three modes or more stands on one sheet, where the mouse finds it.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

Result<Scene> of(const AnyLayout& layout, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(
      std::holds_alternative<Layout>(layout) ? FigureObject(std::get<Layout>(layout)) : FigureObject(std::get<ComposedLayout>(layout)),
      FigureStyle::tessera, "stack");
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

}  // namespace

TEST_CASE("each cell of a stack has its element's offset and its coordinate in every mode", "[stack]") {
  for (const char* text : {"(4,4,3):(4,1,16)", "(3,5,4):(20,4,1)", "((2,2),4,(2,3)):((1,8),2,(16,32))", "(2,3,2,3):(1,2,6,12)",
                           "Sw<2,0,3> o 0 o (4,8,2):(8,1,32)"}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    for (const char* direction : {"across", "down"}) {
      const Scene scene = of(layout, {{"direction", direction}}).value();
      std::set<std::string> coordinates;
      std::int64_t sheets = 0;
      for (std::size_t p = 0; p < scene.panels.size(); ++p) {
        if (!scene.panels[p].id.starts_with("layout")) continue;
        const std::int64_t sheet = std::stoll(scene.panels[p].id.substr(6));
        ++sheets;
        for (const CellView& cell : cells_of(scene, p)) {
          const Subject subject = subject_of(scene, cell.id).value();
          const std::int64_t rows = size(shape(layout)[0]), cols = size(shape(layout)[1]);
          CHECK(subject.address == evaluate(layout, subject.row + rows * (subject.col + cols * sheet)));
          CHECK(cell.label == std::to_string(subject.address));
          coordinates.insert(scene.coordinate_of(subject));
          // No sheet hides a cell of another one.
          CHECK(pick(scene, cell.x + cell.w / 2, cell.y + cell.h / 2) == cell.id);
        }
      }
      CHECK(static_cast<std::int64_t>(coordinates.size()) == size(layout));
      CHECK(sheets == size(layout) / size(shape(layout)[0]) / size(shape(layout)[1]));
    }
  }
}

TEST_CASE("each sheet of a pile lies on the one before it, whose first row and column stay free, and has its number beside it", "[stack]") {
  for (const char* text : {"(4,4,3):(4,1,16)", "(3,5,4):(20,4,1)", "((2,2),4,(2,3)):((1,8),2,(16,32))", "(8,8,20):(8,1,64)"}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    for (const char* color : {"offset", "none"}) {
      const Scene scene = of(layout, {{"color", color}}).value();
      std::set<std::string> headings;
      std::int64_t seen = 0, hidden = 0;
      for (std::size_t p = 0; p < scene.panels.size(); ++p) {
        if (!scene.panels[p].id.starts_with("layout")) continue;
        for (const std::string& heading : texts_of(scene, scene.panels[p], LabelRole::panel_name)) headings.insert(heading);
        for (const CellView& cell : cells_of(scene, p)) {
          CHECK(cell.fill != kNoColor);  // it covers what lies below
          const Subject subject = subject_of(scene, cell.id).value();
          const bool is_seen = pick(scene, cell.x + cell.w / 2, cell.y + cell.h / 2) == cell.id;
          (is_seen ? seen : hidden) += 1;
          if (subject.row == 0 || subject.col == 0) CHECK(is_seen);
        }
      }
      CHECK(hidden > 0);
      for (std::int64_t k = 0; k < size(shape(layout)[2]) && shape(layout)[2].is_int(); ++k)
        CHECK(headings.contains("mode 2 = " + std::to_string(k)));
      if (size(shape(layout)[2]) == 3) CHECK(hidden * 4 <= seen + hidden);
    }
  }
  // What is asked of single cells has to be seen.
  const Scene lit = of("(4,4,3):(4,1,16)"_any, {{"highlight", "offset=15"}}).value();
  for (std::size_t p = 0; p + 1 < lit.panels.size(); ++p) {
    for (const CellView& cell : cells_of(lit, p)) CHECK(pick(lit, cell.x + cell.w / 2, cell.y + cell.h / 2) == cell.id);
  }
}

TEST_CASE("the arrow of a stack says the third mode's stride, where there is one", "[stack]") {
  const Scene scene = of("(4,4,3):(4,1,16)"_any).value();
  REQUIRE(arrows_of(scene).size() == 2);
  CHECK(scene.words_of(scene.subjects.at(arrows_of(scene)[0].subject)) == "from (_,_,0) to (_,_,1): +16 in every offset");
  const Scene apart = of("(4,4,5):(4,1,100)"_any, {{"sheets", "1,4"}}).value();
  CHECK(apart.words_of(apart.subjects.at(arrows_of(apart).at(0).subject)) == "from (_,_,1) to (_,_,4): +300 in every offset");
  CHECK(arrows_of(of("(4,4,(2,2)):(4,1,(16,100))"_any).value()).empty());        // 16, 84, 16
  CHECK(arrows_of(of("Sw<2,0,4> o 0 o (4,4,3):(4,1,16)"_any).value()).empty());  // moves elements otherwise on each sheet
}

TEST_CASE("layouts of two modes, of coordinates, and sheets that there are not have no stack", "[stack]") {
  CHECK(of("(4,8):(8,1)"_any).error().message == "a stack has a sheet for each coordinate of a third mode, and (4,8):(8,1) has 2 modes");
  CHECK(of("(4,4,3):(4,1,16)"_any, {{"sheets", "2-3"}}).error().message == "sheets=2-3 names sheet 3, and (4,4,3):(4,1,16) has 3 sheets");
  CHECK(of("(2,2,100):(1,2,4)"_any).error().message == "(2,2,100):(1,2,4) has 100 sheets, and a stack has at most 64");
  CHECK(of(AnyLayout(make_identity_layout(tup({2, 2, 2})).value())).error().message.find("gives coordinates, and a stack shows offsets") !=
        std::string::npos);
}
