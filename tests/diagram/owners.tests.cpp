// SPDX-License-Identifier: BSD-3-Clause
// What colours, labels and links of threads and values say, in every kind of figure that has them.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/kinds/figures.hpp"
#include "core/diagram/parts/figure_parts.hpp"
#include "core/diagram/scene/palette.hpp"
#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// One figure of each kind that shows owners; four warps where the object has them.
std::vector<FigureSpec> owner_figures() {
  const TiledMma mma = tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})));
  GemmSpec gemm;
  gemm.m = 32, gemm.n = 16, gemm.k = 16;
  gemm.mma = mma;
  FigureSpec tv = figure(lay(tup({128, 4}), tup({1, 128})), FigureStyle::tessera, "tv");
  tv.objects.push_back(compact(tup({16, 32})));
  FigureSpec inverse = tv;
  inverse.kind = "tv_inverse";
  return {tv,
          inverse,
          figure(mma),
          figure(mma, FigureStyle::tessera, "tv_a"),
          figure(mma, FigureStyle::tessera, "tv_b"),
          figure(mma, FigureStyle::tessera, "tv_c"),
          figure(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16)),
          figure(lower(gemm).value())};
}

struct Shown {
  const Scene& scene;
  CellView cell;
  Subject link;  // the owner that is drawn
};

template <class Use>
void each_owned_cell(const Scene& scene, const Use& use) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (const CellView& cell : cells_of(scene, p)) {
      const std::optional<Subject> subject = subject_of(scene, cell.id);
      if (subject && subject->thread >= 0) use(Shown{scene, cell, *subject});
    }
  }
}

Scene made(FigureSpec spec, std::map<std::string, std::string> parameters) {
  spec.parameters = std::move(parameters);
  const Result<Scene> scene = make_figure(spec);
  INFO(spec.kind << (scene ? "" : ": " + describe(scene.error())));
  REQUIRE(scene.has_value());
  return *scene;
}

}  // namespace

TEST_CASE("two cells have one colour exactly when their threads, warps of 32 threads or values are the same", "[owners]") {
  for (const FigureSpec& spec : owner_figures()) {
    for (const std::string_view by : {"thread", "warp", "value"}) {
      const Scene scene = made(spec, {{"color", std::string(by)}, {"thread", ""}});
      std::map<std::int32_t, std::set<ColorIndex>> colors;
      std::set<ColorIndex> all;
      each_owned_cell(scene, [&](const Shown& shown) {
        const std::int32_t id = by == "thread" ? shown.link.thread : by == "warp" ? shown.link.thread / 32 : shown.link.value;
        CHECK(shown.cell.fill != kNoColor);
        colors[id].insert(shown.cell.fill);
        all.insert(shown.cell.fill);
      });
      INFO(spec.kind << " by " << by);
      REQUIRE_FALSE(colors.empty());
      for (const auto& [id, fills] : colors) CHECK(fills.size() == 1);
      if (colors.size() <= 32) CHECK(all.size() == colors.size());  // the palette has as many
    }
    const Scene bare = made(spec, {{"color", "none"}});
    each_owned_cell(bare, [&](const Shown& shown) { CHECK(shown.cell.fill == kNoColor); });
  }
}

TEST_CASE("a swatch has the number that its words give, also where numbers have gaps", "[owners]") {
  Scene scene;
  const Palette palette = Palette::find("").value();
  for (const std::vector<std::int64_t>& threads :
       {std::vector<std::int64_t>{0, 1, 2, 3, 16, 17, 18, 19}, {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}}) {
    const OwnerColors colors(scene, palette, threads, 1, "thread");
    const Legend legend = colors.legend();
    CAPTURE(legend.words);
    CHECK(legend.numbered);
    REQUIRE(legend.hues.size() == 8);
    const std::size_t step = threads.size() / 8;
    for (std::size_t i = 0; i < 8; ++i) {
      CHECK(legend.hues[i] == colors.fill({static_cast<std::int32_t>(threads[i * step + step - 1]), 0}));  // the strongest shade
      if (step == 1) CHECK(legend.numbers.at(i) == threads[i]);
    }
    CHECK((step == 1 || legend.words.starts_with("hue: place of T among the 16 threads div 2; ")));
  }
}

