// SPDX-License-Identifier: BSD-3-Clause
// The figure of a copy: lines are around what a thread takes at once, equal sides are drawn once, and a label names a whole vector.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

TiledCopy universal(std::string_view carrier, ValueType type, Layout threads, Layout values) {
  return make_tiled_copy(copy_atom(fmt::format("UniversalCopy<{}>", carrier), type), std::move(threads), std::move(values)).value();
}
TiledCopy by_rows() { return universal("uint128_t", ValueType::f16, lay(tup({8, 4}), tup({4, 1})), compact(tup({1, 8}))); }
// Two vectors of a thread beside each other.
TiledCopy twice() { return universal("uint128_t", ValueType::f16, lay(tup({4, 2}), tup({2, 1})), compact(tup({1, 16}))); }
TiledCopy by_columns() { return universal("uint64_t", ValueType::f16, compact(tup({4, 8})), compact(tup({4, 1}))); }
TiledCopy single() { return universal("float", ValueType::f32, lay(tup({4, 8}), tup({8, 1})), compact(tup({1, 1}))); }
TiledCopy matrices(std::string_view atom = "SM75_U32x4_LDSM_N") {
  return make_tiled_copy_a(copy_atom(atom, ValueType::f16), tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1})))).value();
}

Scene drawn(const TiledCopy& copy, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(copy, FigureStyle::tessera, "copy");
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

const Grid& grid_of(const Panel& panel) {
  for (const Mark& mark : panel.marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) return *grid;
  }
  throw std::runtime_error("no grid");
}

// Is there a line of this role over this stretch, which is one cell long?
bool has_line(const Panel& panel, StrokeRole role, float x0, float y0, float x1, float y1) {
  return std::any_of(panel.marks.begin(), panel.marks.end(), [&](const Mark& mark) {
    const auto* line = std::get_if<Line>(&mark);
    return line && line->role == role && line->x0 <= x0 && line->y0 <= y0 && line->x1 >= x1 && line->y1 >= y1;
  });
}

// Which thread takes each cell with which of its instructions, colexicographic.
std::vector<std::pair<std::int64_t, std::int64_t>> accesses(const Layout& layout_tv, std::int64_t values_of_one) {
  std::vector<std::pair<std::int64_t, std::int64_t>> of(static_cast<std::size_t>(layout_tv.cosize()), {-1, -1});
  const std::int64_t threads = layout_tv[0].size();
  for (std::int64_t t = threads - 1; t >= 0; --t) {
    for (std::int64_t v = layout_tv.size() / threads - 1; v >= 0; --v)
      of[static_cast<std::size_t>(layout_tv(t, v))] = {t, v / values_of_one};
  }
  return of;
}

std::vector<std::string> notes(const Scene& scene) { return texts_of(scene, scene.panels.back(), LabelRole::note); }
bool says(const Scene& scene, const std::string& note) {
  const std::vector<std::string> all = notes(scene);
  return std::find(all.begin(), all.end(), note) != all.end();
}

}  // namespace

TEST_CASE("axes of a copy that an MMA's operand gave have the names of the operand's modes", "[copy]") {
  const CopyAtom words = copy_atom("UniversalCopy<uint32_t>", ValueType::f16), one = copy_atom("UniversalCopy<float>", ValueType::f32);
  const TiledMma mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1, 1})));
  const auto axes = [](const TiledCopy& copy) {
    const AxisNames& names = drawn(copy).panels.front().axes;
    return std::pair(names.down, names.across);
  };
  CHECK(axes(make_tiled_copy_a(words, mma).value()) == std::pair<std::string, std::string>("m", "k"));
  CHECK(axes(make_tiled_copy_b(words, mma).value()) == std::pair<std::string, std::string>("n", "k"));
  CHECK(axes(make_tiled_copy_c(one, mma).value()) == std::pair<std::string, std::string>("m", "n"));
  CHECK(axes(make_tiled_copy_c_atom(one, mma).value()) == std::pair<std::string, std::string>("m", "n"));
  CHECK(axes(by_rows()) == std::pair<std::string, std::string>("m", "n"));
  CHECK(drawn(make_tiled_copy_b(words, mma).value()).panels.front().name == "source and destination alike:  N8 × K16  f16");
  CHECK(drawn(by_rows()).panels.front().name == "source and destination alike:  8 × 32  f16");
}

