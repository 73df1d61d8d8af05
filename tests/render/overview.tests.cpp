// SPDX-License-Identifier: BSD-3-Clause
// Tiles of a grid and what they are called, and the part of a grid that is drawn once more.
#include "core/render/detail/overview.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/scene/panel_part.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/detail/enlarged_blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

// rows x cols cells whose threads are given by a function of row and column; -1: nobody's.
template <class Thread>
GridColumns owned(int rows, int cols, const Thread& thread) {
  GridColumns grid;
  grid.rows = rows, grid.cols = cols;
  grid.place = GridColumns::Place::drawn;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      grid.thread.push_back(thread(r, c));
      grid.value.push_back(0);
      grid.fills.push_back(static_cast<ColorIndex>(std::max(thread(r, c), 0) / 32));
      grid.add_label("T" + std::to_string(thread(r, c)));
    }
  }
  return grid;
}

Grid grid_of(GridColumns columns) { return Grid{0, 0, 1, 1, std::make_shared<const GridColumns>(std::move(columns))}; }

Scene with_colors() {
  Scene scene;
  for (int i = 0; i < 8; ++i) scene.color({static_cast<std::uint8_t>(250 - 20 * i), 200, static_cast<std::uint8_t>(100 + 20 * i)});
  return scene;
}

}  // namespace

TEST_CASE("a tile is called by the warp and the threads that own it", "[overview]") {
  using Lines = std::vector<std::string>;
  const GridColumns warps = owned(32, 64, [](int r, int c) { return r % 32 + 32 * (c / 16); });
  CHECK(tile_name(warps, 0, 0, {32, 16}) == Lines{"W0", "T0-31"});
  CHECK(tile_name(warps, 0, 48, {32, 16}) == Lines{"W3", "T96-127"});
  CHECK(tile_name(warps, 4, 16, {1, 8}) == Lines{"T36"});
  CHECK(tile_name(warps, 0, 0, {32, 32}) == Lines{"W0-1"});
  const GridColumns pair = owned(8, 8, [](int r, int) { return r < 4 ? r : 12 + r; });  // a quad pair
  CHECK(tile_name(pair, 0, 0, {8, 8}) == Lines{"W0", "T0-3,16-19"});
  const GridColumns odd = owned(8, 8, [](int r, int) { return 2 * r; });
  CHECK(tile_name(odd, 0, 0, {8, 8}) == Lines{"W0", "8 threads"});
  CHECK(tile_name(owned(4, 4, [](int, int) { return -1; }), 0, 0, {4, 4}).empty());
  GridColumns shared = owned(2, 2, [](int, int) { return 3; });
  shared.other_ends = {1, 1, 1, 1};
  shared.others = {{7, 0}};
  CHECK(tile_name(shared, 0, 0, {2, 2}) == Lines{"T3 +"});
  CHECK(tile_name(shared, 1, 0, {1, 2}) == Lines{"T3"});
  GridColumns offsets;
  offsets.rows = 2, offsets.cols = 2;
  offsets.address = {64, 65, 66, 67};
  CHECK(tile_name(offsets, 1, 0, {1, 2}) == Lines{"66 +"});
}

TEST_CASE("tiles divide the grid, lie in one warp each, are the smallest that can be read, and say different things", "[overview]") {
  const Scene scene = with_colors();
  const Grid grid = grid_of(owned(64, 64, [](int r, int c) { return r % 32 + 32 * (c / 16 + 4 * (r / 32)); }));
  for (const double cell : {1.0, 2.0, 3.0, 4.0, 6.0}) {
    const std::optional<TileNames> tiles = readable_tiles(scene, grid, cell);
    INFO(cell);
    if (!tiles) continue;
    CHECK(64 % tiles->size.rows == 0);
    CHECK(16 % tiles->size.cols == 0);  // no tile over two warps
    CHECK(tiles->size.rows * cell >= 5.5);
    CHECK(tiles->size.cols * cell >= 5.5);
  }
  REQUIRE(readable_tiles(scene, grid, 4));
  REQUIRE(readable_tiles(scene, grid, 2));
  CHECK(readable_tiles(scene, grid, 4)->whole);
  CHECK_FALSE(readable_tiles(scene, grid, 0.1));                                              // nothing can be read
  CHECK_FALSE(readable_tiles(scene, grid_of(owned(64, 64, [](int, int) { return 9; })), 3));  // all are called alike
}

