// SPDX-License-Identifier: BSD-3-Clause
// Numbers as pictures: a heat map's cells say their sweep's values, and kernels stand on the roof that their device has.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/utf8.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

NumberTable grid_of(std::vector<std::optional<double>> values) {
  NumberTable table{"f(p, q)", {}, {{"value", std::move(values)}}, {"p", "q"}, {}};
  for (std::size_t i = 0; i < table.columns[0].values.size(); ++i) {
    table.at.push_back({std::to_string(8 + i / 3), std::to_string(i % 3)});
    table.points.push_back("p = " + table.at.back()[0] + ", q = " + table.at.back()[1]);
  }
  return table;
}

Roofline kernel(double intensity) { return {"H200", 1000, 5000, intensity}; }  // the ridge is at 200

FigureSpec roofline(std::vector<FigureObject> kernels, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec;
  spec.kind = "roofline";
  spec.objects = std::move(kernels);
  spec.parameters = std::move(parameters);
  return spec;
}

std::vector<Cell> cells_in(const Scene& scene) {
  std::vector<Cell> found;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) found.push_back(*cell);
  }
  return found;
}

}  // namespace

TEST_CASE("each cell of a heat map stands at its two parameters, and equal numbers have equal colours", "[heat_map]") {
  const Scene scene = make_figure(figure(grid_of({1, 2, 3, 3, std::nullopt, 1}), FigureStyle::tessera, "heat_map")).value();
  const std::vector<Cell> cells = cells_in(scene);
  REQUIRE(cells.size() == 6);
  CHECK(scene.text_of(cells[3].label) == "3");
  CHECK(cells[3].y == 1);
  CHECK(cells[3].x == 0);
  CHECK(cells[2].x == Approx(2 * cells[2].w));
  CHECK(cells[2].fill == cells[3].fill);
  CHECK(cells[0].fill == cells[5].fill);
  CHECK(cells[0].fill != cells[1].fill);
  CHECK(cells[4].fill == kNoColor);
  CHECK(scene.words_of(scene.subjects.at(cells[4].subject)) == "p = 9, q = 1: refused");
  CHECK(scene.words_of(scene.subjects.at(cells[1].subject)) == "p = 8, q = 1: value 2");
}

TEST_CASE("a heat map says its rows and columns in words, and outlines what is as little as there can be", "[heat_map]") {
  NumberTable table = grid_of({1, 2, 3, 2, 1, 4});
  table.columns[0].name = "wavefronts";
  table.columns.push_back({"least", {1, 1, 1, 1, 1, 1}});
  FigureSpec spec = figure(table, FigureStyle::tessera, "heat_map");
  spec.parameters = {{"across", "Sw<{},3,3>"}, {"down", "rows of {}"}, {"unit", "wavefronts of a load"}};
  const Scene scene = make_figure(spec).value();
  const std::vector<std::string> axes = texts_of(scene, LabelRole::axis);
  for (const char* words : {"Sw<0,3,3>", "Sw<2,3,3>", "rows of 8", "rows of 9"})
    CHECK(std::find(axes.begin(), axes.end(), words) != axes.end());
  CHECK(texts_of(scene, LabelRole::panel_name).front() == "wavefronts of a load");
  float length = 0;
  for (const Mark& mark : scene.panels.front().marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (line && line->role == StrokeRole::highlight) length += (line->x1 - line->x0) / cells_in(scene)[0].w + (line->y1 - line->y0);
  }
  CHECK(length == Approx(8));  // around two cells
  const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
  CHECK(std::find(notes.begin(), notes.end(), "outlined: the least possible, no bank conflict") != notes.end());
  CHECK(std::find(notes.begin(), notes.end(), "Wavefronts of a load over rows of p and Sw<q,3,3>: 1 to 4.") != notes.end());
}

