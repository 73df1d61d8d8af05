// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: a glyph in pixels. It is filled and put here, by exact areas, since Cairo's and FreeType's versions differ in how
// they do; and a picture has very many that are small, of which each would cost Cairo more than its pixels do.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/diagram/scene/palette.hpp"
#include "core/render/raster/typefaces.hpp"

namespace tessera {

// How much of each pixel a glyph covers whose origin is `shift` pixels right of a pixel's corner.
struct GlyphImage {
  GlyphImage(const GlyphOutline& outline, double size, double shift);

  std::vector<std::uint8_t> coverage;  // row by row; of a blank nothing
  int cols = 0, rows = 0;
  int left = 0, top = 0;  // of the image, from that corner
};

// Pixels as Cairo has them: words of opacity, red, green and blue, the highest byte first, colours multiplied by the opacity.
struct PixelArea {
  unsigned char* data = nullptr;
  int width = 0, height = 0, stride = 0;
};

// Colours what the glyph covers whose corner is at (x, y); what lies outside of the area is left out.
void put(const GlyphImage& glyph, std::int64_t x, std::int64_t y, Rgb color, const PixelArea& area);

// Those that a thread has filled, for the next of its bands.
class GlyphImages {
 public:
  static constexpr int kPlaces = 4;  // between two pixels

  // Of a face and size, by glyph * kPlaces + place.
  using OfSize = std::unordered_map<std::uint64_t, GlyphImage>;
  OfSize& of(Typeface face, double size) { return sizes_[{face, size}]; }
  const GlyphImage& filled(OfSize& images, Typeface face, double size, std::uint64_t key);
  // Large ones are not kept: a picture has few of them, and each thread would hold them all.
  void forget_large();

 private:
  std::map<std::pair<Typeface, double>, OfSize> sizes_;
  std::size_t bytes_ = 0;
};

}  // namespace tessera
