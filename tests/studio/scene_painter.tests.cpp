// SPDX-License-Identifier: BSD-3-Clause
// The painter and its arrangement of scenes, on scenes made by hand: what lands on which pixel at which zoom.
#include "app/studio/paint/scene_painter.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/document/session.hpp"
#include "app/studio/frame/null_backend.hpp"
#include "app/studio/paint/caption_text.hpp"
#include "app/studio/paint/scene_fit.hpp"
#include "tests/support/catch.hpp"

using namespace tessera;
using namespace tessera::studio;

namespace {

constexpr int kWidth = 640, kHeight = 480;

struct Easel {
  NullBackend backend{kWidth, kHeight};
  Textures textures;
  Fonts fonts = load_fonts(1);
  ImVec2 middle_of_last;
  ThemeKind kind = ThemeKind::light;

  Easel() { backend.start(textures); }
  Image paint_scene(const Scene& scene, SceneIndex& index, const Camera& camera) {
    const Theme& theme = theme_of(kind);
    backend.frame({}, [&] {
      const PaintContext context{ImGui::GetBackgroundDrawList(), theme, fonts, textures, 1};
      const ScreenRect area{{0, 0}, {kWidth, kHeight}};
      paint_marks(context, scene, index, camera, area);
      paint_words(context, scene, index, camera, area);
    });
    return backend.picture(textures, IM_COL32(255, 255, 255, 255));
  }
};

Rgb pixel(const Image& image, float x, float y) {
  const std::size_t i = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4;
  return {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]};
}

// rows x cols unit cells; even ones red, odd ones blue, with the offset as label, and thread, value and address to find it by.
Scene board(int rows, int cols) {
  Scene scene;
  const ColorIndex red = scene.color({200, 40, 40}), blue = scene.color({40, 40, 200});
  GridColumns columns;
  columns.rows = rows;
  columns.cols = cols;
  columns.place = GridColumns::Place::drawn;
  columns.tensor = 0;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      columns.fills.push_back((r + c) % 2 ? blue : red);
      columns.add_label(std::to_string(r * cols + c));
      columns.thread.push_back(c);
      columns.value.push_back(r);
      columns.address.push_back(r * cols + c);
    }
  }
  Panel& panel = scene.panels.emplace_back();
  panel.name = "C";
  panel.operand = PanelOperand::c;
  panel.marks.emplace_back(Grid{0, 0, 1, 1, std::make_shared<const GridColumns>(std::move(columns))});
  return scene;
}

}  // namespace

TEST_CASE("a grid is a layer, and so is what lies before and behind it") {
  Scene scene = board(4, 8);
  std::vector<Mark>& marks = scene.panels[0].marks;
  marks.insert(marks.begin(), Outline{0, 0, 8, 1, StrokeRole::boundary, false});
  marks.push_back(Outline{0, 0, 8, 4, StrokeRole::strong, false});
  marks.push_back(Line{0, 1, 8, 1});
  const SceneIndex index(scene);
  REQUIRE(index.panels().size() == 1);
  REQUIRE(index.panels()[0].size() == 3);
  CHECK(index.panels()[0][0].marks == std::vector<std::uint32_t>{0});
  CHECK(index.panels()[0][1].grid == 1);
  CHECK(index.panels()[0][1].columns == 2);
  CHECK(index.panels()[0][1].lines == 1);
  CHECK(index.panels()[0][2].marks == std::vector<std::uint32_t>{2, 3});
  CHECK(index.all_cells().width() == 8);
}

