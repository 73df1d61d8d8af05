// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/source_side.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/panels/value_facts.hpp"
#include "core/base/number_text.hpp"
#include "core/base/utf8.hpp"
#include "core/figure/figure.hpp"
#include "core/figure/figure_task.hpp"

namespace tessera::studio {
namespace {

constexpr std::size_t kMostLines = 200;     // findings, refusals
constexpr std::size_t kLongestShown = 600;  // bytes of a value as text

// Not beyond the threads that there are.
std::string within(const OutsideValue& value, std::string text) {
  const std::optional<std::int64_t> number = number_in<std::int64_t>(text);
  return value.most && number ? std::to_string(std::clamp<std::int64_t>(*number, 0, *value.most)) : text;
}

// Gives where it ends.
float draw_outside_row(Ui& ui, SourceState& state, const OutsideValue& value, ImVec2 at, float width) {
  const float sign = ui.px(18), word = std::min(ui.px(90), width * 0.34f), name = std::min(ui.px(100), width * 0.38f);
  ImGui::PushID(value.name.c_str());
  ImGui::SetCursorScreenPos(at);
  if (value.given && sign_button(ui, ("Take back " + value.name).c_str(), Sign::close, {sign, ui.px(20)}, true, "As it is without you"))
    give(state, value.name, {});
  const ImU32 color = !value.refused.empty()     ? color_of(ui.theme, SourceFate::refused)
                      : value.given              ? color_of(ui.theme, SourceFate::given)
                      : value.words == "guessed" ? color_of(ui.theme, SourceFate::guessed)
                                                 : color_of(ui.theme, SourceFate::read);
  ImGui::SetCursorScreenPos({at.x + sign, at.y + ui.px(2)});
  text(ui, elided(ui.fonts.small, value.words, word - ui.px(6)), color, ui.fonts.small);
  ImGui::SetCursorScreenPos({at.x + sign + word, at.y});
  const Face& face = ui.fonts.mono;
  const std::string shown = elided_middle(face, value.name, name - ui.px(8));
  ImGui::InvisibleButton("type", {name - ui.px(8), face.size + ui.px(4)});
  if (ImGui::IsItemActivated()) state.typed_of = value.name, state.typed = value.text, state.type_on = true;
  const bool hot = ImGui::IsItemHovered();
  ImGui::GetWindowDrawList()->AddText(face.font, face.size, {at.x + sign + word, at.y}, hot ? ui.theme.accent : ui.theme.text,
                                      shown.c_str());
  ui.recorder.add(value.name, "outside", value.text, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (hot) tooltip(ui, fmt::format("{}: click to type its value; drag a number of it", value.name));
  ImGui::SetCursorScreenPos({at.x + sign + word + name, at.y});
  if (state.typed_of == value.name) {
    if (std::exchange(state.type_on, false)) focus_next_item();
    const EditDone done = edit_once(ui, ("value of " + value.name).c_str(), state.typed, "as it is without you");
    if (done == EditDone::taken) give(state, value.name, state.typed);
    if (done != EditDone::typing) state.typed_of.clear();
  } else {
    const WithFont with(face);
    if (std::optional<std::string> other = drag_numbers(ui, {value.name, value.text, !value.refused.empty()}, state.drag))
      give(state, value.name, within(value, *std::move(other)));
  }
  ImGui::PopID();
  const float below = std::max(ImGui::GetCursorScreenPos().y, at.y + face.size + ui.px(9));
  if (value.refused.empty()) return below;
  ImGui::SetCursorScreenPos({at.x, below});
  wrapped_text(ui, value.refused, ui.theme.bad, ui.fonts.small);
  return ImGui::GetCursorScreenPos().y;
}

void draw_variable(Ui& ui, SourceState& state, const SourceVariable* variable) {
  if (!variable) return wrapped_text(ui, "Point at a variable in the text, or click on it.", ui.theme.dim, ui.fonts.body);
  text(ui, elided_middle(ui.fonts.strong, variable->name, ImGui::GetContentRegionAvail().x * 0.6f), ui.theme.text, ui.fonts.strong);
  ImGui::SameLine(0, ui.px(10));
  badge(ui, to_string(variable->fate), color_of(ui.theme, variable->fate));
  if (variable->value) {
    ImGui::SameLine(0, ui.px(6));
    badge(ui, kind_name(*variable->value), ui.theme.dim);
  }
  const bool is_long = variable->words.size() > kLongestShown;
  wrapped_text(ui, is_long ? std::string(utf8_prefix(variable->words, kLongestShown)) + " ..." : variable->words,
               variable->fate == SourceFate::refused ? ui.theme.bad : ui.theme.text, ui.fonts.mono);
  for (const std::string& each : variable->rests_on)
    wrapped_text(ui, each, each.starts_with("guessed") ? ui.theme.warn : ui.theme.dim, ui.fonts.small);
  for (const SourceFinding& finding : state.reading->findings) {
    if (finding.span == variable->span) wrapped_text(ui, words_of(finding), ui.theme.warn, ui.fonts.small);
  }
  if (!variable->value) return;
  ImGui::Dummy({0, ui.px(2)});
  for (const Fact& each : facts_of(*variable->value)) fact(ui, each.name, each.value);
}

// A line of a list that leads to its place in the text.
void draw_line_of(Ui& ui, SourceState& state, std::size_t line, SourceSpan at, const std::string& title, const std::string& words,
                  ImU32 ink) {
  ImGui::PushID(static_cast<int>(at.begin));
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  text(ui, elided(ui.fonts.strong, fmt::format("line {}  {}", line, title), width), ink, ui.fonts.strong);
  wrapped_text(ui, words, ui.theme.text, ui.fonts.small);
  ImGui::EndGroup();
  const ImVec2 to(from.x + width, ImGui::GetItemRectMax().y);
  const bool hot = ImGui::IsMouseHoveringRect(from, to) && ImGui::IsWindowHovered();
  if (hot)
    add_rect(ImGui::GetWindowDrawList(), {from.x - ui.px(4), from.y - ui.px(2)}, {to.x, to.y + ui.px(2)}, ui.theme.border, ui.px(5), 1);
  ui.recorder.add(fmt::format("line {}", line), "listed", words, from, to);
  if (hot && ImGui::IsMouseClicked(0) && fits(state)) {
    go_to(state.editor, at.begin);
    if (const SourceVariable* there = variable_at(*state.reading, *state.source.text, at.begin)) {
      state.chosen = there->name;
      state.chosen_line = there->line;
    }
  }
  ImGui::PopID();
  ImGui::Dummy({0, ui.px(4)});
}

std::size_t count_refused(const SourceReading& reading) {
  return static_cast<std::size_t>(
      std::count_if(reading.notes.begin(), reading.notes.end(), [](const SourceNote& note) { return note.fate == SourceFate::refused; }));
}

void draw_findings(Ui& ui, SourceState& state) {
  const std::vector<SourceFinding>& all = state.reading->findings;
  for (std::size_t i = 0; i < std::min(all.size(), kMostLines); ++i) {
    const Advice& advice = all[i].advice;
    const bool wrong = advice.weight == Advice::Weight::wrong && advice.guesses.empty();
    draw_line_of(ui, state, advice.line, all[i].span, advice.name, words_of(all[i]), wrong ? ui.theme.bad : ui.theme.warn);
  }
  if (all.size() > kMostLines) text(ui, fmt::format("and {} more", all.size() - kMostLines), ui.theme.dim, ui.fonts.small);
  if (all.empty()) wrapped_text(ui, "Nothing is found wrong or slow in what has a value.", ui.theme.dim, ui.fonts.body);
}

void draw_refused(Ui& ui, SourceState& state) {
  std::size_t listed = 0;
  for (const SourceNote& note : state.reading->notes) {
    if (note.fate != SourceFate::refused || ++listed > kMostLines) continue;
    const std::size_t line = std::min(note.line, state.editor.buffer.line_count());
    const std::size_t begin = state.editor.buffer.starts()[line - 1];
    draw_line_of(ui, state, note.line, {begin, begin}, {}, note.words, ui.theme.bad);
  }
  if (listed > kMostLines) text(ui, fmt::format("and {} more", listed - kMostLines), ui.theme.dim, ui.fonts.small);
  if (listed == 0) wrapped_text(ui, "No statement is refused.", ui.theme.dim, ui.fonts.body);
}

}  // namespace

ImU32 color_of(const Theme& theme, SourceFate fate) {
  switch (fate) {
    case SourceFate::read: return theme.good;
    case SourceFate::given: return theme.link;
    case SourceFate::guessed: return theme.warn;
    case SourceFate::refused: return theme.bad;
  }
  return theme.dim;
}

bool has_picture(const Value& value) {
  const bool is_number = std::holds_alternative<IntTuple>(value.any) || std::holds_alternative<std::shared_ptr<const Report>>(value.any);
  return !is_number && is_drawable(value);
}

bool fits(const SourceState& state) { return state.reading && state.reading->version == state.source.version; }

void draw_outside(Ui& ui, SourceState& state) {
  heading(ui, "TAKEN FROM OUTSIDE: drag a number");
  const std::vector<OutsideValue> all = state.reading->outside;  // a drag asks for another reading
  constexpr std::size_t kShort = 8;                              // bytes: two of them stand side by side
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const float width = ImGui::GetContentRegionAvail().x;
  const bool two = width >= ui.px(480);
  ImVec2 at = ImGui::GetCursorScreenPos();
  float right_of = 0;  // where the row that has room for another one ends; 0: there is none
  for (const OutsideValue& each : all) {
    // What is dragged shows what was asked for, whatever has been read so far.
    const auto given = std::find_if(state.given.begin(), state.given.end(), [&](const auto& one) { return one.first == each.name; });
    OutsideValue shown = each;
    if (given != state.given.end()) shown.text = given->second, shown.given = true, shown.words = "given";
    const bool is_short = two && shown.text.size() <= kShort && shown.refused.empty() && state.typed_of != shown.name;
    if (right_of > 0 && is_short) {
      at.y = std::max(right_of, draw_outside_row(ui, state, shown, {at.x + width / 2, at.y}, width / 2));
      right_of = 0;
      continue;
    }
    if (right_of > 0) at.y = right_of;
    const float below = draw_outside_row(ui, state, shown, at, is_short ? width / 2 : width);
    right_of = is_short ? below : 0;
    if (!is_short) at.y = below;
  }
  ImGui::SetCursorScreenPos({at.x, std::max(at.y, right_of)});
  ImGui::Dummy({0, 0});
  ImGui::PopStyleVar();
  if (all.empty()) text(ui, "nothing: the text says it all", ui.theme.dim, ui.fonts.body);
}

void draw_tabs(Ui& ui, SourceState& state, const SourceVariable* shown) {
  using Shows = SourceState::Shows;
  const std::array<std::pair<std::string, Shows>, 3> tabs = {{{"Variable", Shows::variable},
                                                              {fmt::format("Findings {}", state.reading->findings.size()), Shows::findings},
                                                              {fmt::format("Refused {}", count_refused(*state.reading)), Shows::refused}}};
  for (const auto& [title, shows] : tabs) {
    if (tab(ui, title.c_str(), state.shows == shows)) state.shows = shows;
    ImGui::SameLine(0, ui.px(4));
  }
  ImGui::NewLine();
  ImGui::Dummy({0, ui.px(2)});
  switch (state.shows) {
    case Shows::variable: return draw_variable(ui, state, shown);
    case Shows::findings: return draw_findings(ui, state);
    case Shows::refused: return draw_refused(ui, state);
  }
}

void draw_picture(Ui& ui, const PanesInput& input, SourceState& state, const SourceVariable& variable, const ScreenRect& area) {
  const std::string name = fmt::format("{} of line {}", variable.name, variable.line);  // no binding has a blank in its name
  FigureTask task{name, variable.words, variable.name, *variable.value, {}};
  task.options.name = variable.name;
  // One thread's part says whose it is.
  if (const auto* tensor = std::get_if<Tensor>(&variable.value->any); tensor && tensor->part)
    task.made_of += fmt::format(" of thread {}", tensor->part->thread);
  // What belongs to one thread lights up in the picture of all.
  std::optional<std::int64_t> thread;
  if (const auto* copy = std::get_if<ThrCopy>(&variable.value->any)) thread = copy->thread;
  if (const auto* mma = std::get_if<ThrMma>(&variable.value->any)) thread = mma->thread;
  if (thread) {
    const Result<std::string> kind = figure_kind_of(task.value);
    if (kind && has_parameter(*kind, "thread")) task.options.parameters["thread"] = std::to_string(*thread);
  }
  const View view{name, {}};
  Figure& figure = input.figures.get_other(input.session, std::move(task), input.textures);
  const Hovered* hovered = state.hovered ? &*state.hovered : nullptr;
  CanvasOutput drawn = draw_alone(ui, {name, input.session, view, figure, input.textures, hovered, nullptr, input.bar, input.picks},
                                  state.canvases[name], area);
  state.hovered = std::move(drawn.hovered);
}

}  // namespace tessera::studio
