// SPDX-License-Identifier: BSD-3-Clause
#include "core/lesson/print/sized.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/parts/fold.hpp"
#include "core/figure/figure.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera::lesson {
namespace {

constexpr double kNear = 0.05;      // points of type, which are rounded where they are said
constexpr std::int64_t kShort = 8;  // rows or columns that stay in one piece: no page is so narrow

Result<Scene> drawn(const Value& value, const Written& piece, const FigurePlace& place, const FigureRoom& room) {
  FigureOptions options;
  options.room = room;
  if (place.fold > 0) options.room.fold = place.fold;
  if (place.panel) options.room.fold = 1;  // it is one of several grids, and these are not folded
  if (!place.words) options.parameters["caption"] = "no";
  TESSERA_TRY(scene, figure_of(value, piece.text, options));
  if (place.panel && *place.panel < scene.panels.size()) {
    Panel panel = std::move(scene.panels[*place.panel]);
    scene.panels.clear();
    scene.panels.push_back(std::move(panel));
    scene.steps.clear();
  }
  return std::move(scene);
}

// Captions and legends have no id.
bool has_cells(const Panel& panel) {
  if (panel.id.empty()) return false;
  return std::any_of(panel.marks.begin(), panel.marks.end(),
                     [](const Mark& mark) { return std::holds_alternative<Grid>(mark) || std::holds_alternative<Cell>(mark); });
}

// Thin lines between small cells may be left out: the cells can be told without.
bool loses_labels(const Scene& scene) { return scene.left_out.find(" labels ") != std::string::npos; }

bool is_long_grid(const Scene& scene) {
  const std::optional<Foldable> grid = foldable(scene);
  return grid && grid->extent() > kShort;
}

// With the words and without, and in other pieces; the first that can be read, else the best.
Result<SizedFigure> best_figure(const Value& value, const Written& piece, const FigurePlace& place, double least, bool is_long) {
  constexpr int kMostPieces = 4;
  constexpr double kOfACell = 1e-3;  // of two that are read alike the one with the larger cells
  std::optional<SizedFigure> best;
  double best_worth = 0;
  for (const bool words : {true, false}) {
    for (int fold = 0; fold <= (is_long ? kMostPieces : 0); ++fold) {
      FigurePlace tried = place;
      tried.words = words && !place.panel;
      tried.fold = is_long ? fold : 1;
      Result<SizedFigure> made = sized_figure(value, piece, tried);
      if (!made && best) continue;  // it is too small in so many pieces
      if (!made) return made;
      const double worth = std::min(least_type(*made), least) - (loses_labels(made->scene) ? least : 0) + kOfACell * made->cell_points;
      const bool is_enough = is_readable(*made, least);
      if (!best || worth > best_worth) best = std::move(*made), best_worth = worth;
      if (!is_enough) continue;
      if (!tried.words || tried.words_cost == 0) return *std::move(best);
      tried.words = false;
      Result<SizedFigure> bare = sized_figure(value, piece, tried);
      if (bare && is_readable(*bare, least) && bare->cell_points >= tried.words_cost * best->cell_points) return bare;
      return *std::move(best);
    }
  }
  return *std::move(best);
}

// A scene of these panels alone, as large as its place has room for.
SizedFigure alone(const Scene& of, std::vector<Panel> panels, const FigurePlace& place) {
  SizedFigure made{of, 0};
  made.scene.panels = std::move(panels);
  made.scene.left_out.clear();
  made.scene.steps.clear();
  made.scene.room.reset();
  made.scene.largest_type = 0;
  const auto [width, height] = with_margins(bounds(made.scene));
  made.cell_points = std::min({place.room.width / width, place.room.height / height, place.largest_cell});
  made.scene.cell_points = made.cell_points;
  return made;
}

// Of a picture whose labels have no room the blocks that are drawn enlarged where there is room below it: together if they can be read so,
// else each by itself; nothing where there are none.
Result<std::vector<SizedFigure>> enlarged(const Value& value, const Written& piece, const FigurePlace& place, double least) {
  FigurePlace below = place;
  below.room.height = 0;
  below.largest_cell = 0;
  below.words = false;
  TESSERA_TRY(whole, sized_figure(value, piece, below));
  std::vector<Panel> panels = std::move(whole.scene.panels);
  std::erase_if(panels, [](const Panel& panel) { return !is_opened(panel); });
  std::vector<SizedFigure> made;
  if (panels.empty()) return std::move(made);
  if (SizedFigure all = alone(whole.scene, panels, place); is_readable(all, least)) {
    made.push_back(std::move(all));
    return std::move(made);
  }
  for (Panel& panel : panels) {
    SizedFigure one = alone(whole.scene, {std::move(panel)}, place);
    if (is_readable(one, least)) made.push_back(std::move(one));
  }
  return std::move(made);
}

bool shows_a_block(const SizedFigure& figure) { return std::any_of(figure.scene.panels.begin(), figure.scene.panels.end(), is_opened); }

}  // namespace

