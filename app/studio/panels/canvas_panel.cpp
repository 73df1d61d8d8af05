// SPDX-License-Identifier: BSD-3-Clause
// A figure on a canvas: hover to link, drag to select, middle drag to pan, wheel to zoom at the mouse, double click to fit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/panels.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/kinds/figures.hpp"

namespace tessera::studio {
namespace {

constexpr float kHeader = 36, kBar = 30;                      // heights in units
constexpr float kSmallestScale = 0.02f, kLargestScale = 400;  // pixels a cell

// The tabs of a pane, where it has several: a click shows one, a drag takes it to another pane.
Answer draw_tabs(Ui& ui, const CanvasInput& input, float right) {
  Answer answer;
  const std::size_t count = input.pane.tabs.size();
  float wanted = 0;  // of all names, whole
  for (const View& tab : input.pane.tabs)
    wanted += text_size(ui.fonts.strong.font, ui.fonts.strong.size, tab.binding.data(), nullptr).x + ui.px(18);
  const float room = std::max(right - ImGui::GetCursorScreenPos().x, 0.0f),
              each = room / static_cast<float>(std::max<std::size_t>(count, 1));
  // Where they have no room beside each other all are cut; where that leaves too little, they begin with the one that is shown.
  const bool cut = wanted > room, few = cut && each < ui.px(56);
  for (std::size_t i = few ? input.pane.shown : 0, first = i; i < count; ++i) {
    const std::string& name = input.pane.tabs[i].binding;
    const bool shown = i == input.pane.shown;
    const Face& face = shown ? ui.fonts.strong : ui.fonts.body;
    const float most = (few ? right - ImGui::GetCursorScreenPos().x : each) - ui.px(18);
    const std::string words = cut && most > 0 && (!few || i == first) ? elided(face, name, most) : name;
    const ImVec2 size(text_size(face.font, face.size, words.data(), words.data() + words.size()).x + ui.px(16), ui.px(kHeader - 6));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (i > first && at.x + size.x > right + 1) break;
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("tab", size) && !(shown && input.selected)) answer = Do{"figure.show", {{"binding", name}}};
    ui.recorder.add(name, "tab", shown ? "selected" : "", at, {at.x + size.x, at.y + size.y});
    if (ImGui::BeginDragDropSource()) {
      const std::string carried = input.place + " " + name;
      ImGui::SetDragDropPayload("figure", carried.data(), carried.size());
      text(ui, name, ui.theme.text, ui.fonts.strong);
      ImGui::EndDragDropSource();
    }
    ImGui::PopID();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (shown && input.pane.tabs.size() > 1) list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ui.theme.raised, ui.px(5));
    const ImU32 ink = shown && input.selected ? ui.theme.text : ui.theme.dim;
    list->AddText(face.font, face.size, {at.x + ui.px(8), at.y + (size.y - face.size) / 2}, ink, words.c_str());
    ImGui::SameLine(0, ui.px(2));
  }
  return answer;
}

