// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/pages/ladder_page.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/number_text.hpp"
#include "core/base/units.hpp"
#include "core/gemm/device_model.hpp"

namespace tessera::studio {
namespace {

constexpr float kRow = 26, kNames = 190, kNumbers = 170, kTwoColumns = 820;  // units
constexpr double kLeast = 0.1, kMost = 1000;                                 // TFLOP/s: the ends of the axis

// A place on the axis, 0 to 1: each decade is as long.
float place_of(double tflops) {
  const double place = std::log10(std::max(tflops, kLeast) / kLeast) / std::log10(kMost / kLeast);
  return static_cast<float>(std::clamp(place, 0.0, 1.0));
}

const char* words_of(RungOf of) {
  switch (of) {
    case RungOf::cuda_cores: return "CUDA CORES: f32 times f32";
    case RungOf::tensor_cores: return "TENSOR CORES: f16 times f16, summed in f32";
    case RungOf::museum: return "MUSEUM PIECE: a tensor core's first instruction, of sm_70";
  }
  return "";
}

ImU32 color_of(const Ui& ui, RungOf of) {
  switch (of) {
    case RungOf::cuda_cores: return ui.theme.link;
    case RungOf::tensor_cores: return ui.theme.accent;
    case RungOf::museum: return ui.theme.faint;
  }
  return ui.theme.dim;
}

const MeasuredRung* measured(const LadderState& state, const Rung& rung) {
  const std::vector<MeasuredLadder>& all = state.contents->recordings;
  if (state.recording >= all.size()) return nullptr;
  const std::vector<MeasuredRung>& rungs = all[state.recording].rungs;
  const auto found = std::find_if(rungs.begin(), rungs.end(), [&](const MeasuredRung& each) { return each.name == rung.name; });
  return found == rungs.end() ? nullptr : &*found;
}

std::optional<double> tflops_of(const MeasuredRung* rung) {
  if (!rung || !rung->measurement || !rung->measurement->timing || !rung->measurement->correctness.passed) return std::nullopt;
  return rung->measurement->timing->interleaved.kernel_tflops;
}

// The one below in the same ladder; null of the first, and of the museum piece.
const Rung* below(const LadderState& state, const Rung& rung) {
  const Rung* found = nullptr;
  for (const LadderStep& step : state.contents->steps) {
    if (step.rung->of == rung.of && step.rung->number < rung.number) found = step.rung;
  }
  return rung.of == RungOf::museum ? nullptr : found;
}

// What is recorded of a rung is not shown before the person has said what to expect.
bool is_asked(const LadderState& state, const Rung& rung) {
  return state.asks_first && below(state, rung) && !state.expected.contains(rung.number);
}

// The most that the device's maker states for what multiplies; nothing where the device is not known.
std::optional<double> most_of(const LadderState& state, RungOf of) {
  if (state.recording >= state.contents->recordings.size()) return std::nullopt;
  const Measurement& any = state.contents->recordings[state.recording].any();
  const Result<DeviceModel> device = find_device_model(device_slug(any.device.name));
  if (!device) return std::nullopt;
  const bool tensor_cores = of != RungOf::cuda_cores;
  return peak_tflops(*device, tensor_cores ? ValueType::f16 : ValueType::f32, tensor_cores);
}

// Which recording is shown: "H200 4096".
void draw_recordings(Ui& ui, LadderState& state) {
  const std::vector<MeasuredLadder>& all = state.contents->recordings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string words = fmt::format("{} {}", device_slug(all[i].any().device.name), all[i].extents.m);
    std::transform(words.begin(), words.end(), words.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (button(ui, words.c_str(), i == state.recording ? ButtonLook::primary : ButtonLook::plain)) state.recording = i;
    ImGui::SameLine(0, ui.px(6));
  }
  ImGui::NewLine();
  if (state.recording >= all.size()) return text(ui, "nothing is recorded", ui.theme.dim, ui.fonts.body);
  wrapped_text(
      ui, fmt::format("RECORDED, not measured here: {}, {}", origin_text(all[state.recording]), size_text(all[state.recording].extents)),
      ui.theme.recorded, ui.fonts.small);
}

// 0.1, 1, ... 1000 TFLOP/s over the bars.
void draw_axis(Ui& ui, float left, float right) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Face& face = ui.fonts.mono_small;
  float free = left;
  for (double tflops = kLeast; tflops <= kMost * 1.01; tflops *= 10) {
    const std::string words = fmt::format("{:g}", tflops);
    const float x = left + (right - left) * place_of(tflops),
                width = text_size(face.font, face.size, words.data(), words.data() + words.size()).x;
    const float at_x = std::min(x, right - width);
    if (at_x < free) continue;  // on a short axis not every decade has room for its number
    free = at_x + width + ui.px(6);
    ImGui::GetWindowDrawList()->AddText(face.font, face.size, {at_x, at.y}, ui.theme.dim, words.c_str());
  }
  ImGui::Dummy({0, ui.px(16)});
}

void draw_rung(Ui& ui, LadderState& state, const Rung& rung, float left, float right, std::optional<double> most) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, ui.px(kRow));
  ImGui::PushID(rung.number);
  const bool pressed = ImGui::InvisibleButton("rung", size);
  const bool hot = ImGui::IsItemHovered();
  ImGui::PopID();
  if (pressed && ImGui::GetIO().KeyCtrl)
    state.other = rung.number;
  else if (pressed)
    state.rung = rung.number, state.other = 0;
  const bool chosen = state.rung == rung.number;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  if (chosen || hot) list->AddRectFilled(at, end, chosen ? ui.theme.accent_soft : ui.theme.hover, ui.px(6));
  const Face &body = ui.fonts.body, &mono = ui.fonts.mono_small;
  const std::string name = elided(body, fmt::format("{} {}", rung.number, rung.name), left - at.x - ui.px(16));
  list->AddText(body.font, body.size, {at.x + ui.px(8), at.y + ui.px(5)}, ui.theme.text, name.c_str());
  const MeasuredRung* found = measured(state, rung);
  if (is_asked(state, rung)) {
    constexpr const char* kAsked = "how fast?";
    list->AddText(mono.font, mono.size, {right + ui.px(10), at.y + ui.px(7)}, ui.theme.warn, kAsked);
    ui.recorder.add(fmt::format("{} {}", rung.number, rung.name), "rung", fmt::format("{}{}", chosen ? "selected " : "", kAsked), at, end);
    return;
  }
  std::string words = "no recording";
  if (found && !found->measurement) words = "not measured: " + found->not_measured;
  if (found && found->measurement && found->measurement->timing) {
    const TimedMode& timed = found->measurement->timing->interleaved;
    const float y = at.y + ui.px(7), bar = ui.px(12), reach = left + (right - left) * place_of(timed.kernel_tflops);
    list->AddRectFilled({left, y}, {right, y + bar}, ui.theme.raised, ui.px(3));
    list->AddRectFilled({left, y}, {std::max(reach, left + ui.px(2)), y + bar}, color_of(ui, rung.of), ui.px(3));
    // What the library does, and what the maker states.
    const float baseline = timed.ratio && *timed.ratio > 0 ? left + (right - left) * place_of(timed.kernel_tflops / *timed.ratio) : 0;
    if (baseline > 0) list->AddLine({baseline, y - ui.px(2)}, {baseline, y + bar + ui.px(2)}, ui.theme.text, ui.px(1.5f));
    const float peak = most ? left + (right - left) * place_of(*most) : 0;
    if (peak > 0) list->AddLine({peak, y - ui.px(2)}, {peak, y + bar + ui.px(2)}, ui.theme.faint, ui.px(1.5f));
    // Where the person expected it.
    const Rung* before = below(state, rung);
    const auto expected = state.expected.find(rung.number);
    const std::optional<double> slower = before ? tflops_of(measured(state, *before)) : std::nullopt;
    if (slower && expected != state.expected.end()) {
      const float x = left + (right - left) * place_of(*slower * expected->second), r = ui.px(4);
      list->AddTriangleFilled({x - r, y - r}, {x + r, y - r}, {x, y + r}, ui.theme.warn);
      ui.recorder.add(fmt::format("expected of {}", rung.number), "mark", "", {x - r, y - r}, {x + r, y + r});
    }
    words = rate_text(1e12 * timed.kernel_tflops);
    if (timed.ratio) words += "  " + percent_text(100 * *timed.ratio);
    if (!found->measurement->correctness.passed) words = "WRONG: no speed";
    if (!found->other_version.empty()) words += " *";
  }
  list->AddText(mono.font, mono.size, {right + ui.px(10), at.y + ui.px(7)}, ui.theme.text,
                elided(mono, words, end.x - right - ui.px(14)).c_str());
  ui.recorder.add(fmt::format("{} {}", rung.number, rung.name), "rung", fmt::format("{}{}", chosen ? "selected " : "", words), at, end);
}

