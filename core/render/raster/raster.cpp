// SPDX-License-Identifier: BSD-3-Clause
// Scene -> PNG and PDF through Cairo. Small details are left out where they would be smaller than a few pixels.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include "core/render/raster/pixels.hpp"
#include "core/render/shared/progress.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/said.hpp"
#include "core/render/shared/source_embed.hpp"
#include "core/render/shared/typography.hpp"

#if TESSERA_HAVE_CAIRO
#include <cairo-pdf.h>

#include "core/render/raster/band_painter.hpp"
#include "core/render/raster/png_file.hpp"
#endif

namespace tessera {

#if TESSERA_HAVE_CAIRO

namespace {

constexpr double kLongestEdge = 3840;  // pixels of a PNG at scale 1 where nobody asked for a size; larger scenes get smaller cells
constexpr double kPointsOfAnInch = 72;
constexpr double kLargestEdge = 30000;  // Cairo's images end at 32767
constexpr double kMostPixels = 1 << 28;
constexpr double kLongestPage = 14000;  // points; PDF readers end at 14400

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

namespace {

struct Raster {
  double cell = 0;  // pixels of a cell's edge
  PngSize size;
};

Result<Raster> raster_of(const Bounds& box, const RenderOptions& options) {
  const auto [width, height] = with_margins(box);
  const double fitting = options.fit ? kLongestEdge / std::max(width, height) : options.cell_points;
  const double cell = std::min(options.cell_points, fitting) * options.scale;
  const double w = std::ceil(width * cell), h = std::ceil(height * cell);
  if (!(w >= 1 && h >= 1) || std::max(w, h) > kLargestEdge || w * h > kMostPixels) {
    return Error{ErrorCode::limit,
                 fmt::format("a PNG of {} x {} pixels is beyond the limit of {} a side and {} in all", w, h, kLargestEdge, kMostPixels),
                 {},
                 {"choose a smaller scale, or write SVG or PDF"}};
  }
  return Raster{cell, {static_cast<int>(w), static_cast<int>(h), options.transparent}};
}

// Memory of drawing so many pixels of a scene.
std::int64_t drawing_bytes(const Scene& scene, const Raster& raster) {
  const std::int64_t pixels = std::int64_t{raster.size.width} * raster.size.height;
  const std::int64_t drawing = std::min(pixels * kMostBytesOfAPixel, count_sum(pixels * kBytesOfAPixel, kBytesOfBands));
  const bool labelled = raster.cell * 0.4 >= kSmallestType;  // smaller labels are left out
  return count_sum(drawing, labelled ? glyph_bytes(scene) : 0);
}

}  // namespace

Result<std::string> render_png(const Scene& scene, const RenderOptions& options) {
  const Bounds box = bounds(scene);
  TESSERA_TRY(raster, raster_of(box, options));
  RenderProgress progress(scene, "PNG");
  TESSERA_CHECK(progress.begin(drawing_bytes(scene, raster)));
  const Prepared prepared(scene, box, raster.cell, false, !options.transparent);
  // The request's time is this thread's to look at: it tells the others.
  std::atomic<bool> stopped = false;
  const auto mine = std::this_thread::get_id();
  const Stop stop = [&] {
    if (std::this_thread::get_id() == mine && progress.stop()) stopped = true;
    return stopped.load(std::memory_order_relaxed);
  };
  std::atomic<cairo_status_t> status = CAIRO_STATUS_SUCCESS;
  const auto painters = [&]() -> PngRows {
    return [painter = std::make_shared<BandPainter>(prepared, raster.size.width, raster.size.transparent, stop, status)](
               int begin, int end) { return painter->draw(begin, end); };
  };
  Result<std::string> file =
      png_file(raster.size, kPointsOfAnInch * options.scale, png_source(scene.source, drawable(scene.expression)), painters);
  TESSERA_CHECK(progress.end());
  if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
  return file;
}

Result<std::string> render_pixels(const Scene& scene, const RenderOptions& options) {
  const Bounds box = bounds(scene);
  TESSERA_TRY(raster, raster_of(box, options));
  RenderProgress progress(scene, "PNG");
  TESSERA_CHECK(progress.begin(count_sum(drawing_bytes(scene, raster), std::int64_t{4} * raster.size.width * raster.size.height)));
  const Prepared prepared(scene, box, raster.cell, false, !options.transparent);
  std::atomic<cairo_status_t> status = CAIRO_STATUS_SUCCESS;
  const Stop stop = [&] { return progress.stop(); };
  BandPainter painter(prepared, raster.size.width, raster.size.transparent, stop, status);
  const std::int32_t size[2] = {raster.size.width, raster.size.height};
  std::string out(reinterpret_cast<const char*>(size), sizeof size);
  out.reserve(out.size() + std::size_t{4} * static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
  constexpr int kRows = 256;
  for (int begin = 0; begin < raster.size.height && status == CAIRO_STATUS_SUCCESS; begin += kRows) {
    const Bitmap band = painter.draw(begin, std::min(begin + kRows, raster.size.height));
    for (int y = 0; band.data && y < band.height; ++y) {
      for (int x = 0; x < band.width; ++x) {
        const std::uint8_t* pixel = band.data + std::ptrdiff_t{y} * band.stride + std::ptrdiff_t{4} * x;
        const int opacity = band.transparent ? pixel[3] : 255;
        for (const int channel : {2, 1, 0}) out += static_cast<char>(opacity == 0 ? 0 : pixel[channel] * 255 / opacity);
        out += static_cast<char>(opacity);
      }
    }
  }
  TESSERA_CHECK(progress.end());
  if (status != CAIRO_STATUS_SUCCESS) return cairo_error(status);
  return out;
}

Result<std::string> render_pdf(const Scene& scene, const RenderOptions& options) {
  const Bounds box = bounds(scene);
  const auto [width, height] = with_margins(box);
  const double cell = std::min(options.cell_points, kLongestPage / std::max(width, height));
  RenderProgress progress(scene, "PDF");
  TESSERA_CHECK(progress.begin(count_sum(count_product(progress.cells(), kBytesOfAPdfCell), glyph_bytes(scene))));
  std::string out;
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append_bytes, &out, width * cell, height * cell);
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);  // later ones hide objects in streams
  const std::string title = drawable(scene.title.empty() ? scene.expression : scene.title), expression = drawable(scene.expression);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, ("tessera: " + expression).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");  // the same bytes every day
  cairo_t* cr = cairo_create(surface);
  if (!options.transparent) {  // before the figure begins: Cairo forgets what was drawn below paper, and a tag with it
    cairo_set_source_rgb(cr, scene.page.paper.r / 255.0, scene.page.paper.g / 255.0, scene.page.paper.b / 255.0);
    cairo_paint(cr);
  }
  const Prepared prepared(scene, box, cell, true, false);
  const Stop stop = [&] { return progress.stop(); };
  constexpr const char* kTag = "Figure";  // of PDF's structure
  cairo_tag_begin(cr, kTag, nullptr);
  paint_page(prepared, cr, stop);
  cairo_tag_end(cr, kTag);
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
  return with_pdf_source(with_pdf_alternative(std::move(out), alternative_text(scene)), scene.source);
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
Result<std::string> render_pixels(const Scene&, const RenderOptions&) { return no_cairo("a picture of pixels"); }
Result<std::string> render_pdf(const Scene&, const RenderOptions&) { return no_cairo("PDF"); }

#endif

}  // namespace tessera