TEST_CASE("lines between cells do not cover them from far away") {
  Scene scene = board(64, 256);
  const Scene bare = scene;
  for (int x = 2; x < 256; x += 2) scene.panels[0].marks.push_back(Line{static_cast<float>(x), 0, static_cast<float>(x), 64});
  scene.panels[0].marks.push_back(Line{0, 32, 256, 32});
  Easel easel;
  SceneIndex index(scene), index_of_bare(bare);
  const auto lined = [&](float scale, float across, float down) {
    const Camera camera{{20, 20}, scale};
    const float x = 20 + scale * across, y = 20 + scale * down;
    return !(pixel(easel.paint_scene(scene, index, camera), x, y) == pixel(easel.paint_scene(bare, index_of_bare, camera), x, y));
  };
  CHECK(lined(8, 8, 3.5f));
  CHECK_FALSE(lined(8, 7.5f, 3.5f));
  for (int x = 1; x < 40; ++x) CHECK_FALSE(lined(1, static_cast<float>(x), 10));
  CHECK(lined(1, 10, 32));  // one alone is seen
}

TEST_CASE("a unit cell over something that was drawn before it stays over it") {
  Scene scene = board(2, 2);
  const ColorIndex green = scene.color({30, 160, 30});
  Cell wide;
  wide.w = 2;
  wide.fill = green;
  scene.panels[0].marks.emplace_back(wide);  // hides the first row
  Cell small;
  small.fill = 0;                             // red
  scene.panels[0].marks.emplace_back(small);  // and is hidden at the left
  Easel easel;
  SceneIndex index(scene);
  for (const float scale : {2.0f, 10.0f, 40.0f}) {
    const Image image = easel.paint_scene(scene, index, {{100, 100}, scale});
    CHECK(pixel(image, 100 + 0.3f * scale, 100 + 0.7f * scale) == Rgb{200, 40, 40});
    CHECK(pixel(image, 100 + 1.3f * scale, 100 + 0.7f * scale) == Rgb{30, 160, 30});
  }
}

TEST_CASE("a grey band that says nothing is dark on a dark canvas; colours, and cells that say something, are as in a file") {
  Scene scene = board(2, 2);
  const ColorIndex grey = scene.color({230, 230, 232}), green = scene.color({30, 160, 30});
  Cell band{4, 0, 2, 2, grey}, colored{8, 0, 2, 2, green}, said{12, 0, 2, 2, grey};
  said.label = scene.intern("4"), said.lines = 1;
  for (const Cell& cell : {band, colored, said}) scene.panels[0].marks.emplace_back(cell);
  Easel easel;
  SceneIndex index(scene);
  for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
    easel.kind = kind;
    const Image image = easel.paint_scene(scene, index, {{20, 20}, 20});
    const auto at = [&](float x) { return pixel(image, 20 + 20 * x, 20 + 20 * 0.4f); };
    CHECK((at(4.4f).g < 80) == (kind == ThemeKind::dark));
    CHECK(at(8.4f) == Rgb{30, 160, 30});
    CHECK(at(12.4f) == Rgb{230, 230, 232});
  }
}

