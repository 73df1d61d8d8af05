// SPDX-License-Identifier: BSD-3-Clause
// The figures of divides, products and compositions: every cell is what the algebra gives, and tints follow tiles from one grid to the
// next.
#include <map>
#include <set>

#include "core/diagram/figures.hpp"
#include "core/layout/composed_algebra.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureSpec of(std::string kind, const Layout& layout, FigureObject second, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(layout, FigureStyle::tessera, std::move(kind));
  spec.objects.push_back(std::move(second));
  spec.parameters = std::move(parameters);
  return spec;
}

Scene drawn(const FigureSpec& spec) {
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  return *scene;
}

Error refusal(const FigureSpec& spec) {
  const Result<Scene> scene = make_figure(spec);
  REQUIRE(!scene);
  return scene.error();
}

const Grid& grid_of(const Scene& scene, std::string_view id) {
  for (const Mark& mark : scene.panels[panel_named(scene, id)].marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) return *grid;
  }
  throw std::runtime_error("no grid");
}

}  // namespace

TEST_CASE("a divide's columns are tiles, and each element has its tile's tint in both grids", "[divide]") {
  struct Datum {
    const char *layout, *tiler, *op;
  };
  for (const auto& [text, by, op] : {Datum{"(4,8):(8,1)", "(2,4)", "zipped"},
                                     {"(8,8):(8,1)", "(2,4)", "logical"},
                                     {"24:1", "4:2", "zipped"},
                                     {"(4,2,3):(2,1,8)", "4:2", "logical"},
                                     {"(9,(4,8)):(59,(13,1))", "(3:3,(2,4):(1,8))", "zipped"},
                                     {"(8,6):(1,8)", "(4,3)", "tiled"},
                                     {"(8,6):(6,1)", "(4,3)", "flat"}}) {
    CAPTURE(text, by, op);
    const Layout layout = Reader(text).layout().value();
    const Tiler tiler = Reader(by).tiler().value();
    const Scene scene = drawn(of("divide", layout, tiler, {{"op", op}}));
    const AnyLayout any = layout;
    const std::string_view word = op;
    const AnyLayout result = (word == "zipped"    ? zipped_divide(any, tiler)
                              : word == "logical" ? logical_divide(any, tiler)
                              : word == "tiled"   ? tiled_divide(any, tiler)
                                                  : flat_divide(any, tiler))
                                 .value();
    const GridColumns& after = *grid_of(scene, "divide").of;
    REQUIRE(after.size() == static_cast<std::size_t>(size(result)));
    for (std::int32_t r = 0; r < after.rows; ++r) {
      for (std::int32_t c = 0; c < after.cols; ++c)
        CHECK(after.address[static_cast<std::size_t>(r * after.cols + c)] ==
              evaluate(result, r + static_cast<std::int64_t>(after.rows) * c));
    }
    // By their coordinates, the cells of both grids say the same offset and have the same tint.
    std::map<std::pair<int, int>, std::pair<std::int64_t, ColorIndex>> before;
    const GridColumns& first = *grid_of(scene, "layout").of;
    for (std::size_t i = 0; i < first.size(); ++i) before[{first.row[i], first.col[i]}] = {first.address[i], first.fills[i]};
    REQUIRE(before.size() == first.size());
    std::map<ColorIndex, int> tiles;
    for (std::size_t i = 0; i < after.size(); ++i) {
      CHECK(before.at({after.row[i], after.col[i]}) == std::pair{after.address[i], after.fills[i]});
      ++tiles[after.fills[i]];
    }
    for (const auto& [tint, count] : tiles) CHECK(count == tiles.begin()->second);
    const std::int64_t each = size(shape(zipped_divide(any, tiler).value())[0]);
    CHECK(tiles.begin()->second % each == 0);
  }
}

TEST_CASE("coordinates that a divide has and its layout has not are grey and said", "[divide]") {
  const Scene scene = drawn(of("divide", "10:1"_layout, "4:1"_tiler));
  const GridColumns& after = *grid_of(scene, "divide").of;
  CHECK(after.size() == 12);
  CHECK(std::count(after.row.begin(), after.row.end(), -1) == 2);
  const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
  CHECK(std::find(notes.begin(), notes.end(), "grey: 2 coordinates beyond the layout, which a kernel must leave out") != notes.end());
}

