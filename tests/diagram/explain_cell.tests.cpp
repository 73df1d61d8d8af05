// SPDX-License-Identifier: BSD-3-Clause
// Explained cells: the chain of steps comes to what the engine says, at random layouts and at every cell of the figures.
#include "core/diagram/explain/explain_cell.hpp"
#include "core/diagram/kinds/recipes.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "core/layout/algebra.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/gemm_specs.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

Layout random_layout(int least_rank) {
  const auto extent = rc::gen::element<std::int64_t>(1, 2, 3, 4, 6, 8);
  const auto stride = rc::gen::element<std::int64_t>(0, 1, 2, 3, 4, 8, 16, 24, 64);
  std::vector<Layout> modes;
  const int rank = *rc::gen::inRange(least_rank, 4);
  for (int i = 0; i < rank; ++i) {
    const Layout flat = Layout::trusted(*extent, *stride);
    modes.push_back(*rc::gen::inRange(0, 2) == 0 ? make_layout({flat, Layout::trusted(*extent, *stride)}) : flat);
  }
  return rank == 1 ? modes[0] : make_layout(std::move(modes));
}

Swizzle random_swizzle() {
  const int bits = *rc::gen::inRange(1, 4), shift = *rc::gen::inRange(bits, 5);
  return Swizzle::make(bits, *rc::gen::inRange(0, 4), *rc::gen::inRange(0, 2) == 0 ? shift : -shift).value();
}

// A layout, a swizzle before it, or a chain of several with offsets between.
AnyLayout random_chain() {
  std::vector<ChainPart> chain = {random_layout(1)};
  std::vector<IntTuple> offsets;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    if (*rc::gen::inRange(0, 2) == 0)
      chain.insert(chain.begin(), ChainPart(random_swizzle()));
    else
      chain.insert(chain.begin(), ChainPart(random_layout(1)));
    offsets.emplace_back(*rc::gen::element<std::int64_t>(0, 0, 1, 5, 64));
  }
  if (chain.size() == 1) return std::get<Layout>(chain[0]);
  return make_composed_layout(std::move(chain), offsets).value();
}

// Some profile of the coordinate with this number: one number, mode by mode, or nested as the shape is.
Coord random_profile(std::int64_t i, const Shape& shape) {
  const int how = *rc::gen::inRange(0, 3);
  if (how == 0 || !shape.is_tuple()) return i;
  if (how == 1) return idx2crd(i, shape);
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : shape.modes()) {
    modes.emplace_back(i % size(mode));
    i /= size(mode);
  }
  return IntTuple::tuple(std::move(modes));
}

const ExplainStep* find_step(const ExplainedCell& cell, std::string_view name) {
  const auto found = std::find_if(cell.steps.begin(), cell.steps.end(), [&](const ExplainStep& step) { return step.name == name; });
  return found == cell.steps.end() ? nullptr : &*found;
}
std::string come_to(const ExplainedCell& cell, std::string_view name) {
  const ExplainStep* step = find_step(cell, name);
  return step ? step->to : std::string();
}

// Each step begins where the last one ended, or at the coordinate anew where it says so.
bool is_chained(const ExplainedCell& cell) {
  std::string now = cell.coordinate;
  for (const ExplainStep& step : cell.steps) {
    if (step.from != (step.from_coordinate ? cell.coordinate : now)) return false;
    if (std::find(std::begin(kExplainNames), std::end(kExplainNames), step.name) == std::end(kExplainNames)) return false;
    now = step.to;
  }
  return true;
}

std::vector<CellRecipe> recipes(const FigureSpec& spec) {
  Result<std::vector<CellRecipe>> made = recipes_of(spec);
  if (!made) FAIL(describe(made.error()));
  return std::move(*made);
}

ExplainedCell explained(const FigureSpec& spec, const std::string& at) {
  Result<ExplainedCell> cell = explain(recipes(spec), read_place(at).value());
  if (!cell) FAIL(describe(cell.error()));
  return std::move(*cell);
}

