// SPDX-License-Identifier: BSD-3-Clause
// Pictures told in steps: which steps there are, what each lights, what it says, and that it lies on the others.
#include "core/diagram/parts/steps.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

FigureSpec mma_spec() { return figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value()); }

Scene drawn(FigureSpec spec, std::map<std::string, std::string> parameters) {
  spec.parameters = std::move(parameters);
  Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return std::move(*scene);
}

Error refusal(FigureSpec spec, std::map<std::string, std::string> parameters) {
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  REQUIRE_FALSE(scene);
  return scene.error();
}

std::vector<bool> faint_cells(const Scene& scene) {
  std::vector<bool> faint;
  for (std::size_t p = 0; p < scene.panels.size(); ++p) each_cell(scene, p, [&](const CellView& cell) { faint.push_back(cell.faint); });
  return faint;
}

bool says(const Scene& scene, const std::string& sentence) {
  for (const std::string& text : texts_of(scene, LabelRole::note)) {
    if (text == sentence) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a step lights what highlight= lights, for each number that the cells have", "[steps]") {
  struct Row {
    std::string steps, spelling;
    std::size_t count;
  };
  for (const Row& row : {Row{"k", "k=", 16}, Row{"thread", "T", 32}, Row{"quad", "Q", 8}, Row{"warp", "W", 1}, Row{"value", "V", 8},
                         Row{"m", "m=", 16}, Row{"n", "n=", 8}, Row{"row", "rows=", 16}, Row{"col", "cols=", 8}}) {
    CAPTURE(row.steps);
    const Scene whole = drawn(mma_spec(), {{"steps", row.steps}});
    REQUIRE(whole.steps.size() == row.count);
    CHECK(faint_cells(whole) == faint_cells(drawn(mma_spec(), {})));  // steps alone change nothing
    for (std::size_t i = 0; i < row.count; ++i) {
      const std::string number = std::to_string(i);
      const Scene step = drawn(mma_spec(), {{"steps", row.steps}, {"step", std::to_string(i + 1)}});
      CHECK(faint_cells(step) == faint_cells(drawn(mma_spec(), {{"highlight", row.spelling + number}})));
      CHECK(faint_cells(step) == faint_cells(at_step(whole, i).value()));
      CHECK(step.steps.empty());
    }
  }
}

TEST_CASE("numbers that no cell has are no steps, and every owner's are", "[steps]") {
  const Scene gaps = drawn(figure(lay(tup({4}), tup({3}))), {{"steps", "offset"}});
  REQUIRE(gaps.steps.size() == 4);
  CHECK(gaps.steps[1].lit.at(0).first == 3);
  const Scene shared = drawn(figure(find_mma_atom("SM70_8x8x4_F32F16F16F32_NT").value()), {{"steps", "thread"}});
  REQUIRE(shared.steps.size() == 8);  // a quad pair: 0-3 and 16-19
  CHECK(shared.steps[4].lit.at(0).first == 16);
}

TEST_CASE("a step says its place among all and what it lights", "[steps]") {
  const Scene scene = drawn(mma_spec(), {{"steps", "k"}, {"step", "4"}});
  CHECK(says(scene, "Step 4 of 16, k = 3: A (0,3), (1,3), (2,3), (3,3) and 12 more; B (0,3), (1,3), (2,3), (3,3) and 4 more."));
  const Scene one = drawn(figure(lay(tup({2, 2}), tup({1, 2}))), {{"steps", "row"}, {"step", "2"}});
  CHECK(says(one, "Step 2 of 2, row 1: (1,0), (1,1)."));
  CHECK_FALSE(says(drawn(figure(lay(tup({2, 2}), tup({1, 2}))), {{"steps", "row"}, {"step", "2"}, {"caption", "no"}}),
                   "Step 2 of 2, row 1: (1,0), (1,1)."));
}

TEST_CASE("pictures of all steps lie on one another", "[steps]") {
  const Scene whole = drawn(mma_spec(), {{"steps", "thread"}});
  const Bounds first = bounds(at_step(whole, 0).value());
  std::set<std::pair<float, float>> titles;
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    const Bounds each = bounds(at_step(whole, i).value());
    CHECK(each.x0 == first.x0);
    CHECK(each.y0 == first.y0);
    CHECK(each.x1 == first.x1);
    CHECK(each.y1 == first.y1);
  }
  CHECK(first.height() > bounds(whole).height());  // the sentence has room of its own
}

