// SPDX-License-Identifier: BSD-3-Clause
// Actions on the window's layout: its panels, what is zoomed together, and layouts that were kept under a name.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/session/actions/action_parts.hpp"
#include "app/session/document/saved_layout.hpp"

namespace tessera::action {
namespace {

Result<Changed> toggled(const Session& session, bool Workspace::*what) {
  Changed changed{session.workspace(), {}, {}, false};
  changed.workspace.*what = !(changed.workspace.*what);
  return changed;
}

}  // namespace

Result<Changed> toggle_list(const Session& session, const Arguments&) { return toggled(session, &Workspace::list_hidden); }
Result<Changed> toggle_side(const Session& session, const Arguments&) { return toggled(session, &Workspace::side_hidden); }
Result<Changed> toggle_sync(const Session& session, const Arguments&) { return toggled(session, &Workspace::synced); }

Result<Changed> set_layout(const Session& session, const Arguments& arguments) {
  const std::string name = text(arguments, "name");
  TESSERA_TRY(next, with_layout(session.workspace(), text(arguments, "layout")));
  const auto missing = [&](const View& view) { return session.find(view.binding) == nullptr; };
  const bool had_figures = !views(next.arrangement).empty();
  next.arrangement = without(next.arrangement, missing);
  const std::vector<View> left = shown_views(next.arrangement);
  if (had_figures && left.empty())
    return Error{ErrorCode::unknown_name, "none of the layout's figures is of this document", {}, {"it was kept of another one"}};
  if (!left.empty() && !pane_of(next.arrangement, next.selected)) next.selected = left.front().binding;
  return Changed{std::move(next), name.empty() ? "Layout" : "Layout " + name};
}

Result<Changed> reset_layout(const Session& session, const Arguments& arguments) {
  TESSERA_TRY(changed, tile_figures(session, arguments));
  changed.label = "Reset the layout";
  changed.workspace.list_hidden = changed.workspace.side_hidden = false;
  return changed;
}

}  // namespace tessera::action
