// SPDX-License-Identifier: BSD-3-Clause
// Figures: what each kind draws and links, and how wrong specifications are refused.
#include "core/diagram/kinds/figures.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/budget.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

TEST_CASE("a layout's cell shows its offset at (m,n)", "[layout_figure]") {
  const Scene scene = make_figure(figure(lay(tup({4, 8}), tup({10, 1})))).value();
  CHECK(cell_count(scene) == 32 + 6);  // two of padding behind each row but the last
  const auto cell = find_cell(scene, 0, 2, 3);
  REQUIRE(cell);
  CHECK(cell->label == "23");
  CHECK(cell->x == 3);
  CHECK(cell->y == 2);
  CHECK(subject_at(scene, 0, 2, 3).address == 23);
  CHECK(subject_at(scene, 0, 2, 3).bank == -1);  // how wide is an element?
}

TEST_CASE("one mode is a strip, three modes are panels", "[layout_figure]") {
  const Scene strip = make_figure(figure(lay(40, 2))).value();
  CHECK(cell_count(strip) == 40);
  CHECK(cells_of(strip, 0)[33].y == 1);  // the strip breaks after 32
  const Scene panels = make_figure(figure(compact(tup({2, 3, 4})))).value();
  CHECK(panels.panels[3].name == "(_,_,3)");
  CHECK(find_cell(panels, 3, 1, 2)->label == "23");
}

TEST_CASE("basis strides are drawn as coordinates", "[layout_figure]") {
  const Layout identity = lay(tup({2, 3}), tup({IntTuple::basis(1, {1, {0}}), IntTuple::basis(1, {1, {1}})}));
  const Scene scene = make_figure(figure(identity)).value();
  CHECK(find_cell(scene, 0, 1, 2)->label == "(1,2)");
}

TEST_CASE("tv and tv_inverse say the same thing both ways", "[tv]") {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv");
  spec.objects.push_back(lay(tup({4, 8}), tup({8, 1})));
  const Scene forward = make_figure(spec).value();
  spec.kind = "tv_inverse";
  const Scene back = make_figure(spec).value();
  std::size_t compared = 0;
  for (const CellView& cell : cells_of(back, 0)) {
    const Subject link = *subject_of(back, cell.id);
    CHECK(cell.y == link.thread);
    CHECK(cell.x == Approx(cell.w * static_cast<float>(link.value)));
    const Subject there = subject_at(forward, 0, link.row, link.col);
    CHECK(there.thread == link.thread);
    CHECK(there.value == link.value);
    CHECK(there.address == link.address);
    CHECK(there.address == 8 * link.row + link.col);
    ++compared;
  }
  CHECK(compared == 32);
}

TEST_CASE("an element with several readers lists them all, the drawn one first", "[mma]") {
  // 2x2 atoms: every element of A is read by the threads of two atoms along N.
  const Scene scene = make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1}))))).value();
  REQUIRE(scene.panels[1].name.substr(0, 1) == "A");
  const auto cell = find_cell(scene, 1, 0, 0);
  std::set<int> readers;
  for (const Subject& link : subjects_of(scene, cell->id)) readers.insert(link.thread);
  CHECK(readers == std::set<int>{0, 64});
  CHECK(subject_at(scene, 1, 0, 0).thread == 0);
}

TEST_CASE("threads that are not part of a quad pair own nothing", "[mma]") {
  const Scene scene = make_figure(figure(find_mma_atom("SM70_8x8x4_F32F16F16F32_NT").value())).value();
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (const CellView& cell : cells_of(scene, p)) {
      for (const Subject& link : subjects_of(scene, cell.id)) CHECK((link.thread < 4 || (link.thread >= 16 && link.thread < 20)));
    }
  }
}