TEST_CASE("columns of a heat map have the names that stand between semicolons, and few whole numbers a swatch each", "[heat_map]") {
  FigureSpec spec = figure(grid_of({1, 2, 3, 3, std::nullopt, 1}), FigureStyle::tessera, "heat_map");
  spec.parameters["across"] = "none; some; all";
  const Scene scene = make_figure(spec).value();
  const std::vector<std::string> axis = texts_of(scene, LabelRole::axis), legend = texts_of(scene, LabelRole::legend);
  for (const char* name : {"none", "some"}) CHECK(std::count(axis.begin(), axis.end(), name) == 1);
  for (const char* number : {"1", "2", "3"}) CHECK(std::count(legend.begin(), legend.end(), number) == 1);
  // A title says what is to be seen, and the sentence does not say it again; the title is not said with the call.
  const auto sentences = texts_of(scene, LabelRole::note).size();
  spec.title = "Two", spec.expression = "heat_map_figure(x, title=\"Two\")";
  const Scene titled = make_figure(spec).value();
  CHECK(texts_of(titled, LabelRole::note).size() == sentences - 1);
  const std::vector<std::string> calls = texts_of(titled, LabelRole::caption);
  CHECK(std::count(calls.begin(), calls.end(), "heat_map_figure(x)") == 1);
}

TEST_CASE("heat maps of one parameter, of nothing and of infinities are refused", "[heat_map]") {
  const NumberTable line{"", {"p = 1"}, {{"value", {1.0}}}, {"p"}, {{"1"}}};
  CHECK(refusal(figure(line, FigureStyle::tessera, "heat_map")).message ==
        "a heat map is over two parameters, and this table is over 1 parameter");
  CHECK(refusal(figure(grid_of({std::nullopt}), FigureStyle::tessera, "heat_map")).message ==
        "there is nothing to show: value has no number");
  CHECK(refusal(figure(grid_of({1, std::numeric_limits<double>::infinity()}), FigureStyle::tessera, "heat_map")).message ==
        "value is inf at p = 8, q = 1, which has no place on a scale of colours");
  CHECK(refusal(figure(lay(8, 1), FigureStyle::tessera, "heat_map")).message.find("not of a layout") != std::string::npos);
}

TEST_CASE("a kernel stands on the roof of its intensity, and below it as far as it was measured", "[roofline]") {
  const Scene scene = make_figure(roofline({kernel(20), kernel(800)}, {{"names", "thin; square"}, {"measured", "; 500"}})).value();
  const std::vector<Cell> cells = cells_in(scene);
  REQUIRE(cells.size() == 2);
  CHECK(scene.words_of(scene.subjects.at(cells[0].subject)) == "thin: 20 FLOP/byte, at best 100 TFLOP/s");
  CHECK(scene.words_of(scene.subjects.at(cells[1].subject)) == "square: 800 FLOP/byte, at best 1000 TFLOP/s, measured 500");
  // The roof's two lines: up to the ridge, and level behind it.
  std::vector<Line> roof;
  for (const Mark& mark : scene.panels.front().marks) {
    if (const auto* line = std::get_if<Line>(&mark); line && line->role == StrokeRole::strong) roof.push_back(*line);
  }
  REQUIRE(roof.size() == 2);
  const auto middle = [](const Cell& cell) { return std::pair{cell.x + cell.w / 2, cell.y + cell.h / 2}; };
  const auto [x, y] = middle(cells[0]);
  const float along = (x - roof[0].x0) / (roof[0].x1 - roof[0].x0);
  CHECK(along > 0);
  CHECK(along < 1);
  CHECK(y == Approx(roof[0].y0 + along * (roof[0].y1 - roof[0].y0)).margin(0.01));
  CHECK(roof[1].y0 == Approx(roof[1].y1));
  CHECK(middle(cells[1]).first > roof[1].x0);
  CHECK(middle(cells[1]).second > roof[1].y0 + 0.1f);  // below the roof
  // Twice slower is as far down as twice the rate anywhere on the scale.
  const Scene whole = make_figure(roofline({kernel(20), kernel(800)}, {{"measured", "; 1000"}})).value();
  CHECK(middle(cells_in(whole)[1]).second == Approx(roof[1].y0).margin(0.01));
}

