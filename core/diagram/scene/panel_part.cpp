// SPDX-License-Identifier: BSD-3-Clause
#include "core/diagram/scene/panel_part.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace tessera {

void add_rectangle(Panel& panel, const Bounds& box, StrokeRole role, ColorIndex color) {
  const auto [x0, y0, x1, y1] = box;
  for (const Line& side : {Line{x0, y0, x1, y0}, Line{x1, y0, x1, y1}, Line{x1, y1, x0, y1}, Line{x0, y1, x0, y0}})
    panel.marks.push_back(Line{side.x0, side.y0, side.x1, side.y1, role, color});
}

PanelPart grids_of(const Scene& scene, std::size_t panel) {
  PanelPart part;
  part.panel = panel;
  for (const Mark& mark : scene.panels[panel].marks) {
    const auto* grid = std::get_if<Grid>(&mark);
    if (!grid) continue;
    if (part.cells == 0) part.x = grid->x, part.y = grid->y, part.w = grid->w;
    part.rows += grid->of->rows;
    part.cols = std::max<std::int64_t>(part.cols, grid->of->cols);
    part.cells += static_cast<std::int64_t>(grid->of->size());
  }
  part.rows_left = {0, part.rows - 1};
  part.cols_left = {0, part.cols - 1};
  return part;
}

GridColumns part_of(const GridColumns& of, const Range& rows, const Range& cols) {
  GridColumns part;
  part.rows = static_cast<std::int32_t>(rows.count());
  part.cols = static_cast<std::int32_t>(cols.count());
  part.place = of.place == GridColumns::Place::none ? of.place : GridColumns::Place::given;
  part.tensor = of.tensor, part.rest = of.rest, part.bits = of.bits, part.byte_offset = of.byte_offset;
  part.shared_in_words = of.shared_in_words;
  part.whole_rows = std::min(of.whole_rows, part.rows), part.whole_cols = std::min(of.whole_cols, part.cols);
  const auto take = [](const auto& from, auto& into, std::size_t i) {
    if (!from.empty()) into.push_back(from[i]);
  };
  for (std::int64_t r = rows.first; r <= rows.last; ++r) {
    for (std::int64_t c = cols.first; c <= cols.last; ++c) {
      const auto i = static_cast<std::size_t>(r * of.cols + c);
      take(of.fills, part.fills, i);
      take(of.faint, part.faint, i);
      take(of.thread, part.thread, i);
      take(of.value, part.value, i);
      take(of.address, part.address, i);
      take(of.rests, part.rests, i);
      take(of.banks, part.banks, i);
      if (!of.label_ends.empty()) part.add_label(of.label(i));
      if (part.place == GridColumns::Place::given) {
        const Subject subject = of.subject(i);
        part.row.push_back(subject.row);
        part.col.push_back(subject.col);
      }
      if (!of.place_ends.empty()) {
        const std::span<const OtherPlace> places = of.places_of(i);
        part.places.insert(part.places.end(), places.begin(), places.end());
        part.place_ends.push_back(static_cast<std::uint32_t>(part.places.size()));
      }
      if (of.other_ends.empty()) continue;
      const std::span<const Owner> others = of.others_of(i);
      part.others.insert(part.others.end(), others.begin(), others.end());
      part.other_ends.push_back(static_cast<std::uint32_t>(part.others.size()));
    }
  }
  return part;
}

GridColumns without_labels(const GridColumns& of) {
  GridColumns bare;
  bare.rows = of.rows, bare.cols = of.cols;
  bare.fills = of.fills, bare.faint = of.faint;
  bare.place = of.place, bare.row = of.row, bare.col = of.col;
  bare.thread = of.thread, bare.value = of.value, bare.address = of.address;
  bare.tensor = of.tensor, bare.rest = of.rest, bare.bits = of.bits, bare.byte_offset = of.byte_offset;
  bare.other_ends = of.other_ends, bare.others = of.others, bare.shared_in_words = of.shared_in_words;
  bare.rests = of.rests, bare.banks = of.banks, bare.place_ends = of.place_ends, bare.places = of.places;
  bare.order = of.order;
  bare.whole_rows = of.whole_rows, bare.whole_cols = of.whole_cols;
  return bare;
}

