// SPDX-License-Identifier: BSD-3-Clause
// What a screen must be in every size, theme and figure: no text lies over another, none is cut, and pictures have their pane's room. Asked
// of what is drawn, letter by letter.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studio/paint/scene_fit.hpp"
#include "app/studio/paint/scene_words.hpp"
#include "core/base/number_text.hpp"
#include "tests/studio/drawn_texts.hpp"
#include "tests/studio/studio_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_kernel.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;
using test::DrawnTexts;
using test::StudioDriver;

namespace {

std::string preset(const char* name) { return testing::read_file(test::source_dir() + "/assets/presets/" + name); }

void act(StudioDriver& studio, const char* id, Arguments arguments = {}) {
  studio.app.pending.push_back(studio::Do{id, std::move(arguments)});
  studio.frames(3);
}

// The live page at one of its tabs, once all that it shows is made.
void open_live(StudioDriver& studio, const char* tab) {
  act(studio, "gemm.page", {{"tab", tab}});
  for (int i = 0; i < 4000 && (studio.app.bench.live.waiting() || i < 3); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    studio.frames(1);
  }
  studio.frames(2);
}

DrawnTexts texts() { return DrawnTexts(*ImGui::GetDrawData()); }

// None of them scrolls: neither cuts a line.
void check_texts(bool level_too = false) {
  const DrawnTexts drawn = texts();
  CHECK(drawn.all().size() > 3);
  for (const std::string& each : drawn.intersections()) FAIL_CHECK("one over the other: " << each);
  for (const std::string& each : drawn.cut(level_too)) FAIL_CHECK("cut: " << each);
}

// Until what is read or made beside the frames is there.
void wait(StudioDriver& studio) {
  for (int i = 0; i < 4000 && studio.app.busy(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    studio.frames(1);
  }
  studio.frames(2);
}

// Names of the document's figures.
std::vector<std::string> figures_of(const StudioDriver& studio) {
  std::vector<std::string> names;
  for (const EvaluatedBinding& binding : studio.app.session.bindings()) {
    if (studio.app.session.expression(binding.name).find("_figure(") != std::string::npos) names.push_back(binding.name);
  }
  return names;
}

// What of the canvas's width or height the picture takes: its grids and what leads from one to another. The names beside a chart's bars, a
// timeline's lanes and a warp's rows are part of it.
float share(StudioDriver& studio, const std::string& figure) {
  const studio::RecordedItem& canvas = studio.item(figure, "canvas");
  const studio::Figure& made =
      studio.app.figures.get(studio.app.session, view_of(studio.app.session.workspace().arrangement, figure), studio.app.textures);
  const studio::Camera& camera = studio.app.bench.canvases.at(figure).camera;
  const studio::ScreenRect area{{0, 0}, {canvas.w, canvas.h}};
  const float drawn = studio::share_of({*made.scene, *made.index}, camera, area);
  const auto is_grid = [](const Mark& mark) { return std::holds_alternative<Grid>(mark); };
  constexpr std::size_t kNumber = 4;  // signs: what is longer is a name
  bool grids = false, names = false;
  for (std::size_t i = 0; i < made.scene->panels.size(); ++i) {
    const Panel& panel = made.scene->panels[i];
    const Bounds& cells = made.index->cell_bounds()[i];
    const auto is_name = [&](const Mark& mark) {
      const auto* label = std::get_if<Label>(&mark);
      return label && label->anchor == Anchor::right && label->x < cells.x0 && label->text.length > kNumber &&
             !studio::is_corner(*label, cells);
    };
    grids = grids || std::any_of(panel.marks.begin(), panel.marks.end(), is_grid);
    names = names || std::any_of(panel.marks.begin(), panel.marks.end(), is_name);
  }
  if (grids && !names) return drawn;
  const studio::PlacedWords words = studio::place_words({studio.app.fonts, *made.scene, *made.index, camera, area, studio.app.scale, true});
  const Bounds& all = made.index->all_drawn();
  const ImVec2 first = camera.to_screen(all.x0, all.y0), end = camera.to_screen(all.x1, all.y1);
  return std::max({drawn, (std::max(end.x, words.taken.b.x) - std::min(first.x, words.taken.a.x)) / canvas.w,
                   (std::max(end.y, words.taken.b.y) - std::min(first.y, words.taken.a.y)) / canvas.h});
}

// The text with these words whose middle is nearest to a place; null where there is none.
const test::DrawnText* nearest(const DrawnTexts& drawn, std::string words, ImVec2 place) {
  std::erase_if(words, [](char c) { return c == ' ' || c == '\n'; });
  const test::DrawnText* best = nullptr;
  float least = 1e9f;
  for (const test::DrawnText& each : drawn.all()) {
    const float far = std::hypot((each.x0 + each.x1) / 2 - place.x, (each.y0 + each.y1) / 2 - place.y);
    if (each.words != words || far >= least) continue;
    least = far;
    best = &each;
  }
  return best;
}

}  // namespace

TEST_CASE("two texts over each other are found, and what is covered or cut is known") {
  studio::NullBackend backend(400, 200);
  studio::Textures textures;
  const studio::Fonts fonts = studio::load_fonts(1);
  backend.start(textures);
  const auto draw = [&](ImVec2 second, bool covered, ImVec2 clip) {
    backend.frame({}, [&] {
      ImDrawList* list = ImGui::GetBackgroundDrawList();
      list->PushClipRect({0, 0}, clip);
      list->AddText(fonts.body.font, fonts.body.size, {20, 20}, IM_COL32_WHITE, "a title");
      if (covered) list->AddRectFilled({0, 0}, {400, 100}, IM_COL32_BLACK);
      list->AddText(fonts.small.font, fonts.small.size, second, IM_COL32_WHITE, "label");
      list->PopClipRect();
    });
    return texts();
  };
  CHECK(draw({20, 60}, false, {400, 200}).intersections().empty());
  REQUIRE(draw({30, 24}, false, {400, 200}).intersections().size() == 1);
  CHECK(draw({30, 24}, false, {400, 200}).intersections()[0].find("\"atitle\" and \"label\"") == 0);
  CHECK(draw({30, 24}, true, {400, 200}).intersections().empty());
  CHECK(draw({20, 60}, false, {400, 200}).cut(true).empty());
  bool both = false;  // an edge between two letters cuts neither
  for (float edge = 30; edge < 44; ++edge) both = both || draw({20, 60}, false, {edge, 200}).cut(false).size() == 2;
  CHECK(both);
  CHECK(draw({20, 60}, false, {400, 66}).cut(false).empty());
  CHECK(draw({20, 60}, false, {400, 66}).cut(true).size() == 1);
}

TEST_CASE("every figure of the gallery has its pane's room, and no text over another") {
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1920, 1080)}) {
    StudioDriver studio(preset("gallery.tess"), width, height);
    for (const std::string& name : figures_of(studio)) {
      INFO(name << " at " << width << "x" << height);
      act(studio, "figure.show", {{"binding", name}});
      if (studio.app.session.workspace().maximised != name) act(studio, "figure.maximise", {{"binding", name}});
      REQUIRE(studio.shows(name, "canvas"));
      CHECK(share(studio, name) >= 0.85f);
      check_texts();
    }
  }
}

