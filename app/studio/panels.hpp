// SPDX-License-Identifier: BSD-3-Clause
// The panels: each reads, draws itself into a rectangle, and answers with what the person asked for. One file each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/session/jobs.hpp"
#include "app/session/session.hpp"
#include "app/studio/actions.hpp"
#include "app/studio/figure_cache.hpp"
#include "app/studio/hover.hpp"
#include "app/studio/scene_painter.hpp"
#include "app/studio/widgets.hpp"

namespace tessera::studio {

using Answer = std::optional<Action>;

// ---- toolbar, status line --------------------------------------------------------------------------------------------

Answer draw_toolbar(Ui& ui, const Session& session, const std::string& selected, const ScreenRect& area);

struct StatusLine {
  std::string words;
  bool is_error = false;
  const Hovered* hovered = nullptr;
  std::string figure_facts;  // "32 cells"
};
void draw_status(Ui& ui, const StatusLine& line, const ScreenRect& area);

// ---- bindings: names, kinds, expressions; editing where they stand ------------------------------------------------------

struct BindingsState {
  std::string editing;           // binding whose text is below
  std::string text;              // what was typed; the document has it too unless it was refused
  std::optional<Error> refused;  // why the document did not take it
  std::string filter;
  bool reveal = false;  // scroll to the selected binding at the next frame
  // A bad line that is being mended, while its field has the keyboard: by then it may be a binding.
  struct Mending {
    std::size_t before = 0, begin = 0;  // bindings above it, its place in the text
    std::string written, text;          // what stands there in the document, and in the field
  };
  std::optional<Mending> mending;
};
Answer draw_bindings(Ui& ui, const Session& session, BindingsState& state, const std::string& selected, const ScreenRect& area);

// ---- canvas: one figure with pan, zoom and hover -------------------------------------------------------------------------

struct CanvasState {
  Camera camera;             // its origin is relative to the canvas
  bool fitted = true;        // follows the size of the canvas until the person moves it
  std::uint64_t serial = 0;  // of the scene that it was fitted to
  ImVec2 size{0, 0};
  void fit_again() {
    fitted = true;
    size = {0, 0};
  }
};
struct CanvasInput {
  const std::string& name;
  const Session& session;
  Figure& figure;
  Textures& textures;
  const Hovered* hovered;  // of the last frame, in any canvas
  bool selected = false, closable = false;
};
struct CanvasOutput {
  Answer answer;
  std::optional<Hovered> hovered;
};
CanvasOutput draw_canvas(Ui& ui, const CanvasInput& input, CanvasState& state, const ScreenRect& area);

// ---- the side: inspector and GEMM ----------------------------------------------------------------------------------------

struct SideState {
  bool gemm = false;  // which tab
};

// The cell under the mouse, and the selected value.
Answer draw_inspector(Ui& ui, const Session& session, const std::string& selected, const Hovered* hovered, const ScreenRect& area);

// What the GEMM page shows and what takes time to find: made once a revision.
struct GemmPage {
  std::uint64_t revision = 0;
  std::optional<Result<GemmPlan>> plan;
  std::vector<PlanLine> lines;
  std::vector<GemmReport> recorded;
};
class GemmPages {
 public:
  const GemmPage& get(const Session& session, const std::string& binding, const GemmRequest& request);

 private:
  std::map<std::string, GemmPage> pages_;
};

struct GemmInput {
  const std::string& binding;
  const GemmPage& page;
  const GemmJob* job;  // running, of this binding; else null
  bool emulating = false;
  bool other_runs = false;           // a run of another binding
  const Result<GemmReport>* report;  // of a run of this binding as it is now; else null
  bool earlier_report = false;       // there was a run, of an earlier version of the binding
};
Answer draw_gemm(Ui& ui, const GemmInput& input, const ScreenRect& area);

// ---- the file: what another program did to it ----------------------------------------------------------------------------

// The four answers to a conflict, in a row.
Answer draw_conflict_answers(Ui& ui, const Session& session, bool then_quit);
// A strip that stays until the person has answered; it takes no key from the editor.
Answer draw_conflict(Ui& ui, const Session& session, const ScreenRect& area);

struct DifferenceState {
  bool shown = false;
  std::uint64_t revision = 0;  // of the session, when the lines were made; 0: make them
  std::vector<DiffLine> lines;
  std::string refused;
};
Answer draw_difference(Ui& ui, const Session& session, DifferenceState& state, const ScreenRect& area);

// ---- dialogs ---------------------------------------------------------------------------------------------------------------

enum class DialogKind { none, open, save_as, export_figure, quit, conflict };
struct DialogState {
  DialogKind kind = DialogKind::none;
  std::string binding;  // to export
  std::string path;
  std::string message;                // why the last try was refused
  bool may_replace = false;           // the refusal was that a file exists (or that changes would be lost): offer to go on
  std::vector<std::string> recent{};  // documents to choose from
  bool then_quit = false;             // the person is on the way out
};
Answer draw_dialog(Ui& ui, const Session& session, DialogState& state);

}  // namespace tessera::studio
