// SPDX-License-Identifier: BSD-3-Clause
// A presentation: one figure at a time, large, with the words above it in the document; nothing else is on the screen. Beside it the
// speaker's window.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
using Blank = PresenterState::Blank;

// Letters arrive as text. While a field is open they are that field's.
std::optional<Action> letter_action() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput) return std::nullopt;
  for (const ImWchar typed : io.InputQueueCharacters) {
    switch (typed) {
      case 'b':
      case 'B':
      case '.': return Do{"present.blank"};  // a clicker sends the dot
      case 'w':
      case 'W': return Do{"present.blank", {{"color", "white"}}};
      case 'p':
      case 'P': return Do{"present.pointer"};
      case 'r':
      case 'R': return Do{"present.words_first"};
      case 'n':
      case 'N': return Do{"present.notes"};
      case 'f':
      case 'F': return Do{"view.full_screen"};
      default: break;
    }
  }
  return std::nullopt;
}
constexpr std::string_view kKeys = "click, arrow keys: go   B: blank   P: pointer   R: words first   N: notes   F: full screen   Esc: end";

// The keys of a presenter, which a clicker sends too. What was blank comes back with the first of them.
std::optional<Action> key_action(Blank blank) {
  const bool on = key_pressed(ImGuiKey_RightArrow) || key_pressed(ImGuiKey_PageDown) || key_pressed(ImGuiKey_DownArrow) ||
                  enter_pressed() || key_pressed(ImGuiKey_Space);
  const bool back =
      key_pressed(ImGuiKey_LeftArrow) || key_pressed(ImGuiKey_PageUp) || key_pressed(ImGuiKey_UpArrow) || key_pressed(ImGuiKey_Backspace);
  const bool end = key_pressed(ImGuiKey_Escape);
  if (blank != Blank::no && (on || back || end)) return Do{"present.blank"};
  if (on) return Do{"present.next"};
  if (back) return Do{"present.previous"};
  if (end) return Do{"present.stop"};
  return letter_action();
}

// The figure that a workspace presents, at its step.
View presented_view(const Workspace& at, const std::vector<std::string>& figures) {
  View view = view_of(at.arrangement, figures[std::min(at.step, figures.size() - 1)]);
  view.options = with_step(std::move(view.options), at.told);
  return view;
}

std::string words_for(const Session& session, std::string_view name) {
  const EvaluatedBinding* const binding = session.find(name);
  return binding ? heading_of(session.document(), number_of(session.bindings(), *binding)) : std::string();
}

std::string notes_for(const Session& session, std::string_view name) {
  const EvaluatedBinding* const binding = session.find(name);
  return binding ? notes_of(session.document(), number_of(session.bindings(), *binding)) : std::string();
}

// "2 of 5   tv   step 1 of 3"
std::string place_in_words(const Workspace& at, const std::vector<std::string>& figures, const View& view, std::size_t steps) {
  std::string words = fmt::format("{} of {}   {}", std::min(at.step, figures.size() - 1) + 1, figures.size(), view.binding);
  if (steps > 0) words += fmt::format("   step {} of {}", at.told, steps);
  return words;
}

CanvasOutput draw_presented(Ui& ui, const PanesInput& input, const View& view, Figure& figure, const std::string& name,
                            const ScreenRect& canvas) {
  const Workspace& now = input.session.workspace();
  const bool lit = !now.selection.empty() && now.selection.binding == view.binding;
  return draw_alone(ui,
                    {name, input.session, view, figure, input.textures, input.hovered,
                     lit ? &input.lights.get(now.selection, figure, name, figure, true) : nullptr, input.bar, input.picks},
                    input.canvases[name], canvas);
}

