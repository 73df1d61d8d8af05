// SPDX-License-Identifier: BSD-3-Clause
// Letters of the editor's font are equally wide, so places are counted in columns.
#include "app/studio/text_editor.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/session/document_io.hpp"
#include "app/session/syntax.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kTab = 4;                 // columns
constexpr std::size_t kMostRecorded = 1 << 16;  // bytes of the text

std::size_t width_of(const Utf8Character& character, std::size_t column) { return character.code == U'\t' ? kTab - column % kTab : 1; }

// The column behind a part of a line that begins at `column`.
std::size_t column_behind(std::string_view part, std::size_t column) {
  while (!part.empty()) {
    const Utf8Character character = first_character(part.substr(0, 8));
    column += width_of(character, column);
    part.remove_prefix(character.length);
  }
  return column;
}

std::size_t column_at(std::string_view line, std::size_t byte) { return column_behind(line.substr(0, byte), 0); }

// The place in the line that is nearest to a column.
std::size_t byte_at(std::string_view line, float wanted) {
  std::size_t column = 0, at = 0;
  while (at < line.size()) {
    const Utf8Character character = first_character(line.substr(at, 8));
    const std::size_t width = width_of(character, column);
    if (wanted < static_cast<float>(column) + static_cast<float>(width) / 2) break;
    column += width;
    at += character.length;
  }
  return at;
}

// One column a character, whatever the text is.
std::string shown(std::string_view part, std::size_t column) {
  std::string text;
  while (!part.empty()) {
    const Utf8Character character = first_character(part.substr(0, 8));
    const std::size_t width = width_of(character, column);
    if (character.code == U'\t')
      text.append(width, ' ');
    else
      append_utf8(text, character.valid && !is_unprintable(character.code) ? character.code : kReplacement);
    column += width;
    part.remove_prefix(character.length);
  }
  return text;
}

ImU32 color_of(const Theme& theme, WordRole role) {
  switch (role) {
    case WordRole::comment: return theme.dim;
    case WordRole::keyword: return theme.emulated;
    case WordRole::number: return theme.link;
    case WordRole::string: return theme.warn;
    case WordRole::function: return theme.accent;
    case WordRole::atom: return theme.good;
    case WordRole::name:
    case WordRole::bound: return theme.text;
    case WordRole::symbol: break;
  }
  return theme.dim;
}

class Editor {
 public:
  Editor(Ui& ui, const Session& session, const std::vector<TextMark>& marks, TextEditorState& state, const ScreenRect& area)
      : ui_(ui), session_(session), marks_(marks), state_(state), area_(area), face_(ui.fonts.mono) {
    letter_ = text_size(face_.font, face_.size, "0", nullptr).x;
    line_ = std::round(face_.size * 1.4f);
    const std::size_t digits = std::to_string(buffer().line_count()).size();
    gutter_ = std::round(letter_ * static_cast<float>(std::max<std::size_t>(digits, 2)) + ui.px(30));
  }

  TextEditorOutput draw();

 private:
  TextBuffer& buffer() { return state_.buffer; }
  float left() const { return area_.a.x + gutter_; }
  float view() const { return area_.b.y - area_.a.y; }
  float top_of(std::size_t line) const { return area_.a.y + ui_.px(6) + static_cast<float>(line) * line_ - state_.scroll.y; }
  float x_of(std::size_t column) const { return left() + static_cast<float>(column) * letter_ - state_.x; }
  ImVec2 place_of(std::size_t at);
  std::size_t place_under(ImVec2 mouse);

  void take_mouse();
  void take_keys();
  void take_moves(bool ctrl, bool shift);
  void take_edits(bool ctrl, bool shift);
  void take_clipboard();
  void take_letters();
  void take(const Completion& completion);
  void changed(bool typed);
  void moved() {
    out_.moved = state_.follow = true;
    state_.completion.open = state_.completion.asked = false;
  }
  void follow_cursor();

