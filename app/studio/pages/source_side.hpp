// SPDX-License-Identifier: BSD-3-Clause
// What stands beside the text of the source page: the values from outside, the shown variable with its picture, findings and refusals.
#pragma once

#include "app/studio/pages/source_page.hpp"

namespace tessera::studio {

ImU32 color_of(const Theme& theme, SourceFate fate);
bool has_picture(const Value& value);
// Is the last reading of the text that is shown?
bool fits(const SourceState& state);

void draw_outside(Ui& ui, SourceState& state);
// `shown`: the variable in question; null: there is none.
void draw_tabs(Ui& ui, SourceState& state, const SourceVariable* shown);
void draw_picture(Ui& ui, const PanesInput& input, SourceState& state, const SourceVariable& variable, const ScreenRect& area);

}  // namespace tessera::studio
