// SPDX-License-Identifier: BSD-3-Clause
// The figures of divides, products and compositions: every cell is what the algebra gives, and tints follow tiles from one grid to the
// next.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/parts/steps.hpp"
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

const Grid& grid_of(const Scene& scene, std::string_view id) {
  for (const Mark& mark : scene.panels[panel_named(scene, id)].marks) {
    if (const auto* grid = std::get_if<Grid>(&mark)) return *grid;
  }
  throw std::runtime_error("no grid");
}

// The coordinate ((inner, outer), (inner, outer)) that a result's numbers give a cell: the ones beside its row and over its column, and
// those of the nearest bracket beyond each, which is the one around it where all are equally long.
Coord numbered(const Scene& scene, std::string_view id, const CellView& cell) {
  const Panel& panel = scene.panels[panel_named(scene, id)];
  const Grid& grid = grid_of(scene, id);
  struct Nearest {
    float away = 1e9f;
    std::int64_t number = -1;
  };
  Nearest inner[2], outer[2];
  for (const Mark& mark : panel.marks) {
    const auto* label = std::get_if<Label>(&mark);
    if (!label || (label->role != LabelRole::axis && label->role != LabelRole::legend)) continue;
    const std::string text(scene.text_of(label->text));
    if (text.find('(') != std::string::npos || text.empty() || text.back() < '0' || text.back() > '9') continue;  // "tile (2,4)"
    const bool row = label->anchor == Anchor::right;
    Nearest& nearest = (label->role == LabelRole::axis ? inner : outer)[row ? 0 : 1];
    const float away = row ? std::abs(label->y - (cell.y + 0.5f)) : std::abs(label->x - (cell.x + cell.w / 2));
    CHECK((row ? label->x < grid.x : label->y < grid.y));
    if (away < nearest.away) nearest = {away, std::stoll(text.substr(text.find_last_of(' ') + 1))};
  }
  for (const Nearest& each : inner) CHECK(each.away < 0.01f);
  const auto mode = [&](int i) { return tup({inner[i].number, outer[i].number}); };
  return tup({mode(0), mode(1)});
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

TEST_CASE("the numbers of a divide are its own coordinates: the place in a tile inside, which tile around it", "[divide]") {
  struct Datum {
    const char *layout, *tiler, *op;
  };
  for (const auto& [text, by, op] : {Datum{"(4,8):(8,1)", "(2,4)", "zipped"},
                                     {"(8,8):(8,1)", "(2,4)", "logical"},
                                     {"(9,(4,8)):(59,(13,1))", "(3:3,(2,4):(1,8))", "logical"},
                                     {"(8,6):(1,8)", "(4,3)", "logical"},
                                     {"(8,6):(1,8)", "(4,3)", "zipped"}}) {
    CAPTURE(text, by, op);
    const AnyLayout layout = Reader(text).layout().value();
    const Tiler tiler = Reader(by).tiler().value();
    const Scene scene = drawn(of("divide", std::get<Layout>(layout), tiler, {{"op", op}}));
    const bool logical = std::string_view(op) == "logical";
    const Layout result = std::get<Layout>((logical ? logical_divide(layout, tiler) : zipped_divide(layout, tiler)).value());
    for (const CellView& cell : cells_of(scene, panel_named(scene, "divide")))
      CHECK(evaluate(result, numbered(scene, "divide", cell)).value() == IntTuple(subject_of(scene, cell.id)->address));
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    const auto in_place = [&] {
      const GridColumns &before = *grid_of(scene, "layout").of, &after = *grid_of(scene, "divide").of;
      return before.address == after.address && before.rows == after.rows;
    };
    CHECK((std::count(notes.begin(), notes.end(), "no element changes its place; its coordinate is now (tile, rest) in each mode") == 1) ==
          (logical && in_place()));
  }
}

TEST_CASE("one element is outlined before and after a divide, and its coordinates are said", "[divide]") {
  struct Datum {
    const char *layout, *tiler, *op, *words;
  };
  for (const auto& [text, by, op, words] :
       {Datum{"(8,8):(8,1)", "(2,4)", "logical", "outlined: offset 30, at (3,6) before and at ((1,1),(2,1)) after the divide"},
        {"(4,8):(8,1)", "(2,4)", "zipped", "outlined: offset 30, at (3,6) before and at ((1,2),(1,1)) after the divide"},
        {"24:1", "4:2", "zipped", "outlined: offset 22, at 22 before and at (3,(0,2)) after the divide"},
        {"10:1", "4:1", "zipped", "outlined: offset 0, at 0 before and at (0,0) after the divide"}}) {
    CAPTURE(text, by, op);
    const Scene scene = drawn(of("divide", Reader(text).layout().value(), Reader(by).tiler().value(), {{"op", op}}));
    const auto outlined = [&](std::string_view id) {
      const std::size_t panel = panel_named(scene, id);
      std::vector<std::int64_t> offsets;
      for (const Mark& mark : scene.panels[panel].marks) {
        const auto* outline = std::get_if<Outline>(&mark);
        if (!outline || outline->role != StrokeRole::highlight) continue;
        for (const CellView& cell : cells_of(scene, panel)) {
          if (cell.x == outline->x && cell.y == outline->y) offsets.push_back(subject_of(scene, cell.id)->address);
        }
      }
      return offsets;
    };
    CHECK(outlined("layout").size() == 1);
    CHECK(outlined("layout") == outlined("divide"));
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    CHECK(std::count(notes.begin(), notes.end(), words) == 1);
  }
}

TEST_CASE("the numbers of a product are block and copy, each copy or place in the block over its own bracket", "[product]") {
  struct Datum {
    const char *block, *copies, *op, *word;
    std::int64_t brackets;
  };
  for (const auto& [block_text, copies_text, op, word, brackets] : {Datum{"(2,2):(2,1)", "(2,3):(3,1)", "blocked", "copy ", 5},
                                                                    {"(2,2):(2,1)", "(2,3):(3,1)", "raked", "block ", 4},
                                                                    {"(2,5):(5,1)", "(3,4):(1,3)", "blocked", "copy ", 7}}) {
    CAPTURE(block_text, copies_text, op);
    const Layout block = Reader(block_text).layout().value(), copies = Reader(copies_text).layout().value();
    const Scene scene = drawn(of("product", block, copies, {{"op", op}}));
    const Layout result = (std::string_view(op) == "raked" ? raked_product(block, copies) : blocked_product(block, copies)).value();
    for (const CellView& cell : cells_of(scene, panel_named(scene, "product")))
      CHECK(evaluate(result, numbered(scene, "product", cell)).value() == IntTuple(subject_of(scene, cell.id)->address));
    const std::vector<std::string> words = texts_of(scene, scene.panels[panel_named(scene, "product")], LabelRole::legend);
    CHECK(std::count_if(words.begin(), words.end(), [&](const std::string& each) { return each.starts_with(word); }) == brackets);
    // Of copies that interleave the first one is outlined: the block's own offsets.
    std::set<std::int64_t> outlined, first;
    for (const Mark& mark : scene.panels[panel_named(scene, "product")].marks) {
      const auto* outline = std::get_if<Outline>(&mark);
      if (!outline || outline->role != StrokeRole::strong || outline->h > 1) continue;
      for (const CellView& cell : cells_of(scene, panel_named(scene, "product"))) {
        if (cell.x == outline->x && cell.y == outline->y) outlined.insert(subject_of(scene, cell.id)->address);
      }
    }
    for (std::int64_t i = 0; i < block.size(); ++i) first.insert(block(i));
    CHECK(outlined == (std::string_view(op) == "raked" ? first : std::set<std::int64_t>()));
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

TEST_CASE("a divide whose tiles end beyond the layout has each element in its tile, and what is beyond in grey", "[divide]") {
  std::mt19937 random(3);
  const auto from = [&](int least, int most) { return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)); };
  for (int round = 0; round < 60; ++round) {
    const int m = from(1, 11), n = from(1, 9), tm = from(1, 5), tn = from(1, 5);
    const Layout layout = random() % 2 == 0 ? lay(tup({m, n}), tup({n, 1})) : lay(tup({m, n}), tup({1, m + 3}));
    CAPTURE(to_string(layout), tm, tn);
    const Scene scene = drawn(of("divide", layout, tiler({tm, tn})));
    const GridColumns& after = *grid_of(scene, "divide").of;
    const int down = (m + tm - 1) / tm, tiles = down * ((n + tn - 1) / tn);
    REQUIRE((after.rows == tm * tn && after.cols == tiles));
    int beyond = 0;
    std::set<ColorIndex> greys, tints;
    for (int place = 0; place < tm * tn; ++place) {
      for (int tile = 0; tile < tiles; ++tile) {
        const auto i = static_cast<std::size_t>(place * tiles + tile);
        const int r = place % tm + tm * (tile % down), c = place / tm + tn * (tile / down);
        const bool inside = r < m && c < n;
        beyond += inside ? 0 : 1;
        CHECK(after.row[i] == (inside ? r : -1));
        CHECK(after.col[i] == (inside ? c : -1));
        if (inside) CHECK(after.address[i] == layout(r, c));
        (inside ? tints : greys).insert(after.fills[i]);
      }
    }
    CHECK(greys.size() == (beyond > 0 ? 1U : 0U));
    for (const ColorIndex grey : greys) CHECK(tints.count(grey) == 0);
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    const bool said = std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
      return note.starts_with("grey: " + std::to_string(beyond) + " coordinate");
    });
    CHECK(said == (beyond > 0));
  }
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