  void draw_line(std::size_t number, std::vector<TextMark>::const_iterator& mark);
  void draw_ground(std::size_t number);
  void draw_words(std::size_t number);
  void draw_mark(const TextMark& mark, std::size_t number);

  Ui& ui_;
  const Session& session_;
  const std::vector<TextMark>& marks_;
  TextEditorState& state_;
  const ScreenRect& area_;
  const Face& face_;
  float letter_ = 0, line_ = 0, gutter_ = 0;
  TextEditorOutput out_;
};

ImVec2 Editor::place_of(std::size_t at) {
  const std::size_t number = buffer().line_of(at);
  return {x_of(column_at(buffer().line(number), at - buffer().starts()[number])), top_of(number)};
}

std::size_t Editor::place_under(ImVec2 mouse) {
  const float row = std::floor((mouse.y - top_of(0)) / line_);
  const auto number = static_cast<std::size_t>(std::clamp(row, 0.0f, static_cast<float>(buffer().line_count() - 1)));
  return buffer().starts()[number] + byte_at(buffer().line(number), std::max((mouse.x - x_of(0)) / letter_, 0.0f));
}

// ---- the mouse ----------------------------------------------------------------------------------------------------------------

bool inside(const ScreenRect& area, ImVec2 at) { return at.x >= area.a.x && at.x < area.b.x && at.y >= area.a.y && at.y < area.b.y; }

void Editor::take_mouse() {
  const ImGuiIO& io = ImGui::GetIO();
  ImGui::SetCursorScreenPos(area_.a);
  ImGui::InvisibleButton("text", {area_.b.x - area_.a.x - ui_.px(12), view()});
  const bool over = ImGui::IsItemHovered();
  if (over && io.MousePos.x > left()) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (over && io.KeyShift && io.MouseWheel != 0) state_.x = std::max(state_.x - io.MouseWheel * 3 * letter_, 0.0f);
  if (over && io.MouseWheelH != 0) state_.x = std::max(state_.x - io.MouseWheelH * 3 * letter_, 0.0f);
  const bool on_words = state_.completion.open && inside(state_.completion.area, io.MousePos);
  if (ImGui::IsMouseClicked(0) && !over && !on_words) state_.has_keyboard = state_.completion.open = false;
  if (ImGui::IsItemActivated()) {
    state_.has_keyboard = state_.selecting = true;
    const std::size_t at = place_under(io.MousePos);
    if (ImGui::IsMouseDoubleClicked(0)) {
      buffer().select_word(at);
      state_.selecting = false;
    } else {
      buffer().place(at, io.KeyShift);
    }
    moved();
  } else if (state_.selecting && ImGui::IsMouseDown(0) && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    buffer().place(place_under(io.MousePos), true);
    moved();
  }
  if (!ImGui::IsMouseDown(0)) state_.selecting = false;
}

// ---- the keyboard -------------------------------------------------------------------------------------------------------------

void Editor::changed(bool typed) {
  out_.changed = out_.moved = state_.follow = state_.recount = true;
  CompletionState& completion = state_.completion;
  if (typed || completion.open)
    look_for_completions(session_, buffer().text(), buffer().cursor(), completion);
  else
    completion.open = false;
}

void Editor::take(const Completion& completion) {
  const CompletionList& list = state_.completion.list;
  buffer().replace({list.begin, list.end}, completion.word);
  // "data(" before a bracket that stands there already.
  const std::size_t at = buffer().cursor();
  if (completion.word.ends_with('(') && at < buffer().text().size() && buffer().text()[at] == '(') buffer().replace({at, at + 1}, {});
  changed(false);
}

