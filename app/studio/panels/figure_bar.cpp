// SPDX-License-Identifier: BSD-3-Clause
// What of a figure can be chosen, in its pane's tool row: its kind and parameters, as its kind's row in the table says them; palette,
// style, and what a click selects.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/figure_options.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/value_facts.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::studio {
namespace {

constexpr std::string_view kAsItIs = "as it is";

constexpr float kStepper = 208, kRoomy = 440;  // in units: of the stepper, and of a bar that has room for all its buttons

// Of a figure that is told in several steps: which of them, and the one before and after. At 0 all of it is shown at once.
Answer draw_stepper(Ui& ui, const CanvasInput& input, float width) {
  Answer answer;
  const Arguments here{{"binding", input.view.binding}, {"place", input.place}};
  const auto steps = static_cast<int>(input.figure.steps);
  int now = std::min(static_cast<int>(chosen_step(input.view.options)), steps);
  if (button(ui, ("<##step of " + input.name).c_str(), ButtonLook::quiet, now > 0, "The step before   Alt+Left"))
    answer = Do{"figure.step_previous", here};
  ImGui::SameLine(0, ui.px(2));
  ImGui::SetNextItemWidth(width - ui.px(64));
  const std::string words = now == 0 ? fmt::format("all {} steps", steps) : fmt::format("step %d of {}", steps);
  if (ImGui::SliderInt(("##step of " + input.name).c_str(), &now, 0, steps, words.c_str(), ImGuiSliderFlags_AlwaysClamp)) {
    Arguments set = here;
    set["option"] = "step";
    set["value"] = now == 0 ? std::string() : std::to_string(now);
    answer = Do{"figure.option", std::move(set)};
  }
  ui.recorder.add("step of " + input.name, "slider", fmt::format("{} of {}", now, steps), ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::SameLine(0, ui.px(2));
  if (button(ui, (">##step of " + input.name).c_str(), ButtonLook::quiet, now < steps, "The next step   Alt+Right"))
    answer = Do{"figure.step_next", here};
  ImGui::SameLine(0, ui.px(6));
  return answer;
}

// The rows of a popup: as it is, and every choice.
std::optional<std::string> choose(Ui& ui, const FigureOption& option) {
  std::optional<std::string> chosen;
  text(ui, option.help, ui.theme.dim, ui.fonts.small);
  if (choice(ui, kAsItIs.data(), !option.chosen)) chosen = std::string();
  for (const std::string& each : option.choices) {
    if (choice(ui, each.c_str(), option.now == each)) chosen = each;
  }
  return chosen;
}

std::optional<std::string> type_in(Ui& ui, const FigureOption& option, FigureBarState& state) {
  text(ui, option.help, ui.theme.dim, ui.fonts.small);
  if (ImGui::IsWindowAppearing()) {
    state.typed = option.now;
    focus_next_item();
  }
  ImGui::PushItemWidth(ui.px(260));
  const bool changed = edit(ui, option.name.c_str(), state.typed, false);
  ImGui::PopItemWidth();
  if (option.most > option.least) {
    std::int64_t number = option.least;
    std::from_chars(state.typed.data(), state.typed.data() + state.typed.size(), number);
    int value = static_cast<int>(std::clamp(number, option.least, option.most));
    const auto most = static_cast<int>(std::min<std::int64_t>(option.most, option.least + 1024));
    if (ImGui::SliderInt(("##slider " + option.name).c_str(), &value, static_cast<int>(option.least), most)) {
      state.typed = std::to_string(value);
      return state.typed;
    }
  }
  std::optional<std::string> chosen;
  if (changed) chosen = state.typed;
  if (option.chosen && button(ui, kAsItIs.data(), ButtonLook::quiet)) chosen = std::string();
  if (enter_pressed()) ImGui::CloseCurrentPopup();
  return chosen;
}

}  // namespace

Answer draw_figure_bar(Ui& ui, const CanvasInput& input, FigureBarState& state, Picks& picks, const ScreenRect& area) {
  Answer answer;
  const EvaluatedBinding* found = input.session.find(input.view.binding);
  if (!found || !found->value) return answer;
  const std::string kind = kind_of(input.view, *found->value);
  const WithFont with(ui.fonts.small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), ui.px(3)));
  ImGui::SetCursorScreenPos({area.a.x, std::round((area.a.y + area.b.y - ImGui::GetFrameHeight()) / 2)});
  const bool told = input.figure.steps > 0;
  const bool roomy = area.b.x - area.a.x >= ui.px(kRoomy);
  const float stepper = told ? std::min(ui.px(kStepper), (area.b.x - area.a.x) * 0.45f) : 0;
  const float kept =
      (roomy ? ImGui::CalcTextSize("Keep as figure").x + ui.px(18) : 0) + ImGui::CalcTextSize("More").x + ui.px(18) + stepper;
  const auto set = [&](const FigureOption& option, const std::string& value) {
    answer = Do{"figure.option", {{"binding", input.view.binding}, {"place", input.place}, {"option", option.name}, {"value", value}}};
  };
  const auto popup = [&](const std::string& id, const FigureOption& option) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
    if (ImGui::BeginPopup(id.c_str())) {
      ui.recorder.enter("Figure bar");
      const InRing in_ring(ui, state.ring);
      const std::optional<std::string> value = option.choices.empty() ? type_in(ui, option, state) : choose(ui, option);
      if (value) set(option, *value);
      if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
      ui.recorder.leave();
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
  };
  const auto chip = [&](const FigureOption& option, const std::string& owner) {
    const std::string words =
        option.now.empty() ? option.name : fmt::format("{}: {}", option.name, elided(ui.fonts.small, option.now, ui.px(90)));
    const std::string id = "option " + option.name + owner;
    if (button(ui, (words + "##" + id).c_str(), option.chosen ? ButtonLook::plain : ButtonLook::quiet, true, option.help.c_str()))
      ImGui::OpenPopup(id.c_str());
    popup(id, option);
  };
  const std::vector<FigureOption> all = options_of(input.view, *found->value, kind);
  std::size_t shown = 0;
  for (; shown < all.size(); ++shown) {
    const float room = area.b.x - ImGui::GetCursorScreenPos().x - kept;
    if (ImGui::CalcTextSize((all[shown].name + ": " + all[shown].now).c_str()).x + ui.px(18) > room) break;
    chip(all[shown], input.name);
    ImGui::SameLine(0, ui.px(2));
  }
  if (told) {
    if (Answer step = draw_stepper(ui, input, stepper)) answer = std::move(step);
  }
  ImGui::PopStyleVar();
  const std::string more = "more " + input.name;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), ui.px(3)));
  if (button(ui, ("More##" + input.name).c_str(), ButtonLook::quiet, true, "Everything else that can be chosen, and what a click selects"))
    ImGui::OpenPopup(more.c_str());
  const auto keep = [&] {
    if (button(ui, ("Keep as figure##" + input.name).c_str(), ButtonLook::quiet, true,
               "A binding of the figure as it is seen   Ctrl+Shift+K"))
      answer = Do{"figure.keep", {{"binding", input.view.binding}, {"place", input.place}}};
  };
  if (roomy) {
    ImGui::SameLine(0, ui.px(2));
    keep();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  if (ImGui::BeginPopup(more.c_str())) {
    ui.recorder.enter("Figure bar");
    std::optional<InRing> in_ring;  // while nothing lies over it
    if (ImGui::IsWindowFocused()) in_ring.emplace(ui, state.more);
    text(ui, "A click and a drag select", ui.theme.dim, ui.fonts.small);
    for (const Picks each : kAllPicks) {
      if (button(ui, std::string(name_of(each)).c_str(), each == picks ? ButtonLook::primary : ButtonLook::plain)) picks = each;
      ImGui::SameLine(0, ui.px(4));
    }
    ImGui::NewLine();
    for (std::size_t i = shown; i < all.size(); ++i) chip(all[i], input.name + " more");
    if (!roomy) keep();
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    in_ring.reset();
    ui.recorder.leave();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  return answer;
}

}  // namespace tessera::studio