TEST_CASE("in twelve screens no text lies over another, and every picture has its pane's room") {
  const std::string tour = preset("tour.tess");
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1920, 1080), std::pair(2560, 1440)}) {
    for (const char* theme : {"dark", "light"}) {
      INFO(width << "x" << height << ", " << theme);
      StudioDriver studio(tour, width, height);
      act(studio, "view.theme", {{"theme", theme}});
      check_texts();
      for (const studio::RecordedItem& item : std::vector(studio.app.recorder.items())) {
        if (item.role != "canvas") continue;
        INFO(item.label);
        CHECK(share(studio, item.label) >= 0.85f);
      }
      act(studio, "figure.show", {{"binding", "swizzled_a"}});
      act(studio, "cells.select", {{"binding", "swizzled_a"}, {"cells", "(4-5,8-16)"}});
      check_texts();
    }
  }
}

TEST_CASE("no page of the studio has a text over another") {
  const std::string tour = preset("tour.tess");
  struct Page {
    const char* name;
    void (*open)(StudioDriver&);
  };
  const Page pages[] = {
      {"welcome", [](StudioDriver& studio) { studio.app.bench.welcome.open = true; }},
      {"keys", [](StudioDriver& studio) { studio.app.bench.sheet = studio::Sheet::keys; }},
      {"about", [](StudioDriver& studio) { studio.app.bench.sheet = studio::Sheet::about; }},
      {"messages", [](StudioDriver& studio) { studio.app.bench.sheet = studio::Sheet::messages; }},
      {"finder",
       [](StudioDriver& studio) {
         studio.chord("Ctrl+K");
         studio.type("swizzle");
       }},
      {"export",
       [](StudioDriver& studio) {
         act(studio, "file.export", {{"binding", "who_owns"}});
       }},
      {"text", [](StudioDriver& studio) { act(studio, "view.text"); }},
      {"GEMM",
       [](StudioDriver& studio) {
         act(studio, "figure.show", {{"binding", "tensor_gemm"}});
       }},
      {"ladder",
       [](StudioDriver& studio) {
         act(studio, "gemm.ladder");
         wait(studio);
       }},
      {"table",
       [](StudioDriver& studio) {
         act(studio, "binding.let", {{"line", "best = find_smem_layout((128,32), read=SM75_U32x4_LDSM_N, write=128)"}});
         act(studio, "binding.table", {{"binding", "best"}});
         studio.app.bench.table.chosen = 1;
       }},
      {"advice",
       [](StudioDriver& studio) {
         act(studio, "document.advise");
         wait(studio);
         studio.app.bench.table.chosen = 0;
       }},
      {"menu", [](StudioDriver& studio) { studio.chord("Alt+F"); }},
      {"save as", [](StudioDriver& studio) { act(studio, "file.save_as"); }},
      {"open", [](StudioDriver& studio) { act(studio, "file.open"); }},
      {"source",
       [](StudioDriver& studio) {
         studio::open_source(studio.app.bench.source, pasted_source(test::kSourceKernel));
         for (int i = 0; i < 2000 && studio.app.bench.source.waiting(); ++i) {
           std::this_thread::sleep_for(std::chrono::milliseconds(5));
           studio.frames(1);
         }
         act(studio, "source.choose", {{"name", "tAsA"}});
       }},
      {"live GEMM", [](StudioDriver& studio) { open_live(studio, "result"); }},
      {"live plan", [](StudioDriver& studio) { open_live(studio, "plan"); }},
      {"live source", [](StudioDriver& studio) { open_live(studio, "source"); }},
      {"comparison",
       [](StudioDriver& studio) {
         act(studio, "figure.show", {{"binding", "who_owns"}});
         act(studio, "pin.set");
       }},
      {"presentation", [](StudioDriver& studio) { act(studio, "present.start"); }},
  };
  for (const auto& [width, height, scale, theme] : {std::tuple(1280, 800, 1.0, "dark"), std::tuple(2560, 1440, 1.5, "light"),
                                                    std::tuple(1280, 720, 2.0, "dark"), std::tuple(800, 600, 1.0, "light")}) {
    for (std::size_t i = 0; i < std::size(pages); ++i) {
      const Page& page = pages[i];
      if (scale > 1 && i % 2 != static_cast<std::size_t>(scale) % 2) continue;  // half of the pages on each larger screen
      INFO(page.name << " at " << width << "x" << height << ", " << scale << " times as large");
      StudioDriver studio(tour, width, height);
      studio.app.settings.interface_scale = scale;
      studio.app.wanted_scale = static_cast<float>(scale);
      act(studio, "view.theme", {{"theme", theme}});
      page.open(studio);
      studio.frames(4);
      check_texts();
    }
  }
}