TEST_CASE("a part of a grid has all that the grid has there", "[overview]") {
  GridColumns grid = owned(6, 5, [](int r, int c) { return r * 5 + c; });
  grid.faint.assign(grid.size(), 0);
  grid.faint[13] = 1;
  for (std::size_t i = 0; i < grid.size(); ++i) grid.address.push_back(static_cast<std::int64_t>(100 + i));
  grid.tensor = 2, grid.bits = 16;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (std::size_t k = 0; k < i % 3; ++k) grid.others.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(k)});
    grid.other_ends.push_back(static_cast<std::uint32_t>(grid.others.size()));
  }
  const GridColumns part = part_of(grid, {2, 4}, {1, 4});
  REQUIRE(part.rows == 3);
  REQUIRE(part.cols == 4);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      const auto here = static_cast<std::size_t>(4 * r + c), there = static_cast<std::size_t>(5 * (r + 2) + c + 1);
      const Subject a = part.subject(here), b = grid.subject(there);
      CHECK((a.row == b.row && a.col == b.col && a.thread == b.thread && a.value == b.value && a.address == b.address && a.bank == b.bank));
      CHECK(a.tensor == 2);
      CHECK(part.label(here) == grid.label(there));
      CHECK(part.fills[here] == grid.fills[there]);
      CHECK(part.faint[here] == grid.faint[there]);
      CHECK(part.others_of(here).size() == grid.others_of(there).size());
    }
  }
}

TEST_CASE("where labels cannot be read tiles are named, a corner is opened in readable type, and captions move below it", "[overview]") {
  const Scene whole = make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1}))))).value();
  const double cell = 6;
  const Scene small = at_size(whole, cell);
  std::size_t opened = 0;
  double lowest = 0;
  for (std::size_t p = 0; p < small.panels.size(); ++p) {
    if (!small.panels[p].id.ends_with("-opened")) continue;
    ++opened;
    for (const CellView& each : cells_of(small, p)) {
      CHECK_FALSE(each.label.empty());
      lowest = std::max<double>(lowest, each.y + each.h);
      const Subject subject = subject_of(small, each.id).value();
      CHECK(each.label == "T" + std::to_string(subject.thread) + "\nV" + std::to_string(subject.value));
    }
  }
  CHECK(opened >= 1);
  const std::vector<std::string> names = texts_of(small, small.panels[0], LabelRole::legend);
  for (const char* warp : {"W0 T", "W7 T"})  // in one line, as there is room for it
    CHECK(std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(warp); }));
  for (const Panel& panel : small.panels) {
    if (panel.name != "caption") continue;
    for (const Mark& mark : panel.marks) {
      if (const auto* label = std::get_if<Label>(&mark)) CHECK(label->y > lowest);
    }
  }
  CHECK(bounds(small).width() <= bounds(whole).width() + 0.01f);
}

TEST_CASE("where something is lit no name lies over it, and the tile that has it is opened", "[overview]") {
  FigureSpec spec = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1}))));
  spec.parameters = {{"thread", "200"}};
  const Scene small = at_size(make_figure(spec).value(), 6);
  for (std::size_t p = 0; p < small.panels.size(); ++p) {
    const Panel& panel = small.panels[p];
    if (panel.operand == PanelOperand::none) continue;
    bool lit = false, labelled = false;
    each_cell(small, p, [&](const CellView& cell) {
      lit = lit || (!cell.faint && subject_of(small, cell.id).value_or(Subject{}).thread == 200);
      labelled = labelled || !cell.label.empty();
    });
    INFO(panel.id);
    CHECK(lit);
    CHECK(labelled == panel.id.ends_with("-opened"));
    if (!labelled)
      CHECK(std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& m) { return std::holds_alternative<Cell>(m); }) == 0);
  }
}

