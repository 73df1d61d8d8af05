// SPDX-License-Identifier: BSD-3-Clause
// Our print_latex style against what CuTe's own print_latex wrote: every cell, label, colour and grid, in CuTe's order.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/layout/algebra.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/source_dir.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

using Node = std::tuple<int, int, std::string, std::string>;  // row, column, colour, label

struct Picture {
  std::vector<Node> nodes;
  std::vector<std::array<int, 4>> grids;
};

Picture drawn(const std::string& tikz) {
  static const std::regex node(R"(\\node(?:\[fill=([^\]]*)\])? at \((-?\d+),(-?\d+)\) \{(.*)\};)"),
      grid(R"(\((-?\d+),(-?\d+)\) grid \((-?\d+),(-?\d+)\))");
  Picture out;
  std::istringstream lines(tikz);
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_match(line, m, node)) out.nodes.emplace_back(std::stoi(m[2]), std::stoi(m[3]), m[1], m[4]);
    if (std::regex_search(line, m, grid)) out.grids.push_back({std::stoi(m[1]), std::stoi(m[2]), std::stoi(m[3]), std::stoi(m[4])});
  }
  return out;
}

const FigureStyle kLatex = FigureStyle::print_latex;

FigureSpec seed(FigureObject object, std::string kind = {}) { return figure(std::move(object), kLatex, std::move(kind)); }

ComposedLayout swizzled(int b, int m, int s, Layout layout) { return {Swizzle::make(b, m, s).value(), 0, std::move(layout)}; }

// The C++ object of each captured picture, made with our own types.
const std::map<std::string, std::function<FigureSpec()>>& objects() {
  static const std::map<std::string, std::function<FigureSpec()>> table = {
      {"latex_l_2x4_col",
       [] {
         return seed(compact(tup({2, 4})));
       }},
      {"latex_l_pad_4x6",
       [] {
         return seed(lay(tup({4, 6}), tup({1, 5})));
       }},
      {"latex_l_nested_2x4",
       [] {
         return seed(lay(tup({tup({2, 2}), tup({2, 4})}), tup({tup({1, 8}), tup({2, 16})})));
       }},
      {"latex_l_zdiv",
       [] {
         return seed(zipped_divide(lay(tup({4, 8}), tup({8, 1})), tiler({2, 4})).value());
       }},
      {"latex_s_sw222",
       [] {
         return seed(swizzled(2, 0, 2, lay(tup({4, 4}), tup({4, 1}))));
       }},
      {"latex_s_sw333_8x64",
       [] {
         return seed(swizzled(3, 3, 3, lay(tup({8, 64}), tup({64, 1}))));
       }},
      {"latex_mma_SM61_DP4A", [] { return seed(find_mma_atom("SM61_DP4A").value()); }},
      {"latex_mma_SM70_8x8x4_F32F16F16F32_NT", [] { return seed(find_mma_atom("SM70_8x8x4_F32F16F16F32_NT").value()); }},
      {"latex_mma_SM70_8x8x4_F32F16F16F32_TN", [] { return seed(find_mma_atom("SM70_8x8x4_F32F16F16F32_TN").value()); }},
      {"latex_mma_SM75_16x8x8_F32F16F16F32_TN", [] { return seed(find_mma_atom("SM75_16x8x8_F32F16F16F32_TN").value()); }},
      {"latex_mma_SM80_16x8x16_F16F16F16F16_TN", [] { return seed(find_mma_atom("SM80_16x8x16_F16F16F16F16_TN").value()); }},
      {"latex_tiledmma_volta_2x2_permM",
       [] {
         return seed(
             tiled("SM70_8x8x4_F32F16F16F32_NT", lay(tup({2, 2}), tup({2, 1})), tiler({lay(tup({4, 4, 2}), tup({1, 8, 4})), 32, 4})));
       }},
      {"latex_tiledmma_simt_4x4_perm",
       [] {
         return seed(tiled("UniversalFMA<float,float,float>", compact(tup({4, 4, 1})), tiler({lay(tup({4, 2}), tup({2, 1})), 8, 1})));
       }},
      {"latextv_C_simt_4x4",
       [] {
         return seed(tiled("UniversalFMA<float,float,float>", compact(tup({4, 4, 1}))), "tv_c");
       }},
      {"latextv_C_sm80_1x1_n16",
       [] {
         return seed(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({1, 1})), tiler({16, 16, 16})), "tv_c");
       }},
      {"latex_tiledcopy_f_4x8_2x2",
       [] {
         return seed(make_tiled_copy(copy_atom("UniversalCopy<float>", ValueType::f32), lay(tup({4, 8}), tup({8, 1})),
                                     lay(tup({2, 2}), tup({2, 1})))
                         .value());
       }},
      {"latex_tiledcopy_ldsm1_1warp",
       [] {
         return seed(
             make_tiled_copy(copy_atom("SM75_U32x1_LDSM_N", ValueType::f16), lay(tup({8, 4}), tup({4, 1})), compact(tup({1, 2}))).value());
       }},
      {"latex_tiledcopy_ldsmtA",
       [] {
         return seed(make_tiled_copy_a(copy_atom("SM75_U16x8_LDSM_T", ValueType::f16),
                                       tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2})), tiler({32, 32, 16})))
                         .value());
       }},
  };
  return table;
}