TEST_CASE("a legend's swatches stand before its words, as high as they, and further lines of it under the first") {
  Scene scene = board(4, 8);
  const ColorIndex green = scene.color({30, 160, 30}), yellow = scene.color({240, 200, 20});
  const char* const kLong = "IIIIIIIIIIIIIIIIIIIIIIII";
  Panel& panel = scene.panels.emplace_back();
  panel.name = std::string(kCaptionPanel);
  panel.marks = {Label{0, 5, scene.intern("IIII"), LabelRole::note, Anchor::left},
                 Cell{0, 5.85f, 0.5f, 0.3f, green},
                 Cell{0.6f, 5.85f, 0.5f, 0.3f, yellow},
                 Label{1.3f, 6, scene.intern(kLong), LabelRole::legend, Anchor::left},
                 Label{1.3f, 6.5f, scene.intern(kLong), LabelRole::legend, Anchor::left},
                 Label{0, 7, scene.intern("IIIII"), LabelRole::note, Anchor::left}};
  Easel easel;
  const SceneIndex index(scene);
  CHECK(index.all_cells().y1 == 4);  // swatches are no cells of the picture
  const std::vector<Caption>& captions = index.captions();
  REQUIRE(captions.size() == 3);
  CHECK(captions[1].swatches == std::vector<ColorIndex>{green, yellow});
  CHECK(captions[1].words == std::string(kLong) + " " + kLong);
  const Theme& theme = theme_of(ThemeKind::light);
  constexpr float kLeft = 100, kTop = 50, kRoom = 160;  // for one line of the legend behind its swatches, and no more
  easel.backend.frame({}, [&] {
    const PaintContext context{ImGui::GetBackgroundDrawList(), theme, easel.fonts, easel.textures, 1};
    paint_captions(context, scene, captions, {kLeft, kTop}, kRoom);
  });
  const Image image = easel.backend.picture(easel.textures, IM_COL32(255, 255, 255, 255));
  // The first and last columns of a colour, and where the words begin.
  struct Seen {
    int first = kWidth, last = -1;
  };
  std::vector<int> begins;  // of the words of each line
  Seen greens, yellows;
  bool in_line = false;
  for (int y = static_cast<int>(kTop); y < kHeight; ++y) {
    int begin = kWidth;
    for (int x = 50; x < kWidth; ++x) {
      const Rgb c = pixel(image, static_cast<float>(x), static_cast<float>(y));
      Seen* const swatch = c == Rgb{30, 160, 30} ? &greens : c == Rgb{240, 200, 20} ? &yellows : nullptr;
      if (swatch) *swatch = {std::min(swatch->first, x), std::max(swatch->last, x)};
      if (!swatch && c.r < 160) begin = std::min(begin, x);
    }
    if (begin < kWidth && !in_line) begins.push_back(begin);
    in_line = begin < kWidth;
  }
  REQUIRE(begins.size() == 4);
  CHECK(greens.first == 100);
  CHECK(greens.last > greens.first + 5);
  CHECK(yellows.first > greens.last);
  CHECK(begins[1] > yellows.last);
  CHECK(begins[2] == begins[1]);
  CHECK(begins[0] < greens.last);
  CHECK(begins[3] == begins[0]);
}

TEST_CASE("each level of detail shows every cell's colour at its place") {
  const Scene scene = board(8, 8);
  Easel easel;
  SceneIndex index(scene);
  for (const float scale : {2.0f, 6.0f, 12.0f, 30.0f, 50.0f}) {
    const Image image = easel.paint_scene(scene, index, {{20, 20}, scale});
    for (int r = 0; r < 8; ++r) {
      for (int c = 0; c < 8; ++c) {
        const float x = 20 + scale * (static_cast<float>(c) + 0.25f), y = 20 + scale * (static_cast<float>(r) + 0.75f);
        if (scale < 4) continue;  // lines of neighbouring pixels are checked below
        INFO("scale " << scale << " row " << r << " column " << c);
        CHECK(pixel(image, x, y) == ((r + c) % 2 ? Rgb{40, 40, 200} : Rgb{200, 40, 40}));
      }
    }
  }
  const Image far = easel.paint_scene(scene, index, {{20, 20}, 2});
  CHECK(pixel(far, 20, 20) == Rgb{200, 40, 40});
  CHECK(pixel(far, 22, 20) == Rgb{40, 40, 200});
}

TEST_CASE("below a pixel a cell, a fine board is an even mix and not a pattern of its own") {
  const Scene scene = board(256, 256);
  Easel easel;
  SceneIndex index(scene);
  const Image image = easel.paint_scene(scene, index, {{10, 10}, 0.4f});
  for (int i = 0; i < 100; ++i) {
    CHECK(pixel(image, 10 + static_cast<float>(i), 10 + static_cast<float>((i * 37) % 100)) == Rgb{120, 40, 120});
  }
}