TEST_CASE("tiles of one name are one tile", "[overview]") {
  const Scene scene = with_colors();
  const Grid grid = grid_of(owned(64, 64, [](int r, int c) { return c % 32 + 32 * (r / 32); }));
  const std::optional<TileNames> tiles = readable_tiles(scene, grid, 4);
  REQUIRE(tiles);
  CHECK(tiles->size.rows == 32);  // a warp is so high
  GridColumns shared = owned(32, 32, [](int r, int) { return r / 8; });
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (shared.thread[i] == 0) shared.others.push_back({9, 0});
    shared.other_ends.push_back(static_cast<std::uint32_t>(shared.others.size()));
  }
  Scene named = with_colors();
  Panel panel{"A", {}};
  const Grid one_warp = grid_of(shared);
  const std::optional<TileNames> four = readable_tiles(named, one_warp, 5);
  REQUIRE(four);
  name_tiles(named, panel, one_warp, *four, 5);
  std::vector<std::string> names;
  for (const Mark& mark : panel.marks) {
    if (const auto* label = std::get_if<Label>(&mark)) names.emplace_back(named.text_of(label->text));
  }
  CHECK(std::count(names.begin(), names.end(), "T0 +") == 1);  // others hold its cells too
  CHECK(std::count(names.begin(), names.end(), "T3") == 1);
}

TEST_CASE("a name on many colours stands once, in the middle of the first tile of its kind", "[overview]") {
  Scene scene = with_colors();
  const GridColumns threads = owned(32, 32, [](int, int c) { return 8 * (c / 8 % 2) + c % 4; });
  GridColumns many = threads;
  for (std::size_t i = 0; i < many.size(); ++i) many.fills[i] = static_cast<ColorIndex>(i % scene.palette.size());
  const Grid grid = grid_of(many);
  const CellBlock tile{16, 8};
  Panel panel{"", {}};
  const double cell = 8;
  const NamedOnce named = name_tiles(scene, panel, grid, {tile, true}, cell);
  CHECK(named.once);
  CHECK(named.times == "2 × 2 times");
  std::size_t grounds = 0;
  for (const Mark& mark : panel.marks) {
    const auto* ground = std::get_if<Cell>(&mark);
    if (!ground) continue;
    ++grounds;
    const float x = std::fmod(ground->x - grid.x, 8.0f), y = std::fmod(ground->y - grid.y, 16.0f);
    CHECK(x + ground->w / 2 == Approx(4).margin(1e-3));
    CHECK(y + ground->h / 2 == Approx(8).margin(1e-3));
  }
  CHECK(grounds == 2);
}

TEST_CASE("the frame of what is opened goes through no name", "[overview]") {
  Scene scene = with_colors();
  const Grid grid = grid_of(owned(32, 32, [](int r, int c) { return 32 * (r / 16) + 64 * (c / 16); }));
  const double cell = 8;
  for (const float side : {7.0F, 8.0F, 9.0F}) {
    const Outline frame{0, 0, side, side, StrokeRole::highlight};
    Panel panel{"", {}};
    name_tiles(scene, panel, grid, {{16, 16}, true}, cell, frame);
    int names = 0;
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (!label) continue;
      ++names;
      const float w = 0.5F * type_size(*label) * static_cast<float>(label->text.length), h = type_size(*label) / 2;
      const bool apart = label->x - w / 2 > side || label->y - h > side;
      const bool inside = label->x + w / 2 < side && label->y + h < side;
      CHECK((apart || inside));
    }
    CHECK(names == 4);
  }
}

