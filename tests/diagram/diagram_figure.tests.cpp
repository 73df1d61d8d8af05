// SPDX-License-Identifier: BSD-3-Clause
// Layout diagrams as they are drawn: the arrows, read off the picture, give the layout; parts have their tints; what has no diagram says
// why.
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
#include "core/layout/algebra.hpp"
#include "core/layout/layout_diagram.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/literals.hpp"

using namespace tessera;
using namespace tessera::testing;
using namespace tessera::literals;

namespace {

FigureSpec of(std::vector<FigureObject> objects, std::map<std::string, std::string> parameters = {}) {
  FigureSpec spec = figure(Layout(), FigureStyle::tessera, "diagram");
  spec.objects = std::move(objects);
  spec.parameters = std::move(parameters);
  return spec;
}

template <class M>
std::vector<M> marks_of(const Scene& scene, std::string_view id) {
  std::vector<M> found;
  for (const Mark& mark : scene.panels[panel_named(scene, id)].marks) {
    if (const auto* one = std::get_if<M>(&mark)) found.push_back(*one);
  }
  return found;
}

std::string label(const Scene& scene, const Cell& cell) { return std::string(scene.text_of(cell.label)); }
bool is_leaf(const Scene& scene, const Cell& cell) { return label(scene, cell).find(':') != std::string::npos; }

// The flat layout that the arrows of a panel say, and nothing else: leaves from below, strides as products of the factors below an arrow's
// end.
Layout read_off(const Scene& scene, std::string_view id) {
  std::vector<Cell> leaves, factors;
  for (const Cell& cell : marks_of<Cell>(scene, id)) {
    if (!label(scene, cell).empty()) (is_leaf(scene, cell) ? leaves : factors).push_back(cell);  // of no name: what a block is cut into
  }
  std::sort(leaves.begin(), leaves.end(), [](const Cell& a, const Cell& b) { return a.y > b.y; });
  std::vector<IntTuple> extents, strides;
  for (const Cell& leaf : leaves) {
    extents.emplace_back(std::int64_t{std::stoll(label(scene, leaf))});
    std::int64_t stride = 0;
    for (const Arrow& arrow : marks_of<Arrow>(scene, id)) {
      if (arrow.y0 < leaf.y || arrow.y0 > leaf.y + leaf.h) continue;
      stride = 1;
      for (const Cell& factor : factors) stride *= factor.y > arrow.y1 ? std::stoll(label(scene, factor)) : 1;
    }
    strides.emplace_back(stride);
  }
  return lay(tup(std::move(extents)), tup(std::move(strides)));
}

// Every text below the picture, in one.
std::string said(const Scene& scene) {
  std::string all;
  for (const LabelRole role : {LabelRole::note, LabelRole::legend, LabelRole::caption}) {
    for (const std::string& text : texts_of(scene, role)) all += text + "\n";
  }
  return all;
}

std::set<std::string> leaf_fills(const Scene& scene, std::string_view id, std::string_view of) {
  std::set<std::string> found;
  for (const Cell& cell : marks_of<Cell>(scene, id)) {
    if (label(scene, cell) == of) found.insert(std::to_string(cell.fill));
  }
  return found;
}

}  // namespace

TEST_CASE("the arrows of a diagram, read off the picture, give the layout", "[diagram]") {
  for (const char* text : {"(4,8):(8,1)", "(4,4):(1,8)", "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))", "(2,(3,5),2):(30,(0,2),1)", "(7):(3)",
                           "(2,1,3):(1,2,2)"}) {
    CAPTURE(text);
    const Layout layout = must(Reader(text).layout());
    CHECK(read_off(drawn(of({layout})), "diagram") == flatten(layout));
  }
}

