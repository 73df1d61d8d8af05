// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/gemm_page.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "app/session/document/evaluation.hpp"
#include "core/base/budget.hpp"

namespace tessera::studio {
namespace {

constexpr float kThreeColumns = 1180, kTwoColumns = 640, kBeside = 560;  // units of width
constexpr float kControls = 300, kNumbers = 300, kFewNumbers = 272;

std::shared_ptr<const GemmSpec> gemm_of(const EvaluatedBinding* binding) {
  const auto* spec = binding && binding->value ? std::get_if<std::shared_ptr<const GemmSpec>>(&binding->value->any) : nullptr;
  return spec ? *spec : nullptr;
}

// A GEMM without a name of its own is called as its binding is: recordings are found by it.
std::shared_ptr<const GemmSpec> named(const std::shared_ptr<const GemmSpec>& spec, const std::string& binding) {
  if (spec->name != GemmSpec{}.name) return spec;
  auto made = std::make_shared<GemmSpec>(*spec);
  made->name = binding;
  return made;
}

LiveGemm refused_gemm(const std::shared_ptr<const GemmSpec>& spec, const char* why) {
  LiveGemm made;
  made.spec = spec;
  made.refused = Error{ErrorCode::limit, why, {}, {}};
  return made;
}

void ask_for_plan(LiveState& state, std::shared_ptr<const GemmSpec> spec) {
  state.of = spec;
  state.of_text = spec_text(*spec, state.binding);
  state.of_device = state.device;
  state.plans.ask([spec = named(spec, state.binding), device = state.device](const std::stop_token&) {
    return or_refusal(
        [&] {
          const DefaultBudget budget;
          return live_gemm(spec, device);
        },
        [&](const char* why) { return refused_gemm(spec, why); });
  });
}

void ask_for_rest(LiveState& state) {
  state.rest_of = state.shown->spec_text;
  state.rest.ask([of = *state.shown](const std::stop_token&) {
    return or_refusal(
        [&] {
          const DefaultBudget budget;
          return settled_gemm(of);
        },
        [&](const char*) {
          return SettledGemm{.spec_text = of.spec_text, .plan = of.plan, .touches = {}, .accesses = {}, .recorded = {}};
        });
  });
}

// Only for the picture in time.
void ask_for_bars(LiveState& state) {
  if (state.picture != "timeline" || !state.shown || state.finding_bars.under_way) return;
  if (state.bars && state.bars->first == state.shown->plan) return;
  state.finding_bars.ask([plan = state.shown->plan](const std::stop_token&) {
    return std::pair(plan, or_refusal(
                               [&] {
                                 const DefaultBudget budget;
                                 return bars_of(*plan);
                               },
                               [](const char*) { return BarOperations(); }));
  });
}

void take_plan(LiveState& state) {
  std::optional<LiveGemm> made = state.plans.take();
  if (!made) return;
  state.present = std::move(made);
  state.refused = state.present->refused;
  if (!state.present->plan) return;
  state.shown = state.present;
  state.hot.reset(), state.hot_ops.clear(), state.lit = {};  // operations of the plan before
  if (state.line && *state.line >= state.shown->program.size()) state.line.reset();
}

// The page begins anew with another GEMM.
void be_about(LiveState& state, std::string binding) {
  state.binding = std::move(binding);
  state.of.reset();
  state.present.reset(), state.shown.reset(), state.settled.reset(), state.refused.reset();
  state.controls.clear(), state.controls_of = {};
  state.line.reset(), state.machine.reset();
  state.hot.reset(), state.hot_ops.clear(), state.lit = {};
  state.asking = {};
}

void draw_question(Ui& ui, LiveState& state, Answer& answer) {
  Asking& asking = state.asking;
  const RunRow* last = state.history.last_timed(state.binding);
  wrapped_text(ui,
               last ? fmt::format("Beside the last result, {}: will it be faster or slower, and by how much?", result_of(*last))
                    : std::string("Beside cuBLASLt: will it be faster or slower, and by how much?"),
               ui.theme.accent, ui.fonts.body);
  constexpr std::pair<const char*, Prediction::Says> kSays[] = {
      {"Faster", Prediction::Says::faster}, {"Slower", Prediction::Says::slower}, {"No difference", Prediction::Says::same}};
  for (const auto& [word, says] : kSays) {
    if (button(ui, word, asking.says == says ? ButtonLook::primary : ButtonLook::plain)) asking.says = says;
    ImGui::SameLine(0, ui.px(6));
  }
  ImGui::NewLine();
  if (asking.says != Prediction::Says::same) {
    const std::string percent = fmt::format("by {:.0f} %", asking.percent), name = "expected percent";
    if (const auto moved = drag_numbers(ui, {name, percent}, state.drag))
      asking.percent = std::clamp(std::strtod(moved->c_str() + std::string_view("by ").size(), nullptr), 0.0, 10000.0);
  }
  const auto run = [&](std::optional<Prediction> said) {
    asking.said = said;
    asking.open = false, asking.answered = true;
    answer = Do{"gemm.run", {{"binding", state.binding}}};
  };
  if (button(ui, "Say it and run", ButtonLook::primary))
    run(Prediction{asking.says, asking.says == Prediction::Says::same ? 0 : asking.percent});
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "Run without saying", ButtonLook::plain)) run(std::nullopt);
  ImGui::SameLine(0, ui.px(6));
  if (ImGui::GetContentRegionAvail().x < ui.px(80)) ImGui::NewLine();
  if (button(ui, "Not now", ButtonLook::quiet)) asking = {};
}

