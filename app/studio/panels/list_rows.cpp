// SPDX-License-Identifier: BSD-3-Clause
// Every keystroke in a row's editor is a change of the document.
#include "app/studio/panels/list_rows.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "app/session/files/document_io.hpp"
#include "core/base/quote.hpp"
#include "core/lang/suggest/suggest.hpp"

namespace tessera::studio {
namespace {

// Bindings that can be looked at have a coloured tile, others a hollow one.
ImU32 tile_color(const Ui& ui, const EvaluatedBinding& binding) {
  if (!binding.value) return is_awaited(binding) ? ui.theme.faint : ui.theme.bad;
  const std::string_view kind = kind_name(*binding.value);
  if (kind == "figure") return ui.theme.accent;
  if (kind == "gemm") return ui.theme.emulated;
  if (kind == "mma_atom" || kind == "tiled_mma" || kind == "copy_atom" || kind == "tiled_copy") return ui.theme.good;
  return is_drawable(*binding.value) ? ui.theme.link : ui.theme.faint;
}

void draw_tile(const Ui& ui, ImVec2 at, ImU32 color, bool filled) {
  const float s = ui.px(10);
  if (filled) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + s, at.y + s}, color, ui.px(2.5f));
  } else {
    add_rect(ImGui::GetWindowDrawList(), at, {at.x + s, at.y + s}, color, ui.px(2.5f), ui.px(1.5f));
  }
}

}  // namespace

bool draw_list_row(Ui& ui, const EvaluatedBinding& binding, std::string_view expression, const RowLook& look) {
  const std::string name = binding.name.empty() ? one_line(expression.substr(0, 40)) : binding.name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(kRowHeight));
  const bool pressed = ImGui::InvisibleButton(name.empty() ? "row" : name.c_str(), size);
  ui.recorder.add(name, "row",
                  binding.value         ? kind_name(*binding.value)
                  : is_awaited(binding) ? "awaited"
                                        : "error",
                  at, {at.x + size.x, at.y + size.y});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (look.selected)
    list->AddRectFilled(at, end, ui.theme.accent_soft, ui.px(6));
  else if (ImGui::IsItemHovered())
    list->AddRectFilled(at, end, ui.theme.raised, ui.px(6));
  const float ink = look.dragged ? 0.4f : 1;
  draw_tile(ui, {at.x + ui.px(9), at.y + ui.px(10)}, faded(tile_color(ui, binding), ink), !binding.value || is_drawable(*binding.value));
  const Face& face = ui.fonts.strong;
  const float name_width = text_size(face.font, face.size, name.data(), name.data() + name.size()).x;
  list->AddText(face.font, face.size, {at.x + ui.px(28), at.y + ui.px(7)}, faded(ui.theme.text, ink), name.c_str());
  const float left = ui.px(28) + std::max(name_width, ui.px(64)) + ui.px(12);
  const Face& mono = ui.fonts.mono_small;
  if (!look.selected && !binding.name.empty() && size.x - left > ui.px(30)) {
    const std::string shown = elided(mono, one_line(expression), size.x - left - ui.px(10));
    list->AddText(mono.font, mono.size, {at.x + left, at.y + ui.px(8)}, binding.value || is_awaited(binding) ? ui.theme.dim : ui.theme.bad,
                  shown.c_str());
  }
  return pressed;
}

void draw_row_error(Ui& ui, const Error& error, std::string_view source) {
  if (is_awaited(error)) return wrapped_text(ui, error.message, ui.theme.dim, ui.fonts.body);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme.bad);
  if (error.span && error.span->begin <= source.size()) {
    constexpr std::size_t kShown = 34;  // bytes: a long line shows the neighbourhood of the error
    const Quotation quoted = quote(source, *error.span, kShown);
    text(ui, quoted.shown, ui.theme.text, ui.fonts.mono_small);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(9));
    text(ui, std::string(quoted.indent, ' ') + std::string(quoted.carets, '^'), ui.theme.bad, ui.fonts.mono_small);
  }
  ImGui::PopStyleColor();
  wrapped_text(ui, error.message, ui.theme.bad, ui.fonts.body);
  for (const std::string& note : error.notes) wrapped_text(ui, note, ui.theme.dim, ui.fonts.body);
}

namespace {

// Kinds whose text tells more than their expression; an atom or a GEMM is told by the inspector.
bool is_short_kind(const Value& value) {
  return std::holds_alternative<IntTuple>(value.any) || std::holds_alternative<Layout>(value.any) ||
         std::holds_alternative<ComposedLayout>(value.any) || std::holds_alternative<Swizzle>(value.any) ||
         std::holds_alternative<Tiler>(value.any) || std::holds_alternative<Tensor>(value.any);
}

}  // namespace

Answer draw_mend_button(Ui& ui, const Session& session, const std::string& name) {
  const EvaluatedBinding* binding = session.find(name);
  if (!binding || binding->value || !binding->value.error().fix) return {};
  const std::string becomes = one_line(mended(session.expression(name), *binding->value.error().fix));
  const std::string label = elided(ui.fonts.body, "Mend: " + becomes, ImGui::GetContentRegionAvail().x - ui.px(24));
  if (!button(ui, label.c_str(), ButtonLook::plain, true, (becomes + "   (Alt+Enter)").c_str())) return {};
  return Do{"binding.fix", {{"binding", name}}};
}