TEST_CASE("a line is between two cells of a copy where another thread or another of its instructions takes them, a strong one around many",
          "[copy]") {
  for (const TiledCopy& copy : {by_rows(), twice(), by_columns(), matrices(), matrices("SM75_U32x2_LDSM_N")}) {
    CAPTURE(to_string(copy.layout_s_tv().value()));
    const Scene scene = drawn(copy);
    for (const Panel& panel : scene.panels) {
      if (panel.id.empty()) continue;
      const bool source = panel.id == "source";
      const Layout layout_tv = (source ? copy.layout_s_tv() : copy.layout_d_tv()).value();  // (thr, val) -> (m, n)
      const auto of = accesses(layout_tv, (source ? copy.atom().val_layout_src : copy.atom().val_layout_dst)[1].size());
      const Grid& grid = grid_of(panel);
      // One register of two elements, where strong lines would outweigh the colours.
      const bool is_short = !source && copy.atom().traits.kind == CopyKind::ldmatrix;
      const StrokeRole role = is_short ? StrokeRole::boundary : StrokeRole::strong;
      const auto at = [&](std::int32_t r, std::int32_t c) { return of[static_cast<std::size_t>(r + c * grid.of->rows)]; };
      for (std::int32_t r = 0; r < grid.of->rows; ++r) {
        for (std::int32_t c = 0; c < grid.of->cols; ++c) {
          const float x = grid.x + static_cast<float>(c), y = grid.y + static_cast<float>(r);
          if (c > 0) CHECK(has_line(panel, role, x, y, x, y + 1) == (at(r, c - 1) != at(r, c)));
          if (r > 0) CHECK(has_line(panel, role, x, y, x + 1, y) == (at(r - 1, c) != at(r, c)));
        }
      }
    }
  }
}

TEST_CASE("the words below a copy say what its lines are around, and nothing where there are none", "[copy]") {
  CHECK(says(drawn(by_rows()), "strong line: one access of 16 bytes"));
  CHECK(says(drawn(twice()), "strong line: one access of 16 bytes"));
  CHECK(says(drawn(by_columns()), "strong line: one access of 8 bytes"));
  CHECK(says(drawn(matrices()), "grey line: in the destination, one register of 4 bytes; strong line: in the source, a row of 16 bytes"));
  for (const std::string& note : notes(drawn(single()))) CHECK(note.find("line") == std::string::npos);
}

TEST_CASE("sides of a copy that are alike are drawn once, and others beside each other", "[copy]") {
  for (const TiledCopy& copy : {by_rows(), twice(), by_columns(), single(), matrices(), matrices("SM75_U32x2_LDSM_N")}) {
    const Layout source = copy.layout_s_tv().value(), destination = copy.layout_d_tv().value();
    bool alike = source.size() == destination.size();
    for (std::int64_t i = 0; alike && i < source.size(); ++i) alike = source(i) == destination(i);
    const Scene scene = drawn(copy);
    const auto grids = std::count_if(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) { return !panel.id.empty(); });
    CHECK(grids == (alike ? 1 : 2));
    CHECK(scene.panels.front().name.starts_with(alike ? "source and destination alike:  " : "source  "));
  }
}

