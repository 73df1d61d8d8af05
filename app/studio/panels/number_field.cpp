// SPDX-License-Identifier: BSD-3-Clause
// An expression whose numbers are moved by hand: a drag to the left or right, a turn of the wheel, and the figures follow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/document/numbers_in.hpp"
#include "app/studio/panels/panels.hpp"

namespace tessera::studio {
namespace {

constexpr float kPixelsAStep = 8;
constexpr std::size_t kMostNumbers = 64;  // of a long expression the first

// With Shift held a power of two at a time, since tiles and strides mostly are.
std::int64_t moved(std::int64_t from, std::int64_t steps, bool doubles) {
  if (!doubles) return std::max<std::int64_t>(from + steps, from < 0 ? from + steps : 0);
  double value = static_cast<double>(std::max<std::int64_t>(from, 1));
  value *= std::exp2(static_cast<double>(std::clamp<std::int64_t>(steps, -40, 40)));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(value), 1, std::int64_t{1} << 40);
}

}  // namespace

Answer draw_numbers(Ui& ui, const DraggedNumbers& of, NumberDrag& drag) {
  if (numbers_in(of.expression).empty()) return {};
  heading(ui, "DRAG A NUMBER");
  std::optional<std::string> other = drag_numbers(ui, of, drag);
  return other ? Answer(Edit{SetBinding{of.binding, *std::move(other)}, true}) : Answer();
}

std::optional<std::string> drag_numbers(Ui& ui, const DraggedNumbers& of, NumberDrag& drag) {
  const std::string &binding = of.binding, &expression = of.expression;
  std::vector<NumberInText> numbers = numbers_in(expression);
  numbers.resize(std::min(numbers.size(), kMostNumbers));
  std::optional<std::string> answer;
  const Face& face = ui.fonts.mono;
  const WithFont with(face);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x, line = face.size * 1.6f;
  ImVec2 at = ImGui::GetCursorScreenPos();
  // One piece of text at a time, broken where the panel ends.
  const auto place = [&](std::string_view piece) {
    const ImVec2 size = text_size(face.font, face.size, piece.data(), piece.data() + piece.size());
    if (at.x + size.x > right && at.x > left) at = {left, at.y + line};
    const ImVec2 here = at;
    at.x += size.x;
    return std::pair(here, size);
  };
  const auto plain = [&](std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = text.find_first_of(",:( ", begin + 1);
      if (end == std::string_view::npos) end = text.size();
      const std::string_view piece = text.substr(begin, end - begin);
      const auto [here, size] = place(piece);
      list->AddText(face.font, face.size, here, ui.theme.dim, piece.data(), piece.data() + piece.size());
      begin = end;
    }
  };
  std::string flat = expression;
  std::replace_if(
      flat.begin(), flat.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  std::size_t written = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const NumberInText& number = numbers[i];
    plain(std::string_view(flat).substr(written, number.span.begin - written));
    written = number.span.end;
    const std::string digits = expression.substr(number.span.begin, number.span.end - number.span.begin);
    const auto [here, size] = place(digits);
    ImGui::SetCursorScreenPos({here.x - ui.px(2), here.y - ui.px(3)});
    ImGui::PushID(static_cast<int>(i));
    ImGui::InvisibleButton("number", {size.x + ui.px(4), face.size + ui.px(6)});
    ImGui::PopID();
    const bool active = ImGui::IsItemActive(), hot = active || ImGui::IsItemHovered();
    ui.recorder.add(fmt::format("number {} of {}", i, binding), "number", digits, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (hot) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
      list->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.theme.accent_soft, ui.px(4));
    }
    const bool wrong = of.refused && drag.binding == binding && drag.number == i;
    const ImU32 ink = wrong ? ui.theme.bad : ui.theme.accent;
    list->AddText(face.font, face.size, here, ink, digits.c_str());
    list->AddLine({here.x, here.y + face.size + ui.px(1)}, {here.x + size.x, here.y + face.size + ui.px(1)}, faded(ink, wrong ? 1 : 0.5f));
    if (wrong) ui.recorder.add("number is refused", "mark", digits, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (ImGui::IsItemActivated()) drag = {binding, i, number.value, ImGui::GetIO().MousePos.x};
    std::int64_t value = number.value;
    if (active && drag.binding == binding && drag.number == i) {
      const auto steps = static_cast<std::int64_t>((ImGui::GetIO().MousePos.x - drag.x) / ui.px(kPixelsAStep));
      value = moved(drag.from, steps, ImGui::GetIO().KeyShift);
    } else if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0) {
      value = moved(number.value, ImGui::GetIO().MouseWheel > 0 ? 1 : -1, ImGui::GetIO().KeyShift);
    }
    if (value != number.value) answer = with_number(expression, number, value);
  }
  plain(std::string_view(flat).substr(written));
  ImGui::SetCursorScreenPos({left, at.y + line});
  ImGui::Dummy({0, 0});
  return answer;
}

}  // namespace tessera::studio
