// SPDX-License-Identifier: BSD-3-Clause
// Scene -> PNG and PDF through Cairo. Small details are left out where they would be smaller than a few pixels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/render/fill_runs.hpp"
#include "core/render/progress.hpp"
#include "core/render/render.hpp"
#include "core/render/source_embed.hpp"
#include "core/render/typography.hpp"

#if TESSERA_HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>

#include "core/render/glyphs.hpp"
#include "core/render/png_file.hpp"
#endif

namespace tessera {

#if TESSERA_HAVE_CAIRO

namespace {

constexpr double kLongestEdge = 3840;  // pixels of a PNG at scale 1 where nobody asked for a size; larger scenes get smaller cells
constexpr double kPointsOfAnInch = 72;
constexpr double kLargestEdge = 30000;  // Cairo's images end at 32767
constexpr double kMostPixels = 1 << 28;
constexpr double kLongestPage = 14000;    // points; PDF readers end at 14400
constexpr double kSmallestType = 2.6;     // pixels: smaller text is grey noise
constexpr std::size_t kMostRuns = 32768;  // of one colour in a grid; more are an image
constexpr double kSmallestGrid = 5.0;     // pixels a cell: a finer grid would cover the colours

// Memory that drawing takes, measured: Cairo keeps a PDF's page as commands until it is complete.
constexpr std::int64_t kBytesOfAPixel = 8;
constexpr std::int64_t kBytesOfAPdfCell = 160;
std::int64_t glyph_bytes(const Scene& scene) {
  constexpr std::int64_t kBytesOfAGlyph = 48;
  std::size_t signs = scene.text.size();
  for (const Panel& panel : scene.panels) {
    for (const Mark& mark : panel.marks) {
      if (const auto* grid = std::get_if<Grid>(&mark)) signs += grid->of->text.size();
    }
  }
  return count_product(static_cast<std::int64_t>(signs), kBytesOfAGlyph);
}

class CairoPainter {
 public:
  // Units change here: after this scale the context is in cells.
  CairoPainter(const Scene& scene, cairo_t* cr, RenderProgress& progress, Bounds box, double cell, bool vector, bool paper)
      : scene_(scene), cr_(cr), progress_(progress), glyphs_(cr), cell_(cell), vector_(vector), paper_(paper) {
    const double margin = 0.5 * page_unit(box);
    cairo_scale(cr_, cell, cell);
    cairo_translate(cr_, margin - box.x0, margin - box.y0);
    cairo_set_line_cap(cr_, CAIRO_LINE_CAP_SQUARE);
  }

  void paint() {
    if (paper_) {
      source(scene_.page.paper);
      cairo_paint(cr_);
    }
    for (std::size_t p = 0; p < scene_.panels.size(); ++p) {
      for (const Mark& mark : scene_.panels[p].marks) {
        if (progress_.stop()) return;
        std::visit(*this, mark);
      }
      labels(p);  // last: grids and borders go under them
      if (progress_.stop()) return;
      glyphs_.flush();
    }
  }

  void operator()(const Cell& cell) {
    if (cell.fill == kNoColor) return;
    source(scene_.palette[cell.fill].rgb);
    fill_rectangle(cell.x, cell.y, cell.w, cell.h);
  }
  void operator()(const Grid& grid) {
    const std::vector<FillRun> runs = fill_runs(*grid.of);
    if (runs.size() > kMostRuns) return picture(grid);
    for (const FillRun& run : runs) {
      if (progress_.stop()) return;
      // On a page edges are smoothed, and between two smoothed edges the paper shines through: a run reaches under its neighbours.
      const float under = vector_ ? 0.5f : 0.0f;
      const float right = run.col + run.cols < grid.of->cols ? under : 0, below = run.row + run.rows < grid.of->rows ? under : 0;
      source(scene_.palette[run.fill].rgb);
      fill_rectangle(grid.x + grid.w * static_cast<float>(run.col), grid.y + grid.h * static_cast<float>(run.row),
                     grid.w * (static_cast<float>(run.cols) + right), grid.h * (static_cast<float>(run.rows) + below));
    }
    shared_corners(grid);
  }
  void operator()(const Outline& o) {
    const int edge = scene_.style == FigureStyle::tessera ? 1 : 0;  // CuTe's grid draws its own border
    if (o.grid && cell_ * std::min(o.step_x, o.step_y) < kSmallestGrid && !vector_) return;
    if (o.grid) {
      for (int i = edge; i <= std::lround(o.w / o.step_x) - edge && !progress_.stop(); ++i)
        segment(o.x + o.step_x * static_cast<float>(i), o.y, o.x + o.step_x * static_cast<float>(i), o.y + o.h);
      for (int i = edge; i <= std::lround(o.h / o.step_y) - edge && !progress_.stop(); ++i)
        segment(o.x, o.y + o.step_y * static_cast<float>(i), o.x + o.w, o.y + o.step_y * static_cast<float>(i));
    } else {
      cairo_rectangle(cr_, o.x, o.y, o.w, o.h);
    }
    stroke(o.role, kNoColor);
  }
  void operator()(const Line& l) {
    segment(l.x0, l.y0, l.x1, l.y1);
    stroke(l.role, l.color);
  }
  void operator()(const Arrow& a) {
    const double angle = std::atan2(a.y1 - a.y0, a.x1 - a.x0), head = 0.22;
    segment(a.x0, a.y0, a.x1, a.y1);
    for (const double turn : {0.45, -0.45}) segment(a.x1 - head * std::cos(angle + turn), a.y1 - head * std::sin(angle + turn), a.x1, a.y1);
    stroke(StrokeRole::boundary, a.color);
  }
  void operator()(const Label& l) {
    const double size = type_size(l), align = l.anchor == Anchor::left ? 0.0 : l.anchor == Anchor::right ? 1.0 : 0.5;
    if (size * cell_ < kSmallestType && !vector_) return;
    const Typeface face = is_mono(l.role) ? Typeface::jetbrains_mono : is_bold(l.role) ? Typeface::inter_semibold : Typeface::inter;
    glyphs_.add(face, size, label_color(l.role, scene_.page), l.x, l.y + kCapMiddle * size, align, scene_.text_of(l.text));
  }