void draw_rungs(Ui& ui, LadderState& state) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, left = at.x + std::min(ui.px(kNames), width * 0.34f);
  const float right = std::max(at.x + width - std::min(ui.px(kNumbers), width * 0.4f), left + ui.px(40));
  wrapped_text(ui,
               "TFLOP/s, each decade as long; a line stands where cuBLASLt is with the same types, a faint one at what the maker states",
               ui.theme.dim, ui.fonts.small);
  draw_axis(ui, left, right);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(1)));
  for (const RungOf of : {RungOf::cuda_cores, RungOf::tensor_cores, RungOf::museum}) {
    ImGui::Dummy({0, ui.px(5)});
    text(ui, words_of(of), ui.theme.dim, ui.fonts.small);
    const std::optional<double> most = most_of(state, of);
    for (const LadderStep& step : state.contents->steps) {
      if (step.rung->of == of) draw_rung(ui, state, *step.rung, left, right, most);
    }
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({0, ui.px(4)});
  const auto is_other = [&](const LadderStep& step) {
    const MeasuredRung* found = measured(state, *step.rung);
    return found && !found->other_version.empty();
  };
  if (std::any_of(state.contents->steps.begin(), state.contents->steps.end(), is_other))
    wrapped_text(ui, "* recorded of another version of this kernel", ui.theme.warn, ui.fonts.small);
  wrapped_text(ui, "Types change between the two ladders: a step from one to the other is no step of speed alone.", ui.theme.dim,
               ui.fonts.small);
}