TEST_CASE("words on a roofline stay inside its frame, off its lines, off the points and off each other", "[roofline]") {
  for (const double far : {210.0, 800.0, 8000.0}) {
    CAPTURE(far);
    Roofline square = kernel(far), thin = kernel(20), near_ridge = kernel(150);
    square.problem = "4096 × 4096 × 4096", square.type = thin.type = near_ridge.type = "f16";
    thin.problem = "16 × 4096 × 4096", near_ridge.problem = "256 × 256 × 4096";
    const Scene scene = make_figure(roofline({square, thin, near_ridge})).value();
    const Panel& panel = scene.panels.front();
    Bounds frame;
    float ridge = 0, top = 0;
    for (const Mark& mark : panel.marks) {
      if (const auto* outline = std::get_if<Outline>(&mark); outline && frame.x1 == 0) frame = {0, 0, outline->w, outline->h};
      if (const auto* line = std::get_if<Line>(&mark); line && line->role == StrokeRole::strong && line->y0 == line->y1)
        ridge = line->x0, top = line->y0;
    }
    std::vector<Bounds> taken;
    for (const Cell& cell : cells_in(scene)) taken.push_back({cell.x, cell.y, cell.x + cell.w, cell.y + cell.h});
    int named = 0;
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (!label || label->role == LabelRole::axis) continue;
      const std::string_view words = scene.text_of(label->text);
      CAPTURE(words);
      named += label->role == LabelRole::panel_name;
      const float wide = 0.56f * label->size * static_cast<float>(count_characters(words));
      const float left = label->anchor == Anchor::left ? label->x : label->anchor == Anchor::right ? label->x - wide : label->x - wide / 2;
      const Bounds box{left, label->y - label->size / 2, left + wide, label->y + label->size / 2};
      CHECK((box.x0 > 0 && box.x1 < frame.x1 && box.y0 > 0 && box.y1 < frame.y1));
      CHECK_FALSE((box.x0 < ridge && ridge < box.x1 && box.y1 > top));
      for (const Bounds& other : taken) CHECK_FALSE((box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1));
      taken.push_back(box);
    }
    CHECK(named == 3);
    for (const Mark& mark : panel.marks) {  // lines of the grid leave words out
      const auto* line = std::get_if<Line>(&mark);
      if (!line || line->role != StrokeRole::hairline) continue;
      for (const Bounds& box : taken) CHECK_FALSE((line->x0 < box.x1 && line->x1 > box.x0 && line->y0 < box.y1 && line->y1 > box.y0));
    }
    const std::vector<std::string> legend = texts_of(scene, LabelRole::legend);
    for (const char* words : {"f16 arithmetic: 1000 TFLOP/s", "global memory: 5000 GB/s", "200 FLOP/byte"})
      CHECK(std::find(legend.begin(), legend.end(), words) != legend.end());
  }
}

TEST_CASE("roofs of two devices, rates that are none and rates above the roof are refused", "[roofline]") {
  CHECK(refusal(roofline({kernel(20), Roofline{"H100", 900, 3000, 20}})).message.find("a roof is of one device and one type of elements") ==
        0);
  CHECK(refusal(roofline({Roofline{"H200", std::numeric_limits<double>::infinity(), 5000, 20}})).message.find("none of them is infinite") !=
        std::string::npos);
  CHECK(refusal(roofline({kernel(0)})).message.find("above zero") != std::string::npos);
  CHECK(refusal(roofline({kernel(20)}, {{"measured", "fast"}})).message == "measured: fast is no rate in TFLOP/s");
  CHECK(refusal(roofline({kernel(20)}, {{"measured", "inf"}})).message == "measured: inf is no rate in TFLOP/s");
  CHECK(refusal(roofline({kernel(20)}, {{"measured", "120"}})).message.find("measured: 120 TFLOP/s is more than the roof of 100 allows") ==
        0);
  CHECK(refusal(roofline({kernel(20)}, {{"measured", "1; 2"}})).message == "measured has 2 rates, and there are 1 kernels");
  CHECK(refusal(figure(lay(8, 1), FigureStyle::tessera, "roofline")).message.find("needs what roofline(...) answers, and got a layout") !=
        std::string::npos);
}
