// SPDX-License-Identifier: BSD-3-Clause
// A figure on a canvas: drag to pan, wheel to zoom at the mouse, double click to fit, hover to link.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/studio/panels.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr float kHeader = 36;                                 // height in units
constexpr float kSmallestScale = 0.02f, kLargestScale = 400;  // pixels a cell

Answer draw_header(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area) {
  Answer answer;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = area.a.y + ui.px(kHeader);
  list->AddRectFilled(area.a, {area.b.x, y}, ui.theme.panel);
  list->AddLine({area.a.x, y - 0.5f}, {area.b.x, y - 0.5f}, ui.theme.border);
  if (input.selected) list->AddRectFilled({area.a.x, area.a.y}, {area.b.x, area.a.y + ui.px(2)}, ui.theme.accent);
  ImGui::SetCursorScreenPos({area.a.x + ui.px(14), area.a.y + ui.px(9)});
  text(ui, input.name, input.selected ? ui.theme.text : ui.theme.dim, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(10));
  const float buttons = ui.px(input.closable ? 92 : 54);
  const float room = area.b.x - ImGui::GetCursorScreenPos().x - buttons - ui.px(8);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(1));
  if (room > ui.px(30))
    text(ui, elided(ui.fonts.mono_small, one_line(input.session.expression(input.name)), room), ui.theme.dim, ui.fonts.mono_small);
  ImGui::SetCursorScreenPos({area.b.x - buttons, area.a.y + ui.px(6)});
  WithFont with(ui.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(4)));
  if (button(ui, ("Fit##" + input.name).c_str(), ButtonLook::quiet, !state.fitted, "Show the whole figure (double click)"))
    state.fit_again();
  if (input.closable) {
    ImGui::SameLine(0, 0);
    if (button(ui, ("Close##" + input.name).c_str(), ButtonLook::quiet)) answer = CloseFigure{input.name};
  }
  ImGui::PopStyleVar();
  return answer;
}

// The canvas says why there is no (newer) picture.
void draw_refusal(Ui& ui, const Error& error, const ScreenRect& area, bool over_picture) {
  const float width = std::min(area.b.x - area.a.x - ui.px(40), ui.px(560));
  const float y = over_picture ? area.a.y + ui.px(14) : area.a.y + (area.b.y - area.a.y) * 0.38f;
  const ImVec2 at(std::round((area.a.x + area.b.x - width) / 2), std::round(y));
  const Face& face = ui.fonts.body;
  const std::string words = printable(error.message);
  const ImVec2 size = face.font->CalcTextSizeA(face.size, 3.0e38f, width - ui.px(28), words.c_str());
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + width, at.y + size.y + ui.px(24));
  list->AddRectFilled(at, end, ui.theme.panel, ui.px(8));
  list->AddRectFilled(at, end, ui.theme.bad_soft, ui.px(8));
  add_rect(list, at, end, faded(ui.theme.bad, 0.5f), ui.px(8), 1);
  list->AddText(face.font, face.size, {at.x + ui.px(14), at.y + ui.px(12)}, ui.theme.bad, words.c_str(), nullptr, width - ui.px(28));
  ui.recorder.add(words, "text", "error", at, end);
}

void move_camera(CanvasState& state, const ScreenRect& area, bool active, bool hovered) {
  Camera& camera = state.camera;
  const ImGuiIO& io = ImGui::GetIO();
  if (active && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    camera.origin = {camera.origin.x + io.MouseDelta.x, camera.origin.y + io.MouseDelta.y};
    state.fitted = false;
  }
  if (hovered && io.MouseWheel != 0) {
    const ImVec2 mouse(io.MousePos.x - area.a.x, io.MousePos.y - area.a.y), under = camera.to_scene(mouse);
    camera.scale = std::clamp(camera.scale * std::pow(1.2f, io.MouseWheel), kSmallestScale, kLargestScale);
    camera.origin = {mouse.x - camera.scale * under.x, mouse.y - camera.scale * under.y};
    state.fitted = false;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0)) state.fit_again();
}

}  // namespace

CanvasOutput draw_canvas(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& whole) {
  CanvasOutput out;
  const std::string region_name = "Canvas " + input.name;
  Region region(ui, region_name.c_str(), whole.a, {whole.b.x - whole.a.x, whole.b.y - whole.a.y}, ui.theme.canvas, 0, false);
  out.answer = draw_header(ui, input, state, whole);
  const ScreenRect area{{whole.a.x, whole.a.y + ui.px(kHeader)}, whole.b};
  const ImVec2 size(std::max(area.b.x - area.a.x, 1.0f), std::max(area.b.y - area.a.y, 1.0f));
  ImGui::SetCursorScreenPos(area.a);
  const bool pressed = ImGui::InvisibleButton("canvas", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const std::string facts = input.figure.scene ? fmt::format("{} cells", cell_count(*input.figure.scene)) : "no picture";
  ui.recorder.add(input.name, "canvas", facts, area.a, area.b);
  if (pressed && !input.selected && !out.answer) out.answer = Select{input.name};
  Figure& figure = input.figure;
  if (figure.scene) {
    move_camera(state, area, active, hovered);
    const bool resized = state.size.x != size.x || state.size.y != size.y;
    if (state.fitted && (resized || state.serial != figure.serial)) {
      state.camera = fit(*figure.scene, *figure.index, {{0, 0}, size}, ui.scale);
    }
    if (state.fitted) {
      state.serial = figure.serial;
      state.size = size;
    }
    Camera camera = state.camera;
    camera.origin = {area.a.x + camera.origin.x, area.a.y + camera.origin.y};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(area.a, area.b, true);
    const PaintContext context{list, ui.theme, ui.fonts, input.textures, ui.scale};
    paint(context, *figure.scene, *figure.index, camera, area);
    if (input.hovered) {
      const bool here = input.hovered->figure == input.name;
      paint_highlights(context, *figure.scene, highlights_of(*input.hovered, input.name, *figure.scene, *figure.index),
                       here ? &input.hovered->element : nullptr, camera, area);
    }
    if (figure.error) list->AddRectFilled(area.a, area.b, faded(ui.theme.canvas, 0.6f));
    list->PopClipRect();
    if (hovered && !active) {
      const ImVec2 p = camera.to_scene(ImGui::GetIO().MousePos);
      out.hovered = hover_at(input.name, *figure.scene, p.x, p.y);
    }
  }
  if (figure.error) draw_refusal(ui, *figure.error, area, figure.scene.has_value());
  return out;
}

}  // namespace tessera::studio
