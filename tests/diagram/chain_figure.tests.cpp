// SPDX-License-Identifier: BSD-3-Clause
// A chain of copies: cells are whose the copies say, at the addresses that the layouts say, and the costs are the advisor's and the
// simulation's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/atom/copy/check_copy.hpp"
#include "core/diagram/kinds/figures.hpp"
#include "core/gemm/lower/lower.hpp"
#include "core/gemm/run/analysis.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

FigureSpec of(std::vector<FigureObject> objects, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec;
  spec.kind = "chain";
  spec.objects = std::move(objects);
  spec.parameters = std::move(parameters);
  return spec;
}

bool says(const Scene& scene, std::string_view words) {
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && scene.text_of(label->text).find(words) != std::string_view::npos) return true;
    }
  }
  return false;
}

std::size_t stages_of(const Scene& scene) {
  return static_cast<std::size_t>(
      std::count_if(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) { return panel.id.starts_with("stage"); }));
}

// "shared memory: 32 wavefronts, the least possible"
std::string cost(bool shared, std::int64_t units, std::int64_t least) {
  return fmt::format("{} memory: {} {}{}{}", shared ? "shared" : "global", units, shared ? "wavefront" : "sector", units == 1 ? "" : "s",
                     units == least ? ", the least possible" : fmt::format(" where {} would do", least));
}
std::string cost(const AccessReport& report) { return cost(report.shared, report.units, report.least); }

TiledMma ampere() { return tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1}))); }
TiledCopy by_rows(std::string_view atom, ValueType type, std::int64_t rows, std::int64_t cols, std::int64_t vector) {
  return make_tiled_copy(copy_atom(atom, type), lay(tup({rows, cols}), tup({cols, 1})), lay(tup({1, vector}), tup({vector, 1}))).value();
}
TiledCopy async_copy() { return by_rows("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", ValueType::f16, 32, 4, 8); }
TiledCopy matrix_copy() { return make_tiled_copy_a(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), ampere()).value(); }
Layout rows_of_32() { return lay(tup({64, 32}), tup({32, 1})); }
ComposedLayout swizzled() { return {Swizzle::make(2, 3, 3).value(), 0, rows_of_32()}; }

// Every cell of a stage that has an owner is of the thread that the copy's places give it to.
void check_owners(const Scene& scene, std::size_t panel, const TiledCopy& copy, CopySide side, const Shape& tile) {
  const CopyPlaces places = copy_places(copy, side, tile).value();
  const std::int64_t rows = size(tile[0]);
  int looked = 0;
  each_cell(scene, panel, [&](const CellView& cell) {
    const std::optional<Subject> subject = subject_of(scene, cell.id);
    if (!subject || subject->row < 0) return;
    const std::size_t i = static_cast<std::size_t>(subject->value * places.threads + subject->thread);
    CHECK(places.element.at(i) == subject->row + rows * subject->col);
    ++looked;
  });
  CHECK(looked >= 64);
}

}  // namespace

TEST_CASE("at every stage of a chain a cell is of the thread that its copy gives the element to", "[chain]") {
  const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy()}));
  REQUIRE(stages_of(scene) == 4);
  const Shape tile = tup({64, 32});
  check_owners(scene, 0, async_copy(), CopySide::source, tile);
  check_owners(scene, 1, async_copy(), CopySide::destination, tile);
  check_owners(scene, 2, matrix_copy(), CopySide::source, tile);
  check_owners(scene, 3, matrix_copy(), CopySide::destination, tile);
}

TEST_CASE("shared memory is drawn by address: an element is where its layout has it, in its bank and its row of 128 bytes", "[chain]") {
  const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy()}, {{"at", "(21,9)"}}));
  const AnyLayout layout = swizzled();
  for (const std::size_t panel : {1u, 2u}) {
    std::optional<float> top;
    each_cell(scene, panel, [&](const CellView& cell) {
      if (!top) top = cell.y;
      const std::optional<Subject> subject = subject_of(scene, cell.id);
      if (!subject || subject->row < 0) return;
      const std::int64_t offset = evaluate(layout, subject->row, subject->col);
      CHECK(subject->address == offset);
      CHECK(subject->bank == offset / 2 % 32);
      CHECK(static_cast<std::int64_t>(cell.x + 0.01f) == subject->bank);  // a bank is one wide
      CHECK(static_cast<std::int64_t>(cell.y - *top + 0.5f) == offset / 64 - 8);
    });
  }
  // The same elements at each stage, so that hovering one shows it in all.
  for (int row = 16; row < 24; ++row) {
    for (std::size_t panel = 0; panel < 4; ++panel) CHECK(find_cell(scene, panel, row, 31));
  }
}