Error refused(const FigureSpec& spec, const std::string& at) {
  const Result<CellPlace> place = read_place(at);
  if (!place) return place.error();
  const Result<ExplainedCell> cell = explain(recipes(spec), *place);
  REQUIRE_FALSE(cell);
  return cell.error();
}

FigureSpec any_figure(const AnyLayout& layout, std::int64_t bits, std::string memory = {}) {
  FigureSpec spec = std::visit([](const auto& each) { return figure(each); }, layout);
  spec.element_bits = bits;
  spec.memory = std::move(memory);
  return spec;
}

}  // namespace

TEST_CASE("the steps of a random layout come to its offset, byte and bank", "[explain]") {
  CHECK(rc::check("the chain is the layout", [] {
    const AnyLayout layout = random_chain();
    const std::int64_t bits = *rc::gen::element<std::int64_t>(1, 4, 6, 8, 16, 32, 64);
    const FigureSpec spec = any_figure(layout, bits, "smem");
    const std::int64_t i = *rc::gen::inRange<std::int64_t>(0, size(layout));
    const Coord coord = random_profile(i, shape(layout));
    const Result<ExplainedCell> cell = explain(recipes(spec).front(), coord);
    RC_ASSERT(cell.has_value());
    const std::int64_t offset = evaluate(layout, coord).value().value();
    RC_ASSERT(offset == evaluate(layout, i));
    RC_ASSERT(cell->offset == offset);
    RC_ASSERT(is_chained(*cell));
    const ExplainStep* byte = find_step(*cell, "byte");
    RC_ASSERT(byte->from == std::to_string(offset));
    RC_ASSERT(byte->to.starts_with(fmt::format("byte {}", offset * bits / 8)));
    RC_ASSERT((byte->to.find("bit ") == std::string::npos) == (bits % 8 == 0));
    RC_ASSERT(come_to(*cell, "chunk") == fmt::format("chunk {}", offset * bits / 8 / 16));
    RC_ASSERT(come_to(*cell, "bank") == fmt::format("bank {}", bank_of(offset, bits)));
    for (const ExplainStep& step : cell->steps) {
      if (!step.swizzle) continue;
      RC_ASSERT((step.swizzle->in ^ step.swizzle->flips) == step.swizzle->out);
      const std::int64_t ones = (std::int64_t{1} << step.swizzle->bits) - 1;
      RC_ASSERT(step.swizzle->flips == ((step.swizzle->in >> step.swizzle->read) & ones) << step.swizzle->flip);
      RC_ASSERT(step.swizzle->out < std::int64_t{1} << step.swizzle->width);
    }
  }));
}

