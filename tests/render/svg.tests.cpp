// SPDX-License-Identifier: BSD-3-Clause
// SVG, PNG, PDF and JSON of scenes: well formed, deterministic, readable, and true to the scene.
#include <nlohmann/json.hpp>

#include <regex>
#include <string>
#include <utility>

#include "core/render/shared/png_text.hpp"
#include "core/render/shared/render.hpp"
#include "core/render/shared/typography.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/every_mark.hpp"
#include "tests/support/figures.hpp"
#include "tests/support/golden.hpp"

using namespace tessera;
using namespace tessera::testing;

namespace {

Scene tv_scene() {
  FigureSpec tv = figure(seed_tv(), FigureStyle::tessera, "tv");
  tv.objects.push_back(lay(tup({4, 8}), tup({8, 1})));
  tv.title = "Who <owns> what & why";
  tv.expression = "tv(((2,4),(2,2)):((8,1),(4,16)), (4,8):(8,1))";
  return make_figure(tv).value();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace

TEST_CASE("numbers have no locale and no trailing zeros", "[render]") {
  const auto text = [](double v, int decimals) {
    std::string out;
    append_number(out, v, decimals);
    return out;
  };
  CHECK(text(0.0, 2) == "0");
  CHECK(text(-0.5, 2) == "-0.5");
  CHECK(text(12.004, 2) == "12");
  CHECK(text(1.005001, 3) == "1.005");
  CHECK(text(-3.999, 2) == "-4");
  CHECK(text(1e9, 2) == "1000000000");
}

TEST_CASE("an SVG names every cell and escapes what XML reserves", "[svg]") {
  const Scene scene = tv_scene();
  const std::string svg = render_svg(scene).value();
  CHECK(count(svg, "-p0-") == 32);
  CHECK(svg.find("<title>T0 V0, (0,0), offset 0</title>") != std::string::npos);
  CHECK(svg.find("<title>T7 V3, (3,7), offset 31</title>") != std::string::npos);
  CHECK(svg.find("Who &lt;owns&gt; what &amp; why") != std::string::npos);
  CHECK(svg.find(">Each of 8 threads owns 4 of the 32 elements of the 4 × 8 tile. ") != std::string::npos);
  CHECK(svg.find("dominant-baseline") == std::string::npos);  // librsvg ignores it; labels are centred by dy
  CHECK(count(svg, "<g") == count(svg, "</g>"));
  CHECK(count(svg, "<text") == count(svg, "</text>"));
  CHECK(svg == render_svg(tv_scene()).value());
}

TEST_CASE("names of three digits end in their cells in the widest face that a viewer may take for Inter", "[svg]") {
  constexpr double kTOfDejaVuBold = 0.682, kDigitOfDejaVuBold = 0.696, kCell = 28;  // advances in type sizes; pixels
  const std::string svg = render_svg(make_figure(figure(lay(tup({128, 2}), tup({2, 1})), FigureStyle::tessera, "tv")).value()).value();
  const std::string group = "font-size=\"";
  const double size = std::stod(svg.substr(svg.find(group) + group.size()));
  REQUIRE(svg.find(">T127<") != std::string::npos);
  CHECK(size * (kTOfDejaVuBold + 3 * kDigitOfDejaVuBold) <= 0.96 * kCell);
  CHECK(size * (kTOfDejaVuBold + 3 * kDigitOfDejaVuBold) >= 0.86 * kCell);
}

TEST_CASE("an SVG stays as it was looked at", "[svg][golden]") {
  const std::string svg = render_svg(tv_scene()).value();
  CHECK(svg == golden("figures/tv.svg", svg));
}

TEST_CASE("every field of every kind of mark is drawn as it was looked at, in every style and in TikZ", "[svg][tikz][golden]") {
  for (const auto& [style, name] :
       {std::pair{FigureStyle::tessera, "tessera"}, {FigureStyle::print_latex, "print_latex"}, {FigureStyle::print_svg, "print_svg"}}) {
    INFO(name);
    const std::string svg = render_svg(every_mark(style)).value(), tikz = render_tikz(every_mark(style)).value();
    CHECK(svg == golden("figures/every_mark_" + std::string(name) + ".svg", svg));
    CHECK(tikz == golden("figures/every_mark_" + std::string(name) + ".tex", tikz));
  }
}

TEST_CASE("every sign that SVG, TeX or a terminal takes for its own is written as it was looked at", "[svg][tikz][golden]") {
  for (const auto& [style, name] :
       {std::pair{FigureStyle::tessera, "tessera"}, {FigureStyle::print_latex, "print_latex"}, {FigureStyle::print_svg, "print_svg"}}) {
    INFO(name);
    const std::string svg = render_svg(every_sign(style)).value(), tikz = render_tikz(every_sign(style)).value();
    CHECK(svg == golden("figures/every_sign_" + std::string(name) + ".svg", svg));
    CHECK(tikz == golden("figures/every_sign_" + std::string(name) + ".tex", tikz));
  }
}

TEST_CASE("JSON holds every mark and every link of a scene", "[json]") {
  const Scene scene = tv_scene();
  const nlohmann::json j = nlohmann::json::parse(render_json(scene).value());
  REQUIRE(j["panels"].size() == scene.panels.size());
  CHECK(j["panels"][0]["marks"].size() == scene.panels[0].marks.size() - 1 + cell_count(scene));  // each of the grid's cells is a mark
  for (std::size_t p = 1; p < scene.panels.size(); ++p) CHECK(j["panels"][p]["marks"].size() == scene.panels[p].marks.size());
  const nlohmann::json& cell = j["panels"][0]["marks"][9];  // row 1, column 1
  CHECK(cell["label"] == "T2\nV1");
  CHECK(cell["links"][0] == nlohmann::json({{"thread", 2}, {"value", 1}, {"row", 1}, {"col", 1}, {"offset", 9}, {"tensor", 0}}));
}

TEST_CASE("JSON survives quotes, line ends and broken UTF-8 in texts", "[json]") {
  Scene scene;
  scene.expression = "a \"quoted\" \\ line\nwith \xff";
  scene.panels.push_back({"p\"1", {Cell{0, 0, 1, 1, kNoColor, 1, false, scene.intern("\"\\"), kNoSubject}}});
  const nlohmann::json j = nlohmann::json::parse(render_json(scene).value());
  CHECK(j["panels"][0]["marks"][0]["label"] == "\"\\");
}

TEST_CASE("a PNG's text chunk comes back", "[png]") {
  // The smallest file with a header: signature, IHDR, IEND.
  std::string png("\x89PNG\r\n\x1a\n", 8);
  png += std::string("\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90\x77\x53\xde", 25);
  png += std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12);
  const std::string with = with_png_text(png, "tessera", "(4,8):(8,1) → offset");
  CHECK(png_text(with, "tessera") == "(4,8):(8,1) → offset");
  CHECK(png_text(with, "other").empty());
  CHECK(png_text(png, "tessera").empty());
  CHECK(png_text(with.substr(0, 50), "tessera").empty());
}

TEST_CASE("a text chunk is found wherever it stands in a PNG, and no chunk is read beyond the file's end", "[png]") {
  const auto chunk = [](const std::string& name, const std::string& data) {
    return std::string("\0\0\0", 3) + static_cast<char>(data.size()) + name + data + "CRC!";
  };
  const std::string signature("\x89PNG\r\n\x1a\n", 8), zeros(5, '\0');
  const std::string text = chunk("iTXt", "key" + zeros + "words"), other = chunk("iTXt", "keys" + zeros + "no");
  CHECK(png_text(signature + text, "key") == "words");  // the last of the file
  CHECK(png_text(signature + other + chunk("IDAT", "key") + text + other, "key") == "words");
  CHECK(png_text(signature + chunk("iTXt", "key" + zeros), "key").empty());
  CHECK(png_text(signature + chunk("iTXt", "key" + zeros + "a"), "key") == "a");
  CHECK(png_text(signature + chunk("tEXt", "key" + zeros + "words"), "key").empty());
  CHECK(png_text(signature + chunk("iTXt", "key"), "key").empty());
  for (std::size_t length = 0; length < text.size(); ++length) CHECK(png_text(signature + text.substr(0, length), "key").empty());
  std::string too_long = signature + text;
  ++too_long[11];
  CHECK(png_text(too_long, "key").empty());
  too_long[8] = too_long[9] = '\xff';
  CHECK(png_text(too_long, "key").empty());
  // What is written has its own length and the checksum of its name and data, and stands behind the header.
  const std::string header = signature + chunk("IHDR", std::string(13, 'h')), written = with_png_text(header + "rest", "Author", "A");
  CHECK(written == header + std::string("\0\0\0\x0c", 4) + "iTXtAuthor" + zeros + "A" + written.substr(header.size() + 20, 4) + "rest");
  const std::string long_text(70000, 'x'), with = with_png_text(header, "key", long_text);
  CHECK(with.substr(header.size(), 4) == std::string("\0\x01\x11\x78", 4));
  CHECK(png_text(with, "key") == long_text);
}

TEST_CASE("type fits its cell, and text can be read on every fill", "[render]") {
  const Scene scene = tv_scene();
  const double size = cell_type_size(scene, 0);
  CHECK(size > 0.2);
  CHECK(2 * size * kLinePitch < 1.0);
  for (std::size_t p = 0; p < scene.panels.size(); ++p) {
    each_cell(scene, p, [&](const CellView& cell) {
      if (cell.fill != kNoColor) CHECK(contrast(scene.palette[cell.fill], cell_text_color(scene, cell)) >= 4.5);
    });
  }
}

TEST_CASE("PNG and PDF are made, or refused in words where Cairo is absent", "[png][pdf]") {
  const Scene scene = tv_scene();
  const Result<std::string> png = render_png(scene), pdf = render_pdf(scene);
  if (!png) {
    CHECK(png.error().code == ErrorCode::io);
    CHECK(png.error().message.find("Cairo") != std::string::npos);
    return;
  }
  CHECK(png->substr(1, 3) == "PNG");
  CHECK(png_text(*png, "tessera") == scene.expression);
  REQUIRE(pdf);
  CHECK(pdf->substr(0, 5) == "%PDF-");
  CHECK(*pdf == *render_pdf(scene));
  RenderOptions enormous;
  enormous.scale = 1000;
  const Result<std::string> refused = render_png(scene, enormous);
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::limit);
}