TEST_CASE("what is opened is whole: an instruction's part of each operand, and what a swizzle repeats", "[overview]") {
  const auto blocks = [](const Scene& small) {
    std::map<std::string, std::pair<int, int>> sizes;
    for (const Panel& panel : small.panels) {
      const auto* grid = panel.id.ends_with("-opened") ? first_labelled_grid(panel) : nullptr;
      if (grid) sizes[panel.id] = {grid->of->rows, grid->of->cols};
    }
    return sizes;
  };
  const auto mma = blocks(at_size(make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 8, 1}))))).value(), 6));
  REQUIRE(mma.size() == 3);
  CHECK(mma.at("A-opened") == std::pair{16, 16});
  CHECK(mma.at("B-opened").first == 16);
  CHECK(mma.at("B-opened").second % 8 == 0);
  CHECK(mma.at("C-opened").first == 16);
  CHECK(mma.at("C-opened").second % 8 == 0);
  const ComposedLayout swizzled{Swizzle::make(3, 3, 3).value(), 0, lay(tup({128, 64}), tup({64, 1}))};
  const auto rows = blocks(at_size(make_figure(figure(swizzled, FigureStyle::tessera, "layout")).value(), 7));
  REQUIRE(rows.size() == 1);
  CHECK(rows.begin()->second.first == 16);  // twice what the swizzle repeats
  CHECK(rows.begin()->second.second >= 16);
}

TEST_CASE("what is opened has cells of one size, and the last note begins where the caption does", "[overview]") {
  const Scene small = at_size(make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 8, 1}))))).value(), 6);
  std::set<float> edges;
  float caption = -1, note = -2;
  for (const Panel& panel : small.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark); grid && panel.id.ends_with("-opened")) edges.insert(std::round(100 * grid->h));
      if (const auto* label = std::get_if<Label>(&mark); label && label->role == LabelRole::note)
        (panel.name == kCaptionPanel ? caption : note) = label->x;
    }
  }
  CHECK(edges.size() == 1);
  CHECK(note == caption);
}

TEST_CASE("where colours say the warp, names say all of it, and are as large as their tiles let them", "[overview]") {
  Scene scene = with_colors();
  for (Rgb& color : scene.palette) color = {static_cast<std::uint8_t>(color.r / 2), color.g, color.b};
  // Four warps of 16 x 16 cells, each thread with a run of its own: small tiles would be called by few threads.
  const Grid grid = grid_of(owned(32, 32, [](int r, int c) { return 32 * (r / 16 + 2 * (c / 16)) + r % 16 + 16 * (c % 16 / 8); }));
  for (const double cell : {6.0, 12.0, 24.0}) {
    const auto names = readable_tiles(scene, grid, cell);
    REQUIRE(names);
    CHECK(names->size == CellBlock{16, 16});
    Panel panel{"", {}};
    CHECK_FALSE(name_tiles(scene, panel, grid, *names, cell).once);
    std::set<std::string> said;
    for (const Mark& mark : panel.marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (!label) continue;
      said.insert(std::string(scene.text_of(label->text)));
      CHECK(label->size * cell >= 5.49);
      CHECK(label->size * cell <= 9.01);
      CHECK((cell < 20 || label->size * cell > 8.9));
    }
    CHECK(said == std::set<std::string>{"W0", "W1", "W2", "W3", "T0-31", "T32-63", "T64-95", "T96-127"});
  }
}

TEST_CASE("what is opened has hues of its own, and the caption says which are those above", "[overview]") {
  const Scene scene = make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({4, 4, 1}))))).value();
  const auto has = [](const Scene& drawn, const std::string& text) {
    const std::vector<std::string> legends = texts_of(drawn, LabelRole::legend);
    return std::any_of(legends.begin(), legends.end(), [&](const std::string& each) { return each.starts_with(text); });
  };
  CHECK(has(at_size(scene, 28), "hue: W div 2"));
  const Scene small = at_size(scene, 7);
  CHECK(has(small, "hue in the maps: W div 2"));
  CHECK_FALSE(has(small, "hue: W div 2"));
}

