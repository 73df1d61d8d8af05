// SPDX-License-Identifier: BSD-3-Clause
#include "core/render/export/page.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/diagram/parts/fold.hpp"
#include "core/diagram/scene/caption_lines.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/detail/enlarged_blocks.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/look.hpp"
#include "core/render/shared/typography.hpp"

namespace tessera {
namespace {

constexpr double kSmallestCell = 0.05;  // points: a printer's dot

// How large cells are, in points, for a picture to have its place.
using CellOf = std::function<double(const Scene&)>;

Error too_small(std::string why) {
  return Error{ErrorCode::out_of_range,
               "there is too little room for this figure: " + std::move(why),
               {},
               {"give it more room, or draw a tile of it"}};
}

constexpr double kWords = 0.36;  // size of words in text units

// A picture whose words are so many points high: text takes room, and so decides how large cells are, which decides how many cells the
// text is high. Nothing where text of that size takes more room than the cells.
// `words`: how wide those below may stand, in points; 0: as the picture.
Result<std::optional<SizedFigure>> with_text(const MakeFigure& make, int fold, double words, const CellOf& cell_of, SizedFigure made,
                                             double points) {
  constexpr double kNear = 0.03;        // of the size that is wanted
  constexpr double kLeastShare = 0.35;  // of the usual cell
  constexpr int kMostTimes = 7, kTimesOfLarge = 2;
  constexpr std::size_t kLarge = 20000;  // cells
  const double usual = made.cell_points;
  const int times = cell_count(made.scene) > kLarge ? kTimesOfLarge : kMostTimes;
  float unit = 0;
  for (int i = 0; i < times; ++i) {
    const auto wanted = static_cast<float>(points / (kWords * made.cell_points));
    if (unit > 0 && std::abs(wanted / unit - 1) < kNear) break;
    unit = wanted;
    TESSERA_TRY(scene, make({.text_unit = unit, .words_width = static_cast<float>(words / made.cell_points), .fold = fold}));
    made = {std::move(scene), 0};
    made.cell_points = cell_of(made.scene);
    if (made.cell_points < kLeastShare * usual) return std::optional<SizedFigure>();
  }
  return std::optional<SizedFigure>(std::move(made));
}

// The least type of labels in what is opened, in points; 0: nothing is.
double opened_type(const Scene& scene, double cell_points) {
  double least = 0;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    if (!is_opened(scene.panels[i])) continue;
    const double type = panel_type_size(scene, i) * cell_points;
    least = least == 0 ? type : std::min(least, type);
  }
  return least;
}

// Where three blocks or more are opened, and the names of all tiles can be read in cells of half the edge: a picture so small, with a block
// beside it, if what is opened becomes larger by that.
Result<std::optional<SizedFigure>> with_a_block_beside(const MakeFigure& make, const SizedFigure& below, const Scene& whole, double text) {
  constexpr double kLargeEnough = 7, kWorth = 1.2;  // points
  constexpr std::size_t kLeastBlocks = 3;
  const double type = opened_type(below.scene, below.cell_points), cell = below.cell_points / 2;
  if (type == 0 || type >= kLargeEnough) return std::optional<SizedFigure>();
  std::size_t blocks = 0;
  for (const Panel& panel : whole.panels) {
    const Grid* grid = first_labelled_grid(panel);
    if (!grid) continue;
    ++blocks;
    const std::optional<TileNames> names = readable_tiles(whole, *grid, cell);
    if (!names || !names->whole) return std::optional<SizedFigure>();
  }
  if (blocks < kLeastBlocks) return std::optional<SizedFigure>();
  const float width = bounds(whole).x1 - left_edge(whole);  // of what stands below
  TESSERA_TRY(half, make({.text_unit = static_cast<float>(text / (kWords * cell)), .words_width = 2 * width}));
  half.largest_type = 2 * whole.largest_type;
  SizedFigure beside{at_size(std::move(half), cell, {.beside = 2 * width}), cell};
  if (opened_type(beside.scene, cell) < kWorth * type) return std::optional<SizedFigure>();
  return std::optional(std::move(beside));
}

// How a picture is laid out in its place.
struct Place {
  CellOf cell_of;
  int fold = 1;
  double words = 0;    // points: how wide the words below may stand; 0: as the picture
  double beside = 0;   // points: how wide the place is where its height is given
  CellOf by_height{};  // how large cells are by the place's height alone; empty: it is not given
  bool all_labels = false;
};

// A picture in a place whose height is given, with what can be read at its size. A part of it that is enlarged has the room beside it, or
// below it; where it would make all cells smaller there is none.
Scene at_given_height(const SizedFigure& whole, const Place& place) {
  constexpr double kNear = 0.98;
  for (const double beside : {place.beside, 0.0}) {
    Scene made =
        at_size(whole.scene, whole.cell_points, {.all_labels = place.all_labels, .beside = static_cast<float>(beside / whole.cell_points)});
    if (place.by_height(made) >= kNear * whole.cell_points) return made;
  }
  return at_size(whole.scene, whole.cell_points, {.all_labels = place.all_labels, .opens = false});
}

// From the picture whose text is in proportion to its cells, which is what `make` makes of 0 with this fold.
Result<SizedFigure> laid_out(Scene in_proportion, const MakeFigure& make, const Place& place) {
  constexpr double kTexts[] = {7, 5, 3.5}, kLargestLabel = 8;  // points; the first that leaves room for cells
  SizedFigure made{std::move(in_proportion), 0};
  made.cell_points = place.cell_of(made.scene);
  if (made.cell_points < kSmallestCell) return too_small(fmt::format("its cells would be {:.2g} pt wide", made.cell_points));
  if (!look_of(made.scene).gives_way) return made;
  double text_points = 0;  // 0: none left room
  for (const double text : kTexts) {
    TESSERA_TRY(sized, with_text(make, place.fold, place.words, place.cell_of, made, text));
    if (!sized) continue;
    made = std::move(*sized);
    text_points = text;
    break;
  }
  made.scene.largest_type = static_cast<float>(kLargestLabel / made.cell_points);
  Scene whole = made.scene;
  made.scene =
      place.by_height ? at_given_height(made, place) : at_size(std::move(made.scene), made.cell_points, {.all_labels = place.all_labels});
  if (!place.by_height && place.fold == 1 && text_points > 0 && !place.all_labels) {
    TESSERA_TRY(beside, with_a_block_beside(make, made, whole, text_points));
    if (beside) made = std::move(*beside);
  }
  made.cell_points = place.cell_of(made.scene);  // what was opened below makes the picture higher, smaller numbers of axes narrower
  made.scene.largest_type = std::min(made.scene.largest_type, static_cast<float>(kLargestLabel / made.cell_points));
  return made;
}

constexpr double kWidest = 11 * 72, kHighest = 14 * 72;  // points: a page
constexpr double kHighestOfWidth = 2.6;                  // of a picture whose width is given

// How wide and high a piece of a folded grid is without text, in cells: with cells beside it, such as padding.
Bounds bare(const Scene& scene, const Foldable& grid) {
  Scene alone;
  alone.panels.emplace_back();
  for (const Mark& mark : scene.panels[grid.grid.panel].marks) {
    if (std::holds_alternative<Grid>(mark) || std::holds_alternative<Cell>(mark)) alone.panels.front().marks.push_back(mark);
  }
  return bounds(alone);
}

// In how many pieces a grid's cells become largest, in so much room: one more is made where it makes them larger by a sixth, until their
// labels can be read. `fixed`: the picture has this width whatever its height is, and is folded as soon as a page is too short for it.
int pieces_for(const Scene& scene, double width, double height, bool fixed) {
  constexpr int kMost = 16;
  constexpr double kEnough = 20;                                // points of a cell whose label can be read
  constexpr double kNumbers = 30, kHeading = 20, kWords = 150;  // points: of row numbers, of column numbers, and above and below it all
  constexpr double kWorth = 7.0 / 6;
  const std::optional<Foldable> grid = foldable(scene);
  if (!grid) return 1;
  const Bounds box = bare(scene, *grid);
  int best = 1;
  double largest = 0;
  for (int n = 1; n <= kMost; ++n) {
    const auto length = static_cast<double>(piece_length(*grid, n));
    const double pieces = std::ceil(static_cast<double>(grid->extent()) / length);
    if (pieces < n) continue;
    const double across = grid->rows ? pieces * box.width() : length * grid->grid.w;
    const double down = grid->rows ? length : pieces * box.height();
    const double by_width = (width - kNumbers * (grid->rows ? pieces : 1)) / across;
    const double by_height = (height - kWords - (grid->rows ? 0 : kHeading * (pieces - 1))) / down;
    if (fixed && grid->rows && by_width <= by_height) return by_width > 0 ? n : best;
    const double cell = std::min({by_width, by_height, kEnough});
    if (cell < kWorth * largest) continue;
    best = n;
    largest = cell;
  }
  return best;
}

Status fold_again(Scene& scene, const MakeFigure& make, int fold) {
  TESSERA_TRY(folded, make({.fold = fold}));
  scene = std::move(folded);
  return Done{};
}

double height(const Scene& scene, bool margins) {
  const Bounds box = bounds(scene);
  return margins ? with_margins(box).height : box.height();
}

// How much larger than its viewBox an SVG asks to be, since browsers show it at that size: twice, or as far as a page.
double zoom_of(const Scene& scene, double cell) {
  constexpr double kUsual = 2;
  const double by_width = cell_for_width(scene, kWidest, true) / cell, by_height = kHighest / height(scene, true) / cell;
  return std::clamp(std::min(by_width, by_height) * kPixelsOfAPoint, 1.0, kUsual);
}

}  // namespace

