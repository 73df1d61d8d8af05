// SPDX-License-Identifier: BSD-3-Clause
// Reading aids of figures: what stands out, a part alone, colours by what cells stand for, sentences, and what is switched off.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using Parameters = std::map<std::string, std::string>;

FigureSpec with(FigureSpec spec, Parameters parameters) {
  spec.parameters = std::move(parameters);
  return spec;
}

Scene drawn(const FigureSpec& spec, Parameters parameters) {
  const Result<Scene> scene = make_figure(with(spec, std::move(parameters)));
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

Error refusal(const FigureSpec& spec, Parameters parameters) {
  const Result<Scene> scene = make_figure(with(spec, std::move(parameters)));
  REQUIRE_FALSE(scene);
  return scene.error();
}

FigureSpec tv(const char* kind = "tv", Layout data = lay(tup({4, 8}), tup({8, 1}))) {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, kind);
  spec.objects.push_back(std::move(data));
  return spec;
}

FigureSpec atom() { return figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value()); }
TiledMma four_warps() { return tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1}))); }

FigureSpec gemm() {
  GemmSpec spec;
  spec.m = 32, spec.n = 16, spec.k = 64;
  spec.cta_tiler = tup({32, 16, 32});
  spec.mma = four_warps();
  return figure(lower(spec).value());
}

// Every kind of figure of grids.
std::vector<FigureSpec> figures() {
  return {figure(lay(tup({4, 8}), tup({8, 1})), FigureStyle::tessera, "layout"),
          tv(),
          tv("tv_inverse"),
          figure(four_warps(), FigureStyle::tessera, "mma"),
          figure(four_warps(), FigureStyle::tessera, "tv_a"),
          figure(four_warps(), FigureStyle::tessera, "tv_b"),
          figure(four_warps(), FigureStyle::tessera, "tv_c"),
          figure(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), FigureStyle::tessera, "copy"),
          gemm()};
}

// Calls use(panel, cell, subjects) for each cell of a grid.
template <class Use>
void each_grid_cell(const Scene& scene, const Use& use) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    each_cell(scene, p, [&](const CellView& cell) {
      if (std::holds_alternative<Grid>(scene.panels[p].marks[cell.id.mark])) use(scene.panels[p], cell, subjects_of(scene, cell.id));
    });
  }
}

// The number of cells that are not faint; each of them is held against `expected`.
template <class Expected>
std::size_t lit(const Scene& scene, const Expected& expected) {
  std::size_t count = 0;
  each_grid_cell(scene, [&](const Panel& panel, const CellView& cell, const std::vector<Subject>& subjects) {
    INFO(panel.id << " " << subjects.front().row << "," << subjects.front().col);
    CHECK(cell.faint != expected(panel, subjects));
    count += !cell.faint;
  });
  return count;
}

bool any(const std::vector<Subject>& subjects, const std::function<bool(const Subject&)>& is) {
  return std::any_of(subjects.begin(), subjects.end(), is);
}

std::size_t highlights(const Panel& panel) {
  return static_cast<std::size_t>(std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) {
    const auto* line = std::get_if<Line>(&mark);
    return line && line->role == StrokeRole::highlight;
  }));
}

std::vector<std::string> below(const Scene& scene, LabelRole role) {
  return scene.panels.back().name == kCaptionPanel ? texts_of(scene, scene.panels.back(), role) : std::vector<std::string>();
}

std::string first_note(const Scene& scene) {
  const std::vector<std::string> notes = below(scene, LabelRole::note);
  return notes.empty() ? std::string() : notes.front();
}

}  // namespace

