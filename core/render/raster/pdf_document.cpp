// SPDX-License-Identifier: BSD-3-Clause
// Pages -> PDF through Cairo: words are text, and figures are drawn as render_pdf draws one.
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/budget.hpp"
#include "core/render/shared/paper.hpp"
#include "core/render/shared/typography.hpp"

#if TESSERA_HAVE_CAIRO
#include <cairo-pdf.h>

#include <fmt/format.h>

#include "core/render/raster/cairo_painter.hpp"
#include "core/render/raster/glyphs.hpp"
#include "core/render/shared/progress.hpp"
#endif

namespace tessera {

#if TESSERA_HAVE_CAIRO

namespace {

constexpr std::int64_t kBytesOfACell = 160;  // that Cairo keeps of a page until it is complete

cairo_status_t append_bytes(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

void source(cairo_t* cr, Rgb color) { cairo_set_source_rgb(cr, color.r / 255.0, color.g / 255.0, color.b / 255.0); }

void paint_words(cairo_t* cr, const Paper& paper) {
  for (const PaperArea& area : paper.areas) {
    source(cr, area.color);
    cairo_rectangle(cr, area.x, area.y, area.width, area.height);
    cairo_fill(cr);
  }
  for (const PaperText& text : paper.texts) {
    cairo_tag_begin(cr, "P", nullptr);
    Glyphs glyphs(cr, nullptr);
    glyphs.add(text.face, text.size, text.color, text.x, text.baseline, 0, text.text);
    glyphs.flush();
    cairo_tag_end(cr, "P");
  }
}

Status paint_figure(cairo_t* cr, const PaperFigure& figure) {
  RenderProgress progress(figure.scene, "PDF");
  TESSERA_CHECK(progress.begin(count_product(progress.cells(), kBytesOfACell)));
  const Prepared prepared(figure.scene, bounds(figure.scene), figure.cell_points, true, false);
  cairo_save(cr);
  cairo_translate(cr, figure.x, figure.y);
  cairo_tag_begin(cr, "Figure", nullptr);
  paint_page(prepared, cr, [&] { return progress.stop(); });
  cairo_tag_end(cr, "Figure");
  cairo_restore(cr);
  return progress.end();
}

Status paint(cairo_t* cr, const PaperDocument& document) {
  for (const Paper& paper : document.papers) {
    source(cr, document.page.paper);
    cairo_paint(cr);
    paint_words(cr, paper);
    for (const PaperFigure& figure : paper.figures) TESSERA_CHECK(paint_figure(cr, figure));
    cairo_show_page(cr);
  }
  return Done{};
}

}  // namespace

Result<std::string> render_pdf_document(const PaperDocument& document) {
  std::string out;
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(append_bytes, &out, document.width, document.height);
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);  // later ones hide objects in streams
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, drawable(document.title).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");  // the same bytes every day
  cairo_t* cr = cairo_create(surface);
  const Status painted = paint(cr, document);
  cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (!painted) return painted.error();
  if (status != CAIRO_STATUS_SUCCESS)
    return Error{ErrorCode::io, fmt::format("Cairo could not draw the pages: {}", cairo_status_to_string(status)), {}, {}};
  return out;
}

#else

Result<std::string> render_pdf_document(const PaperDocument&) {
  return Error{ErrorCode::io, "this build of Tessera has no Cairo, which PDF needs", {}, {"install libcairo2-dev and build again"}};
}

#endif

}  // namespace tessera
