// SPDX-License-Identifier: BSD-3-Clause
// The status line: on the left the cell under the mouse in words, else the selected ones, else what the mouse and the keys do; in the
// middle what happened last, which hovering does not take away.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

float width_of(const Face& face, std::string_view words) {
  return text_size(face.font, face.size, words.data(), words.data() + words.size()).x;
}

// The last message, behind the number of errors that nobody has looked at. True when the log is asked for.
bool draw_message(Ui& ui, const StatusLine& line, ImVec2 at, float room, float height) {
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton("messages", {std::max(room, 1.0f), height});
  const bool hovered = ImGui::IsItemHovered();
  ui.recorder.add("messages", "button", "", at, {at.x + room, at.y + height});
  if (hovered) tooltip(ui, line.words.empty() ? "What was said before" : line.words + "\nClick: what was said before");
  const float y = at.y + (height - ui.fonts.body.size) / 2 - ui.px(1);
  float x = at.x;
  // The last one is told by its colour already.
  const std::size_t others = line.unseen_errors - (line.is_error && line.unseen_errors > 0 ? 1 : 0);
  if (others > 0) {
    ImGui::SetCursorScreenPos({x, y - ui.px(1)});
    const std::string count = fmt::format("{} error{}", others, others == 1 ? "" : "s");
    badge(ui, count, ui.theme.bad);
    x += width_of(ui.fonts.small, count) + ui.px(24);
  }
  if (line.words.empty()) return pressed;
  ImGui::SetCursorScreenPos({x, y});
  const ImU32 ink = line.is_error ? ui.theme.bad : hovered ? ui.theme.text : ui.theme.dim;
  text(ui, elided(ui.fonts.body, line.words, room - (x - at.x)), ink, ui.fonts.body);
  return pressed;
}

}  // namespace

Answer draw_status(Ui& ui, const StatusLine& line, const ScreenRect& area) {
  Region region(ui, "Status", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.a.x, area.a.y + 0.5f}, {area.b.x, area.a.y + 0.5f}, ui.theme.border);
  const float height = area.b.y - area.a.y, y = area.a.y + (height - ui.fonts.mono_small.size) / 2 - ui.px(1);
  const float left = area.a.x + ui.px(16), facts = width_of(ui.fonts.small, line.figure_facts);
  const float right = area.b.x - facts - ui.px(16);
  const bool has_message = !line.words.empty() || line.unseen_errors > 0;
  // Both have half where both are there, and a long message more; alone it stands where it would be beside the other.
  const float wanted = width_of(ui.fonts.body, line.words.substr(0, line.words.find('\n'))) + ui.px(line.unseen_errors > 0 ? 100 : 30);
  const float share = std::clamp(1 - wanted / (right - left), 0.25f, 0.5f);
  const float middle = has_message ? std::round(left + (right - left) * share) : right - ui.px(20);
  ImGui::SetCursorScreenPos({left, y});
  const float room = middle - left - ui.px(16);
  if (line.hovered)
    text(ui, elided(ui.fonts.mono_small, line.hovered->words, room), ui.theme.accent, ui.fonts.mono_small);
  else if (!line.selected.empty())
    text(ui, elided(ui.fonts.mono_small, line.selected, room), ui.theme.text, ui.fonts.mono_small);
  else
    text(ui, elided(ui.fonts.small, line.hints, room), ui.theme.dim, ui.fonts.small);
  Answer answer;
  if (has_message && draw_message(ui, line, {middle, area.a.y}, right - middle - ui.px(16), height)) answer = Do{"help.messages"};
  ImGui::SetCursorScreenPos({right, y + ui.px(1)});
  text(ui, line.figure_facts, ui.theme.dim, ui.fonts.small);
  ui.recorder.add(line.figure_facts, "text", "facts", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return answer;
}

}  // namespace tessera::studio
