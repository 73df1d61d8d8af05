// SPDX-License-Identifier: BSD-3-Clause
// Figures laid out for a width: how wide they are, how large their type is, and what is too narrow.
#include "core/render/export/page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/render/detail/detail.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/figures.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

MakeFigure maker(FigureObject object, FigureStyle style = FigureStyle::tessera) {
  return [=](const FigureRoom& room) {
    FigureSpec spec = figure(object, style);
    spec.text_unit = room.text_unit;
    spec.words_width = room.words_width;
    spec.stacked = room.stacked;
    if (room.fold > 1) spec.parameters["fold"] = std::to_string(room.fold);
    return make_figure(spec);
  };
}

std::vector<FigureObject> objects() {
  return {compact(tup({4, 8})),
          lay(tup({4, 8}), tup({9, 1})),
          compact(tup({64, 64})),
          compact(tup({3, 4, 2})),
          lay(40, 2),
          tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1}))),
          copy_atom("SM75_U32x4_LDSM_N", ValueType::f16)};
}

}  // namespace

TEST_CASE("a figure is as wide as was asked, with words of 7 points, numbers a little smaller and labels of at most 8", "[page]") {
  for (const FigureObject& object : objects()) {
    for (const double width : {160.0, 239.76, 468.0, 900.0}) {
      const SizedFigure sized = for_width(maker(object), width, true, false).value();
      const Bounds box = bounds(sized.scene);
      INFO(width);
      CHECK((box.width() + page_unit(box)) * sized.cell_points == Approx(width).margin(0.01));
      for (std::size_t p = 0; p < sized.scene.panels.size(); ++p) {
        for (const Mark& mark : sized.scene.panels[p].marks) {
          const auto* label = std::get_if<Label>(&mark);
          if (!label || (label->role != LabelRole::axis && label->role != LabelRole::note)) continue;
          const double type = type_size(*label) * sized.cell_points;
          const bool opened = sized.scene.panels[p].id.ends_with("-opened");           // whose numbers are as large as its labels
          const double in_cells = cell_type_size(sized.scene, p) * sized.cell_points;  // which numbers of axes do not pass
          CHECK(type > (width < 200 ? 3 : opened ? 5 : label->role == LabelRole::axis ? std::min(5.8, 0.99 * in_cells) : 6.2));
          CHECK(type < (label->role == LabelRole::axis ? 7.2 : 7.9));
        }
        CHECK(cell_type_size(sized.scene, p) * sized.cell_points <= 8.01);
        bool labelled = false;
        each_cell(sized.scene, p, [&](const CellView& cell) { labelled = labelled || !cell.label.empty(); });
        if (labelled) CHECK(cell_type_size(sized.scene, p) * sized.cell_points >= 0.95 * kLeastLabel);
      }
    }
  }
}

TEST_CASE("where small tiles can be named, one of three blocks stands beside the picture, and all are larger for it", "[page]") {
  // (2, 4) warps of 16 x 8, N permuted so that each holds 16 neighbours
  const std::vector<Tiler> permutation{32, lay(tup({2, 4, 4, 2}), tup({1, 4, 16, 2})), 16};
  const MakeFigure make = maker(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 4, 1})), permutation));
  const MakeFigure narrow = [&](const FigureRoom& room) {  // without room for words beside, nothing stands there
    return room.words_width > 0 ? Result<Scene>(Error{ErrorCode::out_of_range, "asked for", {}, {}}) : make(room);
  };
  const auto opened = [](const SizedFigure& sized) {
    std::map<std::string, Bounds> boxes;
    for (const Panel& panel : sized.scene.panels) {
      if (panel.id.ends_with("-opened")) boxes[panel.id] = bounds(panel);
    }
    return boxes;
  };
  CHECK_FALSE(for_width(narrow, 720, true, false));  // it is asked for
  const SizedFigure sized = for_width(make, 720, true, false).value();
  const std::map<std::string, Bounds> boxes = opened(sized);
  REQUIRE(boxes.size() == 3);
  const Bounds c = boxes.at("C-opened"), a = boxes.at("A-opened"), b = boxes.at("B-opened");
  double right = 0, low = 0, type = 100, captions = 1e9;
  for (std::size_t p = 0; p < sized.scene.panels.size(); ++p) {
    const Panel& panel = sized.scene.panels[p];
    if (boxes.contains(panel.id)) {
      type = std::min(type, panel_type_size(sized.scene, p) * sized.cell_points);
    } else if (panel.name == kCaptionPanel) {
      captions = bounds(panel).y0;
    } else if (panel.operand != PanelOperand::none) {
      right = std::max<double>(right, bounds(panel).x1);
      low = std::max<double>(low, bounds(panel).y1);
    }
  }
  CHECK(c.x0 > right);
  CHECK(c.y0 < low);
  CHECK((a.y0 >= low && a.y0 >= c.y1 && b.y0 == a.y0 && b.x0 > a.x1));
  CHECK(captions > std::max(a.y1, b.y1));
  CHECK(type > 5.5);
  // A picture whose own labels can be read stays whole.
  const SizedFigure small = for_width(maker(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({2, 2, 1})))), 792, true, false).value();
  CHECK(opened(small).empty());
  // Of 16 warps the names would not be read in tiles half as wide.
  const SizedFigure many = for_width(maker(tiled("SM80_16x8x16_F32F16F16F32_TN", compact(tup({8, 8, 1})))), 468, true, false).value();
  for (const auto& [id, box] : opened(many)) CHECK(box.y0 > bounds(many.scene.panels.front()).y0 + 1);
}

