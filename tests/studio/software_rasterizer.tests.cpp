// SPDX-License-Identifier: BSD-3-Clause
// The rasteriser against what a GPU would do: coverage, clipping, blending, textures, shared edges.
#include <cstdint>
#include <string>

#include "app/studio/paint/software_rasterizer.hpp"

#include "app/studio/frame/null_backend.hpp"
#include "tests/support/catch.hpp"

using namespace tessera::studio;

namespace {

struct Pixel {
  int r, g, b;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

Pixel at(const Image& image, int x, int y) {
  const std::uint8_t* p =
      &image.rgba[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 4];
  return {p[0], p[1], p[2]};
}

template <class Draw>
Image draw_with(Draw draw, Textures* own = nullptr) {
  Textures local;
  Textures& textures = own ? *own : local;
  NullBackend backend(64, 48);
  ImGui::GetIO().Fonts->AddFontDefault();
  backend.start(textures);
  backend.frame({}, [&] { draw(ImGui::GetBackgroundDrawList()); });
  return backend.picture(textures, IM_COL32(10, 20, 30, 255));
}

constexpr ImU32 kRed = IM_COL32(255, 0, 0, 255);

}  // namespace

TEST_CASE("a rectangle covers exactly its pixels") {
  const Image image = draw_with([](ImDrawList* list) { list->AddRectFilled({8, 8}, {16, 12}, kRed); });
  CHECK(at(image, 8, 8) == Pixel{255, 0, 0});
  CHECK(at(image, 15, 11) == Pixel{255, 0, 0});
  CHECK(at(image, 7, 8) == Pixel{10, 20, 30});
  CHECK(at(image, 16, 8) == Pixel{10, 20, 30});
  CHECK(at(image, 8, 12) == Pixel{10, 20, 30});
}

TEST_CASE("a clip rectangle cuts, and half opacity is half of both") {
  const Image image = draw_with([](ImDrawList* list) {
    list->PushClipRect({0, 0}, {12, 48});
    list->AddRectFilled({8, 8}, {16, 12}, IM_COL32(255, 255, 255, 128));
    list->PopClipRect();
  });
  const Pixel inside = at(image, 9, 9);
  CHECK(inside.r == Approx(133).margin(1));
  CHECK(inside.b == Approx(143).margin(1));
  CHECK(at(image, 12, 9) == Pixel{10, 20, 30});
}

TEST_CASE("two triangles that share an edge paint no pixel twice and leave no gap") {
  const Image image = draw_with([](ImDrawList* list) {
    const ImDrawListFlags flags = list->Flags;
    list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    const ImU32 half = IM_COL32(255, 255, 255, 128);
    list->AddTriangleFilled({4, 4}, {40, 9}, {11, 37}, half);
    list->AddTriangleFilled({40, 9}, {47, 40}, {11, 37}, half);
    list->Flags = flags;
  });
  std::size_t covered = 0;
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      const Pixel p = at(image, x, y);
      CHECK((p.r == 10 || (p.r >= 132 && p.r <= 134)));
      covered += p.r != 10;
    }
  }
  CHECK(covered > 900);
}

TEST_CASE("a texture without smoothing shows its texels as they are") {
  Textures textures;
  Image texels{2, 1, {0, 200, 0, 255, 0, 0, 200, 255}};
  const std::uint64_t key = textures.add(texels, false);
  const Image image = draw_with([&](ImDrawList* list) { list->AddImage(to_texture_id(key), {0, 0}, {20, 10}); }, &textures);
  CHECK(at(image, 0, 0) == Pixel{0, 200, 0});
  CHECK(at(image, 9, 9) == Pixel{0, 200, 0});
  CHECK(at(image, 10, 0) == Pixel{0, 0, 200});
  CHECK(at(image, 19, 9) == Pixel{0, 0, 200});
}

TEST_CASE("text leaves ink") {
  const Image image = draw_with([](ImDrawList* list) { list->AddText({4, 4}, IM_COL32(255, 255, 255, 255), "Tessera"); });
  std::size_t ink = 0;
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 64; ++x) ink += at(image, x, y).r > 128;
  }
  CHECK(ink > 40);
}

TEST_CASE("a picture is written as PNG") {
  const Image image = draw_with([](ImDrawList* list) { list->AddRectFilled({8, 8}, {16, 12}, kRed); });
  const std::string png = encode_png(image);
  REQUIRE(png.size() > 60);
  CHECK(png.substr(1, 3) == "PNG");
}