// What our own style's rows draw, read back: the colour of each cell, and labels by the middle of their cell.
struct OwnPicture {
  struct Area {
    int color;  // kNoColor: none
    double x, y, w, h;
  };
  struct Text {
    double x, baseline, size;
    std::string series, ink, text;
    auto key() const { return std::tuple(std::lround(x * 100), std::lround(baseline * 100), std::lround(size * 100), series, ink, text); }
  };
  double cell = 0;
  std::vector<Area> areas;
  std::vector<Text> texts;
};

// How the macros set line 0 (of one), 1 or 2 (of two): down from the cell's middle, and size, both in sizes of the cell's type.
struct LineLook {
  double down = 0, size = 1;
  std::string series;
};

std::map<int, LineLook> line_looks(const std::string& tikz) {
  static const std::regex line(R"(\\tesseraLine(\d)\{([-\d.]+)\}\{([\d.]*)\}\{(\w)\})");
  std::map<int, LineLook> looks;
  for (auto it = std::sregex_iterator(tikz.begin(), tikz.end(), line); it != std::sregex_iterator(); ++it)
    looks[std::stoi((*it)[1])] = {std::stod((*it)[2]), (*it)[3].length() == 0 ? 1 : std::stod((*it)[3]), (*it)[4]};
  return looks;
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) c == separator ? parts.emplace_back() : (parts.back() += c, parts.back());
  return parts;
}

