// SPDX-License-Identifier: BSD-3-Clause
// The levels of a GEMM: the element that is followed is the plan's own, in the grid, in its CTA, in its warp, and on its way through
// memory.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Result<Scene> of(const GemmPlan& plan, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(plan, FigureStyle::tessera, "hierarchy");
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

Scene drawn(const GemmPlan& plan, std::map<std::string, std::string> parameters = {}) {
  const Result<Scene> scene = of(plan, std::move(parameters));
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

std::vector<std::string> words_of(const Scene& scene) {
  std::vector<std::string> words;
  for (const Mark& mark : scene.panels[panel_named(scene, "way")].marks) {
    if (const auto* cell = std::get_if<Cell>(&mark); cell && cell->subject != kNoSubject)
      words.emplace_back(scene.words_of(scene.subjects.at(cell->subject)));
  }
  return words;
}

}  // namespace

TEST_CASE("every cell of the warp's part has the thread and value that own it by the plan", "[hierarchy]") {
  for (const GemmSpec& gemm :
       {support::tensor(128, 128, 96, 64, 64, 32, 3), support::article(), support::register_tile(), support::wide_quad_pairs()}) {
    const GemmPlan plan = lower(gemm).value();
    CAPTURE(plan.name);
    const Scene scene = drawn(plan);
    const plan::Tensor& c = plan.gmem(Operand::c);
    std::size_t compared = 0;
    for (const CellView& cell : cells_of(scene, panel_named(scene, "fragment"))) {
      const Subject subject = *subject_of(scene, cell.id);
      const std::int64_t row = subject.row % plan.blk_m, col = subject.col % plan.blk_n;
      CHECK(evaluate(plan.partition(Operand::c).layout, subject.thread, subject.value) == c.tiles[0](row + plan.blk_m * col));
      ++compared;
    }
    CHECK(compared >= 16);
  }
}

TEST_CASE("each cell of a CTA's tile is one warp's, as far as it goes", "[hierarchy]") {
  const GemmPlan plan = lower(support::tensor(128, 128, 96, 64, 64, 32, 3)).value();
  const Scene scene = drawn(plan, {{"at", "(70,5)"}});
  std::map<std::pair<int, int>, int> warp_of;  // of the fragment's threads
  const std::size_t tile = panel_named(scene, "tile");
  const std::vector<CellView> blocks = cells_of(scene, tile);
  REQUIRE(blocks.size() > 1);
  for (const CellView& cell : cells_of(scene, panel_named(scene, "fragment"))) {
    const Subject subject = *subject_of(scene, cell.id);
    // The last block that begins at or before this element has its warp.
    std::string label;
    int best_row = -1, best_col = -1;
    for (const CellView& block : blocks) {
      const Subject at = *subject_of(scene, block.id);
      if (at.row > subject.row || at.col > subject.col || at.row < best_row || at.col < best_col) continue;
      best_row = at.row, best_col = at.col, label = std::string(block.label);
    }
    CHECK(label == "W" + std::to_string(subject.thread / 32));
  }
}

TEST_CASE("the way of a product names the offsets, bytes and threads of the plan", "[hierarchy]") {
  const GemmPlan plan = lower(support::tensor(128, 128, 96, 64, 64, 32, 3)).value();
  const std::vector<std::string> words = words_of(drawn(plan, {{"at", "(70,5)"}, {"k", "41"}}));
  REQUIRE(words.size() == 7);
  CHECK(words[0] == "gA(70,41): offset " + std::to_string(evaluate(plan.gmem(Operand::a).layout, 70, 41)));
  CHECK(words[3] == "gB(5,41): offset " + std::to_string(evaluate(plan.gmem(Operand::b).layout, 5, 41)));
  const plan::Tensor& sA = plan.smem(Operand::a);
  const std::int64_t byte = sA.byte_offset + (sA.stage_elements + evaluate(sA.layout, 6, 9)) * 2;  // k-tile 1 lies in stage 1
  CHECK(words[1] == "sA(6,9): stage 1, byte " + std::to_string(byte) + ", bank " + std::to_string(byte / 4 % 32));
  int thread = -1, value = -1;
  REQUIRE(std::sscanf(words[2].c_str(), "A in registers: T%d V%d", &thread, &value) == 2);
  CHECK(evaluate(plan.partition(Operand::a).layout, thread, value) == evaluate(sA.layout, 6, 9));
  int owner = -1, place = -1;
  REQUIRE(std::sscanf(words[6].c_str(), "C(70,5): thread %d, value %d", &owner, &place) == 2);
  CHECK(thread / 32 == owner / 32);  // a warp multiplies what its own threads hold
  CHECK(evaluate(plan.partition(Operand::c).layout, owner, place) == plan.gmem(Operand::c).tiles[0](6 + 64 * 5));
}

