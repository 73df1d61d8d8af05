// SPDX-License-Identifier: BSD-3-Clause
// The look-up and batching of glyphs.
#if TESSERA_HAVE_CAIRO

#include "core/render/glyphs.hpp"

#include "core/render/typography.hpp"

namespace tessera {

GlyphShape Glyphs::shape(Typeface face, char32_t sign) {
  if (sign < 128) return Typefaces::get().shape(face, sign);
  const std::uint32_t key = static_cast<std::uint32_t>(sign) << 2 | static_cast<std::uint32_t>(face);
  const auto known = others_.find(key);
  return known != others_.end() ? known->second : others_.emplace(key, Typefaces::get().shape(face, sign)).first->second;
}

Glyphs::Batch& Glyphs::batch(Typeface face, double size, Rgb color) {
  for (Batch& b : batches_) {
    if (b.face == face && b.size == size && b.color == color) return b;
  }
  return batches_.emplace_back(Batch{face, size, color, {}});
}

void Glyphs::add(Typeface face, double size, Rgb color, double x, double baseline, double align, std::string_view utf8) {
  line_.clear();
  double width = 0;
  while (!utf8.empty()) {
    const Utf8Character character = first_character(utf8);
    const char32_t sign = drawable(character);
    line_.push_back(shape(face, sign == '\n' || sign == '\t' ? U' ' : sign));  // a line is one line
    width += line_.back().advance * size;
    utf8.remove_prefix(character.length);
  }
  x -= align * width;
  Batch* into = nullptr;
  for (const GlyphShape& s : line_) {
    if (into == nullptr || into->face != s.face) into = &batch(s.face, size, color);
    into->glyphs.push_back({s.glyph, x, baseline});
    x += s.advance * size;
  }
}

void Glyphs::flush() {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cr_, options);
  cairo_font_options_destroy(options);
  for (Batch& batch : batches_) {
    if (batch.glyphs.empty()) continue;
    cairo_set_font_face(cr_, Typefaces::get().face(batch.face));
    cairo_set_font_size(cr_, batch.size);
    cairo_set_source_rgb(cr_, batch.color.r / 255.0, batch.color.g / 255.0, batch.color.b / 255.0);
    cairo_show_glyphs(cr_, batch.glyphs.data(), static_cast<int>(batch.glyphs.size()));
  }
  batches_.clear();
}

}  // namespace tessera

#endif