OwnPicture own_picture(const std::string& tikz) {
  static const std::regex scale(R"(\[x=([\d.]+)bp,)"), color(R"(\\providecolor\{(tessera[a-z0-9]+)\}\{RGB\}\{([\d,]+)\})"),
      ink(R"(\\tesseraColor\{(\d+)\}\{[\d,]+\}\{(\w+)\})"), cells(R"(\\tesseraCells\{([\d.]+)\}\{([\d.]+)\}\{([\d.]+)\})"),
      row(R"(\\tesseraRow\{([-\d.]+)\}\{([-\d.]+)\}\{(.*)\})"), dim(R"(\\expandafter\\def\\csname tesseraink(\d+)f\\endcsname\{(\w+)\})"),
      area(R"(\\tesseraFill\{(\d+)\}\{([-\d.]+)\}\{([-\d.]+)\}\{([-\d.]+)\}\{([-\d.]+)\})");
  OwnPicture out;
  const std::map<int, LineLook> looks = line_looks(tikz);
  std::map<std::string, std::string> colors{{"white", "255,255,255"}, {"black", "0,0,0"}}, inks{{"-", "tesseraink"}}, faint_inks;
  double w = 0, h = 0, size = 0;
  std::smatch m;
  std::istringstream lines(tikz);
  for (std::string line; std::getline(lines, line);) {
    const auto number = [&](std::size_t i) { return std::stod(m[i]); };
    if (std::regex_search(line, m, scale)) out.cell = number(1);
    if (std::regex_match(line, m, color)) colors[m[1]] = m[2];
    if (std::regex_match(line, m, ink)) inks[m[1]] = m[2];
    if (std::regex_match(line, m, dim)) faint_inks[m[1]] = m[2];
    if (std::regex_match(line, m, cells)) w = number(1) / out.cell, h = number(2) / out.cell, size = number(3) / out.cell;
    if (std::regex_match(line, m, area)) out.areas.push_back({std::stoi(m[1]), number(2), number(3), number(4), number(5)});
    if (!std::regex_match(line, m, row)) continue;
    double x = number(1);
    const double y = number(2);
    for (const std::string& item : parts_of(m[3], ',')) {
      std::vector<std::string> parts = parts_of(item, '/');
      std::string code = parts[0];
      const bool faint = code.ends_with('f');
      if (faint) code.pop_back();
      out.areas.push_back({code == "-" ? kNoColor : std::stoi(code), x, y, w, h});
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const LineLook& look = looks.at(parts.size() == 2 ? 0 : static_cast<int>(i));
        out.texts.push_back({x + w / 2, y + h / 2 + look.down * size, size * look.size, look.series,
                             colors.at(!faint                      ? inks.at(code)
                                       : faint_inks.contains(code) ? faint_inks.at(code)
                                                                   : "tesserafaint"),
                             parts[i]});
      }
      x += w;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("our own TikZ writes neighbours as rows, with every cell's colour and label where they are", "[tikz]") {
  std::mt19937 random(14);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    Scene scene;
    scene.color({10, 20, 30}), scene.color({200, 100, 50}), scene.color({250, 240, 200});
    Panel panel{"p", {}};
    std::vector<Cell> cells;
    for (unsigned n = 1 + below(14), i = 0; i < n; ++i) {
      Cell cell;
      cell.w = below(5) == 0 ? 2 : 1, cell.h = below(5) == 0 ? 2 : 1;
      cell.x = static_cast<float>(below(5)), cell.y = static_cast<float>(below(3));
      if (!cells.empty() && below(3) != 0) cell.x = cells.back().x + cells.back().w, cell.y = cells.back().y, cell.h = cells.back().h;
      const auto meets = [&](const Cell& other) {
        return cell.x < other.x + other.w && other.x < cell.x + cell.w && cell.y < other.y + other.h && other.y < cell.y + cell.h;
      };
      if (std::any_of(cells.begin(), cells.end(), meets)) continue;
      cell.fill = below(5) == 0 ? kNoColor : static_cast<ColorIndex>(below(3)), cell.faint = below(4) == 0;
      cell.lines = static_cast<std::uint8_t>(below(3));
      const std::string name = std::to_string(i);
      cell.label = scene.intern(cell.lines == 2 ? "T" + name + "\nV" + name : "o" + name);
      cells.push_back(cell);
    }
    std::vector<Cell> order = cells;
    std::shuffle(order.begin(), order.end(), random);
    for (const Cell& cell : order) panel.marks.push_back(cell);
    if (below(3) == 0) panel.marks.insert(panel.marks.begin() + below(static_cast<unsigned>(order.size() + 1)), Outline{0, 0, 1, 1});
    scene.panels.push_back(panel);
    const OwnPicture picture = own_picture(render_tikz(scene).value());
    const double type = cell_type_size(scene, 0);
    std::multiset<decltype(OwnPicture::Text().key())> expected, got;
    INFO(render_json(scene).value());
    for (const Cell& cell : cells) {
      int color = kNoColor;
      for (const OwnPicture::Area& area : picture.areas) {
        const double x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
        if (x > area.x && x < area.x + area.w && y > area.y && y < area.y + area.h) color = area.color;
        const bool inside =
            cell.x >= area.x && cell.x + cell.w <= area.x + area.w && cell.y >= area.y && cell.y + cell.h <= area.y + area.h;
        const bool apart = cell.x >= area.x + area.w || cell.x + cell.w <= area.x || cell.y >= area.y + area.h || cell.y + cell.h <= area.y;
        REQUIRE((inside || apart));
      }
      REQUIRE(color == cell.fill);
      const Rgb ink = cell_text_color(scene, view(scene, cell));
      const LabelLines lines = label_lines(view(scene, cell).label);
      for (int i = 0; i < lines.count; ++i) {
        const double size = type * (i == 1 ? 0.94 : 1.0), offset = lines.count == 1 ? 0 : i == 0 ? -0.58 : 0.58;
        const double baseline = cell.y + cell.h / 2 + type * offset + 0.36 * size;
        expected.insert(OwnPicture::Text{cell.x + cell.w / 2, baseline, size, lines.count == 2 && i == 0 ? "b" : "m",
                                         fmt::format("{},{},{}", ink.r, ink.g, ink.b), std::string(lines.line[i])}
                            .key());
      }
    }
    for (const OwnPicture::Text& text : picture.texts) got.insert(text.key());
    REQUIRE(got == expected);
  }
}

TEST_CASE("our own TikZ is a whole document or the picture alone, on a page that TeX can have", "[tikz]") {
  const auto cell_of = [](float w, float h, double points, bool standalone) {
    Scene scene;
    scene.panels.push_back({"p", {Cell{0, 0, w, h}}});
    RenderOptions options;
    options.cell_points = points, options.standalone = standalone;
    const std::string tikz = render_tikz(scene, options).value();
    for (const char* part : {"\\documentclass{standalone}\n", "\\begin{document}\n", "\\end{document}\n"})
      CHECK((tikz.find(part) != std::string::npos) == standalone);
    CHECK(tikz.ends_with(standalone ? "\\end{tikzpicture}\n\\end{document}\n" : "\\end{tikzpicture}%\n"));
    return own_picture(tikz).cell;
  };
  CHECK(cell_of(3, 1, 28, true) == 28);
  CHECK(cell_of(3, 1, 10.5, false) == 10.5);
  CHECK(cell_of(1000, 3, 12, false) == 12);
  CHECK(cell_of(1000, 3, 12.5, false) == 12);
  CHECK(cell_of(3, 1000, 28, false) == 12);
  CHECK(cell_of(1000, 3, 28, true) == 11.707);  // its page has margins of half a page unit, 12.5 cells
  CHECK(cell_of(0.25f, 0.25f, 20000, false) == 12000);
}

TEST_CASE("our own TikZ is as wide as its marks, and a page has the margins of all pages", "[tikz]") {
  static const std::regex box(R"(\\path\[use as bounding box\] \(([-\d.]+),([-\d.]+)\) rectangle \(([-\d.]+),([-\d.]+)\);)");
  Scene scene;
  scene.panels.push_back({"p", {Cell{1, 2, 3, 4}, Cell{-2, 2, 1, 1}}});
  for (const bool standalone : {false, true}) {
    RenderOptions options;
    options.standalone = standalone;
    const std::string tikz = render_tikz(scene, options).value();
    std::smatch m;
    REQUIRE(std::regex_search(tikz, m, box));
    const double margin = standalone ? 0.5 : 0;
    CHECK(std::stod(m[1]) == -2 - margin);
    CHECK(std::stod(m[2]) == 2 - margin);
    CHECK(std::stod(m[3]) == 4 + margin);
    CHECK(std::stod(m[4]) == 6 + margin);
  }
}

TEST_CASE("a fragment has no # outside of comments, for a frame of a talk may not have one", "[tikz]") {
  RenderOptions options;
  options.standalone = false;
  FigureSpec spec = figure(compact(tup({2, 2})));
  spec.title = "#1 of ##";
  std::istringstream lines(render_tikz(make_figure(spec).value(), options).value());
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    const std::size_t sign = line.substr(0, line.starts_with('%') ? 0 : std::string::npos).find('#');
    CHECK((sign == std::string::npos || line[sign - 1] == '\\'));
  }
}