TEST_CASE("B is drawn with K down and N across", "[mma]") {
  const Scene scene = make_figure(figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value())).value();
  REQUIRE(scene.panels[2].name == "B  K16 × N8  f16");
  const auto cell = find_cell(scene, 2, 5, 3);  // n = 5, k = 3
  CHECK(cell->x == 5);
  CHECK(cell->y < 0);
  CHECK(find_cell(scene, 2, 5, 4)->y == cell->y + 1);
}

TEST_CASE("a chosen thread's cells stand out, and it is drawn where it shares", "[mma]") {
  FigureSpec spec = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1}))));
  spec.parameters = {{"thread", "64"}};
  const Scene scene = make_figure(spec).value();
  const auto shared = find_cell(scene, 1, 0, 0);
  CHECK(!shared->faint);
  CHECK(shared->label == "T64\nV0");
  CHECK(find_cell(scene, 1, 1, 0)->faint);
}

TEST_CASE("the GEMM figure follows the plan: offsets of sA, readers, owners", "[gemm]") {
  GemmSpec gemm;
  gemm.m = 64, gemm.n = 96, gemm.k = 16;
  gemm.mma = tiled("SM70_8x8x4_F32F16F16F32_NT", lay(tup({2, 2, 1}), tup({2, 1, 0})));
  gemm.sA = lay(tup({64, 16}), tup({17, 1}));
  const GemmPlan plan = lower(gemm).value();
  const Scene scene = make_figure(figure(plan)).value();
  REQUIRE(scene.panels.size() >= 3);
  CHECK(cell_count(scene) == 64 * 96 + 64 * 16 + 96 * 16);
  const auto cell = find_cell(scene, 1, 5, 3);
  CHECK(cell->label == "88");  // 5*17 + 3
  // Every (thread, value) of tCsA is a link of exactly the cell with its offset.
  std::size_t links = 0;
  for (const CellView& c : cells_of(scene, 1)) {
    for (const Subject& link : subjects_of(scene, c.id)) {
      REQUIRE(link.address == evaluate(plan.partition(Operand::a).layout, link.thread, link.value));
      ++links;
    }
  }
  CHECK(links == static_cast<std::size_t>(size(plan.partition(Operand::a).layout)));
}

TEST_CASE("pick finds the topmost cell, and nothing between panels", "[scene]") {
  const Scene scene = make_figure(figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value())).value();
  const auto id = pick(scene, 2.5f, 3.5f);
  REQUIRE(id);
  CHECK(id->panel == 0);
  const Subject subject = subject_of(scene, *id).value();
  CHECK(subject.row == 3);
  CHECK(subject.col == 2);
  CHECK(!pick(scene, -0.5f, -0.5f));
}

TEST_CASE("wrong figures are refused with the nearest right thing", "[figures]") {
  FigureSpec spec = figure(compact(tup({4, 4})), FigureStyle::tessera, "layuot");
  CHECK(refusal(spec).notes.front().find("nearest is layout") != std::string::npos);
  spec.kind = "layout";
  spec.parameters = {{"colour", "row"}};
  CHECK(refusal(spec).notes.front().find("nearest is color") != std::string::npos);
  spec.parameters = {{"color", "rows"}};
  CHECK(refusal(spec).notes.front().ends_with("the nearest is row"));
  spec.parameters = {};
  spec.palette = "gray";
  CHECK(refusal(spec).code == ErrorCode::unknown_name);
  CHECK(refusal(figure(compact(tup({1 << 20, 1 << 20})))).code == ErrorCode::limit);
  CHECK(refusal(figure(compact(tup({4, 4})), FigureStyle::tessera, "mma")).code == ErrorCode::wrong_type);
  CHECK(refusal(FigureSpec{}).code == ErrorCode::wrong_arity);
  FigureSpec outside = figure(seed_tv(), FigureStyle::tessera, "tv");
  for (const char* bad : {"x", "3-", "-3", "4-2", "1,,2x"}) {
    outside.parameters = {{"thread", bad}};
    CHECK(refusal(outside).code == ErrorCode::parse);
  }
}

