// SPDX-License-Identifier: BSD-3-Clause
// A PNG's pixels, as another reader sees them, and what it says of its size.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

#if TESSERA_HAVE_CAIRO

#include <png.h>

#include <cstring>
#include <random>

#include "core/render/raster/png_file.hpp"
#include "core/render/shared/png_text.hpp"
#include "core/render/shared/render.hpp"

using namespace tessera;

namespace {

struct Decoded {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
  const std::uint8_t* at(int x, int y) const { return rgba.data() + 4 * (static_cast<std::size_t>(y) * width + x); }
};

Decoded decoded(const std::string& png) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, png.data(), png.size()));
  image.format = PNG_FORMAT_RGBA;
  Decoded out{static_cast<int>(image.width), static_cast<int>(image.height), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  REQUIRE(png_image_finish_read(&image, nullptr, out.rgba.data(), 0, nullptr));
  CHECK(image.warning_or_error == 0);
  return out;
}

// Dots a metre of the chunk pHYs, by the file's bytes.
std::uint32_t dots_per_metre(const std::string& png) {
  const std::size_t at = png.find("pHYs");
  REQUIRE(at != std::string::npos);
  CHECK(png[at + 12] == 1);
  CHECK(png.substr(at + 4, 4) == png.substr(at + 8, 4));
  std::uint32_t n = 0;
  for (std::size_t i = 4; i < 8; ++i) n = n << 8 | static_cast<std::uint8_t>(png[at + i]);
  return n;
}

Scene one_cell(float w, float h) {
  Scene scene;
  const ColorIndex red = scene.color({200, 0, 0});
  scene.panels.push_back({"p", {Cell{0, 0, w, h, red}}});
  return scene;
}

}  // namespace

TEST_CASE("a PNG's pixels are those that were given, in one band of rows and in several", "[png]") {
  std::mt19937 random(3);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {700, 900}, {1, 5000}, {300'000, 3}, {40'000, 9}}) {
    for (const bool transparent : {false, true}) {
      const int stride = 4 * width + 8;
      std::vector<std::uint8_t> data(static_cast<std::size_t>(stride) * height);
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(random() % 5 == 0 ? random() : i / 64);
      if (transparent) {  // no colour is above its opacity
        for (std::size_t i = 0; i + 3 < data.size(); i += 4) {
          for (int c = 0; c < 3; ++c) data[i + c] = std::min(data[i + c], data[i + 3]);
        }
      }
      const Bitmap pixels{data.data(), width, height, stride, transparent};
      const Decoded got = decoded(png_file(pixels, 144, "").value());
      REQUIRE((got.width == width && got.height == height));
      int wrong = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          const std::uint8_t *in = data.data() + static_cast<std::ptrdiff_t>(y) * stride + 4 * x, *out = got.at(x, y);
          for (int c = 0; c < 3; ++c) {
            const int full = !transparent ? in[2 - c] : in[3] == 0 ? 0 : (2 * 255 * in[2 - c] + in[3]) / (2 * in[3]);
            wrong += out[c] != full;
          }
          wrong += out[3] != (transparent ? in[3] : 255);
        }
      }
      INFO(width << " x " << height);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a PNG says how many dots an inch it has, and carries its text", "[png]") {
  const std::uint8_t white[4] = {255, 255, 255, 255};
  const std::string png = png_file({white, 1, 1, 4, false}, 300, "words").value();
  CHECK(dots_per_metre(png) == 11811);
  CHECK(tessera::png_text(png, "tessera") == "words");
  CHECK(png_file({white, 1, 1, 4, false}, 300, "").value().find("iTXt") == std::string::npos);
  for (const auto& [scale, expected] : {std::pair{1.0, 2835u}, {2.0, 5669u}, {300.0 / 72, 11811u}}) {
    RenderOptions options;
    options.scale = scale;
    CHECK(dots_per_metre(render_png(one_cell(3, 1), options).value()) == expected);
  }
}

TEST_CASE("paper is white, and with transparency nothing", "[png]") {
  for (const bool transparent : {false, true}) {
    RenderOptions options;
    options.transparent = transparent;
    const Decoded png = decoded(render_png(one_cell(2, 1), options).value());
    const auto is = [&](int x, int y, std::uint8_t r, std::uint8_t g, std::uint8_t b, std::uint8_t a) {
      const std::uint8_t want[4] = {r, g, b, a};
      return std::memcmp(png.at(x, y), want, 4) == 0;
    };
    CHECK((transparent ? is(1, 1, 0, 0, 0, 0) : is(1, 1, 255, 255, 255, 255)));
    CHECK(is(png.width / 2, png.height / 2, 200, 0, 0, 255));
    const std::string svg = render_svg(one_cell(2, 1), options).value();
    CHECK((svg.find("fill=\"#ffffff\"") == std::string::npos) == transparent);
    CHECK(svg.find("fill=\"#c80000\"") != std::string::npos);
  }
  RenderOptions none;
  none.transparent = true;
  CHECK(render_pdf(one_cell(2, 1)).value().size() > render_pdf(one_cell(2, 1), none).value().size());
}

TEST_CASE("a size that was asked for is kept up to the limit, and others end at 3840 pixels", "[png]") {
  const auto width = [](bool fit, double scale) {
    RenderOptions options;
    options.fit = fit, options.scale = scale;
    const std::string png = render_png(one_cell(400, 4), options).value();
    return decoded(png).width;
  };
  CHECK(width(true, 1) == 3840);
  CHECK(width(false, 1) == 28 * 410);
  CHECK(width(false, 2) == 28 * 410 * 2);
  RenderOptions more;
  more.fit = false, more.scale = 3;
  const Result<std::string> refused = render_png(one_cell(400, 4), more);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("a PNG of 34440 x "));
}

#endif
