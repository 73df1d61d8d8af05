// SPDX-License-Identifier: BSD-3-Clause
// Text through Cairo, many labels at a time: signs are looked up once, and one call draws all glyphs of a face, colour and size.
#pragma once

#include <cairo.h>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diagram/scene.hpp"
#include "core/render/typefaces.hpp"

namespace tessera {

class Glyphs {
 public:
  explicit Glyphs(cairo_t* cr) : cr_(cr) {}

  // Text on a baseline; align 0: starts at x, 0.5: centred, 1: ends at x. All in the context's user units.
  void add(Typeface face, double size, Rgb color, double x, double baseline, double align, std::string_view utf8);
  void flush();

 private:
  struct Batch {
    Typeface face = Typeface::inter;
    double size = 0;
    Rgb color;
    std::vector<cairo_glyph_t> glyphs;
  };
  GlyphShape shape(Typeface face, char32_t sign);
  Batch& batch(Typeface face, double size, Rgb color);

  cairo_t* cr_;
  std::unordered_map<std::uint32_t, GlyphShape> others_;  // beyond ASCII, by sign and face
  std::vector<Batch> batches_;
  std::vector<GlyphShape> line_;
};

}  // namespace tessera