TEST_CASE("elements of a composition that are followed have one colour in B, in A and in the result, and no other cell has it",
          "[composition]") {
  for (const auto& [a_text, b_text] : {std::pair{"(6,2):(8,2)", "(4,3):(3,1)"},
                                       {"20:2", "(5,4):(4,1)"},
                                       {"(4,4):(4,1)", "(4,3):(1,0)"},
                                       {"(4,8):(8,1)", "((2,4),(2,2)):((8,1),(4,16))"}}) {
    CAPTURE(a_text, b_text);
    const Layout a = Reader(a_text).layout().value(), b = Reader(b_text).layout().value();
    const Scene scene = drawn(of("composition", a, b, {{"elements", "0,5"}}));
    const GridColumns &of_b = *grid_of(scene, "B").of, &of_a = *grid_of(scene, "A").of, &result = *grid_of(scene, "composition").of;
    std::map<std::int64_t, ColorIndex> tint;  // by the index that B gives
    for (std::size_t i = 0; i < of_b.size(); ++i) {
      CHECK(result.address[i] == a(of_b.address[i]));
      CHECK(result.fills[i] == of_b.fills[i]);
      CHECK(tint.try_emplace(of_b.address[i], of_b.fills[i]).first->second == of_b.fills[i]);
    }
    CHECK(tint.at(b(0)) != tint.at(b(5)));
    bool all_given = true;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const std::int64_t index = of_a.row[i] + (a.rank() > 1 ? a.shape()[0].value() * of_a.col[i] : 0);
      CHECK(of_a.address[i] == a(index));
      const bool given = tint.contains(index), followed = index == b(0) || index == b(5);
      all_given = all_given && given;
      if (given) CHECK(of_a.fills[i] == tint.at(index));
      for (const std::int64_t other : {b(0), b(5)}) CHECK((of_a.fills[i] == tint.at(other)) == (index == other));
      CHECK((followed || of_a.fills[i] != of_b.fills[0]));
    }
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    CHECK((std::count(notes.begin(), notes.end(), "grey: B does not give it") == 1) == !all_given);
    CHECK(arrows_of(scene).size() == 4);
    for (const Arrow& arrow : arrows_of(scene)) CHECK(!scene.words_of(scene.subjects.at(arrow.subject)).empty());
  }
  const Scene scene = drawn(of("composition", "(6,2):(8,2)"_layout, "(4,3):(3,1)"_layout, {{"elements", "5"}}));
  CHECK(scene.words_of(scene.subjects.at(arrows_of(scene).front().subject)) == "B(1,1) = 4, A(4) = A(4,0) = 32");
  const std::vector<std::string> legends = texts_of(scene, scene.panels.back(), LabelRole::legend);
  CHECK(std::count(legends.begin(), legends.end(), "B(1,1) = 4, A(4) = A(4,0) = 32") == 1);
}

