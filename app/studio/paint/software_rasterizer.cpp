// SPDX-License-Identifier: BSD-3-Clause
// Triangles with colours and textures, as a GPU would fill them: a pixel belongs to a triangle when its centre lies inside, and an edge
// that two triangles share belongs to the one that has it as a top or left edge, so nothing is painted twice.
#include "app/studio/paint/software_rasterizer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace tessera::studio {
namespace {

struct Rgba {
  float r, g, b, a;  // 0..1, not premultiplied
};

Rgba unpack(ImU32 c) {
  constexpr float k = 1.0f / 255.0f;
  return {((c >> IM_COL32_R_SHIFT) & 255) * k, ((c >> IM_COL32_G_SHIFT) & 255) * k, ((c >> IM_COL32_B_SHIFT) & 255) * k,
          ((c >> IM_COL32_A_SHIFT) & 255) * k};
}

Rgba texel(const Image& image, int x, int y) {
  x = std::clamp(x, 0, image.width - 1);
  y = std::clamp(y, 0, image.height - 1);
  const std::uint8_t* p = &image.rgba[(static_cast<std::size_t>(y) * image.width + x) * 4];
  constexpr float k = 1.0f / 255.0f;
  return {p[0] * k, p[1] * k, p[2] * k, p[3] * k};
}

Rgba mix(const Rgba& a, const Rgba& b, float t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t, a.a + (b.a - a.a) * t};
}

Rgba sample(const Texture& texture, float u, float v) {
  const float x = u * texture.image.width, y = v * texture.image.height;
  if (!texture.smooth) return texel(texture.image, static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)));
  const float fx = std::floor(x - 0.5f), fy = std::floor(y - 0.5f);
  const int ix = static_cast<int>(fx), iy = static_cast<int>(fy);
  const float tx = x - 0.5f - fx, ty = y - 0.5f - fy;
  if (tx < 1e-3f && ty < 1e-3f) return texel(texture.image, ix, iy);
  return mix(mix(texel(texture.image, ix, iy), texel(texture.image, ix + 1, iy), tx),
             mix(texel(texture.image, ix, iy + 1), texel(texture.image, ix + 1, iy + 1), tx), ty);
}

struct PixelRect {
  int x0, y0, x1, y1;
};

class Painter {
 public:
  Painter(Image& target, const Textures& textures) : target_(target), textures_(textures) {}

  void set_command(PixelRect clip, std::uint64_t texture) {
    clip_ = {std::max(clip.x0, 0), std::max(clip.y0, 0), std::min(clip.x1, target_.width), std::min(clip.y1, target_.height)};
    texture_ = textures_.find(texture);
  }

  void triangle(ImDrawVert a, ImDrawVert b, ImDrawVert c) const;
  // Two triangles that make an axis-parallel rectangle of one colour; false when these do not.
  bool rectangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) const;

 private:
  void blend(int x, int y, const Rgba& c) const {
    std::uint8_t* p = &target_.rgba[(static_cast<std::size_t>(y) * target_.width + x) * 4];
    const float k = 255.0f * c.a, rest = 1.0f - c.a;
    p[0] = static_cast<std::uint8_t>(c.r * k + p[0] * rest + 0.5f);
    p[1] = static_cast<std::uint8_t>(c.g * k + p[1] * rest + 0.5f);
    p[2] = static_cast<std::uint8_t>(c.b * k + p[2] * rest + 0.5f);
  }
  Rgba shade(const Rgba& vertex, float u, float v) const {
    if (!texture_) return vertex;
    const Rgba t = sample(*texture_, u, v);
    return {vertex.r * t.r, vertex.g * t.g, vertex.b * t.b, vertex.a * t.a};
  }

  Image& target_;
  const Textures& textures_;
  const Texture* texture_ = nullptr;
  PixelRect clip_{0, 0, 0, 0};
};

// The first pixel whose centre is at or after x.
int first_center(float x) { return static_cast<int>(std::ceil(x - 0.5f)); }

bool Painter::rectangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) const {
  if (a.col != b.col || b.col != c.col || c.col != d.col) return false;
  if (a.pos.y != b.pos.y || b.pos.x != c.pos.x || c.pos.y != d.pos.y || d.pos.x != a.pos.x) return false;
  if (a.uv.y != b.uv.y || b.uv.x != c.uv.x || c.uv.y != d.uv.y || d.uv.x != a.uv.x) return false;
  if (c.pos.x < a.pos.x || c.pos.y < a.pos.y) return false;
  const int x0 = std::max(first_center(a.pos.x), clip_.x0), x1 = std::min(first_center(c.pos.x), clip_.x1);
  const int y0 = std::max(first_center(a.pos.y), clip_.y0), y1 = std::min(first_center(c.pos.y), clip_.y1);
  const Rgba color = unpack(a.col);
  const bool flat = a.uv.x == c.uv.x && a.uv.y == c.uv.y;
  const Rgba flat_color = flat ? shade(color, a.uv.x, a.uv.y) : color;
  const float du = flat ? 0 : (c.uv.x - a.uv.x) / (c.pos.x - a.pos.x), dv = flat ? 0 : (c.uv.y - a.uv.y) / (c.pos.y - a.pos.y);
  for (int y = y0; y < y1; ++y) {
    const float v = a.uv.y + (y + 0.5f - a.pos.y) * dv;
    for (int x = x0; x < x1; ++x) {
      blend(x, y, flat ? flat_color : shade(color, a.uv.x + (x + 0.5f - a.pos.x) * du, v));
    }
  }
  return true;
}

