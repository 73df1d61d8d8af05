// SPDX-License-Identifier: BSD-3-Clause
// Action: what a panel asks for. Panels only read; `perform` (app.hpp) is the one place where the session and the workbench change.
#pragma once

#include <string>
#include <variant>

#include "app/session/command.hpp"

namespace tessera::studio {

struct Edit {
  Command command;
  bool merge = false;
};  // a change of the document
struct Undo {};
struct Redo {};
struct Select {
  std::string binding;
  bool beside = false;
};  // show its figure; `beside`: next to those that are open
struct CloseFigure {
  std::string binding;
};
struct FitFigures {};
struct AskOpen {};
struct Open {
  std::string path;
  bool discard = false;
};                  // `discard`: unsaved changes may be lost
struct Recover {};  // what a crash left, as a change that can be undone
struct DiscardRecovery {};
struct Save {
  bool then_quit = false;
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
struct AskExport {
  std::string binding;
};
struct Export {
  std::string binding, path;
  bool overwrite = false;
};
struct CloseDialog {};
struct RunGemm {
  std::string binding;
  bool emulate = false;
};
struct StopGemm {};
struct SwitchTheme {};
struct Quit {
  bool discard = false;
};

using Action =
    std::variant<Edit, Undo, Redo, Select, CloseFigure, FitFigures, AskOpen, Open, Recover, DiscardRecovery, Save, Reload, KeepMine,
                 ShowDifference, CloseDifference, AskSaveAs, SaveAs, AskExport, Export, CloseDialog, RunGemm, StopGemm, SwitchTheme, Quit>;

}  // namespace tessera::studio
