// SPDX-License-Identifier: BSD-3-Clause
// Paints over a scene: what is under the mouse and what it is linked to, what is selected, and what a change changed.
#include <algorithm>
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