// The difference from the rung below, or from the one that was chosen with Ctrl.
void compare(LadderState& state, const ProblemSize& extents) {
  const std::vector<LadderStep>& steps = state.contents->steps;
  const auto here = std::find_if(steps.begin(), steps.end(), [&](const LadderStep& each) { return each.rung->number == state.rung; });
  if (here == steps.end()) return;
  const int other = state.other != 0 ? state.other : here == steps.begin() ? 0 : (here - 1)->rung->number;
  if (state.compared == std::pair(other, state.rung)) return;
  state.compared = {other, state.rung};
  state.difference.reset();
  const Rung* from = find_rung(other);
  if (from && from != here->rung) state.difference = diff(request_of(*from, extents), request_of(*here->rung, extents));
}

// What the person expects, and beside it what was recorded.
void draw_expectation(Ui& ui, LadderState& state, const Rung& rung) {
  const Rung* before = below(state, rung);
  if (!before) return;
  const std::optional<double> slower = tflops_of(measured(state, *before)), now = tflops_of(measured(state, rung));
  if (!slower || !now) return;
  if (state.typed_of != rung.number) {
    const auto said = state.expected.find(rung.number);
    state.typed = said == state.expected.end() ? std::string() : fmt::format("{:g}", said->second);
    state.typed_of = rung.number;
  }
  wrapped_text(ui, fmt::format("How many times as fast as {} {}?", before->number, before->name), ui.theme.text, ui.fonts.body);
  ImGui::PushItemWidth(ui.px(90));
  if (edit_hinted(ui, "Expected", state.typed, "1.5")) {
    const std::optional<double> times = number_in<double>(state.typed);
    if (times && *times > 0 && *times < 1e6)
      state.expected[rung.number] = *times;
    else
      state.expected.erase(rung.number);
  }
  ImGui::PopItemWidth();
  const auto said = state.expected.find(rung.number);
  if (said == state.expected.end()) {
    if (!state.typed.empty()) text(ui, "a number above 0, such as 1.5", ui.theme.warn, ui.fonts.small);
    return;
  }
  ImGui::SameLine(0, ui.px(10));
  wrapped_text(ui, fmt::format("you said {:g} times; recorded: {:.3g} times", said->second, *now / *slower), ui.theme.accent,
               ui.fonts.body);
}

