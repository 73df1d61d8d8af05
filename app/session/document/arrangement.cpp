// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/arrangement.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/json.hpp"

namespace tessera {
namespace {

using Part = std::shared_ptr<const Arrangement>;

Part shared(Arrangement part) { return std::make_shared<const Arrangement>(std::move(part)); }

Arrangement joined(Part first, Part second, bool across, float share) {
  Arrangement made;
  made.first = std::move(first);
  made.second = std::move(second);
  made.across = across;
  made.share = std::clamp(share, kLeastShare, kMostShare);
  return made;
}

void add_panes(const Arrangement& part, const PanePlace& place, std::vector<PaneAt>& found) {
  if (!part.is_split()) return found.push_back({place, &part});
  add_panes(*part.first, place + '0', found);
  add_panes(*part.second, place + '1', found);
}

// One after the other, in equal shares.
Arrangement row_of(std::vector<Arrangement> parts, bool across) {
  Arrangement all = std::move(parts.back());
  for (std::size_t i = parts.size() - 1; i-- > 0;)
    all = joined(shared(std::move(parts[i])), shared(std::move(all)), across, 1.0f / static_cast<float>(parts.size() - i));
  return all;
}

}  // namespace

bool operator==(const Arrangement& a, const Arrangement& b) {
  if (a.is_split() != b.is_split()) return false;
  if (!a.is_split()) return a.tabs == b.tabs && a.shown == b.shown;
  const auto equal = [](const Part& one, const Part& other) { return one == other || *one == *other; };
  return a.across == b.across && a.share == b.share && equal(a.first, b.first) && equal(a.second, b.second);
}

std::vector<PaneAt> panes(const Arrangement& all) {
  std::vector<PaneAt> found;
  add_panes(all, {}, found);
  return found;
}

std::vector<View> views(const Arrangement& all) {
  std::vector<View> found;
  for (const PaneAt& each : panes(all)) found.insert(found.end(), each.pane->tabs.begin(), each.pane->tabs.end());
  return found;
}

std::vector<View> shown_views(const Arrangement& all) {
  std::vector<View> found;
  for (const PaneAt& each : panes(all)) {
    if (each.pane->shown < each.pane->tabs.size()) found.push_back(each.pane->tabs[each.pane->shown]);
  }
  return found;
}

const Arrangement* part_at(const Arrangement& all, std::string_view place) {
  const Arrangement* part = &all;
  for (const char step : place) {
    if (!part->is_split() || (step != '0' && step != '1')) return nullptr;
    part = step == '0' ? part->first.get() : part->second.get();
  }
  return part;
}

std::optional<PaneAt> pane_of(const Arrangement& all, std::string_view binding) {
  std::optional<PaneAt> behind;
  for (const PaneAt& each : panes(all)) {
    const std::vector<View>& tabs = each.pane->tabs;
    if (each.pane->shown < tabs.size() && tabs[each.pane->shown].binding == binding) return each;
    if (!behind && std::any_of(tabs.begin(), tabs.end(), [&](const View& view) { return view.binding == binding; })) behind = each;
  }
  return behind;
}

std::size_t tab_of(const Arrangement& pane, std::string_view name) {
  if (pane.shown < pane.tabs.size() && pane.tabs[pane.shown].binding == name) return pane.shown;
  const auto found = std::find_if(pane.tabs.begin(), pane.tabs.end(), [&](const View& view) { return view.binding == name; });
  return found == pane.tabs.end() ? pane.shown : static_cast<std::size_t>(found - pane.tabs.begin());
}

View view_of(const Arrangement& all, std::string_view binding) {
  const auto found = pane_of(all, binding);
  return found ? found->pane->tabs[tab_of(*found->pane, binding)] : View{std::string(binding)};
}

Arrangement with_part(const Arrangement& all, std::string_view place, Arrangement part) {
  if (place.empty() || !all.is_split()) return part;
  Arrangement made = all;
  Part& side = place.front() == '0' ? made.first : made.second;
  side = shared(with_part(*side, place.substr(1), std::move(part)));
  return made;
}

Arrangement with_view(const Arrangement& all, std::string_view place, View view, bool in_place) {
  const Arrangement* at = part_at(all, place);
  if (!at || at->is_split()) return all;
  Arrangement pane = *at;
  const auto same = std::find_if(pane.tabs.begin(), pane.tabs.end(), [&](const View& each) { return each.binding == view.binding; });
  if (same != pane.tabs.end()) {
    pane.shown = static_cast<std::size_t>(same - pane.tabs.begin());
    *same = std::move(view);
  } else if (in_place && pane.shown < pane.tabs.size()) {
    pane.tabs[pane.shown] = std::move(view);
  } else {
    pane.shown = std::min(pane.shown + 1, pane.tabs.size());
    pane.tabs.insert(pane.tabs.begin() + static_cast<std::ptrdiff_t>(pane.shown), std::move(view));
  }
  return with_part(all, place, std::move(pane));
}

Arrangement split(const Arrangement& all, std::string_view place, bool across, View view, bool before) {
  const Arrangement* at = part_at(all, place);
  if (!at) return all;
  Arrangement pane;
  pane.tabs.push_back(std::move(view));
  if (at->empty()) return with_part(all, place, std::move(pane));
  Part there = shared(*at), added = shared(std::move(pane));
  if (before) std::swap(there, added);
  return with_part(all, place, joined(std::move(there), std::move(added), across, 0.5f));
}

Arrangement without_tab(const Arrangement& all, std::string_view place, std::size_t tab) {
  const Arrangement* at = part_at(all, place);
  if (!at || at->is_split() || tab >= at->tabs.size()) return all;
  Arrangement pane = *at;
  pane.tabs.erase(pane.tabs.begin() + static_cast<std::ptrdiff_t>(tab));
  if (pane.shown > tab || pane.shown == pane.tabs.size()) pane.shown -= pane.shown > 0 ? 1 : 0;
  if (!pane.tabs.empty() || place.empty()) return with_part(all, place, std::move(pane));
  const std::string_view parent = place.substr(0, place.size() - 1);
  const Arrangement* around = part_at(all, parent);
  return with_part(all, parent, place.back() == '0' ? *around->second : *around->first);
}

Arrangement without(const Arrangement& all, const std::function<bool(const View&)>& gone) {
  Arrangement left = all;
  for (bool again = true; again;) {
    again = false;
    for (const PaneAt& each : panes(left)) {
      const auto found = std::find_if(each.pane->tabs.begin(), each.pane->tabs.end(), gone);
      if (found == each.pane->tabs.end()) continue;
      left = without_tab(left, each.place, static_cast<std::size_t>(found - each.pane->tabs.begin()));
      again = true;
      break;  // the panes are others now
    }
  }
  return left;
}

Arrangement renamed(const Arrangement& all, std::string_view from, std::string_view to) {
  Arrangement made = all;
  for (const PaneAt& each : panes(all)) {
    Arrangement pane = *each.pane;
    for (View& view : pane.tabs) {
      if (view.binding == from) view.binding = to;
    }
    made = with_part(made, each.place, std::move(pane));
  }
  return made;
}

Arrangement with_share(const Arrangement& all, std::string_view place, float share) {
  const Arrangement* at = part_at(all, place);
  if (!at || !at->is_split()) return all;
  return with_part(all, place, joined(at->first, at->second, at->across, share));
}

Arrangement tiled(const std::vector<View>& views, std::size_t columns) {
  if (views.empty()) return {};
  columns = std::clamp<std::size_t>(columns, 1, views.size());
  std::vector<Arrangement> across;
  std::size_t next = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t count = (views.size() - next + (columns - c) - 1) / (columns - c);
    std::vector<Arrangement> down;
    for (std::size_t r = 0; r < count; ++r) {
      Arrangement pane;
      pane.tabs.push_back(views[next++]);
      down.push_back(std::move(pane));
    }
    across.push_back(row_of(std::move(down), false));
  }
  return row_of(std::move(across), true);
}

}  // namespace tessera