Answer draw_header(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = area.a.y + ui.px(kHeader);
  list->AddRectFilled(area.a, {area.b.x, y}, ui.theme.panel);
  list->AddLine({area.a.x, y - 0.5f}, {area.b.x, y - 0.5f}, ui.theme.border);
  if (input.selected) list->AddRectFilled({area.a.x, area.a.y}, {area.b.x, area.a.y + ui.px(2)}, ui.theme.accent);
  // In a slit the name stands alone: keys and menus do what the buttons would.
  constexpr float kSlit = 250;
  const bool is_slit = area.b.x - area.a.x < ui.px(kSlit);
  const float buttons = is_slit ? 0 : ui.px(input.closable ? 142 : 104);
  ImGui::SetCursorScreenPos({area.a.x + ui.px(6), area.a.y + ui.px(3)});
  Answer answer = draw_tabs(ui, input, area.b.x - buttons - ui.px(8));
  const float room = area.b.x - ImGui::GetCursorScreenPos().x - buttons - ui.px(14);
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x + ui.px(4), area.a.y + ui.px(11)});
  if (room > ui.px(30))
    text(ui, elided(ui.fonts.mono_small, one_line(input.session.expression(input.view.binding)), room), ui.theme.dim, ui.fonts.mono_small);
  if (is_slit) return answer;
  ImGui::SetCursorScreenPos({area.b.x - buttons, area.a.y + ui.px(6)});
  WithFont with(ui.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(4)));
  const Arguments here{{"binding", input.view.binding}, {"place", input.place}};
  if (button(ui, ("Fit##" + input.name).c_str(), ButtonLook::quiet, !state.fitted, "Show the whole figure (double click)"))
    state.fit_again();
  ImGui::SameLine(0, 0);
  if (button(ui, ((input.maximised ? "Restore##" : "Max##") + input.name).c_str(), ButtonLook::quiet, true,
             "Give it the whole room, or its own again   Ctrl+M"))
    answer = Do{"figure.maximise", {{"binding", input.view.binding}}};
  if (input.closable) {
    ImGui::SameLine(0, 0);
    if (button(ui, ("Close##" + input.name).c_str(), ButtonLook::quiet, true, "Ctrl+W")) answer = Do{"figure.close", here};
  }
  ImGui::PopStyleVar();
  return answer;
}

// Where a tab that is dragged over a canvas would land, and what that means when it is let go.
Answer take_tab(Ui& ui, const CanvasInput& input, const ScreenRect& area) {
  Answer answer;
  if (!ImGui::BeginDragDropTarget()) return answer;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float w = area.b.x - area.a.x, h = area.b.y - area.a.y, x = (mouse.x - area.a.x) / w, y = (mouse.y - area.a.y) / h;
  constexpr float kEdge = 0.25f;
  const float nearest = std::min({x, 1 - x, y, 1 - y});
  std::string side = "inside";
  ScreenRect there = area;
  if (nearest < kEdge) {
    side = nearest == x ? "left" : nearest == 1 - x ? "right" : nearest == y ? "above" : "below";
    if (side == "left") there.b.x = area.a.x + w / 2;
    if (side == "right") there.a.x = area.a.x + w / 2;
    if (side == "above") there.b.y = area.a.y + h / 2;
    if (side == "below") there.a.y = area.a.y + h / 2;
  }
  const ImGuiPayload* payload =
      ImGui::AcceptDragDropPayload("figure", ImGuiDragDropFlags_AcceptBeforeDelivery | ImGuiDragDropFlags_AcceptNoDrawDefaultRect);
  if (payload) {
    ImGui::GetWindowDrawList()->AddRectFilled(there.a, there.b, faded(ui.theme.accent, 0.25f));
    const std::string carried(static_cast<const char*>(payload->Data), static_cast<std::size_t>(payload->DataSize));
    const std::size_t blank = carried.find(' ');
    if (payload->IsDelivery())
      answer = Do{"figure.move",
                  {{"place", carried.substr(0, blank)}, {"binding", carried.substr(blank + 1)}, {"to", input.place}, {"side", side}}};
  }
  ImGui::EndDragDropTarget();
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

// A newer picture is on its way: said in the corner, and only where it takes a while.
void draw_waiting(Ui& ui, const Figure& figure, const ScreenRect& area) {
  constexpr double kWhile = 0.15;  // seconds
  if (!figure.order || ImGui::GetTime() - figure.since < kWhile) return;
  constexpr std::string_view kWords = "drawing ...";
  const Face& face = ui.fonts.small;
  const float width = text_size(face.font, face.size, kWords.data(), kWords.data() + kWords.size()).x + ui.px(16);
  const ImVec2 at(area.b.x - width - ui.px(10), area.a.y + ui.px(10)), end(at.x + width, at.y + face.size + ui.px(8));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, end, ui.theme.panel, ui.px(5));
  list->AddText(face.font, face.size, {at.x + ui.px(8), at.y + ui.px(4)}, ui.theme.dim, kWords.data(), kWords.data() + kWords.size());
  ui.recorder.add(kWords, "text", "waiting", at, end);
}

