// SPDX-License-Identifier: BSD-3-Clause
// Text through Cairo, many labels at a time: characters are looked up once, and one call draws all glyphs of a colour and size.
#pragma once

#include <cairo.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagram/scene.hpp"

namespace tessera {

enum class Face : std::uint8_t { regular, bold, mono };

class Glyphs {
 public:
  explicit Glyphs(cairo_t* cr);
  ~Glyphs();
  Glyphs(const Glyphs&) = delete;
  Glyphs& operator=(const Glyphs&) = delete;

  // Text on a baseline; align 0: starts at x, 0.5: centred, 1: ends at x. All in the context's user units.
  void add(Face face, double size, Rgb color, double x, double baseline, double align, std::string_view utf8);
  void flush();

 private:
  struct Shape {
    unsigned long glyph = 0;
    double advance = 0;  // in type sizes
  };
  struct Font {
    cairo_font_face_t* face = nullptr;
    std::array<Shape, 128> ascii{};
    std::map<std::string, Shape, std::less<>> others;
  };
  struct Batch {
    Face face = Face::regular;
    double size = 0;
    Rgb color;
    std::vector<cairo_glyph_t> glyphs;
  };
  Shape look_up(Font& font, std::string_view character) const;
  Shape shape(Font& font, std::string_view character);

  cairo_t* cr_;
  std::array<Font, 3> fonts_;
  std::vector<Batch> batches_;
  std::vector<Shape> line_;
};

}  // namespace tessera