TEST_CASE("what is opened has a frame like the one around it in the picture, names of axes, and none in grey", "[overview]") {
  const Scene small = at_size(make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 8, 1}))))).value(), 10);
  std::map<std::string, std::vector<ColorIndex>> frames;
  for (const Panel& panel : small.panels) {
    for (const Mark& mark : panel.marks) {
      const auto* line = std::get_if<Line>(&mark);
      if (line && line->role == StrokeRole::highlight) frames[panel.id].push_back(line->color);
    }
  }
  CHECK(frames.size() >= 4);
  for (const auto& [panel, colors] : frames) {
    INFO(panel);
    CHECK(colors.size() == 4);
    CHECK(colors.front() != kNoColor);
    CHECK(colors == frames["C-opened"]);
    CHECK(frames.contains(panel.ends_with("-opened") ? panel.substr(0, 1) : panel + "-opened"));
  }
  for (const Panel& panel : small.panels) {
    if (panel.id != "C-opened") continue;
    const std::vector<std::string> legends = texts_of(small, panel, LabelRole::legend);
    REQUIRE(legends.size() == 10);  // the numbers of eight quads, what they are, and the axes
    CHECK((legends[0] == "0" && legends[7] == "7" && legends[8] == "the quad of the warp; shade: T mod 4, faint to strong"));
    CHECK(legends[9] == "m↓ n→");
  }
  FigureSpec grey = figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1}))));
  grey.palette = "greys";
  for (const Panel& panel : at_size(make_figure(grey).value(), 6).panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* line = std::get_if<Line>(&mark)) CHECK(line->color == kNoColor);
    }
  }
}

TEST_CASE("lines across the picture go on in what is opened, where they do not stand between all cells", "[overview]") {
  const auto opened_lines = [](int apart) {
    Scene scene = with_colors();
    scene.panels.push_back({"", {}});
    const Grid grid = grid_of(owned(32, 32, [](int r, int c) { return 32 * (r / 16 + 2 * (c / 16)) + c % 16; }));
    scene.panels[0].marks.emplace_back(grid);
    for (int at = apart; at < 32; at += apart) {
      const auto x = static_cast<float>(at);
      scene.panels[0].marks.push_back(Line{x, 0, x, 32, StrokeRole::boundary});
      scene.panels[0].marks.push_back(Line{0, x, 32, x, StrokeRole::boundary});
    }
    const Scene small = at_size(scene, 6);
    std::vector<std::pair<float, float>> places;  // in cells of the block, from and to
    for (const Panel& panel : small.panels) {
      const Grid* block = panel.id.ends_with("-opened") ? first_labelled_grid(panel) : nullptr;
      if (!block) continue;
      for (const Mark& mark : panel.marks) {
        const auto* line = std::get_if<Line>(&mark);
        if (!line || line->role != StrokeRole::boundary) continue;
        if (line->x0 == line->x1) {
          places.emplace_back(std::round((line->x0 - block->x) / block->w), std::round((line->y1 - line->y0) / block->h));
        }
      }
      CHECK(block->of->cols == 8);
      CHECK(block->of->rows == 16);
    }
    return places;
  };
  CHECK(opened_lines(4) == std::vector<std::pair<float, float>>{{4, 16}});
  CHECK(opened_lines(1).empty());
}

