// SPDX-License-Identifier: BSD-3-Clause
// Pictures are drawn in bands of rows, each thread one after the other.
#if TESSERA_HAVE_CAIRO

#include "core/render/raster/band_painter.hpp"

namespace tessera {

Bitmap BandPainter::draw(int begin, int end) {
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
  paint_rows(prepared_, cr, stop_, images_, begin, rows);
  cairo_surface_flush(surface_);
  const cairo_status_t status = cairo_status(cr);
  cairo_destroy(cr);
  if (status != CAIRO_STATUS_SUCCESS) status_ = status;
  if (status != CAIRO_STATUS_SUCCESS || stop_()) return {};
  return {cairo_image_surface_get_data(surface_), width_, rows, cairo_image_surface_get_stride(surface_), transparent_};
}

}  // namespace tessera

#endif
