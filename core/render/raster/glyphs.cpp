// SPDX-License-Identifier: BSD-3-Clause
// The look-up and batching of glyphs.
#include <cstdint>
#include <string_view>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/glyphs.hpp"

#include <cmath>

#include "core/render/shared/typography.hpp"

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
  if (images_ != nullptr) to_pixels(x, baseline, size);
  Batch* into = nullptr;
  for (const GlyphShape& s : line_) {
    if (into == nullptr || into->face != s.face) into = &batch(s.face, size, color);
    into->glyphs.push_back({s.glyph, x, baseline});
    x += s.advance * size;
  }
}

// Texts begin where a pixel does, so that the same text is the same pixels wherever it stands. The least bit more: bands agree on halves.
void Glyphs::to_pixels(double& x, double& y, double& size) const {
  constexpr double kLeast = 1e-4;
  double none = 0;
  cairo_user_to_device(cr_, &x, &y);
  cairo_user_to_device_distance(cr_, &size, &none);
  x = std::floor(x + 0.5 + kLeast);
  y = std::floor(y + 0.5 + kLeast);
}

void Glyphs::show_text() {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cr_, options);
  cairo_font_options_destroy(options);
  for (const Batch& batch : batches_) {
    if (batch.glyphs.empty()) continue;
    cairo_set_source_rgb(cr_, batch.color.r / 255.0, batch.color.g / 255.0, batch.color.b / 255.0);
    cairo_set_font_face(cr_, Typefaces::get().face(batch.face));
    cairo_set_font_size(cr_, batch.size);
    cairo_show_glyphs(cr_, batch.glyphs.data(), static_cast<int>(batch.glyphs.size()));
  }
}

// Each outline is filled once for each of a few places between two pixels.
void Glyphs::put_images() {
  constexpr int kPlaces = GlyphImages::kPlaces;
  cairo_surface_t* surface = cairo_get_target(cr_);
  cairo_surface_flush(surface);
  const PixelArea area{cairo_image_surface_get_data(surface), cairo_image_surface_get_width(surface),
                       cairo_image_surface_get_height(surface), cairo_image_surface_get_stride(surface)};
  if (area.data == nullptr) return;  // the context says why
  for (const Batch& batch : batches_) {
    GlyphImages::OfSize& known = images_->of(batch.face, batch.size);
    for (const cairo_glyph_t& glyph : batch.glyphs) {
      const auto quarters = static_cast<std::int64_t>(std::floor(glyph.x * kPlaces + 0.5));
      const std::int64_t place = quarters & (kPlaces - 1);
      const std::uint64_t key = std::uint64_t{glyph.index} * kPlaces + static_cast<std::uint64_t>(place);
      const GlyphImage& image = images_->filled(known, batch.face, batch.size, key);
      put(image, (quarters - place) / kPlaces + image.left, std::llround(glyph.y) + image.top, batch.color, area);
    }
  }
  cairo_surface_mark_dirty(surface);
  images_->forget_large();
}

void Glyphs::flush() {
  images_ == nullptr ? show_text() : put_images();
  batches_.clear();
}

}  // namespace tessera

#endif
