// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/lesson_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/overloaded.hpp"
#include "core/lesson/kinds.hpp"
#include "core/lesson/question.hpp"

namespace tessera::studio {
namespace {

constexpr float kHead = 66, kFoot = 54, kColumn = 820;  // units

// ---- the head and the foot ------------------------------------------------------------------------------------------------------

void draw_head(Ui& ui, LessonState& state, const ScreenRect& area, PanesOutput& out) {
  const Region region(ui, "Lesson head", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  const float pad = ui.px(16), between = ui.px(6), frame = 2 * ImGui::GetStyle().FramePadding.x;
  struct Way {
    const char *label, *action, *hint;
    ButtonLook look;
  };
  const Way ways[] = {
      {"Present", "lesson.present", "For a class, a step a key   F5", ButtonLook::quiet},
      {"Save the worklog", "lesson.save_log", "All answers as lines of JSON, which tessera lesson regrade reads", ButtonLook::quiet},
      {"Close", "lesson.close", "Back to the document   Escape", ButtonLook::quiet}};
  float right = area.b.x - pad;
  for (std::size_t i = std::size(ways); i-- > 0;) {
    const float wide = ImGui::CalcTextSize(ways[i].label).x + frame;
    right -= wide;
    ImGui::SetCursorScreenPos({right, area.a.y + ui.px(8)});
    const bool can = state.desk->reading() || i == std::size(ways) - 1;
    if (button(ui, ways[i].label, ways[i].look, can, ways[i].hint)) out.actions.push_back(Do{ways[i].action});
    right -= between;
  }
  const LessonReading* const reading = state.desk->reading();
  const std::string title = reading ? fmt::format("{}. {}", reading->head().number, reading->head().title) : state.desk->source().title;
  const float left = area.a.x + pad;
  ImGui::SetCursorScreenPos({left, area.a.y + ui.px(10)});
  text(ui, elided(ui.fonts.title, title, right - ui.px(12) - left), ui.theme.text, ui.fonts.title);
  std::string said;
  ImU32 ink = ui.theme.dim;
  if (!state.desk->source().lost.empty())
    said = "the file cannot be read now, this is what it was: " + state.desk->source().lost, ink = ui.theme.bad;
  else if (reading && state.desk->refused())
    said = "its file cannot be read as a lesson, this is what it was: " + state.desk->refused()->message, ink = ui.theme.bad;
  else if (state.desk->unkept())
    said = "answers are kept only until the studio ends: " + state.desk->unkept()->message, ink = ui.theme.warn;
  else if (reading)
    said = fmt::format("{}  {}.", reading->head().goal, counted(static_cast<std::size_t>(reading->head().minutes), "minute"));
  ImGui::SetCursorScreenPos({left, area.a.y + ui.px(39)});
  const std::string shown = elided(ui.fonts.small, said, area.b.x - pad - left);
  text(ui, shown, ink, ui.fonts.small);
  if (shown != said && ImGui::IsItemHovered()) tooltip(ui, said);
  ImGui::GetWindowDrawList()->AddLine({area.a.x, area.b.y - 0.5f}, {area.b.x, area.b.y - 0.5f}, ui.theme.border);
}

// Where one is: a short line each screen; a click goes to one that is open.
void draw_track(Ui& ui, const LessonDesk& desk, const ScreenRect& area, PanesOutput& out) {
  const std::size_t count = desk.reading()->screens.size(), last = desk.last_open();
  const float step = (area.b.x - area.a.x) / static_cast<float>(count), y = std::round((area.a.y + area.b.y) / 2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < count; ++i) {
    const ImVec2 a(area.a.x + step * static_cast<float>(i), area.a.y), b(a.x + step, area.b.y);
    ImGui::SetCursorScreenPos(a);
    const std::string& title = desk.reading()->screens[i].title;
    if (ImGui::InvisibleButton(fmt::format("screen {}", i + 1).c_str(), {std::max(step, 1.0f), area.b.y - area.a.y}) && i <= last)
      out.actions.push_back(Do{"lesson.go", {{"screen", std::to_string(i + 1)}}});
    const bool hot = ImGui::IsItemHovered();
    if (hot) tooltip(ui, i <= last ? title : title + ": it comes after the answers before it");
    const ImU32 ink = i == desk.screen() ? ui.theme.accent : i <= last ? ui.theme.dim : ui.theme.border;
    const float half = ui.px(i == desk.screen() || hot ? 2.5f : 1.5f);
    list->AddRectFilled({a.x + ui.px(1), y - half}, {b.x - ui.px(1), y + half}, ink, half);
    ui.recorder.add(fmt::format("screen {}", i + 1), "track", i <= last ? "open" : "closed", a, b);
  }
}

void draw_foot(Ui& ui, LessonState& state, const ScreenRect& area, PanesOutput& out) {
  const Region region(ui, "Lesson foot", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  const LessonDesk& desk = *state.desk;
  const std::size_t count = desk.reading()->screens.size();
  ImGui::GetWindowDrawList()->AddLine({area.a.x, area.a.y + 0.5f}, {area.b.x, area.a.y + 0.5f}, ui.theme.border);
  const float pad = ui.px(16), row = area.a.y + std::round((area.b.y - area.a.y - ImGui::GetFrameHeight()) / 2),
              frame = 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetCursorScreenPos({area.a.x + pad, row});
  if (button(ui, "Back", ButtonLook::plain, desk.screen() > 0, "The screen before   Page Up")) out.actions.push_back(Do{"lesson.previous"});
  float left = ImGui::GetItemRectMax().x + ui.px(14), right = area.b.x - pad;
  if (desk.screen() + 1 < count) {
    const bool open = desk.waits_for().empty();
    right -= ImGui::CalcTextSize("Next").x + frame;
    ImGui::SetCursorScreenPos({right, row});
    if (button(ui, "Next", open ? ButtonLook::primary : ButtonLook::plain, true,
               open ? "What follows   Page Down" : "What follows comes after the answer"))
      out.actions.push_back(Do{"lesson.next"});
    right -= ui.px(14);
  }
  const Face& small = ui.fonts.small;
  const std::string place = fmt::format("{} of {}", desk.screen() + 1, count);
  const bool waits = state.told_to_wait && !desk.waits_for().empty();
  const std::string summary = waits ? std::string("What follows comes after the answer.") : desk.summary();
  const auto wide = [&](const std::string& words) {
    return text_size(small.font, small.size, words.data(), words.data() + words.size()).x;
  };
  const float line = area.a.y + std::round((area.b.y - area.a.y - small.size) / 2) - ui.px(1);
  const auto put = [&](const std::string& words, float x, ImU32 ink) {
    ImGui::SetCursorScreenPos({x, line});
    text(ui, words, ink, small);
  };
  put(place, left, ui.theme.dim);
  left += wide(place) + ui.px(14);
  if (wide(summary) + ui.px(60) < right - left) {
    right -= wide(summary);
    put(summary, right, waits ? ui.theme.warn : ui.theme.dim);
    right -= ui.px(14);
  }
  if (right - left > ui.px(40)) draw_track(ui, desk, {{left, area.a.y + ui.px(10)}, {right, area.b.y - ui.px(10)}}, out);
}

// ---- keys -------------------------------------------------------------------------------------------------------------------------

bool is_elsewhere() {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl || io.KeyAlt || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

// The question that has the keys; null: none is open.
const lesson::Question* open_question(LessonDesk& desk) {
  const LessonDesk::Asked* const asked = desk.asked(desk.first_open());
  return asked && asked->question && *asked->question ? &**asked->question : nullptr;
}

void take_keys(LessonState& state, PanesOutput& out) {
  if (is_elsewhere() || ImGui::GetIO().WantTextInput) return;
  // Where nothing is open on this screen, what goes on anywhere goes on here.
  if (state.desk->first_open().empty()) {
    if (key_pressed(ImGuiKey_RightArrow) || enter_pressed() || key_pressed(ImGuiKey_Space)) out.actions.push_back(Do{"lesson.next"});
    if (key_pressed(ImGuiKey_LeftArrow) || key_pressed(ImGuiKey_Backspace)) out.actions.push_back(Do{"lesson.previous"});
  }
  if (key_pressed(ImGuiKey_Escape)) out.actions.push_back(Do{"lesson.close"});
}

// In the screen's own part of the window: a page at a time, and behind its foot the next screen.
void turn_by_keys(const Ui& ui, LessonState& state, float room, PanesOutput& out) {
  using lesson::Kind;
  if (is_elsewhere()) return;
  const lesson::Question* const open = open_question(*state.desk);
  const bool types = ImGui::GetIO().WantTextInput;
  if (types && open && has_lines(open->expected.kind)) return;
  const float at = ImGui::GetScrollY(), most = ImGui::GetScrollMaxY();
  const int pages = (key_pressed(ImGuiKey_PageDown) ? 1 : 0) - (key_pressed(ImGuiKey_PageUp) ? 1 : 0);
  if (pages > 0 && at >= most - 1) out.actions.push_back(Do{"lesson.next"});
  if (pages < 0 && at <= 1) out.actions.push_back(Do{"lesson.previous"});
  const bool by_hand = open && (open->expected.kind == Kind::choice || open->expected.kind == Kind::order || painted_grid(open->expected));
  const int lines = types || by_hand ? 0 : (key_pressed(ImGuiKey_DownArrow) ? 1 : 0) - (key_pressed(ImGuiKey_UpArrow) ? 1 : 0);
  constexpr float kLine = 48, kPage = 0.85f;  // a line in units; a page as a share of what is seen
  const float by = static_cast<float>(pages) * room * kPage + static_cast<float>(lines) * ui.px(kLine);
  if (by != 0) ImGui::SetScrollY(std::clamp(at + by, 0.0f, most));
}

// ---- a screen -----------------------------------------------------------------------------------------------------------------------

std::size_t passed_on(const LessonDesk& desk, LessonDesk& of) {
  std::size_t passed = 0;
  for (const LessonPiece& piece : desk.reading()->screens[desk.screen()].pieces) {
    const auto* question = std::get_if<LessonQuestion>(&piece.content);
    const LessonDesk::Asked* const asked = question ? of.asked(question->id) : nullptr;
    passed += asked && asked->passed ? 1 : 0;
  }
  return passed;
}

void follow(LessonState& state) {
  LessonDesk& desk = *state.desk;
  const std::size_t passed = passed_on(desk, desk);
  if (state.screen != desk.screen()) {
    state.screen = desk.screen();
    state.to_top = state.type_on = true;
    state.told_to_wait = false;
  } else if (passed > state.passed) {  // what it has opened comes into sight
    state.type_on = true;
    state.told_to_wait = false;
    state.reveal = 0;
  }
  state.passed = passed;
}

// The pieces of a screen, one below the other; gives where the last answered question begins, from the head of the screen.
float draw_pieces(const LessonPlaceOnScreen& on, const LessonScreen& screen, float head) {
  float answered = -1;
  const float left = ImGui::GetCursorScreenPos().x;
  bool first = true;
  for (const LessonPiece& piece : screen.pieces) {
    if (!on.state.desk->shows(piece)) break;
    if (!std::exchange(first, false)) ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + on.ui.px(14)});
    const auto* question = std::get_if<LessonQuestion>(&piece.content);
    const LessonDesk::Asked* const asked = question ? on.state.desk->asked(question->id) : nullptr;
    if (asked && asked->passed) answered = ImGui::GetCursorScreenPos().y - head;
    draw_piece(on, piece);
  }
  return answered;
}

void draw_screen(Ui& ui, const PanesInput& input, LessonState& state, const ScreenRect& area, PanesOutput& out) {
  const Region region(ui, fmt::format("Lesson screen {}", state.desk->screen() + 1).c_str(), area.a,
                      {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.window);
  if (std::exchange(state.to_top, false)) ImGui::SetScrollY(0);
  const float room = area.b.y - area.a.y, whole = area.b.x - area.a.x - ui.px(14);
  const float width = std::min(ui.px(kColumn), whole - 2 * ui.px(20)), left = area.a.x + std::round((whole - width) / 2);
  const float head = ImGui::GetCursorScreenPos().y;
  ImGui::SetCursorScreenPos({left, head + ui.px(22)});
  const LessonScreen& screen = state.desk->reading()->screens[state.desk->screen()];
  const float answered = draw_pieces({ui, input, state, out, faces_of(ui, false), width, room}, screen, head);
  ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(30)});
  ImGui::Dummy({1, 1});
  turn_by_keys(ui, state, room, out);
  if (state.reveal < 0) return;
  // Where what was opened lies below, the question that opened it goes up.
  state.reveal = -1;
  if (answered > 0 && answered - ImGui::GetScrollY() > room * 0.3f) ImGui::SetScrollY(answered - room * 0.06f);
}

void draw_refusal_of(Ui& ui, const LessonDesk& desk, const ScreenRect& area) {
  const Region region(ui, "Lesson refused", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.window, 24);
  if (!desk.refused()) return text(ui, "reading ...", ui.theme.dim, ui.fonts.body);
  text(ui, "This is no lesson yet", ui.theme.text, ui.fonts.title);
  wrapped_text(ui, fmt::format("{}: {}", desk.source().title, desk.refused()->message), ui.theme.bad, ui.fonts.mono);
  for (const std::string& note : desk.refused()->notes) wrapped_text(ui, note, ui.theme.text, ui.fonts.body);
  if (desk.source().path) wrapped_text(ui, "Mend it in its file: this page follows.", ui.theme.dim, ui.fonts.body);
}

}  // namespace

void open_lesson(LessonState& state, std::unique_ptr<LessonDesk> desk) {
  state = LessonState();
  state.desk = std::move(desk);
  state.open = true;
}

void draw_piece(const LessonPlaceOnScreen& on, const LessonPiece& piece) {
  Ui& ui = on.ui;
  std::visit(Overloaded{[&](const std::vector<WordBlock>& blocks) { draw_blocks(ui, blocks, on.faces, on.width); },
                        [&](const LessonLines& lines) { draw_code(ui, lines.text, on.faces.mono, on.width); },
                        [&](const LessonPicture& picture) { draw_lesson_picture(on, picture, fmt::format("figure {}", piece.part)); },
                        [&](const LessonSlider& slider) { draw_lesson_slider(on, piece.part, slider); },
                        [&](const LessonQuestion& question) { draw_question(on, question); },
                        [&](const LessonGemm& gemm) {
                          const float left = ImGui::GetCursorScreenPos().x;
                          draw_code(ui, gemm.shown, on.faces.mono, on.width);
                          if (gemm.expression.empty() || on.presents) return;
                          ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y + ui.px(8)});
                          if (button(ui, fmt::format("Run it##{}", piece.part).c_str(), ButtonLook::primary, true,
                                     "Its fields, picture, plan and runs on the lecture's page"))
                            on.out.actions.push_back(Do{"lesson.run"});
                          ImGui::SetCursorScreenPos({left, ImGui::GetItemRectMax().y});
                        }},
             piece.content);
}

PanesOutput draw_lesson(Ui& ui, const PanesInput& input, LessonState& state, const ScreenRect& area) {
  PanesOutput out;
  state.desk->collect();
  take_keys(state, out);
  const float top = area.a.y + ui.px(kHead), bottom = area.b.y - ui.px(kFoot);
  draw_head(ui, state, {area.a, {area.b.x, top}}, out);
  if (!state.desk->reading()) {
    draw_refusal_of(ui, *state.desk, {{area.a.x, top}, area.b});
    return out;
  }
  follow(state);
  draw_screen(ui, input, state, {{area.a.x, top}, {area.b.x, bottom}}, out);
  draw_foot(ui, state, {{area.a.x, bottom}, area.b}, out);
  state.hovered = out.hovered;
  return out;
}

}  // namespace tessera::studio