TEST_CASE("highlight= lights what it names, in every kind of figure, and leaves the rest faint", "[highlight]") {
  for (const FigureSpec& spec : figures()) {
    INFO(spec.kind);
    if (spec.kind != "layout") {
      struct Case {
        const char* text;
        std::function<bool(const Subject&)> is;
      };
      const Case cases[] = {
          {"T3", [](const Subject& s) { return s.thread == 3; }},
          {"T0-3", [](const Subject& s) { return s.thread >= 0 && s.thread <= 3; }},
          {"W0", [](const Subject& s) { return s.thread >= 0 && s.thread < 32; }},
          {"Q1", [](const Subject& s) { return s.thread >= 4 && s.thread < 8; }},
          {"V1", [](const Subject& s) { return s.value == 1; }},
          {"T1 V0, Q1", [](const Subject& s) { return s.thread == 1 || s.value == 0 || (s.thread >= 4 && s.thread < 8); }}};
      for (const Case& each : cases) {
        INFO(each.text);
        const Scene scene = drawn(spec, {{"highlight", each.text}});
        const std::size_t count = lit(scene, [&](const Panel&, const std::vector<Subject>& subjects) { return any(subjects, each.is); });
        CHECK(count > 0);
        std::size_t outlines = 0;
        for (const Panel& panel : scene.panels) outlines += highlights(panel);
        CHECK(outlines >= 4);
      }
    }
    const Scene at = drawn(spec, {{"highlight", "(2,5)"}});
    CHECK(lit(at, [&](const Panel&, const std::vector<Subject>& s) { return s.front().row == 2 && s.front().col == 5; }) > 0);
  }
}

TEST_CASE("thread= and highlight= of threads draw the same picture", "[highlight]") {
  for (const FigureSpec& spec : figures()) {
    if (spec.kind == "layout" || std::holds_alternative<GemmPlan>(spec.objects.front())) continue;  // a GEMM's caption names threads
    const Scene a = drawn(spec, {{"thread", "0,2-3"}}), b = drawn(spec, {{"highlight", "T0, T2-3"}});
    REQUIRE(a.panels.size() == b.panels.size());
    for (std::size_t p = 0; p < a.panels.size(); ++p) {
      const std::vector<CellView> x = cells_of(a, p), y = cells_of(b, p);
      REQUIRE(x.size() == y.size());
      for (std::size_t i = 0; i < x.size(); ++i) CHECK((x[i].faint == y[i].faint && x[i].label == y[i].label && x[i].fill == y[i].fill));
      CHECK(highlights(a.panels[p]) == highlights(b.panels[p]));
    }
  }
}

TEST_CASE("rows and columns are those of the picture, and a slice of K lights A's columns and B's rows", "[highlight]") {
  const Scene k = drawn(atom(), {{"highlight", "k=4-7"}});
  each_grid_cell(k, [&](const Panel& panel, const CellView& cell, const std::vector<Subject>& s) {
    if (panel.operand == PanelOperand::c) {  // C has no K: it stays as it is
      CHECK_FALSE(cell.faint);
      return;
    }
    CHECK(cell.faint == (s.front().col < 4 || s.front().col > 7));
  });
  CHECK(highlights(k.panels[0]) == 0);
  CHECK(highlights(k.panels[1]) == 4);
  CHECK(highlights(k.panels[2]) == 4);
  for (const auto& [text, row] : {std::pair{"rows=2-3", true}, {"m=2-3", true}, {"cols=2-3", false}, {"n=2-3", false}}) {
    const Scene scene = drawn(atom(), {{"highlight", text}});
    each_grid_cell(scene, [&, row = row](const Panel& panel, const CellView& cell, const std::vector<Subject>& s) {
      const bool has = panel.operand != (row ? PanelOperand::b : PanelOperand::a);
      const std::int32_t at = panel.operand == PanelOperand::c && !row ? s.front().col : s.front().row;
      CHECK(cell.faint == (has && (at < 2 || at > 3)));
    });
  }
  const Scene rows = drawn(tv(), {{"highlight", "row=2"}}), cols = drawn(tv(), {{"highlight", "columns=0,7"}});
  CHECK(lit(rows, [](const Panel&, const std::vector<Subject>& s) { return s.front().row == 2; }) == 8);
  CHECK(lit(cols, [](const Panel&, const std::vector<Subject>& s) { return s.front().col == 0 || s.front().col == 7; }) == 8);
}

