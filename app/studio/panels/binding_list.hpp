// SPDX-License-Identifier: BSD-3-Clause
// The list of bindings. Rows keep their heights, and only those in sight are drawn; whatever changes above a row, it stays where it is on
// the screen.
#pragma once

#include <string>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {

Answer draw_binding_list(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area);
// The row of a binding becomes a field for its name.
void rename_in_list(BindingsState& state, const std::string& name);
// The expression of the selected binding gets the keyboard, to be typed over.
void edit_in_list(BindingsState& state);

}  // namespace tessera::studio
