// SPDX-License-Identifier: BSD-3-Clause
// Letters of the editor's font are equally wide, so places are counted in columns; lines stand in rows, several where they are wrapped.
#include "app/studio/text/text_editor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/session/actions/syntax.hpp"
#include "app/session/files/document_io.hpp"
#include "app/studio/paint/scene_words.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostRecorded = 1 << 16;  // bytes of the text

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

// In lines of a width that can be read.
void say_at_mouse(Ui& ui, const std::string& words) {
  constexpr float kWidth = 560;  // units
  std::string lines;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    const std::string line = words.substr(begin, end - begin);
    for (const std::string_view part : wrapped(ui.fonts.small, line, ui.px(kWidth)))
      lines += (lines.empty() ? "" : "\n") + std::string(part);
    begin = end + 1;
  }
  tooltip(ui, lines);
}

class Editor {
 public:
  Editor(Ui& ui, const Session& session, const std::vector<TextMark>& marks, TextEditorState& state, const ScreenRect& area,
         const TextNotes* notes)
      : ui_(ui), session_(session), marks_(marks), state_(state), area_(area), notes_(notes), face_(ui.fonts.mono) {
    letter_ = text_size(face_.font, face_.size, "0", nullptr).x;
    line_ = std::round(face_.size * 1.4f);
    const std::size_t digits = std::to_string(buffer().line_count()).size();
    beside_ = notes ? std::round(ui.px(notes->width)) : 0;
    gutter_ = beside_ + std::round(letter_ * static_cast<float>(std::max<std::size_t>(digits, 2)) + ui.px(30));
    columns_ = !state.wraps ? kNoWrap : static_cast<std::size_t>(std::max((area.b.x - left() - ui.px(20)) / letter_, 1.0f));
    if (state.wraps) state.x = 0;
  }

  TextEditorOutput draw();

 private:
  TextBuffer& buffer() { return state_.buffer; }
  float left() const { return area_.a.x + gutter_; }
  float view() const { return area_.b.y - area_.a.y; }
  float top_of_row(std::size_t row) const { return area_.a.y + ui_.px(6) + static_cast<float>(row) * line_ - state_.scroll.y; }
  float x_of(std::size_t column) const { return left() + static_cast<float>(column) * letter_ - state_.x; }
  float x_in(const TextRow& row, std::size_t column) const { return x_of(column - row.column + row.indent); }
  void arrange() {
    if (state_.rows.columns() != columns_ || state_.rows_of != buffer().version()) state_.rows.arrange(buffer(), columns_);
    state_.rows_of = buffer().version();
  }
  std::size_t row_of_cursor();
  void go_rows(int by, bool extend);
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
    state_.goal = -1;
  }
  void follow_cursor();

  void draw_line(std::size_t number, std::vector<TextMark>::const_iterator& mark);
  void draw_ground(std::size_t number, const TextRow& row, float y);
  void draw_words(std::size_t number, const TextRow& row, float y);
  void draw_mark(const TextMark& mark, std::size_t number, bool first_of_line);
  void draw_note(const TextNote& note, float top, float bottom);
  void draw_span(SourceSpan chosen, ImU32 color, std::size_t number, const TextRow& row, float y);

  Ui& ui_;
  const Session& session_;
  const std::vector<TextMark>& marks_;
  TextEditorState& state_;
  const ScreenRect& area_;
  const TextNotes* notes_;
  const Face& face_;
  float letter_ = 0, line_ = 0, gutter_ = 0, beside_ = 0;  // `beside_`: what the notes have of the gutter
  std::size_t columns_ = kNoWrap;
  TextEditorOutput out_;
};

ImVec2 Editor::place_of(std::size_t at) {
  const std::size_t number = buffer().line_of(at), byte = at - buffer().starts()[number];
  const std::string_view words = buffer().line(number);
  const std::vector<TextRow> rows = rows_of(words, columns_);
  const std::size_t row = row_of(rows, byte);
  return {x_in(rows[row], column_at(words, byte)), top_of_row(state_.rows.first_of(number) + row)};
}

