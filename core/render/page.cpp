// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/page.hpp"

#include <algorithm>
#include <cmath>

#include "core/render/detail.hpp"
#include "core/render/typography.hpp"

namespace tessera {

Result<SizedFigure> for_width(const MakeFigure& make, double points, bool margins, bool all_labels) {
  constexpr double kText = 7, kLargestLabel = 8, kNumbers = 0.36;  // points; the size of an axis' numbers in text units
  constexpr double kNear = 0.03;                                   // of the size that is wanted
  constexpr int kMostTimes = 4;
  SizedFigure made;
  float unit = 0;
  // Text takes room, and so decides how large cells are, which decides how many cells the text is high.
  for (int i = 0; i < kMostTimes; ++i) {
    TESSERA_TRY(scene, make(unit));
    made = {std::move(scene), 0};
    made.cell_points = cell_for_width(made.scene, points, margins);
    if (made.scene.style != FigureStyle::tessera) return made;
    const auto wanted = static_cast<float>(kText / (kNumbers * made.cell_points));
    if (unit > 0 && std::abs(wanted / unit - 1) < kNear) break;
    unit = wanted;
  }
  made.scene.largest_type = static_cast<float>(kLargestLabel / made.cell_points);
  made.scene = at_size(std::move(made.scene), made.cell_points, all_labels);
  made.cell_points = cell_for_width(made.scene, points, margins);  // what was opened below makes the picture higher, and its margins wider
  return made;
}

Result<std::string> render_for_page(const Scene& scene, const MakeFigure& make, RenderPage render, RenderOptions options) {
  constexpr double kWidest = 11 * 72, kHighest = 14 * 72;  // points
  const bool margins = render != render_tikz || options.standalone;
  const auto height = [](const Scene& of, double cell_points) { return (bounds(of).height() + page_unit(bounds(of))) * cell_points; };
  const double usual = options.cell_points;
  if (cell_for_width(scene, kWidest, margins) >= usual && height(scene, usual) <= kHighest) return render(at_size(scene, usual), options);
  TESSERA_TRY(sized, for_width(make, kWidest, margins, false));
  const double high = height(sized.scene, sized.cell_points);
  const double times =
      std::min(kHighest / high, usual / sized.cell_points);  // of the width: not higher than the page, cells not above usual
  if (times < 1) {
    TESSERA_TRY(narrower, for_width(make, kWidest * times, margins, false));
    sized = std::move(narrower);
  }
  sized.scene.source = scene.source;
  options.cell_points = sized.cell_points;
  return render(sized.scene, options);
}

}  // namespace tessera
