// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/source_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/studio/pages/source_side.hpp"
#include "core/base/stopping.hpp"

namespace tessera::studio {
namespace {

constexpr float kHead = 76, kBeside = 820, kNotes = 144;  // units

// ---- reading beside the frames ------------------------------------------------------------------------------------------------

void ask(SourceState& state) {
  if (!state.reader) state.reader = std::make_unique<Jobs<SourceReading>>();
  if (state.order == 0) state.since = ImGui::GetTime();
  state.reader->forget(state.order);  // of several wishes that wait only the last one counts
  const SourceQuestion question{state.source.path ? state.source.path->string() : "-", state.source.text, state.source.version,
                                state.given};
  state.order = state.reader->ask([question](const std::stop_token& stop) {
    const StoppedBy by(stop);
    return or_refusal([&] { return reading_of(question); },
                      [&](const char* why) {
                        SourceReading refused;
                        refused.version = question.version;
                        refused.refused = Error{ErrorCode::limit, why, {}, {}};
                        return refused;
                      });
  });
}

const SourceVariable* chosen_of(const SourceState& state) {
  if (!state.reading) return nullptr;
  const SourceVariable* found = nullptr;
  for (const SourceVariable& each : state.reading->variables) {
    if (each.name != state.chosen) continue;
    const auto far = [&](const SourceVariable& one) {
      return std::abs(static_cast<double>(one.line) - static_cast<double>(state.chosen_line));
    };
    if (!found || far(each) < far(*found)) found = &each;
  }
  return found;
}

void choose(SourceState& state, const SourceVariable& variable) {
  state.chosen = variable.name;
  state.chosen_line = variable.line;
  state.shows = SourceState::Shows::variable;
}

void collect(SourceState& state) {
  if (!state.reader) return;
  for (auto& made : state.reader->take(0)) {
    state.reading = std::move(made.value);
    state.made_for.reset();
    if (made.order == state.order) state.order = 0;
  }
  if (!state.reading || chosen_of(state)) return;
  const std::vector<SourceVariable>& all = state.reading->variables;
  const auto first =
      std::find_if(all.begin(), all.end(), [](const SourceVariable& each) { return each.value && has_picture(*each.value); });
  if (first != all.end()) choose(state, *first);
}

// Of another text nothing is marked.
void make_marks(const Ui& ui, SourceState& state) {
  if (state.made_for == ui.theme.kind) return;
  state.made_for = ui.theme.kind;
  state.marks.clear();
  state.notes.all.clear();
  if (!fits(state)) return;
  for (const SourceNote& note : state.reading->notes) state.notes.all.push_back({note.line - 1, note.words, color_of(ui.theme, note.fate)});
  const auto add = [&](SourceSpan at, std::string words, bool is_error) {
    state.marks.push_back({at, state.editor.buffer.line_of(at.begin), std::move(words), is_error});
  };
  for (const SourceFinding& finding : state.reading->findings) {
    const bool wrong = finding.advice.weight == Advice::Weight::wrong && finding.advice.guesses.empty();
    add(finding.span, words_of(finding), wrong);
  }
  for (const SourceVariable& each : state.reading->variables) {
    if (each.fate == SourceFate::refused) add(each.span, fmt::format("{} has no value: {}", each.name, each.words), each.rests_on.empty());
  }
  std::stable_sort(state.marks.begin(), state.marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.line != b.line ? a.line < b.line : a.is_error && !b.is_error; });
}

// ---- the head: what is shown, what the colours mean, and the ways out ---------------------------------------------------------

bool draw_head(Ui& ui, SourceState& state, const ScreenRect& area, PanesOutput& out) {
  Region region(ui, "Source head", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 0, false);
  const float pad = ui.px(14);
  const char* const kDocument = "Open as a document";
  const char* const kClose = "Close the source";
  const float frame = 2 * ImGui::GetStyle().FramePadding.x;
  const float buttons = ImGui::CalcTextSize(kDocument).x + ImGui::CalcTextSize(kClose).x + 2 * frame + ui.px(8);
  ImGui::SetCursorScreenPos({area.b.x - pad - buttons, area.a.y + ui.px(7)});
  if (button(ui, kDocument, ButtonLook::plain, state.reading && !state.reading->variables.empty(), "Its variables as lines of a document"))
    out.actions.push_back(Do{"source.document"});
  ImGui::SameLine(0, ui.px(8));
  const bool closes = button(ui, kClose, ButtonLook::quiet, true, "Escape");
  ImGui::SetCursorScreenPos({area.a.x + pad, area.a.y + ui.px(9)});
  const float room = area.b.x - pad - buttons - ui.px(16) - area.a.x - pad;
  text(ui, elided_middle(ui.fonts.title, state.source.title, std::max(room * 0.6f, ui.px(60))), ui.theme.text, ui.fonts.title);
  constexpr double kWhile = 0.15;  // seconds
  const bool waits = state.order != 0 && ImGui::GetTime() - state.since >= kWhile;
  ImGui::SetCursorScreenPos({area.a.x + pad, area.a.y + ui.px(42)});
  // What the colours of the column mean, and how many statements came to each.
  for (std::size_t i = 0; i < kSourceFates; ++i) {
    const auto fate = static_cast<SourceFate>(i);
    const std::string word =
        fits(state) ? fmt::format("{} {}", state.reading->statements[i], to_string(fate)) : std::string(to_string(fate));
    badge(ui, word, color_of(ui.theme, fate));
    ImGui::SameLine(0, ui.px(8));
  }
  std::string said = !state.source.lost.empty() ? fmt::format("the file cannot be read now, this is what it was: {}", state.source.lost)
                     : waits                    ? std::string("reading ...")
                     : state.reading && state.reading->refused       ? state.reading->refused->message
                     : state.reading && !state.reading->said.empty() ? state.reading->said.front()
                                                                     : std::string("up and down: from variable to variable");
  const ImU32 ink = !state.source.lost.empty() || (state.reading && state.reading->refused) ? ui.theme.bad : ui.theme.dim;
  const float left = area.b.x - pad - ImGui::GetCursorScreenPos().x;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(2));  // as high as the words of the badges
  if (left > ui.px(90)) text(ui, elided(ui.fonts.small, said, left), ink, ui.fonts.small);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({area.a.x, area.b.y - 0.5f}, {area.b.x, area.b.y - 0.5f}, ui.theme.border);
  return closes;
}

