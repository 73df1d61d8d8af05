// SPDX-License-Identifier: BSD-3-Clause
// Arranges marks into layers.
#include "app/studio/paint/scene_index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::studio {
namespace {

constexpr float kFar = std::numeric_limits<float>::max();

Bounds nothing() { return {kFar, kFar, -kFar, -kFar}; }
void extend(Bounds& b, float x0, float y0, float x1, float y1) {
  b = {std::min(b.x0, x0), std::min(b.y0, y0), std::max(b.x1, x1), std::max(b.y1, y1)};
}

Layer layer_of(const GridColumns& grid, std::uint32_t mark) {
  Layer layer;
  layer.grid = mark;
  if (grid.label_ends.empty()) return layer;
  std::uint32_t begin = 0, longest = 0;
  for (const std::uint32_t end : grid.label_ends) longest = std::max(longest, end - std::exchange(begin, end));
  layer.columns = longest;
  layer.lines = longest > 0 ? 1 : 0;
  if (grid.text.find('\n') == std::string::npos) return layer;  // one look at the whole text instead of one at each label
  layer.columns = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    std::string_view label = grid.label(i);
    for (std::size_t lines = 1; !label.empty(); ++lines) {
      const std::size_t end = std::min(label.find('\n'), label.size());
      layer.columns = std::max(layer.columns, end);
      layer.lines = std::max(layer.lines, lines);
      label.remove_prefix(std::min(end + 1, label.size()));
    }
  }
  return layer;
}

}  // namespace

SceneIndex::SceneIndex(const Scene& scene) : all_cells_(nothing()) {
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    cell_bounds_.push_back(nothing());
    arrange(scene, i);
    space_lines(scene.panels[i], cell_bounds_.back());
    const Bounds& b = cell_bounds_.back();
    if (b.x1 > b.x0) extend(all_cells_, b.x0, b.y0, b.x1, b.y1);
  }
  if (all_cells_.x1 < all_cells_.x0) all_cells_ = {0, 0, 1, 1};
  drawn_ = drawn_bounds(scene, cell_bounds_);
  all_drawn_ = nothing();
  for (const Bounds& b : drawn_) {
    if (b.x1 >= b.x0) extend(all_drawn_, b.x0, b.y0, b.x1, b.y1);
  }
  if (all_drawn_.x1 < all_drawn_.x0) all_drawn_ = {0, 0, 1, 1};
  captions_ = captions_of(scene);
}

const std::shared_ptr<const PictureMap>& SceneIndex::map(const Scene& scene, float ui_scale) const {
  if (!map_ || map_scale_ != ui_scale) {
    map_ = map_of(scene, cell_bounds_, drawn_, ui_scale);
    map_scale_ = ui_scale;
  }
  return map_;
}

void SceneIndex::space_lines(const Panel& panel, const Bounds& cells) {
  std::array<std::set<float>, 2> upright, level;  // of boundaries, of strong lines
  for (const Mark& mark : panel.marks) {
    const auto* line = std::get_if<Line>(&mark);
    if (!line || (line->role != StrokeRole::boundary && line->role != StrokeRole::strong)) continue;
    const std::size_t strong = line->role == StrokeRole::strong;
    if (line->x0 == line->x1) upright[strong].insert(line->x0);
    if (line->y0 == line->y1) level[strong].insert(line->y0);
  }
  const auto spacing = [](float side, std::size_t lines) { return lines == 0 ? INFINITY : side / static_cast<float>(lines + 1); };
  std::array<LineSpacing, 2>& made = spacings_.emplace_back();
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = {spacing(cells.width(), upright[i].size()), spacing(cells.height(), level[i].size())};
}

