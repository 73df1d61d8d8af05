// SPDX-License-Identifier: BSD-3-Clause
// A lesson's figures, and its sliders.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studio/pages/lesson_page.hpp"
#include "core/figure/figure_task.hpp"

namespace tessera::studio {
namespace {

using Outcome = LessonDesk::Outcome;
constexpr float kCell = 34;  // units of a cell's side where there is room

// As high as its cells want, with what is said below; a first guess before it is made.
float height_of(const LessonPlaceOnScreen& on, const Figure& figure) {
  const float least = on.ui.px(170), most = std::max(on.room * 0.72f, least);
  if (!figure.scene || !figure.index) return std::clamp(on.ui.px(240), least, most);
  const Bounds& bounds = figure.index->all_drawn();
  const float cell = std::min(on.ui.px(on.presents ? kCell * 1.6f : kCell), on.width / std::max(bounds.width(), 1.0f));
  const float words = figure.index->captions().empty() ? on.ui.px(24) : on.ui.px(76);
  return std::clamp(std::round(bounds.height() * cell + words), least, most);
}

void draw_value_slider(const LessonPlaceOnScreen& on, std::size_t part, const LessonSlider& slider, std::size_t at) {
  Ui& ui = on.ui;
  const Face& face = ui.fonts.mono;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const std::string name = slider.name + " =";
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float height = ui.px(44), label = text_size(face.font, face.size, name.data(), name.data() + name.size()).x;
  list->AddText(face.font, face.size, {from.x, from.y + ui.px(4)}, ui.theme.text, name.c_str());
  const float left = from.x + label + ui.px(26),
              right = from.x + std::min(on.width - ui.px(24), label + ui.px(90.0f + 64.0f * static_cast<float>(slider.values.size())));
  const std::size_t last = slider.values.size() - 1;
  const float step = last > 0 ? (right - left) / static_cast<float>(last) : 0, line = from.y + ui.px(13);
  const auto x_of = [&](std::size_t i) { return std::round(left + step * static_cast<float>(i)); };
  ImGui::SetCursorScreenPos({left - ui.px(12), from.y});
  ImGui::InvisibleButton(fmt::format("slider {}", part).c_str(), {right - left + ui.px(24), height});
  const bool hot = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  std::size_t wanted = at;
  if (active && step > 0)
    wanted = static_cast<std::size_t>(std::clamp(std::round((ImGui::GetIO().MousePos.x - left) / step), 0.0f, static_cast<float>(last)));
  if (hot && key_pressed(ImGuiKey_LeftArrow) && wanted > 0) --wanted;
  if (hot && key_pressed(ImGuiKey_RightArrow) && wanted < last) ++wanted;
  if (wanted != at) on.state.desk->slide(part, wanted);
  list->AddRectFilled({left, line - ui.px(2)}, {right, line + ui.px(2)}, ui.theme.border, ui.px(2));
  list->AddRectFilled({left, line - ui.px(2)}, {x_of(wanted), line + ui.px(2)}, ui.theme.accent, ui.px(2));
  float end = -1e9f;  // of the last number
  for (std::size_t i = 0; i <= last; ++i) {
    list->AddCircleFilled({x_of(i), line}, ui.px(3), i <= wanted ? ui.theme.accent : ui.theme.dim, 12);
    const std::string& words = slider.values[i];
    const float wide = text_size(face.font, face.size, words.data(), words.data() + words.size()).x, x = std::round(x_of(i) - wide / 2);
    if (x < end + ui.px(8) && i != wanted) continue;
    if (i != wanted && i < wanted && x + wide > x_of(wanted) - wide) continue;
    list->AddText(face.font, face.size, {x, line + ui.px(10)}, i == wanted ? ui.theme.text : ui.theme.dim, words.c_str());
    end = x + wide;
  }
  list->AddCircleFilled({x_of(wanted), line}, ui.px(hot || active ? 8 : 7), ui.theme.accent, 24);
  ui.recorder.add(slider.name, "slider", slider.values[wanted], {left - ui.px(12), from.y}, {right + ui.px(12), from.y + height});
  ImGui::SetCursorScreenPos({from.x, from.y + height});
}

// For which values it holds: one sign each, which is ticked or not.
void draw_ticks(const LessonPlaceOnScreen& on, std::size_t part, const LessonSlider& slider, const LessonDesk::Slid& slid) {
  Ui& ui = on.ui;
  const float left = ImGui::GetCursorScreenPos().x;
  draw_line_of_words(ui, prompt_words(fmt::format("For which `{}` does it hold?", slider.name)), on.faces, on.width, ui.theme.text);
  ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(6)});
  const float frame = 2 * ImGui::GetStyle().FramePadding.x + ui.px(8);
  for (std::size_t i = 0; i < slider.values.size(); ++i) {
    const std::string& words = slider.values[i];
    if (i > 0 && ImGui::GetItemRectMax().x + ui.px(8) + ImGui::CalcTextSize(words.c_str()).x + frame < left + on.width)
      ImGui::SameLine(0, ui.px(8));
    else
      ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
    const bool ticked = i < slid.ticked.size() && slid.ticked[i];
    if (button(ui, fmt::format("{}##tick {} {}", words, part, i).c_str(), ticked ? ButtonLook::primary : ButtonLook::plain))
      on.state.desk->tick(part, i, !ticked);
  }
  ImGui::SetCursorScreenPos({left, ImGui::GetItemRectMax().y + ui.px(10)});
  if (button(ui, fmt::format("Answer##slider {}", part).c_str(), ButtonLook::primary)) on.state.desk->answer_slid(part, false);
  ImGui::SameLine(0, ui.px(8));
  if (button(ui, fmt::format("Show me##slider {}", part).c_str(), ButtonLook::quiet)) on.state.desk->answer_slid(part, true);
  ImGui::SetCursorScreenPos({left, ImGui::GetItemRectMax().y});
  if (slid.said.empty()) return;
  ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(6)});
  const ImU32 ink = slid.outcome == Outcome::right ? ui.theme.good : slid.outcome == Outcome::shown ? ui.theme.text : ui.theme.warn;
  draw_line_of_words(ui, prompt_words(slid.said), on.faces, on.width, ink);
}

}  // namespace