TEST_CASE("cells are called by panel, row and column, and those of large panels by their corners", "[tikz]") {
  const auto named = [](std::vector<Panel> panels) {
    Scene scene;
    scene.panels = std::move(panels);
    std::vector<std::string> names;
    std::istringstream lines(render_tikz(scene).value());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("\\tesseraNames{") || line.starts_with("\\tesseraCorners{")) names.push_back(line.substr(8));
    return names;
  };
  const auto grid = [](std::string name, int rows, int cols) {
    Panel panel{std::move(name), {}};
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < cols; ++k) panel.marks.push_back(Cell{k + 0.25F, i - 3.0F});
    return panel;
  };
  using Names = std::vector<std::string>;
  CHECK(named({grid("C  M16 x N8", 2, 3)}) == Names{"Names{C}{0.75}{-2.5}{2}{3}"});
  CHECK(named({grid("(_,_,1)", 1, 1), grid("(_,_,2)", 1, 1)}) == Names{"Names{cell}{0.75}{-2.5}{1}{1}", "Names{celln2}{0.75}{-2.5}{1}{1}"});
  CHECK(named({grid("A", 64, 32), grid("B", 64, 33)}) == Names{"Names{A}{0.75}{-2.5}{64}{32}", "Corners{B}{0.75}{-2.5}{64}{33}"});
  Panel bars{"bars", {Cell{0, 0, 2.5, 1}, Cell{0, 1, 3.5, 1}}}, joined{"joined", {Cell{0, 0, 2, 1}, Cell{2, 0, 1, 3}}};
  CHECK(named({bars, joined}) == Names{"Names{joined}{0.5}{0.5}{3}{3}"});
}