void draw_head(Ui& ui, LiveState& state, const LiveInput& input, Answer& answer) {
  text(ui, elided(ui.fonts.title, "Live: " + state.binding, ImGui::GetContentRegionAvail().x), ui.theme.text, ui.fonts.title);
  const bool can_run = state.present && state.present->plan && !state.refused && !input.run.job && !input.run.other_runs;
  if (button(ui, "Run", ButtonLook::primary, can_run, "Compile, launch, check and time it on the GPU"))
    answer = Do{"gemm.run", {{"binding", state.binding}}};
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "Simulate", ButtonLook::plain, can_run, "Run it on the CPU, thread by thread: values, never a time"))
    answer = Do{"gemm.emulate", {{"binding", state.binding}}};
  ImGui::SameLine(0, ui.px(6));
  if (button(ui, "Stop", ButtonLook::danger, input.run.job != nullptr || input.in_turn != nullptr)) answer = Do{"gemm.stop"};
  ImGui::SameLine(0, ui.px(6));
  if (ImGui::GetContentRegionAvail().x < ui.px(60)) ImGui::NewLine();
  if (button(ui, "Close", ButtonLook::quiet, true, "Escape")) state.open = false;
  if (state.asking.open && !input.run.job) draw_question(ui, state, answer);
  if (Answer made = draw_places(ui, state, input)) answer = std::move(made);
  if (state.refused) {
    ImGui::Dummy({0, ui.px(4)});
    badge(ui, "REFUSED", ui.theme.bad);
    wrapped_text(ui, state.refused->message, ui.theme.bad, ui.fonts.body);
    for (const std::string& note : state.refused->notes) wrapped_text(ui, note, ui.theme.dim, ui.fonts.small);
    if (state.shown) wrapped_text(ui, "Picture and numbers are of the last plan that was not refused.", ui.theme.dim, ui.fonts.small);
  }
}

void draw_models(Ui& ui, const std::vector<ModelLine>& lines) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, ui.px(4)));
  for (const ModelLine& line : lines) {
    text(ui, line.what, ui.theme.text, ui.fonts.strong);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ui.px(3));
    wrapped_text(ui, line.sentence, line.refused ? ui.theme.faint : ui.theme.dim, ui.fonts.small);
    ui.recorder.add(line.what, "model", line.sentence, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (ImGui::IsItemHovered() && !line.rules.empty()) {
      std::string rules;
      for (const std::string& rule : line.rules) rules += (rules.empty() ? "" : "\n") + rule;
      tooltip(ui, rules);
    }
  }
  ImGui::PopStyleVar();
}

void draw_numbers_of(Ui& ui, const LiveState& state) {
  if (!state.shown) return text(ui, state.plans.under_way ? "planning ..." : "", ui.theme.dim, ui.fonts.body);
  heading(ui, "LIMITS, of the plan");
  draw_limits(ui, state.shown->limits);
  if (!state.shown->models.empty())
    heading(ui, fmt::format("MODELLED for {}, not measured", state.shown->models.empty() ? "" : state.of_device));
  draw_models(ui, state.shown->models);
  if (state.settled && !state.settled->accesses.empty()) {
    heading(ui, "COUNTED, one CTA's first k-tile and epilogue");
    draw_models(ui, state.settled->accesses);
    if (state.settled->spec_text != state.shown->spec_text) text(ui, "of the plan before", ui.theme.warn, ui.fonts.small);
  }
}

