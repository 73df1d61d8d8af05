// SPDX-License-Identifier: BSD-3-Clause
// A figure's grids as characters: every label is at its row and column, and nothing else is there.
#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/atom/copy/tiled_copy.hpp"
#include "core/atom/instructions/catalog.hpp"
#include "core/diagram/charts/bar_chart.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

Scene drawn(FigureObject object, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec;
  spec.objects = {std::move(object)};
  spec.parameters = std::move(parameters);
  spec.expression = "figure";
  return make_figure(spec).value();
}

Layout layout(std::vector<IntTuple> shape, std::vector<IntTuple> stride) {
  return Layout::make(IntTuple::tuple(std::move(shape)), IntTuple::tuple(std::move(stride))).value();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> made;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) made.push_back(line);
  return made;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> made(1);
  for (const char c : line) {
    if (c == ',')
      made.emplace_back();
    else
      made.back() += c;
  }
  return made;
}

}  // namespace

TEST_CASE("CSV has a layout's offset at each row and column") {
  const Layout of = layout({5, 7}, {1, 9});
  const std::vector<std::string> text = lines(render_text(drawn(of), TextForm::csv).value());
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : text) {
    if (!line.empty() && line[0] != '#') rows.push_back(fields(line));
  }
  REQUIRE(rows.size() == 5);
  for (std::int64_t m = 0; m < 5; ++m) {
    REQUIRE(rows[static_cast<std::size_t>(m)].size() == 7);
    for (std::int64_t n = 0; n < 7; ++n) CHECK(rows[static_cast<std::size_t>(m)][static_cast<std::size_t>(n)] == std::to_string(of(m, n)));
  }
}

TEST_CASE("where names stand on vectors, each cell of a table says its own owner; where no names are asked for, none does") {
  const CopyAtom atom = CopyAtom::make(find_copy_atom("UniversalCopy<uint128_t>").value(), ValueType::f16).value();
  const TiledCopy copy = make_tiled_copy(atom, layout({4, 2}, {2, 1}), layout({1, 8}, {8, 1})).value();
  for (const auto& [labels, named] : {std::pair{"", true}, {"none", false}}) {
    std::map<std::string, std::string> parameters;
    if (*labels) parameters["labels"] = labels;
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : lines(render_text(drawn(copy, parameters), TextForm::csv).value())) {
      if (!line.empty() && line[0] != '#') rows.push_back(fields(line));
    }
    REQUIRE(rows.size() == 4);
    for (std::int64_t t = 0; t < 8; ++t) {
      const SliceAndOffset part = copy.partition_s(AnyLayout(layout({4, 16}, {16, 1})), t).value();
      for (std::int64_t v = 0; v < 8; ++v) {
        const std::int64_t at = evaluate(part.layout, v) + part.offset.value();
        CHECK(rows[static_cast<std::size_t>(at / 16)][static_cast<std::size_t>(at % 16)] ==
              (named ? "T" + std::to_string(t) + " V" + std::to_string(v) : ""));
      }
    }
  }
}

TEST_CASE("Markdown numbers the rows and columns of a part as its picture does") {
  const Layout of = layout({8, 16}, {16, 1});
  const std::vector<std::string> text = lines(render_text(drawn(of, {{"crop", "rows=2-4, cols=5-7"}}), TextForm::markdown).value());
  CHECK(std::find(text.begin(), text.end(), "|  | 5 | 6 | 7 |") != text.end());
  CHECK(std::find(text.begin(), text.end(), "| **2** | 37 | 38 | 39 |") != text.end());
  CHECK(std::find(text.begin(), text.end(), "| **4** | 69 | 70 | 71 |") != text.end());
  // Every second number only is drawn of many.
  const std::vector<std::string> large = lines(render_text(drawn(layout({100, 3}, {1, 100})), TextForm::markdown).value());
  CHECK(std::find(large.begin(), large.end(), "| **97** | 97 | 197 | 297 |") != large.end());
}

TEST_CASE("boxes are as wide as the widest label, and Markdown numbers its columns") {
  const std::vector<std::string> box = lines(render_text(drawn(layout({2, 2}, {1, 100})), TextForm::boxes).value());
  CHECK(std::find(box.begin(), box.end(), "│   0 │ 100 │") != box.end());
  CHECK(std::find(box.begin(), box.end(), "│   1 │ 101 │") != box.end());
  CHECK(std::find(box.begin(), box.end(), "├─────┼─────┤") != box.end());
  const std::vector<std::string> table = lines(render_text(drawn(layout({2, 2}, {1, 100})), TextForm::markdown).value());
  CHECK(std::find(table.begin(), table.end(), "|  | 0 | 1 |") != table.end());
  CHECK(std::find(table.begin(), table.end(), "| **1** | 1 | 101 |") != table.end());
}

TEST_CASE("every panel is a table under its name, with both lines of a label") {
  const std::string text = render_text(drawn(find_mma_atom("SM70_8x8x4_F32F16F16F32_NT").value()), TextForm::csv).value();
  for (const char* name : {"# C  M8", "# A  M8", "# B  K4"}) CHECK(text.find(name) != std::string::npos);
  CHECK(text.find("T0 V0,T0 V1,T2 V0,T2 V1,T0 V4,T0 V5,T2 V4,T2 V5\n") != std::string::npos);
}

TEST_CASE("what is no grid is refused with the format that has it") {
  BarChart chart;
  chart.rows.push_back({"", "row", "", "", {Bar{1, {}, "1"}}, "", false});
  const Result<std::string> refused = render_text(bar_chart(chart).value(), TextForm::boxes);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().notes.at(0).find("json") != std::string::npos);
}

TEST_CASE("text says of shared cells and of offsets what the picture says, and nothing of its colours") {
  FigureSpec spec;
  spec.kind = "tv";
  spec.objects = {layout({4, 2}, {1, 2}), layout({2, 3}, {1, 2})};  // T2 V0 lies where T0 V1 does
  spec.expression = "figure";
  const Scene scene = make_figure(spec).value();
  const std::string boxes = render_text(scene, TextForm::boxes).value();
  CHECK(boxes.find("T0 V1*") != std::string::npos);
  CHECK(boxes.find("T0 V0*") == std::string::npos);
  CHECK(boxes.find("\n*: held twice, also by T + 2\n") != std::string::npos);
  CHECK(boxes.find("2 cells have more than one owner; the first is drawn") != std::string::npos);
  CHECK(boxes.find("hue:") == std::string::npos);
  const std::string csv = render_text(scene, TextForm::csv).value();
  CHECK(csv.find("T0 V1*") == std::string::npos);
  CHECK(csv.find("\n# *: held twice, also by T + 2\n") != std::string::npos);
  spec.kind = "divide";
  spec.objects = {layout({3, 2}, {2, 1}), Tiler(std::vector<Tiler>{2, 2})};
  const std::string divided = render_text(make_figure(spec).value(), TextForm::boxes).value();
  CHECK(divided.find(" (6) ") != std::string::npos);  // the fourth row is none of the layout
  CHECK(divided.find(" (4) ") == std::string::npos);
  CHECK(divided.find("\nin parentheses: 2 coordinates beyond the layout") != std::string::npos);
  const std::string twice = render_text(drawn(layout({4, 4}, {1, 2})), TextForm::boxes).value();
  CHECK(twice.find("puts 16 elements at 10 distinct offsets") != std::string::npos);
  const std::string silent = render_text(drawn(layout({4, 4}, {1, 2}), {{"caption", "no"}}), TextForm::boxes).value();
  CHECK(silent.find("distinct offsets") == std::string::npos);
}
