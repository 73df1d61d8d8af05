// SPDX-License-Identifier: BSD-3-Clause
// The figure of a TMA copy: cells of a box land where its layout of shared memory says, and what is outside of the tensor is zero.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/tma/tma_boxes.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

TmaBoxes boxes_of(const char* gmem, const char* smem, std::vector<std::int64_t> tile, ValueType type = ValueType::f16) {
  TmaRequest request{
      find_copy_atom("SM90_TMA_LOAD").value(), Reader(gmem).layout().value(), type, Reader(smem).any_layout().value(), Layout(), 1};
  std::vector<Tiler> modes;
  for (const std::int64_t extent : tile) modes.emplace_back(compact(extent));
  request.cta_values = composition(make_identity_layout(request.gmem.shape()).value(), Tiler(std::move(modes)), Law::as_cute).value();
  TmaCopy copy = make_tma_atom(request).value();
  return tma_boxes(std::move(request), std::move(copy)).value();
}

Result<Scene> of(const TmaBoxes& boxes, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(boxes, FigureStyle::tessera, "tma");
  spec.parameters = std::move(parameters);
  return make_figure(spec);
}

struct Case {
  const char *gmem, *smem;
  std::vector<std::int64_t> tile;
  ValueType type = ValueType::f16;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", {16, 64}},
      {"(40,72):(72,1)", "(16,64):(64,1)", {16, 64}},
      {"(96,40):(1,96)", "Sw<2,3,3> o 0 o (32,8):(1,32)", {32, 8}},
      {"(40,96):(96,1)", "Sw<2,2,3> o 0 o (8,16):(16,1)", {8, 16}, ValueType::f32},
      {"(32,256):(256,1)", "Sw<3,3,3> o 0 o ((8,4),(64,2)):((64,512),(1,2048))", {32, 128}},
  };
  return kCases;
}

}  // namespace

TEST_CASE("what numbers of a box count is said where there are numbers", "[tma]") {
  const TmaBoxes boxes = boxes_of("(40,72):(72,1)", "(16,64):(64,1)", {16, 64});
  const auto said = [&](std::map<std::string, std::string> parameters) {
    std::string all;
    for (const std::string& note : texts_of(of(boxes, std::move(parameters)).value(), LabelRole::note)) all += note;
    return all;
  };
  const std::string of_box = "the 16-byte chunk of shared memory where these 8 elements land";
  CHECK(said({}).find(of_box) != std::string::npos);
  CHECK(said({}).find("number in shared memory: the coordinate of the first of its elements") != std::string::npos);
  CHECK(said({{"labels", "none"}}).find("number in") == std::string::npos);
}

TEST_CASE("cells of a box have the same coordinate in the tensor and in shared memory, and zeros are grey in both", "[tma]") {
  for (const Case& each : cases()) {
    CAPTURE(each.gmem, each.smem);
    const TmaBoxes boxes = boxes_of(each.gmem, each.smem, each.tile, each.type);
    const Scene scene = of(boxes, {{"box", std::to_string(boxes.count() - 1)}}).value();
    const std::size_t gmem = panel_named(scene, "gmem"), smem = panel_named(scene, "smem");
    const std::int64_t per = 128 / bits(each.type);
    std::size_t compared = 0;
    for (const CellView& cell : cells_of(scene, smem)) {
      const Subject subject = subject_of(scene, cell.id).value();
      if (subject.row < 0) continue;
      CHECK(subject.address == evaluate(boxes.request.smem, subject.row % each.tile[0], subject.col % each.tile[1]));
      const auto twin = find_cell(scene, gmem, subject.row, subject.col);
      REQUIRE(twin);
      CHECK(twin->fill == cell.fill);
      const bool inside = subject.row < boxes.modes[0].extent && subject.col < boxes.modes[1].extent;
      CHECK((cell.label == "zero") == !inside);
      if (inside) {
        CHECK(twin->label == std::to_string(subject.address / per));
        CHECK(subject_of(scene, twin->id)->address == boxes.request.gmem(subject.row + boxes.modes[0].extent * subject.col));
      }
      ++compared;
    }
    CHECK(static_cast<std::int64_t>(compared) == std::min<std::int64_t>(boxes.elements() / per, 16 * 8));  // lines of 128 bytes
  }
}

TEST_CASE("a cell of the tensor is explained by its layout in global memory", "[tma]") {
  const Scene scene = of(boxes_of("(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", {16, 64})).value();
  const CellView cell = find_cell(scene, panel_named(scene, "gmem"), 17, 72).value();
  const ExplainedCell explained = explain(scene, cell.id).value();
  CHECK(explained.offset == 17 * 160 + 72);
  CHECK(std::any_of(explained.steps.begin(), explained.steps.end(), [](const ExplainStep& step) { return step.name == "sector"; }));
}

