// SPDX-License-Identifier: BSD-3-Clause
// A file that another program has changed or removed: the question, and the difference to read before it is answered.
#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/studio/panels/panels.hpp"
#include "core/base/utf8.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kContext = 3;       // unchanged lines shown around a change
constexpr std::size_t kMostShown = 2000;  // lines

// Which lines are near a change.
std::vector<bool> lines_to_show(const std::vector<DiffLine>& lines) {
  std::vector<bool> shown(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == DiffLine::Kind::same) continue;
    const std::size_t begin = i - std::min(i, kContext), end = std::min(i + kContext + 1, lines.size());
    std::fill(shown.begin() + static_cast<std::ptrdiff_t>(begin), shown.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  return shown;
}

void draw_line(Ui& ui, const DiffLine& line) {
  const bool whole = line.text.ends_with('\n');
  const std::string words = printable(std::string_view(line.text).substr(0, line.text.size() - (whole ? 1 : 0)));
  const std::string end = whole ? "" : "  (no line end)";
  switch (line.kind) {
    case DiffLine::Kind::same: return wrapped_text(ui, "  " + words + end, ui.theme.dim, ui.fonts.mono_small);
    case DiffLine::Kind::removed: return wrapped_text(ui, "- " + words + end, ui.theme.bad, ui.fonts.mono_small);
    case DiffLine::Kind::added: return wrapped_text(ui, "+ " + words + end, ui.theme.good, ui.fonts.mono_small);
  }
}

}  // namespace

void draw_diff_lines(Ui& ui, const std::vector<DiffLine>& lines) {
  const std::vector<bool> shown = lines_to_show(lines);
  std::size_t drawn = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!shown[i]) {
      if (i == 0 || shown[i - 1]) text(ui, "  ...", ui.theme.faint, ui.fonts.mono_small);
    } else if (++drawn > kMostShown) {
      return text(ui, "and more below", ui.theme.dim, ui.fonts.body);
    } else {
      draw_line(ui, lines[i]);
    }
  }
  if (drawn == 0) text(ui, "There is no difference.", ui.theme.dim, ui.fonts.body);
}

Answer draw_conflict_answers(Ui& ui, const Session& session, bool then_quit) {
  Answer answer;
  const bool gone = std::holds_alternative<Gone>(session.file());
  if (!gone) {
    if (button(ui, "Reload", ButtonLook::plain, true, "Show what the file holds now; Undo brings yours back")) answer = Reload{};
    ImGui::SameLine(0, ui.px(6));
  }
  if (button(ui, "Keep mine", ButtonLook::plain, true, gone ? "Write the file again" : "Write yours over what the file holds now"))
    answer = KeepMine{then_quit};
  ImGui::SameLine(0, ui.px(6));
  if (!gone) {
    if (button(ui, "Show the difference", ButtonLook::plain, true, "From the file to yours, line by line")) answer = ShowDifference{};
    ImGui::SameLine(0, ui.px(6));
  }
  if (button(ui, "Save as##conflict", ButtonLook::plain, true, "Save yours in another place")) answer = AskSaveAs{then_quit};
  return answer;
}

Answer draw_conflict(Ui& ui, const Session& session, const ScreenRect& area) {
  Region region(ui, "File", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.bad_soft, 0, false);
  const float row = area.a.y + (area.b.y - area.a.y - ImGui::GetFrameHeight()) / 2;
  ImGui::SetCursorScreenPos({area.a.x + ui.px(16), row});
  const Answer answer = draw_conflict_answers(ui, session, false);
  ImGui::SameLine(0, ui.px(14));
  const float room = area.b.x - ImGui::GetCursorScreenPos().x - ui.px(12);
  ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, row + ui.px(4)});
  text(ui, elided(ui.fonts.body, session.conflict_words(), room), ui.theme.text, ui.fonts.body);
  return answer;
}

Answer draw_difference(Ui& ui, const Session& session, DifferenceState& state, const ScreenRect& area) {
  if (state.revision != session.revision()) {
    const Result<std::vector<DiffLine>> lines = session.difference();
    state.revision = session.revision();
    state.lines = lines ? *lines : std::vector<DiffLine>();
    state.refused = lines ? "" : lines.error().message;
  }
  Region region(ui, "Difference", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 16);
  Answer answer;
  text(ui, "From the file to yours", ui.theme.text, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(16));
  if (button(ui, "Close the difference", ButtonLook::quiet)) answer = CloseDifference{};
  ImGui::Dummy({0, ui.px(6)});
  if (!state.refused.empty())
    wrapped_text(ui, state.refused, ui.theme.bad, ui.fonts.body);
  else
    draw_diff_lines(ui, state.lines);
  return answer;
}

}  // namespace tessera::studio