TEST_CASE("wrong steps are refused with what there is", "[steps]") {
  CHECK(refusal(mma_spec(), {{"steps", "k"}, {"step", "17"}}).message == "there is no step 17; steps are 1 to 16");
  CHECK(refusal(mma_spec(), {{"steps", "k"}, {"step", "0"}}).message == "step=0 is not an integer from 1 to 1024");
  CHECK(refusal(mma_spec(), {{"step", "1"}}).message == "this figure has no steps");
  CHECK(refusal(mma_spec(), {{"steps", "k"}, {"step", "1"}, {"highlight", "T0"}}).message ==
        "a step says what stands out, and so does highlight or thread");
  const Error none = refusal(figure(compact(tup({4, 8}))), {{"steps", "k"}});
  CHECK(none.message == "steps: k = 0 matches no cell of the figure");
  CHECK(none.notes.at(0) == "there are rows=0-3, cols=0-7, offsets=0-31");
  CHECK(refusal(figure(compact(tup({64, 64}))), {{"steps", "offset"}}).message ==
        "a picture has at most 1024 steps, and this one would have 4096");
  FigureSpec cutes = mma_spec();
  cutes.style = FigureStyle::print_latex;
  CHECK(refusal(cutes, {{"steps", "k"}}).code == ErrorCode::wrong_type);
  const NumberTable table{"", {"p = 1"}, {{"value", {1.0}}}};
  CHECK(refusal(figure(table), {{"step", "1"}}).message == "this figure has no steps");
}

TEST_CASE("a mark is there in its steps alone, and stands back when it is over", "[steps]") {
  Scene scene;
  const ColorIndex blue = scene.color({40, 80, 160});
  Panel panel{"p", {}};
  for (int i = 0; i < 4; ++i) panel.marks.push_back(Cell{static_cast<float>(i), 0, 1, 1, blue});
  panel.marks.push_back(Outline{0, 0, 4, 1});
  panel.shown = {{}, {1, 2}, {1, 0xffff, 1}, {3}};  // the outline has no entry: always
  scene.panels.push_back(std::move(panel));
  scene.steps = {{"a", {}}, {"b", {}}, {"c", {}}, {"d", {}}};
  const auto at = [&](std::size_t i) {
    std::string seen;  // places of cells; a small letter: it stands back
    const Scene step = at_step(scene, i).value();
    CHECK(step.panels[0].shown.empty());
    for (const CellView& cell : cells_of(step, 0)) {
      seen += static_cast<char>((cell.faint ? 'a' : 'A') + static_cast<int>(cell.x));
      CHECK((cell.fill == blue) != cell.faint);
    }
    CHECK(std::holds_alternative<Outline>(step.panels[0].marks.back()));
    return seen;
  };
  CHECK(at(0) == "A");
  CHECK(at(1) == "ABC");
  CHECK(at(2) == "ABc");
  CHECK(at(3) == "AcD");
  erase_marks(scene.panels[0], [](const Mark& mark) { return std::holds_alternative<Cell>(mark) && std::get<Cell>(mark).x == 1; });
  CHECK(at(1) == "AC");
  CHECK(at(3) == "AcD");
}

TEST_CASE("a cropped picture has its patterns and its step once", "[steps]") {
  FigureSpec spec = figure(compact(tup({64, 64})));
  const Scene part = drawn(spec, {{"crop", "rows=0-3, cols=0-3"}, {"patterns", "yes"}, {"steps", "row"}, {"step", "2"}});
  std::set<std::tuple<float, float, float, float>> strokes;
  for (const Mark& mark : part.panels[0].marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (line && line->color != kNoColor) CHECK(strokes.insert({line->x0, line->y0, line->x1, line->y1}).second);
  }
  CHECK_FALSE(strokes.empty());
  const std::vector<std::string> notes = texts_of(part, LabelRole::note);
  CHECK(std::count_if(notes.begin(), notes.end(), [](const std::string& note) { return note.starts_with("Step 2 of 4"); }) == 1);
}
