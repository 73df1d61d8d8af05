// SPDX-License-Identifier: BSD-3-Clause
// The left panel: the document as a list of bindings, or as its text.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/session/actions/typed_line.hpp"
#include "app/studio/panels/binding_list.hpp"
#include "app/studio/panels/list_rows.hpp"
#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

constexpr float kTabs = 42, kFilter = 40;

void draw_tabs(Ui& ui, const Session& session, BindingsState& state, const ScreenRect& area) {
  ImGui::SetCursorScreenPos({area.a.x + ui.px(8), area.a.y + ui.px(6)});
  if (tab(ui, "List", !state.as_text)) {
    state.as_text = false;
    state.reveal = true;
  }
  ImGui::SameLine(0, ui.px(4));
  if (tab(ui, "Text", state.as_text) && !state.as_text) show_text(session, state);
  ImGui::GetWindowDrawList()->AddLine({area.a.x, area.b.y - 0.5f}, {area.b.x, area.b.y - 0.5f}, ui.theme.border);
}

void draw_filter(Ui& ui, const Session& session, BindingsState& state, const ScreenRect& area) {
  const float count = state.filter.empty() ? 0 : ui.px(76);
  ImGui::SetCursorScreenPos({area.a.x, area.a.y + ui.px(6)});
  begin_child("filter", {area.b.x - area.a.x - count, ui.px(kFilter - 6)});
  edit_hinted(ui, "filter", state.filter, "filter by name, kind or text");
  if (ImGui::IsItemActive() && key_pressed(ImGuiKey_Escape)) state.filter.clear();
  ImGui::EndChild();
  if (state.filter.empty()) return;
  ImGui::SetCursorScreenPos({area.b.x - count + ui.px(8), area.a.y + ui.px(14)});
  text(ui, fmt::format("{} of {}", state.list.matching, session.bindings().size()), ui.theme.dim, ui.fonts.small);
}

Answer take_typed(const Session& session, BindingsState& state) {
  if (state.typed.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  state.type_next = true;
  Result<TypedLine> line = read_typed_line(session, state.typed);
  if (!line) {
    state.typed_refused = std::move(line).error();
    return {};
  }
  state.typed.clear();
  state.typed_refused.reset();
  state.filter.clear();  // the new line is to be seen
  return Do{std::string(line->action), std::move(line->arguments)};
}

// Why the line was not taken, and what was probably meant.
void draw_typed_refusal(Ui& ui, BindingsState& state) {
  const Error& error = *state.typed_refused;
  wrapped_text(ui, error.message, ui.theme.bad, ui.fonts.body);
  if (!error.notes.empty()) wrapped_text(ui, error.notes.front(), ui.theme.dim, ui.fonts.small);
}

// A field at the foot of the list for a line that is to be added. Gives its upper edge.
Answer draw_foot(Ui& ui, const Session& session, BindingsState& state, const ScreenRect& area) {
  ImGui::SetCursorScreenPos(area.a);
  ImGui::GetWindowDrawList()->AddLine(area.a, {area.b.x, area.a.y}, ui.theme.border);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  begin_child("add", {area.b.x - area.a.x, area.b.y - area.a.y});
  ImGui::PopStyleVar();
  if (state.typed_refused) draw_typed_refusal(ui, state);
  if (state.type_next) focus_next_item();
  state.type_next = false;
  EditDone done = EditDone::typing;
  const auto field = [&] {
    done = edit_once(ui, "add a binding", state.typed, "+ Add: name = expression", &state.typed_completion.cursor);
  };
  if (with_completions(ui, session, state.typed, state.typed_completion, field)) state.typed_refused.reset();
  Answer answer = done == EditDone::taken ? take_typed(session, state) : Answer();
  state.foot_height = ImGui::GetCursorPosY() + ui.px(4);
  ImGui::EndChild();
  return answer;
}

}  // namespace

// The text opens at the line that is selected in the list.
void show_text(const Session& session, BindingsState& state) {
  state.as_text = true;
  TextEditorState& editor = state.page.editor;
  const EvaluatedBinding* found = session.find(session.workspace().selected);
  if (state.page.revision != session.values_revision()) {
    state.page.revision = session.values_revision();
    editor.buffer.replace_all(session.text());
    editor.recount = true;
    state.page.marks = marks_of(session, editor.buffer);
  }
  if (found) go_to(editor, session.document().bindings[number_of(session.bindings(), *found)].statement.span.begin);
}

Answer draw_bindings(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area) {
  Region region(ui, "Bindings", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  if (state.editing != selected) {
    state.editing = selected;
    ++state.texts;
    state.refused.reset();
    state.text = session.expression(selected);
  }
  const float tabs = area.a.y + ui.px(kTabs);
  draw_tabs(ui, session, state, {area.a, {area.b.x, tabs}});
  ImGui::SetCursorScreenPos({area.b.x - ui.px(32), area.a.y + ui.px(9)});
  if (chevron(ui, "Hide the list", true, {ui.px(24), ui.px(24)}, "Give its room to the figures   Ctrl+B")) return Do{"view.list"};
  if (state.as_text) return draw_text_page(ui, session, state.page, state.refused, {{area.a.x, tabs}, area.b});
  const float edge = ui.px(10), head = tabs + ui.px(kFilter);
  if (state.foot_height == 0) state.foot_height = ui.px(50);
  const float foot = area.b.y - std::min(state.foot_height, (area.b.y - head) / 2);
  draw_filter(ui, session, state, {{area.a.x + edge, tabs}, {area.b.x - edge, head}});
  Answer answer = draw_binding_list(ui, session, state, selected, {{area.a.x + edge, head}, {area.b.x - ui.px(2), foot}});
  if (Answer added = draw_foot(ui, session, state, {{area.a.x, foot}, area.b})) answer = std::move(added);
  return answer;
}

}  // namespace tessera::studio