TEST_CASE("a chosen thread's cells keep their colour, all others fade, and the chosen ones are outlined", "[owners]") {
  for (const FigureSpec& spec : owner_figures()) {
    const Scene plain = made(spec, {{"color", "thread"}});
    const Scene chosen = made(spec, {{"color", "thread"}, {"thread", "1,3"}});
    INFO(spec.kind);
    std::size_t hits = 0;
    each_owned_cell(chosen, [&](const Shown& shown) {
      bool owns = false;
      for (const Subject& link : subjects_of(chosen, shown.cell.id)) owns = owns || link.thread == 1 || link.thread == 3;
      CHECK(shown.cell.faint == !owns);
      if (owns) CHECK((shown.link.thread == 1 || shown.link.thread == 3));
      hits += owns;
      const Rgb ground = chosen.palette[shown.cell.fill];
      if (!owns) CHECK(contrast(ground, kPaper) < 1.35);
    });
    CHECK(hits > 0);
    std::size_t highlights = 0;
    for (const Panel& panel : chosen.panels) {
      for (const Mark& mark : panel.marks) {
        const Line* line = std::get_if<Line>(&mark);
        highlights += line != nullptr && line->role == StrokeRole::highlight;
      }
    }
    CHECK(highlights >= 4);
  }
}

TEST_CASE("a label says what was asked for of the owner that is drawn", "[owners]") {
  FigureSpec spec = figure(seed_tv(), FigureStyle::tessera, "tv");
  const Layout data = lay(tup({4, 8}), tup({9, 1}));
  spec.objects.push_back(data);
  const auto expect = [&](const std::string& labels, const auto& words, int lines) {
    const Scene scene = made(spec, {{"labels", labels}});
    std::size_t cells = 0;
    each_owned_cell(scene, [&](const Shown& shown) {
      CHECK(shown.cell.label == words(shown.link));
      CHECK(std::count(shown.cell.label.begin(), shown.cell.label.end(), '\n') == std::max(lines - 1, 0));
      CHECK(seed_tv()(shown.link.thread, shown.link.value) == shown.link.row + 4 * shown.link.col);
      CHECK(shown.link.address == data(shown.link.row, shown.link.col));
      ++cells;
    });
    CHECK(cells == 32);
  };
  const auto number = [](std::int64_t n) { return std::to_string(n); };
  expect(
      "tv", [&](const Subject& link) { return "T" + number(link.thread) + "\nV" + number(link.value); }, 2);
  expect(
      "thread", [&](const Subject& link) { return "T" + number(link.thread); }, 1);
  expect(
      "value", [&](const Subject& link) { return "V" + number(link.value); }, 1);
  expect(
      "coordinate", [&](const Subject& link) { return number(link.row) + "," + number(link.col); }, 1);
  expect(
      "offset", [&](const Subject& link) { return number(link.address); }, 1);
  expect(
      "none", [&](const Subject&) { return std::string(); }, 0);
}

TEST_CASE("a tile's note counts the cells of several owners and of none", "[owners]") {
  const auto notes = [](const Layout& tv, const Layout& data) {
    FigureSpec spec = figure(tv, FigureStyle::tessera, "tv");
    spec.objects.push_back(data);
    std::string text;
    const Scene scene = make_figure(spec).value();
    for (const std::string& note : texts_of(scene, scene.panels.back(), LabelRole::note)) text += note + "\n";
    return text;
  };
  CHECK(notes(lay(tup({4, 2}), tup({1, 2})), compact(tup({2, 3}))).find("2 cells have more than one owner; the first is drawn") !=
        std::string::npos);
  CHECK(notes(lay(tup({4, 1}), tup({1, 0})), compact(tup({2, 3}))).find("2 cells have no owner") != std::string::npos);
  CHECK(notes(seed_tv(), compact(tup({4, 8}))).find("owner") == std::string::npos);
}

