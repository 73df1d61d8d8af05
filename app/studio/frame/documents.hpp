// SPDX-License-Identifier: BSD-3-Clause
// Documents as files: where they are looked for, and which were opened last. Opening them is declared with the App.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/studio/frame/app.hpp"

namespace tessera::studio {

// The figures and the panels are there again. One page at a time covers them: whoever opens one closes the others.
void close_pages(Workbench& bench);
// A program's text on the page of sources, where the document stays as it is.
Status show_source(App& app, const std::string& path);
// The same of a text that is pasted, where it is a whole program; false where it is lines for a document.
bool show_program(App& app, std::string_view text);
// Among the recent ones, in the person's settings.
void remember_document(App& app);
void remember(App& app, const std::filesystem::path& file);
// Looks what programs that ended early have left; what cannot be read is no reason to say anything.
void look_for_left(App& app);
// What one of them left, by its autosave's name.
Status open_left(App& app, const std::string& name);
// A dialog that asks for a file: the document's own folder is looked at first, else that of the last one, else where the program was
// started.
DialogState file_dialog(const App& app, DialogKind kind, std::string typed);

}  // namespace tessera::studio