TEST_CASE("what is asked of a document that was changed elsewhere, or removed, has room in every size") {
  for (const auto& [width, height, scale] : {std::tuple(1280, 800, 1.0), std::tuple(800, 600, 1.0), std::tuple(1280, 720, 2.0)}) {
    for (const bool removed : {false, true}) {
      INFO(width << "x" << height << ", " << scale << " times as large" << (removed ? ", removed" : ""));
      const test::TemporaryFolder folder;
      const std::filesystem::path file = folder / "a_lecture_with_a_long_name.tess";
      test::put(file, preset("tour.tess"));
      StudioDriver studio(StudioDriver::OfFile{file.string()}, width, height);
      studio.app.settings.interface_scale = scale;
      studio.app.wanted_scale = static_cast<float>(scale);
      act(studio, "binding.let", {{"line", "mine = (4,8):(8,1)"}});
      if (removed)
        std::filesystem::remove(file);
      else
        test::put(file, "let theirs = 3\n");
      studio::watch_file(studio.app);
      studio.frames(4);
      REQUIRE(studio.app.session.conflicts());
      REQUIRE(studio.shows("Keep mine", "button"));
      check_texts();
      if (removed) continue;
      studio.click_in("File", "Show the difference");
      studio.frames(2);
      check_texts();
    }
  }
}