TEST_CASE("under an offset stands who reads it, where colours are of threads and not of one warp", "[overview]") {
  for (const bool colored : {true, false}) {
    GridColumns grid;
    grid.rows = grid.cols = 32;
    grid.place = GridColumns::Place::drawn;
    for (int i = 0; i < 1024; ++i) {
      grid.thread.push_back(i % 7 == 6 ? -1 : i % 4);
      grid.value.push_back(0);
      grid.address.push_back(3 * i);
      grid.fills.push_back(static_cast<ColorIndex>(colored ? i % 4 : 0));
      grid.add_label(i % 7 == 5 ? "pad" : std::to_string(3 * i));
    }
    Scene scene = with_colors();
    scene.panels.push_back({"", {}});
    scene.panels[0].marks.emplace_back(grid_of(grid));
    const Scene small = at_size(scene, 6);
    std::size_t seen = 0;
    for (std::size_t p = 0; p < small.panels.size(); ++p) {
      if (!small.panels[p].id.ends_with("-opened")) continue;
      each_cell(small, p, [&](const CellView& cell) {
        const std::optional<Subject> subject = subject_of(small, cell.id);
        if (!subject) return;  // a swatch
        ++seen;
        const auto i = static_cast<int>(subject->address / 3);
        const std::string offset = i % 7 == 5 ? "pad" : std::to_string(3 * i);
        CHECK(cell.label == (colored && i % 7 < 5 ? offset + "\nT" + std::to_string(i % 4) : offset));
      });
      const std::string heading = texts_of(small, small.panels[p], LabelRole::panel_name).at(0);
      CHECK(heading == (colored ? "smem offset, thread" : "offset"));
      CHECK(texts_of(small, small.panels[p], LabelRole::legend).size() == (colored ? 0 : 9));
    }
    CHECK(seen >= 64);
  }
}

TEST_CASE("a caption says of grey lines what they are where they stand, and that they stand in what is enlarged alone", "[overview]") {
  const auto says = [](const Scene& scene, const std::string& text) {
    const std::vector<std::string> notes = texts_of(scene, LabelRole::note);
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(text) != std::string::npos; });
  };
  // Eight warps of two atoms along K: the warps' names take the lines of the maps, and those of what is enlarged stay.
  const std::vector<Tiler> tile{32, 64, 16};
  const Scene whole = make_figure(figure(tiled("SM80_16x8x8_F32F16F16F32_TN", compact(tup({2, 4, 1})), tile))).value();
  REQUIRE(says(whole, "grey line: atom boundary"));
  const auto has_lines = [](const Scene& scene, bool opened) {
    return std::any_of(scene.panels.begin(), scene.panels.end(), [&](const Panel& panel) {
      return is_opened(panel) == opened && std::any_of(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) {
               const auto* line = std::get_if<Line>(&mark);
               return line && line->role == StrokeRole::boundary;
             });
    });
  };
  const Scene small = at_size(whole, 8);
  CHECK_FALSE(has_lines(small, false));
  CHECK(has_lines(small, true));
  CHECK(says(small, "grey line: atom boundary (in what is enlarged)"));
  CHECK(says(small, "strong line in the maps: warp boundary"));
  // Atoms in runs of two columns: the outline of the first one goes along all lines, of which a fringe would be seen.
  const std::vector<Tiler> permutation{32, lay(tup({2, 4, 4, 2}), tup({1, 4, 16, 2})), 16};
  const Scene outlined =
      at_size(make_figure(figure(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1})), permutation))).value(), 8);
  CHECK_FALSE(has_lines(outlined, true));
  CHECK_FALSE(says(outlined, "grey line"));
  CHECK(says(outlined, "strong line in the maps: warp boundary"));
  // One warp of four atoms, whose names stand on many colours: atoms are seen in the map too.
  const Layout runs = lay(tup({4, 2, 2}), tup({1, 8, 4}));
  const std::vector<Tiler> interleaved{runs, runs, 4};
  const Scene of_volta = make_figure(figure(tiled("SM70_8x8x4_F32F16F16F32_NT", compact(tup({2, 2, 1})), interleaved))).value();
  const Scene many = at_size(of_volta, 8);
  CHECK_FALSE(says(many, "in the maps"));
  CHECK(has_lines(many, false));
  CHECK(says(many, "grey line: atom boundary"));
  CHECK_FALSE(says(many, "in what is enlarged"));
}
