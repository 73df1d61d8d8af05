// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: rows of a PNG, drawn by one thread into pixels of its own.
#pragma once

#include <cairo.h>

#include <atomic>
#include <utility>

#include "core/render/raster/cairo_painter.hpp"
#include "core/render/raster/png_file.hpp"

namespace tessera {

class BandPainter {
 public:
  BandPainter(const Prepared& prepared, int width, bool transparent, Stop stop, std::atomic<cairo_status_t>& status)
      : prepared_(prepared), width_(width), transparent_(transparent), stop_(std::move(stop)), status_(status) {}
  ~BandPainter() { cairo_surface_destroy(surface_); }
  BandPainter(const BandPainter&) = delete;
  BandPainter& operator=(const BandPainter&) = delete;

  // No pixels where it was stopped, and where Cairo refuses, which the status says.
  Bitmap draw(int begin, int end);

 private:
  const Prepared& prepared_;
  int width_;
  bool transparent_;
  Stop stop_;
  std::atomic<cairo_status_t>& status_;
  cairo_surface_t* surface_ = nullptr;
  GlyphImages images_;
};

}  // namespace tessera
