// SPDX-License-Identifier: BSD-3-Clause
// Paints cells, lines and arrows of scenes. It reads marks only, as every renderer.
#include "app/studio/paint/scene_painter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/paint/scene_marks.hpp"
#include "app/studio/paint/scene_words.hpp"
#include "core/diagram/scene/color_difference.hpp"
#include "core/diagram/scene/palette.hpp"

namespace tessera::studio {
namespace {

constexpr float kGlyphAspect = 0.6f, kLineStep = 1.12f;  // of cells' labels: a letter's width and lines, in sizes of the type
constexpr int kLargestTexture = 8192;                    // texels along one side: what every OpenGL 3.3 driver takes

struct Stroke {
  ImU32 color;
  float width;
};

Rgb rgb_of(ImU32 color) {
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(color >> shift); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

Stroke stroke_of(StrokeRole role, const PaintContext& c) {
  const float s = c.ui_scale;
  switch (role) {
    case StrokeRole::hairline: return {faded(c.theme.ink, 0.45f), 1 * s};
    case StrokeRole::grid: return {faded(c.theme.ink, 0.75f), 1 * s};
    case StrokeRole::boundary: return {c.theme.ink, 1.6f * s};
    case StrokeRole::strong: return {c.theme.ink, 2.8f * s};
    case StrokeRole::highlight: return {c.theme.accent, 3 * s};
  }
  return {c.theme.ink, 1};
}

}  // namespace

ImU32 color_of(const Scene& scene, ColorIndex index, ImU32 otherwise) {
  if (index >= scene.palette.size()) return otherwise;
  const Rgb c = scene.palette[index];
  return IM_COL32(c.r, c.g, c.b, 255);
}

ImU32 ink_on(ImU32 ground) {
  const Rgb text = text_color(rgb_of(ground));
  return IM_COL32(text.r, text.g, text.b, 255);
}

ScenePainter::ScenePainter(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area)
    : c_(context), scene_(scene), index_(index), camera_(camera), area_(area) {}

// The largest face whose text fits; null when none is readable.
const Face* ScenePainter::face_for(float w, float h, std::size_t columns, std::size_t lines) const {
  if (columns == 0) return nullptr;
  const float width = (w * camera_.scale - 2 * c_.ui_scale) / (kGlyphAspect * static_cast<float>(columns));
  const float height = (h * camera_.scale - 2 * c_.ui_scale) / (kLineStep * static_cast<float>(lines));
  // Not larger than suits the cell; the smallest face wherever it has room.
  const float size = std::min({width, height, std::max(0.46f * h * camera_.scale, c_.fonts.cell.front().size)});
  const Face& face = Fonts::at_most(c_.fonts.cell, size);
  return face.size <= size + 0.01f ? &face : nullptr;
}

void ScenePainter::far_grid(Layer& layer, const Grid& grid) {
  const int cols = grid.of->cols, rows = grid.of->rows;
  if (layer.textures.empty()) {
    for (Image& image : grid_images(scene_, *grid.of, c_.theme.cell)) layer.textures.push_back(c_.textures.add(std::move(image), false));
  }
  const float least = camera_.scale * std::min(grid.w, grid.h);  // pixels
  std::size_t level = least >= 1 ? 0 : static_cast<std::size_t>(std::ceil(-std::log2(least)));
  while ((std::max(cols, rows) >> level) > kLargestTexture) ++level;
  level = std::min(level, layer.textures.size() - 1);
  // A level's last texel may hang over the grid's end.
  const auto covered = static_cast<float>(1 << level);
  const float u = static_cast<float>(cols) / (covered * std::ceil(static_cast<float>(cols) / covered));
  const float v = static_cast<float>(rows) / (covered * std::ceil(static_cast<float>(rows) / covered));
  const ImVec2 a = camera_.to_screen(grid.x, grid.y);
  const ImVec2 b = camera_.to_screen(grid.x + grid.w * static_cast<float>(cols), grid.y + grid.h * static_cast<float>(rows));
  c_.list->AddImage(to_texture_id(layer.textures[level]), a, b, {0, 0}, {u, v});
}

void ScenePainter::grid(Layer& layer, const Grid& grid) {
  const int cols = grid.of->cols, rows = grid.of->rows;
  const float w = camera_.scale * grid.w, h = camera_.scale * grid.h, s = std::min(w, h);  // pixels of a cell
  const ImVec2 a = camera_.to_screen(grid.x, grid.y);
  const ImVec2 b(a.x + w * static_cast<float>(cols), a.y + h * static_cast<float>(rows));
  if (outside(a, b)) return;
  const int x0 = std::max(0, static_cast<int>((area_.a.x - a.x) / w)), x1 = std::min(cols, static_cast<int>((area_.b.x - a.x) / w) + 1);
  const int y0 = std::max(0, static_cast<int>((area_.a.y - a.y) / h)), y1 = std::min(rows, static_cast<int>((area_.b.y - a.y) / h) + 1);
  if (s >= kTilesFrom * c_.ui_scale) {
    const Face* face = face_for(grid.w, grid.h, layer.columns, layer.lines);
    const auto place = [cols](int x, int y) {
      return static_cast<std::size_t>(y) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(x);
    };
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        const ImVec2 corner(a.x + w * static_cast<float>(x), a.y + h * static_cast<float>(y));
        tile(view(grid, place(x, y)), face, corner, {corner.x + w, corner.y + h});
      }
      for (int x = x0; x < x1 && !grid.of->others.empty(); ++x) {
        if (!grid.of->others_of(place(x, y)).empty()) shared_corner(view(grid, place(x, y)));
      }
    }
    return;
  }
  far_grid(layer, grid);
  if (s < kLinesFrom * c_.ui_scale) return;
  const ImU32 line = faded(c_.theme.ink, std::clamp((s - 3) / 8, 0.15f, 0.8f));
  for (int x = x0; x <= x1; ++x) {
    const float at = std::floor(a.x + w * static_cast<float>(x));
    c_.list->AddRectFilled({at, std::max(a.y, area_.a.y)}, {at + 1, std::min(b.y, area_.b.y)}, line);
  }
  for (int y = y0; y <= y1; ++y) {
    const float at = std::floor(a.y + h * static_cast<float>(y));
    c_.list->AddRectFilled({std::max(a.x, area_.a.x), at}, {std::min(b.x, area_.b.x), at + 1}, line);
  }
  // Many thousand labels of the smallest type would take longer than a frame has.
  constexpr int kMostSmall = 6000;
  const Face* face = face_for(grid.w, grid.h, layer.columns, layer.lines);
  if (!face || (x1 - x0) * (y1 - y0) > kMostSmall) return;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      const CellView cell = view(grid, static_cast<std::size_t>(y) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(x));
      const ImVec2 corner(a.x + w * static_cast<float>(x), a.y + h * static_cast<float>(y));
      cell_label(cell, *face, corner, {corner.x + w, corner.y + h});
    }
  }
}

