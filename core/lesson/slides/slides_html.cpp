// SPDX-License-Identifier: BSD-3-Clause
// Slides as a page: the words at their places as SVG, the figures alive above it. Script and style sheet are taken into the program by the
// assembler.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/embedded_file.hpp"
#include "core/figure/figure_source.hpp"
#include "core/lesson/page/markdown.hpp"
#include "core/lesson/slides/slides.hpp"
#include "core/lesson/slides/text_lines.hpp"
#include "core/render/detail/detail.hpp"
#include "core/render/html/html.hpp"
#include "core/render/html/page_parts.hpp"
#include "core/render/shared/typography.hpp"

TESSERA_EMBED(tessera_slides_css, TESSERA_LESSON_SLIDES "/slides.css");
TESSERA_EMBED(tessera_slides_script, TESSERA_LESSON_SLIDES "/slides.js");

namespace tessera::lesson {
namespace {

std::string number(double value) {
  std::string out;
  append_number(out, value, 3);
  return out;
}

std::string color_text(Rgb c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

std::string_view class_of(Typeface face) {
  switch (face) {
    case Typeface::inter: return "w";
    case Typeface::inter_semibold: return "b";
    case Typeface::jetbrains_mono: return "m";
  }
  return "w";
}

std::string_view name_of(Slide::Kind kind) {
  switch (kind) {
    case Slide::Kind::title: return "title";
    case Slide::Kind::words: return "words";
    case Slide::Kind::question: return "question";
    case Slide::Kind::answer: return "answer";
    case Slide::Kind::figure: return "figure";
  }
  return "words";
}

// As wide as it was laid out, whatever the browser's type is; signs beyond ASCII are not known so well.
std::string length_of(const PaperText& text) {
  const bool is_known = std::all_of(text.text.begin(), text.text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_known ? fmt::format(" textLength=\"{}\"", number(width_of(text))) : std::string();
}

std::string svg_of(const Deck& deck, const Paper& paper) {
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\">\n", number(deck.width), number(deck.height));
  for (const PaperArea& area : paper.areas)
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(area.x), number(area.y),
                       number(area.width), number(area.height), color_text(area.color));
  for (const PaperText& text : paper.texts)
    out +=
        fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", class_of(text.face), number(text.x),
                    number(text.baseline), number(text.size), color_text(text.color), length_of(text), escaped(text.text));
  return out + "</svg>\n";
}

}  // namespace

Result<std::string> slides_html(const Deck& deck) {
  std::string body;
  std::vector<HtmlFigure> figures;
  std::vector<Source> sources;
  for (std::size_t i = 0; i < deck.slides.size(); ++i) {
    const Slide& slide = deck.slides[i];
    body += fmt::format("<section class=\"slide\" id=\"slide-{}\" data-kind=\"{}\" aria-label=\"{}\"{}>\n", i + 1, name_of(slide.kind),
                        escaped(fmt::format("Slide {} of {}: {}", i + 1, deck.slides.size(), slide.heading)), i == 0 ? "" : " hidden");
    body += svg_of(deck, slide.paper);
    for (std::size_t k = 0; k < slide.paper.figures.size(); ++k) {
      const PaperFigure& figure = slide.paper.figures[k];
      TESSERA_TRY(data, render_html_figure(figure.scene, RenderOptions{.cell_points = figure.cell_points * kPixelsOfAPoint}));
      const double wide = with_margins(bounds(figure.scene)).width * figure.cell_points;
      body += fmt::format("<div class=\"slot\" data-figure=\"{}\" style=\"left:{}%;top:{}%;width:{}%\"></div>\n", figures.size(),
                          number(100 * figure.x / deck.width), number(100 * figure.y / deck.height), number(100 * wide / deck.width));
      sources.push_back(slide.sources[k]);
      figures.push_back({fmt::format("figure {}", figures.size() + 1), std::move(data), slide.sources[k]});
    }
    body += "</section>\n";
  }
  const std::vector<std::vector<std::size_t>> kin = kin_of(sources);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].kin = kin[i];
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>{}</title>\n<style>\n",
      escaped(deck.title));
  out += figures_style();
  out += fmt::format(":root {{ --wide: {}; --high: {}; }}\n@page {{ size: {}pt {}pt; margin: 0; }}\n", number(deck.width),
                     number(deck.height), number(deck.width), number(deck.height));
  out += TESSERA_EMBEDDED(tessera_slides_css);
  out += "</style></head>\n<body class=\"slides\">\n<main>\n" + body + "</main>\n";
  out += figures_dock();
  out += figures_data(figures);
  out += "<script>\n" + figures_script() + "</script>\n<script>\n";
  out += TESSERA_EMBEDDED(tessera_slides_script);
  return out + "</script>\n</body></html>\n";
}

}  // namespace tessera::lesson
