// SPDX-License-Identifier: BSD-3-Clause
// What a scene knows of itself: its texts, its colours, its links and how much room it takes.
#include "core/diagram/scene.hpp"

#include <algorithm>
#include <limits>

#include "core/base/utf8.hpp"

namespace tessera {

TextRef Scene::intern(std::string_view s) {
  const TextRef ref{static_cast<std::uint32_t>(text.size()), static_cast<std::uint32_t>(s.size())};
  text.append(s);
  return ref;
}

ColorIndex Scene::color(const PaletteColor& color) {
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (palette[i].rgb == color.rgb && palette[i].tikz == color.tikz) return static_cast<ColorIndex>(i);
  }
  palette.push_back(color);
  return static_cast<ColorIndex>(palette.size() - 1);
}

std::span<const Link> Scene::links_of(const Cell& cell) const {
  if (cell.link == kNoLink) return {};
  return std::span<const Link>(links).subspan(cell.link, cell.link_count);
}

std::string Scene::coordinate_of(const Link& link) const {
  if (link.row < 0 || link.col < 0) return {};
  std::string out = "(" + std::to_string(link.row) + "," + std::to_string(link.col);
  if (link.rest >= 0 && static_cast<std::size_t>(link.rest) < rests.size()) out += "," + rests[static_cast<std::size_t>(link.rest)];
  return out + ")";
}

namespace {

struct Growing {
  std::string_view arena;
  Bounds box{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
             std::numeric_limits<float>::lowest()};

  void add(float x0, float y0, float x1, float y1) {
    box.x0 = std::min({box.x0, x0, x1});
    box.y0 = std::min({box.y0, y0, y1});
    box.x1 = std::max({box.x1, x0, x1});
    box.y1 = std::max({box.y1, y0, y1});
  }
  void operator()(const Cell& c) { add(c.x, c.y, c.x + c.w, c.y + c.h); }
  void operator()(const Outline& o) { add(o.x, o.y, o.x + o.w, o.y + o.h); }
  void operator()(const Line& l) { add(l.x0, l.y0, l.x1, l.y1); }
  void operator()(const Arrow& a) { add(a.x0, a.y0, a.x1, a.y1); }
  // The width of a text is a guess: renderers have fonts, a scene has none. Signs beyond ASCII are counted once where the
  // arena is known.
  void operator()(const Label& l) {
    const float size = type_size(l);
    const std::size_t characters =
        arena.empty() ? l.text.length : count_characters(arena.substr(std::min<std::size_t>(l.text.begin, arena.size()), l.text.length));
    const float width =
        size * (l.role == LabelRole::caption || l.role == LabelRole::panel_name ? 0.61f : 0.56f) * static_cast<float>(characters);
    const float left = l.anchor == Anchor::left ? 0 : l.anchor == Anchor::right ? -width : -width / 2;
    add(l.x + left, l.y - size * 0.6f, l.x + left + width, l.y + size * 0.6f);
  }
  Bounds result() const { return box.x0 > box.x1 ? Bounds{} : box; }
};

void grow(Growing& growing, const Panel& panel) {
  for (const Mark& mark : panel.marks) std::visit(growing, mark);
}

}  // namespace

float type_size(const Label& label) {
  if (label.size > 0) return label.size;
  switch (label.role) {
    case LabelRole::axis: return 0.36f;
    case LabelRole::panel_name: return 0.46f;
    case LabelRole::caption: return 0.40f;
    case LabelRole::legend: return 0.36f;
    case LabelRole::note: return 0.36f;
  }
  return 0.36f;
}

Bounds bounds(const Panel& panel) {
  Growing growing{{}};
  grow(growing, panel);
  return growing.result();
}

Bounds bounds(const Scene& scene) {
  Growing growing{scene.text};
  for (const Panel& panel : scene.panels) grow(growing, panel);
  return growing.result();
}

std::int64_t bytes_of(const Scene& scene) {
  std::size_t bytes = scene.text.capacity() + scene.links.capacity() * sizeof(Link) + scene.palette.capacity() * sizeof(PaletteColor);
  for (const Panel& panel : scene.panels) bytes += panel.marks.capacity() * sizeof(Mark);
  return static_cast<std::int64_t>(bytes);
}

std::size_t cell_count(const Scene& scene) {
  std::size_t count = 0;
  for (const Panel& panel : scene.panels) {
    count += static_cast<std::size_t>(
        std::count_if(panel.marks.begin(), panel.marks.end(), [](const Mark& mark) { return std::holds_alternative<Cell>(mark); }));
  }
  return count;
}

}  // namespace tessera