TEST_CASE("a warp's threads differ in colour, and ink can be read on all of them", "[palette]") {
  for (std::string_view name : {"tessera", "okabe_ito"}) {
    const Palette palette = Palette::find(name).value();
    std::vector<Rgb> seen;
    for (int t = 0; t < 32; ++t) {
      const Rgb color = palette.category(t, 32);
      CHECK(std::count(seen.begin(), seen.end(), color) == 0);
      seen.push_back(color);
      CHECK(contrast(color, text_color(color)) >= 4.5);
    }
    for (int i = 0; i <= 63; ++i) CHECK(contrast(palette.ramp(i / 63.0), kInk) >= 4.5);
  }
}

TEST_CASE("atoms along K show every holder of a partial sum, and in CuTe's styles count on past N as CuTe draws them", "[mma]") {
  // 4x2x2 atoms of one thread, each twice along N: threads t and t+8 hold partial sums of the same elements.
  const FigureObject mma = tiled("UniversalFMA<float,float,float,float>", compact(tup({4, 2, 2})), tiler({4, 4, 2}));
  const Scene scene = make_figure(figure(mma)).value();
  const auto cell = find_cell(scene, 0, 1, 3);  // (m,n) = (1,3): atom (1,1), second value
  REQUIRE(cell);
  const std::vector<Subject> holders = subjects_of(scene, cell->id);
  REQUIRE(holders.size() == 2);
  CHECK(holders[0].thread == 5);
  CHECK(holders[1].thread == 13);
  CHECK(holders[0].value == 1);
  for (const std::string kind : {"mma", "tv_c"}) {
    const Scene cutes = make_figure(figure(mma, FigureStyle::print_latex, kind)).value();
    std::set<std::int32_t> columns;
    for (const Mark& mark : cutes.panels.front().marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      for (std::size_t i = 0; grid && i < grid->of->size(); ++i) {
        if (grid->of->thread[i] >= 0) columns.insert(static_cast<std::int32_t>(i) % grid->of->cols);
      }
      if (const auto* frame = std::get_if<Outline>(&mark)) CHECK((frame->w == 4 && frame->h == 4));
    }
    CHECK(columns == std::set<std::int32_t>{0, 1, 2, 3, 4, 5});  // N is 4
  }
}

TEST_CASE("each object has a kind that draws it where none is named", "[figures]") {
  GemmSpec gemm;
  gemm.m = 64, gemm.n = 64, gemm.k = 16;
  gemm.mma = tiled("SM70_8x8x4_F32F16F16F32_NT", lay(tup({2, 2, 1}), tup({2, 1, 0})));
  const NumberTable table{"", {"p = 1"}, {{"value", {1.0}}}};
  const std::pair<FigureObject, std::string_view> rows[] = {{compact(tup({4, 8})), "layout"},
                                                            {find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value(), "mma"},
                                                            {copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), "copy"},
                                                            {lower(gemm).value(), "gemm"},
                                                            {table, "chart"}};
  for (const auto& [object, kind] : rows) {
    CHECK(default_kind(figure(object)) == kind);
    CHECK(cell_count(make_figure(figure(object)).value()) ==
          cell_count(make_figure(figure(object, FigureStyle::tessera, std::string(kind))).value()));
  }
}

TEST_CASE("a word that is near none of the known ones gets their list, and no guess") {
  FigureSpec spec = figure(lay(tup({4, 8}), tup({8, 1})), FigureStyle::tessera, "nonsense");
  CHECK(refusal(spec).notes.front().find("nearest") == std::string::npos);
  spec.kind = "layuot";
  CHECK(refusal(spec).notes.front().ends_with("the nearest is layout"));
  spec.kind = "layout";
  spec.palette = "quite another word";
  CHECK(refusal(spec).code == ErrorCode::unknown_name);
  spec.palette = "";
  spec.parameters["quite another word"] = "1";
  CHECK(refusal(spec).code == ErrorCode::unknown_name);
  spec.parameters = {{"labels", "quite another word"}};
  CHECK(refusal(spec).code == ErrorCode::unknown_name);
}

