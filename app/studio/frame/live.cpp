// SPDX-License-Identifier: BSD-3-Clause
#include "app/studio/frame/live.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "app/studio/frame/documents.hpp"

namespace tessera::studio {
namespace {

std::string text_of_gemm(const Session& session, const std::string& binding) {
  const EvaluatedBinding* found = session.find(binding);
  const auto* spec = found && found->value ? std::get_if<std::shared_ptr<const GemmSpec>>(&found->value->any) : nullptr;
  return spec && *spec ? spec_text(**spec, binding) : std::string();
}

}  // namespace

RunOfGemm run_of(const App& app, const std::string& binding) {
  const GemmRun& run = app.gemm;
  const bool runs_here = run.job && run.binding == binding;
  const auto kept = run.reports.find(binding);
  const bool was_run = kept != run.reports.end(), fits = was_run && kept->second.made_of == app.session.value_text(binding);
  return {runs_here ? run.job.get() : nullptr, run.emulating, run.runs() && !runs_here, fits ? &kept->second.report : nullptr,
          was_run && !fits};
}

CanvasOutput draw_live(App& app, Ui& ui, const ScreenRect& area) {
  LiveState& live = app.bench.live;
  follow(live, app.session);
  return draw_gemm_page(
      ui, live,
      {app.session, app.figures, app.textures, app.bench.canvases, app.hovered ? &*app.hovered : nullptr, app.bench.figure_bar,
       app.bench.picks, app.request, app.settings.workers, run_of(app, live.binding), app.gemm.in_turn.get()},
      area);
}

bool asks_before_run(App& app, const std::string& binding) {
  LiveState& live = app.bench.live;
  if (binding != live.binding || !asks_first(live, text_of_gemm(app.session, binding))) return false;
  live.asking = {};
  live.asking.open = true;
  return true;
}

RunRow begun_run(App& app, const std::string& binding, bool emulate) {
  RunRow row;
  row.at_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  row.binding = binding;
  row.expression = app.session.expression(binding);
  row.spec = text_of_gemm(app.session, binding);
  row.emulated = emulate;
  if (!emulate) row.prediction = std::exchange(app.bench.live.asking, {}).said;
  return row;
}

void end_run(App& app, RunRow row, const Result<GemmReport>& report) { app.bench.live.history.add(std::move(row), report); }

void start_in_turn(App& app, const std::string& binding, const std::string& a) {
  LiveState& live = app.bench.live;
  if (app.gemm.runs()) return;
  const std::string b = text_of_gemm(app.session, binding);
  GemmRequest first = app.request, second = app.request;
  first.document = a, second.document = b;
  live.in_turn = InTurn{a, b, begun_run(app, binding, false), std::nullopt};
  close_pages(app.bench);
  live.open = true;
  live.tab = LiveTab::compare;
  app.gemm.in_turn = std::make_unique<ComparisonJob>(std::move(first), std::move(second));
  say(app, "running A and B in turn");
}

void collect_in_turn(App& app) {
  if (!app.gemm.in_turn) return;
  std::optional<Result<GemmComparison>> made = app.gemm.in_turn->take();
  if (!made) return;
  const bool stopped = app.gemm.in_turn->stopped();
  app.gemm.in_turn.reset();
  InTurn& in_turn = *app.bench.live.in_turn;
  in_turn.made = std::move(made);
  const Result<GemmComparison>& ended = *in_turn.made;
  if (!ended) {
    if (stopped)
      say(app, "stopped");
    else
      complain(app, ended.error());
    return;
  }
  if (!ended->measured_b) return say(app, ended->not_measured);
  const std::optional<SpeedRatio> ratio = speed_ratio(*ended);
  in_turn.row.note = ratio ? "in turn with A: " + to_string(*ratio) : std::string();
  end_run(app, in_turn.row, *ended->measured_b);
  say(app, ratio ? "B beside A, in turn: " + to_string(*ratio) : ratio_text(*ended));
}

void keep_runs(App& app) {
  if (!app.keeps_settings) return;
  KeptRuns& kept = app.kept_runs;
  RunHistory& history = app.bench.live.history;
  if (!kept.jobs) {
    if (!app.bench.live.open && history.revision() == 0) return;  // nobody asks for them yet
    kept.jobs = std::make_unique<Jobs<Result<ReadRuns>>>();
    kept.jobs->ask([](const std::stop_token&) {
      return or_refusal([] { return load_runs(); }, [](const char* why) { return Result<ReadRuns>(Error{ErrorCode::limit, why, {}, {}}); });
    });
    kept.under_way = true;
    return;
  }
  for (auto& made : kept.jobs->take(0)) {
    kept.under_way = false;
    if (!made.value) {
      kept.refused = true;
      complain(app, made.value.error());
    } else {
      const bool was_saved = history.revision() == kept.saved;
      history.merge(std::move(made.value->runs));
      if (was_saved) kept.saved = history.revision();
    }
  }
  if (kept.under_way || kept.refused || history.revision() == kept.saved || ImGui::GetIO().WantTextInput) return;
  kept.saved = history.revision();
  kept.under_way = true;
  kept.jobs->ask([runs = history.runs(), forgotten = history.forgotten()](const std::stop_token&) {
    return or_refusal(
        [&]() -> Result<ReadRuns> {
          TESSERA_CHECK(save_runs(runs, history_folder(), forgotten));
          return ReadRuns();
        },
        [](const char* why) {
          return Result<ReadRuns>(Error{ErrorCode::limit, why, {}, {}});
        });
  });
}

void keep_last_runs(App& app) {
  const KeptRuns& kept = app.kept_runs;
  const RunHistory& history = app.bench.live.history;
  if (!app.keeps_settings || kept.refused || history.revision() == kept.saved) return;
  (void)save_runs(history.runs(), history_folder(), history.forgotten());  // nobody is there any more to be told why not
}

}  // namespace tessera::studio