void SceneIndex::arrange(const Scene& scene, std::size_t number) {
  std::vector<Layer>& layers = panels_.emplace_back();
  std::vector<std::uint32_t>& labels = labels_.emplace_back();
  const std::vector<Mark>& marks = scene.panels[number].marks;
  Bounds& cells = cell_bounds_[number];
  for (std::uint32_t i = 0; i < marks.size(); ++i) {
    if (const auto* grid = std::get_if<Grid>(&marks[i])) {
      layers.push_back(layer_of(*grid->of, i));
      extend(cells, grid->x, grid->y, grid->x + grid->w * static_cast<float>(grid->of->cols),
             grid->y + grid->h * static_cast<float>(grid->of->rows));
      continue;
    }
    if (std::holds_alternative<Label>(marks[i])) {
      labels.push_back(i);
      continue;
    }
    const auto* cell = std::get_if<Cell>(&marks[i]);
    const bool swatch = cell && scene.panels[number].name == kCaptionPanel;  // words below a picture are set in pixels, and these with them
    if (swatch) continue;
    if (cell) extend(cells, cell->x, cell->y, cell->x + cell->w, cell->y + cell->h);
    if (layers.empty() || layers.back().grid != kNoMark) layers.emplace_back();
    layers.back().marks.push_back(i);
  }
}

namespace {

// The first of four pixels side by side, where they are all there and none lets anything through; else null.
const std::uint8_t* opaque_four(const Image& from, int x, int y) {
  if (x + 1 >= from.width || y + 1 >= from.height) return nullptr;
  const std::uint8_t* p = &from.rgba[(static_cast<std::size_t>(y) * from.width + x) * 4];
  const std::uint8_t* below = p + static_cast<std::size_t>(from.width) * 4;
  return (p[3] & p[7] & below[3] & below[7]) == 255 ? p : nullptr;
}

Image half_of(const Image& from) {
  Image to{(from.width + 1) / 2, (from.height + 1) / 2, {}};
  to.rgba.resize(static_cast<std::size_t>(to.width) * to.height * 4);
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x) {
      if (const std::uint8_t* p = opaque_four(from, 2 * x, 2 * y)) {
        const std::uint8_t* below = p + static_cast<std::size_t>(from.width) * 4;
        std::uint8_t* q = &to.rgba[(static_cast<std::size_t>(y) * to.width + x) * 4];
        for (int c = 0; c < 4; ++c) q[c] = static_cast<std::uint8_t>((p[c] + p[4 + c] + below[c] + below[4 + c]) / 4);
        continue;
      }
      unsigned sum[4] = {}, weight = 0, count = 0;
      for (int k = 0; k < 4; ++k) {
        const int sx = 2 * x + (k & 1), sy = 2 * y + (k >> 1);
        if (sx >= from.width || sy >= from.height) continue;
        const std::uint8_t* p = &from.rgba[(static_cast<std::size_t>(sy) * from.width + sx) * 4];
        for (int c = 0; c < 3; ++c) sum[c] += p[c] * unsigned{p[3]};
        weight += p[3];
        ++count;
      }
      std::uint8_t* q = &to.rgba[(static_cast<std::size_t>(y) * to.width + x) * 4];
      for (int c = 0; c < 3; ++c) q[c] = weight ? static_cast<std::uint8_t>(sum[c] / weight) : 0;
      q[3] = static_cast<std::uint8_t>(weight / count);
    }
  }
  return to;
}

}  // namespace

std::vector<Image> grid_images(const Scene& scene, const GridColumns& grid, std::uint32_t unfilled_rgba) {
  using Texel = std::array<std::uint8_t, 4>;
  Texel unfilled;
  for (std::size_t c = 0; c < 4; ++c) unfilled[c] = static_cast<std::uint8_t>(unfilled_rgba >> (8 * c));
  std::vector<Texel> texels;
  for (const Rgb& rgb : scene.palette) texels.push_back({rgb.r, rgb.g, rgb.b, 255});
  Image image{grid.cols, grid.rows, {}};
  image.rgba.resize(grid.size() * 4);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const bool filled = !grid.fills.empty() && grid.fills[i] < texels.size();
    std::memcpy(&image.rgba[i * 4], (filled ? texels[grid.fills[i]] : unfilled).data(), 4);
  }
  std::vector<Image> images{std::move(image)};
  while (images.back().width > 1 || images.back().height > 1) images.push_back(half_of(images.back()));
  return images;
}

}  // namespace tessera::studio
