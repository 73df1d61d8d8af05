// SPDX-License-Identifier: BSD-3-Clause
// The fields of a GEMM, a row each: numbers that are dragged, words that are chosen.
#include <algorithm>
#include <cmath>
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

constexpr float kName = 92, kRow = 21;  // units: a name's column, and from one row to the next
constexpr float kPadX = 7, kPadY = 2;   // of a button
float line_of_numbers(const Ui& ui) { return ui.fonts.mono.size * 1.6f; }

// The value's letters begin at `x` and stand in the middle of the row, whatever they stand in.
void begin_value(const Ui& ui, ImVec2 row, float height, float padding) {
  ImGui::SetCursorScreenPos({row.x + ui.px(kName) - padding, std::round(row.y + (ui.px(kRow) - height) / 2)});
}

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
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(kPadX), ui.px(kPadY)));
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
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(kPadX), ui.px(1)));
  if (button(ui, fmt::format("-##{}", name).c_str(), ButtonLook::quiet)) made = real_literal(now - 0.5);
  ImGui::SameLine(0, ui.px(4));
  text(ui, real_literal(now), ui.theme.text, ui.fonts.mono);
  ImGui::SameLine(0, ui.px(4));
  if (button(ui, fmt::format("+##{}", name).c_str(), ButtonLook::quiet)) made = real_literal(now + 0.5);
  ImGui::PopStyleVar();
  return made;
}

std::optional<std::string> draw_control(Ui& ui, LiveState& state, const SpecControl& control, ImVec2 row) {
  const std::string name(control.field->name);
  const float small = ui.fonts.small.size;
  std::optional<std::string> made;
  if (control.chooses) {
    begin_value(ui, row, small + 2 * ui.px(kPadY), ui.px(kPadX));
    made = draw_choices_of(ui, state, control);
  }
  const std::string now = control.text.empty() ? otherwise(state, *control.field) : control.text;
  if (const auto* real = std::get_if<double GemmSpec::*>(&control.field->member)) {
    begin_value(ui, row, small + ui.px(2), ui.px(kPadX));
    return draw_real(ui, name, *state.controls_of.second.*(*real));
  }
  if (control.chooses && numbers_in(now).empty()) return made;
  if (numbers_in(now).empty()) {
    begin_value(ui, row, small, 0);
    text(ui, now.empty() ? "left to the plan" : elided(ui.fonts.small, now, ImGui::GetContentRegionAvail().x), ui.theme.faint,
         ui.fonts.small);
    return made;
  }
  // The atom's name stands in its button: what is left is how it is repeated.
  const std::size_t atom = control.chosen.empty() ? std::string::npos : now.find(control.chosen);
  const std::size_t begin = atom == std::string::npos ? 0 : std::min(now.find_first_not_of(", ", atom + control.chosen.size()), now.size());
  const std::size_t end = begin > 0 && now.ends_with(')') ? now.size() - 1 : now.size();
  if (begin >= end) return made;
  begin_value(ui, {row.x, row.y + (control.chooses ? ui.px(kRow) : 0)}, ui.fonts.mono.size, 0);
  const std::string shown = now.substr(begin, end - begin);
  const bool refused = state.refused.has_value();
  if (const auto moved = drag_numbers(ui, {name, shown, refused}, state.drag)) made = now.substr(0, begin) + *moved + now.substr(end);
  return made;
}

// All rows are as high, but for one whose value takes several lines. Gives where the next begins.
float draw_row(Ui& ui, LiveState& state, const SpecControl& control, ImVec2 row, std::optional<std::string>& made) {
  const std::string name(control.field->name);
  const Face& small = ui.fonts.small;
  ImGui::PushID(name.c_str());
  ImGui::SetCursorScreenPos({row.x, std::round(row.y + (ui.px(kRow) - small.size) / 2)});
  text(ui, name, control.said ? ui.theme.text : ui.theme.dim, small);
  if (ImGui::IsItemHovered()) tooltip(ui, control.field->help);
  ImGui::BeginGroup();
  made = draw_control(ui, state, control, row);
  ImGui::EndGroup();
  const float height = ImGui::GetItemRectMax().y - row.y;
  ImGui::PopID();
  const float more = std::max(height - ui.px(kRow) - line_of_numbers(ui) / 2, 0.0f);  // a line of numbers has room below it
  return row.y + ui.px(kRow) + std::ceil(more / line_of_numbers(ui)) * line_of_numbers(ui);
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
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(1)));
  ImVec2 row = ImGui::GetCursorScreenPos();
  for (const SpecControl& control : state.controls) {
    std::optional<std::string> made;
    row.y = draw_row(ui, state, control, row, made);
    if (!made) continue;
    const Result<std::string> edited = with_field(base.first, *base.second, *control.field, *made);
    if (!edited)
      state.refused = edited.error();
    else if (*edited != expression)
      answer = Edit{SetBinding{state.binding, *edited}, true};
  }
  ImGui::SetCursorScreenPos(row);
  ImGui::Dummy({0, 0});
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