TEST_CASE("labels appear only where they can be read") {
  const Scene scene = board(4, 4);
  Easel easel;
  SceneIndex index(scene);
  const auto light_pixels = [&](float scale) {
    const Image image = easel.paint_scene(scene, index, {{10, 10}, scale});
    std::size_t count = 0;
    for (float y = 10; y < 10 + 4 * scale; ++y) {
      for (float x = 10; x < 10 + 4 * scale; ++x) count += pixel(image, x, y).g > 150;
    }
    return count;
  };
  CHECK(light_pixels(9) == 0);
  CHECK(light_pixels(14) > 10);  // "15" in the smallest type
  CHECK(light_pixels(40) > 100);
}

TEST_CASE("links find the cells of a thread and of an address") {
  const Scene scene = board(4, 8);
  const SceneIndex index(scene);
  const auto hovered = hover_at("board", scene, 3.5f, 2.5f);
  REQUIRE(hovered);
  CHECK(hovered->words == "C (2,3)  T3 V2  offset 19");
  const Highlights found = highlights_of(*hovered, "another", scene, index);
  CHECK(found.mates.size() == 3);   // the other values of thread 3
  REQUIRE(found.same.size() == 2);  // by thread and value, and by address
  CHECK(found.same[0] == found.same[1]);
  CHECK_FALSE(hover_at("board", scene, 8.5f, 0.5f));
}

TEST_CASE("a bar says in words what it stands for") {
  Scene scene;
  Panel panel{"chart", {}};
  panel.marks.push_back(Cell{0, 0, 4, 1, kNoColor, 0, false, {}, scene.add_words("p = 32: sectors 64")});
  panel.marks.push_back(Cell{0, 2, 4, 1, kNoColor, 0, false, {}, scene.add_words("p = 33: sectors 65")});
  scene.panels.push_back(std::move(panel));
  const SceneIndex index(scene);
  CHECK(hover_at("sweep", scene, 3.5f, 0.5f)->words == "p = 32: sectors 64");
  const auto second = hover_at("sweep", scene, 0.5f, 2.5f);
  REQUIRE(second);
  CHECK(second->words == "p = 33: sectors 65");
  const Highlights found = highlights_of(*second, "sweep", scene, index);
  CHECK(found.same.size() == 1);  // it alone
  CHECK(found.mates.empty());
}

TEST_CASE("a leaf of a diagram lights its arrow and its factor, and in a grid of the tensor the addresses that it walks") {
  Scene diagram;
  diagram.tensors = {"(4,8):(8,1)"};
  const std::uint32_t leaf = diagram.add_words("8:1"), other = [&] {
    for (std::int64_t i = 0; i < 8; ++i) diagram.subjects.push_back({-1, -1, -1, -1, i, -1, 0});
    return diagram.add_words("4:8");
  }();
  Panel panel{"diagram", {}};
  panel.marks.push_back(Cell{0, 0, 1, 1, kNoColor, 0, false, {}, leaf, 9});
  panel.marks.push_back(Cell{0, 2, 1, 1, kNoColor, 0, false, {}, other});
  panel.marks.push_back(Arrow{1, 0.5f, 4, 0.5f, kNoColor, leaf});
  panel.marks.push_back(Cell{4, 0, 1, 1, kNoColor, 0, false, {}, leaf, 9});
  diagram.panels.push_back(std::move(panel));
  const SceneIndex index(diagram);
  const auto hovered = hover_at("diagram", diagram, 0.5f, 0.5f);
  REQUIRE(hovered);
  CHECK(hovered->tensor == "(4,8):(8,1)");
  const Highlights here = highlights_of(*hovered, "diagram", diagram, index);
  CHECK(here.same == std::vector<ElementId>{{0, 0, 0}, {0, 2, 0}, {0, 3, 0}});
  CHECK(highlights_of(*hover_at("diagram", diagram, 2.5f, 0.5f), "diagram", diagram, index).same.size() == 3);  // from the arrow too
  Scene grid = board(4, 8);
  const SceneIndex of_grid(grid);
  grid.tensors = {"(4,8):(8,1)"};
  const Highlights there = highlights_of(*hovered, "grid", grid, of_grid);
  CHECK(there.same.size() == 8);
  for (const ElementId& id : there.same) CHECK(subject_of(grid, id)->address < 8);
  grid.tensors = {"(4,8):(1,4)"};
  CHECK(highlights_of(*hovered, "grid", grid, of_grid).same.empty());
}

