// SPDX-License-Identifier: BSD-3-Clause
// Actions on the figures of the screen: which are there, where, and what was chosen for them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "app/session/files/call_text.hpp"
#include "core/lang/values/value.hpp"

namespace tessera::action {
namespace {

constexpr std::size_t kMostTiles = 6;  // side by side, while the person has arranged nothing

bool can_be_drawn(const Session& session, const std::string& name) {
  const EvaluatedBinding* found = session.find(name);
  return found && found->value && is_drawable(*found->value);
}

std::size_t columns_for(std::size_t tiles) { return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(tiles)))); }

Result<Changed> split_figure(const Session& session, const Arguments& arguments, bool across) {
  const PaneAt at = pane_in_question(session, arguments);
  Changed changed{session.workspace(), across ? "Split right" : "Split down"};
  changed.workspace.arrangement = split(changed.workspace.arrangement, at.place, across, at.pane->tabs[at.pane->shown]);
  changed.workspace.by_hand = true;
  return changed;
}

Result<Changed> turn(const Session& session, const Arguments& arguments, std::size_t by) {
  const PaneAt at = pane_in_question(session, arguments);
  Changed changed{session.workspace(), "Next figure", {}, false};
  const std::vector<PaneAt> all = panes(changed.workspace.arrangement);
  // The tabs of a pane come one after the other; where it has no other, the next pane's turn is it.
  if (at.pane->tabs.size() > 1) {
    Arrangement pane = *at.pane;
    pane.shown = (pane.shown + (by == 1 ? 1 : pane.tabs.size() - 1)) % pane.tabs.size();
    changed.workspace.selected = pane.tabs[pane.shown].binding;
    changed.workspace.arrangement = with_part(changed.workspace.arrangement, at.place, std::move(pane));
    return changed;
  }
  const auto here = std::find_if(all.begin(), all.end(), [&](const PaneAt& each) { return each.place == at.place; });
  const std::size_t next = (static_cast<std::size_t>(here - all.begin()) + (by == 1 ? 1 : all.size() - 1)) % all.size();
  if (!all[next].pane->tabs.empty()) changed.workspace.selected = all[next].pane->tabs[all[next].pane->shown].binding;
  return changed;
}

// Before the first step all of the figure is shown at once; the last one stays.
Result<Changed> other_step(const Session& session, const Arguments& arguments, int by) {
  const PaneAt at = pane_in_question(session, arguments);
  Arrangement pane = *at.pane;
  View& view = pane.tabs[tab_of(pane, binding(session, arguments))];
  const std::size_t steps = session.steps(view.binding, view.options), now = std::min(chosen_step(view.options), steps);
  view.options = with_step(std::move(view.options), by > 0 ? std::min(now + 1, steps) : now - std::min<std::size_t>(now, 1));
  Changed changed{session.workspace(), "Another step of " + view.binding, fmt::format("option {} step", at.place)};
  changed.workspace.arrangement = with_part(changed.workspace.arrangement, at.place, std::move(pane));
  return changed;
}

Error no_pane(std::string_view place) {
  return {ErrorCode::out_of_range, fmt::format("there is no figure at the place \"{}\"", place), {}, {}};
}

}  // namespace

Result<Changed> show_figure(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  Changed changed{session.workspace(), "Show " + name, {}, false};
  if (can_be_drawn(session, name)) {
    const PaneAt at = pane_for(session, name);
    const bool is_there = pane_of(changed.workspace.arrangement, name).has_value();
    if (is_there) {
      Arrangement pane = *at.pane;
      pane.shown = tab_of(pane, name);
      changed.workspace.arrangement = with_part(changed.workspace.arrangement, at.place, std::move(pane));
    } else {
      changed.workspace.arrangement = with_view(changed.workspace.arrangement, at.place, {name}, true);
    }
    if (!changed.workspace.maximised.empty()) changed.workspace.maximised = name;
  }
  changed.workspace.selected = name;
  return changed;
}

Result<Changed> show_beside(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  const Workspace& now = session.workspace();
  if (pane_of(now.arrangement, name)) return show_figure(session, arguments);
  Changed changed{now, "Show " + name};
  std::vector<View> all = views(now.arrangement);
  const std::vector<PaneAt> there = panes(now.arrangement);
  changed.workspace.selected = name;
  changed.workspace.maximised.clear();
  const Session::PaneRoom& room = session.room();
  const bool fits = there.size() < kMostTiles && (there.size() < 2 || (now.by_hand ? room.splits : there.size() < room.most));
  if (fits && !now.by_hand) {
    all.push_back({name});
    changed.workspace.arrangement = tiled(all, columns_for(all.size()));
    return changed;
  }
  changed.workspace.by_hand = true;
  const std::string place = pane_for(session, name).place;
  if (fits) {
    changed.workspace.arrangement = split(now.arrangement, place, true, {name});
    return changed;
  }
  // One more pane would leave none of them enough room: it is a tab of the pane beside the one that has the keys.
  const auto here = std::find_if(there.begin(), there.end(), [&](const PaneAt& each) { return each.place == place; });
  const auto beside = here == there.end() ? there.begin() : here + 1 == there.end() ? here - 1 : here + 1;
  changed.workspace.arrangement = with_view(now.arrangement, beside->place, {name}, false);
  return changed;
}

