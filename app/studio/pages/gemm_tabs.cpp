// SPDX-License-Identifier: BSD-3-Clause
// What stands below the picture: the result, the plan's program, the kernel's source with its operations, and its machine code.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/studio/pages/gemm_page.hpp"
#include "app/studio/panels/gemm_parts.hpp"
#include "core/base/budget.hpp"

namespace tessera::studio {
namespace {

const ProgramLine* line_of(const LiveState& state, std::optional<std::size_t> number) {
  return state.shown && number && *number < state.shown->program.size() ? &state.shown->program[*number] : nullptr;
}

// Its line of the program; nothing where the operation is of another plan.
std::optional<std::size_t> number_of_op(const LiveState& state, const plan::Op* op) {
  if (!op || !state.shown) return std::nullopt;
  const auto& program = state.shown->program;
  const auto found = std::find_if(program.begin(), program.end(), [&](const ProgramLine& line) { return line.op == op; });
  if (found == program.end()) return std::nullopt;
  return static_cast<std::size_t>(found - program.begin());
}

// An operation that is under the mouse or lit with what is, here or in the picture.
bool is_lit(const LiveState& state, const plan::Op* op) {
  const ProgramLine* hot = line_of(state, state.hot);
  return op && ((hot && hot->op == op) || std::find(state.hot_ops.begin(), state.hot_ops.end(), op) != state.hot_ops.end());
}

bool has_source(const LiveState& state) {
  return state.settled && state.shown && state.settled->plan == state.shown->plan && state.settled->source && *state.settled->source;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// A row of a list of lines that is as high as all of them: only those that are seen are drawn. Gives whether it was pressed.
struct ListedLine {
  std::string_view text, role, label;
  float indent = 0;
  bool chosen = false, lit = false;
  ImU32 color = 0;
};
struct Pressed {
  bool pressed = false, hovered = false;
};
Pressed draw_listed(Ui& ui, const ListedLine& line, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(std::max(ImGui::GetContentRegionAvail().x, 1.0f), height);
  Pressed made;
  made.pressed = ImGui::InvisibleButton("line", size);
  made.hovered = ImGui::IsItemHovered();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (line.chosen || line.lit || made.hovered)
    list->AddRectFilled(at, end, line.chosen ? ui.theme.accent_soft : line.lit ? faded(ui.theme.accent, 0.12f) : ui.theme.hover, ui.px(3));
  const Face& face = ui.fonts.mono_small;
  const std::string shown = elided(face, line.text, size.x - line.indent - ui.px(8));
  list->AddText(face.font, face.size, {at.x + line.indent + ui.px(4), std::round(at.y + (height - face.size) / 2)}, line.color,
                shown.c_str());
  ui.recorder.add(line.label, line.role, line.chosen ? "selected" : line.lit ? "lit" : "", at, end);
  return made;
}

template <class Draw>
void draw_rows(std::size_t count, float height, Draw draw) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      ImGui::PushID(i);
      draw(static_cast<std::size_t>(i));
      ImGui::PopID();
    }
  }
  clipper.End();
  ImGui::PopStyleVar();
}

float row_height(const Ui& ui) { return std::round(ui.fonts.mono_small.size * 1.45f); }