TEST_CASE("T7 V2 of operand A is another register than T7 V2 of C") {
  Scene scene = board(2, 2);
  scene.panels.push_back(scene.panels[0]);
  scene.panels[1].name = "A  M2 x K2";
  scene.panels[1].operand = PanelOperand::a;
  for (Panel& panel : scene.panels) {
    Grid& grid = std::get<Grid>(panel.marks[0]);
    GridColumns without = *grid.of;
    without.address.clear();
    grid.of = std::make_shared<const GridColumns>(std::move(without));
  }
  std::get<Grid>(scene.panels[1].marks[0]).x += 10;
  scene.tensors = {"gC"};
  const SceneIndex index(scene);
  const auto hovered = hover_at("board", scene, 0.5f, 0.5f);
  REQUIRE(hovered);
  const Highlights found = highlights_of(*hovered, "board", scene, index);
  for (const ElementId& id : found.same) CHECK(id.panel == 0);
  std::size_t in_a = 0;
  for (const ElementId& id : found.mates) in_a += id.panel == 1;
  CHECK(in_a == 2);  // thread 0's cells of A are its mates
}

TEST_CASE("fit shows all cells inside the area") {
  const Easel easel;
  const Scene scene = board(64, 16);
  const SceneIndex index(scene);
  const Camera camera = fit(easel.fonts, {scene, index}, {{0, 0}, {800, 600}}, 1).camera;
  const ImVec2 a = camera.to_screen(0, 0), b = camera.to_screen(16, 64);
  CHECK(a.x >= 0);
  CHECK(a.y >= 0);
  CHECK(b.x <= 800);
  CHECK(b.y <= 600);
  CHECK(b.y - a.y > 400);
}

TEST_CASE("captions give way where cells have their words for it") {
  const Easel easel;
  const auto scale_of = [&](const std::string& text) {
    Session session;
    REQUIRE(session.open_text(text, "test"));
    const Result<Scene>& scene = session.figure("f");
    REQUIRE(scene);
    return fit(easel.fonts, {*scene, SceneIndex(*scene)}, {{0, 0}, {360, 350}}, 1).camera.scale;
  };
  // "(3,7)" over "31" needs 23 pixels of a cell.
  CHECK(scale_of("let tv = ((2,4),(2,2)):((8,1),(4,16))\nlet f = tv_inverse_figure(tv, (4,8):(8,1))\n") >= 23);
}

TEST_CASE("captions stand beside the cells or below them where that costs nothing, else they are one line") {
  Easel easel;
  const auto captions_at = [&](int rows, int cols, const char* words, ImVec2 size) {
    Scene scene = board(rows, cols);
    Panel& captions = scene.panels.emplace_back();
    captions.name = kCaptionPanel;
    captions.marks.push_back(Label{0, static_cast<float>(rows) + 1, scene.intern(words), LabelRole::note, Anchor::left});
    const SceneIndex index(scene);
    const Fit made = fit(easel.fonts, {scene, index}, {{0, 0}, size}, 1);
    CHECK(share_of({scene, index}, made.camera, {{0, 0}, size}) >= 0.85f);
    const ImVec2 end = made.camera.to_screen(static_cast<float>(cols), static_cast<float>(rows));
    if (made.captions == CaptionsAt::beside) CHECK(made.words.a.x >= end.x);
    if (made.captions == CaptionsAt::below) CHECK(made.words.a.y >= end.y);
    if (made.captions == CaptionsAt::line) CHECK(end.y <= size.y - kCaptionLine);
    if (made.captions != CaptionsAt::line) {
      CHECK(made.words.b.x <= size.x);
      CHECK(made.words.b.y <= size.y);
    }
    return made.captions;
  };
  const char* const words = "each of 32 threads owns four values of the tile, two of them beside each other";
  CHECK(captions_at(16, 4, words, {800, 500}) == CaptionsAt::beside);
  CHECK(captions_at(4, 16, words, {800, 500}) == CaptionsAt::below);
  std::string many;
  for (int i = 0; i < 6; ++i) many += std::string(words) + "; ";
  CHECK(captions_at(10, 10, many.c_str(), {500, 500}) == CaptionsAt::line);
}

