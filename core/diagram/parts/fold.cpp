// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/parts/fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagram/parts/figure_parameters.hpp"
#include "core/diagram/parts/figure_parts.hpp"

namespace tessera {

namespace {

// What stands at the first piece alone: headings and words, which are of the whole.
bool is_said_once(const Mark& mark) {
  const auto* label = std::get_if<Label>(&mark);
  return label && label->role != LabelRole::axis && label->role != LabelRole::legend;
}

// The names of the axes, in the corner between their numbers.
bool is_in_corner(const Mark& mark, const PanelPart& part) {
  const auto* label = std::get_if<Label>(&mark);
  return label && label->role == LabelRole::legend && label->x < part.x && label->y < part.y;
}

// The marks of these rows or columns, moved to where the first ones stand.
Panel piece_of(const Panel& panel, const Foldable& whole, const Range& left) {
  PanelPart part = whole.grid;
  (whole.rows ? part.rows_left : part.cols_left) = left;
  Bands x, y;
  x.add(part.x, part.left());
  x.add(part.right(), part.end_x());
  y.add(part.y, part.top());
  y.add(part.bottom(), part.end_y());
  x.sort(), y.sort();
  Panel piece = panel;
  erase_marks(piece, [&](Mark& mark) {
    return (left.first > 0 && (is_said_once(mark) || is_in_corner(mark, whole.grid))) || !move_part(mark, part, x, y);
  });
  return piece;
}

// The distance of the strongest lines that cross the whole grid in the direction in which it is cut, where it is the same everywhere.
std::int64_t period_of(const Panel& panel, const Foldable& whole) {
  std::vector<std::int64_t> places;
  StrokeRole strongest = StrokeRole::grid;
  for (const Mark& mark : panel.marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (!line || line->role < strongest || (whole.rows ? line->y0 != line->y1 : line->x0 != line->x1)) continue;
    const float length = whole.rows ? line->x1 - line->x0 : line->y1 - line->y0;
    if (length < (whole.rows ? whole.grid.w * static_cast<float>(whole.grid.cols) : static_cast<float>(whole.grid.rows)) - 0.5f) continue;
    if (line->role > strongest) places.clear();
    strongest = line->role;
    places.push_back(std::lround(whole.rows ? line->y0 - whole.grid.y : (line->x0 - whole.grid.x) / whole.grid.w));
  }
  std::sort(places.begin(), places.end());
  if (places.empty()) return 0;
  const std::int64_t period = places.front();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] != period * static_cast<std::int64_t>(i + 1)) return 0;
  }
  return whole.extent() % period == 0 ? period : 0;
}

// "n 32-63: offsets 512 to 1023", below a piece of rows; empty: nothing is known of its offsets.
std::string words_of_piece(const Panel& piece, std::int64_t first, std::int64_t last) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = -1;
  for (const Mark& mark : piece.marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    for (std::size_t i = 0; grid && i < grid->of->address.size(); ++i) {
      least = std::min(least, grid->of->address[i]);
      most = std::max(most, grid->of->address[i]);
    }
  }
  if (most < 0 || least < 0) return {};
  return fmt::format("{} {}-{}: offsets {} to {}", piece.axes.down.empty() ? "rows" : piece.axes.down, first, last, least, most);
}

// Says it, where every piece has room for it.
void add_words_of_pieces(Scene& scene, std::vector<Panel>& pieces, const Foldable& whole, std::int64_t length, float unit) {
  constexpr float kSign = 0.57F;  // in type sizes
  const float size = 0.36F * unit, width = whole.grid.w * static_cast<float>(whole.grid.cols);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto first = static_cast<std::int64_t>(i) * length;
    words.push_back(words_of_piece(pieces[i], first, std::min(first + length, whole.extent()) - 1));
    if (words.back().empty() || kSign * size * static_cast<float>(words.back().size()) > width) return;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto rows = static_cast<float>(std::min(length, whole.extent() - static_cast<std::int64_t>(i) * length));
    pieces[i].marks.push_back(
        Label{whole.grid.x, whole.grid.y + rows + 1.1F * size, scene.intern(words[i]), LabelRole::legend, Anchor::left, size});
  }
}

}  // namespace

