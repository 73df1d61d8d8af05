// SPDX-License-Identifier: BSD-3-Clause
// What is said below pictures: sentences that are computed from what is drawn, and what its lines and marks mean.
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// Every text of a picture, a line each.
std::string text_of(FigureSpec spec, std::map<std::string, std::string> parameters = {}) {
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  if (!scene) FAIL(describe(scene.error()));
  std::string text;
  for (const Panel& panel : scene->panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* label = std::get_if<Label>(&mark)) text += std::string(scene->text_of(label->text)) + "\n";
    }
  }
  for (char& c : text) c = c == '\n' ? ' ' : c;  // lines are broken where they are full
  std::string once;
  for (const char c : text) {
    if (c != ' ' || once.empty() || once.back() != ' ') once += c;
  }
  return once;
}
bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

constexpr const char* kVolta = "SM70_8x8x4_F32F16F16F32_NT";
Layout atoms(std::int64_t m, std::int64_t n, std::int64_t stride_m, std::int64_t stride_n) {
  return lay(tup({m, n, 1}), tup({stride_m, stride_n, 0}));
}

}  // namespace

TEST_CASE("eight threads of mma.sync are a quad pair of a warp, not an instruction of their own", "[captions]") {
  const FigureSpec atom = figure(find_mma_atom(kVolta).value());
  CHECK(
      says(text_of(atom), "One quad pair (T0-3, T16-19) multiplies A (8 × 4) by B (4 × 8) into C (8 × 8); a warp's instruction does four"));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1)))),
             "4 quad pairs (one warp) multiply A (16 × 4) by B (4 × 16) into C (16 × 16)."));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 1, 1, 0)))), "2 quad pairs (16 threads of one warp) multiply"));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(4, 2, 1, 4)))), "8 quad pairs (2 warps) multiply A (32 × 4)"));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1), std::vector<Tiler>{32, 16, 4}))), "into C (32 × 16) in 2 products each."));
}

TEST_CASE("a tiled MMA of one atom says that it is the atom, and one that reorders it does not", "[captions]") {
  const std::string same = "the same as the atom alone";
  CHECK(says(text_of(figure(tiled(kVolta, atoms(1, 1, 0, 0)))), same));
  CHECK(says(text_of(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms(1, 1, 0, 0)))), same));
  CHECK_FALSE(says(text_of(figure(find_mma_atom(kVolta).value())), same));
  CHECK_FALSE(says(text_of(figure(tiled(kVolta, atoms(2, 1, 1, 0)))), same));
  CHECK_FALSE(
      says(text_of(figure(tiled(kVolta, atoms(1, 1, 0, 0), std::vector<Tiler>{lay(tup({4, 2}), tup({2, 1})), Underscore{}, Underscore{}}))),
           same));
}

TEST_CASE("a permutation is said in runs of neighbours, for the modes that it moves", "[captions]") {
  const Layout fours = lay(tup({4, 2, 2}), tup({1, 8, 4}));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1), std::vector<Tiler>{fours, fours, 4}))),
             "M and N are permuted in runs of 4: the atoms' 0-3, 4-7, 8-11, 12-15 lie at the tile's 0-3, 8-11, 4-7, 12-15"));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1), std::vector<Tiler>{Underscore{}, lay(tup({2, 8}), tup({8, 1})), 4}))),
             "N is permuted: the atoms' 0, 1, 2, 3, … lie at the tile's 0, 8, 1, 9, …"));
  CHECK_FALSE(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1), std::vector<Tiler>{lay(16, 1), 32, 4}))), "permuted"));
}

TEST_CASE("the first of atoms that interleave is outlined inside its own cells, in the colour that the legend has", "[captions]") {
  const Layout fours = lay(tup({4, 2, 2}), tup({1, 8, 4}));
  const TiledMma mma = tiled(kVolta, atoms(2, 2, 2, 1), std::vector<Tiler>{fours, fours, 4});
  const auto outlines = [](const Scene& scene, std::string_view id) {
    std::vector<Line> found;
    for (const Panel& panel : scene.panels) {
      for (const Mark& mark : panel.marks) {
        const auto* line = std::get_if<Line>(&mark);
        if (line && line->role == StrokeRole::highlight && panel.id == id) found.push_back(*line);
      }
    }
    return found;
  };
  const Scene scene = make_figure(figure(mma)).value();
  // Rows and columns 0-3 and 8-11: four rectangles in C, two in A and in B.
  CHECK((outlines(scene, "C").size() == 16 && outlines(scene, "A").size() == 8 && outlines(scene, "B").size() == 8));
  for (const Line& line : outlines(scene, "C")) {
    for (const float x : {line.x0, line.x1, line.y0, line.y1}) {
      const float in_eight = std::fmod(x, 8.0f);  // never on an edge, nor in the second atom
      CHECK((in_eight > 0.02f && in_eight < 3.98f));
    }
    CHECK(line.color != kNoColor);
  }
  CHECK(says(text_of(figure(mma)), "outline: the first atom, in C rows 0-3, 8-11 and columns 0-3, 8-11"));
  FigureSpec lit = figure(mma);
  lit.parameters = {{"thread", "3"}};
  CHECK(says(text_of(lit, lit.parameters), "; the first atom, in C rows 0-3, 8-11"));
  for (const Line& line : outlines(make_figure(lit).value(), "A")) CHECK(line.color == kNoColor);
}