TEST_CASE("the source page has no text over another in any size, theme and list, and a picture of its variable") {
  for (const auto& [width, height, scale, theme] : {std::tuple(1280, 800, 1.0, "light"), std::tuple(1920, 1080, 1.0, "dark"),
                                                    std::tuple(2560, 1440, 1.0, "light"), std::tuple(1280, 720, 2.0, "light")}) {
    INFO(width << "x" << height << ", " << theme << ", " << scale << " times as large");
    StudioDriver studio(preset("tour.tess"), width, height);
    studio.app.settings.interface_scale = scale;
    studio.app.wanted_scale = static_cast<float>(scale);
    act(studio, "view.theme", {{"theme", theme}});
    studio::open_source(studio.app.bench.source, pasted_source(test::kSourceKernel));
    for (int i = 0; i < 2000 && studio.app.bench.source.waiting(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      studio.frames(1);
    }
    for (const char* name : {"mA", "gA", "copyA", "thr_copy", "tCgC", "odd"}) {
      INFO(name);
      act(studio, "source.choose", {{"name", name}});
      check_texts();
    }
    using Shows = studio::SourceState::Shows;
    for (const Shows shows : {Shows::findings, Shows::refused}) {
      studio.app.bench.source.shows = shows;
      studio.frames(3);
      check_texts();
    }
  }
}

TEST_CASE("a lesson has no text over another on any screen, before and after its answers, at a desk and before a class") {
  struct Window {
    int width, height;
    const char *theme, *lesson;
  };
  const Window windows[] = {{800, 600, "light", "06_tv"},
                            {1280, 800, "dark", "06_tv"},
                            {1920, 1080, "light", "11_banks_and_swizzle"},
                            {1280, 800, "light", "14_pipelines"},
                            {800, 600, "dark", "11_banks_and_swizzle"}};
  for (const auto& [width, height, theme, name] : windows) {
    StudioDriver studio(preset("tour.tess"), width, height);
    act(studio, "view.theme", {{"theme", theme}});
    act(studio, "lesson.open", {{"path", name}});
    wait(studio);
    LessonDesk& desk = *studio.app.bench.lesson.desk;
    REQUIRE(desk.reading());
    for (std::size_t screen = 0; screen < desk.reading()->screens.size(); ++screen) {
      INFO(name << ", screen " << screen + 1 << " at " << width << "x" << height << ", " << theme);
      act(studio, "lesson.go", {{"screen", std::to_string(screen + 1)}});
      REQUIRE(desk.screen() == screen);
      wait(studio);
      check_texts();
      for (std::string id = desk.first_open(); !id.empty(); id = desk.first_open()) {
        act(studio, "lesson.answer", {{"question", id}, {"text", "1"}});
        wait(studio);
        check_texts();
        if (desk.asked(id)->outcome == LessonDesk::Outcome::open) act(studio, "lesson.show", {{"question", id}});
        wait(studio);
        check_texts();
      }
    }
    act(studio, "lesson.go", {{"screen", "1"}});
    act(studio, "lesson.present");
    for (std::size_t i = 0; i < desk.slide_count(); ++i) {
      INFO(name << ", slide " << i + 1 << " at " << width << "x" << height << ", " << theme);
      wait(studio);
      check_texts();
      act(studio, "lesson.next");
    }
  }
}

TEST_CASE("the live page has no text over another, on any tab, in any window") {
  const std::string tour = preset("tour.tess");
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1920, 1080), std::pair(2560, 1440), std::pair(800, 600)}) {
    INFO(width << "x" << height);
    StudioDriver studio(tour, width, height);
    RunRow run;
    run.at_ns = 1'000'000'000;
    run.binding = "article_gemm";
    run.expression = run.spec = "gemm(m=64, n=96, k=16, mma=make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT, (2,2):(2,1)))";
    run.changed = "stages: 1 -> 2, cta_tiler: left out -> (64,96,8)";
    run.correct = true, run.microseconds = 12.5, run.tflops = 3;
    run.prediction = Prediction{Prediction::Says::faster, 20};
    run.verdict = "Right: you said faster by 20 %";
    run.note = "a note that is longer than its column has room for";
    studio.app.bench.live.history.merge({run});
    for (const char* tab : {"result", "plan", "source", "ptx", "sass", "history", "compare"}) {
      INFO(tab);
      open_live(studio, tab);
      if (std::string(tab) == "history") studio.app.bench.live.chosen_run = run.at_ns;
      studio.frames(2);
      check_texts();
    }
    // Where runs go, with a worker that does not answer.
    studio.app.request.worker = "sh -c 'exit 7'";
    studio.app.bench.live.places.opens = true;
    open_live(studio, "result");
    REQUIRE(studio.shows("worker command", "edit"));
    check_texts();
    studio.press(ImGuiKey_Escape);
    studio.frames(2);
    studio.app.bench.live.pinned = studio::PinnedGemm{run, numbers_of(run)};
    studio.app.bench.live.asking.open = true;
    open_live(studio, "compare");
    check_texts();
    act(studio, "binding.set", {{"binding", "article_gemm"}, {"expression", "gemm(m=64, n=96, k=16, mma=volta_2x2, stages=99)"}});
    open_live(studio, "result");
    CHECK(studio.app.bench.live.refused);
    check_texts();
  }
}