TEST_CASE("the element of at= is outlined at every stage, and its way leads from one to the next", "[chain]") {
  const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy(), ampere()}, {{"at", "(5,20)"}}));
  REQUIRE(stages_of(scene) == 5);
  for (std::size_t panel = 0; panel < 4; ++panel) {
    const CellView cell = find_cell(scene, panel, 5, 20).value();
    const auto& marks = scene.panels[panel].marks;
    CHECK(std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
      const auto* outline = std::get_if<Outline>(&mark);
      return outline && outline->role == StrokeRole::highlight && outline->x == Approx(cell.x) && outline->y == Approx(cell.y);
    }));
  }
  int arrows = 0;
  const CellView to = find_cell(scene, 1, 5, 20).value();
  bool first = false;
  for (const Mark& mark : scene.panels[5].marks) {
    const auto* arrow = std::get_if<Arrow>(&mark);
    if (!arrow) continue;
    ++arrows;
    first = first || (arrow->x1 >= to.x - 0.01f && arrow->x1 <= to.x + to.w + 0.01f && arrow->y1 >= to.y - 0.01f && arrow->y1 < to.y + 1);
    CHECK_FALSE(scene.words_of(scene.subjects.at(arrow->subject)).empty());
  }
  CHECK(arrows == 3);  // what is written and what is read is one tile
  CHECK(first);
}

TEST_CASE("the way of an element goes through the gaps between names and is not interrupted", "[chain]") {
  for (const char* at : {"(3,10)", "(5,20)", "(0,0)", "(7,31)", "(2,15)"}) {
    CAPTURE(at);
    const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy()}, {{"at", at}}));
    std::vector<Bounds> labels;
    std::map<std::uint32_t, std::vector<Line>> ways;
    for (const Panel& panel : scene.panels) {
      if (panel.name == kCaptionPanel) continue;
      for (const Mark& mark : panel.marks) {
        if (std::holds_alternative<Label>(mark)) labels.push_back(bounds(Panel{"", {mark}}));
        if (const auto* line = std::get_if<Line>(&mark); line && line->subject != kNoSubject) ways[line->subject].push_back(*line);
        if (const auto* arrow = std::get_if<Arrow>(&mark)) ways[arrow->subject].push_back({arrow->x0, arrow->y0, arrow->x1, arrow->y1});
      }
    }
    CHECK(ways.size() == 2);
    for (const auto& [subject, way] : ways) {
      for (std::size_t i = 0; i < way.size(); ++i) {
        if (i > 0) CHECK((way[i].x0 == way[i - 1].x1 && way[i].y0 == way[i - 1].y1));
        CHECK((way[i].x0 == way[i].x1 || way[i].y0 == way[i].y1));
        for (const Bounds& box : labels)
          CHECK_FALSE((std::max(way[i].x0, way[i].x1) > box.x0 && std::min(way[i].x0, way[i].x1) < box.x1 &&
                       std::max(way[i].y0, way[i].y1) > box.y0 && std::min(way[i].y0, way[i].y1) < box.y1));
      }
    }
  }
}