TEST_CASE("lines of one look are one path, and other marks end it", "[tikz]") {
  Scene scene;
  scene.color({10, 20, 30});
  Panel panel{"p", {}};
  for (int i = 0; i < 61; ++i) panel.marks.push_back(Line{0, 0, static_cast<float>(i), 1, StrokeRole::strong});
  panel.marks.push_back(Line{5, 5, 6, 6, StrokeRole::strong, 0});
  panel.marks.push_back(Arrow{7, 7, 8, 8, 0});
  panel.marks.push_back(Arrow{7, 7, 8, 9, 0});  // has a head of its own
  panel.marks.push_back(Label{0, 0, scene.intern("t")});
  panel.marks.push_back(Arrow{9, 9, 8, 8});
  scene.panels.push_back(panel);
  const std::string tikz = render_tikz(scene).value();
  std::vector<std::pair<std::string, long>> paths;  // style, segments
  for (std::size_t at = tikz.find("\\draw["); at != std::string::npos; at = tikz.find("\\draw[", at + 1)) {
    if (tikz[at - 1] != '\n') continue;  // in a comment
    const std::string path = tikz.substr(at, tikz.find(';', at) - at);
    long segments = 0;
    for (std::size_t dash = path.find("--"); dash != std::string::npos; dash = path.find("--", dash + 1)) ++segments;
    paths.emplace_back(path.substr(6, path.find(']') - 6), segments);
  }
  CHECK(paths == std::vector<std::pair<std::string, long>>{{"tessera strong", 60},
                                                           {"tessera strong", 1},
                                                           {"tessera strong,draw=tessera0", 1},
                                                           {"tessera boundary,draw=tessera0,->", 1},
                                                           {"tessera boundary,draw=tessera0,->", 1},
                                                           {"tessera boundary,->", 1}});
}

TEST_CASE("lines between cells are filled areas, and between small cells as wide as in a PDF", "[tikz]") {
  Scene scene;
  Panel panel{"p", {}};
  panel.marks.push_back(Outline{1, 2, 3, 2, StrokeRole::grid, true});
  panel.marks.push_back(Outline{1, 2, 3, 2, StrokeRole::grid, false});
  scene.panels.push_back(panel);
  const auto at = [&](double cell) {
    RenderOptions options;
    options.cell_points = cell;
    return render_tikz(scene, options).value();
  };
  CHECK(at(28).find("\\tesseraSeams{tessera grid}{ (2,2)(2,4) (3,2)(3,4) (1,3)(4,3)}\n\\draw[tessera grid] (1,2) rectangle (4,4);") !=
        std::string::npos);
  CHECK(at(28).find("tessera grid/.style={draw=tesseragrid,line width=0.616bp}") != std::string::npos);
  CHECK(at(6).find("tessera grid/.style={draw=tesseragrid,line width=0.3bp}") != std::string::npos);
  CHECK(at(2).find("tessera grid/.style={draw=tesseragrid,line width=0.12bp}") != std::string::npos);
}

TEST_CASE("what TeX has no memory for loses labels first, and is refused then", "[tikz]") {
  const auto scene_of = [](int cells, bool labels, bool striped) {
    Scene scene;
    scene.color({10, 20, 30}), scene.color({200, 100, 50});
    const TextRef label = scene.intern("T123");
    Panel large{"C", {}}, small{"A", {Cell{0, -3, 1, 1, 0, 1, false, label}}};
    for (int i = 0; i < cells; ++i) {
      Cell cell{static_cast<float>(i % 256), static_cast<float>(i / 256)};  // NOLINT: rows
      cell.fill = static_cast<ColorIndex>(striped ? i % 2 : 0);
      if (labels) cell.label = label, cell.lines = 1;
      large.marks.push_back(cell);
    }
    scene.panels = {large, small};
    return scene;
  };
  const auto labels_in = [](const std::string& tikz) {
    std::size_t count = 0;
    for (std::size_t at = tikz.find("/T123"); at != std::string::npos; at = tikz.find("/T123", at + 1)) ++count;
    return count;
  };
  const std::string note = "the labels of 1 panel are left out";
  const std::string fits = render_tikz(scene_of(65536, true, false)).value();
  CHECK(labels_in(fits) == 65537);
  CHECK(fits.find(note) == std::string::npos);
  const std::string thinned = render_tikz(scene_of(262144, true, false)).value();
  CHECK(labels_in(thinned) == 1);
  CHECK(thinned.find(note) != std::string::npos);
  const Result<std::string> refused = render_tikz(scene_of(262144, true, true));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::limit);
  CHECK(
      refused.error().message.starts_with("a picture of 262145 cells takes about 13.4 million words of TeX's memory, and a page has 2.4"));
  CHECK(refused.error().notes.at(0).find("pdf, svg or png") != std::string::npos);
}

