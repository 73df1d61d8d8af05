// SPDX-License-Identifier: BSD-3-Clause
// The panels: each reads, draws itself into a rectangle, and answers with what the person asked for. One file each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/actions/cell_table.hpp"
#include "app/session/document/session.hpp"
#include "app/session/document/workspace.hpp"
#include "app/session/files/autosave.hpp"
#include "app/session/gemm/jobs.hpp"
#include "app/studio/paint/figure_cache.hpp"
#include "app/studio/paint/hover.hpp"
#include "app/studio/paint/picking.hpp"
#include "app/studio/paint/scene_fit.hpp"
#include "app/studio/paint/scene_painter.hpp"
#include "app/studio/panels/bindings_state.hpp"
#include "app/studio/panels/export_dialog.hpp"
#include "app/studio/widgets/actions.hpp"
#include "app/studio/widgets/file_chooser.hpp"
#include "app/studio/widgets/messages.hpp"
#include "app/studio/widgets/widgets.hpp"
#include "core/diagram/explain/explain_cell.hpp"
#include "core/gemm/plan/limits.hpp"

namespace tessera::studio {

using Answer = std::optional<Action>;

// ---- toolbar, status line --------------------------------------------------------------------------------------------

// `recent`: documents that were open, for the menu of files.
struct MenuBarState {
  std::string opens;  // this menu, in the next frame
  TabRing ring;       // of the open one
};
Answer draw_toolbar(Ui& ui, const Session& session, const std::vector<std::string>& recent, MenuBarState& menus, const ScreenRect& area);

constexpr std::string_view kCanvasHints =
    "drag selects    wheel zooms    middle drag or Space moves    Ctrl+K finds everything    F1 lists the keys";
struct StatusLine {
  std::string words;
  bool is_error = false;
  const Hovered* hovered = nullptr;
  std::string selected{};    // where nothing is hovered: the selected cells in words
  std::string figure_facts;  // "32 cells", "evaluating ..."
  std::size_t unseen_errors = 0;
  std::string_view hints = kCanvasHints;  // where nothing else is said
};
Answer draw_status(Ui& ui, const StatusLine& line, const ScreenRect& area);

// ---- what there is to do ---------------------------------------------------------------------------------------------------

std::vector<std::string> menus();  // of the table of actions, in its order
// Which menu a shortcut opens: F10 the first, Alt and a letter the one that has it underlined; empty: none.
std::string menu_of_keys(std::string_view keys);
Answer draw_menu_bar(Ui& ui, const Session& session, const std::vector<std::string>& recent, MenuBarState& state, float x, float y);
// The menu of the figure on which the right button was clicked. After the canvases.
struct CanvasMenuState {
  std::string binding;
  std::vector<std::string> cells;  // what the cell under the mouse can be taken for: "A(5,2)", "T21", "W0"
  TabRing ring{};
};
Answer draw_canvas_menu(Ui& ui, const Session& session, const std::optional<Hovered>& hovered, CanvasMenuState& state);
// An open menu of one or several of the menus. With arguments only what is about a binding: the menu of a line or a figure. `above`: more
// rows, over the others.
Answer draw_menus(Ui& ui, const Session& session, const std::string& popup, const std::vector<std::string>& menus, TabRing& ring,
                  const Arguments& arguments, const std::vector<std::string>& recent = {}, const std::function<Answer()>& above = {});

// The page that the studio begins with where it was given no document.
struct WelcomeState {
  bool open = false;
  std::size_t chosen = 0;  // of its cards and recent documents, by the arrow keys
};
struct WelcomeInput {
  const std::vector<LeftDocument>& left;  // by programs that ended early, without a file
  const std::vector<std::string>& recent;
  bool has_document = false;
};
Answer draw_welcome(Ui& ui, const WelcomeInput& input, WelcomeState& state, const ScreenRect& area);

struct FinderState {
  struct Entry {
    std::string title, detail, mark;  // the mark stands at the right: keys, or what it is
    Action action;
    std::string why_not{};
  };
  bool open = false;
  std::string typed;
  std::optional<std::string> searched;  // what was found is for this; nothing: there was no search yet
  std::vector<Entry> found;
  std::size_t chosen = 0;
  std::vector<std::string> recent{};                           // documents
  std::vector<LeftDocument> left{};                            // by programs that ended early
  std::vector<std::pair<std::string, std::string>> lessons{};  // names and titles of those that come with the program
  bool type_on = false;                                        // the field takes the keyboard in the next frame
};
Answer draw_finder(Ui& ui, const Session& session, FinderState& state);

enum class Sheet { none, keys, about, messages };
struct SheetInput {
  std::vector<std::pair<std::string, std::string>> facts;  // of About
  const Messages& messages;
};
// True when it was closed.
bool draw_sheet(Ui& ui, Sheet sheet, const SheetInput& input);

// ---- bindings: names, kinds, expressions; editing where they stand ------------------------------------------------------

// The other tab of the panel, at the selected line.
void show_text(const Session& session, BindingsState& state);
Answer draw_bindings(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area);

// ---- canvas: one figure with pan, zoom and hover -------------------------------------------------------------------------

struct CanvasState {
  Camera camera;             // its origin is relative to the canvas
  bool fitted = true;        // follows the size of the canvas until the person moves it
  std::uint64_t serial = 0;  // of the scene that it was fitted to
  ImVec2 size{0, 0};
  CaptionsAt captions = CaptionsAt::nowhere;      // while it is fitted
  ScreenRect words{};                             // where they stand in the canvas, if beside or below the cells
  bool titled = true;                             // the title stands over the cells
  bool drawer = false;                            // all that is said is unfolded
  std::optional<ElementId> pressed{}, reached{};  // a drag over cells: where it began, and where it is
  bool pans = false;                              // the drag moves the figure
  ImVec2 room{0, 0};                              // of the canvas in the last frame
  enum class Wants : std::uint8_t { nothing, actual, selection } wants = Wants::nothing;  // the next frame goes there
  void fit_again() {
    fitted = true;
    size = {0, 0};
  }
  void show(const Fit& fit) {
    camera = fit.camera;
    captions = fit.captions;
    words = fit.words;
    titled = fit.title;
  }
  // The same cells in the middle, as large.
  void look_as(const CanvasState& other) {
    camera.scale = other.camera.scale;
    look_at(other.middle());
    fitted = false;
  }
  ImVec2 middle() const { return camera.to_scene({room.x / 2, room.y / 2}); }  // in the scene
  void look_at(const ImVec2& place) {                                          // in the middle, as large as cells are
    camera.put(place, {room.x / 2, room.y / 2});
  }
};
// Of the popup of the bar that is open: what is typed in it; and where the keyboard is.
struct FigureBarState {
  std::string typed;
  TabRing ring;
  TabRing more;  // of what More opens
  TabRing row;   // of the tool row of the figure that has the focus
};
struct CanvasInput {
  const std::string& name;
  const Session& session;
  const View& view;
  const Arrangement& pane;  // whose tabs stand above it
  const PanePlace& place;
  Figure& figure;
  Textures& textures;
  const Hovered* hovered;             // of the last frame, in any canvas
  const std::vector<ElementId>* lit;  // by the selection; null: nothing is selected in this lineage
  FigureBarState& bar;
  Picks& picks;
  bool selected = false, closable = false, maximised = false;
  bool bare = false;                                // without a header
  bool presented = false;                           // nothing is selected in it: a drag moves it
  std::string_view badge{};                         // a word over it: "A"
  std::string beside_badge{};                       // and the expression that it is of
  const std::vector<ElementId>* changed = nullptr;  // cells that are marked
  const Figure* fitted_with = nullptr;              // both are shown whole at one scale
};
Answer draw_figure_bar(Ui& ui, const CanvasInput& input, FigureBarState& state, Picks& picks, const ScreenRect& area);

struct CanvasOutput {
  std::vector<Action> actions;
  std::optional<Hovered> hovered;
};
CanvasOutput draw_canvas(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area);
// A picture on a page of its own: without a pane, tool row and selection; a drag moves it.
struct LonePicture {
  const std::string& name;  // of its canvas
  const Session& session;
  const View& view;
  Figure& figure;
  Textures& textures;
  const Hovered* hovered;             // of the last frame, in any canvas
  const std::vector<ElementId>* lit;  // cells that stand out; null: none do
  FigureBarState& bar;
  Picks& picks;
  bool linked = false;  // it lights up with what is pointed at in another picture, too
};
CanvasOutput draw_alone(Ui& ui, const LonePicture& picture, CanvasState& state, const ScreenRect& area);
// Only the tool row over the picture; gives where it ends.
float draw_canvas_row(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area, std::vector<Action>& actions);

// A pinned figure as it was (A) beside what it is now (B, whose changed cells are marked).
struct ComparisonInput {
  const CanvasInput& now;
  Figure& was;
};
// Whether both and their legend have room there.
bool has_room_to_compare(const Ui& ui, const ScreenRect& area);
CanvasOutput draw_comparison(Ui& ui, const ComparisonInput& in, CanvasState& a, CanvasState& b, const ScreenRect& area);

// ---- the side: inspector and GEMM ----------------------------------------------------------------------------------------

struct SideState {
  std::size_t page = 0;  // of the table of pages
};

// What the selected cells are, made once a selection; and how one of them comes about.
struct CellTablePage {
  CellSelection selection;
  std::uint64_t revision = 0;
  Result<CellTable> table = CellTable{};
  std::vector<ElementId> cells{};            // the first of them
  std::size_t count = 0, of = 0;             // of all of them, and of the figure's cells
  std::vector<std::size_t> cell_of{};        // of each of the table's first rows
  std::size_t detailed = 0;                  // the cell below
  std::optional<ExplainedCell> explained{};  // nothing where its figure does not say
  std::string owners{};                      // "T3 V1, T7 V1"
};
class CellTables {
 public:
  const CellTablePage& get(const Session& session);
  void detail(const Session& session, std::size_t cell);

