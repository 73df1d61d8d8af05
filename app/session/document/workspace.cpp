// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/document/workspace.hpp"

#include <string>
#include <string_view>

namespace tessera {

void unpin(Workspace& workspace) {
  if (workspace.pinned && workspace.maximised == workspace.pinned->binding) workspace.maximised.clear();
  workspace.pinned.reset();
}

bool has_selection_in_sight(const Workspace& workspace) {
  const std::string& binding = workspace.selection.binding;
  if (workspace.selection.empty()) return false;
  return workspace.maximised.empty() ? pane_of(workspace.arrangement, binding).has_value() : workspace.maximised == binding;
}

void rename_views(Workspace& workspace, std::string_view from, std::string_view to) {
  workspace.arrangement = renamed(workspace.arrangement, from, to);
  for (std::string* name : {&workspace.selected, &workspace.maximised, &workspace.selection.binding}) {
    if (*name == from) *name = to;
  }
  if (!workspace.pinned || workspace.pinned->binding != from) return;
  workspace.pinned->was = workspace.pinned->name_then();  // the document that is pinned has its old name
  workspace.pinned->binding = to;
}

}  // namespace tessera
