// SPDX-License-Identifier: BSD-3-Clause
// Fonts through FreeType, from memory and without hinting, so that a letter has one form at all sizes and on all machines.
#include <array>
#include <string_view>
#include <utility>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/typefaces.hpp"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_OUTLINE_H

#include <map>
#include <mutex>
#include <new>

#include "core/base/utf8.hpp"

namespace tessera {

namespace {

FT_Face open(FT_Library library, Typeface which) {
  const std::string_view bytes = font_bytes(which);
  FT_Face face = nullptr;
  const auto* data = reinterpret_cast<const FT_Byte*>(bytes.data());
  return FT_New_Memory_Face(library, data, static_cast<FT_Long>(bytes.size()), 0, &face) == 0 ? face : nullptr;
}

// Where a sign is looked for, in this order.
std::array<Typeface, kTypefaces> order(Typeface wanted) {
  switch (wanted) {
    case Typeface::inter: return {Typeface::inter, Typeface::jetbrains_mono, Typeface::inter_semibold};
    case Typeface::inter_semibold: return {Typeface::inter_semibold, Typeface::inter, Typeface::jetbrains_mono};
    case Typeface::jetbrains_mono: return {Typeface::jetbrains_mono, Typeface::inter, Typeface::inter_semibold};
  }
  return {};
}

// FreeType's walk along an outline in the font's own units, whose y is up.
struct OutlineWalk {
  GlyphOutline& out;
  double unit;
  double x = 0, y = 0;  // where it is

  void add(GlyphOutline::Piece::Kind kind, const std::array<double, 6>& at, const FT_Vector& end) {
    out.pieces.push_back({kind, at});
    x = across(end);
    y = down(end);
  }
  double across(const FT_Vector& v) const { return static_cast<double>(v.x) * unit; }
  double down(const FT_Vector& v) const { return -static_cast<double>(v.y) * unit; }
};

int walk_move(const FT_Vector* to, void* data) {
  auto& walk = *static_cast<OutlineWalk*>(data);
  walk.add(GlyphOutline::Piece::Kind::move, {walk.across(*to), walk.down(*to)}, *to);
  return 0;
}
int walk_line(const FT_Vector* to, void* data) {
  auto& walk = *static_cast<OutlineWalk*>(data);
  walk.add(GlyphOutline::Piece::Kind::line, {walk.across(*to), walk.down(*to)}, *to);
  return 0;
}
// A quadratic curve is a cubic one whose control points are two thirds of the way to its own.
int walk_quadratic(const FT_Vector* control, const FT_Vector* to, void* data) {
  auto& walk = *static_cast<OutlineWalk*>(data);
  const double cx = walk.across(*control), cy = walk.down(*control), ex = walk.across(*to), ey = walk.down(*to);
  walk.add(GlyphOutline::Piece::Kind::curve,
           {walk.x + (cx - walk.x) * 2 / 3, walk.y + (cy - walk.y) * 2 / 3, ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3, ex, ey}, *to);
  return 0;
}
int walk_cubic(const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* data) {
  auto& walk = *static_cast<OutlineWalk*>(data);
  walk.add(GlyphOutline::Piece::Kind::curve,
           {walk.across(*a), walk.down(*a), walk.across(*b), walk.down(*b), walk.across(*to), walk.down(*to)}, *to);
  return 0;
}

GlyphOutline read_outline(FT_Face face, unsigned long glyph) {
  GlyphOutline out;
  if (face == nullptr) return out;
  const FT_Error refused = FT_Load_Glyph(face, static_cast<FT_UInt>(glyph), FT_LOAD_NO_SCALE);
  if (refused == FT_Err_Out_Of_Memory) throw std::bad_alloc();  // else a letter would be missing from now on
  if (refused != 0 || face->glyph->format != FT_GLYPH_FORMAT_OUTLINE) return out;
  const auto points = static_cast<std::size_t>(face->glyph->outline.n_points),
             contours = static_cast<std::size_t>(face->glyph->outline.n_contours);
  out.pieces.reserve(2 * points + 2 * contours);  // enough: nothing is thrown through FreeType
  OutlineWalk walk{out, 1.0 / face->units_per_EM};
  const FT_Outline_Funcs steps{walk_move, walk_line, walk_quadratic, walk_cubic, 0, 0};
  FT_Outline_Decompose(&face->glyph->outline, &steps, &walk);
  return out;
}

// FreeType's faces are for one thread at a time.
std::mutex& faces_lock() {
  static std::mutex lock;
  return lock;
}

}  // namespace

Typefaces::Typefaces() {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0) return;
  for (std::size_t i = 0; i < kTypefaces; ++i) {
    measured_[i] = open(library, static_cast<Typeface>(i));
    if (FT_Face drawn = open(library, static_cast<Typeface>(i)))
      faces_[i] = cairo_ft_font_face_create_for_ft_face(drawn, FT_LOAD_NO_HINTING | FT_LOAD_NO_AUTOHINT);
  }
  for (std::size_t i = 0; i < kTypefaces; ++i) {
    for (char32_t sign = 32; sign < 127; ++sign) ascii_[i][sign] = look_up(static_cast<Typeface>(i), sign);
  }
}

const Typefaces& Typefaces::get() {
  static const Typefaces* const all = new Typefaces;
  return *all;
}

GlyphShape Typefaces::look_up(Typeface wanted, char32_t sign) const {
  for (const Typeface candidate : order(wanted)) {
    const auto face = static_cast<FT_Face>(measured_[static_cast<std::size_t>(candidate)]);
    const FT_UInt glyph = face ? FT_Get_Char_Index(face, sign) : 0;
    FT_Fixed advance = 0;
    if (glyph == 0 || FT_Get_Advance(face, glyph, FT_LOAD_NO_SCALE, &advance) != 0) continue;
    return {candidate, glyph, static_cast<double>(advance) / face->units_per_EM};
  }
  return sign == kReplacement ? GlyphShape{wanted, 0, 0.6} : look_up(wanted, kReplacement);  // 0: a box, in every font
}

GlyphShape Typefaces::shape(Typeface wanted, char32_t sign) const {
  if (sign >= 32 && sign < 127) return ascii_[static_cast<std::size_t>(wanted)][sign];
  const std::lock_guard lock(faces_lock());
  return look_up(wanted, sign);
}

const GlyphOutline& Typefaces::outline(Typeface face, unsigned long glyph) const {
  static std::map<std::pair<Typeface, unsigned long>, GlyphOutline> known;  // their places stay as others come
  const std::lock_guard lock(faces_lock());
  auto at = known.find({face, glyph});
  if (at == known.end())
    at = known.emplace(std::pair(face, glyph), read_outline(static_cast<FT_Face>(measured_[static_cast<std::size_t>(face)]), glyph)).first;
  return at->second;
}

}  // namespace tessera

#endif