TEST_CASE("every kind of figure is refused beyond the request's cells, bytes and seconds", "[figures]") {
  const TiledMma mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})));
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv"), inverse = tv;
  inverse.kind = "tv_inverse";
  const FigureSpec specs[] = {figure(compact(tup({8, 8}))),
                              figure(compact(64)),
                              tv,
                              inverse,
                              figure(mma),
                              figure(mma, FigureStyle::tessera, "tv_a"),
                              figure(mma, FigureStyle::print_latex),
                              figure(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16))};
  for (const FigureSpec& spec : specs) {
    INFO(spec.kind);
    REQUIRE(make_figure(spec).has_value());
    const auto note = [&](const Limits& limits) {
      const Budget budget(limits);
      const Error error = refusal(spec);
      CHECK(error.code == ErrorCode::limit);
      return error.notes.at(0);
    };
    CHECK(note({.cells = 15}).starts_with("--limit-cells "));
    CHECK(note({.bytes = 1000}).starts_with("--limit-bytes "));
    CHECK(note({.seconds = 0}).starts_with("--limit-seconds "));
  }
}

TEST_CASE("a list of threads that names many again and again is refused", "[figures]") {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv");
  std::string list = "0-65000";
  for (int i = 0; i < 1000; ++i) list += ",0-65000";
  spec.parameters = {{"thread", list}};
  CHECK(refusal(spec).message.find("the list of numbers thread=") != std::string::npos);
}