CanvasOutput draw_picture(Ui& ui, LiveState& state, const LiveInput& input, const ScreenRect& area) {
  constexpr std::pair<const char*, const char*> kPictures[] = {{"Picture", ""}, {"In time", "timeline"}};
  const float row = ui.px(30);
  {
    Region region(ui, "Live picture", area.a, {area.b.x - area.a.x, row}, ui.theme.canvas, 0, false);
    ImGui::SetCursorScreenPos({area.a.x + ui.px(10), area.a.y + ui.px(3)});
    const WithFont with(ui.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(8), ui.px(3)));
    for (const auto& [title, kind] : kPictures) {
      if (button(ui, title, state.picture == kind ? ButtonLook::plain : ButtonLook::quiet)) state.picture = kind;
      ImGui::SameLine(0, ui.px(4));
    }
    ImGui::PopStyleVar();
  }
  View view{state.binding, {}};
  view.options.kind = state.picture;
  Figure& figure = input.figures.get(input.session, view, input.textures);
  const std::string name = "live " + state.binding;
  follow_picture(state, figure, input.hovered && input.hovered->figure == state.binding ? input.hovered : nullptr);
  return draw_alone(ui,
                    {name, input.session, view, figure, input.textures, input.hovered, lit_by_line(state, figure), input.bar, input.picks},
                    input.canvases[name], {{area.a.x, area.a.y + row}, area.b});
}

Answer draw_tabs(Ui& ui, LiveState& state, const LiveInput& input) {
  constexpr std::pair<const char*, LiveTab> kTabs[] = {
      {"Result", LiveTab::result}, {"Plan", LiveTab::plan},       {"Source", LiveTab::source},   {"PTX", LiveTab::ptx},
      {"SASS", LiveTab::sass},     {"History", LiveTab::history}, {"A and B", LiveTab::compare},
  };
  bool first = true;
  for (const auto& [title, tab_of] : kTabs) {
    const WithFont with(ui.fonts.strong);
    if (!std::exchange(first, false)) {
      ImGui::SameLine(0, ui.px(2));
      if (ImGui::GetContentRegionAvail().x < ImGui::CalcTextSize(title).x + ui.px(22)) ImGui::NewLine();
    }
    if (tab(ui, title, state.tab == tab_of)) state.tab = tab_of;
  }
  ImGui::Dummy({0, ui.px(2)});
  return draw_live_tab(ui, state, input);
}

}  // namespace

LiveTab live_tab_named(std::string_view name) {
  constexpr std::pair<std::string_view, LiveTab> kNames[] = {{"plan", LiveTab::plan},       {"source", LiveTab::source},
                                                             {"ptx", LiveTab::ptx},         {"sass", LiveTab::sass},
                                                             {"history", LiveTab::history}, {"compare", LiveTab::compare}};
  for (const auto& [word, tab] : kNames) {
    if (word == name) return tab;
  }
  return LiveTab::result;
}

void follow(LiveState& state, const Session& session) {
  const std::string& selected = session.workspace().selected;
  const bool chosen_other = selected != state.binding && gemm_of(session.find(selected));
  const EvaluatedBinding* binding = session.find(state.binding);
  if (chosen_other || !binding || (binding->value && !gemm_of(binding))) {
    be_about(state, gemm_in_question(session.bindings(), selected));
    binding = session.find(state.binding);
  }
  take_plan(state);
  if (std::optional<SettledGemm> made = state.rest.take()) state.settled = std::move(made);
  if (std::optional<KernelTexts> made = state.compiling.take()) state.machine = std::move(made);
  if (std::optional<Result<GemmDiff>> made = state.comparing.take()) state.difference = std::move(made);
  if (auto made = state.finding_bars.take()) state.bars = std::move(made), state.lit = {};
  if (auto made = state.places.asking.take()) state.places.answered = std::move(made);
  if (auto made = state.reasons.take()) state.why_not_of = std::move(made->first), state.why_not = std::move(made->second);
  if (!binding) return;
  if (!binding->value) {
    if (!is_awaited(*binding)) state.refused = binding->value.error(), state.of.reset();
    return;
  }
  const std::shared_ptr<const GemmSpec> spec = gemm_of(binding);
  if ((spec != state.of || state.device != state.of_device) && !state.plans.under_way) ask_for_plan(state, spec);
  ask_for_bars(state);
  const bool rests = state.shown && !state.plans.under_way && state.rest_of != state.shown->spec_text;
  if (rests && !state.rest.under_way) ask_for_rest(state);
}

