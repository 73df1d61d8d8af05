// SPDX-License-Identifier: BSD-3-Clause
// The fields of a GEMM, a row each: numbers that are dragged, words that are chosen.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/document/numbers_in.hpp"
#include "app/studio/pages/gemm_page.hpp"
#include "core/base/budget.hpp"
#include "core/base/literal.hpp"

namespace tessera::studio {
namespace {

constexpr float kName = 88;  // units

// What holds where nothing is said: what the table says, else what the plan has.
std::string otherwise(const LiveState& state, const SpecField& field) {
  if (state.shown && field.name == "cta_tiler") {
    const GemmPlan& plan = *state.shown->plan;
    return fmt::format("({},{},{})", plan.blk_m, plan.blk_n, plan.blk_k);
  }
  return std::string(field.otherwise);
}

// Why each choice would be refused, found beside the frames.
void ask_for_reasons(LiveState& state, const SpecControl& control) {
  if (!state.of || state.reasons.under_way || state.why_not_of == control.field->name) return;
  std::vector<std::string> texts;
  for (const ControlChoice& each : state.choices) texts.push_back(each.text);
  state.reasons.ask([spec = state.of, field = control.field, texts = std::move(texts)](const std::stop_token& stop) {
    std::pair<std::string, std::vector<std::string>> made{std::string(field->name), {}};
    for (const std::string& text : texts) {
      if (stop.stop_requested()) break;
      made.second.push_back(or_refusal(
          [&] {
            const DefaultBudget budget;
            return text.empty() ? std::string() : why_refused(*spec, *field, text);
          },
          [](const char* why) { return std::string(why); }));
    }
    return made;
  });
}

std::optional<std::string> draw_choices_of(Ui& ui, LiveState& state, const SpecControl& control) {
  const std::string name(control.field->name), popup = "choose " + name;
  std::optional<std::string> chosen;
  const float room = ImGui::GetContentRegionAvail().x - ui.px(24);
  const std::string words = elided_middle(ui.fonts.small, control.chosen, room);
  const std::string help(control.field->help);
  {
    const WithFont with(ui.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), ui.px(2)));
    if (button(ui, fmt::format("{}##{}", words, popup).c_str(), control.said ? ButtonLook::plain : ButtonLook::quiet, true, help.c_str())) {
      state.choosing = name;
      state.choices = choices_for(*control.field, *state.controls_of.second);
      state.why_not.clear(), state.why_not_of.clear();
      ImGui::OpenPopup(popup.c_str());
    }
    ImGui::PopStyleVar();
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {ui.px(560), ui.px(420)});
  if (ImGui::BeginPopup(popup.c_str())) {
    ui.recorder.enter("Live choices");
    ask_for_reasons(state, control);
    for (std::size_t i = 0; i < state.choices.size(); ++i) {
      const ControlChoice& each = state.choices[i];
      const bool known = state.why_not_of == name && i < state.why_not.size();
      const bool refused = known && !state.why_not[i].empty();
      if (refused) ImGui::PushStyleColor(ImGuiCol_Text, ui.theme.faint);
      if (choice(ui, each.shown.c_str(), each.shown == control.chosen)) chosen = each.text;
      if (refused) ImGui::PopStyleColor();
      if (ImGui::IsItemHovered()) tooltip(ui, refused ? "refused: " + state.why_not[i] : each.help);
    }
    if (state.choices.empty()) text(ui, "there is no other", ui.theme.dim, ui.fonts.small);
    if (key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ui.recorder.leave();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return chosen;
}

// A factor that is no whole number: by halves.
std::optional<std::string> draw_real(Ui& ui, const std::string& name, double now) {
  const WithFont with(ui.fonts.small);
  std::optional<std::string> made;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(7), ui.px(1)));
  if (button(ui, fmt::format("-##{}", name).c_str(), ButtonLook::quiet)) made = real_literal(now - 0.5);
  ImGui::SameLine(0, ui.px(4));
  text(ui, real_literal(now), ui.theme.text, ui.fonts.mono);
  ImGui::SameLine(0, ui.px(4));
  if (button(ui, fmt::format("+##{}", name).c_str(), ButtonLook::quiet)) made = real_literal(now + 0.5);
  ImGui::PopStyleVar();
  return made;
}

std::optional<std::string> draw_control(Ui& ui, LiveState& state, const SpecControl& control) {
  const std::string name(control.field->name);
  std::optional<std::string> made;
  if (control.chooses) made = draw_choices_of(ui, state, control);
  const std::string now = control.text.empty() ? otherwise(state, *control.field) : control.text;
  if (const auto* real = std::get_if<double GemmSpec::*>(&control.field->member))
    return draw_real(ui, name, *state.controls_of.second.*(*real));
  if (control.chooses && numbers_in(now).empty()) return made;
  if (numbers_in(now).empty()) {
    text(ui, now.empty() ? "left to the plan" : elided(ui.fonts.small, now, ImGui::GetContentRegionAvail().x), ui.theme.faint,
         ui.fonts.small);
    return made;
  }
  // The atom's name stands in its button: what is left is how it is repeated.
  const std::size_t atom = control.chosen.empty() ? std::string::npos : now.find(control.chosen);
  const std::size_t begin = atom == std::string::npos ? 0 : std::min(now.find_first_not_of(", ", atom + control.chosen.size()), now.size());
  const std::size_t end = begin > 0 && now.ends_with(')') ? now.size() - 1 : now.size();
  if (begin >= end) return made;
  if (begin > 0) ImGui::Dummy({0, ui.px(3)});
  const std::string shown = now.substr(begin, end - begin);
  const bool refused = state.refused.has_value();
  if (const auto moved = drag_numbers(ui, {name, shown, refused}, state.drag)) made = now.substr(0, begin) + *moved + now.substr(end);
  return made;
}

}  // namespace

Answer draw_controls(Ui& ui, LiveState& state, const Session& session) {
  Answer answer;
  const std::string expression(session.expression(state.binding));
  const std::shared_ptr<const GemmSpec> spec = state.of ? state.of : state.controls_of.second;
  if (!spec) return answer;
  if (state.controls_of != std::pair(expression, spec)) {
    state.controls_of = {expression, spec};
    state.controls = controls_of(expression, *spec);
  }
  // A drag moves what there was when it began: what is cut on the way comes back.
  if (ImGui::IsMouseClicked(0) || state.from.second == nullptr) state.from = state.controls_of;
  const auto& base = ImGui::IsMouseDown(0) ? state.from : state.controls_of;
  heading(ui, "FIELDS   drag a number, Shift doubles");
  if (spec->plan) {
    wrapped_text(ui, "It is a plan that is written out: its text is edited in the document.", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  const float left = ImGui::GetCursorPosX(), column = ui.px(kName);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(1)));
  for (const SpecControl& control : state.controls) {
    const std::string name(control.field->name);
    ImGui::PushID(name.c_str());
    text(ui, name, control.said ? ui.theme.text : ui.theme.dim, ui.fonts.small);
    if (ImGui::IsItemHovered()) tooltip(ui, control.field->help);
    ImGui::SameLine(left + column);
    ImGui::BeginGroup();
    std::optional<std::string> made = draw_control(ui, state, control);
    ImGui::EndGroup();
    ImGui::PopID();
    if (!made) continue;
    const Result<std::string> edited = with_field(base.first, *base.second, *control.field, *made);
    if (!edited)
      state.refused = edited.error();
    else if (*edited != expression)
      answer = Edit{SetBinding{state.binding, *edited}, true};
  }
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