TEST_CASE("words have one size and one distance however large cells are, and gaps that hold none shrink") {
  Easel easel;
  Scene scene = board(4, 4);
  Scene right = board(4, 4);
  Panel& other = scene.panels.emplace_back(right.panels[0]);
  std::get<Grid>(other.marks[0]).x = 14;
  for (Panel& panel : scene.panels) {
    const float x = std::get<Grid>(panel.marks[0]).x;
    for (int i = 0; i < 4; ++i)
      panel.marks.push_back(Label{x - 0.3f, static_cast<float>(i) + 0.5f, scene.intern(std::to_string(i)), LabelRole::axis, Anchor::right});
    panel.marks.push_back(Label{x + 2, -0.9f, scene.intern("C"), LabelRole::panel_name, Anchor::center});
  }
  const SceneIndex index(scene);
  std::vector<float> above, gaps;
  for (const float scale : {4.0f, 20.0f, 90.0f}) {
    const Camera camera{{100, 100}, scale, index.map(scene, 1)};
    const ImVec2 cell = camera.to_screen(0, 0), heading = camera.to_screen(2, -0.9f);
    above.push_back(cell.y - heading.y);
    gaps.push_back(camera.to_screen(14, 0).x - camera.to_screen(4, 0).x);
    CHECK(camera.to_screen(4, 0).x - cell.x == Approx(4 * scale));
    CHECK(camera.to_screen(18, 0).x - camera.to_screen(14, 0).x == Approx(4 * scale));
    for (const ImVec2 place : {ImVec2(-0.5f, -0.5f), ImVec2(3.2f, 2.1f), ImVec2(9, 1), ImVec2(13.8f, 4.5f), ImVec2(20, 6)}) {
      const ImVec2 there = camera.to_scene(camera.to_screen(place.x, place.y));
      CHECK(there.x == Approx(place.x).margin(1e-3));
      CHECK(there.y == Approx(place.y).margin(1e-3));
    }
  }
  CHECK(above[0] == Approx(above[2]));
  CHECK(above[0] > 20);
  CHECK(gaps[0] < 0.5f * gaps[1]);
  CHECK(gaps[1] < gaps[2]);
  CHECK(gaps[2] < 10 * 35.0f);
}

TEST_CASE("a heading keeps off its neighbours") {
  Easel easel;
  Scene scene = board(16, 1);
  scene.panels[0].marks.push_back(Label{0.5f, -1, scene.intern("A M16 x K1 of some type"), LabelRole::panel_name, Anchor::center});
  Scene right = board(4, 12);
  Panel& other = scene.panels.emplace_back(right.panels[0]);
  std::get<Grid>(other.marks[0]).x = 2;
  std::get<Grid>(other.marks[0]).y = -5;
  SceneIndex index(scene);
  const Camera camera = fit(easel.fonts, {scene, index}, {{0, 0}, {kWidth, kHeight}}, 1).camera;
  const Image image = easel.paint_scene(scene, index, camera);
  const auto ink = [&](float x0, float y0, float x1, float y1) {
    std::size_t count = 0;
    for (float y = y0; y < y1; ++y) {
      for (float x = x0; x < x1; ++x) count += pixel(image, x, y).r < 250;
    }
    return count;
  };
  const ImVec2 beside = camera.to_screen(2, -5), end = camera.to_screen(2, -1);
  CHECK(ink(beside.x - 20, beside.y, beside.x - 1, end.y) == 0);  // room for numbers of rows
  CHECK(ink(0, 0, 3, kHeight) == 0);
  CHECK(ink(4, beside.y, beside.x - 20, end.y + 20) > 100);  // the heading
}