Result<SizedFigure> for_room(const MakeFigure& make, const PictureRoom& room, bool margins, bool all_labels) {
  constexpr double kNarrowest = 36;       // points: room for a cell with its number
  constexpr double kWordsOfRoom = 0.92;   // of the place's width: what stands at the left of them needs some
  constexpr double kWordsOfHeight = 1.5;  // of the place's height, where no width is given
  for (const double points : {room.width, room.height}) {
    if (points > 0 && points < kNarrowest)
      return too_small(fmt::format("{:.4g} pt, and a cell with its number wants {}", points, kNarrowest));
  }
  TESSERA_TRY(scene, make({}));
  CellOf by_height;
  if (room.height > 0) by_height = [&](const Scene& made) { return room.height / height(made, margins); };
  const CellOf cell_of = [&](const Scene& made) {
    const double by_width = room.width > 0 ? cell_for_width(made, room.width, margins) : INFINITY;
    return by_height ? std::min(by_width, by_height(made)) : by_width;
  };
  const bool is_high =
      room.height > 0 && (room.width == 0 || room.height / height(scene, margins) < cell_for_width(scene, room.width, margins));
  const double words = !is_high ? 0 : room.width > 0 ? kWordsOfRoom * room.width : kWordsOfHeight * room.height;
  const double most = room.height > 0 ? room.height : std::min(kHighest, kHighestOfWidth * room.width);
  const int fold = room.width > 0 ? pieces_for(scene, room.width, most, room.height == 0) : 1;
  if (fold > 1) TESSERA_CHECK(fold_again(scene, make, fold));
  const Place place{cell_of, fold, words, kWordsOfRoom * room.width, by_height, all_labels};
  TESSERA_TRY(made, laid_out(std::move(scene), make, place));
  if (made.scene.left_out.empty() || fold > 1) return made;
  // Where labels have no room side by side, grids one above the other are wider, if there is height for them.
  constexpr double kWorth = 1.2;
  const MakeFigure stacked = [&](const FigureRoom& asked) {
    FigureRoom narrow = asked;
    narrow.stacked = true;
    return make(narrow);
  };
  TESSERA_TRY(below, stacked({}));
  TESSERA_TRY(other, laid_out(std::move(below), stacked, place));
  return other.cell_points >= kWorth * made.cell_points ? std::move(other) : std::move(made);
}