Answer draw_renamed_row(Ui& ui, const Session& session, BindingsState& state) {
  BindingsState::Renaming& renaming = *state.renaming;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + ui.px(kRowHeight)}, ui.theme.accent_soft, ui.px(6));
  ImGui::SetCursorScreenPos({at.x + ui.px(20), at.y + ui.px(1)});
  if (!renaming.focused) focus_next_item();
  const EditDone done = edit_once(ui, ("name of " + renaming.from).c_str(), renaming.to, "a name");
  const bool has_keyboard = ImGui::IsItemActive();
  Answer answer;
  if (done == EditDone::taken) {
    const Result<Document> renamed = tessera::apply(session.document(), RenameBinding{renaming.from, renaming.to});
    if (renamed && renaming.to != renaming.from) answer = Do{"binding.rename", {{"binding", renaming.from}, {"to", renaming.to}}};
    renaming.refused = renamed ? std::string() : renamed.error().message;
    renaming.focused = false;
  }
  if (!renaming.refused.empty()) wrapped_text(ui, renaming.refused, ui.theme.bad, ui.fonts.body);
  const bool left = renaming.focused && !has_keyboard;
  if (done == EditDone::left || left || (done == EditDone::taken && renaming.refused.empty())) {
    state.renaming.reset();
    return answer;
  }
  renaming.focused = has_keyboard;
  return answer;
}

Answer draw_row_editor(Ui& ui, const Session& session, BindingsState& state, const EvaluatedBinding& binding) {
  Answer answer;
  ImGui::Indent(ui.px(8));
  const std::string label = "expression of " + binding.name;
  // Another field for another text: one that has the keyboard would write its own back.
  ImGui::PushID(state.texts);
  const bool lines = state.text.find('\n') != std::string::npos;
  if (state.edit_next) {
    focus_next_item();
    state.completion.cursor.select_all = true;
  }
  if (edit_completed(ui, session, label.c_str(), state.text, lines, state.completion))
    answer = Edit{SetBinding{binding.name, state.text}, true};
  ImGui::PopID();
  const bool active = ImGui::IsItemActive();
  if (active) state.edit_next = false;
  if (!active && !answer && !state.refused) state.text = session.expression(binding.name);
  if (!active && state.refused && ImGui::IsItemDeactivated()) {
    state.refused.reset();  // the document kept its old text; so does the field
    state.text = session.expression(binding.name);
  }
  if (state.refused) {
    draw_row_error(ui, *state.refused, state.text);
  } else if (!binding.value) {
    if (Answer mend = draw_mend_button(ui, session, binding.name)) answer = std::move(mend);
    draw_row_error(ui, binding.value.error(), session.expression(binding.name));
  } else {
    const std::string value = to_string(*binding.value);
    if (is_short_kind(*binding.value) && value != session.expression(binding.name)) {
      wrapped_text(ui, "= " + value, ui.theme.dim, ui.fonts.mono_small);
    }
  }
  ImGui::Unindent(ui.px(8));
  ImGui::Dummy({0, ui.px(6)});
  return answer;
}

namespace {

using Mending = BindingsState::Mending;

// The field of a bad line. What is typed is in the document at once, as everything else; the field stays while it has the keyboard, also
// when the line can be read by then.
Answer draw_mending(Ui& ui, const Session& session, BindingsState& state, Mending& line) {
  Answer answer;
  if (edit(ui, "bad line", line.text, line.text.find('\n') != std::string::npos)) {
    std::string whole = session.text();
    if (whole.compare(line.begin, line.written.size(), line.written) == 0) {
      whole.replace(line.begin, line.written.size(), line.text);
      line.written = line.text;
      answer = Edit{OpenText{std::move(whole)}, true};
    }
  }
  if (ImGui::IsItemActive())
    state.mending = line;
  else if (state.mending && state.mending->begin == line.begin)
    state.mending.reset();
  return answer;
}

}  // namespace

Answer draw_bad_line(Ui& ui, const Session& session, BindingsState& state, const BadLine& bad, const std::string& whole) {
  const std::string written = whole.substr(bad.span.begin, bad.span.end - bad.span.begin);
  ImGui::PushID(static_cast<int>(bad.span.begin));
  ImGui::Indent(ui.px(8));
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  // While it is being typed, its end may be a blank or a comment, which the document does not count to the line.
  const bool active = state.mending && state.mending->begin == bad.span.begin;
  Mending line = active ? *state.mending : Mending{bad.before, bad.span.begin, written, written};
  Answer answer = draw_mending(ui, session, state, line);
  wrapped_text(ui, describe(bad), ui.theme.bad, ui.fonts.body);
  ui.recorder.add(written, "bad line", bad.error.message, begin, ImGui::GetItemRectMax());
  ImGui::Unindent(ui.px(8));
  ImGui::Dummy({0, ui.px(6)});
  ImGui::PopID();
  return answer;
}

Answer draw_mended_line(Ui& ui, const Session& session, BindingsState& state) {
  Mending line = *state.mending;
  ImGui::PushID(static_cast<int>(line.begin));
  ImGui::Indent(ui.px(8));
  Answer answer = draw_mending(ui, session, state, line);
  ImGui::Unindent(ui.px(8));
  ImGui::PopID();
  return answer;
}

}  // namespace tessera::studio
