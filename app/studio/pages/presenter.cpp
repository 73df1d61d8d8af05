// SPDX-License-Identifier: BSD-3-Clause
// A presentation: one figure at a time, large, with the words above it in the document; nothing else is on the screen.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/document/comments.hpp"
#include "app/studio/panels/panes.hpp"

namespace tessera::studio {
namespace {

constexpr float kMargin = 36, kMostCaption = 0.3f;  // in units; share of the height

// The keys of a presenter, which a clicker sends too.
std::optional<Action> key_action() {
  if (key_pressed(ImGuiKey_RightArrow) || key_pressed(ImGuiKey_PageDown) || key_pressed(ImGuiKey_DownArrow) || enter_pressed())
    return Do{"present.next"};
  if (key_pressed(ImGuiKey_LeftArrow) || key_pressed(ImGuiKey_PageUp) || key_pressed(ImGuiKey_UpArrow) || key_pressed(ImGuiKey_Backspace))
    return Do{"present.previous"};
  if (key_pressed(ImGuiKey_Escape)) return Do{"present.stop"};
  return std::nullopt;
}

std::string words_for(const Session& session, std::string_view name) {
  const EvaluatedBinding* const binding = session.find(name);
  return binding ? heading_of(session.document(), number_of(session.bindings(), *binding)) : std::string();
}

}  // namespace

PanesOutput draw_presentation(Ui& ui, const PanesInput& input, const ScreenRect& area) {
  PanesOutput out;
  const Workspace& now = input.session.workspace();
  const std::vector<std::string> steps = presentation_of(input.session);
  Region region(ui, "Presentation", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 0, false);
  if (auto action = key_action()) out.actions.push_back(std::move(*action));
  if (steps.empty()) {  // its last figure was taken out of the document
    out.actions.push_back(Do{"present.stop"});
    return out;
  }
  View view = view_of(now.arrangement, steps[std::min(now.step, steps.size() - 1)]);
  view.options = with_step(std::move(view.options), now.told);
  const float margin = ui.px(kMargin), width = area.b.x - area.a.x - 2 * margin;
  const std::string words = words_for(input.session, view.binding);
  const Face& face = ui.fonts.caption;
  const float height =
      words.empty() ? 0
                    : std::min(face.font->CalcTextSizeA(face.size, 3.0e38f, width, words.c_str()).y, (area.b.y - area.a.y) * kMostCaption);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at(area.a.x + margin, area.a.y + margin * 0.7f);
  if (!words.empty()) {
    list->AddText(face.font, face.size, at, ui.theme.text, words.c_str(), nullptr, width);
    ui.recorder.add(words, "text", "caption", at, {at.x + width, at.y + height});
  }
  const float foot = ui.px(34);
  std::string step = fmt::format("{} of {}   {}", std::min(now.step, steps.size() - 1) + 1, steps.size(), view.binding);
  Figure& figure = input.figures.get(input.session, view, input.textures);
  if (figure.steps > 0) step += fmt::format("   step {} of {}", now.told, figure.steps);
  list->AddText(ui.fonts.small.font, ui.fonts.small.size, {area.a.x + margin, area.b.y - foot + ui.px(8)}, ui.theme.dim, step.c_str());
  ui.recorder.add(step, "text", "step", {area.a.x + margin, area.b.y - foot}, {area.b.x, area.b.y});
  constexpr std::string_view kKeys = "click or arrow keys: go on and back     Esc: end";
  const Face& small = ui.fonts.small;
  const float keys = text_size(small.font, small.size, kKeys.data(), kKeys.data() + kKeys.size()).x;
  const ImVec2 keys_at(area.b.x - margin - keys, area.b.y - foot + ui.px(8));
  if (keys_at.x > area.a.x + margin + text_size(small.font, small.size, step.data(), step.data() + step.size()).x + margin) {
    list->AddText(small.font, small.size, keys_at, ui.theme.dim, kKeys.data(), kKeys.data() + kKeys.size());
    ui.recorder.add(kKeys, "text", "keys", keys_at, {keys_at.x + keys, keys_at.y + small.size});
  }
  const ScreenRect canvas{{area.a.x, at.y + height + ui.px(8)}, {area.b.x, area.b.y - foot}};
  const Hovered* hovered = input.hovered && input.hovered->figure == view.binding ? input.hovered : nullptr;
  const bool lit = !now.selection.empty() && now.selection.binding == view.binding;
  const std::string name = "presented " + view.binding;
  const Arrangement pane;
  CanvasOutput drawn = draw_canvas(ui,
                                   {.name = name,
                                    .session = input.session,
                                    .view = view,
                                    .pane = pane,
                                    .place = {},
                                    .figure = figure,
                                    .textures = input.textures,
                                    .hovered = hovered,
                                    .lit = lit ? &input.lights.get(now.selection, figure, name, figure, true) : nullptr,
                                    .bar = input.bar,
                                    .picks = input.picks,
                                    .selected = true,
                                    .bare = true,
                                    .presented = true},
                                   input.canvases[name], canvas);
  // A click goes on, as it does wherever slides are shown; a drag moves the figure, and nothing else becomes of it.
  const ImGuiIO& io = ImGui::GetIO();
  constexpr float kStill = 16;  // pixels, squared
  const bool inside = ImGui::IsMouseHoveringRect(area.a, area.b, false) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (inside && ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] < kStill) out.actions.push_back(Do{"present.next"});
  out.hovered = std::move(drawn.hovered);
  return out;
}

}  // namespace tessera::studio