TEST_CASE("a coordinate names one panel, or every one, and may be a rectangle", "[highlight]") {
  const auto within = [](const Subject& s, int top, int bottom, int left, int right) {
    return s.row >= top && s.row <= bottom && s.col >= left && s.col <= right;
  };
  const Scene one = drawn(atom(), {{"highlight", "A(2,5)"}});
  CHECK(lit(one, [&](const Panel& panel, const std::vector<Subject>& s) { return panel.id == "A" && within(s.front(), 2, 2, 5, 5); }) == 1);
  const Scene rectangle = drawn(atom(), {{"highlight", "C(0-3,1)"}});
  CHECK(lit(rectangle,
            [&](const Panel& panel, const std::vector<Subject>& s) { return panel.id == "C" && within(s.front(), 0, 3, 1, 1); }) == 4);
  const Scene every = drawn(atom(), {{"highlight", "(0-1,0-1)"}});
  CHECK(lit(every, [&](const Panel&, const std::vector<Subject>& s) { return within(s.front(), 0, 1, 0, 1); }) == 12);
  refusal(atom(), {{"highlight", "D(2,5)"}});
  refusal(atom(), {{"highlight", "A(5-2,1)"}});
}

TEST_CASE("offsets and banks can be lit where they are known", "[highlight]") {
  const Scene offsets = drawn(figure(lay(tup({4, 8}), tup({8, 1}))), {{"highlight", "offset=17 offsets=0..2"}});
  CHECK(lit(offsets, [](const Panel&, const std::vector<Subject>& s) { return s.front().address == 17 || s.front().address <= 2; }) == 4);
  const Scene banks = drawn(figure(lay(tup({4, 64}), tup({64, 1}))), {{"highlight", "bank=3"}, {"bits", "16"}});
  CHECK(lit(banks, [](const Panel&, const std::vector<Subject>& s) { return s.front().address / 2 % 32 == 3; }) == 8);
  const Scene shared = drawn(gemm(), {{"highlight", "bank=3"}});
  std::size_t count = 0;
  each_grid_cell(shared, [&](const Panel& panel, const CellView& cell, const std::vector<Subject>& s) {
    if (panel.operand == PanelOperand::c) {
      CHECK_FALSE(cell.faint);
      return;
    }
    CHECK(cell.faint == (s.front().bank != 3));
    count += !cell.faint;
  });
  CHECK(count > 0);
}

TEST_CASE("what selects nothing is refused with what there is", "[highlight]") {
  const auto note = [](const Error& error) { return error.message + ": " + error.notes.front(); };
  const Error beyond = refusal(tv(), {{"highlight", "T0, T8"}});
  CHECK(beyond.code == ErrorCode::out_of_range);
  CHECK(note(beyond).find("T8 matches no cell") != std::string::npos);
  CHECK(note(beyond).find("T0-7, W0, Q0-1, V0-3, rows=0-3, cols=0-7, offsets=0-31") != std::string::npos);
  CHECK(note(refusal(tv(), {{"highlight", "bank=0"}})).find("matches no cell") != std::string::npos);
  CHECK(note(refusal(tv(), {{"highlight", "k=0"}})).find("matches no cell") != std::string::npos);
  CHECK(note(refusal(atom(), {{"highlight", "k=16"}})).find("k=0-15") != std::string::npos);
  for (const char* bad : {"X3", "T", "T3-1", "rwos=3", "rows=", "(2;5)", "(1,2,3)", "T-1", "3"}) {
    INFO(bad);
    const Error error = refusal(tv(), {{"highlight", bad}});
    CHECK(error.code == ErrorCode::parse);
    CHECK(note(error).find("T0-3") != std::string::npos);
  }
  CHECK(note(refusal(tv(), {{"highlight", "rwos=3"}})).find("the nearest to rwos is row") != std::string::npos);
  CHECK(make_figure(with(tv(), {{"highlight", " T0 - 3 ,(2, 5)  rows = 0..1"}})));
  FigureSpec latex = tv();
  latex.style = FigureStyle::print_latex;
  CHECK(refusal(latex, {{"highlight", "T0"}}).code == ErrorCode::wrong_type);
  CHECK(refusal(latex, {{"crop", "rows=0"}}).code == ErrorCode::wrong_type);
  FigureSpec timeline = gemm();
  timeline.kind = "timeline";
  CHECK(refusal(timeline, {{"highlight", "T0"}}).code == ErrorCode::unknown_name);
}

