// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/render/detail.hpp"
#include "core/render/typography.hpp"

namespace tessera {
namespace {

constexpr double kPixelsOfAPoint = 96.0 / 72;  // of SVG and CSS
constexpr double kSmallestCell = 0.05;         // points: a printer's dot

// How large cells are, in points, for a picture to have its place.
using CellOf = std::function<double(const Scene&)>;

Error too_small(std::string why) {
  return Error{ErrorCode::out_of_range,
               "there is too little room for this figure: " + std::move(why),
               {},
               {"give a larger width, or draw a tile of it"}};
}

// A picture whose numbers are so many points high: text takes room, and so decides how large cells are, which decides how many cells the
// text is high. Nothing where text of that size takes more room than the cells.
Result<std::optional<SizedFigure>> with_text(const MakeFigure& make, const CellOf& cell_of, SizedFigure made, double points) {
  constexpr double kNumbers = 0.36;     // size of an axis' numbers in text units
  constexpr double kNear = 0.03;        // of the size that is wanted
  constexpr double kLeastShare = 0.35;  // of the usual cell
  constexpr int kMostTimes = 7, kTimesOfLarge = 2;
  constexpr std::size_t kLarge = 20000;  // cells
  const double usual = made.cell_points;
  const int times = cell_count(made.scene) > kLarge ? kTimesOfLarge : kMostTimes;
  float unit = 0;
  for (int i = 0; i < times; ++i) {
    const auto wanted = static_cast<float>(points / (kNumbers * made.cell_points));
    if (unit > 0 && std::abs(wanted / unit - 1) < kNear) break;
    unit = wanted;
    TESSERA_TRY(scene, make(unit));
    made = {std::move(scene), 0};
    made.cell_points = cell_of(made.scene);
    if (made.cell_points < kLeastShare * usual) return std::optional<SizedFigure>();
  }
  return std::optional<SizedFigure>(std::move(made));
}

// From the picture whose text is in proportion to its cells, which is what `make` makes of 0.
Result<SizedFigure> laid_out(Scene in_proportion, const MakeFigure& make, const CellOf& cell_of, bool all_labels) {
  constexpr double kTexts[] = {7, 5, 3.5}, kLargestLabel = 8;  // points; the first that leaves room for cells
  SizedFigure made{std::move(in_proportion), 0};
  made.cell_points = cell_of(made.scene);
  if (made.cell_points < kSmallestCell) return too_small(fmt::format("its cells would be {:.2g} pt wide", made.cell_points));
  if (made.scene.style != FigureStyle::tessera) return made;
  for (const double text : kTexts) {
    TESSERA_TRY(sized, with_text(make, cell_of, made, text));
    if (!sized) continue;
    made = std::move(*sized);
    break;
  }
  made.scene.largest_type = static_cast<float>(kLargestLabel / made.cell_points);
  made.scene = at_size(std::move(made.scene), made.cell_points, all_labels);
  made.cell_points = cell_of(made.scene);  // what was opened below makes the picture higher, and its margins wider
  return made;
}

double height(const Scene& scene, bool margins) {
  const Bounds box = bounds(scene);
  return box.height() + (margins ? page_unit(box) : 0);
}

}  // namespace

Result<SizedFigure> for_width(const MakeFigure& make, double points, bool margins, bool all_labels) {
  constexpr double kNarrowest = 36;  // points: room for a cell with its number
  if (points < kNarrowest) return too_small(fmt::format("{:.4g} pt, and a cell with its number wants {}", points, kNarrowest));
  TESSERA_TRY(scene, make(0));
  const CellOf cell_of = [&](const Scene& made) { return cell_for_width(made, points, margins); };
  return laid_out(std::move(scene), make, cell_of, all_labels);
}

Result<std::string> render_for_page(const Scene& scene, const MakeFigure& make, RenderPage render, RenderOptions options) {
  constexpr double kWidest = 11 * 72, kHighest = 14 * 72;  // points
  const bool margins = render != render_tikz || options.standalone;
  const double usual = options.cell_points;
  const CellOf cell_of = [&](const Scene& made) {
    return std::min({usual, cell_for_width(made, kWidest, margins), kHighest / height(made, margins)});
  };
  const double on_page = cell_of(scene);
  if (on_page >= usual || on_page < kSmallestCell) return render(at_size(scene, usual), options);  // what no page can show keeps its size
  TESSERA_TRY(sized, laid_out(scene, make, cell_of, false));
  sized.scene.source = scene.source;
  options.cell_points = render == render_svg ? sized.cell_points * kPixelsOfAPoint : sized.cell_points;
  return render(sized.scene, options);
}

}  // namespace tessera
