// SPDX-License-Identifier: BSD-3-Clause
// Scene -> PNG and PDF through Cairo. Small details are left out where they would be smaller than a few pixels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
constexpr double kLongestPage = 14000;  // points; PDF readers end at 14400
constexpr double kSmallestType = 2.6;   // pixels: smaller text is grey noise
constexpr double kSmallestGrid = 5.0;   // pixels a cell: a finer grid would cover the colours

// Memory that drawing takes, measured: Cairo keeps a PDF's page as commands until it is complete.
constexpr std::int64_t kBytesOfAPixel = 8;
constexpr std::int64_t kBytesOfAPdfCell = 160;
std::int64_t glyph_bytes(const Scene& scene) {
  constexpr std::int64_t kBytesOfAGlyph = 48;
  return count_product(static_cast<std::int64_t>(scene.text.size()), kBytesOfAGlyph);
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
      source(kPaper);
      cairo_paint(cr_);
    }
    for (const Panel& panel : scene_.panels) {
      size_ = cell_type_size(scene_, panel);
      for (std::size_t i = 0; i < panel.marks.size() && !progress_.stop();) {
        std::size_t end = i;
        while (end < panel.marks.size() && std::holds_alternative<Cell>(panel.marks[end])) ++end;
        if (end == i) {
          std::visit(*this, panel.marks[i++]);
          continue;
        }
        fills(panel, i, end);
        labels_.push_back({&panel, i, end, size_});
        i = end;
      }
      // Labels last: grids and borders go under them.
      for (const Labels& l : labels_) labels(l);
      labels_.clear();
      if (progress_.stop()) return;
      glyphs_.flush();
    }
  }

  void operator()(const Cell&) {}  // drawn in runs, by fills and labels
  void operator()(const Outline& o) {
    const int edge = scene_.style == FigureStyle::tessera ? 1 : 0;  // CuTe's grid draws its own border
    if (o.grid && cell_ < kSmallestGrid && !vector_) return;
    if (o.grid) {
      for (int i = edge; i <= std::lround(o.w) - edge && !progress_.stop(); ++i)
        segment(o.x + static_cast<float>(i), o.y, o.x + static_cast<float>(i), o.y + o.h);
      for (int i = edge; i <= std::lround(o.h) - edge && !progress_.stop(); ++i)
        segment(o.x, o.y + static_cast<float>(i), o.x + o.w, o.y + static_cast<float>(i));
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
    glyphs_.add(face, size, label_color(l.role), l.x, l.y + kCapMiddle * size, align, scene_.text_of(l.text));
  }

 private:
  struct Labels {
    const Panel* panel;
    std::size_t begin, end;
    double size;
  };

  void source(Rgb c) { cairo_set_source_rgb(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0); }
  void segment(double x0, double y0, double x1, double y1) {
    cairo_move_to(cr_, x0, y0);
    cairo_line_to(cr_, x1, y1);
  }
  void stroke(StrokeRole role, ColorIndex color) {
    const StrokeLook look = stroke_look(role, scene_.style);
    source(color == kNoColor ? look.color : scene_.palette[color].rgb);
    cairo_set_line_width(cr_, std::max(look.width, vector_ ? 0.0 : 0.6 / cell_));
    cairo_stroke(cr_);
  }
  // Neighbours of one colour are one rectangle, without a seam.
  void fills(const Panel& panel, std::size_t begin, std::size_t end) {
    cairo_set_antialias(cr_, vector_ ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
    for (std::size_t i = begin; i < end && !progress_.stop();) {
      const Cell& first = std::get<Cell>(panel.marks[i]);
      float right = first.x + first.w;
      std::size_t next = i + 1;
      for (; next < end; ++next) {
        const Cell& cell = std::get<Cell>(panel.marks[next]);
        if (cell.fill != first.fill || cell.y != first.y || cell.h != first.h || cell.x != right) break;
        right = cell.x + cell.w;
      }
      if (first.fill != kNoColor) {
        source(scene_.palette[first.fill].rgb);
        cairo_rectangle(cr_, first.x, first.y, right - first.x, first.h);
        cairo_fill(cr_);
      }
      i = next;
    }
    cairo_set_antialias(cr_, CAIRO_ANTIALIAS_DEFAULT);
  }
  void labels(const Labels& l) {
    if (l.size * cell_ < kSmallestType && !vector_) return;
    for (std::size_t i = l.begin; i < l.end && !progress_.stop(); ++i) {
      const Cell& cell = std::get<Cell>(l.panel->marks[i]);
      const LabelLines lines = label_lines(scene_, cell);
      for (int line = 0; line < lines.count; ++line) {
        const double size = l.size * lines.size[line];
        const double baseline = cell.y + cell.h / 2 + l.size * lines.offset[line] + kCapMiddle * size;
        glyphs_.add(lines.count == 2 && line == 0 ? Typeface::inter_semibold : Typeface::inter, size, cell_text_color(scene_, cell),
                    cell.x + cell.w / 2, baseline, 0.5, lines.line[line]);
      }
    }
  }

  const Scene& scene_;
  cairo_t* cr_;
  RenderProgress& progress_;
  Glyphs glyphs_;
  double cell_, size_ = 0.4;
  bool vector_, paper_;
  std::vector<Labels> labels_;
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