TEST_CASE("every cell of a figure is explained by the numbers that it stands for", "[explain]") {
  FigureSpec tv = figure(seed_tv());
  tv.kind = "tv";
  tv.objects.emplace_back("(4,8):(8,1)"_layout);
  tv.element_bits = 16;
  FigureSpec inverse = tv;
  inverse.kind = "tv_inverse";
  const CopyAtom ldsm = copy_atom("SM75_U32x4_LDSM_N", ValueType::f16);
  const TiledMma mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})));
  GemmSpec gemm = support::article();
  for (const FigureSpec& spec :
       {any_figure("Sw<2,1,3> o 4 o (8,(2,2),3):(16,(2,64),128)"_any, 16), tv, inverse, figure(mma),
        figure(tiled("SM70_8x8x4_F32F16F16F32_NT", compact(tup({2, 2, 1})))), figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value()),
        figure(make_tiled_copy_a(ldsm, mma).value()), figure(ldsm), figure(lower(gemm).value()), any_figure("24:3"_layout, 0),
        any_figure(make_identity_layout(tup({3, 4})).value(), 0)}) {
    const Scene scene = drawn(spec);
    const std::vector<CellRecipe> all = recipes(spec);
    std::size_t cells = 0;
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      CAPTURE(scene.panels[p].id);
      each_cell(scene, p, [&](const CellView& view) {
        const std::optional<Subject> subject = subject_of(scene, view.id);
        if (!subject || subject->row < 0) return;
        const std::optional<ExplainedCell> cell = explain(scene, view.id);
        if (!cell || !is_chained(*cell)) FAIL("not explained");
        ++cells;
        if (subject->address >= 0 && cell->offset != subject->address) FAIL("another offset");
        if (subject->bank >= 0 && find_step(*cell, "bank") && come_to(*cell, "bank") != fmt::format("bank {}", subject->bank))
          FAIL("another bank");
        if (subject->thread < 0) return;
        const std::string owner = fmt::format("T{} V{}", subject->thread, subject->value);
        if (come_to(*cell, "thread") != owner) FAIL("another thread");
        // The same without the picture: the owner is found by the coordinate, and the coordinate by the owner.
        const std::string at = fmt::format("{}{}", scene.panels[p].id, scene.coordinate_of(*subject));
        if (spec.kind == "tv_inverse") return;  // cells with one coordinate have several owners there
        const Result<ExplainedCell> found = explain(all, read_place(at).value());
        if (!found) FAIL(describe(found.error()));
        if (to_text(*found) != to_text(*cell)) FAIL(to_text(*found) << to_text(*cell));
      });
    }
    CHECK(cells >= 12);
  }
}

TEST_CASE("a thread and value lead to the coordinate that they own", "[explain]") {
  const FigureSpec spec = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 1, 1}))));
  const Scene scene = drawn(spec);
  for (std::size_t p = 0; p < 3; ++p) {
    each_cell(scene, p, [&](const CellView& view) {
      const std::optional<Subject> subject = subject_of(scene, view.id);
      if (!subject || subject->thread < 0) return;
      const ExplainedCell cell = explained(spec, fmt::format("{} T{} V{}", scene.panels[p].id, subject->thread, subject->value));
      if (cell.coordinate != scene.coordinate_of(*subject)) FAIL(cell.coordinate);
    });
  }
}

TEST_CASE("the registers of mma.m16n8k16 are those of the PTX manual", "[explain]") {
  const FigureSpec spec = figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value());
  for (std::int64_t row = 0; row < 16; ++row) {
    for (std::int64_t col = 0; col < 16; ++col) {
      const ExplainedCell a = explained(spec, fmt::format("A({},{})", row, col));
      const std::int64_t lane = row % 8 * 4 + col % 8 / 2, number = row / 8 + col / 8 * 2, bit = col % 2 * 16;
      CHECK(come_to(a, "lane") == fmt::format("warp 0, lane {}", lane));
      CHECK(come_to(a, "instruction") == fmt::format("instruction 0, register a{}, bits {}-{}", number, bit, bit + 15));
      if (col >= 8) continue;
      const ExplainedCell c = explained(spec, fmt::format("C({},{})", row, col));
      CHECK(come_to(c, "thread") == fmt::format("T{} V{}", row % 8 * 4 + col / 2, col % 2 + row / 8 * 2));
      CHECK(come_to(c, "instruction") == fmt::format("instruction 0, register c{}", col % 2 + row / 8 * 2));
    }
  }
}

