// SPDX-License-Identifier: BSD-3-Clause
// Sizes, colours, numbers and titles that all renderers share, each against a second definition.
#include "core/render/shared/typography.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ios>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/diagram/kinds/figures.hpp"
#include "core/render/shared/look.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

void check_look(const StrokeLook& look, double width, Rgb color) {
  CHECK(look.width == width);
  CHECK(look.color == color);
}

}  // namespace

TEST_CASE("every role has its own look", "[render]") {
  const Rgb ink = kInk, black{0, 0, 0};
  Scene scene;
  check_look(look_of(scene).stroke(StrokeRole::hairline), 0.012, {200, 205, 214});
  check_look(look_of(scene).stroke(StrokeRole::grid), 0.022, {255, 255, 255});
  check_look(look_of(scene).stroke(StrokeRole::boundary), 0.036, {92, 99, 112});
  check_look(look_of(scene).stroke(StrokeRole::strong), 0.062, ink);
  check_look(look_of(scene).stroke(StrokeRole::highlight), 0.100, ink);
  for (const StrokeRole role : {StrokeRole::hairline, StrokeRole::grid, StrokeRole::boundary, StrokeRole::strong, StrokeRole::highlight}) {
    for (const FigureStyle style : {FigureStyle::print_latex, FigureStyle::print_svg}) {
      Scene cutes;
      cutes.style = style;
      check_look(look_of(cutes).stroke(role), 0.028, black);
    }
  }
  for (const auto& [role, color, bold, mono] : {std::tuple{LabelRole::axis, Rgb{92, 99, 112}, false, false},
                                                {LabelRole::panel_name, ink, true, false},
                                                {LabelRole::caption, Rgb{70, 77, 90}, false, true},
                                                {LabelRole::legend, ink, false, false},
                                                {LabelRole::note, Rgb{70, 77, 90}, false, false}}) {
    CHECK(label_color(role) == color);
    CHECK(is_bold(role) == bold);
    CHECK(is_mono(role) == mono);
  }
}

TEST_CASE("on a dark page texts can be read, grids have the paper's colour, and what stands back stands back", "[render]") {
  const Palette dark = Palette::find("dark").value();
  Scene scene;
  scene.page = {dark.paper(), dark.ink()};
  CHECK(look_of(scene).stroke(StrokeRole::grid).color == dark.paper());
  CHECK(look_of(scene).stroke(StrokeRole::strong).color == dark.ink());
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note})
    CHECK(contrast(label_color(role, scene.page), dark.paper()) >= 4.5);
  CHECK(contrast(look_of(scene).stroke(StrokeRole::hairline).color, dark.paper()) <
        contrast(look_of(scene).stroke(StrokeRole::boundary).color, dark.paper()));
  CHECK(contrast(cell_text_color(scene, CellView{0, 0, 1, 1, kNoColor, false}), dark.paper()) >= 4.5);
  FigureSpec spec;
  spec.objects = {Layout::make_compact(IntTuple::tuple({2, 2})).value()};
  spec.palette = "dark";
  CHECK(make_figure(spec).value().page == scene.page);
  CHECK(render_svg(make_figure(spec).value()).value().find("<rect width") != std::string::npos);
  spec.palette = "";
  CHECK(make_figure(spec).value().page == Page{});
}

TEST_CASE("a number is the decimal of printf without its last zeros", "[render]") {
  std::mt19937 random(2);
  for (int round = 0; round < 5000; ++round) {
    const int decimals = static_cast<int>(random() % 5);
    const double scale = std::pow(10.0, static_cast<double>(random() % 7));
    // Between two steps, so that no rounding is a tie.
    const double value = (static_cast<double>(random() % 2000001) - 1000000 + 0.3) / 1000000 * scale;
    std::string expected = fmt::format("{:.{}f}", value, decimals), got;
    if (decimals > 0) {
      expected.erase(expected.find_last_not_of('0') + 1);
      if (expected.back() == '.') expected.pop_back();
    }
    if (expected == "-0") expected = "0";
    append_number(got, value, decimals);
    INFO(fmt::format("{:.9f} with {}", value, decimals));
    REQUIRE(got == expected);
  }
}

TEST_CASE("what a file cannot hold or a font cannot set becomes the sign for that, and nothing else does", "[render]") {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const bool replaced =
        (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code <= 0x9f) || code == 0xfffe || code == 0xffff;
    if ((drawable(Utf8Character{code, 1, true}) == (replaced ? char32_t{0xfffd} : code)) == false)
      FAIL("U+" << std::hex << static_cast<unsigned>(code));
  }
  CHECK(drawable("a\x01z\xff\n\t\xc3\xa9") == "a\xef\xbf\xbdz\xef\xbf\xbd\n\t\xc3\xa9");
}

