// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "core/render/detail.hpp"
#include "core/render/typography.hpp"

namespace tessera {
namespace {

// How large cells are, in points, for a picture to have its place.
using CellOf = std::function<double(const Scene&)>;

Error too_small(std::string why) {
  return Error{ErrorCode::out_of_range,
               "there is too little room for this figure: " + std::move(why),
               {},
               {"give a larger width, or draw a tile of it"}};
}

// Text takes room, and so decides how large cells are, which decides how many cells the text is high.
Result<SizedFigure> laid_out(const MakeFigure& make, const CellOf& cell_of, bool all_labels) {
  constexpr double kText = 7, kLargestLabel = 8, kNumbers = 0.36;  // points; the size of an axis' numbers in text units
  constexpr double kNear = 0.03;                                   // of the size that is wanted
  constexpr int kMostTimes = 8, kTimesOfLarge = 3;
  constexpr std::size_t kLarge = 20000;   // cells
  constexpr double kLeastShare = 0.35;    // of the usual cell: below, text has taken its room
  constexpr double kSmallestCell = 0.05;  // points: a printer's dot
  SizedFigure made;
  float unit = 0;
  double usual = 0;  // edge of a cell where text is in proportion to it
  for (int i = 0; i < (i > 0 && cell_count(made.scene) > kLarge ? kTimesOfLarge : kMostTimes); ++i) {
    TESSERA_TRY(scene, make(unit));
    made = {std::move(scene), 0};
    made.cell_points = cell_of(made.scene);
    if (i == 0) usual = made.cell_points;
    if (usual < kSmallestCell) return too_small(fmt::format("its cells would be {:.2g} pt wide", usual));
    if (made.scene.style != FigureStyle::tessera) return made;
    if (made.cell_points < kLeastShare * usual) {  // the words themselves are wider than the place: they stay in proportion
      TESSERA_TRY(in_proportion, make(0));
      made = {std::move(in_proportion), usual};
      break;
    }
    const auto wanted = static_cast<float>(kText / (kNumbers * made.cell_points));
    if (unit > 0 && std::abs(wanted / unit - 1) < kNear) break;
    unit = wanted;
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
  return laid_out(
      make, [&](const Scene& scene) { return cell_for_width(scene, points, margins); }, all_labels);
}

Result<std::string> render_for_page(const Scene& scene, const MakeFigure& make, RenderPage render, RenderOptions options) {
  constexpr double kWidest = 11 * 72, kHighest = 14 * 72;  // points
  const bool margins = render != render_tikz || options.standalone;
  const double usual = options.cell_points;
  const CellOf cell_of = [&](const Scene& made) {
    return std::min({usual, cell_for_width(made, kWidest, margins), kHighest / height(made, margins)});
  };
  if (cell_of(scene) >= usual) return render(at_size(scene, usual), options);
  TESSERA_TRY(sized, laid_out(make, cell_of, false));
  sized.scene.source = scene.source;
  options.cell_points = sized.cell_points;
  return render(sized.scene, options);
}

}  // namespace tessera