TEST_CASE("labels of the selected and of the hovered cells are read however small the cells are") {
  StudioDriver studio("let a = (128,128):(128,1)\nlet shown = layout_figure(a)\n");
  act(studio, "figure.show", {{"binding", "shown"}});
  REQUIRE(studio.app.bench.canvases.at("shown").camera.scale < 8);
  const auto is_read = [&](int column, int row, const std::string& label) {
    const ImVec2 at = studio.cell_on_screen("shown", static_cast<float>(column), static_cast<float>(row));
    const DrawnTexts drawn = texts();
    const test::DrawnText* text = nearest(drawn, label, at);
    constexpr float kNear = 60;  // pixels: with a line that leads to it
    return text && text->size >= 7 && std::hypot((text->x0 + text->x1) / 2 - at.x, (text->y0 + text->y1) / 2 - at.y) < kNear;
  };
  CHECK_FALSE(is_read(40, 30, "3880"));
  act(studio, "cells.select", {{"binding", "shown"}, {"cells", "(30-31,40-43)"}});
  for (int row = 30; row < 32; ++row) {
    for (int column = 40; column < 44; ++column) {
      INFO(row << "," << column);
      CHECK(is_read(column, row, std::to_string(row * 128 + column)));
    }
  }
  check_texts();
  const ImVec2 at = studio.cell_on_screen("shown", 100, 90);
  studio.move(at.x, at.y);
  CHECK(is_read(100, 90, std::to_string(90 * 128 + 100)));
  check_texts();
}

