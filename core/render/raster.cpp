// SPDX-License-Identifier: BSD-3-Clause
// Scene -> PNG and PDF through Cairo. Small details are left out where they would be smaller than a few pixels.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

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

// Lines of a page. Viewers draw each line at least a pixel wide, and many of them in a small picture would cover it: so lines side by side
// are filled as one area, which is as dark as what it covers, and are wide enough to be seen.
constexpr double kLeastLine = 0.3;     // points
constexpr double kMostOfAStep = 0.06;  // of the distance of a grid's lines
constexpr double kMostOfACell = 0.25;  // of other lines, whose distance nobody says

// Memory that drawing takes, measured: Cairo keeps a PDF's page as commands until it is complete; a PNG is drawn in bands.
constexpr std::int64_t kBytesOfAPixel = 1;  // of a large one's file, about, and of a small one's pixels:
constexpr std::int64_t kMostBytesOfAPixel = 8;
constexpr std::int64_t kBytesOfBands = std::int64_t{48} << 20;
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

// What all bands of a picture have in common; nobody changes it while they are drawn.
struct Prepared {
  Prepared(const Scene& of, Bounds bounds_of_it, double cell_size, bool is_page, bool has_paper)
      : scene(of), box(bounds_of_it), cell(cell_size), vector(is_page), paper(has_paper), text_colors(of) {
    for (std::size_t p = 0; p < scene.panels.size(); ++p) {
      types.push_back(cell_type_size(scene, p));
      for (const Mark& mark : scene.panels[p].marks) {
        if (const auto* grid = std::get_if<Grid>(&mark)) runs.emplace(grid->of.get(), fill_runs(*grid->of));
      }
    }
  }

  const Scene& scene;
  Bounds box;
  double cell;  // pixels or points
  bool vector, paper;
  TextColors text_colors;
  std::vector<double> types;  // of the panels' labels, in cells
  std::unordered_map<const GridColumns*, std::vector<FillRun>> runs;
};

// Asked between marks: is the work to be left?
using Stop = std::function<bool()>;

class CairoPainter {
 public:
  // Draws what is seen of the picture from the pixel row `begin` on, `rows` of them; what lies elsewhere is left out.
  // Units change here: after this scale the context is in cells.
  CairoPainter(const Prepared& prepared, cairo_t* cr, const Stop& stop, double begin, double rows)
      : prepared_(prepared), scene_(prepared.scene), cr_(cr), stop_(stop), glyphs_(cr), cell_(prepared.cell), vector_(prepared.vector) {
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
    source(scene_.palette[cell.fill].rgb);
    fill_rectangle(cell.x, cell.y, cell.w, cell.h);
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
      source(scene_.palette[run.fill].rgb);
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
    return color == kNoColor ? stroke_look(role, scene_).color : scene_.palette[color].rgb;
  }
  void stroke(StrokeRole role, ColorIndex color) {
    source(stroke_color(role, color));
    cairo_set_line_width(cr_, std::max(stroke_look(role, scene_).width, vector_ ? 0.0 : 0.6 / cell_));
    cairo_stroke(cr_);
  }
  void grid_lines(const Outline& o) {
    if (!vector_ && cell_ * std::min(o.step_x, o.step_y) < kSmallestGrid) return;
    const int edge = scene_.style == FigureStyle::tessera ? 1 : 0;  // CuTe's grid draws its own border
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
      bar(std::max(stroke_look(role, scene_).width, std::min(kLeastLine / cell_, kMostOfAStep * step)), x0, y0, x1, y1);
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
    bar(std::max(stroke_look(l.role, scene_).width, std::min(kLeastLine / cell_, kMostOfACell)), l.x0, l.y0, l.x1, l.y1);
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
  // A triangle in the corner of each cell that has more owners than the one that is named.
  void shared_corners(const Grid& grid) {
    const GridColumns& of = *grid.of;
    if (of.label_ends.empty() || of.other_ends.empty()) return;
    const auto [first, end] = rows_seen(grid);
    const auto cols = static_cast<std::size_t>(of.cols);
    for (std::size_t i = first * cols; i < end * cols && !stop_(); ++i) {
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
        const Rgb c = scene_.palette[fill].rgb;
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

// Rows of a PNG, drawn by one thread into pixels of its own.
class BandPainter {
 public:
  BandPainter(const Prepared& prepared, int width, bool transparent, Stop stop, std::atomic<cairo_status_t>& status)
      : prepared_(prepared), width_(width), transparent_(transparent), stop_(std::move(stop)), status_(status) {}
  ~BandPainter() { cairo_surface_destroy(surface_); }
  BandPainter(const BandPainter&) = delete;
  BandPainter& operator=(const BandPainter&) = delete;

  Bitmap draw(int begin, int end) {
    const int rows = end - begin;
    if (surface_ == nullptr || cairo_image_surface_get_height(surface_) != rows) {
      cairo_surface_destroy(surface_);
      surface_ = cairo_image_surface_create(transparent_ ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width_, rows);
    }
    cairo_t* cr = cairo_create(surface_);
    if (transparent_) {
      cairo_set_operator(cr, CAIRO_OPERATOR_CLEAR);
      cairo_paint(cr);
      cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
    }
    CairoPainter(prepared_, cr, stop_, begin, rows).paint();
    cairo_surface_flush(surface_);
    const cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status != CAIRO_STATUS_SUCCESS) status_ = status;
    if (status != CAIRO_STATUS_SUCCESS || stop_()) return {};
    return {cairo_image_surface_get_data(surface_), width_, rows, cairo_image_surface_get_stride(surface_), transparent_};
  }

 private:
  const Prepared& prepared_;
  int width_;
  bool transparent_;
  Stop stop_;
  std::atomic<cairo_status_t>& status_;
  cairo_surface_t* surface_ = nullptr;
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
  RenderProgress progress(scene, "PNG");
  const auto pixels = static_cast<std::int64_t>(w * h);
  const std::int64_t drawing = std::min(pixels * kMostBytesOfAPixel, count_sum(pixels * kBytesOfAPixel, kBytesOfBands));
  const bool labelled = cell * 0.4 >= kSmallestType;  // smaller labels are left out
  TESSERA_CHECK(progress.begin(count_sum(drawing, labelled ? glyph_bytes(scene) : 0)));
  const Prepared prepared(scene, box, cell, false, !options.transparent);
  const PngSize size{static_cast<int>(w), static_cast<int>(h), options.transparent};
  // The request's time is this thread's to look at: it tells the others.
  std::atomic<bool> stopped = false;
  const auto mine = std::this_thread::get_id();
  const Stop stop = [&] {
    if (std::this_thread::get_id() == mine && progress.stop()) stopped = true;
    return stopped.load(std::memory_order_relaxed);
  };
  std::atomic<cairo_status_t> status = CAIRO_STATUS_SUCCESS;
  const auto painters = [&]() -> PngRows {
    return [painter = std::make_shared<BandPainter>(prepared, size.width, size.transparent, stop, status)](int begin, int end) {
      return painter->draw(begin, end);
    };
  };
  Result<std::string> file =
      png_file(size, kPointsOfAnInch * options.scale, png_source(scene.source, drawable(scene.expression)), painters);
  TESSERA_CHECK(progress.end());
  if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
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
  const Prepared prepared(scene, box, cell, true, !options.transparent);
  const Stop stop = [&] { return progress.stop(); };
  CairoPainter(prepared, cr, stop, 0, 0).paint();
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
