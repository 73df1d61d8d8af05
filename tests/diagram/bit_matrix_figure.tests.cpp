// SPDX-License-Identifier: BSD-3-Clause
// A layout as a matrix over bits, and as the addresses that it reaches: both read back give the layout.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureSpec of(const AnyLayout& layout, std::string kind, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(
      std::holds_alternative<Layout>(layout) ? FigureObject(std::get<Layout>(layout)) : FigureObject(std::get<ComposedLayout>(layout)),
      FigureStyle::tessera, std::move(kind));
  spec.parameters = std::move(parameters);
  return spec;
}

}  // namespace

TEST_CASE("the ones of a bit matrix, read by rows, give every offset of the layout", "[bit_matrix]") {
  for (const char* text : {"(4,8):(8,1)", "Sw<2,0,3> o 0 o (8,8):(8,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "((2,4),(2,2)):((8,1),(4,16))",
                           "(4,4):(1,0)", "16:1", "(2,2,4):(4,1,16)"}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    const Scene scene = drawn(of(layout, "bit_matrix"));
    std::vector<std::pair<int, int>> ones;  // bit of the offset, bit of the coordinate
    for (const CellView& cell : cells_of(scene, 0)) {
      const Subject subject = *subject_of(scene, cell.id);
      if (cell.label == "1") ones.emplace_back(subject.row, subject.col);
    }
    for (std::int64_t i = 0; i < size(layout); ++i) {
      std::int64_t offset = 0;
      for (const auto& [out, in] : ones) offset ^= (i >> in & 1) << out;
      CHECK(offset == evaluate(layout, i));
    }
  }
}

TEST_CASE("a swizzle's matrix says which bits are sums", "[bit_matrix]") {
  const std::vector<std::string> notes = texts_of(drawn(of("Sw<2,0,3> o 0 o (8,8):(8,1)"_any, "bit_matrix")), LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "⊕: o1 = m1 ⊕ n1, o0 = m0 ⊕ n0") == 1);
}

TEST_CASE("layouts without bits of their own are refused by what shows it", "[bit_matrix]") {
  CHECK(refusal(of("(3,4):(4,1)"_any, "bit_matrix")).message.find("12") != std::string::npos);
  CHECK(!make_figure(of("(4,8):(9,1)"_any, "bit_matrix")));
  CHECK(refusal(of("1:1"_any, "bit_matrix")).message == "1:1 has one element, and no bits");
}

TEST_CASE("at each address stands the coordinate that the layout puts there", "[memory]") {
  for (const char* text : {"(4,8):(8,1)", "(4,8):(9,1)", "Sw<2,0,3> o 0 o (8,8):(8,1)", "(2,3,4):(1,20,2)", "7:3", "(4,4):(-1,4)"}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    const Scene scene = drawn(of(layout, "memory", {{"labels", "index"}}));
    std::int64_t found = 0;
    for (const Mark& mark : scene.panels.front().marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid) continue;
      for (std::size_t i = 0; i < grid->of->size(); ++i) {
        const std::string label(grid->of->label(i));
        if (label.empty()) continue;
        ++found;
        if (grid->of->address[i] >= 0) CHECK(evaluate(layout, std::stoll(label)) == grid->of->address[i]);
      }
    }
    CHECK(found == size(layout));
  }
}

TEST_CASE("memory is in rows of all banks where elements have a width, and in lines as asked", "[memory]") {
  const Scene halves = drawn(of("(8,64):(72,1)"_any, "memory", {{"type", "half_t"}}));
  const auto lines = [](const Scene& scene) {
    for (const Mark& mark : scene.panels.front().marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) return std::pair{grid->of->rows, grid->of->cols};
    }
    return std::pair{0, 0};
  };
  CHECK(lines(halves) == std::pair{8, 64});  // whole lines; the last one ends with the last element
  CHECK(lines(drawn(of("(4,8):(9,1)"_any, "memory", {{"wrap", "16"}}))) == std::pair{2, 16});
  const std::vector<std::string> notes = texts_of(drawn(of("(4,8):(9,1)"_any, "memory")), LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "(4,8):(9,1) lays 32 elements over 35 addresses, 3 of them unused.") == 1);
  const std::vector<std::string> shared = texts_of(drawn(of("(4,2):(1,0)"_any, "memory")), LabelRole::note);
  CHECK(std::count(shared.begin(), shared.end(), "(4,2):(1,0) lays 8 elements over 4 addresses, 4 with several elements.") == 1);
}