TEST_CASE("a corner says who else holds the element where that is the same everywhere", "[captions]") {
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1)))),
             "each element of A and B is held twice, in A also by T + 4, in B also by T + 8"));
  CHECK(says(text_of(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms(2, 4, 1, 2)))),
             "each element of A and B is held more than once, in A also by T + 64, T + 128, T + 192, in B also by T + 32"));
  CHECK(says(text_of(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms(1, 8, 0, 1)), FigureStyle::tessera, "tv_a")),
             "each element is held 8 times, also by T + 32, T + 64, … T + 224"));
  // The owner that is drawn is now this one, now that one.
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1))), {{"thread", "5"}}),
             "each element of A and B is held twice, in A by threads 4 apart, in B also by T + 8"));
  CHECK(says(text_of(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms(2, 4, 1, 2))), {{"thread", "64"}}),
             "in A by threads 64 apart, in B also by T + 32"));
}

TEST_CASE("a corner marks cells with several owners where some have one, and words say it where all have several", "[captions]") {
  const auto marked = [](const Scene& scene) {
    std::size_t grids = 0;
    for (const Panel& panel : scene.panels) {
      for (const Mark& mark : panel.marks) grids += std::holds_alternative<Grid>(mark) && std::get<Grid>(mark).of->marks_shared();
    }
    return grids;
  };
  const Scene all = make_figure(figure(tiled(kVolta, atoms(2, 2, 2, 1)))).value();
  CHECK(marked(all) == 0);
  // Threads 0-3 hold two elements each, and two of the six are held twice.
  const FigureSpec some = figure(lay(tup({4, 2}), tup({1, 2})), FigureStyle::tessera, "tv");
  CHECK(marked(make_figure(some).value()) == 1);
  CHECK(says(text_of(some), "black triangle: held twice, also by T + 2"));
  const FigureSpec twice = figure(lay(tup({4, 2}), tup({1, 0})), FigureStyle::tessera, "tv");  // each thread has its element as two values
  CHECK(marked(make_figure(twice).value()) == 0);
  CHECK(says(text_of(twice), "each element has several owners"));
}