TEST_CASE("print_latex draws what CuTe draws", "[tikz][oracle]") {
  std::ifstream file(test::source_dir() + "/tests/oracle/latex/pictures.jsonl");
  std::size_t pictures = 0;
  for (std::string line; std::getline(file, line); ++pictures) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const std::string id = row["id"];
    INFO(id << ": " << row["object"]);
    REQUIRE(objects().count(id) == 1);
    const Result<Scene> scene = make_figure(objects().at(id)());
    if (!scene) FAIL(describe(scene.error()));
    const Picture got = drawn(render_tikz(*scene).value());
    REQUIRE(got.nodes.size() == row["nodes"].size());
    REQUIRE(got.grids.size() == row["grids"].size());
    bool same = true;
    for (std::size_t i = 0; i < got.nodes.size() && same; ++i) {
      const nlohmann::json& n = row["nodes"][i];
      const Node want{n[0], n[1], row["fills"][n[2].get<std::size_t>()], n[3]};
      same = got.nodes[i] == want;
      if (!same)
        UNSCOPED_INFO("node " << i << " is (" << std::get<0>(got.nodes[i]) << "," << std::get<1>(got.nodes[i]) << ") "
                              << std::get<3>(got.nodes[i]) << ", CuTe has " << n.dump());
    }
    CHECK(same);
    for (std::size_t i = 0; i < got.grids.size(); ++i) CHECK(got.grids[i] == row["grids"][i].get<std::array<int, 4>>());
  }
  CHECK(pictures == objects().size());
}

TEST_CASE("print_latex's file is CuTe's file", "[tikz]") {
  // A layout small enough to read: the whole text, as CuTe prints it.
  const std::string tikz = render_tikz(make_figure(seed(compact(tup({1, 2})))).value()).value();
  CHECK(tikz ==
        "% Layout: (_1,_2):(_0,_1)\n\\documentclass[convert]{standalone}\n\\usepackage{tikz}\n\n\\begin{document}\n"
        "\\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, outer sep=0pt}]\n\n"
        "\\node[fill=black!00] at (0,0) {0};\n\\node[fill=black!40] at (0,1) {1};\n"
        "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (1,2);\n\n"
        "\\node at (0,-1) {\\Large{\\texttt{0}}};\n\\node at (-1,0) {\\Large{\\texttt{0}}};\n\\node at (-1,1) {\\Large{\\texttt{1}}};\n"
        "\\end{tikzpicture}\n\\end{document}\n");
}

TEST_CASE("a file of its own asks both engines for maps of its characters, and a fragment leaves that to its document", "[tikz]") {
  FigureSpec spec = seed(compact(tup({2, 2})));
  spec.style = FigureStyle::tessera;
  const Scene scene = make_figure(spec).value();
  RenderOptions options;
  const std::string whole = render_tikz(scene, options).value();
  CHECK(whole.find("\\ifdefined\\directlua\\input{glyphtounicode}\\pdfvariable gentounicode 1\\fi\n") != std::string::npos);
  CHECK(whole.find("\\pdfgentounicode 1") < whole.find("\\begin{document}"));
  options.standalone = false;
  CHECK(render_tikz(scene, options).value().find("glyphtounicode") == std::string::npos);
}

TEST_CASE("the white palette and the fragment form", "[tikz]") {
  FigureSpec spec = seed(compact(tup({2, 2})));
  spec.palette = "white";
  RenderOptions options;
  options.standalone = false;
  const std::string tikz = render_tikz(make_figure(spec).value(), options).value();
  CHECK(tikz.find("\\node[fill=white] at (1,1) {3};") != std::string::npos);
  CHECK(tikz.find("black!") == std::string::npos);
  CHECK(tikz.find("documentclass") == std::string::npos);
}