TEST_CASE("the labels of a picture are of 4.5 points at least in the type that the file sets, or they are not there", "[page]") {
  std::size_t labelled = 0, bare = 0;
  for (const std::int64_t numbers : {8, 12, 33}) {
    for (double width = 90; width < 500; width += 6) {
      const SizedFigure sized = for_width(maker(compact(tup({8, numbers}))), width, true, false).value();
      INFO(numbers << " columns, " << width << " points");
      bool has = false;
      each_cell(sized.scene, 0, [&](const CellView& cell) { has = has || !cell.label.empty(); });
      (has ? labelled : bare) += 1;
      if (!has) continue;
      RenderOptions options;
      options.cell_points = sized.cell_points;
      const std::string svg = render_svg(sized.scene, options).value();
      constexpr std::string_view kSize = "text-anchor=\"middle\" font-size=\"";
      const std::size_t at = svg.find(kSize);
      REQUIRE(at != std::string::npos);
      CHECK(std::stod(svg.substr(at + kSize.size())) > kLeastLabel - 0.006);  // two digits are written
    }
  }
  CHECK((labelled > 20 && bare > 20));
}

TEST_CASE("a figure with room in both directions passes neither, and fills one of them", "[page]") {
  for (const FigureObject& object : objects()) {
    for (const PictureRoom& room : {PictureRoom{362.8, 255.1}, PictureRoom{240, 648}, PictureRoom{0, 200}, PictureRoom{500, 100}}) {
      const Result<SizedFigure> sized = for_room(maker(object), room, true, false);
      INFO(room.width << " x " << room.height);
      REQUIRE(sized);
      const Bounds box = bounds(sized->scene);
      const double width = with_margins(box).width * sized->cell_points, height = with_margins(box).height * sized->cell_points;
      CHECK(height <= room.height * 1.0001);
      if (room.width > 0) CHECK(width <= room.width * 1.0001);
      CHECK((height > 0.999 * room.height || width > 0.999 * room.width));
      for (std::size_t p = 0; p < sized->scene.panels.size(); ++p) {
        bool labelled = false;
        each_cell(sized->scene, p, [&](const CellView& cell) { labelled = labelled || !cell.label.empty(); });
        if (labelled) CHECK(cell_type_size(sized->scene, p) * sized->cell_points >= 0.93 * kLeastLabel);
      }
    }
  }
}

TEST_CASE("a swizzle's grids have labels that can be read in a column, one above the other where they have no room beside", "[page]") {
  const Swizzle swizzle = Swizzle::make(3, 3, 3).value();
  const FigureObject object = ComposedLayout{swizzle, 0, lay(tup({8, 64}), tup({64, 1}))};
  const SizedFigure sized = for_width(maker(object), 239.76, true, false).value();
  CHECK(sized.scene.left_out.empty());
  std::set<float> lefts;
  for (const char* id : {"plain", "swizzled"}) {
    const std::size_t p = panel_named(sized.scene, id);
    CHECK(cell_type_size(sized.scene, p) * sized.cell_points >= kLeastLabel);
    for (const Mark& mark : sized.scene.panels[p].marks) {
      const auto* grid = std::get_if<Grid>(&mark);
      if (!grid) continue;
      lefts.insert(grid->x);
      CHECK_FALSE(grid->of->text.empty());
    }
  }
  CHECK(lefts.size() == 1);
}