Result<Changed> show_as_tab(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  Changed changed{session.workspace(), "Show " + name};
  changed.workspace.arrangement = with_view(changed.workspace.arrangement, pane_in_question(session, arguments).place, {name}, false);
  if (!changed.workspace.maximised.empty()) changed.workspace.maximised = name;
  changed.workspace.selected = name;
  changed.workspace.by_hand = true;
  return changed;
}

Result<Changed> close_figure(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  const PaneAt at = pane_in_question(session, arguments);
  Changed changed{session.workspace(), "Close " + name};
  Workspace& next = changed.workspace;
  next.arrangement = without_tab(next.arrangement, at.place, tab_of(*at.pane, name));
  next.maximised.clear();
  const std::vector<View> left = shown_views(next.arrangement);
  if (next.selected == name && !left.empty()) next.selected = left.front().binding;
  return changed;
}

Result<Changed> split_right(const Session& session, const Arguments& arguments) { return split_figure(session, arguments, true); }
Result<Changed> split_down(const Session& session, const Arguments& arguments) { return split_figure(session, arguments, false); }
Result<Changed> next_figure(const Session& session, const Arguments& arguments) { return turn(session, arguments, 1); }
Result<Changed> previous_figure(const Session& session, const Arguments& arguments) { return turn(session, arguments, 0); }

Result<Changed> maximise_figure(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments);
  Changed changed{session.workspace(), "Maximise " + name, {}, false};
  changed.workspace.maximised = session.workspace().maximised == name ? std::string() : name;
  changed.workspace.selected = name;
  return changed;
}

// A tab to another pane, or to a side of it, where it gets a pane of its own.
Result<Changed> move_figure(const Session& session, const Arguments& arguments) {
  const std::string name = binding(session, arguments), to = text(arguments, "to"), side = text(arguments, "side");
  const PaneAt from = pane_in_question(session, arguments);
  Changed changed{session.workspace(), "Move " + name};
  Arrangement& all = changed.workspace.arrangement;
  const Arrangement* target = part_at(all, to);
  if (!target || target->is_split()) return no_pane(to);
  const bool inside = side.empty() || side == "inside";
  if (to == from.place && (inside || target->tabs.size() < 2)) return changed;  // it is there, and alone
  const std::size_t tab = tab_of(*from.pane, name);
  const View view = from.pane->tabs[tab];
  // Added first: the places of panes change when one goes. Its tab is then found by its pane, which may have moved down by a split.
  if (inside) {
    all = with_view(all, to, view, false);
    all = without_tab(all, from.place, tab);
  } else {
    const bool before = side == "left" || side == "above";
    all = split(all, to, side == "left" || side == "right", view, before);
    all = without_tab(all, to == from.place ? to + (before ? '1' : '0') : from.place, tab);
  }
  changed.workspace.selected = name;
  changed.workspace.by_hand = true;
  return changed;
}

Result<Changed> resize_split(const Session& session, const Arguments& arguments) {
  const std::string place = text(arguments, "place");
  const Arrangement* at = part_at(session.workspace().arrangement, place);
  if (!at || !at->is_split()) return Error{ErrorCode::out_of_range, fmt::format("nothing is split at \"{}\"", place), {}, {}};
  TESSERA_TRY(share, number(arguments, "share", 0.5));
  Changed changed{session.workspace(), "Resize", "resize " + place};
  changed.workspace.arrangement = with_share(changed.workspace.arrangement, place, static_cast<float>(share));
  changed.workspace.by_hand = true;
  return changed;
}

Result<Changed> tile_figures(const Session& session, const Arguments&) {
  Changed changed{session.workspace(), "Tile the figures"};
  const std::vector<View> all = views(changed.workspace.arrangement);
  changed.workspace.arrangement = tiled(all, columns_for(all.size()));
  changed.workspace.by_hand = false;
  changed.workspace.maximised.clear();
  return changed;
}