TEST_CASE("each thread is drawn where partition_S has it, whatever strides the tiler has", "[copy]") {
  const Layout tv = lay(tup({tup({4, 2}), IntTuple(2)}), tup({tup({1, 4}), IntTuple(8)}));  // (thr, val) -> places of a 4 x 4 tile
  const auto mode = [](std::int64_t shape, std::int64_t stride) { return Tiler{lay(IntTuple(shape), IntTuple(stride))}; };
  const std::vector<std::pair<Tiler, Tiler>> tilers = {{mode(4, 2), mode(4, 1)},
                                                       {mode(4, 1), mode(4, 3)},
                                                       {mode(4, 2), mode(4, 2)},
                                                       {Tiler{lay(tup({2, 2}), tup({4, 1}))}, mode(4, 1)},
                                                       {Tiler{lay(tup({2, 2}), tup({2, 1}))}, mode(4, 2)},
                                                       {mode(4, 1), mode(4, 1)}};
  // What cuts no tensor has no place in one.
  const Tiler swizzled = ComposedLayout{Swizzle::make(1, 0, 1).value(), 0, lay(IntTuple(4), IntTuple(1))};
  for (const Tiler& mode_of_none : {swizzled, Tiler{Underscore{}}}) {
    const Result<TiledCopy> none =
        TiledCopy::make(copy_atom("UniversalCopy<float>", ValueType::f32), tv, Tiler{std::vector<Tiler>{mode_of_none, mode(4, 1)}});
    REQUIRE(none);
    const Result<Scene> refused = make_figure(testing::figure(*none));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("cuts no tile out of a tensor") != std::string::npos);
  }
  for (const auto& [rows, columns] : tilers) {
    const Result<TiledCopy> copy =
        TiledCopy::make(copy_atom("UniversalCopy<float>", ValueType::f32), tv, Tiler{std::vector<Tiler>{rows, columns}});
    REQUIRE(copy);
    const Scene scene = drawn(*copy, {{"labels", "tv"}});
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> seen, wanted;  // (row, column) -> "T2 V0"
    each_cell(scene, 0, [&](const CellView& cell) {
      std::string label(cell.label);
      std::replace(label.begin(), label.end(), '\n', ' ');
      if (!label.empty()) seen[{std::lround(cell.y), std::lround(cell.x)}] = label;
    });
    const Layout tensor = lay(tup({32, 32}), tup({100, 1}));  // an offset says row and column
    for (std::int64_t t = 0; t < 8; ++t) {
      const SliceAndOffset part = copy->partition_s(AnyLayout(tensor), t).value();
      for (std::int64_t v = 0; v < 2; ++v) {
        const std::int64_t offset = evaluate(part.layout, v) + part.offset.value();
        wanted[{offset / 100, offset % 100}] = fmt::format("T{} V{}", t, v);
      }
    }
    INFO(to_string(copy->tiler_mn()));
    CHECK(seen == wanted);
  }
}

TEST_CASE("in print_latex's style a copy whose tiler has strides stands where CuTe draws it", "[copy][latex]") {
  // CuTe 4.7, make_tiled_copy_impl(Copy_Atom<UniversalCopy<float>,float>, Layout<Shape<_32,_1>>, Tile<Layout<_4,_3>,Layout<_8,_1>>).
  const Layout tv = lay(tup({32, 1}), tup({1, 1}));  // (thr, val) -> places of a 4 x 8 tile
  const Tiler tiler{std::vector<Tiler>{Tiler{lay(IntTuple(4), IntTuple(3))}, Tiler{lay(IntTuple(8), IntTuple(1))}}};
  const TiledCopy copy = TiledCopy::make(copy_atom("UniversalCopy<float>", ValueType::f32), tv, tiler).value();
  const Scene scene = testing::drawn(testing::figure(copy, FigureStyle::print_latex));
  CHECK(scene.comments.front() == "Layout S TV: ArithTuple(_0,_0) o ((_4,_8),(_1,_1)):((_3@0,_1@1),(_0,_0))");
  std::set<std::pair<long, long>> cells;
  each_cell(scene, 0, [&](const CellView& cell) {
    if (!cell.label.empty()) cells.insert({std::lround(cell.y), std::lround(cell.x)});
  });
  std::set<std::pair<long, long>> expected;
  for (long row = 0; row < 12; row += 3) {
    for (long col = 0; col < 8; ++col) expected.insert({row, col});
  }
  CHECK(cells == expected);
  for (const Mark& mark : scene.panels[0].marks) {
    if (const auto* frame = std::get_if<Outline>(&mark)) CHECK((frame->w == 8 && frame->h == 12));  // 10 rows are reached
  }
}