 private:
  void source(Rgb c) { cairo_set_source_rgb(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0); }
  void segment(double x0, double y0, double x1, double y1) {
    cairo_move_to(cr_, x0, y0);
    cairo_line_to(cr_, x1, y1);
  }
  void stroke(StrokeRole role, ColorIndex color) {
    const StrokeLook look = stroke_look(role, scene_);
    source(color == kNoColor ? look.color : scene_.palette[color].rgb);
    cairo_set_line_width(cr_, std::max(look.width, vector_ ? 0.0 : 0.6 / cell_));
    cairo_stroke(cr_);
  }
  void fill_rectangle(double x, double y, double w, double h) {
    cairo_set_antialias(cr_, vector_ ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(cr_, x, y, w, h);
    cairo_fill(cr_);
    cairo_set_antialias(cr_, CAIRO_ANTIALIAS_DEFAULT);
  }
  // A triangle in the corner of each cell that has more owners than the one that is named.
  void shared_corners(const Grid& grid) {
    const GridColumns& of = *grid.of;
    if (of.label_ends.empty() || of.other_ends.empty()) return;
    for (std::size_t i = 0; i < of.other_ends.size() && !progress_.stop(); ++i) {
      if (of.others_of(i).empty()) continue;
      const CellView cell = view(grid, i);
      cairo_move_to(cr_, cell.x + cell.w * (1 - kSharedCorner), cell.y);
      cairo_rel_line_to(cr_, cell.w * kSharedCorner, 0);
      cairo_rel_line_to(cr_, 0, cell.h * kSharedCorner);
      cairo_close_path(cr_);
    }
    source(scene_.page.ink);
    cairo_fill(cr_);
  }
  // A grid of very many colours is an image with a pixel a cell.
  void picture(const Grid& grid) {
    const GridColumns& of = *grid.of;
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, of.cols, of.rows);
    unsigned char* data = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    for (std::int32_t row = 0; data != nullptr && row < of.rows; ++row) {
      auto* pixels = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(row) * stride);
      for (std::int32_t col = 0; col < of.cols; ++col) {
        const ColorIndex fill = of.fills[static_cast<std::size_t>(row) * static_cast<std::size_t>(of.cols) + static_cast<std::size_t>(col)];
        if (fill == kNoColor) continue;
        const Rgb c = scene_.palette[fill].rgb;
        pixels[col] = 0xff000000u | std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
      }
    }
    cairo_surface_mark_dirty(image);
    cairo_save(cr_);
    cairo_translate(cr_, grid.x, grid.y);
    cairo_scale(cr_, grid.w, grid.h);
    cairo_set_source_surface(cr_, image, 0, 0);
    // Near enough for each cell to be a square of its own; from far away neighbours are averaged, so that patterns do not flicker.
    cairo_pattern_set_filter(cairo_get_source(cr_), vector_ || cell_ >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
    cairo_rectangle(cr_, 0, 0, of.cols, of.rows);
    cairo_fill(cr_);
    cairo_restore(cr_);
    cairo_surface_destroy(image);
  }
  void labels(std::size_t panel) {
    const double type = cell_type_size(scene_, panel);
    if (type * cell_ < kSmallestType && !vector_) return;
    each_cell(scene_, panel, [&](const CellView& cell) {
      if (progress_.stop()) return;
      const LabelLines lines = label_lines(cell.label);
      for (int line = 0; line < lines.count; ++line) {
        const double size = type * lines.size[line];
        const double baseline = cell.y + cell.h / 2 + type * lines.offset[line] + kCapMiddle * size;
        glyphs_.add(lines.count == 2 && line == 0 ? Typeface::inter_semibold : Typeface::inter, size, cell_text_color(scene_, cell),
                    cell.x + cell.w / 2, baseline, 0.5, lines.line[line]);
      }
    });
  }