Result<Changed> set_option(const Session& session, const Arguments& arguments) {
  const PaneAt at = pane_in_question(session, arguments);
  const std::string option = text(arguments, "option"), value = text(arguments, "value");
  Changed changed{session.workspace(), fmt::format("Set {} of the figure", option), fmt::format("option {} {}", at.place, option)};
  Arrangement pane = *at.pane;
  FigureOptions& options = pane.tabs[tab_of(pane, binding(session, arguments))].options;
  if (option == "kind") {
    options.kind = value;
    options.parameters.clear();  // another kind has others
  } else if (option == "palette") {
    options.palette = value;
  } else if (option == "title") {
    options.title = value;
  } else if (option == "style") {
    TESSERA_TRY(style, figure_style(value.empty() ? "tessera" : value));
    options.style = style;
  } else if (value.empty()) {
    options.parameters.erase(option);
  } else {
    options.parameters[option] = value;
  }
  changed.workspace.arrangement = with_part(changed.workspace.arrangement, at.place, std::move(pane));
  return changed;
}

Result<Changed> step_forward(const Session& session, const Arguments& arguments) { return other_step(session, arguments, 1); }
Result<Changed> step_back(const Session& session, const Arguments& arguments) { return other_step(session, arguments, -1); }

Result<Changed> keep_figure(const Session& session, const Arguments& arguments) {
  const PaneAt at = pane_in_question(session, arguments);
  const std::size_t tab = tab_of(*at.pane, binding(session, arguments));
  TESSERA_TRY(expression, kept_expression(session, at.pane->tabs[tab]));
  TESSERA_TRY(changed, add_binding(session, {{"expression", std::move(expression)}, {"name", text(arguments, "name")}}));
  changed.label = "Keep the figure as " + changed.workspace.selected;
  // The kept one is what is seen from now on: it has what was chosen here.
  Arrangement pane = *at.pane;
  pane.tabs[tab] = View{changed.workspace.selected};
  changed.workspace.arrangement = with_part(changed.workspace.arrangement, at.place, std::move(pane));
  return changed;
}

}  // namespace tessera::action

namespace tessera {
namespace {

// The kinds of figures are called NAME_figure in the language; what is no call of one gets one around its name. A call of another kind
// keeps its objects, and those of its parameters that the kind has too.
Result<std::string> as_call(const Session& session, const View& view) {
  const EvaluatedBinding* found = session.find(view.binding);
  const auto* call = std::get_if<std::shared_ptr<const FigureCall>>(&found->value->any);
  std::string text(session.expression(view.binding));
  if (!call) return fmt::format("{}_figure({})", view.options.kind, view.binding);
  if (view.options.kind.empty() || view.options.kind == (*call)->kind) return text;
  for (const auto& [name, value] : (*call)->named) {
    if (has_parameter(view.options.kind, name) || name == "palette" || name == "title" || name == "style") continue;
    TESSERA_TRY(without, with_named_argument(text, name, ""));
    text = std::move(without);
  }
  const std::size_t open = text.find('(');
  return fmt::format("{}_figure{}", view.options.kind, open == std::string::npos ? "()" : text.substr(open));
}

bool is_bare_word(std::string_view text) {
  return is_identifier(text) || (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos);
}

}  // namespace

Result<std::string> kept_expression(const Session& session, const View& view) {
  View named = view;
  const EvaluatedBinding* found = session.find(view.binding);
  if (!found || !found->value) return Error{ErrorCode::unknown_name, fmt::format("\"{}\" has no figure", view.binding), {}, {}};
  if (named.options.kind.empty() && kind_name(*found->value) != "figure") {
    TESSERA_TRY(kind, figure_kind_of(*found->value));
    named.options.kind = std::move(kind);
  }
  TESSERA_TRY(call, as_call(session, named));
  const auto set = [&](const std::string& name, const std::string& value) -> Status {
    if (value.empty()) return Done{};
    TESSERA_TRY(with, with_named_argument(call, name, is_bare_word(value) ? value : fmt::format("\"{}\"", value)));
    call = std::move(with);
    return Done{};
  };
  for (const auto& [name, value] : view.options.parameters) TESSERA_CHECK(set(name, value));
  TESSERA_CHECK(set("palette", view.options.palette));
  TESSERA_CHECK(set("title", view.options.title));
  if (view.options.style != FigureStyle::tessera) TESSERA_CHECK(set("style", std::string(name_of(view.options.style))));
  return call;
}

std::vector<View> first_views(const Session& session) {
  // The first figures that the document asks for; a document without any shows its first drawable values.
  std::vector<View> found;
  for (const bool only_figures : {true, false}) {
    for (const EvaluatedBinding& binding : session.bindings()) {
      if (found.size() == 4 || !binding.value || !is_drawable(*binding.value)) continue;
      if (binding.name.empty() || !binding.needs.empty()) continue;
      if (!only_figures || kind_name(*binding.value) == "figure") found.push_back({binding.name});
    }
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace tessera