TEST_CASE("factors stand at the strides at which they begin, and gaps are said", "[diagram]") {
  const Scene scene = drawn(of({"(4,4):(1,8)"_layout}));
  const std::vector<std::string> axis = texts_of(scene, scene.panels[panel_named(scene, "diagram")], LabelRole::axis);
  for (const char* stride : {"1", "4", "8"}) CHECK(std::count(axis.begin(), axis.end(), stride) == 1);
  CHECK(said(scene).find("Of every 8 offsets, 4 to 7 are unused.") != std::string::npos);
  CHECK(said(scene).find("grey: a gap, which no arrow reaches") != std::string::npos);
  CHECK(said(drawn(of({"(4,8):(8,1)"_layout}))).find("Every block of memory has its arrow: no offset is skipped.") != std::string::npos);
  CHECK(said(drawn(of({"(4,8):(0,1)"_layout}))).find("4:0 has stride 0 and no arrow") != std::string::npos);
}

TEST_CASE("a leaf, its arrow and its factor stand for the same, and the leaf for the addresses that it walks", "[diagram]") {
  const Scene scene = drawn(of({"(4,8):(8,1)"_layout}));
  std::map<std::int32_t, int> marks;
  const std::size_t p = panel_named(scene, "diagram");
  std::map<std::int32_t, std::set<std::int64_t>> addresses;
  for (std::uint32_t m = 0; m < scene.panels[p].marks.size(); ++m) {
    const std::vector<Subject> subjects = subjects_of(scene, {static_cast<std::uint32_t>(p), m, 0});
    if (subjects.empty()) continue;
    ++marks[subjects.front().words];
    for (const Subject& each : subjects) {
      if (each.address < 0) continue;
      addresses[subjects.front().words].insert(each.address);
      CHECK(scene.tensors[static_cast<std::size_t>(each.tensor)] == "(4,8):(8,1)");
    }
  }
  REQUIRE(marks.size() == 2);
  for (const auto& [words, count] : marks) CHECK(count == 3);
  CHECK(addresses.begin()->second == std::set<std::int64_t>{0, 8, 16, 24});
}

TEST_CASE("what has no diagram is drawn as memory, which says so with both leaves", "[diagram]") {
  const Scene padded = drawn(of({"(4,8):(9,1)"_layout}));
  CHECK(padded.panels.front().id == "memory");
  CHECK(said(padded).find("(4,8):(9,1) has no diagram: between the leaves 8:1 and 4:9 is a broken gap, for 4:9 begins at 9, which is no "
                          "multiple of the 8 that 8:1 walks. Drawn instead: the addresses themselves.") != std::string::npos);
  CHECK(said(padded).find("(4,8):(9,1) lays 32 elements over 35 addresses, 3 of them unused.") != std::string::npos);
  const Scene overlap = drawn(of({"(4,3):(2,4)"_layout}));
  CHECK(overlap.panels.front().id == "memory");
  CHECK(said(overlap).find("the leaves 4:2 and 3:4 overlap") != std::string::npos);
  // Where even memory is too long, both reasons are said.
  const Error far = refusal(of({"(4,4):(1,1000001)"_layout}));
  CHECK(far.message.find("has no diagram") != std::string::npos);
  CHECK(far.notes.back().find("3000007 addresses") != std::string::npos);
}

TEST_CASE("the result of a composition is drawn as its own diagram", "[diagram]") {
  for (const auto& [a, b] : {std::pair("(2,6,6):(1,2,12)", "(6,6):(6,1)"), std::pair("(4,8):(8,1)", "(2,4):(4,8)"),
                             std::pair("(8,8):(8,1)", "((2,4),4):((1,8),2)"), std::pair("(6,2):(8,2)", "(4,3):(3,1)")}) {
    CAPTURE(a, b);
    const Layout of_a = must(Reader(a).layout()), of_b = must(Reader(b).layout());
    const Scene scene = drawn(of({of_a, of_b}));
    CHECK(read_off(scene, "result") == flatten(must(composition(of_a, of_b))));
  }
}

