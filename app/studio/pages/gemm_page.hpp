// SPDX-License-Identifier: BSD-3-Clause
// The live page of a GEMM, the lecture's screen: its fields to be moved, and beside them what follows while one moves them, what is
// expected of a run, what came of it, and what came of all runs before. It is the document that changes: the page keeps no GEMM of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/gemm/comparison.hpp"
#include "app/session/gemm/kernel_texts.hpp"
#include "app/session/gemm/ladder_steps.hpp"
#include "app/session/gemm/live_gemm.hpp"
#include "app/session/gemm/places.hpp"
#include "app/session/gemm/run_history.hpp"
#include "app/session/gemm/spec_controls.hpp"
#include "app/studio/panels/panels.hpp"
#include "core/base/jobs.hpp"

namespace tessera::studio {

enum class LiveTab : std::uint8_t { result, plan, source, ptx, sass, history, compare };
LiveTab live_tab_named(std::string_view name);  // as the action gemm.page has it; result for every other word

// Values that a thread makes beside the frames, of which only the last that was asked for is wanted: while one is made no other is begun.
template <class T>
struct Beside {
  std::unique_ptr<Jobs<T>> jobs;
  bool under_way = false;
  template <class Work>
  void ask(Work work) {
    if (!jobs) jobs = std::make_unique<Jobs<T>>();
    jobs->ask(std::move(work));
    under_way = true;
  }
  std::optional<T> take() {
    std::optional<T> last;
    if (!under_way) return last;
    for (auto& made : jobs->take(0)) last = std::move(made.value), under_way = false;
    return last;
  }
};

// Before a run that follows a change: what the person expects of it.
struct Asking {
  bool open = false, answered = false;  // answered, also by saying nothing: the run may begin
  Prediction::Says says = Prediction::Says::faster;
  double percent = 10;
  std::optional<Prediction> said;  // of the run that begins
};

// Where runs go, while it is chosen.
struct Places {
  using Answered = std::pair<std::string, Result<std::vector<DeviceSummary>>>;  // a worker's command, and its GPUs or why none are known
  Beside<Answered> asking;
  std::optional<std::string> asked;  // the command of the worker that was asked last
  std::optional<Answered> answered;
  std::string typed;   // another command
  bool opens = false;  // in the next frame
};

// A GEMM that is compared with what is edited; `run` has its time, where it has one.
struct PinnedGemm {
  RunRow run;
  std::optional<GemmReport> report;
};

// A and B in one run, and what came of it.
struct InTurn {
  std::string a, b;  // spec_text
  RunRow row;        // of B, for the history
  std::optional<Result<GemmComparison>> made;
};

struct LiveState {
  bool open = false;
  std::string binding;  // that the page is about
  LiveTab tab = LiveTab::result;
  std::string device = "H200";  // that the models are of

  // ---- what follows from the fields
  Beside<LiveGemm> plans;
  Beside<SettledGemm> rest;
  std::shared_ptr<const GemmSpec> of;  // the value that was asked about last
  std::string of_text, of_device;      // that value without names of the document; what the models were asked for
  std::optional<LiveGemm> present;     // of it; refused or not
  std::optional<LiveGemm> shown;       // the last that was not refused
  std::optional<SettledGemm> settled;  // perhaps of an earlier one than `shown`
  std::optional<Error> refused;        // why the binding, or its plan, is none
  std::string rest_of;                 // spec_text that `rest` was asked about

  // ---- controls
  std::vector<SpecControl> controls;
  std::pair<std::string, std::shared_ptr<const GemmSpec>> controls_of{},
      from{};  // what they were made of; as it was when a button went down
  NumberDrag drag;
  std::string choosing;  // the field whose choices are open
  std::vector<ControlChoice> choices;
  Beside<std::pair<std::string, std::vector<std::string>>> reasons;  // of a field: why each of its choices is refused
  std::vector<std::string> why_not;                                  // of the field that is chosen from; empty: not known yet
  std::string why_not_of;

  // ---- picture, program, source
  std::string picture;              // kind of figure; empty: the GEMM's own
  std::optional<std::size_t> line;  // of the program: what is chosen
  std::optional<std::size_t> hot;   // what the mouse is on
  std::size_t reveal = 0;           // frames in which the source goes to the chosen line
  using Bars = std::pair<std::shared_ptr<const GemmPlan>, BarOperations>;
  Beside<Bars> finding_bars;
  std::optional<Bars> bars;              // of the plan that is shown, once the picture in time is
  std::vector<const plan::Op*> hot_ops;  // under the mouse in the picture: a bar's, or those that touch a cell
  struct Lit {
    std::uint64_t serial = 0;
    std::vector<const plan::Op*> of;
    std::vector<ElementId> cells;
    std::string words;  // what of the picture it is: "all of sA", "2 bars"
  } lit;
  TextsProgram compiler;  // a process of its own
  Beside<KernelTexts> compiling;
  std::optional<KernelTexts> machine;

  // ---- runs
  Places places;
  Asking asking;
  RunHistory history;
  std::optional<std::int64_t> chosen_run;  // at_ns
  std::string note;                        // as it is typed
  std::optional<RunRow> forgotten;         // the last that was, to be brought back
  std::optional<PinnedGemm> pinned;
  std::optional<InTurn> in_turn;
  Beside<Result<GemmDiff>> comparing;
  std::pair<std::string, std::string> compared{};  // specs that the difference is of
  std::optional<Result<GemmDiff>> difference;
  bool differs_in_source = false;  // which of both is shown

  bool waiting() const {
    const bool makes = plans.under_way || rest.under_way || comparing.under_way || compiling.under_way || reasons.under_way;
    return open && (makes || places.asking.under_way || finding_bars.under_way);
  }
};

struct LiveInput {
  const Session& session;
  FigureCache& figures;
  Textures& textures;
  std::map<std::string, CanvasState>& canvases;
  const Hovered* hovered;
  FigureBarState& bar;
  Picks& picks;
  const GemmRequest& request;               // which worker and which device
  const std::vector<std::string>& workers;  // commands that were used before
  RunOfGemm run;
  const ComparisonJob* in_turn = nullptr;  // while A and B run
};

// Before the page is drawn: which GEMM it is about, and what has come of the threads beside.
void follow(LiveState& state, const Session& session);
// Does a run of this GEMM follow a change, so that the person is asked first?
bool asks_first(const LiveState& state, const std::string& spec);

// In the place of the figures and the side; `state.open` says whether it goes on.
CanvasOutput draw_gemm_page(Ui& ui, LiveState& state, const LiveInput& input, const ScreenRect& area);

// ---- its parts, a file each
Answer draw_places(Ui& ui, LiveState& state, const LiveInput& input);
Answer draw_controls(Ui& ui, LiveState& state, const Session& session);
Answer draw_live_tab(Ui& ui, LiveState& state, const LiveInput& input);
Answer draw_history(Ui& ui, LiveState& state, const Session& session);
Answer draw_live_comparison(Ui& ui, LiveState& state, const LiveInput& input);
// The GEMM as it is now becomes A.
void pin_present(LiveState& state, const LiveInput& input);
// The parts of a figure that belong to the chosen line of the program, or to what is under the mouse: the bars of its operations, and the
// cells that these touch. Null: there are none.
const std::vector<ElementId>* lit_by_line(LiveState& state, const Figure& figure);
// Keeps the operations that were under the mouse in the last frame. A press on a bar chooses its line of the program.
void follow_picture(LiveState& state, const Figure& figure, const Hovered* hovered);

}  // namespace tessera::studio