TEST_CASE("places are read as people write them", "[explain]") {
  struct Row {
    std::string text, panel, coord;
  };
  for (const Row& row : {Row{"(5,2)", "", "(5,2)"}, Row{"5,2", "", "(5,2)"}, Row{"21", "", "21"}, Row{" ( (1, 0) , 3 ) ", "", "((1,0),3)"},
                         Row{"sA(3,7)", "sA", "(3,7)"}, Row{"A 5", "A", "5"}, Row{"T(1,2)", "T", "(1,2)"}, Row{"(-1,0)", "", "(-1,0)"}}) {
    CAPTURE(row.text);
    const Result<CellPlace> place = read_place(row.text);
    REQUIRE(place);
    CHECK(place->panel == row.panel);
    CHECK(to_string(place->coord.value()) == row.coord);
  }
  for (const std::string text : {"T3 V1", "t3v1", "T3, V1", "A T3 V1"}) {
    CAPTURE(text);
    const CellPlace place = read_place(text).value();
    CHECK(place.owner->thread == 3);
    CHECK(place.owner->value == 1);
    CHECK(place.panel == (text[0] == 'A' ? "A" : ""));
  }
  for (const std::string& text :
       std::vector<std::string>{"", "(5,2", "(5,,2)", "A", "T3", "(1,2) x", "T99999999999 V0", "1e3", "()", std::string(200, '(')}) {
    CAPTURE(text);
    CHECK(read_place(text).error().code == ErrorCode::parse);
  }
}

TEST_CASE("what is no cell is refused, with what there is instead", "[explain]") {
  const FigureSpec layout = figure("(8,(2,2)):(1,(8,16))"_layout);
  CHECK(refused(layout, "(9,2)").message == "(9,2) is outside of the shape (8,(2,2)): mode 0 goes from 0 to 7");
  CHECK(refused(layout, "(9,2)").notes.front() == "the nearest that is inside is (7,2)");
  CHECK(refused(layout, "(0,(1,2))").message == "(0,(1,2)) is outside of the shape (8,(2,2)): mode 1,1 goes from 0 to 1");
  CHECK(refused(layout, "32").message == "32 is outside of the shape (8,(2,2)): one number goes from 0 to 31");
  CHECK(refused(layout, "(-1,0)").code == ErrorCode::out_of_range);
  CHECK(refused(layout, "(1,2,3)").message == "(1,2,3) is no coordinate of the shape (8,(2,2)): it has 3 modes, and the shape 2");
  CHECK(refused(layout, "(1,2,3)").notes.front() == "the last one is (7,3), mode by mode (7,(1,1)); or one number from 0 to 31");
  CHECK(refused(layout, "((1,2),3)").message == "((1,2),3) is no coordinate of the shape (8,(2,2)): it is nested otherwise");
  CHECK(refused(layout, "T0 V0").message == "no threads and values are known of (8,(2,2)):(1,(8,16))");
  const FigureSpec mma = figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value());
  CHECK(refused(mma, "(0,0)").message == "it has several tiles: A, B, C");
  CHECK(refused(mma, "(0,0)").notes.front() == "say which one: --at \"A(0,0)\"");
  CHECK(refused(mma, "D(0,0)").notes.front() == "it has A, B, C");
  CHECK(refused(mma, "C T32 V0").message ==
        "T32 V0 is outside of ((4,8),((2,2),(1,1))):((32,1),((16,8),(0,0))): threads are 0 to 31, values 0 to 3");
  CHECK(refused(mma, "C T32 V9").notes.front() == "the nearest is T31 V3");
}