std::size_t Editor::place_under(ImVec2 mouse) {
  const float wanted = std::floor((mouse.y - top_of_row(0)) / line_);
  const auto row = static_cast<std::size_t>(std::clamp(wanted, 0.0f, static_cast<float>(state_.rows.count() - 1)));
  const std::size_t number = state_.rows.line_of(row);
  const std::string_view words = buffer().line(number);
  const std::vector<TextRow> rows = rows_of(words, columns_);
  const TextRow& part = rows[std::min(row - state_.rows.first_of(number), rows.size() - 1)];
  const float column = (mouse.x - x_in(part, part.column)) / letter_;
  std::size_t at = std::clamp(byte_at(words, std::max(column, 0.0f) + static_cast<float>(part.column)), part.begin, part.end);
  // The end of a row is the beginning of the next: its last letter is the one before.
  if (at == part.end && &part != &rows.back()) {
    --at;
    while (at > part.begin && (static_cast<unsigned char>(words[at]) & 0xC0) == 0x80) --at;
  }
  return buffer().starts()[number] + at;
}

std::size_t Editor::row_of_cursor() {
  const std::size_t number = buffer().line_of(buffer().cursor());
  return state_.rows.first_of(number) + row_of(rows_of(buffer().line(number), columns_), buffer().cursor() - buffer().starts()[number]);
}

// Up and down by rows as they are seen; the place to the right is kept over shorter ones.
void Editor::go_rows(int by, bool extend) {
  const std::size_t row = row_of_cursor(), last = state_.rows.count() - 1;
  const float goal = state_.goal >= 0 ? state_.goal : place_of(buffer().cursor()).x + state_.x - left();
  if (by < 0 && row == 0) {
    buffer().place(0, extend);
  } else if (by > 0 && row == last) {
    buffer().place(buffer().text().size(), extend);
  } else {
    const auto there = static_cast<std::size_t>(std::clamp(static_cast<double>(row) + by, 0.0, static_cast<double>(last)));
    buffer().place(place_under({goal - state_.x + left(), top_of_row(there) + line_ / 2}), extend);
  }
  moved();
  state_.goal = goal;
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
  if (!over || io.MousePos.x <= left()) return;
  const std::size_t at = place_under(io.MousePos);
  const ImVec2 there = place_of(at);
  if (std::abs(there.x - io.MousePos.x) > letter_ || io.MousePos.y < there.y || io.MousePos.y >= there.y + line_) return;
  out_.pointed = at;
  out_.clicked = ImGui::IsItemActivated();
}

// ---- the keyboard -------------------------------------------------------------------------------------------------------------

void Editor::changed(bool typed) {
  out_.changed = out_.moved = state_.follow = state_.recount = true;
  state_.goal = -1;
  arrange();
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
    buffer().move(step, direction, shift);
    moved();
  };
  go(ImGuiKey_LeftArrow, ctrl ? Step::word : Step::character, -1);
  go(ImGuiKey_RightArrow, ctrl ? Step::word : Step::character, 1);
  const auto go_down = [&](ImGuiKey key, int by) {
    if (key_pressed(key)) go_rows(by, shift);
  };
  go_down(ImGuiKey_UpArrow, -1);
  go_down(ImGuiKey_DownArrow, 1);
  go_down(ImGuiKey_PageUp, -static_cast<int>(lines));
  go_down(ImGuiKey_PageDown, static_cast<int>(lines));
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
  if (state_.read_only) return;
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
  if (state_.read_only) {
    if (io.KeyCtrl || io.KeySuper) take_clipboard();
    return;
  }
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
  // What is only read is led through: some lines around the place are in sight, too.
  const float around = state_.read_only ? std::min(4 * line_, view() / 3) : 0;
  const float top = static_cast<float>(row_of_cursor()) * line_, most = view() - line_ - ui_.px(12);
  state_.scroll.y = std::clamp(state_.scroll.y, top - most + around, std::max(top - around, top - most + around));
  if (state_.wraps) return;
  const float width = area_.b.x - left() - ui_.px(24) - letter_;
  const float x = place_of(buffer().cursor()).x + state_.x - left();
  state_.x = std::max(std::clamp(state_.x, x - width, x), 0.0f);
}

// ---- drawing --------------------------------------------------------------------------------------------------------------------

// What is selected of a row, and what stands out for another reason.
void Editor::draw_ground(std::size_t number, const TextRow& row, float y) {
  if (notes_) {
    for (const TextGround& each : notes_->grounds) draw_span(each.at, each.color, number, row, y);
  }
  draw_span(buffer().selection(), faded(ui_.theme.link, 0.3f), number, row, y);
}