TEST_CASE("crop= draws the cells that it names, as they are in the whole picture, with their own numbers", "[crop]") {
  const std::pair<const char*, Parameters> cases[] = {{"rows 1-2 of 4, columns 4-7 of 8", {{"crop", "rows=1-2, cols=4-7"}}}};
  for (const auto& [words, parameters] : cases) {
    for (FigureSpec spec : {figures()[0], tv()}) {
      const Scene whole = drawn(spec), part = drawn(spec, parameters);
      std::size_t cells = 0;
      each_grid_cell(part, [&](const Panel&, const CellView& cell, const std::vector<Subject>& s) {
        const Subject& at = s.front();
        CHECK((at.row >= 1 && at.row <= 2 && at.col >= 4 && at.col <= 7));
        const CellView before = find_cell(whole, 0, at.row, at.col).value();
        CHECK(cell.label == before.label);
        CHECK(part.palette[cell.fill] == whole.palette[before.fill]);
        CHECK(subject_at(whole, 0, at.row, at.col).thread == at.thread);
        CHECK(subject_at(whole, 0, at.row, at.col).address == at.address);
        CHECK((cell.x == static_cast<float>(at.col - 4) && cell.y == static_cast<float>(at.row - 1)));
        ++cells;
      });
      CHECK(cells == 8);
      const std::vector<std::string> axes = texts_of(part, part.panels[0], LabelRole::axis);
      CHECK(std::multiset<std::string>(axes.begin(), axes.end()) == std::multiset<std::string>{"1", "2", "4", "5", "6", "7"});
      const std::vector<std::string> notes = below(part, LabelRole::note);
      CHECK(std::find(notes.begin(), notes.end(), words) != notes.end());
    }
  }
}

TEST_CASE("m, n and k cut the operands of one picture together, and these stay side by side", "[crop]") {
  for (const FigureSpec& spec : {atom(), gemm()}) {
    const Scene scene = drawn(spec, {{"crop", "m=8-15, n=2-5, k=4-9"}});
    std::map<PanelOperand, std::size_t> cells;
    std::map<PanelOperand, Bounds> box;
    each_grid_cell(scene, [&](const Panel& panel, const CellView& cell, const std::vector<Subject>& subjects) {
      const Subject& s = subjects.front();
      const auto in = [](std::int32_t n, int first, int last) { return n >= first && n <= last; };
      const bool a = panel.operand == PanelOperand::a, b = panel.operand == PanelOperand::b;
      CHECK((b ? in(s.row, 2, 5) : in(s.row, 8, 15)));
      CHECK((a || b ? in(s.col, 4, 9) : in(s.col, 2, 5)));
      if (cells[panel.operand]++ == 0) box[panel.operand] = {cell.x, cell.y, cell.x, cell.y};
      box[panel.operand].x1 = std::max(box[panel.operand].x1, cell.x + 1);
      box[panel.operand].y1 = std::max(box[panel.operand].y1, cell.y + 1);
    });
    CHECK(cells == std::map<PanelOperand, std::size_t>{{PanelOperand::a, 48}, {PanelOperand::b, 24}, {PanelOperand::c, 32}});
    const Bounds a = box[PanelOperand::a], b = box[PanelOperand::b], c = box[PanelOperand::c];
    CHECK((a.y0 == c.y0 && a.y1 == c.y1 && b.x0 == c.x0 && b.x1 == c.x1));
    CHECK(c.x0 - a.x1 == Approx(1));  // one text unit, which is one cell of so small a picture
    CHECK(c.y0 - b.y1 == Approx(1));
  }
  const std::vector<std::string> notes = below(drawn(atom(), {{"crop", "m=8-15, k=4"}}), LabelRole::note);
  CHECK(std::find(notes.begin(), notes.end(), "m 8-15 of 16, k 4 of 16") != notes.end());
}

