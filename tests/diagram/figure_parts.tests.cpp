// SPDX-License-Identifier: BSD-3-Clause
// What stands around the grids of every figure: numbers beside rows and columns, headings and captions; and lists of numbers as parameters.
#include "core/diagram/parts/figure_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/gemm/lower/lower.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/gemm_specs.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

std::string said_in(const Scene& scene) {
  std::string all;
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption, LabelRole::legend, LabelRole::note}) {
    for (const std::string& text : texts_of(scene, role)) {
      all += text + "\n";
    }
  }
  return all;
}

struct Box {
  float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, w = 1;  // w: of a cell
};

Box box_of(const Scene& scene, std::size_t panel) {
  Box box;
  each_cell(scene, panel, [&](const CellView& cell) {
    box.x0 = std::min(box.x0, cell.x), box.y0 = std::min(box.y0, cell.y);
    box.w = cell.w;
    box.x1 = std::max(box.x1, cell.x + cell.w), box.y1 = std::max(box.y1, cell.y + cell.h);
  });
  return box;
}

// The number of the row or the column that a label stands beside, counted from the first cell; -1: beside none.
int beside(const Label& label, const Box& cells) {
  const bool row = label.x < cells.x0 || label.x > cells.x1;
  const float at = row ? label.y - cells.y0 : (label.x - cells.x0) / cells.w;
  const bool outside = row || label.y < cells.y0 || label.y > cells.y1;
  return outside && at > 0 && at < (row ? cells.y1 - cells.y0 : (cells.x1 - cells.x0) / cells.w) ? static_cast<int>(std::floor(at)) : -1;
}

const TiledMma& mma() {  // (M,N,K) = (64,16,8)
  static const TiledMma made = tiled("SM80_16x8x8_F32F16F16F32_TN", compact(tup({4, 2, 1})));
  return made;
}

}  // namespace

TEST_CASE("the numbers around a grid are those of the rows and columns that they stand beside", "[figure_parts]") {
  FigureSpec inverse = figure(seed_tv(), FigureStyle::tessera, "tv_inverse");
  const FigureObject copy = copy_atom("SM75_U32x4_LDSM_N", ValueType::f16), big = compact(tup({40, 70}));
  std::vector<FigureSpec> specs{inverse, figure(seed_tv(), FigureStyle::tessera, "tv"), figure(big), figure(mma()), figure(copy)};
  for (const FigureObject& object : {FigureObject(lay(tup({4, 6}), tup({6, 1}))), FigureObject(mma()), copy}) {
    specs.push_back(figure(object, FigureStyle::print_latex));
  }
  for (const FigureSpec& spec : specs) {
    const Scene scene = make_figure(spec).value();
    CAPTURE(spec.kind, static_cast<int>(spec.style));
    std::size_t numbers = 0;
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      const Panel& panel = scene.panels[p];
      const Box cells = box_of(scene, p);
      std::set<std::pair<bool, int>> seen;
      for (const Mark& mark : panel.marks) {
        const auto* label = std::get_if<Label>(&mark);
        if (label == nullptr || label->role != LabelRole::axis) continue;
        const std::string text(scene.text_of(label->text));
        const std::size_t digits = text.find_first_of("0123456789");
        REQUIRE(digits != std::string::npos);
        CHECK(std::stoi(text.substr(digits)) == beside(*label, cells));
        seen.emplace(label->y < cells.y0, beside(*label, cells));
        ++numbers;
      }
      if (spec.style == FigureStyle::print_latex && panel.name.find('A') != 0 && panel.name.find('B') != 0 && panel.name.find('C') != 0)
        CHECK(static_cast<float>(seen.size()) ==
              (cells.x1 - cells.x0) / cells.w + cells.y1 - cells.y0);  // every row and column has its number
    }
    CHECK(numbers > 0);
  }
}

TEST_CASE("the grid of a figure lies around its cells and nothing else", "[figure_parts]") {
  std::vector<FigureSpec> specs{figure(mma()), figure(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16)), figure(compact(tup({3, 4, 2})))};
  for (int n = 1; n < 100; ++n) specs.push_back(figure(lay(n, 2)));  // strips of any length
  for (const FigureSpec& spec : specs) {
    const Scene scene = make_figure(spec).value();
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      const Panel& panel = scene.panels[p];
      if (panel.name == kCaptionPanel) continue;
      const auto inside = [](const CellView& cell, const Outline& grid) {
        const float x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
        return x > grid.x && x < grid.x + grid.w && y > grid.y && y < grid.y + grid.h;
      };
      std::vector<Outline> grids;
      float area = 0;
      for (const Mark& mark : panel.marks) {
        const auto* outline = std::get_if<Outline>(&mark);
        if (outline && outline->role == StrokeRole::grid) grids.push_back(*outline), area += outline->w * outline->h;
      }
      int cells = 0, outside = 0;
      float covered = 0;
      for (const CellView& cell : cells_of(scene, p)) {
        ++cells;
        covered += cell.w * cell.h;
        outside += std::count_if(grids.begin(), grids.end(), [&](const Outline& grid) { return inside(cell, grid); }) != 1;
      }
      CAPTURE(panel.name, cells);
      CHECK(outside == 0);
      CHECK(area == Approx(covered));
    }
  }
}

