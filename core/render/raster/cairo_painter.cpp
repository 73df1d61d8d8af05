// SPDX-License-Identifier: BSD-3-Clause
// Marks -> Cairo's paths. Small details are left out where they would be smaller than a few pixels.
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/cairo_painter.hpp"

#include <algorithm>
#include <cmath>

#include "core/render/raster/glyphs.hpp"

namespace tessera {

namespace {

constexpr std::size_t kMostRuns = 32768;  // of one colour in a grid; more are an image
constexpr double kSmallestGrid = 5.0;     // pixels a cell: a finer grid would cover the colours

constexpr double kMostOfACell = 0.25;  // is a page's line wide that must be seen, where nobody says how far the next one is

class CairoPainter {
 public:
  // Units change here: after this scale the context is in cells.
  CairoPainter(const Prepared& prepared, cairo_t* cr, const Stop& stop, GlyphImages* images, double begin, double rows)
      : prepared_(prepared),
        scene_(prepared.scene),
        cr_(cr),
        stop_(stop),
        glyphs_(cr, images),
        cell_(prepared.cell),
        vector_(prepared.vector) {
    const Bounds& box = prepared.box;
    const double margin = 0.5 * page_unit(box);
    cairo_translate(cr_, 0, -begin);
    cairo_scale(cr_, cell_, cell_);
    cairo_translate(cr_, margin - box.x0, margin - box.y0);
    cairo_set_line_cap(cr_, CAIRO_LINE_CAP_SQUARE);
    top_ = begin / cell_ - margin + box.y0;
    bottom_ = (begin + rows) / cell_ - margin + box.y0;
  }

  void paint() {
    if (prepared_.paper) {
      source(scene_.page.paper);
      cairo_paint(cr_);
    }
    for (std::size_t p = 0; p < scene_.panels.size(); ++p) {
      for (const Mark& mark : scene_.panels[p].marks) {
        if (stop_()) return;
        if (!std::holds_alternative<Line>(mark)) fill_lines();
        std::visit(*this, mark);
      }
      fill_lines();
      labels(p);  // last: grids and borders go under them
      if (stop_()) return;
      glyphs_.flush();
    }
  }

  void operator()(const Cell& cell) {
    if (cell.fill == kNoColor || !seen(cell.y, cell.y + cell.h)) return;
    source(scene_.palette[cell.fill]);
    fill_rectangle(cell.x, cell.y, cell.w, cell.h);
    if (!is_sample(cell)) return;
    corner(view(scene_, cell), kCornerInset * cell.h, kCornerInset * cell.h, kSampleCorner * cell.h, kSampleCorner * cell.h);
    source(scene_.page.ink);
    cairo_fill(cr_);
  }
  void operator()(const Grid& grid) {
    const std::vector<FillRun>& runs = prepared_.runs.at(grid.of.get());
    if (runs.size() > kMostRuns) return picture(grid);
    for (const FillRun& run : runs) {
      if (stop_()) return;
      const double y = grid.y + grid.h * static_cast<float>(run.row);
      if (!seen(y, y + grid.h * run.rows)) continue;
      // On a page edges are smoothed, and between two smoothed edges the paper shines through: a run reaches under its neighbours.
      const float under = vector_ ? 0.5f : 0.0f;
      const float right = run.col + run.cols < grid.of->cols ? under : 0, below = run.row + run.rows < grid.of->rows ? under : 0;
      source(scene_.palette[run.fill]);
      fill_rectangle(grid.x + grid.w * static_cast<float>(run.col), grid.y + grid.h * static_cast<float>(run.row),
                     grid.w * (static_cast<float>(run.cols) + right), grid.h * (static_cast<float>(run.rows) + below));
    }
    shared_corners(grid);
  }
  void operator()(const Outline& o) {
    if (!seen(o.y, o.y + o.h)) return;
    if (o.grid) return grid_lines(o);
    cairo_rectangle(cr_, o.x, o.y, o.w, o.h);
    stroke(o.role, kNoColor);
  }
  void operator()(const Line& l) {
    if (!seen(std::min(l.y0, l.y1), std::max(l.y0, l.y1))) return;
    if (vector_ && (l.x0 == l.x1 || l.y0 == l.y1)) return add_line(l);
    fill_lines();
    segment(l.x0, l.y0, l.x1, l.y1);
    stroke(l.role, l.color);
  }
  void operator()(const Arrow& a) {
    if (!seen(std::min(a.y0, a.y1), std::max(a.y0, a.y1))) return;
    const double angle = std::atan2(a.y1 - a.y0, a.x1 - a.x0), head = 0.22;
    segment(a.x0, a.y0, a.x1, a.y1);
    for (const double turn : {0.45, -0.45}) segment(a.x1 - head * std::cos(angle + turn), a.y1 - head * std::sin(angle + turn), a.x1, a.y1);
    stroke(StrokeRole::boundary, a.color);
  }
  void operator()(const Label& l) {
    const double size = type_size(l), align = l.anchor == Anchor::left ? 0.0 : l.anchor == Anchor::right ? 1.0 : 0.5;
    if ((size * cell_ < kSmallestType && !vector_) || !seen(l.y - 2 * size, l.y + 2 * size)) return;
    const Typeface face = is_mono(l.role) ? Typeface::jetbrains_mono : is_bold(l.role) ? Typeface::inter_semibold : Typeface::inter;
    glyphs_.add(face, size, label_color(l.role, scene_.page), l.x, l.y + kCapMiddle * size, align, scene_.text_of(l.text));
  }