TEST_CASE("numbers of rows and columns stay at the canvas's edge when a figure is moved under it") {
  // A figure of 1024 columns numbers every 64th itself.
  struct Place {
    int extent;
    ImVec2 middle;  // column and row
    float scale;    // pixels a unit of the scene
    std::string column, row;
    int from = 0;  // the first row and column that is shown
  };
  const Place place = GENERATE(Place{1024, {300.5f, 300.5f}, 40, "400", "398", 100}, Place{64, {30.5f, 20.5f}, 40, "30", "20"},
                               Place{1024, {561.5f, 759.5f}, 40, "561", "759"}, Place{1024, {1018.5f, 1015.5f}, 40, "1023", "1023"},
                               Place{1024, {576.5f, 768.5f}, 10, "572", "770"});
  StudioDriver studio(fmt::format("let shown = layout_figure(({0},{0}):({0},1), crop=\"rows={1}-{2},cols={1}-{2}\")\n", place.extent,
                                  place.from, place.extent - 1));
  act(studio, "figure.show", {{"binding", "shown"}});
  const studio::RecordedItem canvas = studio.item("shown", "canvas");
  const studio::Figure& made =
      studio.app.figures.get(studio.app.session, view_of(studio.app.session.workspace().arrangement, "shown"), studio.app.textures);
  const std::vector<Mark>& marks = made.scene->panels.front().marks;
  const auto grid = std::find_if(marks.begin(), marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
  REQUIRE(grid != marks.end());
  const Grid& cells = std::get<Grid>(*grid);
  studio::CanvasState& state = studio.app.bench.canvases.at("shown");
  state.fitted = false;
  state.camera.scale = place.scale;
  state.camera.put({cells.x + place.middle.x * cells.w, cells.y + place.middle.y * cells.h}, {canvas.w / 2, canvas.h / 2});
  studio.frames(3);
  const studio::ScreenRect area{{0, 0}, {canvas.w, canvas.h}};
  const studio::PlacedWords words = studio::place_words({studio.app.fonts, *made.scene, *made.index, state.camera, area, studio.app.scale});
  std::vector<std::string> across, down;
  for (const studio::PlacedText& each : words.texts) {
    if (!number_in<int>(each.words)) continue;
    const ImVec2 size = studio::text_size(each.face->font, each.face->size, each.words.data(), each.words.data() + each.words.size());
    const ImVec2 at = state.camera.to_scene({each.at.x + size.x / 2, each.at.y + size.y / 2});
    const bool is_column = each.at.y < 20;
    const float cell = static_cast<float>(place.from) + (is_column ? (at.x - cells.x) / cells.w : (at.y - cells.y) / cells.h);
    INFO(each.words << (is_column ? " over column " : " beside row ") << cell);
    CHECK(std::to_string(static_cast<int>(std::floor(cell))) == each.words);
    (is_column ? across : down).emplace_back(each.words);
  }
  INFO(fmt::format("across: {}; down: {}", fmt::join(across, " "), fmt::join(down, " ")));
  CHECK(std::find(across.begin(), across.end(), place.column) != across.end());
  CHECK(std::find(down.begin(), down.end(), place.row) != down.end());
  CHECK(across.size() >= 8);
  CHECK(down.size() >= 8);
  for (std::vector<std::string>& axis : {std::ref(across), std::ref(down)}) {  // they count evenly
    std::vector<int> numbers;
    for (const std::string& each : axis) numbers.push_back(number_in<int>(each).value());
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 2; i < numbers.size(); ++i) CHECK(numbers[i] - numbers[i - 1] == numbers[1] - numbers[0]);
  }
  check_texts();
}

TEST_CASE("what is said of a figure is folded into a line, and a click unfolds it") {
  StudioDriver studio(preset("tour.tess"));
  REQUIRE(studio.item("captions of one_thread", "text").value == "line");
  studio.click("All that is said", "button");  // of a pane that is too small for a line
  CHECK(studio.item("captions of what_is_owned", "text").value == "drawer");
  check_texts();
  studio.click("Fold what is said", "button");
  CHECK(studio.item("captions of what_is_owned", "text").value == "sign");
  const studio::RecordedItem line = studio.item("captions of one_thread", "text");
  studio.move(line.x + 20, line.y + line.h / 2);
  studio.drag(0, 0);
  const studio::RecordedItem drawer = studio.item("captions of one_thread", "text");
  CHECK(drawer.value == "drawer");
  CHECK(drawer.h > 4 * line.h);
  check_texts();
}
