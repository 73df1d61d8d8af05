// SPDX-License-Identifier: BSD-3-Clause
// Action: what a panel asks for. Panels only read; `perform` (app.hpp) is the one place where the session and the workbench change.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/actions/actions.hpp"
#include "app/session/document/command.hpp"
#include "app/studio/widgets/figure_file.hpp"

namespace tessera::studio {

// A row of the table of actions. What it still needs is asked for in a dialog.
struct Do {
  std::string id;
  Arguments arguments{};
  bool merge = false;  // steps of one label join while a burst lasts
};
// The same, but what it takes is shown first, to be changed.
struct AskFor {
  std::string id;
  Arguments arguments{};
};
// A change of the document as it is typed: refused where the keyboard is.
struct Edit {
  Command command;
  bool merge = false;
};

// The name of the selected binding becomes a field in its row of the list.
struct RenameInList {};

// A menu of the menu bar is opened.
struct OpenMenu {
  std::string menu;
};

// ---- answers to questions that the studio has put -----------------------------------------------------------------------

struct Open {
  std::string path;      // or a share text; or what a program that ended early left, by its autosave's name
  bool discard = false;  // unsaved changes may be lost
  bool at_gemm = false;  // shows its first GEMM
  bool left = false;     // the path is such a name
};
// Files that were let go over the window: documents are opened, figures are added.
struct Drop {
  std::vector<std::string> paths;
};
struct Recover {};  // what a crash left, as a change that can be undone
struct DiscardRecovery {};
struct Save {
  bool then_quit = false;
  std::optional<Open> then_open{};
};
// Answers to a file that another program has changed or removed.
struct Reload {};
struct KeepMine {
  bool then_quit = false;
};
struct ShowDifference {};
struct CloseDifference {};
struct AskSaveAs {
  bool then_quit = false;
};
struct SaveAs {
  std::string path;
  bool overwrite = false, then_quit = false;
};
struct Export {
  FigureFile file;
  std::string path;  // its ending says the format
  bool overwrite = false;
};
struct CloseDialog {};
struct CloseWelcome {};
struct Quit {
  bool discard = false;
};

using Action = std::variant<Do, AskFor, Edit, RenameInList, OpenMenu, Open, Drop, Recover, DiscardRecovery, Save, Reload, KeepMine,
                            ShowDifference, CloseDifference, AskSaveAs, SaveAs, Export, CloseDialog, CloseWelcome, Quit>;

}  // namespace tessera::studio
