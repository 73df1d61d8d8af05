// SPDX-License-Identifier: BSD-3-Clause
// A lesson for a class: a screen fills the window, and each press of a key shows more of it: the question, then its answer and what
// follows.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/studio/pages/lesson_page.hpp"

namespace tessera::studio {
namespace {

constexpr float kMargin = 40, kFoot = 34, kWidest = 1180;  // units
constexpr const char* kKeys = "click, arrow keys: go   wheel: scroll   B: blank   F: full screen   Esc: end";

using Blank = PresenterState::Blank;

// What was blank comes back with the first of them, as in any presentation.
void take_keys(Blank blank, PanesOutput& out) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl || io.KeyAlt) return;
  const bool on = key_pressed(ImGuiKey_RightArrow) || key_pressed(ImGuiKey_PageDown) || enter_pressed() || key_pressed(ImGuiKey_Space);
  const bool back = key_pressed(ImGuiKey_LeftArrow) || key_pressed(ImGuiKey_PageUp) || key_pressed(ImGuiKey_Backspace);
  const bool end = key_pressed(ImGuiKey_Escape);
  if (blank != Blank::no && (on || back || end)) return out.actions.push_back(Do{"present.blank"});
  if (on) out.actions.push_back(Do{"lesson.next"});
  if (back) out.actions.push_back(Do{"lesson.previous"});
  if (end) out.actions.push_back(Do{"lesson.present"});
  for (const ImWchar typed : io.InputQueueCharacters) {
    if (typed == 'f' || typed == 'F') out.actions.push_back(Do{"view.full_screen"});
    if (typed == 'b' || typed == 'B' || typed == '.') out.actions.push_back(Do{"present.blank"});
    if (typed == 'w' || typed == 'W') out.actions.push_back(Do{"present.blank", {{"color", "white"}}});
  }
}

}  // namespace

PanesOutput draw_lesson_slides(Ui& ui, const PanesInput& input, LessonState& state, const ScreenRect& area) {
  PanesOutput out;
  state.desk->collect();
  const Blank blank = input.presenter.blank;
  take_keys(blank, out);
  const LessonReading* const reading = state.desk->reading();
  const LessonSlide slide = state.desk->slide_now();
  if (!reading || slide.screen >= reading->screens.size()) {
    out.actions.push_back(Do{"lesson.present"});
    return out;
  }
  const float foot = area.b.y - ui.px(kFoot), margin = ui.px(kMargin);
  const ImU32 color = blank == Blank::no ? ui.theme.canvas : blank == Blank::black ? IM_COL32_BLACK : IM_COL32_WHITE;
  const Region ground(ui, "Slides", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, color, 0, false);
  if (blank != Blank::no) {
    ui.recorder.add(blank == Blank::black ? "black" : "white", "blank", "", area.a, area.b);
    return out;
  }
  {
    const Region region(ui, fmt::format("Slide {}", slide.screen + 1).c_str(), area.a, {area.b.x - area.a.x, foot - area.a.y},
                        ui.theme.canvas);
    const bool turned = std::exchange(state.slide, state.desk->slide_number()) != state.desk->slide_number();
    const float whole = area.b.x - area.a.x - ui.px(14), width = std::min(ui.px(kWidest), whole - 2 * margin);
    const float left = area.a.x + std::round((whole - width) / 2);
    const float head = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({left, head + margin * 0.7f});
    const LessonScreen& screen = reading->screens[slide.screen];
    LessonPlaceOnScreen on{ui, input, state, out, faces_of(ui, true), width, foot - area.a.y, true, false};
    float newest = 0;  // where the last piece begins, from the head
    for (std::size_t i = 0; i < std::min(slide.pieces, screen.pieces.size()); ++i) {
      if (i > 0) ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(16)});
      if (i + 1 == slide.pieces || i < slide.answered) newest = ImGui::GetCursorScreenPos().y - head;
      on.answered = i < slide.answered;
      draw_piece(on, screen.pieces[i]);
    }
    const float end = ImGui::GetCursorScreenPos().y - head;
    ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(20)});
    ImGui::Dummy({1, 1});
    // What is new is in sight: its end where there is room, its beginning in any case.
    if (turned || state.to_foot) ImGui::SetScrollY(std::max(std::min(end + ui.px(20) - (foot - area.a.y), newest), 0.0f));
    state.to_foot = turned;  // once more, when its pictures have their heights
    state.hovered = out.hovered;
  }
  const Face& small = ui.fonts.small;
  const std::string place = fmt::format("{} of {}   {}", slide.screen + 1, reading->screens.size(), reading->head().title);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at(area.a.x + margin, foot + ui.px(8));
  const float keys = text_size(small.font, small.size, kKeys, nullptr).x, room = area.b.x - margin - at.x;
  const bool has_room = room > keys + ui.px(240);
  const std::string shown = elided(small, place, has_room ? room - keys - ui.px(20) : room);
  list->AddText(small.font, small.size, at, ui.theme.dim, shown.c_str());
  ui.recorder.add(place, "text", "step", at, {area.b.x, area.b.y});
  if (has_room) list->AddText(small.font, small.size, {area.b.x - margin - keys, at.y}, ui.theme.dim, kKeys);
  // A click goes on; a drag moves a picture or a slider.
  constexpr float kStill = 16;  // pixels, squared
  const ImGuiIO& io = ImGui::GetIO();
  const bool on_slider = [&] {
    for (const RecordedItem& each : ui.recorder.items()) {
      const bool inside =
          io.MousePos.x >= each.x && io.MousePos.x < each.x + each.w && io.MousePos.y >= each.y && io.MousePos.y < each.y + each.h;
      if (each.role == "slider" && inside) return true;
    }
    return false;
  }();
  const bool inside = ImGui::IsMouseHoveringRect(area.a, area.b, false) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (inside && !on_slider && ImGui::IsMouseReleased(0) && io.MouseDragMaxDistanceSqr[0] < kStill) out.actions.push_back(Do{"lesson.next"});
  return out;
}

}  // namespace tessera::studio