 private:
  // Is something of the band between these heights, with room for a stroke around them?
  bool seen(double from, double to) const {
    const double room = 1 + 2 / cell_;
    return vector_ || (from - room <= bottom_ && to + room >= top_);
  }
  // Rows [first, second) of a grid that are seen, with one more at each end for what reaches beyond its cell.
  std::pair<std::size_t, std::size_t> rows_seen(const Grid& grid) const {
    const auto rows = static_cast<double>(grid.of->rows);
    if (vector_) return {0, static_cast<std::size_t>(grid.of->rows)};
    const auto at = [&](double y, double more) { return static_cast<std::size_t>(std::clamp((y - grid.y) / grid.h + more, 0.0, rows)); };
    return {at(top_, -2), at(bottom_, 3)};
  }
  void source(Rgb c) { cairo_set_source_rgb(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0); }
  void segment(double x0, double y0, double x1, double y1) {
    cairo_move_to(cr_, x0, y0);
    cairo_line_to(cr_, x1, y1);
  }
  Rgb stroke_color(StrokeRole role, ColorIndex color) const {
    return color == kNoColor ? prepared_.look.stroke(role).color : scene_.palette[color];
  }
  void stroke(StrokeRole role, ColorIndex color) {
    source(stroke_color(role, color));
    cairo_set_line_width(cr_, std::max(prepared_.look.stroke(role).width, vector_ ? 0.0 : 0.6 / cell_));
    cairo_stroke(cr_);
  }
  void grid_lines(const Outline& o) {
    if (!vector_ && cell_ * std::min(o.step_x, o.step_y) < kSmallestGrid) return;
    const int edge = prepared_.look.first_grid_line;
    for (int i = edge; i <= std::lround(o.w / o.step_x) - edge && !stop_(); ++i) {
      const float x = o.x + o.step_x * static_cast<float>(i);
      grid_line(o.role, o.step_x, x, o.y, x, o.y + o.h);
    }
    for (int i = edge; i <= std::lround(o.h / o.step_y) - edge && !stop_(); ++i) {
      const float y = o.y + o.step_y * static_cast<float>(i);
      if (seen(y, y)) grid_line(o.role, o.step_y, o.x, y, o.x + o.w, y);
    }
    if (!vector_) return stroke(o.role, kNoColor);
    source(stroke_color(o.role, kNoColor));
    cairo_fill(cr_);
  }
  void grid_line(StrokeRole role, double step, double x0, double y0, double x1, double y1) {
    if (vector_)
      bar(std::max(prepared_.look.stroke(role).width, std::min(kLeastLine / cell_, kMostOfAStep * step)), x0, y0, x1, y1);
    else
      segment(x0, y0, x1, y1);
  }
  // An upright or level line as the area that it covers, with square ends.
  void bar(double width, double x0, double y0, double x1, double y1) {
    cairo_rectangle(cr_, std::min(x0, x1) - width / 2, std::min(y0, y1) - width / 2, std::abs(x1 - x0) + width, std::abs(y1 - y0) + width);
  }
  // Lines of one look, one after the other, are one area.
  void add_line(const Line& l) {
    const Rgb color = stroke_color(l.role, l.color);
    if (lines_ && !(*lines_ == color)) fill_lines();
    lines_ = color;
    bar(std::max(prepared_.look.stroke(l.role).width, std::min(kLeastLine / cell_, kMostOfACell)), l.x0, l.y0, l.x1, l.y1);
  }
  void fill_lines() {
    if (!lines_) return;
    source(*lines_);
    cairo_fill(cr_);
    lines_.reset();
  }
  void fill_rectangle(double x, double y, double w, double h) {
    cairo_set_antialias(cr_, vector_ ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(cr_, x, y, w, h);
    cairo_fill(cr_);
    cairo_set_antialias(cr_, CAIRO_ANTIALIAS_DEFAULT);
  }
  void corner(const CellView& cell, double inset_x, double inset_y, double w, double h) {
    cairo_move_to(cr_, cell.x + cell.w - inset_x - w, cell.y + inset_y);
    cairo_rel_line_to(cr_, w, 0);
    cairo_rel_line_to(cr_, 0, h);
    cairo_close_path(cr_);
  }
  // A triangle in the corner of each cell that has more owners than the one that is named.
  void shared_corners(const Grid& grid) {
    const GridColumns& of = *grid.of;
    if (!of.marks_shared()) return;
    const auto [first, end] = rows_seen(grid);
    const auto cols = static_cast<std::size_t>(of.cols);
    for (std::size_t i = first * cols; i < end * cols && !stop_(); ++i) {
      if (of.others_of(i).empty()) continue;
      const CellView cell = view(grid, i);
      corner(cell, cell.w * kCornerInset, cell.h * kCornerInset, cell.w * kSharedCorner, cell.h * kSharedCorner);
    }
    source(scene_.page.ink);
    cairo_fill(cr_);
  }
  // A grid of very many colours is an image with a pixel a cell, and of a band its rows.
  void picture(const Grid& grid) {
    const GridColumns& of = *grid.of;
    const auto [first, end] = rows_seen(grid);
    if (first >= end) return;
    const auto rows = static_cast<int>(end - first);
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, of.cols, rows);
    unsigned char* data = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (std::size_t row = first; data != nullptr && row < end; ++row) {
      auto* pixels = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(row - first) * stride);
      for (std::int32_t col = 0; col < of.cols; ++col) {
        const ColorIndex fill = of.fills[row * static_cast<std::size_t>(of.cols) + static_cast<std::size_t>(col)];
        if (fill == kNoColor) continue;
        const Rgb c = scene_.palette[fill];
        pixels[col] = 0xff000000u | std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
      }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(cr_);
    cairo_translate(cr_, grid.x, grid.y);
    cairo_scale(cr_, grid.w, grid.h);
    cairo_set_source_surface(cr_, image, 0, static_cast<double>(first));
    // Near enough for each cell to be a square of its own; from far away neighbours are averaged, so that patterns do not flicker.
    cairo_pattern_set_filter(cairo_get_source(cr_), vector_ || cell_ >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_rectangle(cr_, 0, static_cast<double>(first), of.cols, rows);
    cairo_fill(cr_);
    cairo_restore(cr_);
    cairo_surface_destroy(image);
  }
  void labels(std::size_t panel) {
    const double type = prepared_.types[panel];
    if (type * cell_ < kSmallestType && !vector_) return;
    for (const Mark& mark : scene_.panels[panel].marks) {
      if (const auto* cell = std::get_if<Cell>(&mark); cell && seen(cell->y - cell->h, cell->y + 2 * cell->h))
        label(view(scene_, *cell), type);
      const auto* grid = std::get_if<Grid>(&mark);
      if (grid == nullptr || grid->of->label_ends.empty()) continue;
      const auto cols = static_cast<std::size_t>(grid->of->cols);
      const auto [first, end] = rows_seen(*grid);
      for (std::size_t i = first * cols; i < end * cols && !stop_(); ++i) label(view(*grid, i), type);
    }
  }
  void label(const CellView& cell, double type) {
    const LabelLines lines = label_lines(cell.label);
    for (int line = 0; line < lines.count; ++line) {
      const double size = type * lines.size[line];
      const double baseline = cell.y + cell.h / 2 + type * lines.offset[line] + kCapMiddle * size;
      glyphs_.add(lines.count == 2 && line == 0 ? Typeface::inter_semibold : Typeface::inter, size, prepared_.text_colors.of(cell),
                  cell.x + cell.w / 2, baseline, 0.5, lines.line[line]);
    }
  }

  const Prepared& prepared_;
  const Scene& scene_;
  cairo_t* cr_;
  const Stop& stop_;
  Glyphs glyphs_;
  double cell_, top_ = 0, bottom_ = 0;  // what is seen, in cells
  bool vector_;
  std::optional<Rgb> lines_;  // of those that are a path and not yet filled
};

}  // namespace

Prepared::Prepared(const Scene& of, Bounds bounds_of_it, double cell_size, bool is_page, bool has_paper)
    : scene(of), box(bounds_of_it), cell(cell_size), vector(is_page), paper(has_paper), text_colors(of), look(look_of(of)) {
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    types.push_back(cell_type_size(scene, p));
    for (const Mark& mark : scene.panels[p].marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) runs.emplace(grid->of.get(), fill_runs(*grid->of));
    }
  }
}

void paint_page(const Prepared& prepared, cairo_t* cr, const Stop& stop) { CairoPainter(prepared, cr, stop, nullptr, 0, 0).paint(); }

void paint_rows(const Prepared& prepared, cairo_t* cr, const Stop& stop, GlyphImages& images, double begin, double rows) {
  CairoPainter(prepared, cr, stop, &images, begin, rows).paint();
}

}  // namespace tessera

#endif