TEST_CASE("the pieces in the middle of a composition are of a leaf of B and of one of A", "[diagram]") {
  const Scene scene = drawn(of({"(2,6,6):(1,2,12)"_layout, "(6,6):(6,1)"_layout}));
  int both = 0;
  for (const Cell& cell : marks_of<Cell>(scene, "composition")) {
    if (cell.subject_count != 2) continue;
    ++both;
    CHECK(scene.words_of(scene.subjects[cell.subject]).starts_with("B's 6:"));
    CHECK(scene.words_of(scene.subjects[cell.subject + 1]).starts_with("A's "));
  }
  CHECK(both == 4);  // 2, 3, 2, 3; the last 2 is of A alone
  CHECK(said(scene).find("B's memory, 6 × 6, gives the indices that A's shape, 2 × 6 × 6, takes. ") != std::string::npos);
  CHECK(said(scene).find("the pieces 2 and 3 of B's 6:6 are neighbours, and merge to 6:") != std::string::npos);
  const std::vector<std::string> legends = texts_of(scene, LabelRole::legend);
  CHECK(std::count(legends.begin(), legends.end(), "an index of A, 0 to 71, from below") == 1);  // over what stands aligned
  CHECK(said(scene).find("B's mode 0, 6:6") != std::string::npos);
  CHECK(said(scene).find("grey: B does not reach it") != std::string::npos);
  // A's arrows are one a piece, in the colour of the leaf of B that it is of; what B does not reach has the ink's.
  const auto arrow_of_b = [&](std::string_view leaf) {
    for (const Arrow& arrow : marks_of<Arrow>(scene, "composition")) {
      if (scene.words_of(scene.subjects[arrow.subject]).starts_with(std::string("B's ") + std::string(leaf))) return arrow.color;
    }
    return kNoColor;
  };
  std::map<ColorIndex, int> of_a;
  for (const Arrow& arrow : marks_of<Arrow>(scene, "composition")) {
    if (scene.words_of(scene.subjects[arrow.subject]).starts_with("A's ")) ++of_a[arrow.color];
  }
  CHECK(arrow_of_b("6:1") != arrow_of_b("6:6"));
  CHECK(of_a == std::map<ColorIndex, int>{{arrow_of_b("6:1"), 2}, {arrow_of_b("6:6"), 2}, {kNoColor, 1}});
}

TEST_CASE("a tile's leaves and factors have one tint, and the rest's another", "[diagram]") {
  const Scene divide = drawn(of({"(8,8):(8,1)"_layout, Tiler(std::vector<Tiler>{2, 4})}, {{"op", "divide"}}));
  CHECK(read_off(divide, "diagram") == "(2,4,4,2):(8,1,16,4)"_layout);
  // Beside it the layout itself, with blocks that are not cut, and a strip of the colours of what they are cut into.
  CHECK(read_off(divide, "undivided") == "(8,8):(8,1)"_layout);
  const auto colors = [&](std::string_view id, bool strip) {
    std::vector<ColorIndex> found;
    for (const Cell& cell : marks_of<Cell>(divide, id)) {
      if (!is_leaf(divide, cell) && label(divide, cell).empty() == strip) found.push_back(cell.fill);
    }
    return found;
  };
  CHECK(colors("undivided", true) == colors("diagram", false));
  CHECK(colors("undivided", false) == std::vector<ColorIndex>{kNoColor, kNoColor});
  CHECK(leaf_fills(divide, "diagram", "2:8") == leaf_fills(divide, "diagram", "4:1"));
  CHECK(leaf_fills(divide, "diagram", "4:16") == leaf_fills(divide, "diagram", "2:4"));
  CHECK(leaf_fills(divide, "diagram", "2:8") != leaf_fills(divide, "diagram", "2:4"));
  const Scene product = drawn(of({"(2,2):(2,1)"_layout, Tiler("(2,3):(3,1)"_layout)}, {{"op", "product"}}));
  CHECK(read_off(product, "diagram") == flatten(must(zipped_product("(2,2):(2,1)"_layout, Tiler("(2,3):(3,1)"_layout)))));
}

