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

#include "app/studio/paint/caption_text.hpp"
#include "app/studio/paint/scene_words.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/tool_row.hpp"
#include "core/base/utf8.hpp"
#include "core/diagram/kinds/figures.hpp"

namespace tessera::studio {
namespace {

constexpr float kSmallestScale = 0.02f, kLargestScale = 400;  // pixels a cell

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
    camera.put(under, mouse);
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
    camera.put(middle, {size.x / 2, size.y / 2});
    camera.origin = {std::round(camera.origin.x), std::round(camera.origin.y)};
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
  const Bounds& cells = index.all_drawn();
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

Fit fitted(const Ui& ui, const CanvasInput& input, ImVec2 size) {
  const Figure &figure = input.figure, *other = input.fitted_with;
  const ScreenRect area{{0, 0}, size};
  const FittedScene own{*figure.scene, *figure.index};
  if (!other || !other->scene) return fit(ui.fonts, own, area, ui.scale);
  return fit_both(ui.fonts, own, {*other->scene, *other->index}, area, ui.scale);
}

// What is said of the figure when it is folded; the title among it where it does not stand over the cells.
std::vector<Caption> said_of(const CanvasInput& input, bool titled) {
  std::vector<Caption> said = input.figure.index->captions();
  const std::string_view title = titled ? std::string_view() : over_cells(*input.figure.scene, *input.figure.index);
  if (!title.empty()) said.insert(said.begin(), Caption{.words = std::string(title)});
  return said;
}

// Folded into one line at the canvas's foot, or into a sign in its corner; a click unfolds it into a drawer over the picture. Gives where
// it begins.
float draw_folded(Ui& ui, const PaintContext& context, const CanvasInput& input, CanvasState& state, bool has_line,
                  const ScreenRect& area) {
  const Scene& scene = *input.figure.scene;
  const std::vector<Caption> said = said_of(input, state.titled || !state.fitted);
  const float height = ui.px(kCaptionLine), pad = ui.px(12), width = area.b.x - area.a.x - 2 * pad, foot = area.b.y - height;
  const ImVec2 sign(ui.px(26), height);
  const std::string label = (state.drawer ? "Fold what is said##" : "All that is said##") + input.name;
  float top = has_line ? foot : area.b.y;
  if (state.drawer) {
    const float whole = captions_height(ui.fonts, said, width) + ui.px(14), most = (area.b.y - area.a.y) * 0.6f;
    top = std::max(foot - std::min(whole, most), area.a.y);
    Region region(ui, ("Drawer " + input.name).c_str(), {area.a.x, top}, {area.b.x - area.a.x, foot - top}, ui.theme.panel, 0);
    const ImVec2 at(area.a.x + pad, ImGui::GetCursorScreenPos().y + ui.px(8));
    paint_captions({ImGui::GetWindowDrawList(), ui.theme, ui.fonts, input.textures, ui.scale}, scene, said, at, width);
    ImGui::Dummy({1, whole});
  }
  if (!has_line && !state.drawer) return top;
  // A part of its own, over the canvas: its sign is reached before what lies below it.
  const ScreenRect line{{area.a.x, foot}, area.b};
  Region region(ui, ("Said " + input.name).c_str(), line.a, {line.b.x - line.a.x, height}, ui.theme.panel, 0, false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({line.a.x, line.a.y + 0.5f}, {line.b.x, line.a.y + 0.5f}, ui.theme.border);
  bool is_whole = false;
  const ScreenRect room{{line.a.x + pad, line.a.y}, {line.b.x - pad - sign.x, line.b.y}};
  const PaintContext here{list, context.theme, context.fonts, context.textures, context.ui_scale};
  if (!state.drawer) is_whole = paint_captions_in_line(here, scene, said, room);
  if (is_whole) return top;
  ImGui::SetCursorScreenPos(line.a);
  if (ImGui::InvisibleButton("line", {std::max(room.b.x - line.a.x, 1.0f), height})) state.drawer = !state.drawer;
  ImGui::SetCursorScreenPos({line.b.x - sign.x - ui.px(4), line.a.y});
  if (sign_button(ui, label.c_str(), state.drawer ? Sign::down : Sign::up, sign, true,
                  state.drawer ? "Only the first words" : "All that is said of the figure"))
    state.drawer = !state.drawer;
  return top;
}

}  // namespace

float draw_canvas_row(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area, std::vector<Action>& actions) {
  const float end = area.a.y + ui.px(kToolRow);
  Region region(ui, ("Bars " + input.name).c_str(), area.a, {area.b.x - area.a.x, end - area.a.y}, ui.theme.canvas, 0, false);
  if (Answer answer = draw_tool_row(ui, input, state, area)) actions.push_back(std::move(*answer));
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
    take(draw_tool_row(ui, input, state, whole));
    top += ui.px(kToolRow);
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
    state.camera.map = figure.index->map(*figure.scene, ui.scale);
    Camera before = state.camera;
    before.origin = {area.a.x + before.origin.x, area.a.y + before.origin.y};
    select_with_mouse(input, state, before, out);
    move_camera(input, state, area, active, hovered);
    const bool resized = state.size.x != size.x || state.size.y != size.y;
    const std::uint64_t serial = figure.serial + (input.fitted_with ? input.fitted_with->serial << 32 : 0);
    if (!state.fitted && state.room.x > 0 && (state.room.x != size.x || state.room.y != size.y)) follow_room(state, *figure.index, size);
    if (state.fitted && (resized || state.serial != serial)) state.show(fitted(ui, input, size));
    state.room = size;
    go_there(ui, input, state, size);
    if (state.fitted) {
      state.serial = serial;
      state.size = size;
    }
    Camera camera = state.camera;
    camera.origin = {area.a.x + camera.origin.x, area.a.y + camera.origin.y};
    // Once it is moved by hand what is said of it makes way for it.
    const CaptionsAt captions = state.fitted ? state.captions : figure.index->captions().empty() ? CaptionsAt::nowhere : CaptionsAt::line;
    ScreenRect seen = area;
    if (captions == CaptionsAt::line) seen.b.y -= ui.px(kCaptionLine);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const PaintContext context{list, ui.theme, ui.fonts, input.textures, ui.scale};
    list->PushClipRect(seen.a, seen.b, true);
    paint_marks(context, *figure.scene, *figure.index, camera, seen);
    if (input.lit) paint_selection(context, *figure.scene, *figure.index, *input.lit, camera, seen);
    std::vector<ElementId> named;  // cells whose labels are read in any case
    if (input.hovered) {
      const bool here = input.hovered->figure == input.view.binding;
      if (here) named.push_back(input.hovered->element);
      paint_highlights(context, *figure.scene, highlights_of(*input.hovered, input.view.binding, *figure.scene, *figure.index),
                       here ? &input.hovered->element : nullptr, camera, seen);
    }
    if (input.changed) paint_changed(context, *figure.scene, *input.changed, camera, seen);
    if (input.lit) named.insert(named.end(), input.lit->begin(), input.lit->end());
    const std::vector<ScreenRect> plates = paint_plates(context, *figure.scene, *figure.index, named, camera, seen);
    paint_words(context, *figure.scene, *figure.index, camera, seen, state.titled || !state.fitted, plates);
    if (figure.error) list->AddRectFilled(area.a, area.b, faded(ui.theme.canvas, 0.6f));
    if (captions == CaptionsAt::beside || captions == CaptionsAt::below) {
      const ScreenRect& words = state.words;
      const ImVec2 at(area.a.x + words.a.x, area.a.y + words.a.y);
      paint_captions(context, *figure.scene, figure.index->captions(), at, words.b.x - words.a.x);
      ui.recorder.add("captions of " + input.name, "text", captions == CaptionsAt::beside ? "beside" : "below", at,
                      {area.a.x + words.b.x, area.a.y + words.b.y});
    }
    list->PopClipRect();
    if (captions == CaptionsAt::line || captions == CaptionsAt::sign) {
      const float begin = draw_folded(ui, context, input, state, captions == CaptionsAt::line, area);
      ui.recorder.add("captions of " + input.name, "text",
                      state.drawer                   ? "drawer"
                      : captions == CaptionsAt::line ? "line"
                                                     : "sign",
                      {area.a.x, begin}, area.b);
    }
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

CanvasOutput draw_alone(Ui& ui, const LonePicture& picture, CanvasState& state, const ScreenRect& area) {
  static const Arrangement kNoPane;
  const bool here = picture.hovered && (picture.linked || picture.hovered->figure == picture.view.binding);
  return draw_canvas(ui,
                     {.name = picture.name,
                      .session = picture.session,
                      .view = picture.view,
                      .pane = kNoPane,
                      .place = {},
                      .figure = picture.figure,
                      .textures = picture.textures,
                      .hovered = here ? picture.hovered : nullptr,
                      .lit = picture.lit,
                      .bar = picture.bar,
                      .picks = picture.picks,
                      .selected = true,
                      .bare = true,
                      .presented = true},
                     state, area);
}

}  // namespace tessera::studio