void Editor::take_moves(bool ctrl, bool shift) {
  const auto lines = static_cast<std::size_t>(std::max(view() / line_ - 1, 1.0f));
  const auto go = [&](ImGuiKey key, Step step, int direction) {
    if (!key_pressed(key)) return;
    buffer().move(step, direction, shift, lines);
    moved();
  };
  go(ImGuiKey_LeftArrow, ctrl ? Step::word : Step::character, -1);
  go(ImGuiKey_RightArrow, ctrl ? Step::word : Step::character, 1);
  go(ImGuiKey_UpArrow, Step::line, -1);
  go(ImGuiKey_DownArrow, Step::line, 1);
  go(ImGuiKey_PageUp, Step::page, -1);
  go(ImGuiKey_PageDown, Step::page, 1);
  go(ImGuiKey_Home, ctrl ? Step::text_end : Step::line_end, -1);
  go(ImGuiKey_End, ctrl ? Step::text_end : Step::line_end, 1);
}

void Editor::take_clipboard() {
  const auto copy = [&] {
    if (buffer().has_selection()) ImGui::SetClipboardText(std::string(buffer().selected_text()).c_str());
  };
  if (key_pressed(ImGuiKey_A)) {
    buffer().select_all();
    state_.completion.open = false;
  }
  if (key_pressed(ImGuiKey_C)) copy();
  if (key_pressed(ImGuiKey_X) && buffer().has_selection()) {
    copy();
    buffer().insert({});
    changed(false);
  }
  if (!key_pressed(ImGuiKey_V)) return;
  const char* const found = ImGui::GetClipboardText();
  std::string pasted = found ? found : "";
  if (pasted.size() + buffer().text().size() > kLargestDocument) {
    out_.refused = fmt::format("the clipboard has {} bytes; with them the document would have more than {}, which is the limit",
                               pasted.size(), kLargestDocument);
    return;
  }
  std::erase(pasted, '\r');
  if (pasted.empty()) return;
  buffer().insert(pasted);
  changed(false);
}

void Editor::take_edits(bool ctrl, bool shift) {
  if (key_pressed(ImGuiKey_Backspace) || key_pressed(ImGuiKey_Delete)) {
    buffer().erase(ctrl ? Step::word : Step::character, key_pressed(ImGuiKey_Delete) ? 1 : -1);
    changed(false);
  }
  if (enter_pressed() && !ctrl) {
    buffer().new_line();
    changed(false);
  }
  if (key_pressed(ImGuiKey_Tab) && !ctrl && !shift) {
    buffer().insert("  ");
    changed(false);
  }
}

void Editor::take_letters() {
  ImGuiIO& io = ImGui::GetIO();
  std::string typed;
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (letter >= 32 && letter != 127) append_utf8(typed, static_cast<char32_t>(letter));
  }
  io.InputQueueCharacters.resize(0);
  const bool is_shortcut = (io.KeyCtrl || io.KeySuper) && !io.KeyAlt;
  if (typed.empty() || is_shortcut) return;
  buffer().insert(typed);
  changed(true);
}

void Editor::take_keys() {
  ImGuiIO& io = ImGui::GetIO();
  if (!state_.has_keyboard || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) return;
  io.WantTextInput = true;  // shortcuts of single keys are letters here
  bool used = false;
  if (const auto chosen = completion_by_key(state_.completion, used)) take(*chosen);
  if (used) return io.InputQueueCharacters.resize(0);
  const bool ctrl = io.KeyCtrl || io.KeySuper, shift = io.KeyShift;
  if (!io.KeyAlt) {
    take_moves(ctrl, shift);
    take_edits(ctrl, shift);
  }
  if (ctrl && !io.KeyAlt) take_clipboard();
  if (ctrl && key_pressed(ImGuiKey_Z)) out_.answer = Do{shift ? "edit.redo" : "edit.undo"};
  if (ctrl && key_pressed(ImGuiKey_Y)) out_.answer = Do{"edit.redo"};
  if (ctrl && key_pressed(ImGuiKey_Space)) {
    state_.completion.asked = true;
    look_for_completions(session_, buffer().text(), buffer().cursor(), state_.completion);
  }
  if (key_pressed(ImGuiKey_Escape)) buffer().place(buffer().cursor(), false);
  take_letters();
}

