// SPDX-License-Identifier: BSD-3-Clause
// The fonts in the program: those of assets/fonts, with a glyph for every sign, and as text in a PDF.
#include "core/render/shared/fonts.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "core/base/base64.hpp"
#include "core/render/html/html.hpp"
#include "core/render/shared/render.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace tessera;

namespace {

Scene labelled(const std::string& text, LabelRole role) {
  Scene scene;
  scene.panels.push_back({"p", {Cell{0, 0, 8, 2}}});
  scene.panels[0].marks.push_back(Label{4, 1, scene.intern(text), role, Anchor::center, 1});
  return scene;
}

}  // namespace

TEST_CASE("the program holds the fonts that lie in assets/fonts, byte by byte", "[fonts]") {
  for (const auto& [face, file] : {std::pair{Typeface::inter, "Inter-Regular.otf"},
                                   {Typeface::inter_semibold, "Inter-SemiBold.otf"},
                                   {Typeface::jetbrains_mono, "JetBrainsMono-Regular.ttf"}}) {
    CHECK((font_bytes(face) == test::contents(test::source_dir() + "/assets/fonts/" + file)));
    CHECK(font_bytes(face).size() > 100'000);
  }
}

TEST_CASE("an SVG and a page carry the fonts that they use, and a reader without Inter sees no other", "[fonts][svg]") {
  const auto face = [](const char* family, int weight, Typeface which) {
    return "@font-face{font-family:" + std::string(family) + ";font-weight:" + std::to_string(weight) + ";src:url(data:font/woff2;base64," +
           padded_base64(web_font_bytes(which)) + ")";
  };
  const std::string inter = face("Inter", 400, Typeface::inter), bold = face("Inter", 600, Typeface::inter_semibold),
                    mono = face("'JetBrains Mono'", 400, Typeface::jetbrains_mono);
  const auto holds = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  for (const auto& [role, with_bold, with_mono] :
       {std::tuple{LabelRole::axis, false, false}, {LabelRole::panel_name, true, false}, {LabelRole::caption, false, true}}) {
    const std::string svg = render_svg(labelled("Ab", role)).value();
    CHECK(holds(svg, inter));
    CHECK(holds(svg, bold) == with_bold);
    CHECK(holds(svg, mono) == with_mono);
    CHECK(svg.find("<text") < svg.find("@font-face"));
  }
  const std::string page = render_html(labelled("Ab", LabelRole::axis)).value();
  CHECK((holds(page, inter) && holds(page, bold) && holds(page, mono)));
  for (const Typeface each : {Typeface::inter, Typeface::inter_semibold, Typeface::jetbrains_mono}) {
    CHECK(web_font_bytes(each).substr(0, 4) == "wOF2");
    CHECK(web_font_bytes(each).size() < 8'000);  // of each figure
  }
}

#if TESSERA_HAVE_CAIRO

#include <zlib.h>

#include <cmath>

#include "core/render/raster/typefaces.hpp"
#include "core/render/shared/typography.hpp"

namespace {

// All streams of a PDF that zlib packed, one behind the other.
std::string unpacked(const std::string& pdf) {
  std::string text;
  for (std::size_t at = 0; (at = pdf.find("stream\n", at)) != std::string::npos; at += 7) {
    std::string out(1 << 20, '\0');
    auto size = static_cast<uLongf>(out.size());
    const auto* in = reinterpret_cast<const Bytef*>(pdf.data() + at + 7);
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) continue;
    stream.next_in = const_cast<Bytef*>(in);
    stream.avail_in = static_cast<uInt>(pdf.size() - at - 7);
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(size);
    if (inflate(&stream, Z_FINISH) == Z_STREAM_END) text += out.substr(0, stream.total_out);
    inflateEnd(&stream);
  }
  return text;
}

}  // namespace

TEST_CASE("every sign has a glyph: of its face, of another, or that of the sign for none", "[fonts]") {
  const Typefaces& faces = Typefaces::get();
  for (const Typeface face : {Typeface::inter, Typeface::inter_semibold, Typeface::jetbrains_mono}) {
    REQUIRE(faces.face(face) != nullptr);
    for (const char32_t sign : {U'0', U'(', U'\u2192', U'\u00d7', U'\u2026', U'\u2264', U'\u00e9'}) {
      const GlyphShape shape = faces.shape(face, sign);
      CHECK((shape.face == face && shape.glyph != 0 && shape.advance > 0.2 && shape.advance < 1.2));
    }
    const GlyphShape none = faces.shape(face, U'\ufffd');
    CHECK(none.glyph != 0);
    for (const char32_t sign : {U'\u4e2d', U'\U0001f642', char32_t{0x10fffd}}) {
      const GlyphShape shape = faces.shape(face, sign);
      CHECK((shape.face == none.face && shape.glyph == none.glyph && shape.advance == none.advance));
    }
    CHECK(faces.shape(face, U'\u2218').face == Typeface::jetbrains_mono);  // the ring of a composition: Inter has none
  }
  CHECK(faces.shape(Typeface::jetbrains_mono, U'\u2016').face == Typeface::inter);
  CHECK(faces.shape(Typeface::inter_semibold, U'1').advance > faces.shape(Typeface::inter, U'1').advance);
  for (const char32_t sign : {U'i', U'W', U'\u2192'}) CHECK(faces.shape(Typeface::jetbrains_mono, sign).advance == 0.6);
}

TEST_CASE("a text's width is that of its signs in Inter", "[fonts]") {
  const Typefaces& faces = Typefaces::get();
  for (char c = ' '; c <= '~'; ++c) {
    const auto sign = static_cast<char32_t>(c);
    const bool digit = c >= '0' && c <= '9';  // all alike: about the widest
    for (const bool bold : {false, true}) {
      const double more =
          text_width(std::string(1, c), bold) - faces.shape(bold ? Typeface::inter_semibold : Typeface::inter, sign).advance;
      CHECK((digit ? more > -0.03 && more < 0.17 : std::abs(more) < 0.0006));
    }
  }
  CHECK(text_width("") == 0);
  CHECK(text_width("(1,2)") == Approx(text_width("(") + text_width("1") + text_width(",") + text_width("2") + text_width(")")));
  CHECK(text_width("a\xe4\xb8\xad") == Approx(text_width("a") + text_width("\xc3\xa9")));
}

TEST_CASE("a sign that no font has is drawn as the sign for that, never as nothing", "[fonts][png]") {
  for (const LabelRole role : {LabelRole::axis, LabelRole::panel_name, LabelRole::caption}) {
    const auto png = [&](const std::string& text) { return render_png(labelled(text, role)).value(); };
    CHECK(png("a\xe4\xb8\xad"
              "b") == png("a\xef\xbf\xbd"
                          "b"));
    CHECK(png("a\xe4\xb8\xad"
              "b") != png("a b"));
    CHECK(png("\xe2\x88\x98") != png("\xef\xbf\xbd"));
  }
}

TEST_CASE("text in a PDF is text in the program's own fonts", "[fonts][pdf]") {
  const auto pdf_of = [](const char* text, LabelRole role) { return render_pdf(labelled(text, role)).value(); };
  for (const auto& [role, name] : {std::pair{LabelRole::axis, "Inter-Regular"},
                                   {LabelRole::panel_name, "Inter-SemiBold"},
                                   {LabelRole::caption, "JetBrainsMono-Regular"}}) {
    const std::string pdf = pdf_of("Ab \xe2\x86\x92", role);
    INFO(name);
    CHECK(pdf.find(std::string("+") + name) != std::string::npos);  // a subset
    CHECK(pdf.find("/ToUnicode") != std::string::npos);
    const std::string map = unpacked(pdf);  // glyphs -> signs
    for (const char* sign : {"<0041>", "<0062>", "<2192>"}) CHECK(map.find(sign) != std::string::npos);
  }
}

#endif
