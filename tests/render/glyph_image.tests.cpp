// SPDX-License-Identifier: BSD-3-Clause
// Glyphs in pixels: what is covered takes the colour in proportion, and a piece of a picture is what the whole has there.
#include <cstdint>
#include <vector>

#if TESSERA_HAVE_CAIRO

#include "core/render/raster/glyph_image.hpp"

#include <array>
#include <cmath>

#include "tests/support/catch.hpp"

using namespace tessera;

namespace {

constexpr int kSide = 24;
constexpr std::uint32_t kUntouched = 0x80402010;  // half opaque
constexpr Rgb kColor{255, 128, 7};

struct Canvas {
  explicit Canvas(int width = kSide, int height = kSide)
      : width(width), height(height), pixels(static_cast<std::size_t>(width * height + 2 * kSide), kUntouched) {}
  // Between two strips that nobody may touch.
  PixelArea area() { return {reinterpret_cast<unsigned char*>(pixels.data() + kSide), width, height, 4 * width}; }
  std::uint32_t at(int x, int y) const { return pixels[static_cast<std::size_t>(kSide + y * width + x)]; }

  int width, height;
  std::vector<std::uint32_t> pixels;
};

GlyphImage image_of(char32_t sign, double size, double shift = 0) {
  const GlyphShape shape = Typefaces::get().shape(Typeface::inter, sign);
  return GlyphImage(Typefaces::get().outline(shape.face, shape.glyph), size, shift);
}

unsigned channel(std::uint32_t word, int which) { return word >> 8 * which & 0xff; }

}  // namespace

TEST_CASE("a pixel takes as much of the colour as is covered of it, in each channel", "[glyphs]") {
  const GlyphImage eight = image_of('8', 17, 0.25);
  REQUIRE((eight.cols > 5 && eight.rows > 10 && eight.cols <= kSide && eight.rows <= kSide));
  Canvas canvas;
  put(eight, 0, 0, kColor, canvas.area());
  const std::uint32_t color = 0xff000000u | 255u << 16 | 128u << 8 | 7u;
  bool partly = false, whole = false;
  for (int y = 0; y < eight.rows; ++y) {
    for (int x = 0; x < eight.cols; ++x) {
      const double covered = eight.coverage[static_cast<std::size_t>(y * eight.cols + x)] / 255.0;
      partly = partly || (covered > 0 && covered < 1);
      whole = whole || covered == 1;
      for (int which = 0; which < 4; ++which) {
        const double wanted = covered * channel(color, which) + (1 - covered) * channel(kUntouched, which);
        INFO(x << ", " << y << ", channel " << which);
        CHECK(std::abs(channel(canvas.at(x, y), which) - wanted) <= 1);  // two products, each rounded
        if (covered == 0) CHECK(canvas.at(x, y) == kUntouched);
        if (covered == 1) CHECK(canvas.at(x, y) == color);
      }
    }
  }
  CHECK((partly && whole));
}

TEST_CASE("a glyph over an edge is cut there, and nothing beside the picture is touched", "[glyphs]") {
  const GlyphImage glyph = image_of('B', 17);
  Canvas whole(3 * kSide, 3 * kSide);
  put(glyph, kSide, kSide, kColor, whole.area());
  for (int top = -kSide; top <= 0; top += 3) {
    for (int left = -kSide; left <= 0; left += 3) {
      INFO(left << ", " << top);
      Canvas part(7, 5);
      put(glyph, left, top, kColor, part.area());
      for (int y = 0; y < part.height; ++y) {
        for (int x = 0; x < part.width; ++x) CHECK(part.at(x, y) == whole.at(kSide - left + x, kSide - top + y));
      }
      for (std::size_t i = 0; i < kSide; ++i)
        CHECK((part.pixels[i] == kUntouched && part.pixels.end()[-1 - static_cast<int>(i)] == kUntouched));
    }
  }
  Canvas far;
  for (const std::int64_t away : {-kSide * 100'000'000LL, kSide * 100'000'000LL}) {
    put(glyph, away, 0, kColor, far.area());
    put(glyph, 0, away, kColor, far.area());
  }
  CHECK(far.pixels == Canvas().pixels);
}

TEST_CASE("a filled glyph is kept by its size and place, and large ones are not", "[glyphs]") {
  const GlyphShape shape = Typefaces::get().shape(Typeface::inter, '4');
  GlyphImages images;
  const auto get = [&](double size, std::uint64_t place) {
    GlyphImages::OfSize& of = images.of(shape.face, size);
    return &images.filled(of, shape.face, size, shape.glyph * GlyphImages::kPlaces + place);
  };
  const GlyphImage* first = get(12, 1);
  CHECK(first->coverage == image_of('4', 12, 0.25).coverage);
  CHECK(get(12, 2)->coverage == image_of('4', 12, 0.5).coverage);
  CHECK(get(13, 1)->coverage == image_of('4', 13, 0.25).coverage);
  images.forget_large();
  CHECK(get(12, 1) == first);
  get(3000, 0);
  images.forget_large();
  CHECK(images.of(shape.face, 12).empty());
  CHECK(get(12, 1)->coverage == image_of('4', 12, 0.25).coverage);
}

#endif