TEST_CASE("TeX's specials in titles and expressions are escaped", "[tikz]") {
  FigureSpec spec = figure(compact(tup({2, 2})));
  spec.title = "100% of $A_{i}$ & #1 \\ ^~";
  spec.expression = "let x = \"a\\b\"\n\\end{document}";
  const std::string tikz = render_tikz(make_figure(spec).value()).value();
  CHECK(tikz.find(R"({100{\%} of {\char36}A{\_}\tesserasign{sy}{102}i\tesserasign{sy}{103}{\char36} {\&} {\#}1 )"
                  R"(\tesserasign{sy}{110} {\char94}\tesserasign{sy}{24}})") != std::string::npos);
  // the line break may not let the expression out of its comment
  CHECK(tikz.rfind("\\end{document}") == tikz.size() - 15);
  CHECK(tikz.find("\n\\end{document}") == tikz.size() - 16);
}

TEST_CASE("Latin and Greek letters and signs are TeX's, two signs never become one, and no space is lost", "[tikz]") {
  const auto written = [](const std::string& text, LabelRole role = LabelRole::note) {
    Scene scene;
    Panel panel{"p", {}};
    Label label{};
    label.text = scene.intern(text), label.role = role;
    panel.marks.push_back(label);
    scene.panels.push_back(panel);
    const std::string tikz = render_tikz(scene).value();
    const std::size_t begin = tikz.find("\\tesseraText{center}{0}{");
    const std::size_t text_begin = tikz.find("}{", begin + 24) + 2;
    return tikz.substr(text_begin, tikz.find("}\n", text_begin) - text_begin);
  };
  CHECK(written("é ü Å ñ ç ı î") == "\\'{e} \\\"{u} \\r{A} \\~{n} \\c{c} {\\i} \\^{\\i}");
  CHECK(written("ß Ł œ Ž") == "{\\ss} {\\L} {\\oe} \\v{Z}");
  CHECK(written("αΩΑ≠") == "\\tesserasign{mi}{11}\\tesserasign{ss}{10}A\\tesserasign{sy}{54}=");
  CHECK(written("× → …") == "\\tesserasign{sy}{2} \\kern.08em\\tesserasign{sy}{33} ...");
  CHECK(written("漢\x07\xff") == "???");
  CHECK(written("--- '' ?` a-b,,") == "-\\/-\\/- '\\/' ?\\/` a-b,\\/,");
  CHECK(written(" a   b") == "\\ a \\ \\ b");
  CHECK(written("<|\"_~", LabelRole::caption) == "{\\char60}{\\char124}{\\char34}{\\char95}{\\char126}");
}

TEST_CASE("labels with commas and bars stand in braces", "[tikz]") {
  Scene scene;
  Cell one{0, 0}, two{1, 0};
  one.lines = 1, one.label = scene.intern("(0,1)");
  two.lines = 2, two.label = scene.intern("a/b\nc");
  scene.panels.push_back({"p", {one, two}});
  CHECK(render_tikz(scene).value().find("\\tesseraRow{0}{0}{-/{(0,1)},-/{a/b}/c}\n") != std::string::npos);
}

TEST_CASE("our own TikZ style stays as it was looked at", "[tikz][golden]") {
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.objects.push_back(lay(tup({4, 8}), tup({8, 1})));
  tv.parameters = {{"thread", "3"}};
  tv.expression = "tv(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))";
  const std::string tikz = render_tikz(make_figure(tv).value()).value();
  CHECK(tikz == golden("figures/tv.tex", tikz));
}

// beamer gathers a frame by skipping over it: there an \if that is named by \csname does not count, and its \fi does.
TEST_CASE("each \\fi of our own TikZ has an \\if that can be seen", "[tikz]") {
  const std::string tex = render_tikz(make_figure(figure(compact(tup({4, 8})))).value()).value();
  static const std::regex word(R"(\\([A-Za-z@]+))");
  int open = 0, seen = 0;
  for (auto at = std::sregex_iterator(tex.begin(), tex.end(), word); at != std::sregex_iterator(); ++at) {
    const std::string name = (*at)[1];
    const bool opens = name.starts_with("if"), closes = name == "fi" || name == "repeat";
    seen += opens;
    open += opens ? 1 : closes ? -1 : 0;
    INFO("at \\" << name << " before " << tex.substr(static_cast<std::size_t>(at->position()), 60));
    REQUIRE(open >= 0);
  }
  CHECK(open == 0);
  CHECK(seen > 5);
}
