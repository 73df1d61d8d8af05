// SPDX-License-Identifier: BSD-3-Clause
// The GEMM page: where the figures come from, whether the product is right, how fast it was, and the plan that was run.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/studio/panels/gemm_parts.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/base/units.hpp"

namespace tessera::studio {
namespace {

ImU32 color_of(const Ui& ui, Provenance provenance) {
  switch (provenance) {
    case Provenance::live: return ui.theme.live;
    case Provenance::emulated: return ui.theme.emulated;
    case Provenance::recorded: return ui.theme.recorded;
  }
  return ui.theme.dim;
}

// The band over everything: LIVE, SIMULATED or RECORDED, never to be mistaken.
void draw_band(Ui& ui, std::string_view word, std::string_view rest, ImU32 color) {
  const Face &strong = ui.fonts.strong, &small = ui.fonts.small;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, margin = ui.px(14), gap = ui.px(12);
  const float word_width = text_size(strong.font, strong.size, word.data(), word.data() + word.size()).x;
  const float rest_width = text_size(small.font, small.size, rest.data(), rest.data() + rest.size()).x;
  // What has no room behind the word stands below it.
  const bool behind = word_width + gap + rest_width <= width - 2 * margin;
  const std::string words(rest);
  const float wrap = width - 2 * margin, below = behind ? 0 : small.font->CalcTextSizeA(small.size, 3.0e38f, wrap, words.c_str()).y;
  const float height = ui.px(34) + below;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, faded(color, 0.17f), ui.px(6));
  list->AddRectFilled(at, {at.x + ui.px(4), at.y + height}, color, ui.px(2));
  list->AddText(strong.font, strong.size, {at.x + margin, at.y + ui.px(8)}, color, word.data(), word.data() + word.size());
  const ImVec2 rest_at = behind ? ImVec2(at.x + margin + word_width + gap, at.y + ui.px(10)) : ImVec2(at.x + margin, at.y + ui.px(28));
  list->AddText(small.font, small.size, rest_at, ui.theme.dim, words.c_str(), nullptr, behind ? 0 : wrap);
  ui.recorder.add(word, "band", rest, at, {at.x + width, at.y + height});
  ImGui::Dummy({width, height + ui.px(4)});
}

void draw_light(Ui& ui, const GemmReport& report) {
  const ImU32 color = !report.checked ? ui.theme.faint : report.correct ? ui.theme.good : ui.theme.bad;
  const std::string words = !report.checked ? "not checked" : report.correct ? "correct" : "WRONG";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float r = ui.px(7);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled({at.x + r, at.y + r + ui.px(2)}, r * 1.7f, faded(color, 0.2f), 24);
  list->AddCircleFilled({at.x + r, at.y + r + ui.px(2)}, r, color, 24);
  ImGui::SetCursorScreenPos({at.x + ui.px(26), at.y});
  text(ui, words, color, ui.fonts.strong);
  ui.recorder.add(words, "light", "", at, {at.x + ui.px(100), at.y + ui.px(18)});
  if (!report.checked) return;
  ImGui::SameLine(0, ui.px(10));
  text(ui, fmt::format("|C - reference| <= {:g}", report.largest_error), ui.theme.dim, ui.fonts.mono_small);
  if (!report.tolerance.empty()) wrapped_text(ui, report.tolerance, ui.theme.dim, ui.fonts.small);
}

// Beside the one before it where there is room, else below.
void big_number(Ui& ui, const std::string& number, const std::string& unit, bool is_first) {
  const Face &large = ui.fonts.title, &small = ui.fonts.small;
  const float wide = text_size(large.font, large.size, number.data(), number.data() + number.size()).x + ui.px(5) +
                     text_size(small.font, small.size, unit.data(), unit.data() + unit.size()).x;
  if (!is_first) {
    ImGui::SameLine(0, ui.px(20));
    if (ImGui::GetContentRegionAvail().x < wide)
      ImGui::NewLine();
    else
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(5));
  }
  text(ui, number, ui.theme.text, large);
  ImGui::SameLine(0, ui.px(5));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(5));
  text(ui, unit, ui.theme.dim, small);
}

// A bar of ours beside the baseline's.
void draw_bar(Ui& ui, const char* label, double tflops, double most, ImU32 color) {
  text(ui, label, ui.theme.dim, ui.fonts.small);
  ImGui::SameLine(ui.px(92));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = (ImGui::GetContentRegionAvail().x - ui.px(110)) * static_cast<float>(most > 0 ? tflops / most : 0);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + ui.px(2)}, {at.x + std::max(width, ui.px(2)), at.y + ui.px(13)}, color, ui.px(3));
  ImGui::SetCursorScreenPos({at.x + width + ui.px(6), at.y});
  text(ui, rate_text(1e12 * tflops), ui.theme.text, ui.fonts.mono_small);
}