Answer draw_details(Ui& ui, LadderState& state) {
  const std::vector<LadderStep>& steps = state.contents->steps;
  const auto here = std::find_if(steps.begin(), steps.end(), [&](const LadderStep& each) { return each.rung->number == state.rung; });
  if (here == steps.end()) return {};
  const Rung& rung = *here->rung;
  const ProblemSize extents =
      state.recording < state.contents->recordings.size() ? state.contents->recordings[state.recording].extents : ProblemSize();
  Answer answer;
  text(ui, fmt::format("{} {}", rung.number, rung.name), ui.theme.text, ui.fonts.title);
  wrapped_text(ui, rung.idea, ui.theme.text, ui.fonts.body);
  ImGui::Dummy({0, ui.px(2)});
  wrapped_text(ui, fmt::format("Question: {}", rung.question), ui.theme.accent, ui.fonts.body);
  draw_expectation(ui, state, rung);
  if (here->is_refused) wrapped_text(ui, "Refused at this size: " + here->not_measured, ui.theme.bad, ui.fonts.body);
  if (button(ui, "Open on the GEMM page", ButtonLook::primary, !here->is_refused,
             "A line of the document, with its picture, its plan and its run")) {
    answer =
        Do{"binding.let", {{"line", fmt::format("rung_{0} = rung({0}, {1}, {2}, {3})", rung.number, extents.m, extents.n, extents.k)}}};
    state.open = false;
  }
  compare(state, extents);
  heading(ui, state.difference && *state.difference ? fmt::format("FROM {} TO {}", (*state.difference)->a, (*state.difference)->b)
                                                    : std::string("FROM THE RUNG BELOW"));
  if (!state.difference) return text(ui, "it is the first", ui.theme.dim, ui.fonts.body), answer;
  if (!*state.difference) return wrapped_text(ui, state.difference->error().message, ui.theme.bad, ui.fonts.body), answer;
  constexpr std::pair<const char*, LadderState::Shows> kTabs[] = {
      {"Fields", LadderState::Shows::fields}, {"Plan", LadderState::Shows::plan}, {"Source", LadderState::Shows::source}};
  for (const auto& [title, shows] : kTabs) {
    if (tab(ui, title, state.shows == shows)) state.shows = shows;
    ImGui::SameLine(0, ui.px(6));
  }
  ImGui::NewLine();
  const GemmDiff& made = **state.difference;
  if (state.shows == LadderState::Shows::plan) return draw_diff_lines(ui, made.plan), answer;
  if (state.shows == LadderState::Shows::source) return draw_diff_lines(ui, made.source), answer;
  for (const std::string& change : made.changes) wrapped_text(ui, change, ui.theme.text, ui.fonts.mono_small);
  if (made.changes.empty()) text(ui, "both ask for the same kernel", ui.theme.dim, ui.fonts.body);
  wrapped_text(ui, "Ctrl and a click choose another rung to compare with.", ui.theme.dim, ui.fonts.small);
  return answer;
}

