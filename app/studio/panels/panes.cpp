// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/panels/panes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::studio {
namespace {

constexpr float kBar = 5, kLeast = 80;  // in units: a bar between two panes, the least side of a pane

bool same(const Camera& a, const Camera& b) { return a.origin.x == b.origin.x && a.origin.y == b.origin.y && a.scale == b.scale; }

class Panes {
 public:
  Panes(Ui& ui, const PanesInput& input) : ui_(ui), in_(input), all_(input.session.workspace().arrangement) {}

  PanesOutput draw(const ScreenRect& area) {
    const Workspace& now = in_.session.workspace();
    if (!now.by_hand && now.maximised.empty()) arrange(area);
    const auto maximised = now.maximised.empty() ? std::nullopt : pane_of(all_, now.maximised);
    if (maximised)
      pane(*maximised->pane, maximised->place, area);
    else if (!now.by_hand && has_slits(all_, area))
      one_at_a_time(area);
    else
      part(all_, {}, area);
    in_.figures.forget_unused(in_.textures);
    return std::move(out_);
  }

 private:
  void take(std::optional<Action> answer) {
    if (answer) out_.actions.push_back(std::move(*answer));
  }
  void arrange(const ScreenRect& area);
  bool has_slits(const Arrangement& part, const ScreenRect& area) const;
  void one_at_a_time(const ScreenRect& area);
  void part(const Arrangement& part, const PanePlace& place, const ScreenRect& area);
  void split(const Arrangement& part, const PanePlace& place, const ScreenRect& area);
  void pane(const Arrangement& pane, const PanePlace& place, const ScreenRect& area);
  void nothing(const ScreenRect& area);
  void follow(const std::string& binding, const std::string& name, const Camera& was);
  const std::vector<ElementId>* lit(const View& view, const std::string& canvas, const Figure& figure);