Result<SizedFigure> sized_figure(const Value& value, const Written& piece, const FigurePlace& place) {
  constexpr int kMostTimes = 6;
  constexpr double kEnough = 1.02, kNearlyAsLarge = 0.9;
  const MakeFigure make = [&](const FigureRoom& room) { return drawn(value, piece, place, room); };
  PictureRoom room = place.room;
  std::optional<SizedFigure> best;       // whose cells are not too large
  double narrow = 0, wide = room.width;  // widths at which cells are small enough, and too large
  for (int i = 0;; ++i) {
    Result<SizedFigure> made = for_room(make, room, place.margins, false);
    if (!made && !best) return moved(std::move(made).error(), piece);
    const bool is_small = !made || place.largest_cell == 0 || made->cell_points <= kEnough * place.largest_cell;
    if (!is_small && i == kMostTimes) return best ? *std::move(best) : *std::move(made);
    const double used = made ? with_margins(bounds(made->scene)).width * made->cell_points : 0;
    const double cell = made ? made->cell_points : 0;
    if (is_small) {
      narrow = room.width;
      if (made && (!best || made->cell_points > best->cell_points)) best = *std::move(made);
      if (i == 0 || i == kMostTimes || best->cell_points >= kNearlyAsLarge * place.largest_cell) return *std::move(best);
    } else {
      wide = std::min(room.width, used);
    }
    // Narrower, by as much as the cells are too large; words keep their size and may stand below each other, so that this can be too much.
    room.width = best ? (narrow + wide) / 2 : wide * place.largest_cell / cell;
  }
}

Result<SizedFigure> readable_whole(const Value& value, const Written& piece, const FigurePlace& place, double least) {
  Result<Scene> scene = drawn(value, piece, place, {});
  if (!scene) return moved(std::move(scene).error(), piece);
  return best_figure(value, piece, place, least, is_long_grid(*scene));
}

Result<std::vector<SizedFigure>> readable_figures(const Value& value, const Written& piece, const FigurePlace& place, double least) {
  Result<Scene> scene = drawn(value, piece, place, {});
  if (!scene) return moved(std::move(scene).error(), piece);
  const bool is_long = is_long_grid(*scene);
  TESSERA_TRY(best, best_figure(value, piece, place, least, is_long));
  std::vector<SizedFigure> parts, whole_figure;
  whole_figure.push_back(std::move(best));
  if (is_readable(whole_figure.front(), least)) return std::move(whole_figure);
  std::size_t readable = 0, grids = 0;
  for (std::size_t i = 0; i < scene->panels.size(); ++i) {
    if (!has_cells(scene->panels[i])) continue;
    ++grids;
    FigurePlace of_one = place;
    of_one.panel = i;
    Result<SizedFigure> part = best_figure(value, piece, of_one, least, is_long);
    if (part && !is_readable(*part, least)) {  // its own cells may be parts of a unit
      of_one.largest_cell = 0;
      part = best_figure(value, piece, of_one, least, is_long);
    }
    if (!part) break;  // there is no room for this one alone
    readable += is_readable(*part, least) ? 1 : 0;
    parts.push_back(*std::move(part));
  }
  if (parts.size() > 1 && parts.size() == grids && 2 * readable >= grids) return std::move(parts);
  if (shows_a_block(whole_figure.front())) return std::move(whole_figure);
  Result<std::vector<SizedFigure>> blocks = enlarged(value, piece, place, least);
  if (blocks) whole_figure.insert(whole_figure.end(), std::make_move_iterator(blocks->begin()), std::make_move_iterator(blocks->end()));
  return std::move(whole_figure);
}

bool is_readable(const SizedFigure& figure, double least) { return !loses_labels(figure.scene) && least_type(figure) >= least - kNear; }

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