TEST_CASE("a complement's arrows end where no arrow ended", "[diagram]") {
  for (const auto& [text, upto] : {std::pair("(4,4):(1,8)", 64), std::pair("3:4", 24), std::pair("(2,2):(4,1)", 32)}) {
    CAPTURE(text);
    const Layout layout = must(Reader(text).layout());
    const Scene scene = drawn(of({layout, Tiler(upto)}, {{"op", "complement"}}));
    CHECK(read_off(scene, "diagram") == flatten(make_layout({layout, must(complement(layout, upto))})));
    std::set<float> ends;
    const std::vector<Arrow> arrows = marks_of<Arrow>(scene, "diagram");
    for (const Arrow& arrow : arrows) ends.insert(arrow.y1);
    CHECK(ends.size() == arrows.size());
    CHECK(said(scene).find("grey") == std::string::npos);  // no gap is left
  }
  CHECK(said(drawn(of({"(4,8):(1,4)"_layout}, {{"op", "complement"}}))).find("nothing is left to walk") != std::string::npos);
  CHECK(drawn(of({"(4,8):(9,1)"_layout}, {{"op", "complement"}})).panels.front().id == "memory");
}

TEST_CASE("what no arrow can say is refused with what to use instead", "[diagram]") {
  const ComposedLayout swizzled = std::get<ComposedLayout>("Sw<3,3,3> o 0 o (8,64):(64,1)"_any);
  CHECK(refusal(of({swizzled})).notes.front().find("swizzle_figure") != std::string::npos);
  CHECK(refusal(of({"(4,8):(8,1)"_layout, Tiler(swizzled)})).code == ErrorCode::not_representable);
  CHECK(refusal(of({"(4,8):(-1,4)"_layout})).notes.front().find("memory_figure") != std::string::npos);
  CHECK(refusal(of({"(4,8):(1@0,1@1)"_layout})).notes.front().find("layout_figure") != std::string::npos);
  CHECK(refusal(of({"(4,8):(8,1)"_layout}, {{"op", "divide"}})).message == "a diagram of a divide needs a tiler as its second object");
  CHECK(refusal(of({"(4,8):(8,1)"_layout}, {{"op", "composition"}})).code == ErrorCode::wrong_arity);
  CHECK(refusal(of({"(4,8):(8,1)"_layout}, {{"op", "raked"}})).message.find("op") != std::string::npos);
  CHECK(refusal(of({"(4,6):(1,4)"_layout, "6:1"_layout})).notes.front().find("composition(A, B)") != std::string::npos);
  CHECK(refusal(of({"(4,8):(8,1)"_layout, Tiler(std::vector<Tiler>{"2:1"_layout, 4})})).message.find("the tiler") != std::string::npos);
  std::vector<IntTuple> ones(65, IntTuple(1)), strides(65, IntTuple(0));
  CHECK(refusal(of({lay(tup(ones), tup(strides))})).code == ErrorCode::limit);
}

TEST_CASE("a leaf says its extent and stride, its extent, or nothing, and its colour is its own or its mode's", "[diagram]") {
  const Layout layout = "((2,4),3):((1,6),2)"_layout;
  const auto colors = [&](std::string_view color) {
    const Scene scene = drawn(of({layout}, {{"color", std::string(color)}}));
    std::set<ColorIndex> found;
    for (const Cell& cell : marks_of<Cell>(scene, "diagram")) found.insert(cell.fill);
    return found.size();
  };
  CHECK(colors("leaf") == 3);
  CHECK(colors("mode") == 2);
  CHECK(colors("none") == 1);
  const Scene extents = drawn(of({layout}, {{"labels", "extent"}}));
  for (const Cell& cell : marks_of<Cell>(extents, "diagram")) CHECK(!is_leaf(extents, cell));
}
