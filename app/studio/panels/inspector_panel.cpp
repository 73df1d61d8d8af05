// SPDX-License-Identifier: BSD-3-Clause
// The inspector: the cell under the mouse, and the selected value in CuTe's words.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/value_facts.hpp"
#include "core/gemm/spec_fields.hpp"

namespace tessera::studio {
namespace {

void draw_cell(Ui& ui, const Hovered* hovered) {
  heading(ui, "CELL");
  if (!hovered) {
    wrapped_text(ui,
                 "Move the mouse over a cell: every cell with the same thread and value, or the same address, lights up in all figures.",
                 ui.theme.dim, ui.fonts.body);
    return;
  }
  fact(ui, "figure", hovered->figure);
  const Subject link = hovered->links.empty() ? Subject{} : hovered->links.front();
  if (!hovered->coordinate.empty()) fact(ui, "coordinate", hovered->coordinate);
  if (link.thread >= 0) fact(ui, "thread", fmt::format("T{}   warp {}   lane {}", link.thread, link.thread / 32, link.thread % 32));
  if (link.value >= 0) fact(ui, "value", fmt::format("V{}", link.value));
  if (hovered->links.size() > 1) {
    std::string others;
    for (std::size_t i = 1; i < hovered->links.size() && i <= 8; ++i) {
      others += fmt::format("{}T{} V{}", i > 1 ? ", " : "", hovered->links[i].thread, hovered->links[i].value);
    }
    if (hovered->links.size() > 9) others += fmt::format(" and {} more", hovered->links.size() - 9);
    fact(ui, "also", others);
  }
  if (link.address >= 0)
    fact(ui, "offset", fmt::format("{}   0x{:x}{}", link.address, link.address, hovered->tensor.empty() ? "" : "   of " + hovered->tensor));
  if (link.bank >= 0) fact(ui, "bank", fmt::format("{}", link.bank));
}

void draw_form(Ui& ui, const char* label, const std::string& form) {
  text(ui, label, ui.theme.dim, ui.fonts.small);
  ImGui::SameLine(ImGui::GetContentRegionAvail().x - ui.px(30));
  {
    WithFont with(ui.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(6), ui.px(1)));
    if (button(ui, fmt::format("Copy##{}", label).c_str(), ButtonLook::quiet)) ImGui::SetClipboardText(form.c_str());
    ImGui::PopStyleVar();
  }
  // What is long is there to be copied, not to be read here.
  constexpr std::size_t kShown = 160;
  const std::size_t end = std::min(form.find('\n'), kShown);
  wrapped_text(ui, end < form.size() ? form.substr(0, end) + " ..." : form, ui.theme.text, ui.fonts.mono_small);
}

// A button beside the last one, or below it where the panel ends.
bool flowing_button(Ui& ui, const char* word, const std::string& field, ButtonLook look, bool enabled, const char* tooltip) {
  ImGui::SameLine(0, ui.px(4));
  if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(word).x + ui.px(16)) ImGui::NewLine();
  return button(ui, fmt::format("{}##{}", word, field).c_str(), look, enabled, tooltip);
}

// What a click can change of a GEMM: its choices, and its counts by one. The document's text is what changes.
Answer draw_fields(Ui& ui, const GemmSpec& spec, const std::string& binding) {
  heading(ui, "FIELDS");
  Answer answer;
  const auto set = [&](const SpecField& field, std::string value) {
    answer = Edit{SetFigureParameter{binding, std::string(field.name), std::move(value)}};
  };
  for (const SpecField& field : spec_fields()) {
    const auto* count = std::get_if<std::int64_t GemmSpec::*>(&field.member);
    const auto* choice = std::get_if<ChoiceMember>(&field.member);
    if (field.is_extent || (!count && !choice)) continue;
    const std::string name(field.name);
    text(ui, name, ui.theme.dim, ui.fonts.body);
    const WithFont with(ui.fonts.small);
    if (count) {
      const std::int64_t now = spec.**count;
      if (flowing_button(ui, "-", name, ButtonLook::quiet, now > 0, "one less")) set(field, std::to_string(now - 1));
      ImGui::SameLine(0, ui.px(6));
      text(ui, std::to_string(now), ui.theme.text, ui.fonts.mono_small);
      if (flowing_button(ui, "+", name, ButtonLook::quiet, true, "one more")) set(field, std::to_string(now + 1));
      continue;
    }
    for (std::size_t i = 0; i < choice->choices.size(); ++i) {
      const std::string word(choice->choices[i].name), help(choice->choices[i].help);
      const bool is_it = choice->get(spec) == i;
      if (flowing_button(ui, word.c_str(), name, is_it ? ButtonLook::primary : ButtonLook::quiet, true, help.c_str()) && !is_it)
        set(field, word);
    }
  }
  return answer;
}