void Editor::draw_span(SourceSpan chosen, ImU32 color, std::size_t number, const TextRow& row, float y) {
  const std::size_t begin = buffer().starts()[number];
  const std::string_view words = buffer().line(number);
  if (chosen.begin >= chosen.end || chosen.begin > begin + row.end || chosen.end <= begin + row.begin) return;
  const std::size_t first = std::max(chosen.begin, begin + row.begin) - begin, last = std::min(chosen.end - begin, row.end);
  const bool on = row.end == words.size() && chosen.end > begin + words.size();  // the line's end is selected, too
  const float from = x_in(row, column_at(words, first)), to = x_in(row, column_at(words, last)) + (on ? letter_ / 2 : 0);
  ImGui::GetWindowDrawList()->AddRectFilled({std::max(from, left()), y}, {std::max(to, left()), y + line_}, color);
}

void Editor::draw_words(std::size_t number, const TextRow& row, float y) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string_view words = buffer().line(number);
  // Of a long line what is in sight.
  std::size_t from = row.begin, to = row.end;
  if (columns_ == kNoWrap) {
    from = byte_at(words, state_.x / letter_ - 1);
    to = byte_at(words, (state_.x + area_.b.x - left()) / letter_ + 1);
  }
  bool in_comment = state_.in_comment[number];
  const float middle = y + std::round((line_ - face_.size) / 2);
  std::size_t column = column_at(words, from), at = from;
  for (const ColoredWord& word : colored_words(words, in_comment)) {
    const std::size_t begin = std::max(word.begin, from), end = std::min(word.end, to);
    if (begin >= end) continue;
    column = column_behind(words.substr(at, begin - at), column);
    const std::string text = in_columns(words.substr(begin, end - begin), column);
    const ImU32 color = color_of(ui_.theme, word.role);
    const float x = x_in(row, column);
    list->AddText(face_.font, face_.size, {x, middle}, color, text.data(), text.data() + text.size());
    // The name that a line gives is as strong as in the list.
    if (word.role == WordRole::bound)
      list->AddText(face_.font, face_.size, {x + 0.6f, middle}, color, text.data(), text.data() + text.size());
    column += count_characters(text);
    at = end;
  }
}

void Editor::draw_note(const TextNote& note, float top, float bottom) {
  const Face& small = ui_.fonts.small;
  const float pad = ui_.px(8);
  ui_.recorder.add(fmt::format("line {}", note.line + 1), "note", note.words, {area_.a.x, top}, {area_.a.x + beside_, bottom});
  const std::string shown = elided(small, note.words, beside_ - 2 * pad);
  ImGui::GetWindowDrawList()->AddText(small.font, small.size, {area_.a.x + pad, top + std::round((line_ - small.size) / 2)}, note.color,
                                      shown.c_str());
  const bool cut = shown != note.words;
  if (cut && ImGui::IsMouseHoveringRect({area_.a.x, top}, {area_.a.x + beside_, top + line_}) && ImGui::IsWindowHovered())
    say_at_mouse(ui_, note.words);
}

// The first of its line has a dot in the margin.
void Editor::draw_mark(const TextMark& mark, std::size_t number, bool first_of_line) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 color = mark.is_error ? ui_.theme.bad : ui_.theme.warn;
  const float top = top_of_row(state_.rows.first_of(number)), radius = ui_.px(4);
  const ImVec2 center(area_.a.x + beside_ + ui_.px(10), top + line_ / 2);
  const ImVec2 a(area_.a.x + beside_, top), b(left() - ui_.px(6), top + line_);
  ui_.recorder.add(fmt::format("line {}", number + 1), "mark", mark.words, a, b);
  if (first_of_line) list->AddCircleFilled(center, radius, color);
  if (first_of_line && ImGui::IsMouseHoveringRect(a, b) && ImGui::IsWindowHovered()) say_at_mouse(ui_, mark.words);
  const std::size_t begin = buffer().starts()[number];
  const std::string_view words = buffer().line(number);
  const std::size_t first = std::max(mark.at.begin, begin) - begin, last = std::min(mark.at.end - begin, words.size());
  list->PushClipRect({left(), area_.a.y}, area_.b, true);
  const std::vector<TextRow> rows = rows_of(words, columns_);
  for (std::size_t i = row_of(rows, first); i <= row_of(rows, std::max(last, first)) && i < rows.size(); ++i) {
    const TextRow& row = rows[i];
    const std::size_t from = column_at(words, std::max(first, row.begin));
    const std::size_t to = std::max(column_at(words, std::min(last, row.end)), from + 1);
    // A wave below the words.
    const float wave = ui_.px(3), base = top + static_cast<float>(i + 1) * line_ - ui_.px(3);
    bool up = false;
    const ImVec2 under(std::min(x_in(row, to), area_.b.x), base + ui_.px(3)),
        over(std::max(x_in(row, from), left()), base + ui_.px(3) - line_);
    if (state_.read_only && ImGui::IsMouseHoveringRect(over, under) && ImGui::IsWindowHovered()) say_at_mouse(ui_, mark.words);
    for (float x = std::max(x_in(row, from), left()); x < std::min(x_in(row, to), area_.b.x); x += wave, up = !up)
      list->AddLine({x, base + (up ? 0 : ui_.px(2))}, {x + wave, base + (up ? ui_.px(2) : 0)}, color, ui_.px(1));
  }
  list->PopClipRect();
}

