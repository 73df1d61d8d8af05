// SPDX-License-Identifier: BSD-3-Clause
// Runs: all there were, each with a note and its way back into the document; and A, pinned, beside what the GEMM is now.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/studio/pages/gemm_page.hpp"
#include "app/studio/panels/gemm_parts.hpp"
#include "core/base/budget.hpp"

namespace tessera::studio {
namespace {

struct Column {
  const char* title;
  float share;  // of the row's width
};
constexpr std::array kColumns = {Column{"time", 0.19f}, Column{"changed", 0.27f}, Column{"result", 0.25f}, Column{"expected", 0.15f},
                                 Column{"note", 0.14f}};
constexpr std::array kFewColumns = {Column{"time", 0.34f}, Column{"changed", 0.33f}, Column{"result", 0.33f}};
constexpr float kAll = 620;  // units of width for all columns

void draw_cells(Ui& ui, std::span<const Column> columns, std::span<const std::string> cells, ImVec2 at, float width, ImU32 color) {
  const Face& face = ui.fonts.small;
  float x = at.x + ui.px(6);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const float room = columns[i].share * (width - ui.px(12));
    const std::string shown = elided(face, cells[i], room - ui.px(8));
    ImGui::GetWindowDrawList()->AddText(face.font, face.size, {x, at.y}, color, shown.c_str());
    x += room;
  }
}

std::string expected_of(const RunRow& run) {
  if (!run.prediction) return "";
  const std::string said = to_string(*run.prediction);
  return run.verdict.empty() ? said : (run.verdict.starts_with("Right") ? "right: " : "not so: ") + said;
}

Answer restore(const LiveState& state, const Session& session, const RunRow& run) {
  return Edit{SetBinding{state.binding, restored(run, scope_of(session.bindings()))}};
}

// What one run was, and what can be done with it.
Answer draw_run(Ui& ui, LiveState& state, const Session& session, std::size_t number) {
  const RunRow& run = state.history.runs()[number];
  Answer answer;
  const bool is_now = run.spec == state.of_text;
  if (button(ui, "Restore the fields", ButtonLook::primary, !is_now,
             is_now ? "They are as they were" : "The GEMM as it was run, as one step that can be undone; a double click does it, too"))
    answer = restore(state, session, run);
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "Pin as A", ButtonLook::plain, true, "What is edited is compared with it, under A and B")) {
    state.pinned = PinnedGemm{run, std::nullopt};
    if (run.refused.empty()) state.pinned->report = numbers_of(run);
    state.compared = {};
    state.tab = LiveTab::compare;
  }
  ImGui::SameLine(0, ui.px(6));
  if (ImGui::GetContentRegionAvail().x < ui.px(70)) ImGui::NewLine();
  const bool forgets = button(ui, "Forget", ButtonLook::danger, true, "Out of the history, here and in its file");
  if (edit_hinted(ui, "note", state.note, "a note")) state.history.set_note(number, state.note);
  wrapped_text(ui, fmt::format("{}: {}", run.binding, result_of(run)), ui.theme.text, ui.fonts.body);
  const auto said = [&](const std::string& words) {
    if (!words.empty()) wrapped_text(ui, words, ui.theme.dim, ui.fonts.small);
  };
  said(date_of(run) + (run.device.empty() ? "" : ", on " + run.device));
  said(run.changed.empty() ? "" : "changed: " + run.changed);
  said(run.verdict.empty() ? expected_of(run) : run.verdict);
  if (is_now) said("The fields are those of this run.");
  wrapped_text(ui, run.spec, ui.theme.dim, ui.fonts.mono_small);
  if (forgets) {
    state.forgotten = state.history.forget(number);
    state.chosen_run.reset();
  }
  return answer;
}