std::optional<Foldable> foldable(const Scene& scene) {
  if (scene.style != FigureStyle::tessera) return std::nullopt;
  std::optional<Foldable> found;
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    const auto grids = std::count_if(scene.panels[i].marks.begin(), scene.panels[i].marks.end(),
                                     [](const Mark& mark) { return std::holds_alternative<Grid>(mark); });
    if (grids == 0) continue;
    if (found || grids > 1) return std::nullopt;
    const PanelPart grid = grids_of(scene, i);
    found = Foldable{grid, static_cast<float>(grid.rows) >= grid.w * static_cast<float>(grid.cols)};
    found->period = period_of(scene.panels[i], *found);
  }
  return found;
}

std::int64_t piece_length(const Foldable& whole, std::int64_t pieces) {
  constexpr std::int64_t kRound = 8;
  const std::int64_t extent = whole.extent(), length = (extent + pieces - 1) / pieces;
  if (whole.period > 1) {
    const std::int64_t periods = (length + whole.period - 1) / whole.period * whole.period;
    if (periods < extent && extent % periods == 0 && 2 * periods <= 3 * length) return periods;
    // One piece more, all of the same length, rather than a short one at the end.
    for (std::int64_t even = periods - whole.period; 2 * even > length; even -= whole.period) {
      if (extent % even == 0) return even;
    }
    if (periods < extent && 2 * periods <= 3 * length) return periods;
  }
  return length > 2 * kRound ? (length + kRound - 1) / kRound * kRound : length;
}

Result<std::optional<Folded>> fold(Scene& scene, const FigureSpec& spec, float unit) {
  TESSERA_TRY(pieces_asked, integer(spec, kFold));
  const std::int64_t asked = pieces_asked.value_or(1);
  if (asked == 1) return std::optional<Folded>();
  const std::optional<Foldable> whole = foldable(scene);
  if (!whole) {
    return Error{ErrorCode::wrong_type,
                 fmt::format("fold={}: only a picture of one grid is folded, in our own style", asked),
                 {},
                 {"leave fold out, or draw one of its grids alone"}};
  }
  const std::int64_t extent = whole->extent(), length = piece_length(*whole, asked);
  if (length >= extent) return std::optional<Folded>();
  Panel& panel = scene.panels[whole->grid.panel];
  std::vector<Panel> cut;
  for (std::int64_t first = 0; first < extent; first += length)
    cut.push_back(piece_of(panel, *whole, {first, std::min(first + length, extent) - 1}));
  if (whole->rows) add_words_of_pieces(scene, cut, *whole, length, unit);
  const Bounds box = bounds(cut[1]);  // the second piece has no heading, and is no smaller than the others
  const float step = (whole->rows ? box.width() : box.height()) + 0.6f * unit;
  panel = std::move(cut.front());
  for (std::size_t i = 1; i < cut.size(); ++i) {
    const float at = step * static_cast<float>(i);
    shift(cut[i], whole->rows ? at : 0, whole->rows ? 0 : at);
    panel.marks.insert(panel.marks.end(), cut[i].marks.begin(), cut[i].marks.end());
  }
  const std::int64_t pieces = (extent + length - 1) / length;
  const bool at_lines = whole->period > 1 && length % whole->period == 0;
  return std::optional(
      whole->rows ? Folded{length, pieces * static_cast<std::int64_t>(std::ceil(whole->grid.w * static_cast<float>(whole->grid.cols))),
                           pieces, at_lines}
                  : Folded{pieces * whole->grid.rows, length, pieces, at_lines});
}

}  // namespace tessera