// A description of an error: sentences are wrapped; a line of the expression with the carets below it stays one, cut around them.
void error_text(Ui& ui, const std::string& words, ImU32 color) {
  const Face& face = ui.fonts.mono_small;
  const float sign = std::max(text_size(face.font, face.size, "0", nullptr).x, 1.0f);
  const auto most = static_cast<std::size_t>(std::max(ImGui::GetContentRegionAvail().x / sign, 8.0f));
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    lines.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto is_carets = [](const std::string& line) {
    return line.find('^') != std::string::npos && line.find_first_not_of(" |^~") == std::string::npos;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 == lines.size() || !is_carets(lines[i + 1])) {
      wrapped_text(ui, lines[i], color, face);
      continue;
    }
    const std::size_t at = lines[i + 1].find('^'), begin = at < most ? 0 : at - most / 2;
    text(ui, begin < lines[i].size() ? lines[i].substr(begin, most) : std::string(), color, face);
    text(ui, lines[i + 1].substr(begin, most), color, face);
    ++i;
  }
}

Answer draw_value(Ui& ui, const Session& session, const std::string& selected, const GemmPage* page, NumberDrag& drag) {
  heading(ui, "VALUE");
  const EvaluatedBinding* binding = session.find(selected);
  if (!binding) {
    wrapped_text(ui, "Select a binding on the left.", ui.theme.dim, ui.fonts.body);
    return {};
  }
  text(ui, binding->name, ui.theme.text, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(10));
  const bool awaited = is_awaited(*binding);
  badge(ui,
        binding->value ? kind_name(*binding->value)
        : awaited      ? "awaited"
                       : "error",
        binding->value || awaited ? ui.theme.link : ui.theme.bad);
  ImGui::Dummy({0, ui.px(2)});
  const bool refused = (!binding->value && !awaited) || !binding->warnings.empty();
  Answer dragged = draw_numbers(ui, {selected, std::string(session.expression(selected)), refused}, drag);
  if (!binding->value) {
    error_text(ui, describe(binding->value.error(), session.expression(selected)), awaited ? ui.theme.dim : ui.theme.bad);
    return dragged;
  }
  for (const Error& warning : binding->warnings)
    error_text(ui, "warning: " + describe(warning, session.expression(selected)), ui.theme.warn);
  // Beside the numbers that are dragged.
  if (page) draw_limits(ui, page->limits);
  if (kind_name(*binding->value) == "report" &&
      button(ui, "As a table", ButtonLook::primary, true, "Sorted and filtered; its rows are applied to other lines   Ctrl+Shift+Y"))
    dragged = Do{"binding.table", {{"binding", selected}}};
  for (const Fact& each : facts_of(*binding->value)) fact(ui, each.name, each.value);
  Answer answer = std::move(dragged);
  if (const auto* spec = std::get_if<std::shared_ptr<const GemmSpec>>(&binding->value->any)) {
    if (Answer set = draw_fields(ui, **spec, selected)) answer = std::move(set);
  }
  heading(ui, "AS TEXT");
  const std::string value = to_string(*binding->value);
  draw_form(ui, "value", value);
  constexpr std::pair<const char*, Spelling> kForms[] = {
      {"CuTe print()", Spelling::cute_print}, {"CuTe C++", Spelling::cute_cpp}, {"CuTe DSL", Spelling::cute_dsl}};
  for (const auto& [label, spelling] : kForms) {
    if (const Result<std::string> form = print(*binding->value, spelling); form && *form != value) draw_form(ui, label, *form);
  }
  if (const std::string expression(session.expression(selected)); expression != value) draw_form(ui, "expression", expression);
  return answer;
}

// What is another number than when the binding was pinned.
Answer draw_pinned(Ui& ui, const Session& session) {
  const std::optional<Pin>& pin = session.workspace().pinned;
  if (!pin) return {};
  heading(ui, "A BESIDE B");
  const Value* was = session.pinned_value();
  const EvaluatedBinding* now = session.find(pin->binding);
  Answer answer;
  ImGui::AlignTextToFramePadding();
  const bool is_other = pin->name_then() != pin->binding;
  text(ui, is_other ? fmt::format("{} beside {}", pin->name_then(), pin->binding) : pin->binding, ui.theme.text, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(10));
  if (button(ui, "Unpin", ButtonLook::quiet, true, "Ctrl+Shift+P")) answer = Do{"pin.clear"};
  if (!was || !now || !now->value) {
    wrapped_text(ui, was ? "it has no value now" : "it had no value when it was pinned", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  const std::vector<Fact> differ = differing_facts(*was, *now->value);
  for (const Fact& each : differ) fact(ui, each.name, each.value);
  if (differ.empty()) text(ui, is_other ? "no number differs" : "nothing has changed yet", ui.theme.dim, ui.fonts.body);
  return answer;
}

}  // namespace

Answer draw_inspector(Ui& ui, const Session& session, const Hovered* hovered, const GemmPage* page, InspectorState& state,
                      const ScreenRect& area) {
  Region region(ui, "Inspector", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 16);
  Answer answer = draw_selected_cells(ui, session, state.tables);
  // What lies above a number that is dragged keeps its room: the number stays under the hand.
  const float here = ImGui::GetCursorPosY();
  if (!ImGui::IsMouseDown(0)) state.above = here;
  ImGui::SetCursorPosY(std::max(here, state.above));
  const std::string& selected = session.workspace().selected;
  if (Answer edited = draw_value(ui, session, selected, page, state.drag)) answer = std::move(edited);
  if (Answer unpinned = draw_pinned(ui, session)) answer = std::move(unpinned);
  ImGui::Dummy({0, ui.px(4)});
  draw_cell(ui, hovered);
  return answer;
}

}  // namespace tessera::studio
