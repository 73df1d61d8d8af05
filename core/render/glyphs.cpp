// SPDX-License-Identifier: BSD-3-Clause
// The look-up and batching of glyphs.
#if TESSERA_HAVE_CAIRO

#include "core/render/glyphs.hpp"

#include "core/render/typography.hpp"

namespace tessera {

namespace {

constexpr double kReference = 1000.0;  // type size at which characters are measured

// Cairo's toy interface takes one family; where it is missing, fontconfig gives its default, mostly DejaVu Sans.
cairo_font_face_t* make_face(Face face) {
  const char* family = face == Face::mono ? "DejaVu Sans Mono" : "Inter";
  return cairo_toy_font_face_create(family, CAIRO_FONT_SLANT_NORMAL,
                                    face == Face::bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
}

}  // namespace

Glyphs::Glyphs(cairo_t* cr) : cr_(cr) {
  for (const Face face : {Face::regular, Face::bold, Face::mono}) {
    Font& font = fonts_[static_cast<std::size_t>(face)];
    font.face = make_face(face);
    for (char c = 32; c < 127; ++c) font.ascii[static_cast<std::size_t>(c)] = look_up(font, std::string_view(&c, 1));
  }
}

Glyphs::~Glyphs() {
  for (Font& font : fonts_) cairo_font_face_destroy(font.face);
}

Glyphs::Shape Glyphs::look_up(Font& font, std::string_view character) const {
  const cairo_matrix_t size{kReference, 0, 0, kReference, 0, 0}, identity{1, 0, 0, 1, 0, 0};
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_scaled_font_t* scaled = cairo_scaled_font_create(font.face, &size, &identity, options);
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  Shape out;
  if (cairo_scaled_font_text_to_glyphs(scaled, 0, 0, character.data(), static_cast<int>(character.size()), &glyphs, &count, nullptr,
                                       nullptr, nullptr) == CAIRO_STATUS_SUCCESS &&
      count > 0) {
    cairo_text_extents_t extents;
    cairo_scaled_font_glyph_extents(scaled, glyphs, 1, &extents);
    out = {glyphs[0].index, extents.x_advance / kReference};
  }
  cairo_glyph_free(glyphs);
  cairo_scaled_font_destroy(scaled);
  cairo_font_options_destroy(options);
  return out;
}

Glyphs::Shape Glyphs::shape(Font& font, std::string_view character) {
  if (character.size() == 1 && static_cast<unsigned char>(character[0]) < 128) return font.ascii[static_cast<unsigned char>(character[0])];
  const auto known = font.others.find(character);
  if (known != font.others.end()) return known->second;
  return font.others.emplace(std::string(character), look_up(font, character)).first->second;
}

void Glyphs::add(Face face, double size, Rgb color, double x, double baseline, double align, std::string_view utf8) {
  Font& font = fonts_[static_cast<std::size_t>(face)];
  line_.clear();
  double width = 0;
  while (!utf8.empty()) {
    const Utf8Character character = first_character(utf8);
    const char32_t code = drawable(character);
    // A line is one line: a line end or a tab in it is a space. Cairo ends its work at the first ill-formed byte, so it is shown none.
    const std::string_view sign = code == '\n' || code == '\t'                 ? std::string_view(" ")
                                  : code != character.code || !character.valid ? std::string_view("\xef\xbf\xbd")
                                                                               : utf8.substr(0, character.length);
    line_.push_back(shape(font, sign));
    width += line_.back().advance * size;
    utf8.remove_prefix(character.length);
  }
  Batch* batch = nullptr;
  for (Batch& b : batches_) {
    if (b.face == face && b.size == size && b.color == color) batch = &b;
  }
  if (batch == nullptr) batch = &batches_.emplace_back(Batch{face, size, color, {}});
  x -= align * width;
  for (const Shape& s : line_) {
    batch->glyphs.push_back({s.glyph, x, baseline});
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
  for (const Batch& batch : batches_) {
    cairo_set_font_face(cr_, fonts_[static_cast<std::size_t>(batch.face)].face);
    cairo_set_font_size(cr_, batch.size);
    cairo_set_source_rgb(cr_, batch.color.r / 255.0, batch.color.g / 255.0, batch.color.b / 255.0);
    cairo_show_glyphs(cr_, batch.glyphs.data(), static_cast<int>(batch.glyphs.size()));
  }
  batches_.clear();
}

}  // namespace tessera

#endif