TEST_CASE("every refusal of a figure names the object, the parameter or the number that is wrong", "[figures]") {
  const FigureObject plain = lay(tup({4, 8}), tup({8, 1})), mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1})));
  const auto of = [](std::vector<FigureObject> objects, std::string kind, std::map<std::string, std::string> parameters = {},
                     FigureStyle style = FigureStyle::tessera) {
    FigureSpec spec;
    spec.objects = std::move(objects), spec.kind = std::move(kind), spec.parameters = std::move(parameters), spec.style = style;
    return spec;
  };
  const FigureObject tv = seed_tv(), deep = lay(tup({2, 2, 2}), tup({1, 2, 4}));
  const FigureObject basis = lay(tup({2, 2}), tup({IntTuple::basis(1, {1, {0}}), IntTuple::basis(1, {1, {1}})}));
  const std::vector<std::tuple<FigureSpec, ErrorCode, std::string>> cases = {
      {of({plain}, "nothing"), ErrorCode::unknown_name, "there is no figure kind 'nothing'"},
      {of({plain}, "layout", {{"tile", "4x8"}}), ErrorCode::unknown_name, "the figure 'layout' has no parameter 'tile'"},
      {of({}, "layout"), ErrorCode::wrong_arity, "a figure needs an object to draw"},
      {of({mma}, "layout"), ErrorCode::wrong_type, "this figure needs a layout, and got a tiled MMA"},
      {of({mma}, "tv"), ErrorCode::wrong_type, "this figure needs a thread-value layout, and got a tiled MMA"},
      {of({plain}, "mma"), ErrorCode::wrong_type, "this figure needs an MMA atom or a tiled MMA, and got a layout"},
      {of({plain}, "copy"), ErrorCode::wrong_type, "this figure needs a tiled copy or a copy atom, and got a layout"},
      {of({plain}, "gemm"), ErrorCode::wrong_type, "this figure needs a GEMM, and got a layout"},
      {of({tv, mma}, "tv"), ErrorCode::wrong_type, "this figure needs a data layout as its second object, and got a tiled MMA"},
      {of({tv, deep}, "tv"), ErrorCode::rank_mismatch, "the data layout (2,2,2):(1,2,4) has 3 modes; a tile has one or two"},
      {of({deep}, "tv"), ErrorCode::rank_mismatch, "has two modes, (thr, val), and integer strides; (2,2,2):(1,2,4) does not"},
      {of({basis}, "tv_inverse"), ErrorCode::rank_mismatch, "(2,2):(1@0,1@1) does not"},
      {of({tv}, "tv", {{"tile", "4"}}), ErrorCode::parse, "tile=4 is not a tile's shape"},
      {of({tv}, "tv", {{"tile", "0x8"}}), ErrorCode::parse, "tile=0x8 is not a tile's shape"},
      {of({tv}, "tv", {{"tile", "4x8x"}}), ErrorCode::parse, "tile=4x8x is not a tile's shape"},
      {of({plain}, "layout", {{"labels", "thread"}}), ErrorCode::unknown_name, "labels=thread is none of this figure's choices"},
      {of({plain}, "layout", {{"bits", "0"}}), ErrorCode::out_of_range, "bits=0 is not an integer from 1 to 512"},
      {of({plain}, "layout", {{"bytes", "65"}}), ErrorCode::out_of_range, "bytes=65 is not an integer from 1 to 64"},
      {of({plain}, "layout", {{"type", "nil"}}), ErrorCode::unknown_name, "type=nil is no element type"},
      {of({plain}, "layout", {{"bits", "16"}, {"type", "float"}}), ErrorCode::wrong_arity,
       "bits says that an element has 16 bits, and type says 32"},
      {of({tv}, "tv", {{"thread", "1;2"}}), ErrorCode::parse, "thread=1;2 is not a list of numbers"},
      {of({tv}, "tv", {{"thread", "8"}}), ErrorCode::out_of_range, "thread 8 is not one of the 8 threads of"},
      {of({plain}, "tv_inverse", {}, FigureStyle::print_latex), ErrorCode::wrong_type, "CuTe draws no such picture"},
      {of({plain}, "layout", {}, FigureStyle::print_svg), ErrorCode::wrong_type, "CuTe draws no such picture"},
      {of({deep}, "layout", {}, FigureStyle::print_latex), ErrorCode::rank_mismatch,
       "print_latex draws layouts of one or two modes, and (2,2,2):(1,2,4) has 3"},
      {of({basis}, "layout", {}, FigureStyle::print_latex), ErrorCode::wrong_type, "print_latex draws layouts with integer strides"},
      {of({compact(tup({2, 2, 257}))}, "layout"), ErrorCode::limit, "has 257 panels beyond its first two modes"},
      {of({compact(tup({1 << 12, 1 << 13}))}, "layout"), ErrorCode::limit, "a figure has at most"},
  };
  for (const auto& [spec, code, words] : cases) {
    INFO(words);
    const Error error = refusal(spec);
    INFO(error.message);
    CHECK(error.code == code);
    CHECK(error.message.find(words) != std::string::npos);
  }
}

TEST_CASE("cells of a layout are coloured by row, by column or by offset, as was asked", "[layout_figure]") {
  const auto fills = [](const char* color) {
    FigureSpec spec = figure(lay(tup({4, 8}), tup({10, 1})));
    spec.parameters = {{"color", color}};
    const Scene scene = make_figure(spec).value();
    std::map<std::pair<int, int>, ColorIndex> by_place;
    for (const CellView& cell : cells_of(scene, 0)) {
      const Subject subject = *subject_of(scene, cell.id);
      by_place[{subject.row, subject.col}] = cell.fill;
    }
    return by_place;
  };
  for (const auto& [a, fill_a] : fills("row")) {
    for (const auto& [b, fill_b] : fills("row")) CHECK((fill_a == fill_b) == (a.first == b.first));
  }
  for (const auto& [a, fill_a] : fills("col")) {
    for (const auto& [b, fill_b] : fills("col")) CHECK((fill_a == fill_b) == (a.second == b.second));
  }
  for (const auto& [at, fill] : fills("none")) CHECK(fill == kNoColor);
  FigureSpec spec = figure(lay(tup({4, 8}), tup({10, 1})));
  const Scene ramp = make_figure(spec).value();
  const Palette palette = Palette::find("").value();
  CHECK(ramp.palette[find_cell(ramp, 0, 0, 0)->fill] == palette.ramp(0));
  CHECK(ramp.palette[find_cell(ramp, 0, 3, 7)->fill] == palette.ramp(1));
  CHECK(ramp.palette[find_cell(ramp, 0, 1, 8 - 1)->fill] == palette.ramp(17.0 / 37));
}