Result<SizedFigure> for_width(const MakeFigure& make, double points, bool margins, bool all_labels) {
  return for_room(make, {.width = points}, margins, all_labels);
}

Result<std::string> render_for_page(const Scene& scene, const MakeFigure& make, RenderPage render, RenderOptions options,
                                    std::string* left_out) {
  const bool margins = render != render_tikz || options.standalone;
  const bool for_browsers = render == render_svg || render == render_html_figure;
  const double usual = options.cell_points;
  const CellOf cell_of = [&](const Scene& made) {
    return std::min({usual, cell_for_width(made, kWidest, margins), kHighest / height(made, margins)});
  };
  const double on_page = cell_of(scene);
  if (for_browsers) options.zoom = zoom_of(scene, usual);
  if (on_page >= usual || on_page < kSmallestCell) {  // what no page can show keeps its size
    const Scene readable = at_size(scene, usual);
    if (left_out) *left_out = readable.left_out;
    return render(readable, options);
  }
  options.zoom = 1;
  Scene pieces = scene;
  const int fold = pieces_for(scene, kWidest, kHighest, false);
  if (fold > 1) TESSERA_CHECK(fold_again(pieces, make, fold));
  TESSERA_TRY(sized, laid_out(std::move(pieces), make, {cell_of, fold}));
  sized.scene.source = scene.source;
  if (left_out) *left_out = sized.scene.left_out;
  options.cell_points = for_browsers ? sized.cell_points * kPixelsOfAPoint : sized.cell_points;
  return render(sized.scene, options);
}

}  // namespace tessera