bool asks_first(const LiveState& state, const std::string& spec) {
  if (!state.open || state.asking.answered) return false;
  const auto& runs = state.history.runs();
  const auto last =
      std::find_if(runs.rbegin(), runs.rend(), [&](const RunRow& run) { return run.binding == state.binding && !run.emulated; });
  return last == runs.rend() || last->spec != spec;
}

CanvasOutput draw_gemm_page(Ui& ui, LiveState& state, const LiveInput& input, const ScreenRect& area) {
  CanvasOutput out;
  Answer answer;
  const auto take = [&](Answer made) {
    if (made) out.actions.push_back(std::move(*made));
  };
  const float width = area.b.x - area.a.x, height = area.b.y - area.a.y;
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel) && !ImGui::GetIO().WantTextInput &&
      key_pressed(ImGuiKey_Escape)) {
    state.open = false;
    return out;
  }
  if (state.binding.empty()) {
    Region region(ui, "Live GEMM", area.a, {width, height}, ui.theme.canvas, 16);
    text(ui, "Live GEMM", ui.theme.text, ui.fonts.title);
    wrapped_text(ui, "The document has no GEMM: add a line such as g = gemm(m=64, n=96, k=16, mma=...), or choose a rung of the ladder.",
                 ui.theme.dim, ui.fonts.body);
    if (button(ui, "Close", ButtonLook::quiet, true, "Escape")) state.open = false;
    return out;
  }
  const bool three = width >= ui.px(kThreeColumns), two = width >= ui.px(kTwoColumns);
  if (!two) {  // one column that scrolls
    Region region(ui, "Live GEMM", area.a, {width, height}, ui.theme.panel, 14);
    draw_head(ui, state, input, answer);
    const float picture = std::round(height * 0.4f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inside = ImGui::GetContentRegionAvail().x;
    CanvasOutput drawn = draw_picture(ui, state, input, {at, {at.x + inside, at.y + picture}});
    ImGui::SetCursorScreenPos({at.x, at.y + picture});
    ImGui::Dummy({inside, ui.px(6)});
    for (Action& action : drawn.actions) out.actions.push_back(std::move(action));
    out.hovered = std::move(drawn.hovered);
    take(draw_controls(ui, state, input.session));
    draw_numbers_of(ui, state);
    take(draw_tabs(ui, state, input));
    take(std::move(answer));
    return out;
  }
  const float left = area.a.x + std::round(std::min(ui.px(kControls), width * 0.42f)), room = area.b.x - left;
  const float below = std::round(area.a.y + height * (height < ui.px(560) ? 0.42f : three ? 0.5f : 0.56f));
  // Numbers have a column of their own, or one beside the picture; else they follow the fields.
  const bool beside = three || room >= ui.px(kBeside);
  const float right = three ? area.b.x - ui.px(kNumbers) : area.b.x, seen = three    ? right
                                                                            : beside ? area.b.x - ui.px(kFewNumbers)
                                                                                     : area.b.x;
  {
    Region region(ui, "Live GEMM", area.a, {left - area.a.x, height}, ui.theme.panel, 14);
    draw_head(ui, state, input, answer);
    take(std::move(answer));
    take(draw_controls(ui, state, input.session));
    if (!beside) draw_numbers_of(ui, state);
  }
  CanvasOutput drawn = draw_picture(ui, state, input, {{left, area.a.y}, {seen, below}});
  for (Action& action : drawn.actions) out.actions.push_back(std::move(action));
  out.hovered = std::move(drawn.hovered);
  {
    Region region(ui, "Live tabs", {left, below}, {right - left, area.b.y - below}, ui.theme.window, 14);
    take(draw_tabs(ui, state, input));
  }
  if (beside) {
    Region region(ui, "Live numbers", {seen, area.a.y}, {area.b.x - seen, (three ? area.b.y : below) - area.a.y}, ui.theme.panel, 14);
    draw_numbers_of(ui, state);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({left, below}, {right, below}, ui.theme.border);
  return out;
}

}  // namespace tessera::studio