void draw_report(Ui& ui, const GemmReport& report) {
  const std::string_view word = to_string(report.provenance);
  std::string_view rest = report.headline;
  if (rest.substr(0, word.size()) == word) rest.remove_prefix(std::min(word.size() + 1, rest.size()));  // the band says it larger
  draw_band(ui, word, rest, color_of(ui, report.provenance));
  draw_light(ui, report);
  // A wrong product has no speed.
  if (report.checked && !report.correct) return;
  ImGui::Dummy({0, ui.px(6)});
  bool is_first = true;
  const auto large = [&](const std::string& number, const std::string& unit) {
    big_number(ui, number, unit, std::exchange(is_first, false));
  };
  const auto quantity = [&](const Quantity& shown) { large(shown.number, shown.unit); };
  if (report.tflops) quantity(rate_of(1e12 * *report.tflops));
  if (report.microseconds) quantity(time_of(*report.microseconds));
  if (report.percent_of_baseline) large(percent_text(*report.percent_of_baseline), "of cuBLASLt top-1");
  if (report.percent_of_best) large(percent_text(*report.percent_of_best), fmt::format("of its best of {}", report.ways));
  if (report.tflops && report.baseline_tflops) {
    ImGui::Dummy({0, ui.px(4)});
    const double most = std::max({*report.tflops, *report.baseline_tflops, report.best_tflops.value_or(0)});
    draw_bar(ui, "this kernel", *report.tflops, most, ui.theme.accent);
    draw_bar(ui, "cuBLASLt", *report.baseline_tflops, most, ui.theme.faint);
    if (report.best_tflops) draw_bar(ui, "its best", *report.best_tflops, most, ui.theme.faint);
    // Clocks differ from run to run, so a ratio is of two that ran in turn.
    if (report.best_tflops && report.tflops_beside_best && *report.tflops_beside_best != *report.tflops)
      draw_bar(ui, "beside that", *report.tflops_beside_best, most, ui.theme.accent);
  }
  if (!report.device.empty()) fact(ui, "device", report.device);
  if (!report.date.empty()) fact(ui, "date", report.date);
  if (report.spread_percent) fact(ui, "p10 to p90", percent_text(*report.spread_percent));
  for (const std::string& line : report.lines) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      wrapped_text(ui, line, ui.theme.dim, ui.fonts.body);
    else
      fact(ui, line.substr(0, colon), line.substr(colon + 2));
  }
}

void draw_failure(Ui& ui, const Error& error) {
  draw_band(ui, "NO RESULT", to_string(error.code), ui.theme.bad);
  draw_refused(ui, error);
}

}  // namespace

void draw_progress(Ui& ui, const GemmJob::Progress& progress, std::string_view words) {
  draw_band(ui, "RUNNING", words, ui.theme.warn);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, h = ui.px(6);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + h}, ui.theme.raised, h / 2);
  const float filled = width * static_cast<float>(std::clamp(progress.fraction, 0.02, 1.0));
  list->AddRectFilled(at, {at.x + filled, at.y + h}, ui.theme.accent, h / 2);
  ui.recorder.add("progress", "progress", fmt::format("{} {:.2f}", progress.stage, progress.fraction), at, {at.x + width, at.y + h});
  ImGui::Dummy({width, h + ui.px(6)});
}

void draw_refused(Ui& ui, const Error& error) {
  wrapped_text(ui, error.message, ui.theme.bad, ui.fonts.body);
  for (const std::string& note : error.notes) wrapped_text(ui, note, ui.theme.dim, ui.fonts.body);
}

void draw_result(Ui& ui, const RunOfGemm& of, const Recordings& recorded) {
  if (of.job) {
    const GemmJob::Progress progress = of.job->progress();
    draw_progress(ui, progress, of.emulating ? "on the CPU, thread by thread" : progress.stage);
  } else if (of.report) {
    if (*of.report)
      draw_report(ui, **of.report);
    else
      draw_failure(ui, of.report->error());
  }
  // A simulation has no time: what was recorded stays below it.
  const bool has_live = of.report && *of.report && (*of.report)->tflops;
  if (!of.job && !has_live && !recorded.own.empty()) {
    ImGui::Dummy({0, ui.px(6)});
    draw_report(ui, recorded.own.front());
  } else if (!of.job && !of.report) {
    draw_band(ui, "NOT RUN", of.earlier_report ? "the last result is of an earlier version" : "no result yet", ui.theme.dim);
    if (!recorded.others.empty()) fact(ui, "recorded", "only of another plan: " + recorded.others.front().other_version);
  }
}