  const Scene& scene_;
  cairo_t* cr_;
  RenderProgress& progress_;
  Glyphs glyphs_;
  double cell_;
  bool vector_, paper_;
};

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

Error cairo_error(cairo_status_t status) {
  return Error{ErrorCode::io,
               fmt::format("Cairo could not draw the figure: {}", cairo_status_to_string(status)),
               {},
               {"write SVG, which needs no Cairo"}};
}

}  // namespace

Result<std::string> render_png(const Scene& scene, const RenderOptions& options) {
  const Bounds box = bounds(scene);
  const double width = box.width() + page_unit(box), height = box.height() + page_unit(box);
  const double fitting = options.fit ? kLongestEdge / std::max(width, height) : options.cell_points;
  const double cell = std::min(options.cell_points, fitting) * options.scale;
  const double w = std::ceil(width * cell), h = std::ceil(height * cell);
  if (!(w >= 1 && h >= 1) || std::max(w, h) > kLargestEdge || w * h > kMostPixels) {
    return Error{ErrorCode::limit,
                 fmt::format("a PNG of {} x {} pixels is beyond the limit of {} a side and {} in all", w, h, kLargestEdge, kMostPixels),
                 {},
                 {"choose a smaller scale, or write SVG or PDF"}};
  }
  const bool labelled = cell * 0.4 >= kSmallestType;  // smaller labels are left out
  RenderProgress progress(scene, "PNG");
  TESSERA_CHECK(progress.begin(count_sum(static_cast<std::int64_t>(w * h) * kBytesOfAPixel, labelled ? glyph_bytes(scene) : 0)));
  cairo_surface_t* surface =
      cairo_image_surface_create(options.transparent ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, static_cast<int>(w), static_cast<int>(h));
  cairo_t* cr = cairo_create(surface);
  CairoPainter(scene, cr, progress, box, cell, false, !options.transparent).paint();
  cairo_surface_flush(surface);
  const cairo_status_t status = cairo_status(cr);
  const Status in_time = progress.end();
  Result<std::string> file = std::string();
  if (status == CAIRO_STATUS_SUCCESS && in_time) {
    const Bitmap pixels{cairo_image_surface_get_data(surface), cairo_image_surface_get_width(surface),
                        cairo_image_surface_get_height(surface), cairo_image_surface_get_stride(surface), options.transparent};
    file = png_file(pixels, kPointsOfAnInch * options.scale, png_source(scene.source, drawable(scene.expression)));
  }
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
  if (!in_time) return in_time.error();
  return file;
}

Result<std::string> render_pdf(const Scene& scene, const RenderOptions& options) {
  const Bounds box = bounds(scene);
  const double width = box.width() + page_unit(box), height = box.height() + page_unit(box);
  const double cell = std::min(options.cell_points, kLongestPage / std::max(width, height));
  RenderProgress progress(scene, "PDF");
  TESSERA_CHECK(progress.begin(count_sum(count_product(progress.cells(), kBytesOfAPdfCell), glyph_bytes(scene))));
  std::string out;
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append_bytes, &out, width * cell, height * cell);
  const std::string title = drawable(scene.title.empty() ? scene.expression : scene.title), expression = drawable(scene.expression);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, ("tessera: " + expression).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");  // the same bytes every day
  cairo_t* cr = cairo_create(surface);
  CairoPainter(scene, cr, progress, box, cell, true, !options.transparent).paint();
  if (const Status in_time = progress.end(); !in_time) {
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return in_time.error();
  }
  cairo_show_page(cr);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
  return with_pdf_source(std::move(out), scene.source);
}

#else

namespace {

Error no_cairo(std::string_view format) {
  return Error{ErrorCode::io,
               fmt::format("this build of Tessera has no Cairo, which {} needs", format),
               {},
               {"write SVG or TikZ, or install libcairo2-dev and build again"}};
}

}  // namespace

Result<std::string> render_png(const Scene&, const RenderOptions&) { return no_cairo("PNG"); }
Result<std::string> render_pdf(const Scene&, const RenderOptions&) { return no_cairo("PDF"); }

#endif

}  // namespace tessera