TEST_CASE("a composition is told in steps, an element each, and a step shows no later one", "[composition]") {
  FigureSpec spec = of("composition", "(6,2):(8,2)"_layout, "(4,3):(3,1)"_layout, {{"elements", "0-11"}});
  const Scene whole = drawn(spec);
  REQUIRE(whole.steps.size() == 12);
  CHECK(whole.steps[5].caption == "Step 6 of 12: B(1,1) = 4, A(4) = A(4,0) = 32.");
  for (const std::size_t i : {0, 5, 11}) {
    CAPTURE(i);
    const Scene step = at_step(whole, i).value();
    CHECK(arrows_of(step).size() == 2 * (i + 1));  // those before it stand back
    std::size_t outlined = 0;
    for (const Panel& panel : step.panels) {
      if (panel.id != "followed") continue;
      outlined = static_cast<std::size_t>(
          std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Outline>(mark); }));
    }
    CHECK(outlined == 3);  // in B, in A and in the result
  }
}

TEST_CASE("a composition's arrows go from one element to the next, and below each other over no cell and no number", "[composition]") {
  for (const auto& [a_text, b_text] : {std::pair{"(6,2):(8,2)", "(4,3):(3,1)"},
                                       {"20:2", "(5,4):(4,1)"},
                                       {"(4,8):(8,1)", "((2,4),(2,2)):((8,1),(4,16))"},
                                       {"24:2", "12:2"}}) {
    CAPTURE(a_text, b_text);
    const Layout a = Reader(a_text).layout().value(), b = Reader(b_text).layout().value();
    const Scene scene = drawn(of("composition", a, b, {{"elements", "1,5"}}));
    const auto cell = [&](std::string_view panel, const Layout& layout, std::int64_t i) {
      const std::int64_t rows = layout.rank() > 1 ? size(layout.shape()[0]) : layout.size();
      return find_cell(scene, panel_named(scene, panel), static_cast<int>(i % rows), static_cast<int>(i / rows)).value();
    };
    const std::vector<Arrow> arrows = arrows_of(scene);
    REQUIRE(arrows.size() == 4);
    std::size_t next = 0;
    for (const bool first : {true, false}) {
      for (const std::int64_t i : {1, 5}) {
        const CellView from = first ? cell("B", b, i) : cell("A", a, b(i)), to = first ? cell("A", a, b(i)) : cell("composition", b, i);
        const Arrow& arrow = arrows[next++];
        const auto within = [](float at, float begin, float length) { return at > begin && at < begin + length; };
        if (grid_of(scene, "B").x < grid_of(scene, "A").x) {  // side by side: from row to row, between the grids
          CHECK((within(arrow.y0, from.y + 0.25f, 0.5f) && within(arrow.y1, to.y + 0.25f, 0.5f)));
          const Grid &left = grid_of(scene, first ? "B" : "A"), &right = grid_of(scene, first ? "A" : "composition");
          CHECK((arrow.x0 > left.x + left.w * static_cast<float>(left.of->cols) && arrow.x1 < right.x && arrow.x0 < arrow.x1));
          continue;
        }
        CHECK((within(arrow.x0, from.x, from.w) && within(arrow.x1, to.x, to.w)));
        for (const char* panel : {"B", "A", "composition"}) {
          const Grid& grid = grid_of(scene, panel);
          const float right = grid.x + grid.w * static_cast<float>(grid.of->cols), bottom = grid.y + static_cast<float>(grid.of->rows);
          const bool beyond = std::max(arrow.x0, arrow.x1) < grid.x || std::min(arrow.x0, arrow.x1) > right ||
                              std::max(arrow.y0, arrow.y1) < grid.y || std::min(arrow.y0, arrow.y1) > bottom;
          CHECK(beyond);
        }
      }
    }
  }
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

TEST_CASE("swatches of a product have the numbers that stand in its layout of copies, in their tints", "[product]") {
  const Scene scene = drawn(of("product", "(2,2):(2,1)"_layout, "(2,3):(3,1)"_layout));
  const Grid& copies = grid_of(scene, "copies");
  std::map<std::string, ColorIndex> tint_of, swatches;
  for (std::size_t i = 0; i < copies.of->size(); ++i) tint_of[std::string(copies.of->label(i))] = copies.of->fills[i];
  std::vector<ColorIndex> hues;
  std::vector<std::string> numbers;
  for (const Mark& mark : scene.panels.back().marks) {
    if (const auto* cell = std::get_if<Cell>(&mark)) hues.push_back(cell->fill);
    const auto* label = std::get_if<Label>(&mark);
    if (label && label->anchor == Anchor::center) numbers.emplace_back(scene.text_of(label->text));
  }
  REQUIRE(hues.size() == numbers.size());
  for (std::size_t i = 0; i < hues.size(); ++i) swatches[numbers[i]] = hues[i];
  CHECK(swatches == tint_of);
}

TEST_CASE("a divide names the columns of its tile and of the rest, and a logical one what its numbers count", "[divide]") {
  const auto has = [](const Scene& scene, std::string_view words) {
    const std::vector<std::string> legends = texts_of(scene, LabelRole::legend);
    return std::find(legends.begin(), legends.end(), words) != legends.end();
  };
  const Scene zipped = drawn(of("divide", "(4,8):(8,1)"_layout, "(2,4)"_tiler));
  for (const char* words : {"tile col 0", "tile col 3", "rest col 1", "tile row↓ rest row→", "hue: the tile, by the rest's 1-D coordinate"})
    CHECK(has(zipped, words));
  CHECK(has(drawn(of("divide", "(8,8):(8,1)"_layout, "(2,4)"_tiler, {{"op", "logical"}})), "tile row↓ tile col→"));
  const std::vector<std::string> notes = texts_of(zipped, LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "number in a cell: the offset") == 1);
}
