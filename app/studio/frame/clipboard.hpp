// SPDX-License-Identifier: BSD-3-Clause
// What goes into the clipboard, and what comes out of it. It holds text: a picture of pixels goes into a file, and its path is copied.
#pragma once

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

void copy_value(App& app, const Arguments& arguments);  // edit.copy
void copy_cells(App& app, const Arguments& arguments);
void copy_share_text(App& app, const Arguments& arguments);
// Lines become bindings; a share text is opened as a document.
void paste(App& app, const Arguments& arguments);

// Is there a share text in the clipboard? It is a document wherever it is pasted, also into a field.
bool share_text_is_copied();

}  // namespace tessera::studio