void draw_light(Ui& ui) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsMousePosValid(&mouse)) return;
  constexpr ImU32 kRed = IM_COL32(255, 32, 32, 255);
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddCircleFilled(mouse, ui.px(16), faded(kRed, 0.25f), 32);
  list->AddCircleFilled(mouse, ui.px(7), kRed, 24);
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ui.recorder.add("pointer", "light", "", {mouse.x - ui.px(7), mouse.y - ui.px(7)}, {mouse.x + ui.px(7), mouse.y + ui.px(7)});
}

}  // namespace

PanesOutput draw_presentation(Ui& ui, const PanesInput& input, const ScreenRect& area) {
  PanesOutput out;
  const Workspace& now = input.session.workspace();
  const std::vector<std::string> figures = presentation_of(input.session);
  const Blank blank = input.presenter.blank;
  const ImU32 ground = blank == Blank::no ? ui.theme.canvas : blank == Blank::black ? IM_COL32_BLACK : IM_COL32_WHITE;
  Region region(ui, "Presentation", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ground, 0, false);
  if (auto action = key_action(blank)) out.actions.push_back(std::move(*action));
  if (figures.empty()) {  // its last figure was taken out of the document
    out.actions.push_back(Do{"present.stop"});
    return out;
  }
  // A click goes on, as it does wherever slides are shown; a drag moves the figure, and nothing else becomes of it.
  const ImGuiIO& io = ImGui::GetIO();
  constexpr float kStill = 16;  // pixels, squared
  const auto clicked = [&] {
    const bool inside = ImGui::IsMouseHoveringRect(area.a, area.b, false) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
    return inside && ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] < kStill;
  };
  if (blank != Blank::no) {
    ui.recorder.add(blank == Blank::black ? "black" : "white", "blank", "", area.a, area.b);
    if (clicked()) out.actions.push_back(Do{"present.blank"});
    return out;
  }
  const View view = presented_view(now, figures);
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
  Figure& figure = input.figures.get(input.session, view, input.textures);
  const Face& small = ui.fonts.small;
  const std::string step = place_in_words(now, figures, view, now.covered ? 0 : figure.steps);
  list->AddText(small.font, small.size, {area.a.x + margin, area.b.y - foot + ui.px(8)}, ui.theme.dim, step.c_str());
  ui.recorder.add(step, "text", "step", {area.a.x + margin, area.b.y - foot}, {area.b.x, area.b.y});
  const float keys = text_size(small.font, small.size, kKeys.data(), kKeys.data() + kKeys.size()).x;
  const ImVec2 keys_at(area.b.x - margin - keys, area.b.y - foot + ui.px(8));
  if (keys_at.x > area.a.x + margin + text_size(small.font, small.size, step.data(), step.data() + step.size()).x + margin) {
    list->AddText(small.font, small.size, keys_at, ui.theme.dim, kKeys.data(), kKeys.data() + kKeys.size());
    ui.recorder.add(kKeys, "text", "keys", keys_at, {keys_at.x + keys, keys_at.y + small.size});
  }
  if (!now.covered) {
    const ScreenRect canvas{{area.a.x, at.y + height + ui.px(8)}, {area.b.x, area.b.y - foot}};
    out.hovered = draw_presented(ui, input, view, figure, "presented " + view.binding, canvas).hovered;
  }
  if (input.presenter.pointer) draw_light(ui);
  if (clicked()) out.actions.push_back(Do{"present.next"});
  return out;
}

namespace {

// A figure of the speaker's window, with a word over it.
void draw_small(Ui& ui, const PanesInput& input, const char* word, const View& view, const std::string& place, const ScreenRect& area) {
  ImGui::SetCursorScreenPos(area.a);
  text(ui, word, ui.theme.dim, ui.fonts.strong);
  const float left = area.a.x + ui.px(90);
  ImGui::SetCursorScreenPos({left, area.a.y});
  text(ui, elided(ui.fonts.body, place, area.b.x - left), ui.theme.text, ui.fonts.body);
  Figure& figure = input.figures.get(input.session, view, input.textures);
  (void)draw_presented(ui, input, view, figure, fmt::format("speaker's {} {}", word, view.binding),
                       {{area.a.x, area.a.y + ui.px(24)}, area.b});
}

// What the next step makes of the presentation; nothing at its end.
std::optional<Workspace> after_this(const Session& session) {
  const Result<Changed> next = attempt(session, *find_action("present.next"), {});
  if (!next || next->workspace == session.workspace()) return std::nullopt;
  return next->workspace;
}

}  // namespace

