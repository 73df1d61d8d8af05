// SPDX-License-Identifier: BSD-3-Clause
// Arrangement: which figures are on the screen and where: a tree of splits with panes of tabs at its leaves. A plain value; a change
// gives another tree, and parts that stay are shared.
//
//   split across            (place "")
//   |- pane  tv, data       (place "0")  two tabs, one of them shown
//   `- split down           (place "1")
//      |- pane  tCsA        (place "10")
//      `- pane  gemm        (place "11")
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/figure/view.hpp"

namespace tessera {

struct Arrangement {
  // Of a split: both parts. Of a pane: neither.
  std::shared_ptr<const Arrangement> first, second;
  bool across = true;  // the first is left of the second; else above it
  float share = 0.5f;  // of the first
  // Of a pane:
  std::vector<View> tabs;
  std::size_t shown = 0;

  bool is_split() const { return first != nullptr; }
  bool empty() const { return !is_split() && tabs.empty(); }
  friend bool operator==(const Arrangement& a, const Arrangement& b);
};

// The way from the root to a part: '0' to the first, '1' to the second.
using PanePlace = std::string;

struct PaneAt {
  PanePlace place;
  const Arrangement* pane = nullptr;  // of the arrangement that was asked
};
std::vector<PaneAt> panes(const Arrangement& all);  // from left to right and down
std::vector<View> views(const Arrangement& all);    // every tab of every pane
std::vector<View> shown_views(const Arrangement& all);
const Arrangement* part_at(const Arrangement& all, std::string_view place);  // null when there is none
// The pane that has a figure of the binding: one that shows it, else one that has it behind another.
std::optional<PaneAt> pane_of(const Arrangement& all, std::string_view binding);

// Which of a pane's tabs is the binding's: the one that is shown where that is or none is.
std::size_t tab_of(const Arrangement& pane, std::string_view binding);
// How the binding is shown there; as it is by itself where it is not.
View view_of(const Arrangement& all, std::string_view binding);

// The tree with another part at a place that it has.
Arrangement with_part(const Arrangement& all, std::string_view place, Arrangement part);
// A view as a tab of a pane, which shows it: in the place of the one that is shown, or beside it.
Arrangement with_view(const Arrangement& all, std::string_view place, View view, bool in_place);
// The part at a place beside a new pane of the view: to its right (`across`) or below, or on the other side of it (`before`).
Arrangement split(const Arrangement& all, std::string_view place, bool across, View view, bool before = false);
// Without a tab; a pane without tabs goes, and its neighbour takes its room. The last pane stays, empty.
Arrangement without_tab(const Arrangement& all, std::string_view place, std::size_t tab);
// Without the views of which `gone` is true.
Arrangement without(const Arrangement& all, const std::function<bool(const View&)>& gone);
Arrangement renamed(const Arrangement& all, std::string_view from, std::string_view to);  // of bindings
Arrangement with_share(const Arrangement& all, std::string_view place, float share);

// The views side by side, each in a pane of its own, column by column.
Arrangement tiled(const std::vector<View>& views, std::size_t columns);

// As text, to be kept, and read again.
std::string to_json(const Arrangement& all);
Result<Arrangement> arrangement_of(std::string_view json);

constexpr float kLeastShare = 0.05f, kMostShare = 0.95f;
constexpr std::size_t kDeepestSplit = 24, kMostTabs = 1000;

}  // namespace tessera