void Editor::follow_cursor() {
  if (!state_.follow) return;
  state_.follow = false;
  const std::size_t number = buffer().line_of(buffer().cursor());
  const float top = static_cast<float>(number) * line_, most = view() - line_ - ui_.px(12);
  state_.scroll.y = std::clamp(state_.scroll.y, top - most, top);
  const float width = area_.b.x - left() - ui_.px(24) - letter_;
  const float x = static_cast<float>(column_at(buffer().line(number), buffer().cursor() - buffer().starts()[number])) * letter_;
  state_.x = std::max(std::clamp(state_.x, x - width, x), 0.0f);
}

// ---- drawing --------------------------------------------------------------------------------------------------------------------

// The line of the cursor, and what is selected.
void Editor::draw_ground(std::size_t number) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = top_of(number);
  const std::size_t begin = buffer().starts()[number];
  const std::string_view words = buffer().line(number);
  const bool here = buffer().line_of(buffer().cursor()) == number;
  if (here && state_.has_keyboard) list->AddRectFilled({left(), y}, {area_.b.x, y + line_}, ui_.theme.raised);
  const SourceSpan chosen = buffer().selection();
  if (chosen.begin < chosen.end && chosen.begin <= begin + words.size() && chosen.end > begin) {
    const float from = x_of(column_at(words, std::max(chosen.begin, begin) - begin));
    const bool on = chosen.end > begin + words.size();  // the line's end is selected, too
    const float to = x_of(column_at(words, std::min(chosen.end - begin, words.size()))) + (on ? letter_ / 2 : 0);
    list->AddRectFilled({std::max(from, left()), y}, {std::max(to, left()), y + line_}, faded(ui_.theme.link, 0.3f));
  }
}

void Editor::draw_words(std::size_t number) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string_view words = buffer().line(number);
  // Of a long line what is in sight.
  const std::size_t from = byte_at(words, state_.x / letter_ - 1), to = byte_at(words, (state_.x + area_.b.x - left()) / letter_ + 1);
  bool in_comment = state_.in_comment[number];
  const float y = top_of(number) + std::round((line_ - face_.size) / 2);
  std::size_t column = column_at(words, from), at = from;
  for (const ColoredWord& word : colored_words(words, in_comment)) {
    const std::size_t begin = std::max(word.begin, from), end = std::min(word.end, to);
    if (begin >= end) continue;
    column = column_behind(words.substr(at, begin - at), column);
    const std::string text = shown(words.substr(begin, end - begin), column);
    const ImU32 color = color_of(ui_.theme, word.role);
    list->AddText(face_.font, face_.size, {x_of(column), y}, color, text.data(), text.data() + text.size());
    // The name that a line gives is as strong as in the list.
    if (word.role == WordRole::bound)
      list->AddText(face_.font, face_.size, {x_of(column) + 0.6f, y}, color, text.data(), text.data() + text.size());
    column += count_characters(text);
    at = end;
  }
}

void Editor::draw_mark(const TextMark& mark, std::size_t number) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 color = mark.is_error ? ui_.theme.bad : ui_.theme.warn;
  const float y = top_of(number), radius = ui_.px(4);
  const ImVec2 center(area_.a.x + ui_.px(10), y + line_ / 2);
  list->AddCircleFilled(center, radius, color);
  const ImVec2 a(area_.a.x, y), b(left() - ui_.px(6), y + line_);
  ui_.recorder.add(fmt::format("line {}", number + 1), "mark", mark.words, a, b);
  if (ImGui::IsMouseHoveringRect(a, b) && ImGui::IsWindowHovered()) tooltip(ui_, mark.words);
  const std::size_t begin = buffer().starts()[number];
  const std::string_view words = buffer().line(number);
  const std::size_t from = column_at(words, std::max(mark.at.begin, begin) - begin);
  const std::size_t to = std::max(column_at(words, std::min(mark.at.end - begin, words.size())), from + 1);
  // A wave below the words.
  const float wave = ui_.px(3), base = y + line_ - ui_.px(3);
  list->PushClipRect({left(), area_.a.y}, area_.b, true);
  bool up = false;
  for (float x = std::max(x_of(from), left()); x < std::min(x_of(to), area_.b.x); x += wave, up = !up)
    list->AddLine({x, base + (up ? 0 : ui_.px(2))}, {x + wave, base + (up ? ui_.px(2) : 0)}, color, ui_.px(1));
  list->PopClipRect();
}