TEST_CASE("headings of a copy say in which memory a side is, where that is known", "[copy]") {
  const auto headed = [](const Scene& scene, std::string_view words) {
    const std::vector<std::string> headings = testing::texts_of(scene, LabelRole::panel_name);
    return std::any_of(headings.begin(), headings.end(), [&](const std::string& each) { return each.find(words) != std::string::npos; });
  };
  CHECK(headed(drawn(matrices()), "source (shared memory)  "));
  CHECK(headed(drawn(matrices()), "destination (registers)  "));
  CHECK_FALSE(headed(drawn(by_rows()), "memory)"));
}

TEST_CASE("a vector that lies in a row is named once, unless cells are asked for", "[copy]") {
  for (const TiledCopy& copy : {by_rows(), twice(), matrices()}) {
    const Layout layout_tv = copy.layout_s_tv().value();  // (thr, val) -> (m, n)
    const Scene scene = drawn(copy);
    const Panel& panel = scene.panels.front();
    const Grid& grid = grid_of(panel);
    CHECK(grid.of->label_ends.empty());
    std::set<std::string> names;
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      const std::string text = label ? std::string(scene.text_of(label->text)) : std::string();
      if (text.empty() || text.front() != 'T') continue;
      CHECK(names.insert(text).second);
      int thread = 0, first = 0, last = 0;
      REQUIRE(std::sscanf(text.c_str(), "T%d V%d-%d", &thread, &first, &last) == 3);
      const std::int64_t begin = layout_tv(thread, first), end = layout_tv(thread, last), rows = grid.of->rows;
      CHECK(begin % rows == end % rows);
      CHECK(label->y == grid.y + static_cast<float>(begin % rows) + 0.5f);
      CHECK(label->x == grid.x + static_cast<float>(begin / rows + end / rows + 1) / 2);
    }
    CHECK(names.size() == static_cast<std::size_t>(layout_tv.size() / 8));
  }
  using Parameters = std::map<std::string, std::string>;
  for (const Parameters& asked : {Parameters{{"labels", "tv"}}, {{"thread", "5"}}, {{"axes", "no"}}, {{"crop", "rows=0-3"}}})
    CHECK(find_cell(drawn(by_rows(), asked), 0, 1, 9).value().label == "T5\nV1");
  CHECK(find_cell(drawn(by_columns()), 0, 1, 0).value().label == "T0\nV1");  // a label is wider than a column
  FigureSpec wrong = figure(by_rows(), FigureStyle::tessera, "copy");
  wrong.parameters = {{"labels", "vector"}};
  CHECK(make_figure(wrong).error().message.find("labels=vector is none") != std::string::npos);
}

TEST_CASE("lines between cells do not go through the name of their vector", "[copy]") {
  const Scene scene = drawn(by_rows());
  const Panel& panel = scene.panels.front();
  std::size_t crossed = 0;
  for (const Mark& mark : panel.marks) {
    const auto* name = std::get_if<Label>(&mark);
    if (!name || !scene.text_of(name->text).starts_with('T')) continue;
    const Bounds box = bounds(Panel{"", {mark}});
    for (float x = std::ceil(box.x0); x < box.x1; ++x) {  // cells are one wide
      ++crossed;
      const std::optional<ElementId> below = pick(scene, x + 0.5f, name->y);
      REQUIRE(below);
      CHECK(std::count_if(panel.marks.begin(), panel.marks.end(), [&](const Mark& each) {
              const auto* line = std::get_if<Line>(&each);
              return line && line->x0 == Approx(x) && line->x1 == Approx(x) && line->y0 < box.y0 && line->y1 > box.y1 &&
                     line->color == cell_of(scene, *below).fill;
            }) == 1);
    }
  }
  CHECK(crossed > 8);
}
