// SPDX-License-Identifier: BSD-3-Clause
// Arranges marks into layers. A cell joins the current grid when it lies on the grid's lattice and nothing that was drawn since then
// lies under it: then drawing the grid first and the rest after gives the same picture.
#include "app/studio/scene_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tessera::studio {
namespace {

constexpr float kFar = std::numeric_limits<float>::max();

Bounds nothing() { return {kFar, kFar, -kFar, -kFar}; }
bool overlap(const Bounds& a, const Bounds& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }
void extend(Bounds& b, float x0, float y0, float x1, float y1) {
  b = {std::min(b.x0, x0), std::min(b.y0, y0), std::max(b.x1, x1), std::max(b.y1, y1)};
}

struct Covers {
  Bounds operator()(const Cell& c) const { return {c.x, c.y, c.x + c.w, c.y + c.h}; }
  // A border and a line hide no cell, but a cell would hide them.
  Bounds operator()(const Outline& o) const { return {o.x, o.y, o.x + o.w, o.y + o.h}; }
  Bounds operator()(const Line& l) const { return around(l.x0, l.y0, l.x1, l.y1); }
  Bounds operator()(const Label& l) const { return around(l.x, l.y, l.x, l.y); }
  Bounds operator()(const Arrow& a) const { return around(a.x0, a.y0, a.x1, a.y1); }
  static Bounds around(float x0, float y0, float x1, float y1) {
    constexpr float e = 0.01f;
    return {std::min(x0, x1) - e, std::min(y0, y1) - e, std::max(x0, x1) + e, std::max(y0, y1) + e};
  }
};

bool on_lattice(const Cell& cell, float x, float y) {
  const float dx = cell.x - x, dy = cell.y - y;
  return std::abs(dx - std::round(dx)) < 1e-3f && std::abs(dy - std::round(dy)) < 1e-3f;
}

// Cells of a grid that is still growing.
struct Growing {
  std::vector<std::uint32_t> cells;
  Bounds bounds = nothing();
  Bounds since = nothing();  // what was drawn after its first cell and is no part of it
};

constexpr std::size_t kSmallestGrid = 4;

}  // namespace

static Layer make_grid(const Panel& panel, const Growing& from) {
  Layer layer;
  layer.x = from.bounds.x0;
  layer.y = from.bounds.y0;
  layer.width = static_cast<int>(std::lround(from.bounds.width()));
  layer.height = static_cast<int>(std::lround(from.bounds.height()));
  const std::size_t places = static_cast<std::size_t>(layer.width) * static_cast<std::size_t>(layer.height);
  const bool dense = from.cells.size() >= kSmallestGrid && places <= 4 * from.cells.size() + 256;
  if (!dense) {
    layer.marks = from.cells;
    return layer;
  }
  layer.marks_at.assign(places, kNoMark);
  for (const std::uint32_t mark : from.cells) {
    const Cell& cell = *std::get_if<Cell>(&panel.marks[mark]);
    const auto column = static_cast<std::size_t>(std::lround(cell.x - layer.x)),
               row = static_cast<std::size_t>(std::lround(cell.y - layer.y));
    layer.marks_at[row * static_cast<std::size_t>(layer.width) + column] = mark;
    const std::size_t lines = std::max<std::size_t>(cell.lines, 1);
    layer.columns = std::max(layer.columns, (cell.label.length + lines - 1) / lines);
    layer.lines = std::max(layer.lines, lines);
  }
  return layer;
}

SceneIndex::SceneIndex(const Scene& scene) : all_cells_(nothing()) {
  for (std::size_t i = 0; i < scene.panels.size(); ++i) {
    cell_bounds_.push_back(nothing());
    arrange(scene.panels[i], i);
    const Bounds& b = cell_bounds_.back();
    if (b.x1 > b.x0) extend(all_cells_, b.x0, b.y0, b.x1, b.y1);
  }
  if (all_cells_.x1 < all_cells_.x0) all_cells_ = {0, 0, 1, 1};
  sort_links(scene);
}

void SceneIndex::arrange(const Panel& panel, std::size_t number) {
  std::vector<Layer>& layers = panels_.emplace_back();
  Growing grid;
  std::vector<std::uint32_t> others;
  const auto flush = [&] {
    if (!grid.cells.empty()) layers.push_back(make_grid(panel, grid));
    if (!others.empty()) layers.emplace_back().marks = std::move(others);
    grid = {};
    others.clear();
  };
  for (std::uint32_t i = 0; i < panel.marks.size(); ++i) {
    const Mark& mark = panel.marks[i];
    const Bounds covered = std::visit(Covers{}, mark);
    const Cell* cell = std::get_if<Cell>(&mark);
    if (cell) extend(cell_bounds_[number], covered.x0, covered.y0, covered.x1, covered.y1);
    if (!cell || cell->w != 1 || cell->h != 1) {
      others.push_back(i);
      extend(grid.since, covered.x0, covered.y0, covered.x1, covered.y1);
      continue;
    }
    const bool joins =
        grid.cells.empty() ? others.empty() : on_lattice(*cell, grid.bounds.x0, grid.bounds.y0) && !overlap(covered, grid.since);
    if (!joins) flush();
    grid.cells.push_back(i);
    extend(grid.bounds, covered.x0, covered.y0, covered.x1, covered.y1);
  }
  flush();
}

void SceneIndex::sort_links(const Scene& scene) {
  for (std::uint32_t p = 0; p < scene.panels.size(); ++p) {
    for (std::uint32_t m = 0; m < scene.panels[p].marks.size(); ++m) {
      const Cell* cell = std::get_if<Cell>(&scene.panels[p].marks[m]);
      if (!cell) continue;
      const std::span<const Link> links = scene.links_of(*cell);
      for (const Link& link : links) {
        if (link.thread >= 0) by_thread_.push_back({link.thread, link.value, {p, m}});
      }
      if (!links.empty() && links.front().address >= 0) by_address_.push_back({links.front().address, links.front().tensor, {p, m}});
    }
  }
  const auto before = [](const LinkEntry& a, const LinkEntry& b) { return a.key != b.key ? a.key < b.key : a.second < b.second; };
  std::stable_sort(by_thread_.begin(), by_thread_.end(), before);
  std::stable_sort(by_address_.begin(), by_address_.end(), before);
}

namespace {

Image half_of(const Image& from) {
  Image to{(from.width + 1) / 2, (from.height + 1) / 2, {}};
  to.rgba.resize(static_cast<std::size_t>(to.width) * to.height * 4);
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x) {
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

std::vector<Image> grid_images(const Scene& scene, std::size_t panel, const Layer& grid, std::uint32_t unfilled_rgba) {
  Image image{grid.width, grid.height, {}};
  image.rgba.resize(grid.marks_at.size() * 4);
  for (std::size_t i = 0; i < grid.marks_at.size(); ++i) {
    if (grid.marks_at[i] == kNoMark) continue;
    const Cell& cell = *std::get_if<Cell>(&scene.panels[panel].marks[grid.marks_at[i]]);
    std::uint8_t* p = &image.rgba[i * 4];
    for (int c = 0; c < 4; ++c) p[c] = static_cast<std::uint8_t>(unfilled_rgba >> (8 * c));
    if (cell.fill >= scene.palette.size()) continue;
    const Rgb rgb = scene.palette[cell.fill].rgb;
    p[0] = rgb.r;
    p[1] = rgb.g;
    p[2] = rgb.b;
    p[3] = 255;
  }
  std::vector<Image> images{std::move(image)};
  while (images.back().width > 1 || images.back().height > 1) images.push_back(half_of(images.back()));
  return images;
}

}  // namespace tessera::studio