TEST_CASE("where cells are small a heading keeps off the numbers of columns of the panel beside it") {
  Easel easel;
  Scene scene = board(120, 2);
  scene.panels[0].marks.push_back(Label{1, -1, scene.intern("A M120 x K2 of f16"), LabelRole::panel_name, Anchor::center});
  Scene right = board(2, 120);
  Panel& other = scene.panels.emplace_back(right.panels[0]);
  std::get<Grid>(other.marks[0]).x = 3;
  std::get<Grid>(other.marks[0]).y = -3;
  SceneIndex index(scene);
  const Camera camera = fit(easel.fonts, {scene, index}, {{0, 0}, {kWidth, kHeight}}, 1).camera;
  const Image image = easel.paint_scene(scene, index, camera);
  const ImVec2 beside = camera.to_screen(3, -3);
  std::size_t over = 0, left = 0;
  for (float y = 0; y < camera.to_screen(0, 0).y - 1; ++y) {
    const float end = y < beside.y - 1 ? kWidth : beside.x;
    for (float x = 0; x < end; ++x) (x > beside.x - 20 ? over : left) += pixel(image, x, y).r < 250;
  }
  CHECK(over == 0);
  CHECK(left > 50);  // it is there
}

TEST_CASE("where not all numbers of an axis have room, those that are shown count evenly") {
  Easel easel;
  constexpr int kColumns = 36;
  Scene scene = board(4, kColumns);
  for (int i = 0; i < kColumns; ++i)
    scene.panels[0].marks.push_back(
        Label{static_cast<float>(i) + 0.5f, -0.5f, scene.intern(std::to_string(i < 10 ? i : i * 100)), LabelRole::axis, Anchor::center});
  SceneIndex index(scene);
  const Camera camera = fit(easel.fonts, {scene, index}, {{0, 0}, {kWidth, kHeight}}, 1).camera;
  const Image image = easel.paint_scene(scene, index, camera);
  std::string shown;
  for (int i = 0; i < kColumns; ++i) {
    const ImVec2 at = camera.to_screen(static_cast<float>(i) + 0.5f, 0);
    bool ink = false;
    for (float y = at.y - 20; y < at.y - 2; ++y) {
      for (float x = at.x - 2; x <= at.x + 2; ++x) ink = ink || pixel(image, x, y).r < 250;
    }
    shown += ink ? 'x' : '.';
  }
  const std::size_t every = shown.find('x', 1);
  REQUIRE(every > 1);
  INFO(shown);
  for (std::size_t i = 0; i < shown.size(); ++i) CHECK((shown[i] == 'x') == (i % every == 0));
}

TEST_CASE("a figure of a million cells costs little a frame, fit and close") {
  const Scene scene = board(1024, 1024);
  Easel easel;
  SceneIndex index(scene);
  for (const float scale : {0.4f, 28.0f}) {
    const Camera camera{{0, 0}, scale};
    const Theme& theme = theme_of(ThemeKind::dark);
    double best = 1e9;
    for (int i = 0; i < 10; ++i) {
      easel.backend.frame({}, [&] {
        const PaintContext context{ImGui::GetBackgroundDrawList(), theme, easel.fonts, easel.textures, 1};
        const auto begin = std::chrono::steady_clock::now();
        const ScreenRect area{{0, 0}, {kWidth, kHeight}};
        paint_marks(context, scene, index, camera, area);
        paint_words(context, scene, index, camera, area);
        best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
      });
    }
    INFO("scale " << scale << ": " << best << " ms");
    CHECK(best < 5);  // generous: the machine may be busy
  }
}