bool ScenePainter::band(const Cell& cell) const {
  const Rgb canvas = rgb_of(c_.theme.canvas);
  if (cell.fill >= scene_.palette.size() || scene_.page != Page{} || luminance(canvas) > 0.5) return false;
  const Rgb fill = scene_.palette[cell.fill];
  constexpr int kGrey = 12;  // of 255: the channels of a tint lie no further apart
  const auto [least, most] = std::minmax({fill.r, fill.g, fill.b});
  if (most - least > kGrey) return false;
  const Rgb shown = on_page(fill, {canvas, rgb_of(c_.theme.text)});
  c_.list->AddRectFilled(camera_.to_screen(cell.x, cell.y), camera_.to_screen(cell.x + cell.w, cell.y + cell.h),
                         IM_COL32(shown.r, shown.g, shown.b, 255));
  return true;
}

void ScenePainter::tile(const CellView& cell, const Face* face, ImVec2 a, ImVec2 b) const {
  if (outside(a, b)) return;
  const ImU32 ground = color_of(scene_, cell.fill, c_.theme.cell);
  a = {std::round(a.x), std::round(a.y)};
  b = {std::round(b.x), std::round(b.y)};
  const float side = std::min(b.x - a.x, b.y - a.y);
  if (side < kLinesFrom * c_.ui_scale) return c_.list->AddRectFilled(a, b, ground);
  const bool near = side >= kTilesFrom * c_.ui_scale;
  const float gap = near ? 1.0f : 0.5f;
  c_.list->AddRectFilled(a, b, c_.theme.ink);
  c_.list->AddRectFilled({a.x + gap, a.y + gap}, {b.x - gap, b.y - gap}, ground, near ? 2.5f * c_.ui_scale : 0);
  if (face) cell_label(cell, *face, a, b);
}

// Marks a cell that has more owners than the one that is named.
void ScenePainter::shared_corner(const CellView& cell) const {
  const ImVec2 a = camera_.to_screen(cell.x + cell.w, cell.y);
  const float side = std::max(4 * c_.ui_scale, 0.14f * camera_.scale * std::min(cell.w, cell.h));
  c_.list->AddTriangleFilled({a.x - 1 - side, a.y + 1}, {a.x - 1, a.y + 1}, {a.x - 1, a.y + 1 + side}, ink_on_fill(cell.fill));
}

