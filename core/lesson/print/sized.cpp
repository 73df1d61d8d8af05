// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/print/sized.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "core/figure/figure.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera::lesson {

Result<SizedFigure> sized_figure(const Value& value, const Written& piece, const FigurePlace& place) {
  constexpr int kMostTimes = 4;
  constexpr double kNear = 1.02;
  const MakeFigure make = [&](const FigureRoom& room) {
    FigureOptions options;
    options.room = room;
    if (!place.words) options.parameters["caption"] = "no";
    return figure_of(value, piece.text, options);
  };
  PictureRoom room = place.room;
  for (int i = 0;; ++i) {
    Result<SizedFigure> made = for_room(make, room, place.margins, false);
    if (!made) return moved(std::move(made).error(), piece);
    if (place.largest_cell == 0 || made->cell_points <= kNear * place.largest_cell || i == kMostTimes) return made;
    // Less room, by as much as the cells are too large; words keep their size, so it is looked at again.
    const double share = place.largest_cell / made->cell_points;
    room = {room.width * share, room.height * share};
  }
}

double least_type(const SizedFigure& figure) {
  const Scene& scene = figure.scene;
  double least = 0;  // in cells
  const auto take = [&](double size) { least = least == 0 ? size : std::min(least, size); };
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    for (const Mark& mark : scene.panels[p].marks) {
      if (const auto* label = std::get_if<Label>(&mark); label && label->text.length > 0) take(type_size(*label));
    }
    const double type = cell_type_size(scene, p);
    each_cell(scene, p, [&](const CellView& cell) {
      if (!cell.label.empty()) take(label_lines(cell.label).count > 1 ? kSecondLine * type : type);
    });
  }
  return least * figure.cell_points;
}

}  // namespace tessera::lesson