TEST_CASE("registers have the names of all their threads, and say who holds the same", "[chain]") {
  const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy()}, {{"at", "(3,10)"}}));
  std::map<std::string, int> names;  // below the heading of the registers
  const Grid* held = nullptr;
  for (const Mark& mark : scene.panels[3].marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) held = grid;
  }
  REQUIRE(held);
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && label->y > held->y && label->y < held->y + 8) ++names[std::string(scene.text_of(label->text))];
    }
  }
  for (int thread = 0; thread < 32; ++thread) CHECK(names["T" + std::to_string(thread)] == (thread == 13 ? 3 : 4));
  CHECK(names["T13 V4"] == 1);  // that holds what is followed
  const std::vector<Arrow> arrows = arrows_of(scene);
  REQUIRE(arrows.size() == 2);
  // It comes down on the element, beside the name of the register, which is framed as one.
  CHECK(arrows.back().x1 > 10.25f * held->w);
  CHECK(arrows.back().x1 < 10.75f * held->w);
  const auto& marks = scene.panels[3].marks;
  CHECK(std::count_if(marks.begin(), marks.end(), [&](const Mark& mark) {
          const auto* outline = std::get_if<Outline>(&mark);
          return outline && outline->role == StrokeRole::highlight && outline->x == Approx(10 * held->w) &&
                 outline->w == Approx(2 * held->w);
        }) == 1);
  CHECK(says(scene, "each element is read by 2 warps"));
  CHECK(says(scene, "in shared memory: Sw<2,3,3> o 0 o (64,32):(32,1)"));
  CHECK(says(scene, "thin frame: one access of the thread in it, which may have several"));
  // What is written and what is read is one tile: a line without an arrow joins the two frames.
  const CellView written = find_cell(scene, 1, 3, 10).value(), read = find_cell(scene, 2, 3, 10).value();
  std::vector<float> ends;
  for (const Mark& mark : scene.panels[4].marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (line && line->subject == kNoSubject) ends.push_back(line->y0), ends.push_back(line->y1);
  }
  REQUIRE(ends.size() > 1);
  CHECK(ends.front() == Approx(written.y + 1));
  CHECK(ends.back() == Approx(read.y));
  CHECK(says(scene, "registers: who holds which element; T + 64 holds the same as T"));
  CHECK(says(scene, "arrives as value 4 (V4) of threads 13 and 77"));
  CHECK(says(scene, "shared memory: ldmatrix.x4 reads 16 bytes where T points"));
  CHECK(says(scene, "ldmatrix.x4: T19 points at the 16 bytes that hold the element, and T13 receives it"));
}

TEST_CASE("a way is grey where the palette is", "[chain]") {
  for (const char* palette : {"tessera", "greys"}) {
    FigureSpec spec = of({rows_of_32(), async_copy(), swizzled(), matrix_copy()});
    spec.palette = palette;
    for (const Arrow& arrow : arrows_of(make_figure(spec).value())) CHECK((arrow.color == kNoColor) == (spec.palette == "greys"));
  }
}

TEST_CASE("no line between elements goes through a thread's name", "[chain]") {
  const Scene scene = drawn(of({rows_of_32(), async_copy(), swizzled(), matrix_copy()}));
  for (std::size_t panel = 0; panel < 4; ++panel) {
    for (const Mark& mark : scene.panels[panel].marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      CHECK_FALSE((outline && outline->grid));
    }
  }
}

TEST_CASE("what each copy of a chain costs is what the advisor says", "[chain]") {
  const AnyLayout g = rows_of_32();
  for (const AnyLayout& s : {AnyLayout(swizzled()), AnyLayout(rows_of_32()), AnyLayout(lay(tup({64, 32}), tup({40, 1})))}) {
    const Scene scene = std::visit([&](const auto& layout) { return drawn(of({rows_of_32(), async_copy(), layout, matrix_copy()})); }, s);
    const CopyCheck in = check_copy(async_copy(), {g, AccessSpace::gmem}, {s, AccessSpace::smem}, 16).value();
    const CopyCheck out = check_copy(matrix_copy(), {s, AccessSpace::smem}, {s, {}}, 16).value();
    CHECK(says(scene, cost(*in.source.access)));
    CHECK(says(scene, cost(*in.destination.access)));
    CHECK(says(scene, cost(*out.source.access)));
    CHECK(says(scene, "128 bits a lane, 2 accesses a thread"));
  }
  // A copy of single floats, and one that finds its own width.
  const Layout floats = lay(tup({32, 32}), tup({32, 1}));
  CHECK(says(drawn(of({floats, by_rows("UniversalCopy<uint32_t>", ValueType::f32, 4, 32, 1), floats})),
             "32 bits a lane, 8 accesses a thread"));
  CHECK(says(drawn(of({floats, by_rows("AutoVectorizingCopyWithAssumedAlignment<128>", ValueType::f32, 8, 8, 4), floats})),
             "128 bits a lane, 4 accesses a thread"));
}