void move_camera(const CanvasInput& input, CanvasState& state, const ScreenRect& area, bool active, bool hovered) {
  Camera& camera = state.camera;
  const ImGuiIO& io = ImGui::GetIO();
  if (active && state.pans && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    camera.origin = {camera.origin.x + io.MouseDelta.x, camera.origin.y + io.MouseDelta.y};
    state.fitted = false;
  }
  if (hovered && io.MouseWheel != 0) {
    const ImVec2 mouse(io.MousePos.x - area.a.x, io.MousePos.y - area.a.y), under = camera.to_scene(mouse);
    camera.scale = std::clamp(camera.scale * std::pow(1.2f, io.MouseWheel), kSmallestScale, kLargestScale);
    camera.origin = {mouse.x - camera.scale * under.x, mouse.y - camera.scale * under.y};
    state.fitted = false;
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0) && !input.presented) state.fit_again();
}

// Where an action sends the camera.
void go_there(Ui& ui, const CanvasInput& input, CanvasState& state, ImVec2 size) {
  constexpr float kActual = 28;  // pixels a cell
  const CanvasState::Wants wants = std::exchange(state.wants, CanvasState::Wants::nothing);
  Camera& camera = state.camera;
  const auto go = [&](ImVec2 middle, float scale) {
    camera.scale = std::clamp(scale, kSmallestScale, kLargestScale);
    camera.origin = {std::round(size.x / 2 - camera.scale * middle.x), std::round(size.y / 2 - camera.scale * middle.y)};
    state.fitted = false;
  };
  if (wants == CanvasState::Wants::actual) go(camera.to_scene({size.x / 2, size.y / 2}), ui.px(kActual));
  if (wants != CanvasState::Wants::selection || !input.lit || input.lit->empty()) return;
  Bounds box{INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (const ElementId& id : *input.lit) {
    const CellView cell = cell_of(*input.figure.scene, id);
    box = {std::min(box.x0, cell.x), std::min(box.y0, cell.y), std::max(box.x1, cell.x + cell.w), std::max(box.y1, cell.y + cell.h)};
  }
  constexpr float kMargin = 48, kLargest = 96;  // units: around the cells; of one that is alone
  const float w = std::max(size.x - 2 * ui.px(kMargin), 20.0f), h = std::max(size.y - 2 * ui.px(kMargin), 20.0f);
  go({(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2}, std::min({w / box.width(), h / box.height(), ui.px(kLargest)}));
}

// What was moved by hand and gets another room shows the same in it, larger or smaller; whole where nothing of it would be seen.
void follow_room(CanvasState& state, const SceneIndex& index, ImVec2 size) {
  Camera& camera = state.camera;
  const ImVec2 middle = state.middle();
  // There and back it is as it was.
  const float share = std::sqrt(size.x * size.y / (state.room.x * state.room.y));
  camera.scale = std::clamp(camera.scale * share, kSmallestScale, kLargestScale);
  state.room = size;
  state.look_at(middle);
  const Bounds& cells = index.all_cells();
  const ImVec2 a = camera.to_screen(cells.x0, cells.y0), b = camera.to_screen(cells.x1, cells.y1);
  if (b.x < 0 || b.y < 0 || a.x > size.x || a.y > size.y) state.fit_again();
}

// A leaf of a layout's diagram that was dragged over another takes its place.
void drop_leaf(const CanvasInput& input, const CanvasState& state, const ImVec2& at, CanvasOutput& out) {
  const Scene& scene = *input.figure.scene;
  const std::optional<std::size_t> leaf = leaf_of_diagram(scene, *state.pressed);
  const std::optional<ElementId> there = leaf ? pick(scene, at.x, at.y) : std::nullopt;
  const std::optional<std::size_t> other = there ? leaf_of_diagram(scene, *there) : std::nullopt;
  if (!other || *other == *leaf) return;
  out.actions.push_back(
      Do{"binding.exchange", {{"binding", input.view.binding}, {"leaf", std::to_string(*leaf)}, {"other", std::to_string(*other)}}});
}

// A press on a cell selects it, a drag what lies between; beside the cells, with the middle button or with Space it moves the figure.
void select_with_mouse(const CanvasInput& input, CanvasState& state, const Camera& camera, CanvasOutput& out) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 p = camera.to_scene(io.MousePos);
  if (ImGui::IsItemActivated()) {
    const bool selects = io.MouseDown[0] && !key_down(ImGuiKey_Space) && !input.presented;
    state.pressed = selects ? pick(*input.figure.scene, p.x, p.y) : std::nullopt;
    state.pans = !state.pressed;
    state.reached.reset();
    if (!state.pressed && io.MouseClicked[0] && !key_down(ImGuiKey_Space) && !input.presented &&
        !input.session.workspace().selection.empty())
      out.actions.push_back(Do{"cells.clear"});
  }
  if (ImGui::IsItemDeactivated() && state.pressed) drop_leaf(input, state, p, out);
  if (!ImGui::IsItemActive() || !state.pressed) return;
  const std::optional<ElementId> here = pick(*input.figure.scene, p.x, p.y);
  if (!here || here == state.reached) return;
  const bool first = !state.reached;
  state.reached = here;
  const std::string cells = picked(*input.figure.scene, *state.pressed, *here, input.picks);
  if (cells.empty()) return;
  const bool adds = io.KeyCtrl && first;
  out.actions.push_back(Do{adds ? "cells.add" : "cells.select", {{"binding", input.view.binding}, {"cells", cells}}});
}

// Whose picture this is, in a strip of its own over it: no word of the picture lies below. Gives where it ends.
float draw_badge(Ui& ui, const CanvasInput& input, const ScreenRect& area) {
  constexpr float kStrip = 30;  // units
  const float end = area.a.y + ui.px(kStrip);
  ImGui::SetCursorScreenPos({area.a.x + ui.px(12), area.a.y + ui.px(6)});
  badge(ui, input.badge, ui.theme.accent);
  const float left = ImGui::GetItemRectMax().x + ui.px(10), room = area.b.x - left - ui.px(10);
  if (room > ui.px(40)) {
    ImGui::SetCursorScreenPos({left, area.a.y + ui.px(8)});
    text(ui, elided_middle(ui.fonts.mono_small, input.beside_badge, room), ui.theme.dim, ui.fonts.mono_small);
  }
  return end;
}

Camera fitted(const Ui& ui, const CanvasInput& input, ImVec2 size) {
  const Figure &figure = input.figure, *other = input.fitted_with;
  const ScreenRect area{{0, 0}, size};
  if (!other || !other->scene) return fit(*figure.scene, *figure.index, area, ui.scale, input.presented ? kLargestPresented : kLargestCell);
  return fit_both({*figure.scene, *figure.index}, {*other->scene, *other->index}, area, ui.scale);
}

}  // namespace