TEST_CASE("a product's cells are the algebra's, and each copy has the tint of its number", "[product]") {
  struct Datum {
    const char *block, *copies, *op;
  };
  for (const auto& [block_text, copies_text, op] : {Datum{"(2,2):(2,1)", "(2,3):(3,1)", "blocked"},
                                                    {"(2,2):(2,1)", "(2,3):(3,1)", "raked"},
                                                    {"(2,5):(5,1)", "(3,4):(1,3)", "blocked"},
                                                    {"(2,2):(4,1)", "6:1", "logical"}}) {
    CAPTURE(block_text, copies_text, op);
    const Layout block = Reader(block_text).layout().value(), copies = Reader(copies_text).layout().value();
    const Scene scene = drawn(of("product", block, copies, {{"op", op}}));
    // logical_product says which copy an offset is of.
    const Layout logical = logical_product(block, copies).value();
    std::map<std::int64_t, std::int64_t> copy_of;
    for (std::int64_t i = 0; i < logical.size(); ++i) copy_of[logical(i)] = i / block.size();
    const GridColumns &after = *grid_of(scene, "product").of, &numbers = *grid_of(scene, "copies").of;
    REQUIRE(after.size() == static_cast<std::size_t>(logical.size()));
    std::map<std::int64_t, ColorIndex> tint_of;  // by the number of the copy
    for (std::size_t i = 0; i < numbers.size(); ++i)
      tint_of[copies.rank() > 1 ? numbers.row[i] + numbers.col[i] * copies.shape()[0].value() : numbers.row[i]] = numbers.fills[i];
    const std::string_view word = op;
    const Layout result = (word == "blocked" ? blocked_product(block, copies)
                           : word == "raked" ? raked_product(block, copies)
                                             : logical_product(block, copies))
                              .value();
    for (std::size_t i = 0; i < after.size(); ++i) {
      CHECK(after.address[i] == result(after.row[i] + static_cast<std::int64_t>(after.rows) * after.col[i]));
      CHECK(after.fills[i] == tint_of.at(copy_of.at(after.address[i])));
    }
  }
}

TEST_CASE("a composition's arrows go from B's cell to A's and on to the result's", "[composition]") {
  for (const auto& [a_text, b_text] :
       {std::pair{"(6,2):(8,2)", "(4,3):(3,1)"}, {"20:2", "(5,4):(4,1)"}, {"(4,8):(8,1)", "((2,4),(2,2)):((8,1),(4,16))"}}) {
    CAPTURE(a_text, b_text);
    const Layout a = Reader(a_text).layout().value(), b = Reader(b_text).layout().value();
    const Scene scene = drawn(of("composition", a, b, {{"elements", "0,5"}}));
    const GridColumns &of_b = *grid_of(scene, "B").of, &of_a = *grid_of(scene, "A").of, &result = *grid_of(scene, "composition").of;
    std::map<std::int64_t, ColorIndex> tint;  // by the index that B gives
    for (std::size_t i = 0; i < of_b.size(); ++i) {
      CHECK(result.address[i] == a(of_b.address[i]));
      CHECK(result.fills[i] == of_b.fills[i]);
      tint[of_b.address[i]] = of_b.fills[i];
    }
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const std::int64_t index = of_a.row[i] + (a.rank() > 1 ? a.shape()[0].value() * of_a.col[i] : 0);
      CHECK(of_a.address[i] == a(index));
      CHECK(of_a.fills[i] == (tint.contains(index) ? tint.at(index) : kNoColor));
    }
    CHECK(arrows_of(scene).size() == 4);
    for (const Arrow& arrow : arrows_of(scene)) CHECK(!scene.words_of(scene.subjects.at(arrow.subject)).empty());
  }
  const Scene scene = drawn(of("composition", "(6,2):(8,2)"_layout, "(4,3):(3,1)"_layout, {{"elements", "5"}}));
  CHECK(scene.words_of(scene.subjects.at(arrows_of(scene).front().subject)) == "(1,1) -> B gives 4, A's (4,0) -> A gives 32");
}

TEST_CASE("values of B beyond A are said, and have no arrow", "[composition]") {
  const Scene scene = drawn(of("composition", "(4,2):(2,8)"_layout, "(4,4):(1,4)"_layout, {{"elements", "15"}}));
  CHECK(arrows_of(scene).empty());
  const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
  CHECK(std::any_of(notes.begin(), notes.end(),
                    [](const std::string& note) { return note.find("8 of B's values lie beyond A's 8 elements") == 0; }));
}

TEST_CASE("wrong divides, products and compositions are refused in words", "[divide]") {
  CHECK(refusal(figure("(4,8):(8,1)"_layout, FigureStyle::tessera, "divide")).message == "this figure needs a tiler as its second object");
  CHECK(refusal(figure("(4,8):(8,1)"_layout, FigureStyle::tessera, "product")).message.find("needs a layout of copies") !=
        std::string::npos);
  CHECK(refusal(figure("(4,8):(8,1)"_layout, FigureStyle::tessera, "composition")).message.find("needs the layout B") != std::string::npos);
  CHECK(refusal(of("divide", "(4,8):(8,1)"_layout, "(2,4)"_tiler, {{"op", "zip"}})).message.find("op=zip is none") != std::string::npos);
  CHECK(refusal(of("composition", "(6,2):(8,2)"_layout, "(4,3):(3,1)"_layout, {{"elements", "12"}})).message ==
        "elements=12 is no coordinate of (4,3):(3,1)");
  CHECK(refusal(of("divide", "(1024,1024):(1,1024)"_layout, "(2,4)"_tiler)).code == ErrorCode::limit);
  CHECK(!make_figure(of("composition", "(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout)));  // no layout is that function
}