TEST_CASE("every thread with a part of an element is named, by its place and by a cell of the picture", "[explain]") {
  // Two threads have a sum of each element; of three quad pairs the ids have gaps, so that CuTe's (thread, value) layout lacks threads.
  for (const auto& [atom, atoms, operand] : {std::tuple{"SM80_16x8x16_F32F16F16F32_TN", tup({1, 1, 2}), "C"},
                                             {"SM70_8x8x4_F32F16F16F32_TN", tup({3, 1, 1}), "A"},
                                             {"SM70_8x8x4_F32F16F16F32_TN", tup({3, 1, 1}), "C"}}) {
    CAPTURE(atom, operand);
    const TiledMma mma = tiled(atom, compact(atoms));
    const FigureSpec spec = figure(mma);
    const Scene scene = drawn(spec);
    const Operand side = *operand == 'A' ? Operand::a : Operand::c;
    std::size_t cells = 0;
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      if (scene.panels[p].id != operand) continue;
      each_cell(scene, p, [&](const CellView& view) {
        ++cells;
        const Subject of = subjects_of(scene, view.id).front();
        const ExplainedCell asked = explained(spec, fmt::format("{}({},{})", operand, of.row, of.col));
        CHECK(find_step(asked, "thread")->rule == find_step(explain(scene, view.id).value(), "thread")->rule);
        // The element is where that thread's partition has it.
        const Layout tile = compact(tup({mma.tile_mnk()[0], mma.tile_mnk()[side == Operand::a ? 2 : 1]}));
        const SliceAndOffset part = mma.partition(side, AnyLayout(tile), of.thread).value();
        CHECK(evaluate(part.layout, of.value) + part.offset.value() == of.row + mma.tile_mnk()[0] * of.col);
        CHECK(explained(spec, fmt::format("{} T{} V{}", operand, of.thread, of.value)).coordinate ==
              fmt::format("({},{})", of.row, of.col));
      });
    }
    CHECK(cells > 0);
    CHECK(refused(spec, fmt::format("{} T99 V0", operand)).code == ErrorCode::out_of_range);
  }
}

TEST_CASE("who reads an element is told where several elements have one offset", "[explain]") {
  GemmSpec odd = support::article();  // beyond an edge offsets repeat
  odd.m = 61, odd.gA.reset(), odd.gC.reset();
  GemmSpec broadcast = support::from_gmem(support::article());  // each row of B is the same
  broadcast.gB = lay(tup({96, 16}), tup({0, 1}));
  for (const auto& [gemm, tile, operand] : {std::tuple{odd, "C", Operand::c}, {broadcast, "gB", Operand::b}}) {
    const GemmPlan plan = lower(gemm).value();
    const Layout places = compact(operand == Operand::c ? tup({plan.blk_m, plan.blk_n}) : tup({plan.blk_n, plan.blk_k}));
    for (const std::int64_t thread : {0, 5, 17}) {
      const SliceAndOffset part = plan.mma->partition(operand, AnyLayout(places), thread).value();
      const std::int64_t place = evaluate(part.layout, 3) + part.offset.value(), rows = size(places.shape()[0]);
      const std::string at = fmt::format("({},{})", place % rows, place / rows);
      CAPTURE(tile, at);
      const ExplainStep* step = find_step(explained(figure(plan), tile + at), "thread");
      REQUIRE(step != nullptr);
      const std::string all = step->to + step->rule;
      CHECK(all.find(fmt::format("T{} V3", thread)) != std::string::npos);
      CHECK(explained(figure(plan), fmt::format("{} T{} V3", tile, thread)).coordinate == at);
      // No other than partitions say.
      for (const std::int64_t other : plan.mma->thread_ids()) {
        const SliceAndOffset theirs = plan.mma->partition(operand, AnyLayout(places), other).value();
        bool has = false;
        for (std::int64_t v = 0; v < size(theirs.layout); ++v) has = has || evaluate(theirs.layout, v) + theirs.offset.value() == place;
        CHECK((all.find(fmt::format("T{} V", other)) != std::string::npos) == has);
      }
    }
  }
}

TEST_CASE("explained cells read as they did", "[explain]") {
  FigureSpec tv = figure(seed_tv());
  tv.kind = "tv";
  tv.objects.emplace_back(std::get<ComposedLayout>("Sw<1,2,2> o 0 o (4,8):(8,1)"_any));
  tv.element_bits = 16;
  const FigureSpec mma = figure(find_mma_atom("SM80_16x8x16_F32F16F16F32_TN").value());
  std::string all;
  const auto say = [&](const FigureSpec& spec, const std::string& at) { all += to_text(explained(spec, at)) + "\n"; };
  say(any_figure("(4,8):(8,1)"_layout, 0), "(3,5)");
  say(any_figure("(8,(2,2)):(1,(8,16))"_layout, 32, "gmem"), "21");
  say(any_figure("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, 16, "smem"), "(5,2)");
  say(any_figure("Sw<2,0,-3> o 5 o (4,4):(4,1) o 1 o Sw<1,0,1> o 0 o 16:1"_any, 4), "9");
  say(tv, "(1,2)");
  say(tv, "T5 V3");
  say(mma, "A(9,3)");
  say(mma, "C T7 V2");
  say(figure(find_mma_atom("SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>").value()), "A(3,3)");
  say(figure(
          make_tiled_copy_a(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1}))))
              .value()),
      "s(9,3)");
  say(figure(lower(support::article()).value()), "sB(40,3)");
  say(any_figure(make_identity_layout(tup({3, 4})).value(), 0), "(1,2)");
  CHECK(all == golden("explained.txt", all));
}