void Editor::draw_line(std::size_t number, std::vector<TextMark>::const_iterator& mark) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float top = top_of_row(state_.rows.first_of(number));
  const std::vector<TextRow> rows = rows_of(buffer().line(number), columns_);
  const float bottom = top + static_cast<float>(rows.size()) * line_;
  const bool here = buffer().line_of(buffer().cursor()) == number;
  if (here && state_.has_keyboard) list->AddRectFilled({left(), top}, {area_.b.x, bottom}, ui_.theme.raised);
  list->PushClipRect({left(), area_.a.y}, area_.b, true);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float y = top + static_cast<float>(i) * line_;
    if (y > area_.b.y || y + line_ < area_.a.y) continue;
    draw_ground(number, rows[i], y);
    draw_words(number, rows[i], y);
  }
  list->PopClipRect();
  const std::string label = std::to_string(number + 1);
  const Face& small = ui_.fonts.mono_small;
  const float width = text_size(small.font, small.size, label.data(), label.data() + label.size()).x;
  list->AddText(small.font, small.size, {left() - width - ui_.px(10), top + std::round((line_ - small.size) / 2)},
                here ? ui_.theme.text : ui_.theme.faint, label.c_str());
  ui_.recorder.add(label, "line", buffer().line(number).substr(0, 200), {left(), top}, {area_.b.x - ui_.px(12), bottom});
  while (mark != marks_.end() && mark->line < number) ++mark;
  // Only what is read alone says all of a line that has several.
  for (bool first_of_line = true; mark != marks_.end() && mark->line == number && (first_of_line || state_.read_only); ++mark)
    draw_mark(*mark, number, std::exchange(first_of_line, false));
  if (!notes_) return;
  const auto note = std::lower_bound(notes_->all.begin(), notes_->all.end(), number,
                                     [](const TextNote& each, std::size_t line) { return each.line < line; });
  if (note != notes_->all.end() && note->line == number) draw_note(*note, top, bottom);
}

TextEditorOutput Editor::draw() {
  arrange();
  take_mouse();
  take_keys();
  arrange();
  follow_cursor();
  const float content = static_cast<float>(state_.rows.count()) * line_ + ui_.px(12);
  scroll(ui_, "text scroll bar", state_.scroll, area_, content, line_);
  if (state_.recount || state_.in_comment.size() != buffer().line_count()) {
    state_.in_comment = lines_in_comment(buffer().text(), buffer().starts());
    state_.recount = false;
  }
  const auto top = static_cast<std::size_t>(std::max((state_.scroll.y - ui_.px(6)) / line_, 0.0f));
  const std::size_t first = state_.rows.line_of(std::min(top, state_.rows.count() - 1));
  const std::size_t last = std::min(state_.rows.line_of(top + static_cast<std::size_t>(view() / line_) + 1) + 1, buffer().line_count());
  ImGui::PushClipRect(area_.a, area_.b, true);
  auto mark =
      std::lower_bound(marks_.begin(), marks_.end(), first, [](const TextMark& each, std::size_t line) { return each.line < line; });
  for (std::size_t number = first; number < last; ++number) draw_line(number, mark);
  const ImVec2 at = place_of(buffer().cursor());
  if (state_.has_keyboard && !state_.read_only && at.x >= left() - 1)
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
                                  const ScreenRect& area, const TextNotes* notes) {
  return Editor(ui, session, marks, state, area, notes).draw();
}

void go_to(TextEditorState& state, std::size_t at) {
  state.buffer.place(at, false);
  state.follow = state.has_keyboard = true;
}

}  // namespace tessera::studio