TEST_CASE("lines inside grids are explained where they are drawn", "[captions]") {
  CHECK(says(text_of(figure(lay(tup({tup({2, 4}), 4}), tup({tup({1, 2}), 8})))), "grey line: an inner mode ends"));
  CHECK(says(text_of(figure(lay(tup({tup({2, 2, 2}), 4}), tup({tup({1, 2, 4}), 8})))),
             "grey line: an inner mode ends; strong line: all inner modes end"));
  CHECK_FALSE(says(text_of(figure(lay(tup({4, 8}), tup({8, 1})))), "line:"));
  CHECK(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1)))), "grey line: atom boundary"));
  CHECK(says(text_of(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", atoms(2, 2, 1, 2)))), "strong line: warp boundary"));
  CHECK_FALSE(says(text_of(figure(tiled(kVolta, atoms(1, 1, 0, 0)))), "line:"));
  CHECK_FALSE(says(text_of(figure(tiled(kVolta, atoms(2, 2, 2, 1))), {{"crop", "rows=0-7, cols=0-7"}}), "line:"));
}

TEST_CASE("modes of a layout have names, and threads and values their letters", "[captions]") {
  const std::string named = text_of(figure(seed_tv()), {{"modes", "thread,value"}});
  CHECK(says(named, "maps (thread, value) to 32 numbers, 0 to 31, without gaps."));
  for (const char* number : {"T0 ", "T7 ", "V0 ", "V3 "}) CHECK(says(named, number));
  CHECK(says(text_of(figure(lay(tup({2, 3, 2}), tup({1, 2, 6}))), {{"modes", "m, k, stage"}}), "m↓ k→"));
  CHECK(says(text_of(figure(lay(tup({2, 3, 2}), tup({1, 2, 6}))), {{"modes", "m, k, stage"}}), "stage = 1"));
  FigureSpec spec = figure(seed_tv());
  spec.modes = {"thr", "val"};
  spec.number = "coordinate";
  CHECK(says(text_of(spec), "maps (thr, val) to 32 coordinates, 0 to 31, without gaps."));
  spec.parameters = {{"modes", "thread,value"}, {"highlight", "T3"}};
  CHECK(make_figure(spec));
  spec.parameters = {{"modes", "thread"}};
  CHECK(make_figure(spec).error().message == "modes=thread names 1 mode, and the shape ((2,4),(2,2)) has 2");
}

TEST_CASE("of a part nothing is said of what it leaves unused", "[captions]") {
  FigureSpec part = figure(lay(tup({4, 4, 4}), tup({17, 272, 4})));
  part.is_part = true;
  CHECK(says(text_of(part), "puts 64 elements at offsets 0 to 879; 816 between them are not of this part."));
  part.modes = {"val", "MMA_M", "MMA_K"};
  part.thread = 0;
  part.verb = "reads";
  const std::string text = text_of(part);
  for (const char* words :
       {"What thread 0 reads (4,4,4):(17,272,4)", "MMA_K = 3", "MMA_M→", "V3",
        "Thread 0 reads 64 elements, (val, MMA_M, MMA_K), at offsets 0 to 879; what lies between is not this thread's."})
    CHECK(says(text, words));
  FigureSpec dense = figure(lay(tup({4, 2}), tup({1, 4})));
  dense.is_part = true, dense.thread = 7, dense.verb = "owns";
  CHECK(says(text_of(dense), "Thread 7 owns 8 elements at offsets 0 to 7, without gaps."));
}

TEST_CASE("swatches end where the grid ends", "[captions]") {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv_inverse");
  spec.parameters = {{"tile", "4x8"}};
  const Scene scene = make_figure(spec).value();
  std::size_t swatches = 0;
  const CellView last = cells_of(scene, 0).back();
  for (const Mark& mark : scene.panels.back().marks) {
    const auto* cell = std::get_if<Cell>(&mark);
    if (!cell) continue;
    ++swatches;
    CHECK(cell->x + cell->w <= last.x + last.w);
  }
  CHECK(swatches == 8);
}

TEST_CASE("prose is broken between clauses, and no word is left alone where lines can be even", "[captions]") {
  using Lines = std::vector<std::string>;
  CHECK(wrap_words("hue: the quad; shade: T mod 4", 20, 4) == Lines{"hue: the quad; ", "shade: T mod 4"});
  CHECK(wrap_words("hue: the quad; shade: T mod 4", 40, 4) == Lines{"hue: the quad; shade: T mod 4"});
  // A clause that is longer than a line is broken as any other words.
  CHECK(wrap_words("a clause of many words; b", 12, 4) == Lines{"a clause ", "of many ", "words; b"});
  CHECK(wrap_words("one two three four five six", 24, 4) == Lines{"one two three ", "four five six"});
  CHECK(wrap("one two three four five six", 24, 4).size() == 2);
  // What ends a sentence ends the line.
  CHECK(wrap_words("It is so; or not. Yes it is; no.", 18, 4).front() == "It is so; or not. ");
  CHECK(wrap_words("one two three four", 8, 2).back().ends_with(" …"));
  CHECK(wrap_words("", 8, 2).empty());
}

TEST_CASE("what the document calls a figure stands above it where no title is asked for", "[captions]") {
  FigureSpec spec = figure(tiled(kVolta, atoms(2, 2, 2, 1)));
  spec.name = "mine";
  const auto titles = [](const FigureSpec& of) {
    const Scene scene = make_figure(of).value();
    return texts_of(scene, scene.panels.back(), LabelRole::panel_name);
  };
  CHECK(titles(spec) == std::vector<std::string>{"mine"});
  spec.title = "Another";
  CHECK(titles(spec) == std::vector<std::string>{"Another"});
  spec.parameters = {{"title", "no"}};
  CHECK(titles(spec).empty());
}

TEST_CASE("an expression below a picture is without its own title, whole, and with what it has within strings", "[captions]") {
  FigureSpec spec = figure(lay(tup({2, 2}), tup({1, 2})));
  spec.title = "above";
  const auto below = [&](std::string_view expression) {
    spec.expression = expression;
    const Scene scene = make_figure(spec).value();
    return texts_of(scene, scene.panels.back(), LabelRole::caption).back();
  };
  CHECK(below(R"(f(a, title="two  words", color=no))") == "f(a, color=no)");
  CHECK(below(R"(f(a, title="a \"b\" c", color=no))") == "f(a, color=no)");
  CHECK(below("f(a, title='say \"b\"')") == "f(a)");
  CHECK(below(R"(f(g(a, title="inner"), title="outer"))") == R"(f(g(a, title="inner")))");
  CHECK(below(R"(f(a, note=", title=\"b\"", title="c"))") == R"(f(a, note=", title=\"b\""))");
  CHECK(below("f(a,  # why \"not\"\n  1'000, 'x  # y')") == "f(a, 1'000, 'x  # y')");
}