TEST_CASE("who lies outside of the tile is drawn apart, at coordinates that go on, and counted", "[owners]") {
  std::mt19937 random(5);
  const auto from = [&](int least, int most) { return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)); };
  for (int round = 0; round < 60; ++round) {
    const Layout tv = lay(tup({from(1, 6), from(1, 4)}), tup({from(-2, 6), from(-3, 9)}));
    const int rows = from(1, 4), cols = from(1, 6);
    FigureSpec spec = figure(tv, FigureStyle::tessera, "tv");
    spec.objects.push_back(compact(tup({rows, cols})));
    CAPTURE(to_string(tv), rows, cols);
    const Scene scene = drawn(spec);
    std::map<std::pair<int, int>, std::set<std::pair<int, int>>> expected;  // coordinates outside, and who lies there
    int count = 0;
    for (int t = 0; t < tv[0].size(); ++t) {
      for (int v = 0; v < tv[1].size(); ++v) {
        const auto place = static_cast<int>(tv(t, v));
        if (place >= 0 && place < rows * cols) {
          const std::vector<Subject> holders = subjects_of(scene, find_cell(scene, 0, place % rows, place / rows).value().id);
          CHECK(std::any_of(holders.begin(), holders.end(), [&](const Subject& each) { return each.thread == t && each.value == v; }));
          continue;
        }
        const int row = ((place % rows) + rows) % rows;
        expected[{row, (place - row) / rows}].insert({t, v});
        ++count;
      }
    }
    std::map<std::pair<int, int>, std::pair<int, int>> drawn_there;
    for (const Panel& panel : scene.panels) {
      if (panel.id != "outside") continue;
      for (const Mark& mark : panel.marks) {
        const auto* grid = std::get_if<Grid>(&mark);
        for (std::size_t i = 0; grid && i < grid->of->size(); ++i) {
          if (grid->of->thread[i] >= 0) drawn_there[{grid->of->row[i], grid->of->col[i]}] = {grid->of->thread[i], grid->of->value[i]};
        }
      }
    }
    std::set<int> columns;
    for (const auto& [at, who] : expected) columns.insert(at.second);
    if (columns.size() <= 16) CHECK(drawn_there.size() == expected.size());
    for (const auto& [at, who] : drawn_there) CHECK((expected.contains(at) && *expected.at(at).begin() == who));
    bool said = false;
    for (const SaidWords& words : scene.said)
      said = said || words.words.starts_with("outside of the tile, in grey: " + std::to_string(count) + " of the ");
    CHECK(said == (count > 0));
    spec.kind = "tv_inverse";
    const Scene inverse = drawn(spec);
    for (int t = 0; t < tv[0].size(); ++t) {
      for (int v = 0; v < tv[1].size(); ++v) {
        const Mark& mark = inverse.panels[0].marks[0];
        const GridColumns& of = *std::get<Grid>(mark).of;
        const auto i = static_cast<std::size_t>(t * of.cols + v);
        CHECK(of.col[i] * rows + of.row[i] == tv(t, v));
      }
    }
  }
  // A part of the tile stands alone, and what lies outside is said.
  FigureSpec part = figure(seed_tv(), FigureStyle::tessera, "tv");
  part.objects.push_back(compact(tup({4, 7})));
  for (const auto& [name, value] : std::map<std::string, std::string>{{"crop", "rows=0-1"}, {"fold", "2"}}) {
    part.parameters = {{name, value}};
    const Scene scene = drawn(part);
    CHECK(std::none_of(scene.panels.begin(), scene.panels.end(), [](const Panel& panel) { return panel.id == "outside"; }));
    CHECK(std::any_of(scene.said.begin(), scene.said.end(),
                      [](const SaidWords& words) { return words.words.starts_with("outside of the tile: 4 of the 32 "); }));
  }
  // CuTe's own function would write beyond its memory.
  FigureSpec beyond = figure(seed_tv(), FigureStyle::print_latex, "tv");
  beyond.objects.push_back(compact(tup({4, 7})));
  CHECK(refusal(beyond).code == ErrorCode::out_of_range);
}

TEST_CASE("a cell that nobody owns says where it is when that is asked for, and of an owner nothing", "[owners]") {
  FigureSpec spec = figure(lay(tup({4, 1}), tup({1, 0})), FigureStyle::tessera, "tv");  // (thr, val) -> the first 4 of 6 places
  const Layout data = lay(tup({2, 3}), tup({5, 1}));
  spec.objects.push_back(data);
  for (const std::string labels : {"tv", "thread", "value", "coordinate", "offset", "none"}) {
    const Scene scene = made(spec, {{"labels", labels}, {"color", "thread"}});
    std::size_t free = 0;
    for (std::size_t p = 0; p < scene.panels.size() && scene.panels[p].name != kCaptionPanel; ++p) {
      for (const CellView& cell : cells_of(scene, p)) {
        const Subject link = subject_of(scene, cell.id).value_or(Subject{});
        if (link.thread >= 0) continue;
        ++free;
        INFO(labels << " of " << link.row << "," << link.col);
        CHECK(cell.fill == kNoColor);
        CHECK(cell.label == (labels == "coordinate" ? std::to_string(link.row) + "," + std::to_string(link.col)
                             : labels == "offset"   ? std::to_string(data(link.row, link.col))
                                                    : std::string()));
      }
    }
    CHECK(free == 2);
  }
}
