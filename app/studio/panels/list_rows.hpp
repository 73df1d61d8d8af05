// SPDX-License-Identifier: BSD-3-Clause
// What stands in the list: a row, the editor below the selected one, a line that cannot be read.
#pragma once

#include <string>
#include <string_view>

#include "app/studio/panels/panels.hpp"

namespace tessera::studio {

constexpr float kRowHeight = 30;

struct RowLook {
  bool selected = false, dragged = false;
};
// What has no name (an assertion, an expression alone) is called by its text. True when it was clicked.
bool draw_list_row(Ui& ui, const EvaluatedBinding& binding, std::string_view expression, const RowLook& look);
// The row while its name is typed anew. Gives the action on Enter, and ends the renaming on Escape and when the keyboard goes elsewhere.
Answer draw_renamed_row(Ui& ui, const Session& session, BindingsState& state);
// The expression of the selected row, and what it comes to.
Answer draw_row_editor(Ui& ui, const Session& session, BindingsState& state, const EvaluatedBinding& binding);

// A line that cannot be read: its text to be mended, and what is wrong with it.
Answer draw_bad_line(Ui& ui, const Session& session, BindingsState& state, const BadLine& bad, const std::string& whole);
// The one that is being mended, when it can be read by now.
Answer draw_mended_line(Ui& ui, const Session& session, BindingsState& state);

// The message with the offending place marked: the text, and carets under it.
void draw_row_error(Ui& ui, const Error& error, std::string_view source);
// What was probably meant, as a button.
Answer draw_mend_button(Ui& ui, const Session& session, const std::string& name);

}  // namespace tessera::studio