TEST_CASE("a warp crops to the box around what it owns", "[crop]") {
  FigureSpec spec = figure(four_warps());
  const Scene whole = drawn(spec), part = drawn(spec, {{"crop", "W1"}});
  for (const std::size_t panel : {0u, 1u, 2u}) {
    const bool b = part.panels[panel].operand == PanelOperand::b;
    std::set<std::int32_t> rows, cols, want_rows, want_cols;
    for (const CellView& cell : cells_of(whole, panel)) {
      const std::vector<Subject> all = subjects_of(whole, cell.id);
      if (!any(all, [](const Subject& s) { return s.thread / 32 == 1; })) continue;
      want_rows.insert(all.front().row), want_cols.insert(all.front().col);
    }
    for (const CellView& cell : cells_of(part, panel))
      rows.insert(subject_of(part, cell.id)->row), cols.insert(subject_of(part, cell.id)->col);
    INFO(panel << b);
    CHECK(rows == want_rows);
    CHECK(cols == want_cols);
  }
  const Scene inverse = drawn(tv("tv_inverse"), {{"crop", "T2-3, V0-1"}});
  CHECK(cell_count(inverse) == 4);
  each_grid_cell(inverse, [](const Panel&, const CellView&, const std::vector<Subject>& s) {
    CHECK((s.front().thread >= 2 && s.front().thread <= 3 && s.front().value <= 1));
  });
}

TEST_CASE("a large picture's part is drawn in type of its own size", "[crop]") {
  const FigureSpec big = figure(compact(tup({256, 256})));
  const Scene part = drawn(big, {{"crop", "rows=16-23, cols=0-7"}}), small = drawn(figure(compact(tup({8, 8}))));
  const auto size = [](const Scene& scene) {
    for (const Mark& mark : scene.panels[0].marks) {
      if (const auto* label = std::get_if<Label>(&mark)) return label->size;
    }
    return 0.0f;
  };
  CHECK(size(part) == size(small));
  const std::vector<std::string> axes = texts_of(part, part.panels[0], LabelRole::axis);
  CHECK(std::count(axes.begin(), axes.end(), "16") == 1);
}

TEST_CASE("parts that are none are refused", "[crop]") {
  for (const auto& [text, words] : {std::pair{"rows=4", "nothing at rows=4"},
                                    {"k=0", "nothing at k=0"},
                                    {"offset=3", "no range of rows"},
                                    {"(1,2)", "no range of rows"},
                                    {"T0", "owns no cell"}}) {
    const Error error = refusal(figures()[0], {{"crop", text}});
    INFO(error.message);
    CHECK(error.message.find(words) != std::string::npos);
  }
  const FigureSpec strip = figure(lay(70, 2));
  CHECK(refusal(strip, {{"crop", "rows=20-40"}}).message.find("inside lines of 32") != std::string::npos);
  for (const auto& [text, count] : {std::pair{"rows=33-40", 8}, {"rows=32-63", 32}, {"rows=32-69", 38}, {"rows=64-69", 6}}) {
    const Scene scene = drawn(strip, {{"crop", text}});
    INFO(text);
    int cells = 0;
    each_grid_cell(scene, [&](const Panel&, const CellView& cell, const std::vector<Subject>& s) {
      CHECK(cell.label == std::to_string(2 * s.front().row));
      ++cells;
    });
    CHECK(cells == count);
  }
}

