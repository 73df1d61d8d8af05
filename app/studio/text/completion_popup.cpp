// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/text/completion_popup.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::studio {
namespace {

constexpr std::size_t kShown = 8;       // at once
constexpr std::size_t kLeastTyped = 2;  // letters, before words are offered unasked

bool draw_completion(Ui& ui, const Completion& each, bool chosen, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + width, at.y + ui.px(24));
  const bool pressed = ImGui::InvisibleButton(each.word.c_str(), {width, ui.px(24)});
  ui.recorder.add(each.word, "completion", chosen ? "chosen" : each.kind, at, end);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered()) list->AddRectFilled(at, end, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(4));
  const Face &mono = ui.fonts.mono_small, &small = ui.fonts.small;
  const std::string kind = elided(small, each.kind, width * 0.3f);
  const float kind_width = text_size(small.font, small.size, kind.data(), kind.data() + kind.size()).x;
  const std::string word = elided(mono, each.word, width - kind_width - ui.px(30));
  list->AddText(mono.font, mono.size, {at.x + ui.px(8), at.y + ui.px(4)}, ui.theme.text, word.c_str());
  list->AddText(small.font, small.size, {end.x - kind_width - ui.px(8), at.y + ui.px(4)}, ui.theme.dim, kind.c_str());
  return pressed;
}

}  // namespace

void look_for_completions(const Session& session, std::string_view text, std::size_t cursor, CompletionState& state) {
  state.list = completions_at(session, text, cursor);
  state.chosen = 0;
  const std::string_view typed = text.substr(state.list.begin, state.list.end - state.list.begin);
  const std::vector<Completion>& found = state.list.found;
  const bool is_there = found.size() == 1 && found[0].word == typed;
  state.open = !found.empty() && !is_there && (state.asked || typed.size() >= kLeastTyped);
  if (!state.open) state.asked = false;
}

std::optional<Completion> completion_by_key(CompletionState& state, bool& used) {
  if (!state.open) return std::nullopt;
  const std::size_t count = state.list.found.size();
  used = true;
  if (key_pressed(ImGuiKey_DownArrow)) {
    state.chosen = (state.chosen + 1) % count;
  } else if (key_pressed(ImGuiKey_UpArrow)) {
    state.chosen = (state.chosen + count - 1) % count;
  } else if (key_pressed(ImGuiKey_Escape)) {
    state.open = state.asked = false;
  } else if (key_pressed(ImGuiKey_Tab) || enter_pressed()) {
    state.open = state.asked = false;
    return state.list.found[state.chosen];
  } else {
    used = false;
  }
  return std::nullopt;
}

bool with_completions(Ui& ui, const Session& session, std::string& value, CompletionState& state, const std::function<void()>& field) {
  bool used = false;
  const std::optional<Completion> by_key = completion_by_key(state, used);
  const auto replacement = [&](const Completion& chosen) {
    FieldCursor::Replacement made{state.list.begin, state.list.end, chosen.word};
    // "data(" before a bracket that stands there already.
    if (chosen.word.ends_with('(') && made.end < value.size() && value[made.end] == '(') ++made.end;
    return made;
  };
  if (by_key) state.cursor.replace = replacement(*by_key);
  if (used) {
    constexpr ImGuiKey kTaken[] = {ImGuiKey_DownArrow, ImGuiKey_UpArrow, ImGuiKey_Tab, ImGuiKey_Enter, kKeypadEnter, ImGuiKey_Escape};
    for (const ImGuiKey key : kTaken) {
      if (key_down(key)) use_up(key);
    }
  }
  const std::size_t before = state.cursor.at;
  const std::string was = value;
  field();
  bool changed = value != was;
  const bool active = ImGui::IsItemActive();
  const ImVec2 begin = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
  const bool asks = active && ImGui::GetIO().KeyCtrl && key_pressed(ImGuiKey_Space);
  if (asks) state.asked = true;
  if (active && (changed || asks) && !by_key)
    look_for_completions(session, value, state.cursor.at, state);
  else if (active && state.open && state.cursor.at != before)
    state.open = state.asked = false;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over = mouse.x >= state.area.a.x && mouse.x < state.area.b.x && mouse.y >= state.area.a.y && mouse.y < state.area.b.y;
  if (!active && !over) state.open = state.asked = false;
  // A click takes the keyboard from the field: the word goes into the text itself.
  if (const std::optional<Completion> clicked = draw_completions(ui, state, begin, {begin.x, end.y})) {
    const FieldCursor::Replacement made = replacement(*clicked);
    value.replace(made.begin, made.end - made.begin, made.with);
    changed = true;
  }
  return changed;
}

bool edit_completed(Ui& ui, const Session& session, const char* label, std::string& value, bool multiline, CompletionState& state) {
  return with_completions(ui, session, value, state, [&] { edit_at(ui, label, value, multiline, state.cursor); });
}

std::optional<Completion> draw_completions(Ui& ui, CompletionState& state, ImVec2 upper, ImVec2 lower) {
  if (!state.open) return std::nullopt;
  const std::vector<Completion>& found = state.list.found;
  const std::size_t shown = std::min(found.size(), kShown);
  const std::size_t first = state.chosen < shown ? 0 : state.chosen + 1 - shown;
  const std::string& detail = found[state.chosen].detail;
  const float width = ui.px(380), height = static_cast<float>(shown) * ui.px(24) + ui.px(12) + (detail.empty() ? 0 : ui.px(24));
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool below = lower.y + height + ui.px(4) < screen.y || lower.y < screen.y / 2;
  const ImVec2 at(std::clamp(lower.x, 0.0f, std::max(screen.x - width, 0.0f)), below ? lower.y + ui.px(2) : upper.y - height - ui.px(2));
  state.area = {at, {at.x + width, at.y + height}};
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(6), ui.px(6)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(6));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.raised);
  ImGui::Begin("Completions", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
  ui.recorder.enter("Completions");
  std::optional<Completion> chosen;
  for (std::size_t i = first; i < first + shown; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (draw_completion(ui, found[i], i == state.chosen, width - ui.px(12))) chosen = found[i];
    ImGui::PopID();
  }
  if (!detail.empty()) {
    ImGui::SetCursorPos({ui.px(14), height - ui.px(26)});
    text(ui, elided(ui.fonts.small, detail, width - ui.px(28)), ui.theme.dim, ui.fonts.small);
  }
  ui.recorder.leave();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(4);
  if (chosen) state.open = state.asked = false;
  return chosen;
}

}  // namespace tessera::studio
