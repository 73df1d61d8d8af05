// SPDX-License-Identifier: BSD-3-Clause
// App: the studio without its window. A frame is `draw(app)` between ImGui::NewFrame and ImGui::Render, whoever shows it: a window,
// a screenshot or a test.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/document/session.hpp"
#include "app/session/files/settings.hpp"
#include "app/session/gemm/comparison.hpp"
#include "app/session/gemm/jobs.hpp"
#include "app/studio/frame/graphics.hpp"
#include "app/studio/frame/input.hpp"
#include "app/studio/pages/gemm_page.hpp"
#include "app/studio/pages/ladder_page.hpp"
#include "app/studio/pages/lesson_page.hpp"
#include "app/studio/pages/source_page.hpp"
#include "app/studio/pages/table_page.hpp"
#include "app/studio/paint/figure_cache.hpp"
#include "app/studio/paint/hover.hpp"
#include "app/studio/panels/panels.hpp"
#include "app/studio/panels/panes.hpp"
#include "app/studio/widgets/actions.hpp"
#include "app/studio/widgets/widgets.hpp"

namespace tessera::studio {

// What is no part of the workspace: fields that are being typed in, open dialogs, and widths in units of 1/96 inch.
struct Workbench {
  std::map<std::string, CanvasState> canvases;
  BindingsState bindings;
  SideState side;
  DialogState dialog;
  ExportState exporting;  // while the dialog is that one
  DifferenceState difference;
  LadderState ladder;
  TableState table;
  SourceState source;
  LessonState lesson;
  LiveState live;
  FinderState finder;
  MenuBarState menus;
  CanvasMenuState canvas_menu;
  WelcomeState welcome;  // the first page, in the place of the panels
  TabRing ring;          // of the open dialog
  Sheet sheet = Sheet::none;
  SelectionLights lights;
  ChangedCells changed;
  InspectorState inspector;
  FigureBarState figure_bar;
  PresenterState presenter;
  Picks picks = Picks::cells;  // what a click and a drag select
  float left = 0, right = 0;   // 0: as the window's width leaves room
  // In a narrow window one figure with the room of all has that of the panels, too, until the person wants these.
  bool list_put_away = false, side_put_away = false, keeps_panels = false;
};

// One GEMM and what came of it.
struct GemmRun {
  std::unique_ptr<GemmJob> job;                              // while it runs
  std::shared_ptr<WorkerPool> workers = make_worker_pool();  // from run to run
  std::string binding;
  std::string made_of;  // the binding's value as text when the run was started
  bool emulating = false;
  RunRow row;  // of the history, once the run has ended
  struct Kept {
    std::string made_of;  // a report is about this text, and about no other
    Result<GemmReport> report;
  };
  std::map<std::string, Kept> reports;     // the latest of each binding
  std::unique_ptr<ComparisonJob> in_turn;  // A and B, while both run; the specs are those of bench.live.in_turn
  bool runs() const { return job || in_turn; }
};

// The thread that reads and writes the file of all runs.
struct KeptRuns {
  std::unique_ptr<Jobs<Result<ReadRuns>>> jobs;
  bool under_way = false, refused = false;  // refused: the file is left alone from then on
  std::uint64_t saved = 0;                  // revision of the history that the file has
};

class App {
 public:
  explicit App(float scale);  // of the interface; the settings say no word
  App(float monitor_scale, Settings settings);

