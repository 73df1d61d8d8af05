// SPDX-License-Identifier: BSD-3-Clause
// Our print_latex style against what CuTe's own print_latex wrote: every cell, label, colour and grid, in CuTe's order.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "core/layout/algebra.hpp"
#include "core/render/render.hpp"
#include "core/render/typography.hpp"
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

// What our own style's commands draw, read back: areas of a colour, and labels by the middle of their cell.
struct OwnPicture {
  struct Area {
    int color;
    double x, y, w, h;
  };
  struct Text {
    double x, baseline, size;
    std::string font, color, text;
    auto key() const { return std::tuple(std::lround(x * 100), std::lround(baseline * 100), std::lround(size * 100), font, color, text); }
  };
  double cell = 0;
  std::vector<Area> areas;
  std::vector<Text> texts;
};

OwnPicture own_picture(const std::string& tikz) {
  static const std::regex scale(R"(x=([\d.]+)bp)"), area(R"(\\tsF\{(\d+)\}\{([-\d.]+)\}\{([-\d.]+)\}\{([-\d.]+)\}\{([-\d.]+)\})"),
      type(R"(\\tsX\{(\w+)\}\{([\d.]+)bp\}\\color\[RGB\]\{([\d,]+)\})"), row(R"(\\tsR\{([-\d.]+)\}\{([-\d.]+)\}\{([-\d.]+)\}\{(.*)\})"),
      label(R"(\\tsL\{([^}]*)\})");
  OwnPicture out;
  std::smatch m;
  std::string font, color;
  double size = 0;
  std::istringstream lines(tikz);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("\\def")) continue;
    const auto number = [&](std::size_t i) { return std::stod(m[i]); };
    if (line.starts_with("\\begin{tikzpicture}") && std::regex_search(line, m, scale)) out.cell = number(1);
    if (std::regex_match(line, m, area)) out.areas.push_back({std::stoi(m[1]), number(2), number(3), number(4), number(5)});
    if (std::regex_match(line, m, type)) font = m[1], size = number(2) / out.cell, color = m[3];
    if (!std::regex_match(line, m, row)) continue;
    const double width = number(3) / out.cell, baseline = number(2);
    double x = number(1) + width / 2;
    const std::string labels = m[4];
    for (auto it = std::sregex_iterator(labels.begin(), labels.end(), label); it != std::sregex_iterator(); ++it, x += width)
      out.texts.push_back({x, baseline, size, font, color, (*it)[1]});
  }
  return out;
}

}  // namespace

TEST_CASE("our own TikZ joins neighbours and still draws every cell's colour and label where they are", "[tikz]") {
  std::mt19937 random(14);
  const auto below = [&](unsigned n) { return random() % n; };
  for (int round = 0; round < 300; ++round) {
    Scene scene;
    scene.color({{10, 20, 30}, ""}), scene.color({{200, 100, 50}, ""}), scene.color({{250, 240, 200}, ""});
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
        const double size = type * (i == 1 ? 0.88 : 1.0), offset = lines.count == 1 ? 0 : i == 0 ? -0.58 : 0.58;
        const double baseline = cell.y + cell.h / 2 + type * offset + 0.36 * size;
        expected.insert(OwnPicture::Text{cell.x + cell.w / 2, baseline, size, lines.count == 2 && i == 0 ? "cmssbx10" : "cmss10",
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
    for (const char* part : {"\\documentclass[border=6bp]{standalone}\n", "\\begin{document}\n", "\\end{document}\n"})
      CHECK((tikz.find(part) != std::string::npos) == standalone);
    CHECK(tikz.find("\\end{tikzpicture}\n") != std::string::npos);
    return own_picture(tikz).cell;
  };
  CHECK(cell_of(3, 1, 28, true) == 28);
  CHECK(cell_of(3, 1, 10.5, false) == 10.5);
  CHECK(cell_of(1000, 3, 12, true) == 12);
  CHECK(cell_of(1000, 3, 12.5, true) == 12);
  CHECK(cell_of(3, 1000, 28, true) == 12);
  CHECK(cell_of(0.25f, 0.25f, 20000, true) == 12000);
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
  CHECK(tikz.find("100\\char37  of \\char36 A\\_\\tsY{102}i\\tsY{103}\\char36  \\char38  \\char35 1 \\tsY{110} \\char94 \\char126 ") !=
        std::string::npos);
  // the line break may not let the expression out of its comment
  CHECK(tikz.rfind("\\end{document}") == tikz.size() - 15);
  CHECK(tikz.find("\n\\end{document}") == tikz.size() - 16);
}

TEST_CASE("our own TikZ style stays as it was looked at", "[tikz][golden]") {
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.objects.push_back(lay(tup({4, 8}), tup({8, 1})));
  tv.parameters = {{"thread", "3"}};
  tv.expression = "tv(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))";
  const std::string tikz = render_tikz(make_figure(tv).value()).value();
  CHECK(tikz == golden("figures/tv.tex", tikz));
}
