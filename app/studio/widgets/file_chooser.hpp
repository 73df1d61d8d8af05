// SPDX-License-Identifier: BSD-3-Clause
// The file chooser: a path that is typed and completed, and below it the folder that it leads into.
#pragma once

#include <string>
#include <vector>

#include "app/session/files/file_listing.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

struct FileChooser {
  std::string base;     // the folder that what is typed is relative to
  FileListing listing;  // of the folder that is typed
  int chosen = -1;      // a row, by the arrow keys; -1: the field
  bool focus = false;   // the field takes the keyboard again
};

struct ChooserInput {
  bool saves = false;  // a name that is typed is a new one: all of the folder is shown
  float height = 200;  // of the list, in units
};

enum class Chosen { nothing, changed, folder, file };
// Draws both. `changed`: `typed` is another path now; `folder`: it is in another folder; `file`: a file was chosen by a double click or by
// Enter, and its path is typed.
Chosen draw_file_chooser(Ui& ui, FileChooser& chooser, std::string& typed, const ChooserInput& input);

// What is typed, from the base where it says no other beginning.
std::string chosen_path(const FileChooser& chooser, const std::string& typed);

}  // namespace tessera::studio