TEST_CASE("two cells have one colour exactly when what they are coloured by is the same", "[color]") {
  struct Case {
    FigureSpec spec;
    Parameters parameters;
    std::function<std::int64_t(const Subject&)> id;  // negative: of none
  };
  const auto quad = [](const Subject& s) { return std::int64_t{s.thread / 4}; };
  const auto row = [](const Subject& s) { return std::int64_t{s.row}; };
  const auto col = [](const Subject& s) { return std::int64_t{s.col}; };
  const auto chunk = [](const Subject& s) { return s.address * 16 / 128 % 8; };
  const auto bank = [](const Subject& s) { return s.address * 16 / 32 % 32; };
  const FigureSpec flat = figure(lay(tup({8, 64}), tup({64, 1})));
  const Case cases[] = {{tv(), {{"color", "quad"}}, quad},
                        {tv("tv_inverse"), {{"color", "quad"}}, quad},
                        {figure(four_warps(), FigureStyle::tessera, "tv_c"), {{"color", "quad"}}, quad},
                        {tv(), {{"color", "row"}}, row},
                        {tv(), {{"color", "column"}}, col},
                        {tv("tv_inverse"), {{"color", "col"}}, col},
                        {flat, {{"color", "row"}}, row},
                        {flat, {{"color", "chunk"}, {"bits", "16"}}, chunk},
                        {flat, {{"color", "bank"}, {"bits", "16"}}, bank},
                        {tv(), {{"color", "chunk"}, {"bits", "16"}}, chunk},
                        {tv(), {{"color", "bank"}, {"type", "half_t"}}, bank},
                        {tv(), {{"color", "offset"}}, [](const Subject& s) { return s.address; }}};
  for (const Case& each : cases) {
    INFO(each.spec.kind << " by " << each.parameters.at("color"));
    const Scene scene = drawn(each.spec, each.parameters);
    std::map<std::int64_t, std::set<ColorIndex>> colors;
    std::set<ColorIndex> all;
    each_grid_cell(scene, [&](const Panel&, const CellView& cell, const std::vector<Subject>& s) {
      CHECK(cell.fill != kNoColor);
      colors[each.id(s.front())].insert(cell.fill);
      all.insert(cell.fill);
    });
    for (const auto& [id, fills] : colors) CHECK(fills.size() == 1);
    if (colors.size() <= 32) CHECK(all.size() == colors.size());
    std::vector<std::string> legends = below(scene, LabelRole::legend);
    std::erase_if(legends, [](const std::string& text) { return text.size() == 1; });  // numbers of swatches
    CHECK(legends.size() == 1);
  }
  CHECK(refusal(figure(seed_tv(), FigureStyle::tessera, "tv"), {{"color", "offset"}}).message.find("wants offsets") != std::string::npos);
  CHECK(refusal(atom(), {{"color", "bank"}}).code == ErrorCode::unknown_name);
}

TEST_CASE("atoms are coloured as they repeat along M and N", "[color]") {
  const Scene scene = drawn(figure(four_warps()), {{"color", "atom"}});
  std::map<std::pair<int, int>, std::set<ColorIndex>> tiles;
  std::set<ColorIndex> all;
  for (const CellView& cell : cells_of(scene, 0)) {
    const Subject s = *subject_of(scene, cell.id);
    tiles[{s.row / 16, s.col / 8}].insert(cell.fill);
    all.insert(cell.fill);
  }
  CHECK(tiles.size() == 4);
  for (const auto& [at, fills] : tiles) CHECK(fills.size() == 1);
  CHECK(all.size() == 4);
}

