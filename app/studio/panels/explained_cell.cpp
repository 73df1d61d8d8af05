// SPDX-License-Identifier: BSD-3-Clause
// How the number in a cell comes about, step by step; the bits of a swizzle stand under each other.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

std::string binary(std::int64_t number, int width) {
  std::string digits;
  for (int bit = width - 1; bit >= 0; --bit) digits += (number >> bit & 1) != 0 ? '1' : '0';
  return digits;
}

// One line of digits: those that decide, and those that change, in colours of their own.
void draw_bits(Ui& ui, const char* name, std::int64_t number, const SwizzleBits& bits, bool marks_reading, bool marks_change) {
  const Face& face = ui.fonts.mono;
  const std::string digits = binary(number, bits.width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddText(ui.fonts.small.font, ui.fonts.small.size, {at.x + ui.px(12), at.y + ui.px(2)}, ui.theme.dim, name);
  const float step = text_size(face.font, face.size, "0", nullptr).x;
  float x = at.x + ui.px(52);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int bit = bits.width - 1 - static_cast<int>(i);
    const bool reads = marks_reading && bit >= bits.read && bit < bits.read + bits.bits;
    const bool in_field = bit >= bits.flip && bit < bits.flip + bits.bits;
    const bool changes = marks_change && in_field && ((bits.in ^ bits.out) >> bit & 1) != 0;
    if (changes) list->AddRectFilled({x - 1, at.y}, {x + step + 1, at.y + face.size + ui.px(2)}, faded(ui.theme.accent, 0.28f), ui.px(2));
    if (reads) list->AddLine({x, at.y + face.size + ui.px(2)}, {x + step, at.y + face.size + ui.px(2)}, ui.theme.link, ui.px(1.5f));
    const ImU32 ink = changes ? ui.theme.accent : reads ? ui.theme.link : ui.theme.text;
    list->AddText(face.font, face.size, {x, at.y}, ink, &digits[i], &digits[i] + 1);
    x += step + (bit % 4 == 0 ? ui.px(4) : 0);
  }
  const ImVec2 end(x, at.y + face.size + ui.px(5));
  ui.recorder.add(fmt::format("{} {}", name, digits), "bits", "", at, end);
  ImGui::Dummy({end.x - at.x, end.y - at.y});
}

}  // namespace

void draw_explained(Ui& ui, const ExplainedCell& cell, const std::string& owners) {
  heading(ui, "HOW IT COMES ABOUT");
  fact(ui, "cell", cell.coordinate);
  wrapped_text(ui, cell.of, ui.theme.dim, ui.fonts.mono_small);
  for (const ExplainStep& step : cell.steps) {
    fact(ui, step.name, step.to == step.from ? step.to : fmt::format("{} \xe2\x86\x92 {}", step.from, step.to));
    if (!step.rule.empty()) {
      ImGui::Indent(ui.px(12));
      wrapped_text(ui, step.rule, ui.theme.dim, ui.fonts.mono_small);
      ImGui::Unindent(ui.px(12));
    }
    if (!step.swizzle) continue;
    draw_bits(ui, "in", step.swizzle->in, *step.swizzle, true, false);
    draw_bits(ui, "xor", step.swizzle->flips, *step.swizzle, false, false);
    draw_bits(ui, "out", step.swizzle->out, *step.swizzle, false, true);
  }
  if (!owners.empty()) fact(ui, "threads", owners);
  // The command line's option is one of the figure's bar here.
  constexpr std::string_view kOption = "--set ";
  for (std::string note : cell.notes) {
    if (const std::size_t at = note.find(kOption); at != std::string::npos) note.erase(at, kOption.size());
    wrapped_text(ui, note, ui.theme.dim, ui.fonts.small);
  }
}

}  // namespace tessera::studio
