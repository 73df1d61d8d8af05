// SPDX-License-Identifier: BSD-3-Clause
// Text through Cairo, many labels at a time: signs are looked up once, and one call draws all glyphs of a face, colour and size.
//
// On a page they are text. In pixels each is put as an image of its outline: where Cairo puts a glyph's own image, between pixels or on
// them, changes from one version to the next.
#pragma once

#include <cairo.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diagram/scene/scene.hpp"
#include "core/render/raster/glyph_image.hpp"
#include "core/render/raster/typefaces.hpp"

namespace tessera {

class Glyphs {
 public:
  // Without images they are a page's; else the context draws pixels of its own, and nothing is clipped.
  Glyphs(cairo_t* cr, GlyphImages* images) : cr_(cr), images_(images) {}

  // Text on a baseline; align 0: starts at x, 0.5: centred, 1: ends at x. All in the context's user units.
  void add(Typeface face, double size, Rgb color, double x, double baseline, double align, std::string_view utf8);
  void flush();

 private:
  struct Batch {
    Typeface face = Typeface::inter;
    double size = 0;  // in user units on a page, else in pixels; the glyphs' places too
    Rgb color;
    std::vector<cairo_glyph_t> glyphs;
  };
  GlyphShape shape(Typeface face, char32_t sign);
  Batch& batch(Typeface face, double size, Rgb color);
  void to_pixels(double& x, double& y, double& size) const;
  void show_text();
  void put_images();

  cairo_t* cr_;
  GlyphImages* images_;
  std::unordered_map<std::uint32_t, GlyphShape> others_;  // beyond ASCII, by sign and face
  std::vector<Batch> batches_;
  std::vector<GlyphShape> line_;
};

}  // namespace tessera