float draw_canvas_bars(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area, std::vector<Action>& actions) {
  const float head = area.a.y + ui.px(kHeader), end = head + ui.px(kBar);
  Region region(ui, ("Bars " + input.name).c_str(), area.a, {area.b.x - area.a.x, end - area.a.y}, ui.theme.canvas, 0, false);
  const auto take = [&](Answer answer) {
    if (answer) actions.push_back(std::move(*answer));
  };
  take(draw_header(ui, input, state, area));
  take(draw_figure_bar(ui, input, input.bar, input.picks, {{area.a.x, head}, {area.b.x, end}}));
  return end;
}

CanvasOutput draw_canvas(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& whole) {
  CanvasOutput out;
  const std::string region_name = "Canvas " + input.name;
  Region region(ui, region_name.c_str(), whole.a, {whole.b.x - whole.a.x, whole.b.y - whole.a.y}, ui.theme.canvas, 0, false);
  const auto take = [&](Answer answer) {
    if (answer) out.actions.push_back(std::move(*answer));
  };
  float top = whole.a.y;
  if (!input.bare) {
    take(draw_header(ui, input, state, whole));
    top += ui.px(kHeader);
    take(draw_figure_bar(ui, input, input.bar, input.picks, {{whole.a.x, top}, {whole.b.x, top + ui.px(kBar)}}));
    top += ui.px(kBar);
  }
  if (!input.badge.empty()) top = draw_badge(ui, input, {{whole.a.x, top}, whole.b});
  const ScreenRect area{{whole.a.x, top}, whole.b};
  const ImVec2 size(std::max(area.b.x - area.a.x, 1.0f), std::max(area.b.y - area.a.y, 1.0f));
  ImGui::SetCursorScreenPos(area.a);
  const bool pressed = ImGui::InvisibleButton("canvas", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const std::string facts = input.figure.scene ? counted(cell_count(*input.figure.scene), "cell") : "no picture";
  ui.recorder.add(input.name, "canvas", facts, area.a, area.b);
  take(take_tab(ui, input, area));
  if (pressed && !input.selected && out.actions.empty()) out.actions.push_back(Do{"figure.show", {{"binding", input.view.binding}}});
  Figure& figure = input.figure;
  if (figure.scene) {
    Camera before = state.camera;
    before.origin = {area.a.x + before.origin.x, area.a.y + before.origin.y};
    select_with_mouse(input, state, before, out);
    move_camera(input, state, area, active, hovered);
    const bool resized = state.size.x != size.x || state.size.y != size.y;
    const std::uint64_t serial = figure.serial + (input.fitted_with ? input.fitted_with->serial << 32 : 0);
    if (!state.fitted && state.room.x > 0 && (state.room.x != size.x || state.room.y != size.y)) follow_room(state, *figure.index, size);
    if (state.fitted && (resized || state.serial != serial)) state.camera = fitted(ui, input, size);
    state.room = size;
    go_there(ui, input, state, size);
    if (state.fitted) {
      state.serial = serial;
      state.size = size;
    }
    Camera camera = state.camera;
    camera.origin = {area.a.x + camera.origin.x, area.a.y + camera.origin.y};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->PushClipRect(area.a, area.b, true);
    const PaintContext context{list, ui.theme, ui.fonts, input.textures, ui.scale};
    paint(context, *figure.scene, *figure.index, camera, area);
    if (input.lit) paint_selection(context, *figure.scene, *figure.index, *input.lit, camera, area);
    if (input.hovered) {
      const bool here = input.hovered->figure == input.view.binding;
      paint_highlights(context, *figure.scene, highlights_of(*input.hovered, input.view.binding, *figure.scene, *figure.index),
                       here ? &input.hovered->element : nullptr, camera, area);
    }
    if (input.changed) paint_changed(context, *figure.scene, *input.changed, camera, area);
    if (figure.error) list->AddRectFilled(area.a, area.b, faded(ui.theme.canvas, 0.6f));
    list->PopClipRect();
    if (hovered && !active) {
      const ImVec2 p = camera.to_scene(ImGui::GetIO().MousePos);
      out.hovered = hover_at(input.view.binding, *figure.scene, p.x, p.y);
    }
  }
  // Which of several has the keys.
  if (input.selected && input.closable && !input.bare && !input.maximised)
    add_rect(ImGui::GetWindowDrawList(), whole.a, whole.b, faded(ui.theme.accent, 0.7f), 0, ui.px(1.5f));
  draw_waiting(ui, figure, area);
  if (figure.error) draw_refusal(ui, *figure.error, area, figure.scene != nullptr);
  return out;
}

}  // namespace tessera::studio
