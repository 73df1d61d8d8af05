// SPDX-License-Identifier: BSD-3-Clause
// The list of bindings. The selected one opens into an editor; every keystroke is a change of the document.
#include <algorithm>

#include "app/session/document_io.hpp"
#include "app/studio/panels.hpp"
#include "core/base/quote.hpp"

namespace tessera::studio {
namespace {

// Bindings that can be looked at have a coloured tile, others a hollow one.
ImU32 tile_color(const Ui& ui, const EvaluatedBinding& binding) {
  if (!binding.value) return ui.theme.bad;
  const std::string_view kind = kind_name(*binding.value);
  if (kind == "figure") return ui.theme.accent;
  if (kind == "gemm") return ui.theme.emulated;
  if (kind == "mma_atom" || kind == "tiled_mma" || kind == "copy_atom" || kind == "tiled_copy") return ui.theme.good;
  return is_drawable(*binding.value) ? ui.theme.link : ui.theme.faint;
}

// The comment that stands directly above a binding, as one line of prose.
std::string comment_above(const Binding& binding) {
  std::string comment;
  std::size_t begin = 0;
  const std::string& leading = binding.leading;
  while (begin < leading.size()) {
    const std::size_t end = std::min(leading.find('\n', begin), leading.size());
    std::string line = leading.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(" \t\r"));
    if (!line.empty() && line[0] == '#') {
      line.erase(0, line.find_first_not_of("# "));
      comment += (comment.empty() ? "" : " ") + line;
    } else if (!line.empty() || end < leading.size()) {
      comment.clear();  // a blank or bad line: what stood above belongs to what is above
    }
    begin = end + 1;
  }
  return comment;
}

void draw_tile(const Ui& ui, ImVec2 at, ImU32 color, bool filled) {
  const float s = ui.px(10);
  if (filled) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + s, at.y + s}, color, ui.px(2.5f));
  } else {
    add_rect(ImGui::GetWindowDrawList(), at, {at.x + s, at.y + s}, color, ui.px(2.5f), ui.px(1.5f));
  }
}

// What has no name (an assertion, an expression alone) is called by its text.
bool draw_row(Ui& ui, const EvaluatedBinding& binding, std::string_view expression, bool selected) {
  const std::string name = binding.name.empty() ? one_line(expression.substr(0, 40)) : binding.name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ui.px(30));
  const bool pressed = ImGui::InvisibleButton(name.empty() ? "row" : name.c_str(), size);
  ui.recorder.add(name, "row", binding.value ? kind_name(*binding.value) : "error", at, {at.x + size.x, at.y + size.y});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (selected)
    list->AddRectFilled(at, end, ui.theme.accent_soft, ui.px(6));
  else if (ImGui::IsItemHovered())
    list->AddRectFilled(at, end, ui.theme.raised, ui.px(6));
  draw_tile(ui, {at.x + ui.px(9), at.y + ui.px(10)}, tile_color(ui, binding), !binding.value || is_drawable(*binding.value));
  const Face& face = ui.fonts.strong;
  const float name_width = text_size(face.font, face.size, name.data(), name.data() + name.size()).x;
  list->AddText(face.font, face.size, {at.x + ui.px(28), at.y + ui.px(7)}, ui.theme.text, name.c_str());
  const float left = ui.px(28) + std::max(name_width, ui.px(64)) + ui.px(12);
  const Face& mono = ui.fonts.mono_small;
  if (!selected && !binding.name.empty() && size.x - left > ui.px(30)) {
    const std::string shown = elided(mono, one_line(expression), size.x - left - ui.px(10));
    list->AddText(mono.font, mono.size, {at.x + left, at.y + ui.px(8)}, binding.value ? ui.theme.dim : ui.theme.bad, shown.c_str());
  }
  return pressed;
}