// Up and down the ladder by the arrow keys.
void move_choice(LadderState& state) {
  const std::vector<LadderStep>& steps = state.contents->steps;
  const auto here = std::find_if(steps.begin(), steps.end(), [&](const LadderStep& each) { return each.rung->number == state.rung; });
  if (here == steps.end()) return;
  if (key_pressed(ImGuiKey_DownArrow) && here + 1 != steps.end()) state.rung = (here + 1)->rung->number, state.other = 0;
  if (key_pressed(ImGuiKey_UpArrow) && here != steps.begin()) state.rung = (here - 1)->rung->number, state.other = 0;
}

// Reads beside the frames, and begins with the highest rung and what was measured most of.
void read_beside(LadderState& state) {
  if (state.contents) return;
  if (!state.reading) {
    state.reading = std::make_unique<Jobs<LadderContents>>();
    state.reading->ask([](const std::stop_token&) {
      return or_refusal(read_ladders, [](const char* why) { return LadderContents{{}, {}, {{ErrorCode::limit, why, {}, {}}}}; });
    });
  }
  for (auto& made : state.reading->take(0)) state.contents = std::move(made.value);
  if (!state.contents) return;
  state.reading.reset();
  if (!state.contents->steps.empty()) state.rung = state.contents->steps.back().rung->number;
  const std::vector<MeasuredLadder>& all = state.contents->recordings;
  const auto fullest =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.rungs.size() < b.rungs.size(); });
  state.recording = static_cast<std::size_t>(fullest - all.begin());
}

}  // namespace

LadderContents read_ladders() {
  LadderContents contents;
  if (Result<std::vector<LadderStep>> steps = climb(ProblemSize()))
    contents.steps = std::move(*steps);
  else
    contents.damaged.push_back(steps.error());
  RecordedLadders recorded = recorded_ladders();
  contents.recordings = std::move(recorded.ladders);
  contents.damaged.insert(contents.damaged.end(), recorded.damaged.begin(), recorded.damaged.end());
  for (MeasuredLadder& ladder : contents.recordings) compare_with_rungs(ladder);
  return contents;
}

Answer draw_ladder(Ui& ui, LadderState& state, const ScreenRect& area) {
  read_beside(state);
  const float width = area.b.x - area.a.x;
  const bool beside = width >= ui.px(kTwoColumns);
  const float split = beside ? area.a.x + std::round(width * 0.6f) : area.b.x;
  if (beside && state.contents) {
    Region details(ui, "Rung", {split, area.a.y}, {area.b.x - split, area.b.y - area.a.y}, ui.theme.panel, 16);
    if (Answer answer = draw_details(ui, state)) return answer;
  }
  Region region(ui, "Ladder", area.a, {split - area.a.x, area.b.y - area.a.y}, ui.theme.canvas, 16);
  text(ui, "The ladder", ui.theme.text, ui.fonts.title);
  ImGui::SameLine(0, ui.px(16));
  const bool closes = button(ui, "Close the ladder", ButtonLook::quiet, true, "Escape");
  if (closes || (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId) && key_pressed(ImGuiKey_Escape))) return state.open = false, Answer();
  if (!state.contents) return text(ui, "reading the recordings ...", ui.theme.dim, ui.fonts.body), Answer();
  for (const Error& damaged : state.contents->damaged) wrapped_text(ui, damaged.message, ui.theme.bad, ui.fonts.body);
  move_choice(state);
  draw_recordings(ui, state);
  if (button(ui, state.asks_first ? "Show all speeds" : "Ask before each speed", ButtonLook::quiet, true,
             "A rung's speed is shown once somebody has said how many times as fast as the one below it is"))
    state.asks_first = !state.asks_first;
  ImGui::Dummy({0, ui.px(4)});
  draw_rungs(ui, state);
  if (beside) return {};
  ImGui::Dummy({0, ui.px(10)});
  return draw_details(ui, state);
}

}  // namespace tessera::studio
