// SPDX-License-Identifier: BSD-3-Clause
// Paints over a scene: what is under the mouse and what it is linked to, what is selected, and what a change changed.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "app/studio/paint/scene_marks.hpp"

namespace tessera::studio {

void paint_highlights(const PaintContext& context, const Scene& scene, const Highlights& highlights, const ElementId* under_mouse,
                      const Camera& camera, const ScreenRect& area) {
  const auto rect_of = [&](const ElementId& id) {
    const CellView cell = cell_of(scene, id);
    return ScreenRect{camera.to_screen(cell.x, cell.y), camera.to_screen(cell.x + cell.w, cell.y + cell.h)};
  };
  const auto visible = [&](const ScreenRect& r) {
    return r.b.x >= area.a.x && r.a.x <= area.b.x && r.b.y >= area.a.y && r.a.y <= area.b.y;
  };
  const float s = context.ui_scale, scale = camera.scale;
  const float line = std::clamp(scale * 0.09f, 1.3f * s, 2.6f * s), round = std::min(3 * s, scale * 0.12f);
  for (const ElementId& id : highlights.mates) {
    const ScreenRect r = rect_of(id);
    if (!visible(r)) continue;
    if (scale < 6 * s) {
      context.list->AddRectFilled(r.a, r.b, faded(context.theme.link, 0.8f));
    } else {
      add_rect(context.list, {r.a.x + line, r.a.y + line}, {r.b.x - line / 2, r.b.y - line / 2}, context.theme.link, round, line);
    }
  }
  // Lines and arrows have no room of their own: they are drawn again, wider.
  const auto stroke_again = [&](const auto& from) {
    const ImVec2 a = camera.to_screen(from.x0, from.y0), b = camera.to_screen(from.x1, from.y1);
    context.list->AddLine(a, b, context.theme.ink, 4 * line);
    context.list->AddLine(a, b, context.theme.accent, 2 * line);
  };
  for (const ElementId& id : highlights.same) {
    const Mark& mark = scene.panels[id.panel].marks[id.mark];
    if (const auto* of = std::get_if<Line>(&mark)) stroke_again(*of);
    if (const auto* of = std::get_if<Arrow>(&mark)) stroke_again(*of);
    if (std::holds_alternative<Line>(mark) || std::holds_alternative<Arrow>(mark)) continue;
    const ScreenRect r = rect_of(id);
    if (!visible(r)) continue;
    if (scale < 6 * s) {
      context.list->AddRectFilled({r.a.x - 1, r.a.y - 1}, {r.b.x + 1, r.b.y + 1}, context.theme.accent);
      continue;
    }
    const bool here = under_mouse && id == *under_mouse;
    add_rect(context.list, {r.a.x - line, r.a.y - line}, {r.b.x + line, r.b.y + line}, context.theme.ink, round + line / 2, 2 * line);
    add_rect(context.list, {r.a.x - line / 2, r.a.y - line / 2}, {r.b.x + line / 2, r.b.y + line / 2}, context.theme.accent, round,
             (here ? 1.4f : 1.0f) * line);
  }
}

void paint_selection(const PaintContext& context, const Scene& scene, SceneIndex& index, const std::vector<ElementId>& cells,
                     const Camera& camera, const ScreenRect& area) {
  if (cells.empty()) return;
  for (const Bounds& b : index.cell_bounds()) {
    if (b.x1 <= b.x0) continue;
    context.list->AddRectFilled(camera.to_screen(b.x0, b.y0), camera.to_screen(b.x1, b.y1), faded(context.theme.canvas, 0.72f));
  }
  ScenePainter painter(context, scene, index, camera, area);
  const float line = std::clamp(camera.scale * 0.07f, 1.0f, 2.0f * context.ui_scale);
  for (const ElementId& id : cells) {
    painter.again(id);
    if (camera.scale < 6 * context.ui_scale) continue;
    const CellView cell = cell_of(scene, id);
    const ImVec2 a = camera.to_screen(cell.x, cell.y), b = camera.to_screen(cell.x + cell.w, cell.y + cell.h);
    if (b.x < area.a.x || a.x > area.b.x || b.y < area.a.y || a.y > area.b.y) continue;
    add_rect(context.list, a, b, context.theme.accent, 2 * context.ui_scale, line);
  }
}

std::vector<ScreenRect> paint_plates(const PaintContext& context, const Scene& scene, SceneIndex& index,
                                     const std::vector<ElementId>& cells, const Camera& camera, const ScreenRect& area) {
  constexpr std::size_t kMost = 200;              // plates
  constexpr float kType = 10, kPad = 2;           // units
  constexpr std::size_t kFew = 48;                // cells: of more, plates stand on their own cells or nowhere
  const int rings = cells.size() > kFew ? 0 : 5;  // how far from its cell a plate may stand, in plates
  const float s = context.ui_scale, pad = kPad * s;
  const Face& face = Fonts::at_most(context.fonts.cell, kType * s);
  const ScenePainter painter(context, scene, index, camera, area);
  std::vector<ScreenRect> plates;
  for (const ElementId& id : cells) {
    if (plates.size() >= kMost) break;
    const CellView cell = cell_of(scene, id);
    if (cell.label.empty() || painter.face_in(id)) continue;
    std::string words(cell.label);
    std::replace(words.begin(), words.end(), '\n', ' ');
    const ImVec2 text = text_size(face.font, face.size, words.data(), words.data() + words.size()), size(text.x + 2 * pad, text.y + pad);
    const ImVec2 a = camera.to_screen(cell.x, cell.y), b = camera.to_screen(cell.x + cell.w, cell.y + cell.h);
    if (b.x < area.a.x || a.x > area.b.x || b.y < area.a.y || a.y > area.b.y) continue;
    const ImVec2 middle((a.x + b.x) / 2, (a.y + b.y) / 2);
    const auto fits = [&](const ScreenRect& r) {
      if (r.a.x < area.a.x || r.b.x > area.b.x || r.a.y < area.a.y || r.b.y > area.b.y) return false;
      return std::none_of(plates.begin(), plates.end(), [&](const ScreenRect& other) {
        return r.a.x < other.b.x && other.a.x < r.b.x && r.a.y < other.b.y && other.a.y < r.b.y;
      });
    };
    const auto at = [&](int across, int down) {
      const ImVec2 corner(std::round(middle.x - size.x / 2 + static_cast<float>(across) * (size.x + 2) / 2),
                          std::round(middle.y - size.y / 2 + static_cast<float>(down) * (size.y + 1)));
      return ScreenRect{corner, {corner.x + size.x, corner.y + size.y}};
    };
    // At the canvas's edge it stands within, else at the nearest free place around its cell.
    ScreenRect best = at(0, 0);
    const ImVec2 in(std::clamp(best.a.x, area.a.x, std::max(area.b.x - size.x, area.a.x)) - best.a.x,
                    std::clamp(best.a.y, area.a.y, std::max(area.b.y - size.y, area.a.y)) - best.a.y);
    best = {{best.a.x + in.x, best.a.y + in.y}, {best.b.x + in.x, best.b.y + in.y}};
    bool found = fits(best);
    for (int ring = 1; ring <= rings && !found; ++ring) {
      for (int down = -ring; down <= ring && !found; ++down) {
        for (int across = -2 * ring; across <= 2 * ring && !found; ++across) {
          if (std::abs(down) != ring && std::abs(across) != 2 * ring) continue;
          best = at(across, down);
          found = fits(best);
        }
      }
    }
    if (!found) continue;
    const bool is_over = middle.x >= best.a.x && middle.x <= best.b.x && middle.y >= best.a.y && middle.y <= best.b.y;
    if (!is_over)
      context.list->AddLine(middle, {std::clamp(middle.x, best.a.x, best.b.x), std::clamp(middle.y, best.a.y, best.b.y)},
                            context.theme.accent, s);
    const ImU32 ground = color_of(scene, cell.fill, context.theme.cell);
    context.list->AddRectFilled(best.a, best.b, ground);
    add_rect(context.list, best.a, best.b, context.theme.accent, 0, s);
    context.list->AddText(face.font, face.size, {best.a.x + pad, std::round(best.a.y + pad / 2)}, ink_on(ground), words.c_str());
    plates.push_back(best);
  }
  return plates;
}

void paint_changed_mark(const PaintContext& context, ImVec2 a, ImVec2 b) {
  const float side = std::min(b.x - a.x, b.y - a.y), corner = std::max(side * 0.26f, std::min(side, 3 * context.ui_scale));
  const ImU32 ink = context.theme.bad;
  context.list->AddTriangleFilled({a.x, a.y}, {a.x + corner, a.y}, {a.x, a.y + corner}, ink);
  if (side >= 8 * context.ui_scale) add_rect(context.list, a, b, ink, 0, std::clamp(side * 0.06f, 1.0f, 2.0f * context.ui_scale));
}

void paint_changed(const PaintContext& context, const Scene& scene, const std::vector<ElementId>& cells, const Camera& camera,
                   const ScreenRect& area) {
  for (const ElementId& id : cells) {
    const CellView cell = cell_of(scene, id);
    const ImVec2 a = camera.to_screen(cell.x, cell.y), b = camera.to_screen(cell.x + cell.w, cell.y + cell.h);
    if (b.x < area.a.x || a.x > area.b.x || b.y < area.a.y || a.y > area.b.y) continue;
    paint_changed_mark(context, a, b);
  }
}

}  // namespace tessera::studio
