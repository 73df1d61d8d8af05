// SPDX-License-Identifier: BSD-3-Clause
// App: the studio without its window. A frame is `draw(app)` between ImGui::NewFrame and ImGui::Render, whoever shows it: a window,
// a screenshot or a test.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/jobs.hpp"
#include "app/session/session.hpp"
#include "app/session/settings.hpp"
#include "app/studio/actions.hpp"
#include "app/studio/figure_cache.hpp"
#include "app/studio/hover.hpp"
#include "app/studio/panels.hpp"
#include "app/studio/widgets.hpp"

namespace tessera::studio {

// Open panels and their sizes, in units of 1/96 inch: all that is no part of the document.
struct Workbench {
  std::string selected;           // binding
  std::vector<std::string> open;  // figures on the screen
  std::map<std::string, CanvasState> canvases;
  BindingsState bindings;
  SideState side;
  DialogState dialog;
  DifferenceState difference;
  std::size_t columns = 0;                       // of figures; 0: to be chosen for what is open
  float left = 330, right = 360, column = 0.5f;  // widths; share of the first column of figures
};

// One GEMM and what came of it.
struct GemmRun {
  std::unique_ptr<GemmJob> job;                              // while it runs
  std::shared_ptr<WorkerPool> workers = make_worker_pool();  // from run to run
  std::string binding;
  std::string made_of;  // the binding's value as text when the run was started
  bool emulating = false;
  struct Kept {
    std::string made_of;  // a report is about this text, and about no other
    Result<GemmReport> report;
  };
  std::map<std::string, Kept> reports;  // the latest of each binding
};

class App {
 public:
  explicit App(float scale);

  Session session;
  Settings settings;
  GemmRequest request;  // worker, device and limits of every run; document and binding are filled in
  Workbench bench;
  GemmRun gemm;
  FigureCache figures;
  GemmPages pages;  // plans and recordings, looked up once a change
  Textures textures;
  Fonts fonts;
  Recorder recorder;  // what the last frame showed
  std::optional<Hovered> hovered;
  std::string status;  // the last thing that happened
  bool status_is_error = false;
  std::vector<Action> pending;  // from shortcuts; performed at the start of the next frame
  std::uint64_t performed = 0;  // actions so far
  float scale = 1;
  bool quit = false;
  bool keeps_settings = false;  // whether what is opened and chosen goes into the person's settings file

  ThemeKind theme() const { return settings.theme == "light" ? ThemeKind::light : ThemeKind::dark; }
  bool busy() const { return gemm.job != nullptr; }
};

// Opens a document and shows its first figures; the status says when it was perhaps cut off, or when a newer autosave can be recovered.
Status open_document(App& app, const std::string& path);
void show_document(App& app);

void perform(App& app, const Action& action);
// Looks whether another program has changed the document's file; true when there is something new to show.
bool watch_file(App& app);
void draw(App& app);

// The shortcuts of a window, as a letter with Ctrl held; what a text field uses itself is left to it.
std::optional<Action> shortcut(const App& app, char letter, bool shift, bool typing);

}  // namespace tessera::studio