void draw_lesson_picture(const LessonPlaceOnScreen& on, const LessonPicture& picture, const std::string& name) {
  Ui& ui = on.ui;
  FigureTask task{name, picture.made_of, picture.expression, picture.value, {}};
  const View view{name, {}};
  Figure& figure = on.input.figures.get_other(on.input.session, std::move(task), on.input.textures);
  float& height = on.state.heights[name];
  if (figure.scene || height == 0) height = height_of(on, figure);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ScreenRect area{at, {at.x + on.width, at.y + height}};
  // The wheel turns the page; with Ctrl it turns the picture's size.
  ImGuiIO& io = ImGui::GetIO();
  const float wheel = io.MouseWheel;
  if (!io.KeyCtrl) io.MouseWheel = 0;
  const Hovered* hovered = on.state.hovered ? &*on.state.hovered : nullptr;
  CanvasOutput drawn =
      draw_alone(ui, {name, on.input.session, view, figure, on.input.textures, hovered, nullptr, on.input.bar, on.input.picks, true},
                 on.state.canvases[name], area);
  io.MouseWheel = wheel;
  const bool over = ImGui::IsMouseHoveringRect(area.a, area.b) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  constexpr float kTurn = 60;  // units that a step of the wheel moves the page
  if (over && wheel != 0 && !io.KeyCtrl)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() - wheel * ui.px(kTurn), 0.0f, ImGui::GetScrollMaxY()));
  if (drawn.hovered) on.out.hovered = std::move(drawn.hovered);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({1, std::max(height - ImGui::GetStyle().ItemSpacing.y, 1.0f)});
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

void draw_lesson_slider(const LessonPlaceOnScreen& on, std::size_t part, const LessonSlider& slider) {
  Ui& ui = on.ui;
  const LessonDesk::Slid& slid = on.state.desk->slid(part);
  const float left = ImGui::GetCursorScreenPos().x;
  const auto space = [&](float units) { ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(units)}); };
  const std::size_t at = std::min(slid.at, slider.values.size() - 1);
  if (at < slider.prompts.size()) {
    draw_line_of_words(ui, prompt_words(slider.prompts[at]), on.faces, on.width, ui.theme.text);
    space(8);
  }
  draw_value_slider(on, part, slider, at);
  space(4);
  draw_lesson_picture(on, slider.pictures[at], fmt::format("figure {} with {} = {}", part, slider.name, slider.values[at]));
  if (slider.holds.empty()) return;
  space(8);
  if (!on.presents) return draw_ticks(on, part, slider, slid);
  if (!on.answered) return;
  std::string holding;
  for (std::size_t i = 0; i < slider.holds.size(); ++i) {
    if (slider.holds[i]) holding += (holding.empty() ? "" : ", ") + slider.values[i];
  }
  draw_line_of_words(ui, prompt_words(fmt::format("It holds for {}.", holding.empty() ? "none" : holding)), on.faces, on.width,
                     ui.theme.good);
}

}  // namespace tessera::studio