PanesOutput draw_speaker(Ui& ui, const SpeakerInput& speaker, const ScreenRect& area) {
  const PanesInput& input = speaker.panes;
  PanesOutput out;
  const Workspace& now = input.session.workspace();
  const std::vector<std::string> figures = presentation_of(input.session);
  const float margin = ui.px(20), width = area.b.x - area.a.x, height = area.b.y - area.a.y;
  Region region(ui, "Speaker", area.a, {width, height}, ui.theme.window, 0, false);
  if (auto action = key_action(input.presenter.blank)) out.actions.push_back(std::move(*action));
  if (figures.empty()) return out;
  const View view = presented_view(now, figures);
  const std::size_t steps = input.figures.get(input.session, view, input.textures).steps;
  std::string place = place_in_words(now, figures, view, steps);
  if (now.covered) place += "   words alone are shown";
  if (input.presenter.blank != Blank::no) place += "   the screen is blank";

  // The time, in the top row.
  const Face& large = ui.fonts.caption;
  ImGui::SetCursorScreenPos({area.a.x + margin, area.a.y + ui.px(10)});
  text(ui, speaker.elapsed, ui.theme.text, large);
  ImGui::SameLine(0, ui.px(24));
  text(ui, speaker.clock, ui.theme.dim, large);
  ui.recorder.add(speaker.elapsed, "clock", speaker.clock, area.a, {area.b.x, area.a.y + ui.px(44)});
  const char* const buttons[] = {"Back", "Go on"};
  float right = area.b.x - margin;
  for (int i = 1; i >= 0; --i) {
    right -= ui.px(78);
    ImGui::SetCursorScreenPos({right, area.a.y + ui.px(10)});
    if (button(ui, buttons[i], i == 1 ? ButtonLook::primary : ButtonLook::plain))
      out.actions.push_back(Do{i == 1 ? "present.next" : "present.previous"});
  }

  const float top = area.a.y + ui.px(56), middle = area.a.x + std::round(width * 0.58f), split = top + std::round((area.b.y - top) * 0.58f);
  draw_small(ui, input, "now", view, place, {{area.a.x + margin, top}, {middle - margin / 2, split}});
  const ScreenRect beside{{middle + margin / 2, top}, {area.b.x - margin, split}};
  if (const std::optional<Workspace> next = after_this(input.session)) {
    const View after = presented_view(*next, figures);
    const std::size_t told = input.figures.get(input.session, after, input.textures).steps;
    draw_small(ui, input, "next", after,
               next->covered ? words_for(input.session, after.binding) : place_in_words(*next, figures, after, told), beside);
  } else {
    ImGui::SetCursorScreenPos(beside.a);
    text(ui, "this is the last", ui.theme.dim, ui.fonts.strong);
  }

  const ImVec2 notes_at(area.a.x + margin, split + ui.px(10));
  Region notes(ui, "Notes", notes_at, {width - 2 * margin, area.b.y - notes_at.y - ui.px(10)}, ui.theme.panel, 16);
  const std::string words = words_for(input.session, view.binding), said = notes_for(input.session, view.binding);
  if (!words.empty()) wrapped_text(ui, words, ui.theme.dim, ui.fonts.title);
  if (said.empty())
    wrapped_text(ui, "No notes: in the comment above a figure, what stands from \"# note:\" on is shown here alone.", ui.theme.dim,
                 ui.fonts.body);
  else
    wrapped_text(ui, said, ui.theme.text, large);
  return out;
}

}  // namespace tessera::studio