// The operation that is chosen or under the mouse, in the plan's words, and what of the picture it is.
void draw_chosen(Ui& ui, const LiveState& state) {
  std::optional<std::size_t> number = state.hot;
  if (!number && !state.hot_ops.empty()) number = number_of_op(state, state.hot_ops.front());
  const ProgramLine* line = line_of(state, number ? number : state.line);
  std::string words = "Choose a line: its operation is said here, and its bars or the cells that it touches light up.";
  if (line) words = line->why.empty() ? line->text : line->text + ": " + line->why;
  if (line && state.hot_ops.size() > 1 && !state.hot) words += fmt::format(", and {} more", state.hot_ops.size() - 1);
  if (line && !state.lit.words.empty()) words += fmt::format("   [{}]", state.lit.words);
  text(ui, elided(ui.fonts.small, words, ImGui::GetContentRegionAvail().x), line ? ui.theme.accent : ui.theme.dim, ui.fonts.small);
  if (ImGui::IsItemHovered() && line) tooltip(ui, words);
  ui.recorder.add(words, "operation", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

// The list goes to the chosen line.
void reveal_row(Ui& ui, LiveState& state, float top, std::ptrdiff_t row) {
  if (state.reveal == 0) return;
  --state.reveal;
  ImGui::SetScrollY(std::max(top + row_height(ui) * static_cast<float>(row) - ui.px(60), 0.0f));
}

void draw_plan_tab(Ui& ui, LiveState& state) {
  if (!state.shown) return text(ui, "no plan yet", ui.theme.dim, ui.fonts.body);
  draw_chosen(ui, state);
  heading(ui, "PROGRAM   a click shows the source of the operation");
  const auto& program = state.shown->program;
  std::optional<std::size_t> hot;
  if (state.line) reveal_row(ui, state, ImGui::GetCursorPosY(), static_cast<std::ptrdiff_t>(*state.line));
  draw_rows(program.size(), row_height(ui), [&](std::size_t i) {
    const ProgramLine& line = program[i];
    const float indent = ui.px(12) * static_cast<float>(line.depth);
    const Pressed made = draw_listed(
        ui, {line.text, "plan line", line.text, indent, state.line == i, is_lit(state, line.op), line.op ? ui.theme.text : ui.theme.dim},
        row_height(ui));
    if (made.hovered && line.op) hot = i;
    if (!made.pressed || !line.op) return;
    state.line = i;
    state.tab = LiveTab::source;
    state.reveal = 3;
  });
  state.hot = hot;
  heading(ui, "LAYOUTS");
  draw_plan_lines(ui, state.shown->lines);
}

void draw_source_tab(Ui& ui, LiveState& state) {
  if (!has_source(state)) {
    const bool refused = state.settled && state.shown && state.settled->plan == state.shown->plan && state.settled->source;
    if (refused)
      draw_refused(ui, state.settled->source->error());
    else
      text(ui, state.refused ? "a GEMM that is refused has no source" : "writing the source ...", ui.theme.dim, ui.fonts.body);
    return;
  }
  const std::vector<emitting::SourceLine>& lines = **state.settled->source;
  draw_chosen(ui, state);
  const plan::Op* chosen = line_of(state, state.line) ? line_of(state, state.line)->op : nullptr;
  const float height = row_height(ui);
  const auto first = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.op && line.op == chosen; });
  if (first == lines.end()) state.reveal = 0;
  reveal_row(ui, state, ImGui::GetCursorPosY(), first - lines.begin());
  const plan::Op* hot = nullptr;
  draw_rows(lines.size(), height, [&](std::size_t i) {
    const emitting::SourceLine& line = lines[i];
    const bool comment = line.text.find("//") == line.text.find_first_not_of(' ');
    const Pressed made = draw_listed(ui,
                                     {line.text, "source line", line.text, 0, line.op && line.op == chosen, is_lit(state, line.op),
                                      comment ? ui.theme.dim : ui.theme.text},
                                     height);
    if (made.hovered) hot = line.op;
    if (made.pressed) state.line = number_of_op(state, line.op);
  });
  state.hot = number_of_op(state, hot);
}

bool is_compiled(const LiveState& state) { return state.machine && state.shown && state.machine->of == state.shown->spec_text; }

