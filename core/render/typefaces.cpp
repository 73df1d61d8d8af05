// SPDX-License-Identifier: BSD-3-Clause
// Fonts through FreeType, from memory and without hinting, so that a letter has one form at all sizes and on all machines.
#if TESSERA_HAVE_CAIRO

#include "core/render/typefaces.hpp"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include <mutex>

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
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  return look_up(wanted, sign);
}

}  // namespace tessera

#endif