float cross(const ImVec2& o, const ImVec2& p, const ImVec2& q) { return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x); }

// For clockwise triangles with y down: a horizontal edge to the right is the top, an edge upwards is a left one.
bool owns_edge(const ImVec2& from, const ImVec2& to) { return (from.y == to.y && to.x > from.x) || to.y < from.y; }

void Painter::triangle(ImDrawVert a, ImDrawVert b, ImDrawVert c) const {
  float area = cross(a.pos, b.pos, c.pos);
  if (area == 0) return;
  if (area < 0) {
    std::swap(b, c);
    area = -area;
  }
  const float left = std::min({a.pos.x, b.pos.x, c.pos.x}), right = std::max({a.pos.x, b.pos.x, c.pos.x});
  const float top = std::min({a.pos.y, b.pos.y, c.pos.y}), bottom = std::max({a.pos.y, b.pos.y, c.pos.y});
  const int x0 = std::max(first_center(left), clip_.x0), x1 = std::min(first_center(right) + 1, clip_.x1);
  const int y0 = std::max(first_center(top), clip_.y0), y1 = std::min(first_center(bottom) + 1, clip_.y1);
  const bool own_a = owns_edge(b.pos, c.pos), own_b = owns_edge(c.pos, a.pos), own_c = owns_edge(a.pos, b.pos);
  const Rgba ca = unpack(a.col), cb = unpack(b.col), cc = unpack(c.col);
  const float scale = 1.0f / area;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      const ImVec2 p(x + 0.5f, y + 0.5f);
      const float wa = cross(b.pos, c.pos, p), wb = cross(c.pos, a.pos, p), wc = cross(a.pos, b.pos, p);
      if (wa < 0 || wb < 0 || wc < 0) continue;
      if ((wa == 0 && !own_a) || (wb == 0 && !own_b) || (wc == 0 && !own_c)) continue;
      const float fa = wa * scale, fb = wb * scale, fc = wc * scale;
      const Rgba color{ca.r * fa + cb.r * fb + cc.r * fc, ca.g * fa + cb.g * fb + cc.g * fc, ca.b * fa + cb.b * fb + cc.b * fc,
                       ca.a * fa + cb.a * fb + cc.a * fc};
      blend(x, y, shade(color, a.uv.x * fa + b.uv.x * fb + c.uv.x * fc, a.uv.y * fa + b.uv.y * fb + c.uv.y * fc));
    }
  }
}

// ImGui writes a rectangle as vertices a b c d with indices 0 1 2 0 2 3.
bool is_quad(const ImDrawIdx* index) {
  return index[3] == index[0] && index[4] == index[2] && index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[5] == index[0] + 3;
}

void paint_command(const ImDrawList& list, const ImDrawCmd& command, Painter& painter) {
  const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
    const ImDrawIdx* t = index + i;
    if (i + 5 < command.ElemCount && is_quad(t) && painter.rectangle(vertex[t[0]], vertex[t[1]], vertex[t[2]], vertex[t[5]])) {
      i += 3;
      continue;
    }
    painter.triangle(vertex[t[0]], vertex[t[1]], vertex[t[2]]);
  }
}

}  // namespace

Image rasterize(const ImDrawData& data, const Textures& textures, ImU32 background) {
  Image image{static_cast<int>(data.DisplaySize.x), static_cast<int>(data.DisplaySize.y), {}};
  image.rgba.resize(static_cast<std::size_t>(image.width) * image.height * 4);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    image.rgba[i] = (background >> IM_COL32_R_SHIFT) & 255;
    image.rgba[i + 1] = (background >> IM_COL32_G_SHIFT) & 255;
    image.rgba[i + 2] = (background >> IM_COL32_B_SHIFT) & 255;
    image.rgba[i + 3] = 255;
  }
  Painter painter(image, textures);
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      painter.set_command({static_cast<int>(clip.x), static_cast<int>(clip.y), static_cast<int>(clip.z), static_cast<int>(clip.w)},
                          texture_of(command));
      paint_command(list, command, painter);
    }
  }
  return image;
}

std::string encode_png(const Image& image) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(image.rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) rgb.insert(rgb.end(), {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]});
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, rgb.data(), image.width * 3);
  return bytes;
}

}  // namespace tessera::studio
