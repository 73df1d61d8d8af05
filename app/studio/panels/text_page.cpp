// SPDX-License-Identifier: BSD-3-Clause
// The tab with the document's text: every key is a change of the document, and below stands what is said about the line of the cursor.
#include "app/studio/panels/text_page.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/list_rows.hpp"

namespace tessera::studio {
namespace {

constexpr float kFoot = 104;

std::string words_of(const Error& error) {
  std::string words = error.message;
  for (const std::string& note : error.notes) words += "\n" + note;
  return words;
}

void show_document(const Session& session, TextPage& page) {
  if (page.revision == session.values_revision()) return;
  std::string text = session.text();
  if (text != page.editor.buffer.text()) {
    page.editor.buffer.replace_all(std::move(text));
    page.editor.recount = true;
    page.editor.completion.open = false;
    page.editor.follow = page.editor.has_keyboard;
    if (page.revision == 0) page.editor.buffer.place(0, false);
  }
  page.refused.clear();
  page.marks = marks_of(session, page.editor.buffer);
  page.revision = session.values_revision();
}

// The binding in whose line the cursor stands; empty where there is none.
std::string binding_at(const Session& session, std::size_t at) {
  const std::vector<Binding>& lines = session.document().bindings;
  const auto behind = std::upper_bound(lines.begin(), lines.end(), at,
                                       [](std::size_t place, const Binding& line) { return place < line.statement.span.begin; });
  if (behind == lines.begin()) return {};
  const Binding& line = *std::prev(behind);
  return at <= line.statement.span.end ? line.name : std::string();
}

// The signature with the parameter that is being written in another colour.
void draw_signature(Ui& ui, const SignatureHelp& help) {
  const Face& face = ui.fonts.mono_small;
  const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 begin = at;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string& words = help.signature;
  for (std::size_t from = 0; from < words.size();) {
    // Broken behind blanks, and where the colour changes.
    std::size_t to = words.find(' ', from);
    to = to == std::string::npos ? words.size() : to + 1;
    for (const std::size_t edge : {help.begin, help.end}) {
      if (edge > from && edge < to) to = edge;
    }
    const float width = text_size(face.font, face.size, words.data() + from, words.data() + to).x;
    if (at.x + width > right && at.x > left) at = {left + ui.px(14), at.y + face.size + ui.px(3)};
    const bool here = from >= help.begin && from < help.end;
    list->AddText(face.font, face.size, at, here ? ui.theme.accent : ui.theme.dim, words.data() + from, words.data() + to);
    at.x += width;
    from = to;
  }
  const ImVec2 end(right, at.y + face.size + ui.px(3));
  ImGui::Dummy({right - left, end.y - begin.y});
  ui.recorder.add(words, "signature", words.substr(help.begin, help.end - help.begin), begin, end);
}

// What is to be said about the line of the cursor, else of the next one that something is wrong with.
std::optional<Action> draw_foot(Ui& ui, const Session& session, TextPage& page) {
  if (page.signature && page.editor.has_keyboard) draw_signature(ui, *page.signature);
  const TextBuffer& buffer = page.editor.buffer;
  const std::size_t line = buffer.line_of(buffer.cursor());
  const auto here = std::find_if(page.marks.begin(), page.marks.end(), [&](const TextMark& mark) { return mark.line == line; });
  if (!page.refused.empty()) {
    wrapped_text(ui, page.refused, ui.theme.bad, ui.fonts.body);
  } else if (here != page.marks.end()) {
    std::optional<Action> mend = draw_mend_button(ui, session, binding_at(session, buffer.cursor()));
    wrapped_text(ui, here->words, here->is_error ? ui.theme.bad : ui.theme.warn, ui.fonts.body);
    return mend;
  } else if (const auto errors = std::count_if(page.marks.begin(), page.marks.end(), [](const TextMark& mark) { return mark.is_error; })) {
    const auto is_next = [&](const TextMark& mark) { return mark.is_error && mark.line > line; };
    auto next = std::find_if(page.marks.begin(), page.marks.end(), is_next);
    if (next == page.marks.end())
      next = std::find_if(page.marks.begin(), page.marks.end(), [](const TextMark& mark) { return mark.is_error; });
    const std::string label =
        fmt::format("{} refused; go to line {}", errors == 1 ? "1 line is" : fmt::format("{} lines are", errors), next->line + 1);
    if (button(ui, label.c_str(), ButtonLook::danger)) go_to(page.editor, next->at.begin);
  } else if (!page.signature) {
    wrapped_text(ui, "Ctrl+Space completes a word", ui.theme.dim, ui.fonts.small);
  }
  return std::nullopt;
}

}  // namespace

std::string binding_at_cursor(const Session& session, const TextPage& page) { return binding_at(session, page.editor.buffer.cursor()); }

std::vector<TextMark> marks_of(const Session& session, const TextBuffer& text) {
  std::vector<TextMark> marks;
  const std::size_t size = text.text().size();
  const auto add = [&](SourceSpan at, const Error& error, bool is_error) {
    at = {std::min(at.begin, size), std::min(std::max(at.end, at.begin + 1), size)};
    marks.push_back({at, text.line_of(at.begin), words_of(error), is_error});
  };
  const std::vector<Binding>& lines = session.document().bindings;
  for (std::size_t i = 0; i < lines.size() && i < session.bindings().size(); ++i) {
    const EvaluatedBinding& binding = session.bindings()[i];
    const SourceSpan whole = lines[i].span;
    const auto place = [&](const Error& error) {
      return error.span ? SourceSpan{whole.begin + error.span->begin, std::min(whole.begin + error.span->end, whole.end)} : whole;
    };
    if (!binding.value && !is_awaited(binding)) add(place(binding.value.error()), binding.value.error(), true);
    for (const Error& warning : binding.warnings) add(place(warning), warning, false);
  }
  for (const BadLine& bad : session.document().bad_lines) add(bad.error.span.value_or(bad.span), bad.error, true);
  std::stable_sort(marks.begin(), marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.line != b.line ? a.line < b.line : a.is_error && !b.is_error; });
  return marks;
}