TEST_CASE("a layout of colours gives each coordinate the colour of its value, and is of the tile's shape", "[color]") {
  const Layout colors = lay(tup({4, 8}), tup({1, 2}));  // 0..17
  for (FigureSpec spec : {figures()[0], tv(), tv("tv_inverse")}) {
    spec.color_layout = colors;
    const Scene scene = drawn(spec);
    std::map<std::int64_t, std::set<ColorIndex>> by_value;
    std::set<ColorIndex> all;
    each_grid_cell(scene, [&](const Panel&, const CellView& cell, const std::vector<Subject>& s) {
      by_value[colors(s.front().row, s.front().col)].insert(cell.fill);
      all.insert(cell.fill);
    });
    CHECK(by_value.size() == 18);
    for (const auto& [value, fills] : by_value) CHECK(fills.size() == 1);
    CHECK(all.size() == 18);
    CHECK(below(scene, LabelRole::legend) == std::vector<std::string>{"colour: the value of (4,8):(1,2)"});
    for (const Layout& wrong : {compact(tup({8, 4})), compact(tup({4, 4})), compact(64)}) {
      spec.color_layout = wrong;
      const Error error = refusal(spec, {});
      INFO(error.message);
      CHECK(error.code == ErrorCode::rank_mismatch);
      CHECK(error.message.find(to_string(wrong.shape())) != std::string::npos);
      CHECK(error.message.find("4 × 8") != std::string::npos);
    }
  }
  FigureSpec timeline = gemm();
  timeline.kind = "timeline";
  timeline.color_layout = colors;
  CHECK(refusal(timeline, {}).message.find("no parameter 'color'") != std::string::npos);
}

TEST_CASE("legends have a swatch of each of at most eight hues, and make no picture wider", "[legend]") {
  for (const FigureSpec& spec : figures()) {
    const Scene scene = drawn(spec), silent = drawn(spec, {{"legend", "no"}});
    std::size_t swatches = 0;
    std::set<ColorIndex> drawn_fills;
    each_grid_cell(scene, [&](const Panel&, const CellView& cell, const std::vector<Subject>&) { drawn_fills.insert(cell.fill); });
    for (const Mark& mark : scene.panels.back().marks) {
      const auto* cell = std::get_if<Cell>(&mark);
      if (!cell || cell->subject_count > 1) continue;  // the sample of a corner is no hue
      ++swatches;
      if (spec.kind != "layout") CHECK(drawn_fills.count(cell->fill) == 1);
    }
    INFO(spec.kind);
    CHECK(swatches >= 2);
    CHECK(swatches <= 8);
    CHECK(bounds(scene).x1 <= bounds(silent).x1 + 1e-3f);
    CHECK(below(silent, LabelRole::legend).empty());
    CHECK(std::none_of(silent.panels.back().marks.begin(), silent.panels.back().marks.end(),
                       [](const Mark& mark) { return std::holds_alternative<Cell>(mark); }));
  }
}

TEST_CASE("caption, legend, title, axes and heading go where no is said, and nothing else does", "[switches]") {
  for (FigureSpec spec : figures()) {
    spec.title = "A title";
    spec.expression = "some(expression)";
    INFO(spec.kind);
    const auto counts = [&](const Scene& scene) {
      std::map<std::string, std::size_t> count;
      for (const Panel& panel : scene.panels) {
        const bool captions = panel.name == kCaptionPanel;
        for (const Mark& mark : panel.marks) {
          const auto* label = std::get_if<Label>(&mark);
          if (!label) continue;
          if (label->role == LabelRole::axis || (label->role == LabelRole::legend && !captions)) ++count["axes"];
          if (label->role == LabelRole::panel_name) ++count[captions ? "title" : "heading"];
          if (label->role == LabelRole::legend && captions) ++count["legend"];
          if (label->role == LabelRole::note || label->role == LabelRole::caption) ++count["caption"];
        }
      }
      return count;
    };
    const std::map<std::string, std::size_t> whole = counts(drawn(spec));
    CHECK(whole.size() == 5);
    for (const auto& [part, number] : whole) {
      std::map<std::string, std::size_t> want = whole;
      want.erase(part);
      const Scene scene = drawn(spec, {{part, "no"}});
      INFO(part);
      CHECK(counts(scene) == want);
      CHECK(counts(drawn(spec, {{part, "yes"}})) == whole);
      CHECK(cell_count(scene) == cell_count(drawn(spec)));
      CHECK(refusal(spec, {{part, "maybe"}}).notes.front().find("yes, no") != std::string::npos);
    }
    const Scene bare = drawn(spec, {{"caption", "no"}, {"legend", "no"}, {"title", "no"}, {"axes", "no"}, {"heading", "no"}});
    CHECK(counts(bare).empty());
    for (const Panel& panel : bare.panels) CHECK(panel.name != kCaptionPanel);
  }
}

