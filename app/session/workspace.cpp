// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/workspace.hpp"

namespace tessera {

void rename_views(Workspace& workspace, std::string_view from, std::string_view to) {
  workspace.arrangement = renamed(workspace.arrangement, from, to);
  for (std::string* name : {&workspace.selected, &workspace.maximised, &workspace.selection.binding}) {
    if (*name == from) *name = to;
  }
}

}  // namespace tessera