 private:
  CellTablePage page_;
};
// A cell's steps from its coordinate to memory, thread and instruction.
void draw_explained(Ui& ui, const ExplainedCell& cell, const std::string& owners);
// "ampere A(5,2): T21 V0, T69 V0"; of several how many there are. Empty where none is selected.
std::string words_of_selected(const Session& session, CellTables& tables);
Answer draw_selected_cells(Ui& ui, const Session& session, CellTables& tables);

// A number of an expression that is being dragged.
struct NumberDrag {
  std::string binding;
  std::size_t number = 0;  // of those in the expression
  std::int64_t from = 0;   // what it was, and where the mouse was
  float x = 0;
};
struct DraggedNumbers {
  const std::string& binding;
  std::string expression;
  bool refused = false;  // or warned of, as it is: the number that made it so is marked
};
Answer draw_numbers(Ui& ui, const DraggedNumbers& of, NumberDrag& drag);
// The numbers alone, of any expression that has a name: what it becomes by a drag or a turn of the wheel; nothing where it stays.
std::optional<std::string> drag_numbers(Ui& ui, const DraggedNumbers& of, NumberDrag& drag);

// The selected cells, the one under the mouse, and the selected value.
struct InspectorState {
  CellTables tables;
  NumberDrag drag;
  float above = 0;  // where the value began when no button was held
};

// What the GEMM page shows and what takes time to find: made once a revision.
struct GemmPage {
  std::uint64_t revision = 0;
  std::optional<Result<GemmPlan>> plan;
  std::vector<PlanLine> lines;
  std::vector<PlanLimit> limits;
  Recordings recorded;
};
class GemmPages {
 public:
  const GemmPage& get(const Session& session, const std::string& binding, const GemmRequest& request);