// ---- the page -------------------------------------------------------------------------------------------------------------------

// Up and down from one variable to the next, wherever the text is scrolled to.
void move_choice(SourceState& state) {
  if (!state.reading || state.reading->variables.empty()) return;
  const int by = key_pressed(ImGuiKey_DownArrow) ? 1 : key_pressed(ImGuiKey_UpArrow) ? -1 : 0;
  if (by == 0) return;
  const std::vector<SourceVariable>& all = state.reading->variables;
  const SourceVariable* now = chosen_of(state);
  const std::ptrdiff_t at = now ? now - all.data() : -1;
  const SourceVariable& next = all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, std::ssize(all) - 1))];
  choose(state, next);
  if (fits(state)) go_to(state.editor, next.span.begin);
}

const SourceVariable* draw_text(Ui& ui, const PanesInput& input, SourceState& state, const ScreenRect& area) {
  Region region(ui, "Source text", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 0, false);
  make_marks(ui, state);
  const SourceVariable* const chosen = chosen_of(state);
  // A fifth of a wide window, so that reasons can be read; never a third of a narrow one.
  const float units = (area.b.x - area.a.x) / ui.scale;
  state.notes.width = std::min(std::clamp(units * 0.2f, kNotes, 1.8f * kNotes), units * 0.3f);
  state.notes.grounds.clear();
  if (chosen && fits(state)) state.notes.grounds.push_back({chosen->span, faded(ui.theme.accent, 0.32f)});
  const TextEditorOutput out = draw_text_editor(ui, input.session, state.marks, state.editor, area, &state.notes);
  const SourceVariable* pointed = out.pointed && fits(state) ? variable_at(*state.reading, *state.source.text, *out.pointed) : nullptr;
  if (pointed && out.clicked) choose(state, *pointed);
  return pointed ? pointed : chosen;
}

}  // namespace

void open_source(SourceState& state, SourceText source) {
  const float width = state.text_width;
  state = SourceState();
  state.text_width = width;
  state.source = std::move(source);
  state.editor.read_only = true;
  state.editor.buffer.replace_all(*state.source.text);
  state.editor.buffer.place(0, false);
  state.open = true;
  ask(state);
}

bool look_again(SourceState& state) {
  if (!state.open) return false;
  const std::uint64_t version = state.source.version;
  if (!look_again(state.source)) return false;
  if (state.source.version == version) return true;
  state.editor.buffer.replace_all(*state.source.text);
  state.editor.recount = true;
  state.made_for.reset();
  ask(state);
  return true;
}