  Ui& ui_;
  const PanesInput& in_;
  const Arrangement all_;
  PanesOutput out_;
};

// Where the person has arranged nothing: as many columns as make the figures' cells largest. What is there stays where it is as long as
// the cells would not be much larger, so that nothing moves when a figure becomes another.
void Panes::arrange(const ScreenRect& area) {
  const std::vector<View> open = views(all_);
  if (open.size() < 2) return;
  std::size_t best = 1;
  constexpr float kMuch = 0.3f;  // of the logarithm, for each figure
  float largest = -1e9f, now = -1e9f;
  for (std::size_t columns = 1; columns <= std::min<std::size_t>(open.size(), 3); ++columns) {
    const auto rows = static_cast<float>((open.size() + columns - 1) / columns);
    const ImVec2 size((area.b.x - area.a.x) / static_cast<float>(columns), (area.b.y - area.a.y) / rows - ui_.px(36));
    float sum = 0;
    for (const View& view : open) {
      Figure& figure = in_.figures.get(in_.session, view, in_.textures);
      // Of the logarithm: one figure twice as large does not make up for one half as large.
      if (figure.scene) sum += std::log(figure.fitted_scale(ui_.fonts, size, ui_.scale));
      // Where all of them are small, a pane that is no slit.
      constexpr float kShape = 0.25f;
      sum += kShape * std::log(std::max(std::min(size.x, size.y), 1.0f));
    }
    if (tiled(open, columns) == all_) now = sum;
    if (sum <= largest) continue;
    largest = sum;
    best = columns;
  }
  if (largest <= now + kMuch * static_cast<float>(open.size())) return;
  Arrangement tiles = tiled(open, best);
  if (!(tiles == all_)) out_.arranged = std::move(tiles);
}

// Panes in which no picture can be read.
bool Panes::has_slits(const Arrangement& part, const ScreenRect& area) const {
  constexpr float kNarrow = 236, kLow = 240;  // units
  const float bar = ui_.px(kBar), width = area.b.x - area.a.x, height = area.b.y - area.a.y;
  if (!part.is_split()) return width < ui_.px(kNarrow) || height < ui_.px(kLow);
  ScreenRect first = area, second = area;
  (part.across ? first.b.x : first.b.y) = part.across ? area.a.x + (width - bar) * part.share : area.a.y + (height - bar) * part.share;
  (part.across ? second.a.x : second.a.y) = (part.across ? first.b.x : first.b.y) + bar;
  return has_slits(*part.first, first) || has_slits(*part.second, second);
}

// Where the figures have no room beside each other the selected one has all of it, under the tabs of all.
void Panes::one_at_a_time(const ScreenRect& area) {
  Arrangement one;
  one.tabs = views(all_);
  const std::string& selected = in_.session.workspace().selected;
  const auto shown = std::find_if(one.tabs.begin(), one.tabs.end(), [&](const View& each) { return each.binding == selected; });
  one.shown = shown == one.tabs.end() ? 0 : static_cast<std::size_t>(shown - one.tabs.begin());
  if (one.tabs.empty()) return nothing(area);
  const auto place = pane_of(all_, one.tabs[one.shown].binding);
  pane(one, place ? place->place : PanePlace{}, area);
}

void Panes::part(const Arrangement& part, const PanePlace& place, const ScreenRect& area) {
  if (part.is_split()) return split(part, place, area);
  if (part.tabs.empty()) return nothing(area);
  pane(part, place, area);
}

void Panes::split(const Arrangement& part, const PanePlace& place, const ScreenRect& area) {
  const bool across = part.across;
  const float begin = across ? area.a.x : area.a.y, end = across ? area.b.x : area.b.y, bar = ui_.px(kBar);
  const float middle = std::round(begin + (end - begin - bar) * part.share);
  ScreenRect first = area, second = area;
  (across ? first.b.x : first.b.y) = middle;
  (across ? second.a.x : second.a.y) = middle + bar;
  this->part(*part.first, place + '0', first);
  this->part(*part.second, place + '1', second);
  const ImVec2 at = across ? ImVec2(middle, area.a.y) : ImVec2(area.a.x, middle);
  const ImVec2 size = across ? ImVec2(bar, area.b.y - area.a.y) : ImVec2(area.b.x - area.a.x, bar);
  float units = (middle - begin) / ui_.scale;
  const float room = (end - begin - bar) / ui_.scale;
  if (splitter(ui_, ("figures" + place).c_str(), at, size, across, units, kLeast, room - kLeast, 1) && room > 0) {
    const float share = std::clamp(units / room, kLeastShare, kMostShare);
    if (share != part.share) take(Do{"figure.resize", {{"place", place}, {"share", fmt::format("{}", share)}}});
  }
}

void Panes::pane(const Arrangement& pane, const PanePlace& place, const ScreenRect& area) {
  const Workspace& now = in_.session.workspace();
  const View& view = pane.tabs[std::min(pane.shown, pane.tabs.size() - 1)];
  // Thread 3 of one MMA is not thread 3 of another: only figures of one lineage light up together.
  const Hovered* hovered = in_.hovered && in_.session.related(view.binding, in_.hovered->figure) ? in_.hovered : nullptr;
  const std::string name = canvas_name(all_, place);
  const bool is_pinned = now.pinned && now.pinned->binding == view.binding;
  Figure* before = is_pinned ? &in_.figures.get_pinned(in_.session, view.options, in_.textures) : nullptr;
  Figure& figure = in_.figures.get(in_.session, view, in_.textures);
  const CanvasInput input{.name = name,
                          .session = in_.session,
                          .view = view,
                          .pane = pane,
                          .place = place,
                          .figure = figure,
                          .textures = in_.textures,
                          .hovered = hovered,
                          .lit = lit(view, name, figure),
                          .bar = in_.bar,
                          .picks = in_.picks,
                          .selected = view.binding == now.selected,
                          .closable = views(all_).size() > 1,
                          .maximised = now.maximised == view.binding,
                          .badge = is_pinned ? "B   as it is" : "",
                          .beside_badge = is_pinned ? "Ctrl+M shows it beside A" : "",
                          .changed = is_pinned ? &in_.changed.get(*before, figure) : nullptr};
  CanvasState& state = in_.canvases[name];
  const Camera was = state.camera;
  CanvasOutput out = before && has_room_to_compare(ui_, area)
                         ? draw_comparison(ui_, {input, *before}, in_.canvases["pinned " + name], state, area)
                         : draw_canvas(ui_, input, state, area);
  if (now.synced) follow(view.binding, name, was);
  for (Action& action : out.actions) out_.actions.push_back(std::move(action));
  if (out.hovered) out_.hovered = std::move(out.hovered);
}

// What was panned or zoomed in one canvas of a binding is in its others.
void Panes::follow(const std::string& binding, const std::string& name, const Camera& was) {
  const CanvasState& moved = in_.canvases[name];
  std::vector<std::string> others;
  for (const PaneAt& each : panes(all_)) {
    if (each.pane->tabs.empty() || each.pane->tabs[each.pane->shown].binding != binding) continue;
    if (std::string other = canvas_name(all_, each.place); other != name) others.push_back(std::move(other));
  }
  for (const std::string& other : others) {
    CanvasState& state = in_.canvases[other];
    const bool is_new = !same(was, moved.camera);
    if (is_new && !moved.fitted && state.room.x > 0) state.look_as(moved);
    if (is_new && moved.fitted && !state.fitted) state.fit_again();
  }
}

// The cells that the selection lights up in a figure; null where none is selected in its lineage.
const std::vector<ElementId>* Panes::lit(const View& view, const std::string& canvas, const Figure& figure) {
  const CellSelection& selection = in_.session.workspace().selection;
  if (!has_selection_in_sight(in_.session.workspace()) || !in_.session.related(view.binding, selection.binding)) return nullptr;
  const bool own = view.binding == selection.binding;
  const View made_in = view_of(all_, selection.binding);
  const Figure& source = own ? figure : in_.figures.get(in_.session, made_in, in_.textures);
  const std::vector<ElementId>& cells = in_.lights.get(selection, source, canvas, figure, own);
  return cells.empty() ? nullptr : &cells;
}

void Panes::nothing(const ScreenRect& area) {
  const float width = area.b.x - area.a.x;
  Region region(ui_, "Canvas", area.a, {width, area.b.y - area.a.y}, ui_.theme.canvas, 0, false);
  ImGui::SetCursorScreenPos({area.a.x + width / 2 - ui_.px(150), (area.a.y + area.b.y) / 2});
  text(ui_, "Select something that can be drawn on the left", ui_.theme.dim, ui_.fonts.body);
}

}  // namespace

std::string canvas_name(const Arrangement& all, const PanePlace& place) {
  const Arrangement* pane = part_at(all, place);
  if (!pane || pane->is_split() || pane->tabs.empty()) return {};
  const std::string& binding = pane->tabs[std::min(pane->shown, pane->tabs.size() - 1)].binding;
  for (const PaneAt& each : panes(all)) {
    if (each.pane->tabs.empty() || each.pane->tabs[each.pane->shown].binding != binding) continue;
    return each.place == place ? binding : binding + "/" + place;
  }
  return binding;
}

PanesOutput draw_panes(Ui& ui, const PanesInput& input, const ScreenRect& area) { return Panes(ui, input).draw(area); }

}  // namespace tessera::studio