void ScenePainter::cell_label(const CellView& cell, const Face& face, ImVec2 a, ImVec2 b) const {
  std::string_view label = cell.label;
  const float step = face.size * kLineStep;
  const auto lines = 1 + std::count(label.begin(), label.end(), '\n');
  float y = std::round((a.y + b.y) / 2 - step * static_cast<float>(lines) / 2 + 0.06f * face.size);
  const ImU32 ink = cell.faint ? faded(ink_on_fill(cell.fill), 0.45f) : ink_on_fill(cell.fill);
  while (!label.empty()) {
    const std::string_view line = label.substr(0, label.find('\n'));
    const ImVec2 size = text_size(face.font, face.size, line.data(), line.data() + line.size());
    c_.list->AddText(face.font, face.size, {std::round((a.x + b.x - size.x) / 2), std::round(y)}, ink, line.data(),
                     line.data() + line.size());
    y += step;
    label.remove_prefix(std::min(line.size() + 1, label.size()));
  }
}

void ScenePainter::operator()(const Outline& outline) const {
  const ImVec2 a = camera_.to_screen(outline.x, outline.y), b = camera_.to_screen(outline.x + outline.w, outline.y + outline.h);
  if (outside(a, b)) return;
  const Stroke stroke = stroke_of(outline.role, c_);
  const float shown = std::min(stroke.width, std::max(1.0f, camera_.scale * std::min(outline.w, outline.h) * 0.12f));
  if (std::min(b.x - a.x, b.y - a.y) < 3) return;
  add_rect(c_.list, {std::round(a.x), std::round(a.y)}, {std::round(b.x) + 0.5f, std::round(b.y) + 0.5f}, stroke.color, 0, shown);
  // Inner unit lines need no drawing: cells are separated wherever there is room.
}

// From far away lines between cells would cover them.
bool ScenePainter::stand_dense(const Line& line) const {
  constexpr float kLeastApart = 5;  // units
  if (line.role != StrokeRole::boundary && line.role != StrokeRole::strong) return false;
  const LineSpacing& apart = index_.spacing(panel_, line.role);
  return camera_.scale * (line.x0 == line.x1 ? apart.upright : apart.level) < kLeastApart * c_.ui_scale;
}

void ScenePainter::operator()(const Line& line) const {
  const ImVec2 a = camera_.to_screen(line.x0, line.y0), b = camera_.to_screen(line.x1, line.y1);
  if (outside({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)})) return;
  Stroke stroke = stroke_of(line.role, c_);
  const bool over_cells = on_cells((line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2);
  if (!over_cells && line.role != StrokeRole::highlight) stroke.color = c_.theme.dim;
  if (over_cells && camera_.scale < kLinesFrom && line.role <= StrokeRole::grid) return;
  if (over_cells && stand_dense(line)) return;
  c_.list->AddLine({std::round(a.x), std::round(a.y)}, {std::round(b.x), std::round(b.y)}, color_of(scene_, line.color, stroke.color),
                   std::min(stroke.width, std::max(1.0f, camera_.scale * 0.15f)));
}

void ScenePainter::operator()(const Arrow& arrow) const {
  const ImVec2 a = camera_.to_screen(arrow.x0, arrow.y0), b = camera_.to_screen(arrow.x1, arrow.y1);
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
  if (length < 2) return;
  const ImU32 color = color_of(scene_, arrow.color, c_.theme.accent);
  const float head = std::min(9 * c_.ui_scale, length / 2), ux = dx / length, uy = dy / length;
  const ImVec2 neck(b.x - ux * head, b.y - uy * head);
  c_.list->AddLine(a, neck, color, 1.8f * c_.ui_scale);
  c_.list->AddTriangleFilled(b, {neck.x - uy * head * 0.45f, neck.y + ux * head * 0.45f},
                             {neck.x + uy * head * 0.45f, neck.y - ux * head * 0.45f}, color);
}

void paint_marks(const PaintContext& context, const Scene& scene, SceneIndex& index, const Camera& camera, const ScreenRect& area) {
  ScenePainter painter(context, scene, index, camera, area);
  for (std::size_t i = 0; i < scene.panels.size(); ++i) painter.panel(i);
}

void paint_words(const PaintContext& context, const Scene& scene, const SceneIndex& index, const Camera& camera, const ScreenRect& area,
                 bool title, const std::vector<ScreenRect>& taken) {
  const PlacedWords words = place_words({context.fonts, scene, index, camera, area, context.ui_scale, false, title, &taken});
  for (const ScreenRect& band : words.bands) context.list->AddRectFilled(band.a, band.b, context.theme.canvas);
  for (const PlacedText& each : words.texts) {
    const ImU32 ink = each.ink == PlacedText::Ink::strong ? context.theme.text : context.theme.dim;
    context.list->AddText(each.face->font, each.face->size, each.at, ink, each.words.data(), each.words.data() + each.words.size());
  }
}

void release(SceneIndex& index, Textures& textures) {
  for (std::vector<Layer>& layers : index.panels()) {
    for (Layer& layer : layers) {
      for (const std::uint64_t key : layer.textures) textures.remove(key);
      layer.textures.clear();
    }
  }
}

}  // namespace tessera::studio