std::optional<Action> draw_text_page(Ui& ui, const Session& session, TextPage& page, const std::optional<Error>& refused,
                                     const ScreenRect& area) {
  show_document(session, page);
  if (refused && page.editor.buffer.text() != session.text()) page.refused = refused->message;
  const float split = area.b.y - ui.px(kFoot);
  TextEditorOutput out = draw_text_editor(ui, session, page.marks, page.editor, {area.a, {area.b.x, split}});
  const TextBuffer& buffer = page.editor.buffer;
  if (out.changed || out.moved) page.signature = signature_at(session, buffer.text(), buffer.cursor());
  ImGui::GetWindowDrawList()->AddLine({area.a.x, split - 0.5f}, {area.b.x, split - 0.5f}, ui.theme.border);
  ImGui::SetCursorScreenPos({area.a.x, split});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(8)));
  begin_child("below the text", {area.b.x - area.a.x, area.b.y - split});
  ImGui::PopStyleVar();
  std::optional<Action> answer = draw_foot(ui, session, page);
  ImGui::EndChild();
  if (out.changed) {
    page.reselect = true;
    return Edit{OpenText{buffer.text()}, true};
  }
  if (!out.refused.empty()) page.refused = out.refused;
  if (out.answer && !page.refused.empty() && buffer.text() != session.text()) {
    page.revision = 0;  // what the document did not take is taken back first
    page.editor.recount = true;
    return std::nullopt;
  }
  if (out.answer) return out.answer;
  if (answer) return answer;
  if (!std::exchange(page.reselect, false) && !out.moved) return std::nullopt;
  const std::string name = binding_at_cursor(session, page);
  if (name.empty() || name == session.workspace().selected || !session.find(name)) return std::nullopt;
  return Do{"binding.select", {{"binding", name}}};
}

}  // namespace tessera::studio