TEST_CASE("padding is grey, has its offset and no coordinate, and is drawn only where a pitch has room for it", "[layout_figure]") {
  const auto padding = [](const Layout& layout, std::map<std::string, std::string> parameters = {}) {
    FigureSpec spec = figure(layout);
    spec.parameters = std::move(parameters);
    const Scene scene = make_figure(spec).value();
    std::set<std::int64_t> offsets;
    each_cell(scene, 0, [&](const CellView& cell) {
      const Subject subject = subject_of(scene, cell.id).value();
      if (subject.row >= 0) return;
      CHECK(cell.faint);
      CHECK(cell.label == std::to_string(subject.address));
      offsets.insert(subject.address);
    });
    return offsets;
  };
  using Offsets = std::set<std::int64_t>;
  CHECK(padding(lay(tup({4, 8}), tup({9, 1}))) == Offsets{8, 17, 26});
  CHECK(padding(lay(tup({8, 3}), tup({1, 10}))) == Offsets{8, 9, 18, 19});
  CHECK(padding(lay(tup({tup({2, 2}), 4}), tup({tup({6, 12}), 1}))) == Offsets{4, 5, 10, 11, 16, 17});
  for (const Layout& none : {lay(tup({4, 8}), tup({8, 1})), lay(tup({4, 8}), tup({2, 8})), lay(tup({4, 8}), tup({1, 1})),
                             lay(tup({4, 8}), tup({100, 1})), lay(tup({tup({2, 2}), 4}), tup({tup({6, 24}), 1})), lay(8, 2)})
    CHECK(padding(none).empty());
  CHECK(padding(lay(tup({4, 8}), tup({9, 1})), {{"color", "none"}}).empty());
}

TEST_CASE("the caption of a layout counts its elements, its distinct offsets and those it leaves out", "[layout_figure]") {
  const auto caption = [](const Layout& layout, std::map<std::string, std::string> parameters = {}) {
    FigureSpec spec = figure(layout);
    spec.parameters = std::move(parameters);
    const Scene scene = make_figure(spec).value();
    std::string text;
    for (const std::string& note : texts_of(scene, scene.panels.back(), LabelRole::note)) text += note + "\n";
    for (const std::string& legend : texts_of(scene, scene.panels.back(), LabelRole::legend)) {
      if (legend.starts_with("grey")) text += legend + "\n";
    }
    return text;
  };
  CHECK(caption(lay(tup({4, 8}), tup({8, 1}))) == "(4,8):(8,1) puts 32 elements at offsets 0 to 31, without gaps.\n");
  CHECK(caption(lay(tup({2, 2}), tup({1, 3}))) ==
        "(2,2):(1,3) puts 4 elements at offsets 0 to 4, and leaves 1 between them unused.\ngrey: 1 unused element after each column but "
        "the last\n");
  CHECK(caption(lay(tup({4, 8}), tup({9, 1}))) ==
        "(4,8):(9,1) puts 32 elements at offsets 0 to 34, and leaves 3 between them unused.\ngrey: 1 unused element after each row but the "
        "last\n");
  CHECK(caption(lay(tup({tup({2, 2}), 8}), tup({tup({20, 10}), 1})))
            .ends_with("\ngrey: 2 unused elements after each row but the last in memory\n"));
  CHECK(caption(lay(tup({4, 8}), tup({1, 1}))) == "(4,8):(1,1) puts 32 elements at 11 distinct offsets, 0 to 10.\n");
  CHECK(caption(lay(tup({4, 8}), tup({0, 0}))) == "(4,8):(0,0) puts all 32 elements at offset 0.\n");
  CHECK(caption(lay(tup({2, 2}), tup({0, 4}))) ==
        "(2,2):(0,4) puts 4 elements at 2 distinct offsets, 0 to 4, and leaves 3 between them unused.\n");
  CHECK(caption(lay(1, 7)) == "1:7 puts its one element at offset 0.\n");
  for (const auto& [bits, banks] : {std::pair{"32", 0}, {"33", 2}, {"64", 2}, {"65", 3}, {"128", 4}}) {
    const std::string text = caption(lay(tup({4, 8}), tup({8, 1})), {{"color", "bank"}, {"bits", bits}});
    CHECK(text.find("an element has " + std::string(bits) + " bits") != std::string::npos);
    CHECK((text.find("the first of the") != std::string::npos) == (banks > 0));
    if (banks > 0) CHECK(text.find("the first of the " + std::to_string(banks) + " banks") != std::string::npos);
  }
}