  Session session;
  Settings settings;
  GemmRequest request;  // worker, device and limits of every run; document and binding are filled in
  Workbench bench;
  GemmRun gemm;
  KeptRuns kept_runs;
  FigureCache figures;
  std::vector<LeftDocument> left;  // by programs that ended early, when it was looked at last
  GemmPages pages;                 // plans and recordings, looked up once a change
  Textures textures;
  Fonts fonts;
  Recorder recorder;  // what the last frame showed
  Recorder speakers;  // and the speaker's window
  double clock = 0;   // of ImGui in the last frame, in seconds
  std::optional<Hovered> hovered;
  Messages messages;   // all that was said
  std::string status;  // the last thing that happened
  bool status_is_error = false;
  double status_until = 0;                        // in seconds of ImGui's clock: it goes away then; 0: it stays
  std::vector<Action> pending;                    // from shortcuts; performed at the start of the next frame
  std::uint64_t performed = 0;                    // actions so far
  double evaluating_since = 0;                    // in seconds of ImGui's clock, while values are on their way
  bool shows_first = false;                       // the first figures of the document, as soon as it has values
  double edited_at = 0;                           // when something was typed last, in seconds of ImGui's clock
  float scale = 1;                                // pixels for 1/96 inch of the interface
  float monitor_scale = 1;                        // of the screen; the interface has the settings' share of it
  float wanted_scale = 1;                         // differs after Larger and Smaller and on another monitor, until the next frame begins
  bool presents = false;                          // in the last frame: the interface has a presentation's scale
  bool full_screen = false, full_before = false;  // the window has the whole screen; it had when a presentation began
  bool quit = false;
  Graphics graphics;            // of a window
  bool describes = false;       // what has the focus is said on stderr
  bool keeps_settings = false;  // whether what is opened and chosen goes into the person's settings file

  // The document's figures, or a lesson.
  bool presenting() const {
    return session.workspace().presenting || (bench.lesson.open && bench.lesson.desk && bench.lesson.desk->presents());
  }
  // A presentation on a dark page has as much contrast as there is.
  ThemeKind theme() const {
    const ThemeKind chosen = theme_named(settings.theme);
    return presenting() && chosen == ThemeKind::dark ? ThemeKind::high_contrast : chosen;
  }
  const std::string& selected() const { return session.workspace().selected; }
  // What a page shows is on its way.
  bool reading() const {
    return bench.ladder.waiting() || bench.source.waiting() || bench.lesson.waiting() || bench.table.waiting() || bench.live.waiting();
  }
  bool busy() const { return gemm.runs() || figures.waiting() || session.evaluating() || reading() || kept_runs.under_way; }
};

// Opens a document and shows its first figures; the status says when it was perhaps cut off, or when a newer autosave can be recovered.
Status open_document(App& app, const std::string& path);
void opened_document(App& app);  // the same of what the session has opened already
void show_document(App& app);
void show_first(App& app);  // its first figures, beside each other

// A binding's figure as it is on the screen, in the format of a file's ending: ".svg".
Result<std::string> figure_file(const App& app, const std::string& name, const std::string& extension);

// What happened, in the status line; empty words take the last ones away.
void say(App& app, std::string words);
void say_briefly(App& app, std::string words);  // and it goes away by itself
void complain(App& app, const Error& error);
// Changes the person's settings here and in their file, of which options of the command line are no part.
void change_settings(App& app, const std::function<void(Settings&)>& change);

void perform(App& app, const Action& action);
// Opens a document to be worked on: of one that comes with the program a copy, which has no file yet.
Status open_to_edit(Session& session, const std::string& path);
// Looks whether another program has changed the document's file; true when there is something new to show.
bool watch_file(App& app);
void draw(App& app);
// The speaker's window, in an ImGui context of its own that has the same fonts; after `draw`. What is asked for there is done in the next
// frame.
void draw_speaker(App& app);

inline constexpr const char* kPasteKeys = "Ctrl+V";
// What a shortcut asks for; what a text field uses itself is left to it.
std::optional<Action> shortcut(const App& app, const Chord& keys, bool typing);
// What the settings want on this monitor, within the limits.
constexpr float kSmallestInterface = 0.5f, kLargestInterface = 4;
float scale_of(const App& app);
// The same for what a presentation shows in a window of this size: type grows with the room.
float presented_scale(const App& app, ImVec2 size);
// Makes the fonts of another scale; between two frames.
void scale_to(App& app, float scale);

}  // namespace tessera::studio