 private:
  std::map<std::string, GemmPage> pages_;
};

// What the plan takes beside what it may have, a bar each; red where that is more.
void draw_limits(Ui& ui, const std::vector<PlanLimit>& limits);
// `page`: of the selected line, where it is a GEMM; else null.
Answer draw_inspector(Ui& ui, const Session& session, const Hovered* hovered, const GemmPage* page, InspectorState& state,
                      const ScreenRect& area);

// What is known of a binding's runs.
struct RunOfGemm {
  const GemmJob* job = nullptr;  // running, of this binding; else null
  bool emulating = false;
  bool other_runs = false;                     // a run of another binding
  const Result<GemmReport>* report = nullptr;  // of a run of this binding as it is now; else null
  bool earlier_report = false;                 // there was a run, of an earlier version of the binding
};
struct GemmInput {
  const std::string& binding;
  const GemmPage& page;
  RunOfGemm run;
};
Answer draw_gemm(Ui& ui, const GemmInput& input, const ScreenRect& area);

// ---- the file: what another program did to it ----------------------------------------------------------------------------

// The four answers to a conflict, in a row.
Answer draw_conflict_answers(Ui& ui, const Session& session, bool then_quit);
// A strip that stays until the person has answered; it takes no key from the editor.
Answer draw_conflict(Ui& ui, const Session& session, const ScreenRect& area);

// What differs between two texts, with a few lines around it.
void draw_diff_lines(Ui& ui, const std::vector<DiffLine>& lines);

struct DifferenceState {
  bool shown = false;
  std::uint64_t revision = 0;  // of the session, when the lines were made; 0: make them
  std::vector<DiffLine> lines;
  std::string refused;
};
Answer draw_difference(Ui& ui, const Session& session, DifferenceState& state, const ScreenRect& area);

// ---- dialogs ---------------------------------------------------------------------------------------------------------------

enum class DialogKind { none, open, discard, save_as, export_figure, quit, conflict, ask };
struct DialogState {
  DialogKind kind = DialogKind::none;
  std::string binding;  // to export
  std::string path;
  std::string message;                // why the last try was refused
  bool may_replace = false;           // the refusal was that a file exists (or that changes would be lost): offer to go on
  std::vector<std::string> recent{};  // documents to choose from
  bool then_quit = false;             // the person is on the way out
  std::string action{};               // that asks
  Arguments arguments{};              // what it has been given so far
  FileChooser chooser{};              // of the kinds that ask for a document's file
  bool refused = false;               // what stands in a field cannot be taken
  bool at_gemm = false;               // of what is opened its first GEMM is shown
  bool left = false;                  // what is opened was left by a program that ended early
  bool type_on = false;               // the field takes the keyboard in the next frame
};
Answer draw_dialog(Ui& ui, const Session& session, DialogState& state, TabRing& ring);
// The one that exports a figure.
Answer draw_export(Ui& ui, const Session& session, ExportState& state, DialogState& dialog, Textures& textures, TabRing& ring);

}  // namespace tessera::studio