TEST_CASE("a million cells with all that they stand for take 40 MB at most", "[diagram]") {
  const Layout tile = lay(tup({1024, 1024}), tup({1024, 1}));
  FigureSpec tv = figure(lay(tup({1024, 1024}), tup({1, 1024})), FigureStyle::tessera, "tv");
  tv.objects.push_back(tile);
  for (const FigureSpec& spec : {figure(tile), tv}) {
    const Scene scene = make_figure(spec).value();
    INFO(spec.kind << ": " << bytes_of(scene));
    CHECK(cell_count(scene) >= 1024 * 1024);
    CHECK(subject_of(scene, {0, 0, 1025}).has_value());
    CHECK(bytes_of(scene) <= 40'000'000);
  }
}

TEST_CASE("the warps of C stand in small in the corner between A and B, each where its block is", "[mma]") {
  const FigureSpec spec = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1}))));
  const Scene scene = make_figure(spec).value();
  const auto map = std::find_if(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) { return panel.id == "warps"; });
  REQUIRE(map != scene.panels.end());
  const std::vector<CellView> cells = cells_of(scene, static_cast<std::size_t>(map - scene.panels.begin()));
  REQUIRE(cells.size() == 4);
  const std::vector<CellView> c = cells_of(scene, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t row = i / 2, col = i % 2;
    const CellView& first = c[row * 16 * 16 + col * 8];  // of the block in C, 32 x 16
    const std::int32_t warp = subject_of(scene, first.id)->thread / 32;
    CHECK(cells[i].label == fmt::format("W{}\nT{}-{}", warp, 32 * warp, 32 * warp + 31));
  }
  CHECK(bounds(*map).x1 < 0);  // C begins at 0
  CHECK(bounds(*map).y1 < 0);
  FigureSpec by_warp = spec;
  by_warp.parameters["color"] = "warp";
  const auto has_map = [](const Scene& drawn) {
    return std::any_of(drawn.panels.begin(), drawn.panels.end(), [](const Panel& panel) { return panel.id == "warps"; });
  };
  CHECK_FALSE(has_map(make_figure(by_warp).value()));  // colours say it
  CHECK_FALSE(has_map(make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1}))))).value()));
}

TEST_CASE("large tiles of several warps are coloured by warp, others by thread", "[mma]") {
  const auto says_warp = [](const Layout& atoms) {
    const Scene scene = make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms))).value();
    const std::vector<std::string> legends = texts_of(scene, LabelRole::legend);
    return std::any_of(legends.begin(), legends.end(), [](const std::string& text) { return text.starts_with("hue: W div 2"); });
  };
  CHECK(says_warp(compact(tup({4, 4, 1}))));        // 64 x 32: 2048 cells of C
  CHECK_FALSE(says_warp(compact(tup({4, 3, 1}))));  // 64 x 24
  CHECK_FALSE(says_warp(compact(tup({2, 2, 1}))));
}