TEST_CASE("what is too narrow for a cell with its number, or for the dots of a printer, is refused with the width", "[page]") {
  const Result<SizedFigure> thin = for_width(maker(compact(tup({4, 8}))), 20, true, false);
  REQUIRE_FALSE(thin);
  CHECK(thin.error().code == ErrorCode::out_of_range);
  CHECK(thin.error().message.find("20 pt, and a cell") != std::string::npos);
  CHECK_FALSE(for_width(maker(compact(tup({4, 4096}))), 40, true, false));
  CHECK(for_width(maker(compact(tup({4, 8}))), 60, true, false));
}

TEST_CASE("CuTe's pictures are scaled as they are", "[page]") {
  const SizedFigure sized = for_width(maker(compact(tup({4, 8})), FigureStyle::print_latex), 200, true, false).value();
  CHECK(cell_count(sized.scene) == 32);
  CHECK(render_tikz(sized.scene).value() == render_tikz(maker(compact(tup({4, 8})), FigureStyle::print_latex)({}).value()).value());
}

TEST_CASE("a picture for a page has its usual size where that fits, and else the page's", "[page]") {
  const auto size = [](FigureObject object) {
    const MakeFigure make = maker(std::move(object));
    RenderOptions options;
    options.standalone = true;
    const std::string tex = render_for_page(make({}).value(), make, render_tikz, options).value();
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, points = 0;
    const std::size_t box = tex.find("bounding box] ("), cell = tex.find("[x=");
    REQUIRE(box != std::string::npos);
    REQUIRE(cell != std::string::npos);
    REQUIRE(std::sscanf(tex.c_str() + box, "bounding box] (%lf,%lf) rectangle (%lf,%lf)", &x0, &y0, &x1, &y1) == 4);
    REQUIRE(std::sscanf(tex.c_str() + cell, "[x=%lfbp", &points) == 1);
    const double w = x1 - x0, h = y1 - y0;
    return std::array<double, 3>{w * points, h * points, points};
  };
  CHECK(size(compact(tup({4, 8})))[2] == 28);
  for (const FigureObject& large :
       {FigureObject(compact(tup({64, 64}))), FigureObject(compact(tup({4, 200}))), FigureObject(compact(tup({200, 4})))}) {
    const auto [w, h, cell] = size(large);
    CHECK(w <= 11 * 72 + 1);
    CHECK(h <= 14 * 72 + 1);
    CHECK(cell <= 28.01);
    CHECK((cell > 20 || std::max(w / (11 * 72), h / (14 * 72)) > 0.8));  // no smaller than need be
  }
}

TEST_CASE("long grids are folded where a page or a width makes their cells small, and CuTe's never", "[page][fold]") {
  const auto pieces = [](const Scene& scene) {
    std::ptrdiff_t grids = 0;
    for (const Panel& panel : scene.panels) {
      if (panel.id.ends_with("-opened")) continue;
      grids += std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
    }
    return grids;
  };
  const auto at_width = [&](FigureObject object, double width, FigureStyle style = FigureStyle::tessera) {
    return pieces(for_width(maker(std::move(object), style), width, true, false).value().scene);
  };
  CHECK(at_width(compact(tup({96, 16})), 240) == 2);
  CHECK(at_width(compact(tup({16, 16})), 240) == 1);
  CHECK(at_width(compact(tup({4, 64})), 240) > 2);
  CHECK(at_width(compact(tup({96, 16})), 240, FigureStyle::print_latex) == 1);
  const auto on_page = [](FigureObject object, FigureStyle style) {
    const MakeFigure make = maker(std::move(object), style);
    const MakeFigure whole = [&](const FigureRoom& room) { return make({room.text_unit, room.words_width}); };
    const Scene scene = make({}).value();
    return render_for_page(scene, make, render_svg, {}).value() != render_for_page(scene, whole, render_svg, {}).value();
  };
  CHECK(on_page(compact(tup({96, 16})), FigureStyle::tessera));
  CHECK_FALSE(on_page(compact(tup({32, 16})), FigureStyle::tessera));  // it fits as it is
  CHECK_FALSE(on_page(compact(tup({64, 64})), FigureStyle::tessera));
  CHECK_FALSE(on_page(compact(tup({96, 16})), FigureStyle::print_latex));
}