void give(SourceState& state, const std::string& name, const std::string& text) {
  const auto found = std::find_if(state.given.begin(), state.given.end(), [&](const auto& each) { return each.first == name; });
  if (text.empty() && found == state.given.end()) return;
  if (text.empty())
    state.given.erase(found);
  else if (found != state.given.end())
    found->second = text;
  else
    state.given.emplace_back(name, text);
  ask(state);
}

bool choose(SourceState& state, const std::string& name, std::size_t line) {
  if (!state.reading) return false;
  const SourceVariable* found = nullptr;
  for (const SourceVariable& each : state.reading->variables) {
    if (each.name == name && (!found || found->line < line)) found = &each;
  }
  if (!found) return false;
  choose(state, *found);
  if (fits(state)) go_to(state.editor, found->span.begin);
  return true;
}

PanesOutput draw_source(Ui& ui, const PanesInput& input, SourceState& state, const ScreenRect& area) {
  PanesOutput out;
  collect(state);
  const ImGuiIO& io = ImGui::GetIO();
  const bool has_keys = !io.WantTextInput && state.typed_of.empty() && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId);
  if (has_keys) move_choice(state);
  const float top = area.a.y + ui.px(kHead);
  const bool closes = draw_head(ui, state, {area.a, {area.b.x, top}}, out);
  if (closes || (has_keys && key_pressed(ImGuiKey_Escape))) {
    state.open = false;
    return out;
  }
  const float width = area.b.x - area.a.x, height = area.b.y - top, bar = ui.px(5);
  const bool beside = width >= ui.px(kBeside);
  ScreenRect of_text{{area.a.x, top}, area.b}, of_side{{area.a.x, top}, area.b};
  if (beside) {
    float units = state.text_width > 0 ? state.text_width : width * 0.56f / ui.scale;
    const float split = area.a.x + std::round(std::min(ui.px(units), width - ui.px(320)));
    of_text.b.x = split;
    of_side.a.x = split + bar;
    if (splitter(ui, "source", {split, top}, {bar, height}, true, units, 360, width / ui.scale - 320, 1)) state.text_width = units;
  } else {
    of_text.b.y = of_side.a.y = top + std::round(height * 0.45f);
  }
  const SourceVariable* shown = draw_text(ui, input, state, of_text);
  const bool pictured = state.reading && shown && shown->value && has_picture(*shown->value);
  const float tall = of_side.b.y - of_side.a.y, split = pictured ? of_side.a.y + std::round(tall * (beside ? 0.52f : 0.45f)) : of_side.b.y;
  if (pictured) draw_picture(ui, input, state, *shown, {{of_side.a.x, split}, of_side.b});
  if (!pictured) state.hovered.reset();
  out.hovered = state.hovered;
  if (!beside) {
    Region all(ui, "Variable", of_side.a, {of_side.b.x - of_side.a.x, split - of_side.a.y}, ui.theme.panel, 12);
    if (!state.reading) return text(ui, "reading ...", ui.theme.dim, ui.fonts.body), out;
    draw_tabs(ui, state, shown);
    draw_outside(ui, state);
    return out;
  }
  // Of what is left about half, at most, is what the program takes from outside.
  Region region(ui, "Source side", of_side.a, {of_side.b.x - of_side.a.x, split - of_side.a.y}, ui.theme.panel, 0, false);
  if (!state.reading) {
    ImGui::SetCursorScreenPos({of_side.a.x + ui.px(14), of_side.a.y + ui.px(14)});
    text(ui, "reading ...", ui.theme.dim, ui.fonts.body);
    return out;
  }
  const float middle = of_side.a.y + std::round(std::min(state.outside_height, (split - of_side.a.y) * 0.55f));
  {
    Region outside(ui, "Outside", of_side.a, {of_side.b.x - of_side.a.x, middle - of_side.a.y}, ui.theme.panel, 12);
    draw_outside(ui, state);
    state.outside_height = ImGui::GetCursorPosY() + ui.px(8);
  }
  {
    Region facts(ui, "Variable", {of_side.a.x, middle}, {of_side.b.x - of_side.a.x, split - middle}, ui.theme.panel, 12);
    ImGui::GetWindowDrawList()->AddLine({of_side.a.x, middle + 0.5f}, {of_side.b.x, middle + 0.5f}, ui.theme.border);
    draw_tabs(ui, state, shown);
  }
  return out;
}

}  // namespace tessera::studio
