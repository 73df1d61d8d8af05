// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/widgets/choice_row.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tessera::studio {
namespace {

constexpr float kName = 92, kLeastWord = 64;  // in units

}  // namespace

void draw_row_name(Ui& ui, std::string_view name, std::string_view help) {
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  text(ui, name, ui.theme.dim, ui.fonts.body);
  if (!help.empty() && ImGui::IsItemHovered()) tooltip(ui, help);
  ImGui::SameLine(left + ui.px(kName));
}

void next_in_row(Ui& ui) {
  ImGui::SameLine(0, ui.px(4));
  if (ImGui::GetContentRegionAvail().x >= ui.px(kLeastWord)) return;
  ImGui::NewLine();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(kName));
}

int walked_in_row(Ui& ui, ImVec2 a, ImVec2 b) {
  const float out = ui.px(2);
  add_rect(ImGui::GetWindowDrawList(), {a.x - out, a.y - out}, {b.x + out, b.y + out}, ui.theme.accent, ui.px(7), ui.px(1.5f));
  ui.recorder.focus();
  if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  return key_pressed(ImGuiKey_RightArrow) ? 1 : key_pressed(ImGuiKey_LeftArrow) ? -1 : 0;
}

std::optional<std::ptrdiff_t> draw_choices(Ui& ui, const ChoiceRow& row) {
  draw_row_name(ui, row.name, row.help);
  const ImGuiID id = ImGui::GetID(std::string(row.name).c_str());
  const bool focused = ui.ring->stop(id, TabRing::Stop::choices);
  TabRing* const ring = std::exchange(ui.ring, nullptr);  // its words are no stops of their own
  std::optional<std::ptrdiff_t> now;
  ImVec2 a(3.0e38f, 3.0e38f), b(0, 0);
  const auto count = static_cast<std::ptrdiff_t>(row.words.size());
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i > 0) next_in_row(ui);
    const std::string label = std::string(row.words[static_cast<std::size_t>(i)]) + "##" + std::string(row.name);
    if (button(ui, label.c_str(), i == row.chosen ? ButtonLook::primary : ButtonLook::plain)) {
      now = i == row.chosen && row.may_be_none ? kNoWord : i;
      ring->clicked(id);
    }
    a = {std::min(a.x, ImGui::GetItemRectMin().x), std::min(a.y, ImGui::GetItemRectMin().y)};
    b = {std::max(b.x, ImGui::GetItemRectMax().x), std::max(b.y, ImGui::GetItemRectMax().y)};
  }
  ui.ring = ring;
  ui.recorder.add(row.name, "choices", row.chosen < 0 ? std::string_view() : row.words[static_cast<std::size_t>(row.chosen)], a, b);
  if (!focused) return now;
  const int by = walked_in_row(ui, a, b);
  const std::ptrdiff_t least = row.may_be_none ? kNoWord : std::min<std::ptrdiff_t>(row.chosen, 0);
  if (const std::ptrdiff_t walked = std::clamp(row.chosen + by, least, count - 1); walked != row.chosen) now = walked;
  return now;
}

}  // namespace tessera::studio