TEST_CASE("headings and captions name the extents that are drawn, each in its place", "[figure_parts]") {
  const auto says = [](const FigureSpec& spec, const std::vector<std::string>& parts) {
    const std::string said = said_in(make_figure(spec).value());
    INFO(said);
    for (const std::string& part : parts) {
      INFO(part);
      CHECK(said.find(part) != std::string::npos);
    }
  };
  says(figure(mma()), {"SM80_16x8x8_F32F16F16F32_TN   64 × 16 × 8   256 threads", "A  M64 × K8", "B  K8 × N16", "C  M64 × N16"});
  says(figure(find_mma_atom("UniversalFMA<float,float,float,float>").value()), {"1 × 1 × 1   1 thread\n"});
  says(figure(mma(), FigureStyle::tessera, "tv_a"), {"A  M64 × K8"});
  says(figure(copy_atom("SM75_U32x4_LDSM_N", ValueType::f16)),
       {"source  32 × 8", "destination  32 × 8", "32 threads", "source: shared memory; destination: registers"});
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.parameters = {{"tile", "4x8"}};
  says(tv, {"tv = ((2,4),(2,2)):((8,1),(4,16)) maps (thread, value) to m + 4 n", "Who owns each element"});
  tv.kind = "tv_inverse";
  says(tv, {"tv = ((2,4),(2,2)):((8,1),(4,16)) maps (thread, value) to m + 4 n"});
  FigureSpec gemm = figure(lower(support::tensor(192, 128, 160, 64, 128, 32, 3)).value());
  says(gemm, {"192 × 128 × 160, in 3 × 1 CTAs of 128 threads and 5 k-tiles of depth 32; SM80_16x8x16", "3 stages, 36864 bytes", "M64 × K32",
              "K32 × N128", "M64 × N128"});
  gemm.kind = "timeline";
  says(gemm, {"number in a bar: the k-tile, 0 to 4", "a CTA of 128 threads makes a tile of "});
}

TEST_CASE("a list of numbers takes its bounds, and not what lies beyond them", "[figure_parts]") {
  const auto set_of = [](const std::string& text) {
    FigureSpec spec;
    spec.parameters = {{"thread", text}};
    return number_set(spec, "thread");
  };
  CHECK(set_of("").value().empty());
  CHECK(set_of("0").value() == std::set<std::int64_t>{0});
  CHECK(set_of("7,3-5,4").value() == std::set<std::int64_t>{3, 4, 5, 7});
  CHECK(set_of("3-3").value() == std::set<std::int64_t>{3});
  for (const char* same : {"3 - 5", " 3-5 ", "3..5", "(3,4,5)"}) CHECK(set_of(same).value() == std::set<std::int64_t>{3, 4, 5});
  CHECK(set_of(std::to_string(kMostCells)).value() == std::set<std::int64_t>{kMostCells});
  CHECK(set_of("1-65537").value().size() == 65537);
  for (const std::string& bad : {std::string("-1"), std::to_string(kMostCells + 1), std::string("1-65538"), std::string("4-3"),
                                 std::string("1-2-3"), std::string("1-"), std::string("1..")}) {
    INFO(bad);
    const auto refused = set_of(bad);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::parse);
  }
  for (const auto& [name, most] : {std::pair<std::string, int>{"bits", 512}, {"bytes", 64}}) {
    const auto bits_of = [&, name = name](int n) {
      FigureSpec spec;
      spec.parameters = {{name, std::to_string(n)}};
      return element_bits(spec);
    };
    CHECK(bits_of(1).value() == 512 / most);
    CHECK(bits_of(most).value() == 512);
    CHECK_FALSE(bits_of(0).has_value());
    CHECK_FALSE(bits_of(most + 1).has_value());
  }
}

TEST_CASE("the expression under a figure is its text in lines of words, four at most, and says where it is cut", "[figure_parts]") {
  const auto lines_of = [](const std::string& expression) {
    FigureSpec spec = figure(compact(tup({4, 4})));
    spec.expression = expression;
    std::vector<std::string> lines;
    const Scene scene = make_figure(spec).value();
    for (const Mark& mark : scene.panels.back().marks) {
      const auto* label = std::get_if<Label>(&mark);
      if (label && label->role == LabelRole::caption) lines.emplace_back(scene.text_of(label->text));
    }
    return lines;
  };
  const std::string kCut = " …";
  for (const std::size_t length : {1, 2, 7, 30, 60, 65, 70, 200}) {  // of a word
    for (const int words : {1, 2, 5, 30, 300}) {
      std::string expression;
      for (int i = 0; i < words; ++i) expression += (i ? " " : "") + std::string(length, static_cast<char>('a' + i % 26));
      CAPTURE(length, words);
      const std::vector<std::string> lines = lines_of(expression);
      REQUIRE(lines.size() >= 1);
      REQUIRE(lines.size() <= 4);
      std::string together;
      for (const std::string& line : lines) together += line;
      const bool cut = together.ends_with(kCut);
      if (cut) together.resize(together.size() - kCut.size());
      CHECK(cut == (together.size() < expression.size()));
      CHECK(expression.starts_with(together));
      for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        CHECK(lines[i].size() <= 38);  // with the space that the next line does without
        CHECK((lines[i].ends_with(' ') || length > 14));
      }
    }
  }
  CHECK(lines_of("f(a,  # not said\n\t b,\r\n   \"c  # d\")") == std::vector<std::string>{"f(a, b, \"c  # d\")"});
  CHECK(lines_of("(\n  4,\n  8\n)") == std::vector<std::string>{"(4, 8 )"});
}
