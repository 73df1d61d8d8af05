// SPDX-License-Identifier: BSD-3-Clause
// Private to core/render: the program's fonts as Cairo draws them, and which of them has a sign.
#pragma once

#include <cairo.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/render/shared/fonts.hpp"

namespace tessera {

constexpr std::size_t kTypefaces = 3;

// One sign: the face that has it, its glyph there, and how far the next one is, in type sizes.
struct GlyphShape {
  Typeface face = Typeface::inter;
  unsigned long glyph = 0;
  double advance = 0;
};

// The border of a glyph, in type sizes, y down; its pieces follow each other, and the inside is by nonzero winding.
struct GlyphOutline {
  struct Piece {
    enum class Kind : std::uint8_t { move, line, curve } kind = Kind::move;
    std::array<double, 6> at{};  // x and y of the end; of a curve those of its two control points, then the end
  };
  std::vector<Piece> pieces;
};

// Opened by the first that asks and never closed, since Cairo keeps faces beyond a picture's end. For all threads.
class Typefaces {
 public:
  static const Typefaces& get();

  // Null where FreeType could not open the font.
  cairo_font_face_t* face(Typeface face) const { return faces_[static_cast<std::size_t>(face)]; }
  // Lives as long as the program.
  const GlyphOutline& outline(Typeface face, unsigned long glyph) const;
  // The sign in this face; where it lacks it in another, where all lack it U+FFFD. Never blank for a sign that is not.
  GlyphShape shape(Typeface wanted, char32_t sign) const;

 private:
  Typefaces();
  GlyphShape look_up(Typeface wanted, char32_t sign) const;

  std::array<cairo_font_face_t*, kTypefaces> faces_{};
  std::array<void*, kTypefaces> measured_{};  // FT_Face: apart from Cairo's, which it locks on its own
  std::array<std::array<GlyphShape, 128>, kTypefaces> ascii_{};
};

}  // namespace tessera