TEST_CASE("lines of a matrix with padding are its pitch or a multiple, so that what is unused stands in columns", "[memory]") {
  struct Datum {
    const char* layout;
    std::int64_t pitch, line;
  };
  for (const auto& [text, pitch, line] : {Datum{"(4,8):(9,1)", 9, 9},
                                          {"(8,4):(1,10)", 10, 10},
                                          {"(32,32):(33,1)", 33, 33},
                                          {"(100,2):(3,1)", 3, 18},
                                          {"(4,200):(216,1)", 0, 32}}) {
    CAPTURE(text);
    const AnyLayout layout = Reader(text).any_layout().value();
    const Scene scene = drawn(of(layout, "memory"));
    std::set<std::int64_t> drawn_at, reached, gaps, used;
    for (std::int64_t i = 0; i < size(layout); ++i) reached.insert(evaluate(layout, i));
    for (const CellView& cell : cells_of(scene, 0)) {
      const std::int64_t address = subject_of(scene, cell.id)->address;
      drawn_at.insert(address);
      CHECK(cell.x == cell.w * static_cast<float>(address % line));
      CHECK(cell.y == static_cast<float>(address / line));
      if (pitch > 0) (reached.contains(address) ? used : gaps).insert(address % pitch);
    }
    // Every address from the first to the last, and none behind it.
    CHECK(*drawn_at.rbegin() == *reached.rbegin());
    CHECK(static_cast<std::int64_t>(drawn_at.size()) == *reached.rbegin() + 1);
    for (const std::int64_t column : gaps) CHECK(!used.contains(column));
  }
  const std::vector<std::string> notes = texts_of(drawn(of("(100,2):(3,1)"_any, "memory")), LabelRole::note);
  CHECK(std::count(notes.begin(), notes.end(), "each line holds 18 addresses, 6 times the pitch of 3") == 1);
}

TEST_CASE("all rows of memory have a line between them, also before a last one that is shorter, and numbers that add up", "[memory]") {
  const Scene scene = drawn(of("(4,8):(9,1)"_any, "memory"));
  const auto& marks = scene.panels.front().marks;
  const auto lies_between = [&](float y) {
    return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
      const auto* line = std::get_if<Line>(&mark);
      const auto* grid = std::get_if<Outline>(&mark);
      if (grid && grid->role == StrokeRole::grid && grid->y < y && grid->y + grid->h > y) return true;
      return line && line->role == StrokeRole::grid && line->y0 == y && line->y1 == y && line->x1 > line->x0;
    });
  };
  for (const float y : {1.0f, 2.0f, 3.0f}) CHECK(lies_between(y));
  const std::vector<std::string> names = texts_of(scene, LabelRole::legend);
  CHECK(std::count(names.begin(), names.end(), "address↓ + →") == 1);
}

TEST_CASE("of memory that begins within a line nothing is drawn before its first element", "[memory]") {
  const Scene scene = drawn(of("Sw<0,4,3> o 5 o (2,3):(10,1)"_any, "memory", {{"wrap", "4"}}));
  std::set<std::pair<float, float>> places;
  for (const CellView& cell : cells_of(scene, 0)) places.insert({cell.y, cell.x / cell.w});
  CHECK(places.size() == 13);
  CHECK(places.contains({0, 1}));
  CHECK(!places.contains({0, 0}));
  CHECK(!places.contains({3, 2}));
}

TEST_CASE("memory that is no memory, or too much of it, is refused", "[memory]") {
  CHECK(refusal(of("(4,4):(1,1000000)"_any, "memory")).message ==
        "(4,4):(1,1000000) puts its 16 elements on 3000004 addresses, and memory is drawn of up to 65536");
  CHECK(refusal(of("(4,4):(1@0,1@1)"_any, "memory")).message.find("gives coordinates") != std::string::npos);
  CHECK(refusal(of("(4,4):(1,4)"_any, "memory", {{"wrap", "0"}})).message.find("wrap=0 is not an integer from 1 to 256") !=
        std::string::npos);
}

TEST_CASE("a bit matrix says what its letters are and what its rank means, and memory what stands in cells", "[bit_matrix]") {
  const auto says = [](const Scene& scene, std::string_view words) {
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(words) != std::string::npos; });
  };
  const Scene swizzled = drawn(of("Sw<3,3,3> o 0 o (8,64):(64,1)"_any, "bit_matrix"));
  CHECK(says(swizzled, "rank 9, no two coordinates share an offset."));
  CHECK(says(swizzled, "o: bit of the offset; m0 and o0 are the least significant"));
  CHECK(says(drawn(of("(2,4):(0,1)"_any, "bit_matrix")), "rank 2 of 3."));
  CHECK(says(drawn(of("(4,8):(9,1)"_any, "memory")), "numbers: row,column of the element there"));
}