// What ptxas remarked of the machine code that was asked for.
void draw_remarks(Ui& ui, const LiveState& state) {
  if (!is_compiled(state)) return;
  for (const std::string& remark : state.machine->ptxas) {
    const std::string words = "ptxas: " + remark;
    const bool is_calm = remark == "none" || remark.find(" (allowed)") != remark.npos;
    wrapped_text(ui, words, is_calm ? ui.theme.dim : ui.theme.warn, ui.fonts.body);
    ui.recorder.add(words, "ptxas", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
}

void draw_machine_tab(Ui& ui, LiveState& state, bool sass) {
  if (!state.shown || state.refused) return text(ui, "there is no plan to be compiled", ui.theme.dim, ui.fonts.body);
  if (!is_compiled(state)) {
    if (state.compiling.under_way) {
      text(ui, fmt::format("compiling, at most {} s ...", state.compiler.limit.count() / 1000), ui.theme.dim, ui.fonts.body);
      if (button(ui, "Stop compiling", ButtonLook::danger)) state.compiling.jobs->stop();
      return;
    }
    wrapped_text(ui, "From kept cubins, else by NVRTC, for the plan's own architecture; in a process of its own.", ui.theme.dim,
                 ui.fonts.body);
    if (button(ui, "Compile", ButtonLook::primary, true, "No GPU is needed")) {
      state.compiling.ask([spec = state.shown->spec, of = state.shown->spec_text, by = state.compiler](const std::stop_token& stop) {
        return or_refusal([&] { return kernel_texts_apart(*spec, by, stop); },
                          [&](const char* why) {
                            const Error error{ErrorCode::limit, why, {}, {}};
                            return KernelTexts{of, error, error, {}};
                          });
      });
    }
    return;
  }
  const Result<std::string>& made = sass ? state.machine->sass : state.machine->ptx;
  if (!made) {
    draw_refused(ui, made.error());
    if (button(ui, "Compile again", ButtonLook::quiet)) state.machine.reset();
    return;
  }
  draw_remarks(ui, state);
  const std::vector<std::string_view> lines = lines_in(*made);
  draw_rows(lines.size(), row_height(ui), [&](std::size_t i) {
    (void)draw_listed(ui, {lines[i], "machine line", lines[i], 0, false, false, ui.theme.text}, row_height(ui));
  });
}

void draw_result_tab(Ui& ui, LiveState& state, const LiveInput& input) {
  static const Recordings nothing;
  const bool fits = state.settled && state.shown && !state.refused && state.settled->spec_text == state.shown->spec_text;
  // Who is asked for a prediction does not see the answer beside the question.
  const bool is_covered = state.asking.open && fits && !state.settled->recorded.own.empty();
  draw_result(ui, input.run, fits && !is_covered ? state.settled->recorded : nothing);
  if (is_covered)
    wrapped_text(ui, "What was recorded of this plan is shown again when the question is answered.", ui.theme.dim, ui.fonts.body);
  draw_remarks(ui, state);
  const auto& runs = state.history.runs();
  const auto last = std::find_if(runs.rbegin(), runs.rend(), [&](const RunRow& run) { return run.binding == state.binding; });
  if (last != runs.rend() && !last->verdict.empty() && !input.run.job) {
    wrapped_text(ui, last->verdict, last->verdict.starts_with("Right") ? ui.theme.good : ui.theme.warn, ui.fonts.body);
    ui.recorder.add(last->verdict, "verdict", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
  if (input.run.job || !state.shown || state.refused) return;
  ImGui::Dummy({0, ui.px(4)});
  if (button(ui, state.pinned ? "Pin this as A instead" : "Pin this as A", ButtonLook::plain, true,
             "What it becomes is compared with it, under A and B")) {
    pin_present(state, input);
    state.tab = LiveTab::compare;
  }
}

}  // namespace

void pin_present(LiveState& state, const LiveInput& input) {
  RunRow run;
  run.binding = state.binding;
  run.expression = input.session.expression(state.binding);
  run.spec = state.of_text;
  state.pinned = PinnedGemm{std::move(run), std::nullopt};
  if (input.run.report && *input.run.report) state.pinned->report = **input.run.report;
  state.compared = {};
  state.difference.reset();
}

Answer draw_live_tab(Ui& ui, LiveState& state, const LiveInput& input) {
  if (state.tab != LiveTab::plan && state.tab != LiveTab::source) state.hot.reset();
  switch (state.tab) {
    case LiveTab::result: return draw_result_tab(ui, state, input), Answer();
    case LiveTab::plan: return draw_plan_tab(ui, state), Answer();
    case LiveTab::source: return draw_source_tab(ui, state), Answer();
    case LiveTab::ptx: return draw_machine_tab(ui, state, false), Answer();
    case LiveTab::sass: return draw_machine_tab(ui, state, true), Answer();
    case LiveTab::history: return draw_history(ui, state, input.session);
    case LiveTab::compare: return draw_live_comparison(ui, state, input);
  }
  return {};
}

}  // namespace tessera::studio