TEST_CASE("a timeline's legend goes with its swatches, and its captions move up", "[switches]") {
  FigureSpec spec = gemm();
  spec.kind = "timeline";
  const Scene with_legend = drawn(spec), without = drawn(spec, {{"legend", "no"}});
  CHECK(texts_of(with_legend, LabelRole::legend).size() > 1);
  CHECK(texts_of(without, LabelRole::legend).empty());
  CHECK(cell_count(without) + texts_of(with_legend, LabelRole::legend).size() == cell_count(with_legend));
  CHECK(bounds(without).y1 < bounds(with_legend).y1 - 0.5f);
}

TEST_CASE("the first line below a picture can be said aloud", "[sentences]") {
  CHECK(first_note(drawn(figures()[0])) == "(4,8):(8,1) puts 32 elements at offsets 0 to 31, without gaps.");
  CHECK(first_note(drawn(tv())) == "Each of 8 threads owns 4 of the 32 elements of the 4 × 8 tile.");
  CHECK(first_note(drawn(tv("tv_inverse"))) == "Each of 8 rows lists where the 4 values of a thread lie in the 4 × 8 tile.");
  CHECK(first_note(drawn(atom())) == "One instruction of 32 threads multiplies A (16 × 16) by B (16 × 8) into C (16 × 8).");
  CHECK(first_note(drawn(figure(four_warps()))) == "4 instructions of 32 threads multiply A (32 × 16) by B (16 × 16) into C (32 × 16).");
  CHECK(first_note(drawn(figure(find_mma_atom("UniversalFMA<float,float,float,float>").value()))) ==
        "One instruction of one thread multiplies A (1 × 1) by B (1 × 1) into C (1 × 1).");
  CHECK(first_note(drawn(figure(four_warps(), FigureStyle::tessera, "tv_a"))) ==
        "Each of 128 threads owns 8 of the 512 elements of A (32 × 16).");
  CHECK(first_note(drawn(figures()[7])) ==
        "In the source T points at its row of 16 bytes; each of 32 threads receives 8 of the 256 elements of the destination.");
  CHECK(first_note(drawn(gemm()))
            .starts_with(
                "A CTA of 128 threads multiplies A (32 × 32) by B (32 × 16) into its tile of C (32 × 16), once for each of 2 k-tiles."));
  const auto owned = [](const Layout& layout, const char* tile) {
    return first_note(drawn(figure(layout, FigureStyle::tessera, "tv"), {{"tile", tile}}));
  };
  CHECK(owned(lay(tup({1, 4}), tup({0, 1})), "2x2") == "One thread owns all 4 elements of the 2 × 2 tile.");
  CHECK(owned(lay(tup({4, 1}), tup({0, 0})), "1x1") == "Each of 4 threads owns the one element of the 1 × 1 tile.");
  CHECK(owned(lay(tup({4, 4}), tup({0, 1})), "2x2") == "Each of 4 threads owns all 4 elements of the 2 × 2 tile.");  // all the same
  CHECK(owned(lay(tup({2, 4}), tup({4, 0})), "2x4") ==
        "Each of 2 threads owns 1 of the 8 elements of the 2 × 4 tile.");  // four values, one place
  CHECK(owned(lay(tup({2, 2}), tup({1, 2})), "2x4") == "Each of 2 threads owns 2 of the 8 elements of the 2 × 4 tile.");  // with gaps
}