TEST_CASE("what each copy of a GEMM costs is what its simulation counts", "[chain]") {
  GemmSpec tensor = support::tensor(128, 128, 32);
  tensor.fragments = Fragments::one_k_block;  // else the first k-tile reads a part of the next one, too
  for (const GemmSpec& spec : {tensor, support::article(), support::register_tile()}) {
    const GemmPlan plan = lower(spec).value();
    const std::vector<AccessSummary> counted = summarize(simulate(plan, integer_input(plan, 3)).value().trace);
    for (const char* operand : {"A", "B"}) {
      INFO(spec.name << " " << operand);
      const Scene scene = drawn(of({plan}, {{"operand", operand}}));
      const bool a = operand == std::string_view("A");
      for (const AccessSummary& row : counted) {
        using Step = Access::Step;
        const bool of_it = row.step == (a ? Step::read_a : Step::read_b) || row.step == (a ? Step::g2s_write_a : Step::g2s_write_b) ||
                           row.step == (a ? Step::s2r_a : Step::s2r_b) || row.step == Step::store_c;
        if (!of_it) continue;
        INFO(step_name(row.step) << " " << cost(row.shared, row.units, row.least_units));
        CHECK(says(scene, cost(row.shared, row.units, row.least_units)));
      }
    }
  }
}

TEST_CASE("a GEMM whose tiles come by TMA and are read by wgmma has a chain of boxes", "[chain]") {
  const GemmPlan plan = lower(support::hopper(Overlap::none, 128, 128, 64, 128, 128, 2)).value();
  const Scene scene = drawn(of({plan}));
  CHECK(says(scene, "TMA"));
  CHECK(says(scene, "begun by one thread"));
  CHECK(says(scene, "through a descriptor"));
  // Its C leaves by stmatrix and TMA: the first consumer's part of it is followed.
  const std::int64_t parts = plan.roles.front().members;
  for (const AccessSummary& row : summarize(simulate(plan, integer_input(plan, 3)).value().trace)) {
    if (row.step != Access::Step::stage_c) continue;
    INFO(cost(row.shared, row.units, row.least_units) << " in " << parts);
    CHECK(says(scene, cost(row.shared, row.units / parts, row.least_units / parts)));
  }
}

TEST_CASE("chains that lead nowhere, and of what cannot be copied, are refused", "[chain]") {
  CHECK(refusal(of({rows_of_32()})).message == "a chain without a copy goes nowhere");
  CHECK(refusal(of({async_copy(), rows_of_32()})).message.find("has nothing before it that it could read") != std::string::npos);
  CHECK(refusal(of({rows_of_32(), swizzled()})).message.find("between object 1 and the layout") == 0);
  CHECK(refusal(of({rows_of_32(), async_copy(), lay(tup({32, 32}), tup({32, 1}))})).message.find("the source has the shape") == 0);
  CHECK(refusal(of({rows_of_32(), async_copy(), lay(8, 1)})).message.find("a tile of a chain has two modes") == 0);
  CHECK(refusal(of({rows_of_32(), async_copy(), swizzled(), matrix_copy(), ampere(), matrix_copy()}))
            .message.find("what leaves the accumulators") == 0);
  CHECK(refusal(of({ampere()})).message.find("has a copy of its operand before it") != std::string::npos);
  CHECK(refusal(of({rows_of_32(), async_copy(), swizzled()}, {{"at", "(64,0)"}})).message ==
        "at=(64,0) is no element of the tile that is copied");
  CHECK(refusal(of({rows_of_32(), async_copy(), swizzled()}, {{"operand", "B"}})).message.find("operand= is of a GEMM") == 0);
  // cp.async writes 16 bytes where a row has none together.
  CHECK_FALSE(make_figure(of({rows_of_32(), async_copy(), lay(tup({64, 32}), tup({1, 64}))})));
}
