// SPDX-License-Identifier: BSD-3-Clause
// A beside B: the figure of a pinned binding as it was and as it is, at one scale, with what differs in words below both.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/value_facts.hpp"

namespace tessera::studio {
namespace {

constexpr float kGap = 5, kNarrowest = 260, kSample = 12, kMargin = 14;  // in units

bool same(const Camera& a, const Camera& b) { return a.origin.x == b.origin.x && a.origin.y == b.origin.y && a.scale == b.scale; }

struct Halves {
  ScreenRect a, b;
};

Halves halves_of(const ScreenRect& area, bool across, float gap) {
  Halves made{area, area};
  if (across) {
    made.a.b.x = std::floor((area.a.x + area.b.x - gap) / 2);
    made.b.a.x = area.b.x - (made.a.b.x - area.a.x);  // as wide: one scale shows both whole
  } else {
    made.a.b.y = std::floor((area.a.y + area.b.y - gap) / 2);
    made.b.a.y = area.b.y - (made.a.b.y - area.a.y);
  }
  return made;
}

// Beside each other, unless that is too narrow, or one above the other shows cells much larger.
bool stand_across(Ui& ui, const ScreenRect& area, const Figure& was, const Figure& now) {
  const float width = area.b.x - area.a.x, gap = ui.px(kGap);
  constexpr float kSlit = 180;  // units
  const bool narrow = (width - gap) / 2 < ui.px(kNarrowest);
  if (!was.scene || !now.scene || (width - gap) / 2 < ui.px(kSlit)) return !narrow;
  const auto scale = [&](bool across) {
    const FittedScene other{*was.scene, *was.index};
    return fit_both(ui.fonts, {*now.scene, *now.index}, other, halves_of(area, across, gap).b, ui.scale).camera.scale;
  };
  constexpr float kMuchLarger = 1.5f;
  return narrow ? scale(true) > kMuchLarger * scale(false) : scale(false) < kMuchLarger * scale(true);
}

// "stride  (1,4) → (1,8)", a line each.
std::string differing_words(const Session& session, const std::string& binding) {
  const Value* was = session.pinned_value();
  const EvaluatedBinding* now = session.find(binding);
  if (!was || !now || !now->value) return {};
  std::string words;
  for (const Fact& each : differing_facts(*was, *now->value))
    words += fmt::format("{}{}: {}", words.empty() ? "" : "     ", each.name, each.value);
  return words;
}

std::string counted_words(const CanvasInput& now, const Figure& was, bool is_as_it_was) {
  if (now.figure.error) return "B is refused as it is: its last picture stays until it can be drawn again";
  const std::size_t all = now.figure.scene ? cell_count(*now.figure.scene) : 0, differ = now.changed ? now.changed->size() : 0;
  const std::size_t before = was.scene ? cell_count(*was.scene) : all;
  if (before != all)
    return fmt::format(
        "A has {} and B {}: {}", counted(before, "cell"), all,
        differ == 0 ? "each of B's is as in A" : fmt::format("{} of B's {} new or not as in A", differ, differ == 1 ? "is" : "are"));
  if (differ == 0 && !is_as_it_was) return "no cell of B differs from that of A";
  if (differ == 0)
    return fmt::format("no cell differs yet: edit {}, and the cells of B that change are marked like this", now.view.binding);
  return fmt::format("{} of the {} cells of B {} from A", differ, all, differ == 1 ? "differs" : "differ");
}

// What the mark means, how many cells have it, and the numbers that differ; gives what is left above it.
float draw_legend(Ui& ui, const CanvasInput& now, const Figure& was, const ScreenRect& area) {
  const std::string facts = differing_words(now.session, now.view.binding), counted = counted_words(now, was, facts.empty());
  const Face &body = ui.fonts.body, &mono = ui.fonts.mono_small;
  const float margin = ui.px(kMargin), sample = ui.px(kSample), left = area.a.x + margin, indent = sample + ui.px(8);
  const float width = std::max(area.b.x - margin - left, 1.0f), most = (area.b.y - area.a.y) / 3;
  const auto height_of = [](const Face& face, const std::string& words, float room) {
    return words.empty() ? 0.0f : face.font->CalcTextSizeA(face.size, 3.0e38f, room, words.c_str()).y;
  };
  const float first = height_of(body, counted, width - indent), second = height_of(mono, facts, width);
  const float height = std::min(first + (second > 0 ? second + ui.px(4) : 0) + ui.px(16), most), top = area.b.y - height;
  Region region(ui, "Comparison", {area.a.x, top}, {area.b.x - area.a.x, height}, ui.theme.panel, 0, false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({area.a.x, top + 0.5f}, {area.b.x, top + 0.5f}, ui.theme.border);
  const ImVec2 at(left, top + ui.px(8)), mark(left, std::round(at.y + (body.size - sample) / 2 + ui.px(1)));
  list->AddRectFilled(mark, {mark.x + sample, mark.y + sample}, ui.theme.cell, ui.px(2));
  paint_changed_mark({list, ui.theme, ui.fonts, now.textures, ui.scale}, mark, {mark.x + sample, mark.y + sample});
  list->AddText(body.font, body.size, {left + indent, at.y}, ui.theme.text, counted.c_str(), nullptr, width - indent);
  ui.recorder.add(counted, "legend", "", at, {area.b.x - margin, at.y + first});
  const ImVec2 below(left, at.y + first + ui.px(4));
  list->AddText(mono.font, mono.size, below, ui.theme.dim, facts.c_str(), nullptr, width);
  if (!facts.empty()) ui.recorder.add(facts, "differences", "", below, {area.b.x - margin, below.y + second});
  return top;
}

}  // namespace

bool has_room_to_compare(const Ui& ui, const ScreenRect& area) {
  constexpr float kLow = 420;  // units
  const float w = (area.b.x - area.a.x) / ui.scale, h = (area.b.y - area.a.y) / ui.scale;
  return w >= kNarrowest && (w >= 2 * kNarrowest + kGap || h >= kLow);
}

CanvasOutput draw_comparison(Ui& ui, const ComparisonInput& in, CanvasState& a, CanvasState& b, const ScreenRect& area) {
  CanvasOutput out;
  ScreenRect rest = area;
  rest.a.y = draw_canvas_row(ui, in.now, b, area, out.actions);
  rest.b.y = draw_legend(ui, in.now, in.was, rest);
  const Halves halves = halves_of(rest, stand_across(ui, rest, in.was, in.now.figure), ui.px(kGap));
  const Session& session = in.now.session;
  const std::string called = "pinned " + in.now.name;
  // A version of its own has a name of its own.
  const Pin& pin = *session.workspace().pinned;
  const bool is_other = pin.name_then() != pin.binding;
  const std::string badge_a = is_other ? "A   " + pin.name_then() : "A   as pinned",
                    badge_b = is_other ? "B   " + pin.binding : "B   as it is";
  const Arrangement no_tabs;
  const Camera camera_a = a.camera, camera_b = b.camera;
  const CanvasInput was{.name = called,
                        .session = session,
                        .view = in.now.view,
                        .pane = no_tabs,
                        .place = in.now.place,
                        .figure = in.was,
                        .textures = in.now.textures,
                        .hovered = nullptr,
                        .lit = nullptr,
                        .bar = in.now.bar,
                        .picks = in.now.picks,
                        .selected = true,
                        .bare = true,
                        .badge = badge_a,
                        .beside_badge = one_line(session.pinned_expression()),
                        .fitted_with = &in.now.figure};
  (void)draw_canvas(ui, was, a, halves.a);
  CanvasInput now = in.now;
  now.bare = true;
  now.badge = badge_b;
  now.beside_badge = one_line(session.expression(in.now.view.binding));
  now.fitted_with = &in.was;
  CanvasOutput drawn = draw_canvas(ui, now, b, halves.b);
  for (Action& action : drawn.actions) out.actions.push_back(std::move(action));
  out.hovered = std::move(drawn.hovered);
  // What was panned or zoomed in one is in the other.
  const auto lead = [](const CanvasState& moved, CanvasState& other) {
    if (!moved.fitted && other.room.x > 0) other.look_as(moved);
    if (moved.fitted && !other.fitted) other.fit_again();
  };
  if (!same(a.camera, camera_a))
    lead(a, b);
  else if (!same(b.camera, camera_b))
    lead(b, a);
  return out;
}

}  // namespace tessera::studio