void Bands::sort() {
  std::sort(bands_.begin(), bands_.end());
  std::vector<std::pair<float, float>> joined;
  for (const auto& band : bands_) {
    if (!joined.empty() && band.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, band.second);
    else
      joined.push_back(band);
  }
  bands_ = std::move(joined);
}

float Bands::operator()(float at) const {
  float gone = 0;
  for (const auto& [from, to] : bands_) {
    if (at > from) gone += std::min(at, to) - from;
  }
  return at - gone;
}

namespace {

struct Move {
  const PanelPart& part;
  const Bands &x, &y;

  bool operator()(Grid& grid) const {
    const auto line = static_cast<std::int64_t>(grid.y - part.y + 0.5f);  // of the panel, where this grid begins
    const Range rows{std::max<std::int64_t>(part.rows_left.first - line, 0),
                     std::min<std::int64_t>(part.rows_left.last - line, grid.of->rows - 1)};
    const Range cols{part.cols_left.first, std::min<std::int64_t>(part.cols_left.last, grid.of->cols - 1)};
    if (rows.empty() || cols.empty()) return false;
    grid.of = std::make_shared<const GridColumns>(part_of(*grid.of, rows, cols));
    grid.x = x(part.left());
    grid.y = y(std::max(part.top(), grid.y));
    return true;
  }
  // Cells beside a grid, padding, stay where nothing of the grid between is taken out.
  bool operator()(Cell& cell) const {
    const float end_x = part.end_x(), end_y = part.end_y();
    const float cx = cell.x + cell.w / 2, cy = cell.y + cell.h / 2;
    const bool in_x = cx > part.left() && (cx < part.right() || (cx > end_x && part.cols_left.last == part.cols - 1));
    const bool in_y = cy > part.top() && (cy < part.bottom() || (cy > end_y && part.rows_left.last == part.rows - 1));
    cell.x = x(cell.x);
    cell.y = y(cell.y);
    return in_x && in_y;
  }
  bool operator()(Outline& outline) const {
    const float x0 = x(outline.x), y0 = y(outline.y);
    outline.w = x(outline.x + outline.w) - x0;
    outline.h = y(outline.y + outline.h) - y0;
    outline.x = x0;
    outline.y = y0;
    return outline.w > 0 && outline.h > 0;
  }
  bool operator()(Line& line) const {
    const bool upright = line.x0 == line.x1;
    const bool inside = upright ? line.x0 > part.left() && line.x0 < part.right() : line.y0 > part.top() && line.y0 < part.bottom();
    line.x0 = x(line.x0), line.x1 = x(line.x1), line.y0 = y(line.y0), line.y1 = y(line.y1);
    return inside && (line.x0 != line.x1 || line.y0 != line.y1);
  }
  bool operator()(Label& label) const {
    const bool row = label.role == LabelRole::axis && label.anchor == Anchor::right, column = label.role == LabelRole::axis && !row;
    const bool stays =
        (!row || (label.y > part.top() && label.y < part.bottom())) && (!column || (label.x > part.left() && label.x < part.right()));
    label.x = x(label.x);
    label.y = y(label.y);
    return stays;
  }
  bool operator()(Arrow& arrow) const {
    arrow.x0 = x(arrow.x0), arrow.x1 = x(arrow.x1), arrow.y0 = y(arrow.y0), arrow.y1 = y(arrow.y1);
    return true;
  }
};

struct Shift {
  float dx, dy;
  template <class Box>
  void move(Box& box) const {
    box.x += dx, box.y += dy;
  }
  void operator()(Cell& c) const { move(c); }
  void operator()(Grid& g) const { move(g); }
  void operator()(Outline& o) const { move(o); }
  void operator()(Label& l) const { move(l); }
  void operator()(Line& l) const { l.x0 += dx, l.x1 += dx, l.y0 += dy, l.y1 += dy; }
  void operator()(Arrow& a) const { a.x0 += dx, a.x1 += dx, a.y0 += dy, a.y1 += dy; }
};

}  // namespace

void shift(Mark& mark, float dx, float dy) { std::visit(Shift{dx, dy}, mark); }

void shift(Panel& panel, float dx, float dy) {
  for (Mark& mark : panel.marks) shift(mark, dx, dy);
}

bool move_part(Mark& mark, const PanelPart& part, const Bands& x, const Bands& y) { return std::visit(Move{part, x, y}, mark); }

}  // namespace tessera