TEST_CASE("an explained cell as JSON has its steps in order, and a swizzle its bits", "[explain]") {
  const Json json = to_json(explained(any_figure("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, 16, "smem"), "(5,2)"));
  CHECK(json.find("coordinate")->text()->compare("(5,2)") == 0);
  CHECK(json.find("offset")->whole<int>() == 362);
  const Json::List& steps = *json.find("steps")->list();
  REQUIRE(steps.size() == 5);
  CHECK(*steps[0].find("name")->text() == "index");
  CHECK(*steps[0].find("rule")->text() == "5·64 + 2·1");
  CHECK(steps[0].find("bits") == nullptr);
  const Json& bits = *steps[1].find("bits");
  CHECK(bits.find("in")->whole<int>() == 322);
  CHECK(bits.find("flips")->whole<int>() == 40);
  CHECK(bits.find("out")->whole<int>() == 362);
  const Json::List& lines = *bits.find("lines")->list();
  REQUIRE(lines.size() == 4);
  CHECK(*lines[0].text() == "in   101 000 010");
  CHECK(*lines[1].text() == "xor  000 101 000");
  CHECK(*lines[2].text() == "out  101 101 010");
  CHECK(*lines[3].text() == "         ^ ^");
}

TEST_CASE("an accumulator of a UMMA is explained by its CTA, lane and column of tensor memory") {
  for (const char* atom :
       {"SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64,K,K>", "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,96,K,K>",
        "SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,128,64,K,K>", "SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,half_t,256,64,K,K>"}) {
    CAPTURE(atom);
    const MmaAtom mma = find_mma_atom(atom).value();
    const std::int64_t m = shape_extent(mma, 0), n = shape_extent(mma, 1), ctas = mma.thr_id.size();
    const auto recipes = recipes_of(figure(mma)).value();
    // The figure of tensor memory says the same of each element.
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> drawn;
    for (std::int64_t cta = 0; cta < ctas; ++cta) {
      FigureSpec spec = figure(mma, FigureStyle::tessera, "tmem");
      spec.parameters = {{"cells", "element"}, {"cta", std::to_string(cta)}};
      const Scene scene = make_figure(spec).value();
      for (const CellView& cell : cells_of(scene, panel_named(scene, "opened"))) {
        const Subject subject = subject_of(scene, cell.id).value();
        if (subject.row >= 0)
          drawn.try_emplace({subject.row, subject.col},
                            fmt::format("CTA {}, lane {}, column {}", cta, subject.address >> 16, subject.address & 0xffff));
      }
    }
    CHECK(static_cast<std::int64_t>(drawn.size()) == m * n);
    for (const std::int64_t row : {std::int64_t{0}, m / 2 - 1, m / 2, m - 1}) {
      for (const std::int64_t col : {std::int64_t{0}, std::int64_t{7}, n / 2, n - 1}) {
        CAPTURE(row, col);
        const auto made = explain(recipes, read_place(fmt::format("C({},{})", row, col)).value());
        REQUIRE(made);
        REQUIRE(made->steps.back().name == "tmem");
        const std::string want = drawn[{row, col}], told = made->steps.back().to;
        CHECK(told.substr(0, told.find(", bit")) == want);
      }
    }
  }
}