TEST_CASE("elements that a GEMM has not are refused", "[hierarchy]") {
  const GemmPlan plan = lower(support::article()).value();
  CHECK(of(plan, {{"at", "(64,0)"}}).error().message == "at=(64,0) is no element of C");
  CHECK(of(plan, {{"at", "T3"}}).error().message == "at=T3 is no element of C");
  CHECK(of(plan, {{"k", "16"}}).error().message == "k=16 is no slice of the 16 that are multiplied");
  CHECK(make_figure(figure(lay(8, 1), FigureStyle::tessera, "hierarchy")).error().message == "this figure needs a GEMM, and got a layout");
}

TEST_CASE("an element of C is followed however few there are", "[hierarchy]") {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8}) {
    GemmSpec gemm = support::element_a_thread(false);
    gemm.n = n, gemm.gB.reset();
    CAPTURE(n);
    const Result<Scene> scene = of(lower(gemm).value());
    REQUIRE(scene);
    const Subject c = scene->subjects.at(std::get<Cell>(scene->panels[panel_named(*scene, "way")].marks.front()).subject);
    CHECK(scene->words_of(c).starts_with("gA("));
  }
}

TEST_CASE("the way stands beside a fragment that is much higher, or below all, and covers nothing", "[hierarchy]") {
  std::size_t beside = 0, below = 0;
  const GemmSpec tiles = support::tensor(256, 256, 256, 64, 64, 32, 3);
  for (const auto& [gemm, at] :
       std::vector<std::pair<GemmSpec, std::string>>{{tiles, ""},
                                                     {tiles, "(104,88)"},
                                                     {support::article(), ""},
                                                     {support::register_tile(), ""},
                                                     {support::wide_quad_pairs(), ""},
                                                     {support::wide_quad_pairs(), "(40,10)"},
                                                     {support::tensor(1024, 1024, 256, 128, 128, 32, 3), "(80,48)"}}) {
    FigureSpec spec = figure(lower(gemm).value(), FigureStyle::tessera, "hierarchy");
    if (!at.empty()) spec.parameters["at"] = at;
    spec.text_unit = 0.65F;  // of a page
    const Scene scene = make_figure(spec).value();
    CAPTURE(gemm.name);
    const Bounds way = bounds(scene.panels[panel_named(scene, "way")]);
    bool is_beside = false;
    for (const std::string id : {"grid", "tile", "fragment"}) {
      const Panel& panel = scene.panels[panel_named(scene, id)];
      for (const Mark& mark : panel.marks) {
        const auto* grid = std::get_if<Grid>(&mark);
        if (!grid) continue;
        const float right = grid->x + grid->w * static_cast<float>(grid->of->cols), bottom = grid->y + static_cast<float>(grid->of->rows);
        is_beside = is_beside || (id == "fragment" && way.y0 < bottom);
        CHECK((way.y0 >= bottom || way.x1 <= grid->x || way.x0 >= right));
      }
      for (const Mark& mark : panel.marks) {  // the lines that open a cell
        const auto* line = std::get_if<Line>(&mark);
        if (line && line->y0 != line->y1 && line->x0 != line->x1) CHECK((line->x0 >= way.x1 || std::max(line->y0, line->y1) <= way.y0));
      }
    }
    (is_beside ? beside : below) += 1;
  }
  CHECK(beside > 0);
  CHECK(below > 0);
}