void Editor::draw_line(std::size_t number, std::vector<TextMark>::const_iterator& mark) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = top_of(number);
  draw_ground(number);
  list->PushClipRect({left(), area_.a.y}, area_.b, true);
  draw_words(number);
  list->PopClipRect();
  const std::string label = std::to_string(number + 1);
  const bool here = buffer().line_of(buffer().cursor()) == number;
  const Face& small = ui_.fonts.mono_small;
  const float width = text_size(small.font, small.size, label.data(), label.data() + label.size()).x;
  list->AddText(small.font, small.size, {left() - width - ui_.px(10), y + std::round((line_ - small.size) / 2)},
                here ? ui_.theme.text : ui_.theme.faint, label.c_str());
  ui_.recorder.add(label, "line", buffer().line(number).substr(0, 200), {left(), y}, {area_.b.x - ui_.px(12), y + line_});
  while (mark != marks_.end() && mark->line < number) ++mark;
  if (mark != marks_.end() && mark->line == number) draw_mark(*mark, number);
}

TextEditorOutput Editor::draw() {
  const float content = static_cast<float>(buffer().line_count()) * line_ + ui_.px(12);
  take_mouse();
  take_keys();
  follow_cursor();
  scroll(ui_, "text scroll bar", state_.scroll, area_, content, line_);
  if (state_.recount || state_.in_comment.size() != buffer().line_count()) {
    state_.in_comment = lines_in_comment(buffer().text(), buffer().starts());
    state_.recount = false;
  }
  const auto first = static_cast<std::size_t>(std::max((state_.scroll.y - ui_.px(6)) / line_, 0.0f));
  const auto last = std::min(first + static_cast<std::size_t>(view() / line_) + 2, buffer().line_count());
  ImGui::PushClipRect(area_.a, area_.b, true);
  auto mark =
      std::lower_bound(marks_.begin(), marks_.end(), first, [](const TextMark& each, std::size_t line) { return each.line < line; });
  for (std::size_t number = first; number < last; ++number) draw_line(number, mark);
  const ImVec2 at = place_of(buffer().cursor());
  if (state_.has_keyboard && at.x >= left() - 1)
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - 1, at.y + 1}, {at.x + ui_.px(1), at.y + line_ - 1}, ui_.theme.accent);
  ImGui::PopClipRect();
  ui_.recorder.add("text", "edit", std::string_view(buffer().text()).substr(0, kMostRecorded), {left(), area_.a.y}, area_.b);
  if (!state_.has_keyboard) state_.completion.open = false;
  const ImVec2 word = place_of(state_.completion.open ? state_.completion.list.begin : buffer().cursor());
  if (const auto chosen = draw_completions(ui_, state_.completion, word, {word.x, word.y + line_})) take(*chosen);
  return std::move(out_);
}

}  // namespace

TextEditorOutput draw_text_editor(Ui& ui, const Session& session, const std::vector<TextMark>& marks, TextEditorState& state,
                                  const ScreenRect& area) {
  return Editor(ui, session, marks, state, area).draw();
}

void go_to(TextEditorState& state, std::size_t at) {
  state.buffer.place(at, false);
  state.follow = state.has_keyboard = true;
}

}  // namespace tessera::studio