TEST_CASE("a cell's title says each thing that it has, and names nine owners", "[render]") {
  Scene scene;
  scene.tensors = {"sA"}, scene.rests = {"2"};
  const auto title = [&](std::vector<Subject> links) {
    scene.subjects = std::move(links);
    Cell cell;
    cell.subject = 0, cell.subject_count = static_cast<std::uint32_t>(scene.subjects.size());
    scene.panels = {Panel{"p", {cell, Cell{}}}};
    return subject_title(scene, {0, 0, 0});
  };
  CHECK(title({{0, 0, 0, 0, 0, 0, 0}}) == "T0 V0, (0,0), offset 0, bank 0");
  CHECK(title({{1, 2, 3, 4, 5, 6, 0, 0}}) == "T1 V2, (3,4,2), offset 5, bank 6");
  CHECK(title({{-1, -1, 3, 4, -1, -1}}) == "(3,4)");
  CHECK(title({{-1, -1, -1, -1, 5, -1}}) == "offset 5");
  CHECK(title({{-1, -1, -1, -1, -1, 6}}) == "bank 6");
  CHECK(title({{-1, -1, -1, -1, 5, 6}}) == "offset 5, bank 6");
  CHECK(title({{7, 8}}) == "T7 V8");
  CHECK(title({{}}).empty());
  CHECK(subject_title(scene, {0, 1, 0}).empty());
  for (int owners = 1; owners <= 12; ++owners) {
    std::vector<Subject> links;
    std::string expected;
    for (int i = 0; i < owners; ++i) {
      links.push_back({i, i + 20});
      if (i < 9) expected += fmt::format("{}T{} V{}", i == 0 ? "" : i == 1 ? ", also " : ", ", i, i + 20);
    }
    if (owners > 9) expected += fmt::format(", and {} more", owners - 9);
    CHECK(title(links) == expected);
  }
}

TEST_CASE("a panel's type is the largest with which every label fits its cell", "[render]") {
  std::mt19937 random(12);
  const auto word = [&] {
    std::string text;
    for (std::size_t n = random() % 9; n > 0; --n) text += random() % 4 == 0 ? "\xc3\xa9" : "x";
    return text;
  };
  for (int round = 0; round < 500; ++round) {
    Scene scene;
    Panel panel{"p", {Line{}, Label{}}};
    double size = 1e30;
    for (std::size_t n = random() % 4; n > 0; --n) {
      Cell cell;
      cell.w = 0.25f * static_cast<float>(1 + random() % 12), cell.h = 0.25f * static_cast<float>(1 + random() % 6);
      cell.lines = static_cast<std::uint8_t>(random() % 3);
      const std::string first = word(), second = word();
      cell.label = scene.intern(cell.lines == 2 ? first + "\n" + second : first);
      panel.marks.push_back(cell);
      if (cell.lines == 0 || (cell.lines == 1 && first.empty())) continue;
      size = std::min(size, 0.40 * cell.h);
      const auto fits = [&](double width) { size = width > 0 ? std::min(size, 0.86 * cell.w / width) : size; };
      fits(text_width(first, cell.lines == 2));
      if (cell.lines == 1) continue;
      fits(0.94 * text_width(second));
      size = std::min(size, 0.35 * cell.h);
    }
    scene.panels = {panel};
    REQUIRE(cell_type_size(scene, 0) == Approx(size == 1e30 ? 0.40 : size));
  }
}

TEST_CASE("labels of operands that have as many lines are of one size, the least, and of other panels of their own", "[render]") {
  Scene scene;
  const auto panel = [&](PanelOperand operand, const char* label) {
    GridColumns columns;
    columns.rows = columns.cols = 1;
    columns.add_label(label);
    Panel made{"p", {Grid{0, 0, 1, 1, std::make_shared<const GridColumns>(std::move(columns))}}};
    made.operand = operand;
    scene.panels.push_back(std::move(made));
  };
  panel(PanelOperand::c, "T0\nV0");
  panel(PanelOperand::a, "T127\nV100");
  panel(PanelOperand::b, "123456");
  panel(PanelOperand::none, "T1\nV1");
  const double own = panel_type_size(scene, 1);
  REQUIRE(own < panel_type_size(scene, 0));
  CHECK(cell_type_size(scene, 0) == own);
  CHECK(cell_type_size(scene, 1) == own);
  CHECK(cell_type_size(scene, 2) == panel_type_size(scene, 2));
  CHECK(cell_type_size(scene, 3) == panel_type_size(scene, 3));
  CHECK(cell_type_size(scene, 3) > own);
}

TEST_CASE("a label's lines are the text before its first line end and what follows", "[render]") {
  Scene scene;
  const auto lines = [&](const std::string& text, std::uint8_t count) {
    return label_lines(view(scene, Cell{0, 0, 1, 1, kNoColor, count, false, scene.intern(text)}).label);
  };
  CHECK(lines("a", 0).count == 0);
  const LabelLines one = lines("a b", 1);
  CHECK((one.count == 1 && one.line[0] == "a b" && one.offset[0] == 0 && one.size[0] == 1));
  const LabelLines two = lines("a\nbc\nd", 2);
  CHECK((two.count == 2 && two.line[0] == "a" && two.line[1] == "bc\nd"));
  CHECK((two.offset[0] == -0.58 && two.offset[1] == 0.58 && two.size[0] == 1 && two.size[1] == 0.94));
  CHECK((lines("\n", 2).count == 2 && lines("\n", 2).line[0].empty() && lines("\n", 2).line[1].empty()));
}

TEST_CASE("a cell's text is ink on paper, grey where it stands back, and what can be read on its fill", "[render]") {
  Scene scene;
  const ColorIndex dark = scene.color({10, 20, 30}), light = scene.color({250, 240, 200});
  const auto color = [&](ColorIndex fill, bool faint) { return cell_text_color(scene, CellView{0, 0, 1, 1, fill, faint}); };
  CHECK(color(kNoColor, false) == kInk);
  CHECK(color(light, false) == text_color({250, 240, 200}));
  CHECK(color(dark, false) == text_color({10, 20, 30}));
  CHECK_FALSE(color(dark, false) == color(light, false));
  for (const ColorIndex fill : {kNoColor, light}) CHECK(color(fill, true) == Rgb{96, 102, 114});
  CHECK(color(dark, true) == Rgb{176, 182, 194});
}