void draw_plan_lines(Ui& ui, const std::vector<PlanLine>& lines) {
  for (const PlanLine& line : lines) {
    text(ui, line.name, ui.theme.text, ui.fonts.strong);
    if (!line.map.empty()) {
      ImGui::SameLine(0, ui.px(10));
      text(ui, elided(ui.fonts.small, line.map, ImGui::GetContentRegionAvail().x), ui.theme.dim, ui.fonts.small);
    }
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(4));
    wrapped_text(ui, line.value, line.name == kBeyondSmem ? ui.theme.bad : ui.theme.dim, ui.fonts.mono_small);
  }
}

void draw_limits(Ui& ui, const std::vector<PlanLimit>& limits) {
  constexpr float kGap = 10;  // units between a name and its number
  const float bar = ui.px(4);
  const Face& face = ui.fonts.small;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(2)));
  for (const PlanLimit& each : limits) {
    const bool wrong = each.over() || each.short_of();
    const ImU32 color = each.over() ? ui.theme.bad : each.short_of() ? ui.theme.warn : ui.theme.dim;
    const std::string words = words_of(each);
    const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
    text(ui, each.what, ui.theme.dim, face);
    // Behind the name, at the right, where there is room, else below it.
    const float taken = ImGui::GetItemRectSize().x + ui.px(kGap), wanted = text_size(face.font, face.size, words.c_str(), nullptr).x;
    if (taken + wanted <= room) ImGui::SameLine(left + room - wanted);
    wrapped_text(ui, words, wrong ? color : ui.theme.text, face);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x,
                share = each.of > 0 ? static_cast<float>(each.takes) / static_cast<float>(each.of) : 0;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, {at.x + width, at.y + bar}, ui.theme.raised, bar / 2);
    list->AddRectFilled(at, {at.x + width * std::clamp(share, 0.01f, 1.0f), at.y + bar}, color, bar / 2);
    const char* state = each.over() ? "over" : each.short_of() ? "short" : "within";
    ui.recorder.add(each.what, "limit", fmt::format("{}: {}", state, words_of(each)), at, {at.x + width, at.y + bar});
    ImGui::Dummy({width, bar + ui.px(3)});
  }
  ImGui::PopStyleVar();
}

const GemmPage& GemmPages::get(const Session& session, const std::string& binding, const GemmRequest& request) {
  GemmPage& page = pages_[binding];
  if (page.plan && page.revision == session.values_revision()) return page;
  page.revision = session.values_revision();
  GemmRequest asked = request;
  asked.binding = binding;
  page.plan = plan_of(asked, session.document(), session.bindings());
  page.lines = *page.plan ? describe(**page.plan) : std::vector<PlanLine>();
  page.limits = *page.plan ? limits_of(**page.plan) : std::vector<PlanLimit>();
  page.recorded = *page.plan ? recordings(**page.plan) : Recordings();
  return page;
}

Answer draw_gemm(Ui& ui, const GemmInput& input, const ScreenRect& area) {
  Region region(ui, "GEMM", area.a, {area.b.x - area.a.x, area.b.y - area.a.y}, ui.theme.panel, 16);
  Answer answer;
  if (input.binding.empty()) {
    wrapped_text(ui, "Select a GEMM on the left: a binding such as gemm(m=64, n=96, k=16, mma=...).", ui.theme.dim, ui.fonts.body);
    return answer;
  }
  const bool can_run = input.page.plan && *input.page.plan && !input.run.job && !input.run.other_runs;
  if (button(ui, "Run", ButtonLook::primary, can_run, "Compile, launch, check and time it on the GPU"))
    answer = Do{"gemm.run", {{"binding", input.binding}}};
  ImGui::SameLine();
  if (button(ui, "Simulate", ButtonLook::plain, can_run, "Run it on the CPU, thread by thread: values, never a time"))
    answer = Do{"gemm.emulate", {{"binding", input.binding}}};
  ImGui::SameLine();
  if (button(ui, "Stop", ButtonLook::danger, input.run.job != nullptr)) answer = Do{"gemm.stop"};
  if (button(ui, "Open the live page", ButtonLook::quiet, true, "Its fields to be moved, what follows, runs and their history   F8"))
    answer = Do{"gemm.page"};
  ImGui::Dummy({0, ui.px(4)});
  draw_result(ui, input.run, input.page.recorded);
  if (!input.page.limits.empty()) {
    heading(ui, "LIMITS");
    draw_limits(ui, input.page.limits);
  }
  if (input.page.plan) {
    heading(ui, "PLAN");
    if (*input.page.plan)
      draw_plan_lines(ui, input.page.lines);
    else
      draw_refused(ui, input.page.plan->error());
  }
  return answer;
}

}  // namespace tessera::studio