// A time beside another, with the rule about noise.
void draw_times(Ui& ui, const PinnedGemm& a, const GemmReport* b) {
  const auto side = [&](const char* name, const GemmReport* report) {
    const bool timed = report && report->microseconds;
    fact(ui, name,
         timed    ? fmt::format("{}{}", speed_text(*report->microseconds, report->spread_percent, report->tflops),
                             report->device.empty() ? "" : ", " + report->device)
         : report ? std::string("correct, without a time")
                  : std::string("not run"));
  };
  side("A", a.report ? &*a.report : nullptr);
  side("B", b);
  const std::optional<SpeedRatio> ratio = a.report && b ? speed_ratio(*a.report, *b) : std::nullopt;
  if (!ratio) return;
  const std::string words = fmt::format("B beside A: {}", to_string(*ratio));
  wrapped_text(ui, words, ratio->measurable() ? ui.theme.text : ui.theme.dim, ui.fonts.body);
  ui.recorder.add(words, "ratio", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

std::string side_words(const std::optional<GemmReport>& report) {
  if (!report) return "not measured";
  if (!report->correct) return "WRONG";
  return report->microseconds ? speed_text(*report->microseconds, report->spread_percent, report->tflops) : "correct, not timed";
}

void draw_measured_in_turn(Ui& ui, const GemmComparison& made) {
  if (!made.measured_a) return wrapped_text(ui, made.not_measured, ui.theme.warn, ui.fonts.body);
  fact(ui, "A, in turn", side_words(made.measured_a));
  fact(ui, "B, in turn", side_words(made.measured_b));
  const std::optional<SpeedRatio> ratio = speed_ratio(made);
  const std::string words = ratio ? "B beside A, launched in turn: " + to_string(*ratio) : ratio_text(made);
  wrapped_text(ui, words, ratio && ratio->measurable() ? ui.theme.text : ui.theme.dim, ui.fonts.strong);
  ui.recorder.add(words, "in turn", "", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

// Two runs at different times have different clocks: in one run their launches alternate.
void draw_in_turn(Ui& ui, LiveState& state, const LiveInput& input, Answer& answer) {
  const bool can_run = state.of && !state.refused && !input.run.job && !input.run.other_runs;
  if (input.in_turn) {
    const GemmJob::Progress progress = input.in_turn->progress();
    return draw_progress(ui, progress, fmt::format("A and B in turn: {}", progress.stage));
  }
  if (button(ui, "Run A and B in turn", ButtonLook::primary, can_run,
             "In one run, their launches in turn, so that both meet the same clock"))
    answer = Do{"gemm.run", {{"binding", state.binding}, {"against", state.pinned->run.spec}}};
  if (!state.in_turn || !state.in_turn->made) return;
  const InTurn& last = *state.in_turn;
  if (last.a != state.pinned->run.spec || last.b != state.of_text)
    return text(ui, "the last run in turn is of another A or B", ui.theme.dim, ui.fonts.small);
  if (!*last.made) return draw_refused(ui, last.made->error());
  draw_measured_in_turn(ui, **last.made);
}

GemmRequest request_of(const std::string& spec) {
  GemmRequest request;
  request.document = spec;
  return request;
}

}  // namespace

namespace {

// A row each, the newest first. One click selects, two restore.
Answer draw_runs(Ui& ui, LiveState& state, const Session& session) {
  const auto& runs = state.history.runs();
  Answer answer;
  const float width = ImGui::GetContentRegionAvail().x, height = std::round(ui.fonts.small.size * 1.7f);
  const std::span<const Column> columns = width < ui.px(kAll) ? std::span<const Column>(kFewColumns) : std::span<const Column>(kColumns);
  std::array<std::string, kColumns.size()> titles;
  for (std::size_t i = 0; i < columns.size(); ++i) titles[i] = columns[i].title;
  draw_cells(ui, columns, titles, ImGui::GetCursorScreenPos(), width, ui.theme.dim);
  ImGui::Dummy({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(runs.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const RunRow& run = runs[runs.size() - 1 - static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (ImGui::InvisibleButton("run", {std::max(width, 1.0f), height}) && state.chosen_run != run.at_ns)
        state.chosen_run = run.at_ns, state.note = run.note;
      const bool is_chosen = state.chosen_run == run.at_ns, hovered = ImGui::IsItemHovered();
      if (is_chosen && hovered && ImGui::IsMouseDoubleClicked(0) && run.spec != state.of_text) answer = restore(state, session, run);
      const ImVec2 end(at.x + width, at.y + height);
      if (is_chosen || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled(at, end, is_chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(3));
      const std::string changed = run.changed.empty() ? "the first of " + run.binding : run.changed;
      const std::array<std::string, kColumns.size()> cells = {date_of(run), changed, result_of(run), expected_of(run), run.note};
      draw_cells(ui, columns, cells, {at.x, at.y + (height - ui.fonts.small.size) / 2}, width,
                 run.refused.empty() ? ui.theme.text : ui.theme.dim);
      ui.recorder.add(date_of(run), "run", fmt::format("{}{}", is_chosen ? "selected " : "", result_of(run)), at, end);
      ImGui::PopID();
    }
  }
  clipper.End();
  ImGui::PopStyleVar();
  return answer;
}

Answer draw_chosen_run(Ui& ui, LiveState& state, const Session& session) {
  const auto& runs = state.history.runs();
  const auto chosen = std::find_if(runs.begin(), runs.end(), [&](const RunRow& run) { return state.chosen_run == run.at_ns; });
  Answer answer;
  if (chosen != runs.end())
    answer = draw_run(ui, state, session, static_cast<std::size_t>(chosen - runs.begin()));
  else
    wrapped_text(ui, "A click on a run shows what it was; two bring its fields back.", ui.theme.dim, ui.fonts.body);
  if (!state.forgotten) return answer;
  wrapped_text(ui, "forgotten: " + date_of(*state.forgotten), ui.theme.dim, ui.fonts.small);
  if (button(ui, "Keep it after all", ButtonLook::quiet)) {
    state.chosen_run = state.forgotten->at_ns, state.note = state.forgotten->note;
    state.history.bring_back(*std::exchange(state.forgotten, std::nullopt));
  }
  return answer;
}

}  // namespace

// The list stays where it is, whatever stands beside it: what is clicked twice is one row.
Answer draw_history(Ui& ui, LiveState& state, const Session& session) {
  if (state.history.runs().empty() && !state.forgotten) {
    wrapped_text(ui, "No run yet. Each one is kept with what changed before it, what was expected and a note.", ui.theme.dim,
                 ui.fonts.body);
    return {};
  }
  constexpr float kBeside = 560, kDetails = 300, kLeast = 240;  // units
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const bool beside = room.x >= ui.px(kBeside);
  const float height = std::max(room.y, ui.px(beside ? kLeast : 2 * kLeast));
  const ImVec2 list = beside ? ImVec2(room.x - ui.px(kDetails), height) : ImVec2(room.x, std::round(height / 2));
  const ImVec2 details = beside ? ImVec2(ui.px(kDetails), height) : ImVec2(room.x, height - list.y);
  Answer answer;
  {
    Region region(ui, "Live runs", at, list, ui.theme.window);
    answer = draw_runs(ui, state, session);
  }
  {
    Region region(ui, "Live run", beside ? ImVec2(at.x + list.x, at.y) : ImVec2(at.x, at.y + list.y), details, ui.theme.window, 8);
    if (Answer made = draw_chosen_run(ui, state, session)) answer = std::move(made);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({room.x, height - ui.px(1)});
  return answer;
}

Answer draw_live_comparison(Ui& ui, LiveState& state, const LiveInput& input) {
  if (!state.pinned) {
    wrapped_text(ui,
                 "Pin a GEMM as A: what it becomes (B) stands beside it, with the fields that differ, both times, and the difference of "
                 "plan and source.",
                 ui.theme.dim, ui.fonts.body);
    if (button(ui, "Pin this as A", ButtonLook::primary, state.of != nullptr && !state.refused)) pin_present(state, input);
    return {};
  }
  Answer answer;
  const PinnedGemm& a = *state.pinned;
  if (button(ui, "Unpin", ButtonLook::quiet)) {
    state.pinned.reset();
    return answer;
  }
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "Bring A back", ButtonLook::plain, true, "The GEMM as it was pinned, as one step that can be undone"))
    answer = Edit{SetBinding{state.binding, restored(a.run, scope_of(input.session.bindings()))}};
  draw_times(ui, a, input.run.report && *input.run.report ? &**input.run.report : nullptr);
  draw_in_turn(ui, state, input, answer);
  if (!state.of || state.refused) return wrapped_text(ui, "B is refused as it is.", ui.theme.bad, ui.fonts.body), answer;
  const std::pair wanted(a.run.spec, state.of_text);
  if (state.compared != wanted && !state.comparing.under_way) {
    state.compared = wanted;
    state.comparing.ask([wanted](const std::stop_token&) {
      return or_refusal(
          [&] {
            const DefaultBudget budget;
            return diff(request_of(wanted.first), request_of(wanted.second));
          },
          [](const char* why) {
            return Result<GemmDiff>(Error{ErrorCode::limit, why, {}, {}});
          });
    });
  }
  if (!state.difference) return text(ui, "comparing ...", ui.theme.dim, ui.fonts.body), answer;
  if (!*state.difference) return draw_refused(ui, state.difference->error()), answer;
  const GemmDiff& made = **state.difference;
  heading(ui, "FIELDS");
  for (const std::string& change : made.changes) wrapped_text(ui, change, ui.theme.text, ui.fonts.mono_small);
  if (made.changes.empty()) text(ui, "both ask for the same kernel", ui.theme.dim, ui.fonts.body);
  for (const auto& [title, source] : {std::pair("Their plans", false), std::pair("Their sources", true)}) {
    if (source) ImGui::SameLine(0, ui.px(6));
    if (tab(ui, title, state.differs_in_source == source)) state.differs_in_source = source;
  }
  draw_diff_lines(ui, state.differs_in_source ? made.source : made.plan);
  return answer;
}

}  // namespace tessera::studio