TEST_CASE("lines open a level from the corners of its cell to the corners of its picture", "[hierarchy]") {
  const Scene scene = drawn(lower(support::tensor(256, 256, 256, 64, 64, 32, 3)).value());
  for (const auto& [level, next] : {std::pair{"grid", "tile"}, std::pair{"tile", "fragment"}}) {
    CAPTURE(level);
    const auto grid_of = [&](const char* id) {
      for (const Mark& mark : scene.panels[panel_named(scene, id)].marks) {
        if (const auto* grid = std::get_if<Grid>(&mark)) return *grid;
      }
      return Grid{};
    };
    const Grid to = grid_of(next);
    std::vector<Line> lines;
    Outline chosen;
    for (const Mark& mark : scene.panels[panel_named(scene, level)].marks) {
      if (const auto* line = std::get_if<Line>(&mark)) lines.push_back(*line);
      const auto* outline = std::get_if<Outline>(&mark);
      if (outline && outline->role == StrokeRole::highlight) chosen = *outline;
    }
    REQUIRE(lines.size() == 4);
    for (const std::size_t i : {0u, 2u}) {  // above and below: to the numbers, and past them
      CHECK(lines[i].x0 == Approx(chosen.x + chosen.w));
      CHECK(lines[i].y0 == Approx(chosen.y + (i == 0 ? 0 : chosen.h)));
      CHECK(lines[i + 1].x0 == Approx(lines[i].x1));
      CHECK(lines[i + 1].x1 == Approx(to.x));
      CHECK(lines[i + 1].y1 == Approx(to.y + (i == 0 ? 0 : static_cast<float>(to.of->rows))));
    }
  }
}

TEST_CASE("the way names the stages of a ring, and shows the one that holds the element", "[hierarchy]") {
  const Scene scene = drawn(lower(support::tensor(256, 256, 256, 64, 64, 32, 3)).value(), {{"k", "65"}});
  const Panel& way = scene.panels[panel_named(scene, "way")];
  int named = 0, lit = 0;
  for (const Mark& mark : way.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || !scene.text_of(label->text).starts_with("stage ") || scene.text_of(label->text).size() > 7) continue;
    ++named;
    if (label->role != LabelRole::panel_name) continue;
    ++lit;
    CHECK(scene.text_of(label->text) == "stage 2");  // of k-tile 2
  }
  CHECK(named == 6);
  CHECK(lit == 2);
  const std::vector<std::string> names = texts_of(scene, LabelRole::panel_name);
  CHECK(std::any_of(names.begin(), names.end(), [](const std::string& each) { return each.ends_with(": k = 65"); }));
}

TEST_CASE("the box of C has the frame and the colour of its cell, and other holders of operands have names", "[hierarchy]") {
  const Scene scene = drawn(lower(support::tensor(256, 256, 256, 64, 64, 32, 3)).value());
  const auto framed = [&](const char* panel) {
    for (const Mark& mark : scene.panels[panel_named(scene, panel)].marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (outline && outline->role == StrokeRole::highlight) return *outline;
    }
    return Outline{};
  };
  const auto fill_at = [&](const char* panel) {
    const Outline at = framed(panel);
    for (const CellView& cell : cells_of(scene, panel_named(scene, panel))) {
      if (cell.x == at.x && cell.y == at.y) return cell.fill;
    }
    return kNoColor;
  };
  CHECK(framed("way").w > 0);
  CHECK(fill_at("way") != kNoColor);
  CHECK(fill_at("way") == fill_at("fragment"));
  const std::vector<std::string> words = words_of(scene);
  CHECK(std::any_of(words.begin(), words.end(), [](const std::string& each) { return each.ends_with("T66 V14, also T2"); }));
}

TEST_CASE("arrows of a way name the instruction and its elements, and a note says where a coordinate comes from", "[hierarchy]") {
  const GemmPlan plan = lower(support::tensor(128, 128, 96, 64, 64, 32, 3)).value();
  const Scene scene = drawn(plan, {{"at", "(70,5)"}, {"k", "33"}});
  const std::vector<std::string> says = texts_of(scene, scene.panels[panel_named(scene, "way")], LabelRole::legend);
  CHECK(std::count(says.begin(), says.end(), "cp.async") == 2);
  CHECK(std::any_of(says.begin(), says.end(),
                    [](const std::string& text) { return text.starts_with("ld.shared") || text.starts_with("ldmatrix"); }));
  const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
  CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.starts_with("m = 1 · 64 + 6 = 70, n = 0 · 64 + 5 = 5, k = 1 · 32 + 1 = 33: ");
  }));
  const GemmPlan naive = lower(support::register_tile()).value();
  const Scene without = drawn(naive);
  const std::vector<std::string> words = texts_of(without, without.panels[panel_named(without, "way")], LabelRole::legend);
  CHECK(std::any_of(words.begin(), words.end(), [](const std::string& text) { return text.starts_with("ld"); }));
}