// The message with the offending place marked: the text, and carets under it.
void draw_error(Ui& ui, const Error& error, std::string_view source) {
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

// Kinds whose text tells more than their expression; an atom or a GEMM is told by the inspector.
bool is_short_kind(const Value& value) {
  return std::holds_alternative<IntTuple>(value.any) || std::holds_alternative<Layout>(value.any) ||
         std::holds_alternative<ComposedLayout>(value.any) || std::holds_alternative<Swizzle>(value.any) ||
         std::holds_alternative<Tiler>(value.any) || std::holds_alternative<Tensor>(value.any);
}

Answer draw_editor(Ui& ui, const Session& session, BindingsState& state, const EvaluatedBinding& binding) {
  Answer answer;
  ImGui::Indent(ui.px(8));
  const std::string label = "expression of " + binding.name;
  if (edit(ui, label.c_str(), state.text, state.text.find('\n') != std::string::npos))
    answer = Edit{SetBinding{binding.name, state.text}, true};
  const bool active = ImGui::IsItemActive();
  if (!active && !answer && !state.refused) state.text = session.expression(binding.name);
  if (!active && state.refused && ImGui::IsItemDeactivated()) {
    state.refused.reset();  // the document kept its old text; so does the field
    state.text = session.expression(binding.name);
  }
  if (state.refused) {
    draw_error(ui, *state.refused, state.text);
  } else if (!binding.value) {
    draw_error(ui, binding.value.error(), session.expression(binding.name));
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

// A line that cannot be read: its text to be mended, and what is wrong with it.
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

// Bad lines, and the one that was one, below so many bindings.
Answer draw_bad_lines(Ui& ui, const Session& session, BindingsState& state, std::size_t before, const std::string& whole) {
  Answer answer;
  bool drawn = !state.mending || state.mending->before != before;
  const auto draw_mended = [&] {
    Mending line = *state.mending;
    drawn = true;
    ImGui::PushID(static_cast<int>(line.begin));
    ImGui::Indent(ui.px(8));
    if (Answer mended = draw_mending(ui, session, state, line)) answer = std::move(mended);
    ImGui::Unindent(ui.px(8));
    ImGui::PopID();
  };
  for (const BadLine& bad : session.document().bad_lines) {
    if (bad.before != before) continue;
    if (!drawn && bad.span.begin > state.mending->begin) draw_mended();
    if (!drawn && bad.span.begin == state.mending->begin) drawn = true;
    if (Answer mended = draw_bad_line(ui, session, state, bad, whole)) answer = std::move(mended);
  }
  if (!drawn) draw_mended();
  return answer;
}

}  // namespace

Answer draw_bindings(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area) {
  Region region(ui, "Bindings", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 10);
  Answer answer;
  if (state.editing != selected) {
    state.editing = selected;
    state.refused.reset();
    state.text = session.expression(selected);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(6), ui.px(3)));
  const std::vector<Binding>& lines = session.document().bindings;
  const bool has_bad_lines = !session.document().bad_lines.empty() || state.mending;
  const std::string whole = has_bad_lines ? session.text() : std::string();
  const auto bad_lines_below = [&](std::size_t bindings) {
    if (!has_bad_lines) return;
    if (Answer mended = draw_bad_lines(ui, session, state, bindings, whole)) answer = std::move(mended);
  };
  for (std::size_t i = 0; i < session.bindings().size() && i < lines.size(); ++i) {
    const EvaluatedBinding& binding = session.bindings()[i];
    bad_lines_below(i);
    if (const std::string comment = comment_above(lines[i]); !comment.empty()) {
      ImGui::Dummy({0, ui.px(i == 0 ? 2 : 12)});
      ImGui::Indent(ui.px(8));
      wrapped_text(ui, comment, ui.theme.dim, ui.fonts.small);
      ImGui::Unindent(ui.px(8));
      ImGui::Dummy({0, ui.px(2)});
    }
    const bool is_selected = !binding.name.empty() && binding.name == selected;
    if (is_selected && state.reveal) {
      ImGui::SetScrollHereY(0.3f);
      state.reveal = false;
    }
    ImGui::PushID(static_cast<int>(i));
    const bool pressed = draw_row(ui, binding, lines[i].expression, is_selected);
    ImGui::PopID();
    if (pressed && !binding.name.empty()) answer = Select{binding.name, ImGui::GetIO().KeyCtrl || ImGui::GetIO().KeyShift};
    if (!binding.value && binding.name.empty()) draw_error(ui, binding.value.error(), lines[i].expression);
    if (!is_selected) continue;
    if (Answer edited = draw_editor(ui, session, state, binding)) answer = std::move(edited);
  }
  bad_lines_below(lines.size());
  ImGui::PopStyleVar();
  return answer;
}

}  // namespace tessera::studio