TEST_CASE("a box's number stands on the box, also where it is drawn in larger cells", "[tma]") {
  for (const char* gmem : {"(40,160):(160,1)", "(400,640):(640,1)"}) {
    const TmaBoxes boxes = boxes_of(gmem, "Sw<3,3,3> o 0 o (16,64):(64,1)", {16, 64});
    const Scene scene = of(boxes, {{"box", "4"}}).value();
    const Panel& panel = scene.panels[panel_named(scene, "gmem")];
    std::size_t numbers = 0;
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      const std::string text(label ? scene.text_of(label->text) : "");
      if (!label || label->role != LabelRole::panel_name || text.find_first_not_of("0123456789") != std::string::npos) continue;
      ++numbers;
      const std::vector<std::int64_t> first = boxes.origin(std::stoll(text));
      const Subject subject = subject_of(scene, pick(scene, label->x - 0.05f, label->y - 0.05f).value()).value();
      CHECK(subject.row >= first[0]);
      CHECK(subject.row < first[0] + 16);
      CHECK(subject.col >= first[1]);
      CHECK(subject.col < first[1] + 64);
    }
    CHECK(numbers >= 8);
  }
}

TEST_CASE("the caption says how many bytes a box is, and what of it is zero", "[tma]") {
  const TmaBoxes boxes = boxes_of("(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", {16, 64});
  const std::vector<std::string> notes = texts_of(of(boxes, {{"box", "8"}}).value(), LabelRole::note);
  CHECK(notes.at(0) == "SM90_TMA_LOAD takes (40,160):(160,1) in 9 boxes (large numbers) of 16 × 64 elements, 2048 bytes each.");
  CHECK(notes.at(1).find("box 8: 768 of its 1024 elements are outside (grey) and arrive as zeros") == 0);
}

TEST_CASE("of a tensor of three modes the part is drawn that the box is of, and coordinates are the tensor's", "[tma]") {
  TmaRequest request{find_copy_atom("SM90_TMA_LOAD").value(),
                     "(64,40,3):(1,64,2560)"_layout,
                     ValueType::f16,
                     "Sw<3,3,3> o 0 o (64,16):(1,64)"_any,
                     Layout(),
                     1};
  request.cta_values =
      composition(make_identity_layout(request.gmem.shape()).value(), tiler({compact(64), compact(16)}), Law::as_cute).value();
  TmaCopy copy = make_tma_atom(request).value();
  const TmaBoxes boxes = tma_boxes(std::move(request), std::move(copy)).value();
  const Scene scene = of(boxes, {{"box", "7"}}).value();
  CHECK(texts_of(scene, scene.panels[panel_named(scene, "gmem")], LabelRole::panel_name).back() ==
        "global (64,40,3):(1,64,2560), at (_,_,2)");
  for (const CellView& cell : cells_of(scene, panel_named(scene, "smem"))) {
    const Subject subject = subject_of(scene, cell.id).value();
    CHECK(cell.label == std::to_string(subject.row) + "," + std::to_string(subject.col) + ",2");
    CHECK(subject.address == evaluate(boxes.request.smem, subject.row, subject.col % 16));
    CHECK(subject_at(scene, panel_named(scene, "gmem"), subject.row, subject.col).address == subject.row + 64 * subject.col + 2 * 2560);
  }
}

TEST_CASE("the lines that open a box begin at its corners and are not level, and its number stands where its cells have none", "[tma]") {
  const Scene scene = of(boxes_of("(20,160):(160,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", {8, 64}), {{"box", "5"}}).value();
  const Panel& gmem = scene.panels.front();
  int slanting = 0, numbers = 0;
  for (const Mark& mark : gmem.marks) {
    if (const auto* line = std::get_if<Line>(&mark); line && line->y0 != line->y1) {
      ++slanting;
      CHECK(line->x0 == Approx(16));  // its second column of boxes ends there: a cell is 8 elements
      CHECK((line->y0 == Approx(16) || line->y0 == Approx(24)));
    }
    const auto* label = std::get_if<Label>(&mark);
    if (label == nullptr || label->role != LabelRole::panel_name || scene.text_of(label->text) != "5") continue;
    ++numbers;
    CHECK(label->x == Approx(12));
    CHECK(label->y == Approx(22));  // rows 20 to 23 are outside of the tensor
  }
  CHECK(slanting == 2);
  CHECK(numbers == 1);
}

TEST_CASE("boxes that there are not, and what is no TMA copy, are refused", "[tma]") {
  const TmaBoxes boxes = boxes_of("(40,160):(160,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)", {16, 64});
  CHECK(of(boxes, {{"box", "9"}}).error().message == "box=9: (40,160):(160,1) is taken in 9 boxes");
  CHECK(make_figure(figure(lay(8, 1), FigureStyle::tessera, "tma")).error().message ==
        "this figure needs a TMA copy, as make_tma_atom and make_tma_copy give it, and got a layout");
  // The copy's own refusal: rows of 128 bytes behind a swizzle of 64.
  CHECK(of(boxes_of("(64,64):(64,1)", "Sw<2,3,3> o 0 o (16,64):(64,1)", {16, 64})).error().message.find("its swizzle takes 64 together") !=
        std::string::npos);
}
